"""Phrases that state something, in both languages."""

import builtins
import random
from pathlib import Path

import pytest

from deadpan.base.errors import MissingExtra
from deadpan.benchmarks.janusmm import phrases
from deadpan.benchmarks.janusmm.irc import causal_segments
from deadpan.benchmarks.janusmm.phrases import Word, factual_chunks
from deadpan.core.questions import Language

HOSTILE = {
    "nothing": "",
    "white space": " \n\t" * 10_000,
    "one letter": "a" * 100_000,
    "articles only": "the " * 25_000,
    "one Chinese character": "因" * 100_000,
    "rare characters": "".join(random.Random(1).choices("龘靐齉爩鱻麤灪籱", k=20_000)),
    "laughter": "哈" * 100_000,
    "emoji": "😂" * 100_000,
    "full stops": "." * 100_000,
    "letters and stops": "a." * 50_000,
    "combining marks": "a" + "\u0301\u0316" * 50_000,
    "surrogates": "\ud800" * 100_000,
    "controls": "\x00\x1b\u202e" * 30_000,
    "commas": ", " * 50_000,
    "so": "so " * 33_000,
}


def words(*pairs: tuple[str, phrases.Role]) -> list[Word]:
    return [Word(*pair) for pair in pairs]


class TestRuns:
    def test_a_modifier_goes_with_the_noun_it_leads_to(self) -> None:
        row = words(("old", "modifier"), ("grey", "modifier"), ("ox", "noun"), ("works", "verb"))
        assert list(phrases.phrases(row)) == [("old", "grey", "ox"), ("works",)]

    def test_a_modifier_without_a_noun_is_what_the_verb_says(self) -> None:
        row = words(("ox", "noun"), ("seems", "verb"), ("tired", "modifier"), (".", "break"))
        assert list(phrases.phrases(row)) == [("ox",), ("seems", "tired")]

    def test_articles_and_breaks_part_noun_phrases(self) -> None:
        row = words(("boy", "noun"), ("the", "article"), ("ox", "noun"), (",", "break"))
        assert list(phrases.phrases([*row, Word("Cow", "noun")])) == [("boy",), ("ox",), ("cow",)]

    def test_what_carries_no_content_is_left_out(self) -> None:
        row = words(("is", "empty"), ("really", "none"), ("crying", "verb"))
        assert list(phrases.phrases(row)) == [("crying",)]
        assert list(phrases.phrases(words(("is", "empty")))) == []


class TestEnglish:
    def test_nouns_and_verbs(self) -> None:
        found = factual_chunks("The boy is crying because he lost his only job.", "en")
        assert found == (("boy",), ("crying",), ("lost",), ("job",))

    def test_contractions_keep_their_negation(self) -> None:
        found = factual_chunks("He can't stop, it isn't funny, she won’t go.", "en")
        assert found == (("not", "stop"), ("not", "funny"), ("not", "go"))

    def test_no_job_is_not_a_job(self) -> None:
        assert factual_chunks("The man has no job.", "en") == (("man",), ("no", "job"))

    def test_sender_and_receiver_state_the_same(self) -> None:
        own, other = "I am crying at my desk", "He was crying at his desk"
        assert factual_chunks(own, "en") == factual_chunks(other, "en") != ()

    def test_who_feels_ashamed_is_ashamed(self) -> None:
        one, other = "They feel ashamed of it", "They are ashamed of it"
        assert factual_chunks(one, "en") == factual_chunks(other, "en") == (("ashamed",),)

    def test_a_word_is_tagged_alike_wherever_a_long_text_is_cut(self) -> None:
        once = factual_chunks("The boy cried. ", "en")
        assert factual_chunks("The boy cried. " * 500, "en") == once * 500


class TestChinese:
    def test_nouns_and_verbs(self) -> None:
        found = factual_chunks("画面中的男孩因为丢了工作而哭泣。", "zh")
        assert [word for chunk in found for word in chunk] == ["画面", "男孩", "丢", "工作", "哭泣"]

    def test_negation_stays_and_degree_goes(self) -> None:
        assert factual_chunks("他很不开心", "zh") == (("不", "开心"),)

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("我画了他脑中的图", "画 脑 图"),
            ("拿自己开玩笑", "开 玩笑"),
            ("开了个玩笑", "开 玩笑"),
            ("太重了，最长的", "重 长"),
            ("他感到无奈", "无奈"),
            ("像一头牛", "牛"),
            ("社恐", "社恐"),
        ],
    )
    def test_what_jieba_joins_or_takes_for_function_words(self, text: str, words: str) -> None:
        found = factual_chunks(text, "zh")
        assert [word for chunk in found for word in chunk] == words.split()

    def test_slang_that_the_dictionary_lacks_is_kept(self) -> None:
        assert "躺平" in [word for chunk in factual_chunks("他只想躺平。", "zh") for word in chunk]

    def test_latin_words_and_numbers_are_kept(self) -> None:
        found = factual_chunks("他 emo 了，工资 3000", "zh")
        assert [word for chunk in found for word in chunk] == ["emo", "工资", "3000"]

    def test_no_cache_is_left_in_the_temporary_folder(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
        phrases._chinese_tagger.cache_clear()
        assert factual_chunks("男孩哭泣", "zh")
        assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_gives_words_of_the_text(text: str, language: Language) -> None:
    found = factual_chunks(text, language)
    segments = causal_segments(text, language)
    assert all(word and not word.isspace() for chunk in found for word in chunk)
    assert segments in text.strip()


@pytest.mark.parametrize(("language", "module"), [("en", "textblob"), ("zh", "jieba")])
def test_a_missing_tagger_names_the_extra(
    monkeypatch: pytest.MonkeyPatch, language: Language, module: str
) -> None:
    real = builtins.__import__

    def without(name: str, *rest: object, **more: object) -> object:
        if name.partition(".")[0] == module:
            raise ModuleNotFoundError(name)
        return real(name, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", without)
    tagger = phrases._english_tagger if language == "en" else phrases._chinese_tagger
    tagger.cache_clear()
    with pytest.raises(MissingExtra, match=r"deadpan\[text\]"):
        factual_chunks("x", language)
