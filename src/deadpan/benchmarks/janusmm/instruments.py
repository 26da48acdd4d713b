"""What IRC is measured with by default: the lexicons and encoders that are on this machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial

from deadpan.base.resources import path_of
from deadpan.benchmarks.janusmm.causes import causal_segments, without_connectives
from deadpan.benchmarks.janusmm.emotion_words import Lexicon, nrc, ntusd, same_emotion
from deadpan.benchmarks.janusmm.irc import Consistency, Loader, causal, emotional, factual
from deadpan.benchmarks.janusmm.phrases import factual_chunks
from deadpan.core.questions import Language
from deadpan.core.scoring_options import ScoringOptions
from deadpan.metrics import synonyms
from deadpan.metrics.encoders import lexical_encoder
from deadpan.metrics.meteor import chinese_stem, meteor_style
from deadpan.metrics.porter import stem
from deadpan.metrics.text_scores import LEXICAL, encoder_names, named_encoder


def emotional_part(language: Language) -> Consistency:
    """C_E by NRC (English) or NTUSD (Chinese)."""
    lexicon = _lexicon(language)
    return emotional(lexicon.name, partial(same_emotion, lexicon=lexicon))


def factual_part(language: Language) -> Consistency:
    """C_F by exact words, stems, and synonyms of WordNet or Cilin."""
    names = synonyms.english() if language == "en" else synonyms.chinese()
    stems = stem if language == "en" else chinese_stem
    overlap = partial(meteor_style, stem=stems, synonyms=names)
    return factual(names.name, partial(factual_chunks, language=language), overlap)


def lexical_causal_part(language: Language) -> Consistency:
    """C_R by character n-grams: likeness of spelling, for where no encoder can be had; signed as
    such. Connectives are left out, as two segments are not alike for saying "because" both."""
    encoder = lexical_encoder()

    def content(text: str) -> str:
        return without_connectives(causal_segments(text, language), language)

    return causal(f"{encoder.name}-content", content, encoder.encode)


@cache
def _lexicon(language: Language) -> Lexicon:
    return nrc(path_of("nrc")) if language == "en" else ntusd(path_of("ntusd"))


def irc_parts(options: ScoringOptions, languages: Sequence[Language]) -> Mapping[str, Loader]:
    """The parts, with C_R by the encoders that were named, or by ours."""
    named = encoder_names(options, languages)

    def causal_part(language: Language) -> Consistency:
        if named[language] == LEXICAL:
            return lexical_causal_part(language)
        encoder = named_encoder(named[language])
        return causal(encoder.name, partial(causal_segments, language=language), encoder.encode)

    return {"elc": emotional_part, "fgc": factual_part, "crc": causal_part}
