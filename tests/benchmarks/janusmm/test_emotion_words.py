"""The emotion label of a text: counts, ties, inflections, and the files lexicons come in."""

import json
import os
from pathlib import Path
from typing import get_args

import pytest

from deadpan.base.errors import InputError
from deadpan.base.resources import find, is_present, path_of
from deadpan.benchmarks.janusmm.emotion_words import (
    Label,
    Lexicon,
    NrcLabel,
    bare_text,
    dutir,
    emotion_label,
    lexicon_words,
    nrc,
    ntusd,
    same_emotion,
    word_lists,
)

REAL_CACHE = os.environ.get("DEADPAN_CACHE")
DUTIR = """Name: DUTIR
Category: [乐, 好, 怒, 哀, 惧, 恶, 惊]
Dictionary:
    乐:
    - 开心
    好:
    - 敬佩
    怒:
    - 愤怒
    哀:
    - 难过
    - 伤心
    惧:
    - 害怕
    恶:
    - 开心
    惊:
    - 848
"""

WORDS: dict[str, frozenset[Label]] = {
    "happy": frozenset({"anticipation", "joy", "positive", "trust"}),
    "lonely": frozenset({"anger", "disgust", "fear", "negative", "sadness"}),
    "disgust": frozenset({"anger", "disgust", "fear", "negative", "sadness"}),
    "angry": frozenset({"anger", "disgust", "negative"}),
    "frustrate": frozenset({"anger", "negative"}),
    "mock": frozenset({"anger"}),
    "worry": frozenset({"fear"}),
    "stop": frozenset({"surprise"}),
    "tired": frozenset({"negative"}),
    "good": frozenset({"positive"}),
}
ENGLISH = Lexicon("toy", "en", WORDS)
CHINESE = Lexicon(
    "toy",
    "zh",
    {
        "高兴": frozenset({"positive"}),
        "不高兴": frozenset({"negative"}),
        "好笑": frozenset({"positive"}),
        "难过": frozenset({"negative"}),
        "安慰": frozenset({"positive", "negative"}),
    },
)


class TestLabel:
    @pytest.mark.parametrize(
        ("text", "label"),
        [
            ("Happy!", "joy"),
            ("lonely", "sadness"),
            ("lonely and angry", "anger"),
            ("disgust", "disgust"),
            ("tired, tired, tired but happy", "joy"),
            ("good and tired", "positive"),
            ("tired", "negative"),
            ("ＡＮＧＲＹ", "anger"),
            ("table", None),
            ("", None),
        ],
    )
    def test_english(self, text: str, label: Label | None) -> None:
        """`lonely and angry`: anger and disgust twice each, and anger comes first."""
        assert emotion_label(text, ENGLISH) == label

    @pytest.mark.parametrize(
        ("text", "label"),
        [
            ("我很难过", "negative"),
            ("不高兴", "negative"),
            ("高兴", "positive"),
            ("难过又好笑", "positive"),
            ("难过，难过，好笑", "negative"),
            ("安慰", "positive"),
            ("无", None),
        ],
    )
    def test_chinese(self, text: str, label: Label | None) -> None:
        assert emotion_label(text, CHINESE) == label

    def test_inflections_are_taken_off(self) -> None:
        text = "Worries worried frustrated frustrating mocked mocks mocking stopped stopping used"
        assert list(lexicon_words(text, ENGLISH)) == [
            *["worry"] * 2,
            *["frustrate"] * 2,
            *["mock"] * 3,
            *["stop"] * 2,
        ]

    def test_forms_of_an_emotion_have_one_label(self) -> None:
        lexicon = Lexicon(
            "toy",
            "en",
            {"anxiety": frozenset({"sadness"}), "anxious": frozenset({"fear"})},
        )
        assert emotion_label("anxious", lexicon) == emotion_label("anxiety", lexicon) == "sadness"
        assert list(lexicon_words("sad and happy", ENGLISH)) == ["happy"]
        sadness = Lexicon("toy", "en", {"sadness": frozenset({"sadness"})})
        assert emotion_label("Sad.", sadness) == "sadness"

    def test_hyphens_part_words(self) -> None:
        assert list(lexicon_words("self-disgust", ENGLISH)) == ["disgust"]

    @pytest.mark.parametrize("lexicon", [ENGLISH, CHINESE])
    @pytest.mark.parametrize(
        "text",
        [
            "不" * 100_000,
            "s" * 100_000,
            "😂" * 100_000,
            "\ud800\x00" * 50_000,
            "a" + "\u0301\u0316" * 50_000,
        ],
    )
    def test_hostile_text_has_no_label(self, text: str, lexicon: Lexicon) -> None:
        assert emotion_label(text, lexicon) is None


