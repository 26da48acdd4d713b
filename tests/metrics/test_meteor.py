"""METEOR: hand-worked scores, nltk's on real texts, C_F's form, tokens and hostile text."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Sequence

import pytest
from nltk.corpus.reader.wordnet import WordNetCorpusReader
from nltk.translate.meteor_score import align_words, meteor_score

from deadpan.base.errors import MissingExtra
from deadpan.metrics import meteor as module
from deadpan.metrics.meteor import (
    Match,
    MeteorParameters,
    chinese_tokens,
    english_tokens,
    matches,
    meteor,
    meteor_style,
)
from deadpan.metrics.porter import stem
from deadpan.metrics.synonyms import Synonyms, english

_MOOD = frozenset({"高兴", "开心", "快乐"})
_MOODS = Synonyms("moods", lambda word: _MOOD if word in _MOOD else frozenset())


def _english(references: Sequence[Sequence[str]], hypothesis: Sequence[str]) -> float:
    return meteor(references, hypothesis, stem=stem, synonyms=english())


def test_identical_texts_lose_only_the_penalty_of_their_one_chunk() -> None:
    words = ["nobody", "reads", "the", "manual"]
    assert _english([words], words) == 1 - 0.5 / 4**3


def test_stages_by_hand() -> None:
    hypothesis, reference = ["The", "cat", "sat"], ["the", "cats", "sits", "quietly"]
    assert matches(hypothesis, reference, stem, english()) == (
        Match(0, 0, "exact"),
        Match(1, 1, "stem"),
        Match(2, 2, "synonym"),
    )
    mean = (1 * 3 / 4) / (0.9 * 1 + 0.1 * 3 / 4)
    assert _english([reference], hypothesis) == pytest.approx((1 - 0.5 / 27) * mean, abs=1e-12)


def test_words_are_matched_from_the_end() -> None:
    assert matches(["a", "b", "a"], ["a"], None, None) == (Match(2, 0, "exact"),)
    assert matches(["a"], ["a", "b", "a"], None, None) == (Match(0, 2, "exact"),)
    assert matches(["pal"], ["chum", "brother"], stem, english()) == (Match(0, 1, "synonym"),)
    both = matches(["pal", "pal"], ["chum", "brother"], stem, english())
    assert [(one.hypothesis, one.reference) for one in both] == [(0, 0), (1, 1)]


def test_a_stage_that_is_none_is_left_out() -> None:
    assert matches(["cats"], ["cat"], None, None) == ()
    assert matches(["pal"], ["chum"], stem, None) == ()
    assert matches(["pal"], ["chum"], None, english()) == (Match(0, 0, "synonym"),)


def test_synonyms_are_looked_up_by_stem_as_in_nltk_or_by_word() -> None:
    pair = (["happy", "buddies"], ["glad", "pals"])
    assert matches(*pair, stem, english()) == ()
    assert matches(*pair, stem, english(), "word") == (
        Match(0, 0, "synonym"),
        Match(1, 1, "synonym"),
    )


@pytest.mark.parametrize(
    ("hypothesis", "reference", "chunks"),
    [
        ("a b c", "a b c", 1),
        ("a b", "b a", 2),
        ("a b x c d", "a b c d", 2),
        ("a b c", "a x b c", 2),
    ],
)
def test_a_chunk_is_a_run_in_both_texts(hypothesis: str, reference: str, chunks: int) -> None:
    words, others = hypothesis.split(), reference.split()
    m = len({*words} & {*others})
    precision, recall = m / len(words), m / len(others)
    expected = (1 - 0.5 * (chunks / m) ** 3) * precision * recall / (0.9 * precision + 0.1 * recall)
    score = meteor([others], words, stem=None, synonyms=None)
    assert score == pytest.approx(expected, abs=1e-12)


def test_the_best_reference_counts() -> None:
    hypothesis = ["me", "on", "a", "monday"]
    far, near = ["a", "cat"], ["me", "on", "monday"]
    assert _english([far, near], hypothesis) == _english([near], hypothesis)
    assert _english([near], hypothesis) > _english([far], hypothesis)


def test_no_match_and_an_empty_hypothesis_give_zero_as_in_nltk() -> None:
    assert _english([["cat"]], ["xyzzy"]) == 0.0
    assert _english([["cat"]], []) == 0.0


@pytest.mark.parametrize("references", [[], [[]], [["cat"], []]])
def test_a_missing_or_empty_reference_raises(references: list[list[str]]) -> None:
    with pytest.raises(ValueError):
        _english(references, ["cat"])


def test_a_text_in_place_of_words_raises() -> None:
    with pytest.raises(TypeError):
        _english([["cat"]], "cat")
    with pytest.raises(TypeError):
        _english(["cat"], ["cat"])
    with pytest.raises(TypeError):
        _english("cat", ["cat"])


def test_parameters_have_bounds_and_a_signature() -> None:
    assert MeteorParameters().signature(stem, english()) == "a0.9-b3-g0.5-stem-wn3.0"
    by_word = MeteorParameters(alpha=0.85, lookup="word")
    assert by_word.signature(None, None) == "a0.85-b3-g0.5-nostem-nosyn-byword"
    for wrong in ((1.1, 3.0, 0.5), (0.9, -1.0, 0.5), (0.9, 3.0, 2.0), (float("nan"), 3.0, 0.5)):
        with pytest.raises(ValueError):
            MeteorParameters(*wrong)


def test_five_hundred_pairs_of_real_texts_score_as_in_nltk(
    real_texts: list[str], nltk_wordnet: WordNetCorpusReader
) -> None:
    draw, compared = random.Random(4), 0
    for number in range(600):
        cut = english_tokens if number % 2 else str.split
        pair = [cut(text) for text in draw.sample(real_texts, 2)]
        if not all(pair):
            continue
        hypothesis, reference = pair
        theirs = meteor_score([reference], hypothesis, wordnet=nltk_wordnet)
        assert _english([reference], hypothesis) == pytest.approx(theirs, abs=1e-9), pair
        compared += 1
    assert compared >= 500


def test_several_references_and_other_parameters_score_as_in_nltk(
    real_texts: list[str], nltk_wordnet: WordNetCorpusReader
) -> None:
    draw = random.Random(5)
    for _ in range(300):
        hypothesis, *references = map(str.split, draw.sample(real_texts, draw.randint(2, 5)))
        alpha, beta, gamma = draw.random(), 4 * draw.random(), draw.random()
        theirs = meteor_score(
            references, hypothesis, wordnet=nltk_wordnet, alpha=alpha, beta=beta, gamma=gamma
        )
        ours = meteor(
            references,
            hypothesis,
            stem=stem,
            synonyms=english(),
            parameters=MeteorParameters(alpha, beta, gamma),
        )
        assert ours == pytest.approx(theirs, abs=1e-9)


def test_near_copies_are_aligned_as_in_nltk(
    real_texts: list[str], nltk_wordnet: WordNetCorpusReader
) -> None:
    draw = random.Random(6)
    for text in draw.sample(real_texts, 300):
        hypothesis = text.split()
        reference = [
            draw.choice(sorted(english().of(word.lower())) or [word + "s"])
            if draw.random() < 0.5
            else word
            for word in hypothesis
        ]
        draw.shuffle(hypothesis)
        theirs, _, _ = align_words(hypothesis, reference, wordnet=nltk_wordnet)
        ours = matches(hypothesis, reference, stem, english())
        assert [(one.hypothesis, one.reference) for one in ours] == theirs


def test_the_style_of_meteor_by_hand() -> None:
    a, b = ["late", "again", "as", "always"], ["always", "late", "again"]
    fragmentation = 2 / 3
    mean = 10 * (3 / 4) * 1 / (9 * 3 / 4 + 1)
    expected = (1 - 0.5 * fragmentation**3) * mean
    assert meteor_style(a, b, stem=None, synonyms=None) == pytest.approx(expected, abs=1e-12)
    assert meteor([b], a, stem=None, synonyms=None) == pytest.approx(expected, abs=1e-12)
    assert meteor_style(a, ["none"], stem=stem, synonyms=english()) == 0.0


def test_the_style_of_meteor_needs_words_on_both_sides() -> None:
    for a, b in ("", "word"), ("word", ""), ("", ""):
        with pytest.raises(ValueError):
            meteor_style(a.split(), b.split(), stem=None, synonyms=None)


def test_chinese_words_match_by_synonym() -> None:
    hypothesis, reference = ["我", "今天", "开心"], ["我", "今天", "很", "高兴"]
    assert matches(hypothesis, reference, None, _MOODS)[-1] == Match(2, 3, "synonym")
    mean = 10 * 1 * (3 / 4) / (9 * 1 + 3 / 4)
    expected = (1 - 0.5 * (2 / 3) ** 3) * mean
    assert meteor([reference], hypothesis, stem=None, synonyms=_MOODS) == pytest.approx(expected)


def test_english_tokens_are_words_in_lower_case() -> None:
    assert english_tokens("Don’t STOP: self-deprecating, 100%!") == (
        ["don't", "stop", "self", "deprecating", "100"]
    )
    assert english_tokens("ＡＢＣ 中文 nai\u0308ve 😂👍🏽") == (
        ["abc", "中", "文", "naïve", "😂", "👍"]
    )
    assert english_tokens(" \ud800\x00\u200b…_ ") == []


def test_chinese_tokens_are_jiebas_words_without_punctuation() -> None:
    pytest.importorskip("jieba", reason="the [text] extra is not installed")
    assert chinese_tokens("今天加班到半夜，穿着T恤！Monday 😂") == (
        ["今天", "加班", "到", "半夜", "穿着", "t恤", "monday", "😂"]
    )
    assert chinese_tokens("……\ud800\x07") == []


def test_without_jieba_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jieba", None)
    module._segmenter.cache_clear()
    with pytest.raises(MissingExtra, match=r"\[text\]"):
        chinese_tokens("今天")


def test_a_hundred_thousand_characters_take_no_minutes() -> None:
    draw = random.Random(7)
    known = sorted(english().of("run") | english().of("break") | english().of("set"))
    long, other = (["".join(draw.choices("abc", k=3)) for _ in range(25_000)] for _ in range(2))
    synonymous, others = (draw.choices(known, k=15_000) for _ in range(2))
    before = time.process_time()
    assert 0 < _english([other], long) < 1
    assert 0 < _english([others], synonymous) < 1
    assert 0 < meteor_style(synonymous, others, stem=stem, synonyms=english()) < 1
    assert _english([["y" * 100_000]], ["y" * 99_999]) == 0.0
    for text in ("a'" * 50_000, "a" + "\u0301\u0323" * 50_000, "\u0f73" * 100_000):
        assert len(english_tokens(text)) <= 1
    for text in ("😂" * 100_000, "中文" * 50_000):
        assert len(english_tokens(text)) == 100_000
    assert time.process_time() - before < 60
