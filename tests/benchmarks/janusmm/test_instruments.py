"""What IRC is measured with: lexicons and encoders by language, told where they are missing."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from deadpan.base.errors import DeadpanError
from deadpan.base.resources import Unavailable
from deadpan.benchmarks.janusmm import irc
from deadpan.benchmarks.janusmm.irc import PARTS, Pair, Perspective, irc_parts
from deadpan.core.questions import Language
from deadpan.core.score import ScoringOptions
from deadpan.metrics.text_scores import named_encoder

USUAL_PARTS = irc_parts(ScoringOptions(), ("en", "zh"))
LEXICAL_PARTS = irc_parts(ScoringOptions(models={"encoder": "lexical"}), ("en", "zh"))
ENGLISH = Pair(
    Perspective("sadness", "I share the picture because I am tired."),
    Perspective("sorrow", "He shares the image because he is tired."),
)
CHINESE = Pair(
    Perspective("难过", "我发这只猫，因为我很累。"),
    Perspective("伤心", "他发这只猫，因为他很累。"),
)
OTHER_STORY = Pair(
    Perspective("joy", "I share the picture because I am tired."),
    Perspective("sorrow", "The boss wants the report, so there will be rain."),
)


@pytest.fixture
def lexicons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Tiny lexicons in the place of the real ones."""
    words = {"sadness": ["sadness"], "sorrow": ["sadness", "negative"], "joy": ["joy"]}
    (tmp_path / "nrc").write_text(json.dumps(words), "utf-8")
    lists = "Dictionary:\n  positive: [高兴]\n  negative: [难过, 伤心]\n"
    (tmp_path / "ntusd").write_text(lists, "utf-8")
    classes = {"乐": "高兴", "好": "敬佩", "怒": "生气", "哀": "难过, 伤心", "惧": "害怕"}
    rest = {"恶": "尴尬", "惊": "惊讶"}
    lists = "".join(f"  {name}: [{held}]\n" for name, held in (classes | rest).items())
    (tmp_path / "dutir").write_text(f"Dictionary:\n{lists}", "utf-8")
    monkeypatch.setattr(irc, "path_of", lambda name: tmp_path / name)
    irc._lexicon.cache_clear()
    yield
    irc._lexicon.cache_clear()


@pytest.mark.parametrize(("language", "pair"), [("en", ENGLISH), ("zh", CHINESE)])
def test_emotions_with_one_label_agree(lexicons: None, language: Language, pair: Pair) -> None:
    part = USUAL_PARTS["elc"](language)
    assert part.values([pair, OTHER_STORY])[0] == 1.0
    assert part.name == {"en": "nrc", "zh": "ntusd"}[language]


def test_classes_of_emotions_differ_where_polarity_does_not(lexicons: None) -> None:
    """Both are negative in NTUSD's eyes; DUTIR tells sadness from anger, as it is signed."""
    apart = Pair(Perspective("难过", "我累。"), Perspective("生气", "他累。"))
    alike = Pair(Perspective("难过", "我累。"), Perspective("很伤心", "他累。"))
    options = ScoringOptions(lexicons={"zh": "dutir"})
    part = irc_parts(options, ("en", "zh"))["elc"]("zh")
    assert (part.name, part.values([apart, alike])) == ("dutir", [0.0, 1.0])
    assert irc_parts(options, ("en", "zh"))["elc"]("en").name == "nrc"


def test_a_lexicon_of_another_language_is_refused() -> None:
    with pytest.raises(DeadpanError, match="lexicon zh=nrc: expected one of ntusd, dutir"):
        irc_parts(ScoringOptions(lexicons={"zh": "nrc"}), ("zh",))


def test_a_denied_emotion_agrees_with_none_but_itself(lexicons: None) -> None:
    part = USUAL_PARTS["elc"]("zh")
    pairs = [("难过", "不难过"), ("不难过", "不难过。"), ("难过", "不禁难过"), ("不难过", "高兴")]
    asked = [Pair(Perspective(one, "x"), Perspective(other, "y")) for one, other in pairs]
    assert part.values(asked) == [0.0, 1.0, 1.0, 0.0]


def test_emotions_with_other_labels_do_not(lexicons: None) -> None:
    assert USUAL_PARTS["elc"]("en").values([OTHER_STORY]) == [0.0]


def test_english_facts_agree_through_synonyms() -> None:
    pytest.importorskip("textblob", reason="English phrases need textblob")
    part = USUAL_PARTS["fgc"]("en")
    same, other = part.values([ENGLISH, OTHER_STORY])
    assert part.name == "wn3.0" and same > 0.5 > other


@pytest.mark.parametrize(("language", "pair"), [("en", ENGLISH), ("zh", CHINESE)])
def test_causes_are_likened_by_spelling_without_an_encoder(language: Language, pair: Pair) -> None:
    part = LEXICAL_PARTS["crc"](language)
    same, other = part.values([pair, OTHER_STORY])
    assert part.name.startswith("lexical") and 1 >= same > 0.5 > other


def test_the_connective_alone_makes_no_likeness() -> None:
    apart = Pair(Perspective("x", "因为甲"), Perspective("x", "因为乙"))
    assert LEXICAL_PARTS["crc"]("zh").values([apart]) == [0.0]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("part", ["elc", "crc"])
def test_what_is_not_on_this_machine_is_told(part: str, language: Language) -> None:
    irc._lexicon.cache_clear()
    named_encoder.cache_clear()
    with pytest.raises(Unavailable, match=r"unavailable: .* get it with: deadpan resources get"):
        USUAL_PARTS[part](language)


def test_both_sets_of_parts_are_whole() -> None:
    assert tuple(USUAL_PARTS) == tuple(LEXICAL_PARTS) == PARTS