class TestSame:
    @pytest.mark.parametrize(
        ("first", "second", "same"),
        [
            ("Angry", "frustrated and mocked", True),
            ("angry", "happy", False),
            ("Self-mockery.", "self mockery", True),
            ("self-mockery", "irony", False),
            ("angry", "irony", False),
            ("irony", "angry", False),
            ("😂", "😂!", True),
        ],
    )
    def test_labels_else_words(self, first: str, second: str, same: bool) -> None:
        assert same_emotion(first, second, ENGLISH) is same

    @pytest.mark.parametrize("empty", ["", "  ", "…", "\x00"])
    def test_an_empty_part_is_no_answer(self, empty: str) -> None:
        with pytest.raises(ValueError, match="empty"):
            same_emotion(empty, "angry", ENGLISH)

    def test_normalised(self) -> None:
        assert bare_text(" Self-Mockery！\n") == "selfmockery"
        assert bare_text("无奈。") == "无奈"


class TestFiles:
    def test_nrc(self, tmp_path: Path) -> None:
        path = tmp_path / "nrc.json"
        path.write_text(json.dumps({"Abandon": ["fear", "negative"], "empty": []}))
        lexicon = nrc(path)
        assert dict(lexicon.labels) == {"abandon": {"fear", "negative"}}
        assert (lexicon.name, lexicon.language) == ("nrc", "en")

    def test_a_word_with_every_label_tells_nothing(self, tmp_path: Path) -> None:
        path = tmp_path / "nrc.json"
        path.write_text(json.dumps({"feeling": get_args(NrcLabel), "tired": ["negative"]}))
        assert emotion_label("feeling tired", nrc(path)) == "negative"

    @pytest.mark.parametrize("text", ["[]", '{"a": ["happy"]}', "{", '{"a": []}'])
    def test_another_file_is_refused(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / "nrc.json"
        path.write_text(text)
        with pytest.raises(InputError, match="deadpan resources get nrc"):
            nrc(path)

    def test_ntusd(self, tmp_path: Path) -> None:
        path = tmp_path / "ntusd.yaml"
        path.write_text(
            "Name: x\nDictionary:\n  positive:\n  - 高兴\n  - 安慰\n  negative:\n  - 难过\n"
            "  - 安慰\n  - 难过\n",
            encoding="utf-8",
        )
        assert dict(ntusd(path).labels) == {
            "高兴": {"positive"},
            "难过": {"negative"},
            "安慰": {"positive", "negative"},
        }

    def test_ntusd_in_simplified_characters(self, tmp_path: Path) -> None:
        path = tmp_path / "ntusd.yaml"
        path.write_text("Dictionary:\n  positive: [好]\n  negative: [後悔]\n", encoding="utf-8")
        lexicon = ntusd(path)
        assert emotion_label("后悔", lexicon) == emotion_label("後悔", lexicon) == "negative"

    def test_dutir_by_its_classes(self, tmp_path: Path) -> None:
        path = tmp_path / "dutir.yaml"
        path.write_text(DUTIR, encoding="utf-8")
        lexicon = dutir(path)
        assert (lexicon.name, lexicon.language) == ("dutir", "zh")
        assert lexicon.labels["开心"] == {"joy", "disgust"}
        assert lexicon.labels["848"] == {"surprise"}
        labels = {"开心": "joy", "敬佩": "liking", "难过": "sadness", "害怕又难过": "sadness"}
        for text, label in labels.items():
            assert emotion_label(text, lexicon) == label
        assert same_emotion("难过", "伤心", lexicon) and not same_emotion("难过", "愤怒", lexicon)

    @pytest.mark.parametrize(
        "text", ["Dictionary:\n  positive: [好]\n  negative: [坏]", DUTIR.replace("惊:", "奇:")]
    )
    def test_another_file_is_no_dutir(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / "dutir.yaml"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match="deadpan resources get dutir"):
            dutir(path)

    def test_the_real_dutir(self, monkeypatch: pytest.MonkeyPatch) -> None:
        if REAL_CACHE is not None:
            monkeypatch.setenv("DEADPAN_CACHE", REAL_CACHE)
        if REAL_CACHE is None or not is_present(find("dutir")):
            pytest.skip("DEADPAN_CACHE names no cache with dutir")
        lexicon = dutir(path_of("dutir"))
        assert len(lexicon.labels) > 27_000
        wanted = {
            "无奈": "sadness",
            "愤怒": "anger",
            "不安": "fear",
            "高兴": "joy",
            "惊讶": "surprise",
        }
        assert {word: emotion_label(word, lexicon) for word in wanted} == wanted
        assert emotion_label("并不高兴", lexicon) is None

    def test_empty_words_and_blanks_around_words_are_dropped(self, tmp_path: Path) -> None:
        path = tmp_path / "hownet.yaml"
        path.write_text(
            "Dictionary:\n  pos:\n  - ''\n  - '万寿无疆\u3000'\n  - 848\n", encoding="utf-8"
        )
        assert word_lists(path) == {"pos": {"万寿无疆", "848"}}

    @pytest.mark.parametrize(
        "text",
        ["[1]", "a: b", "Dictionary: 3", "Dictionary:\n  positive: [高兴]", "'", "!!python/x 1"],
    )
    def test_another_yaml_is_refused(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / "ntusd.yaml"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=r"ntusd\.yaml"):
            ntusd(path)
