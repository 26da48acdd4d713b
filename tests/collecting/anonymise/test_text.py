"""Texts: what is replaced, what stays, and that nothing is left for a second run."""

from __future__ import annotations

import time
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deadpan.collecting.anonymise.names import Names, header_names, is_name
from deadpan.collecting.anonymise.patterns import (
    PLACEHOLDER,
    Kind,
    Language,
    patterns,
    placeholder,
    words,
)
from deadpan.collecting.anonymise.text import FoldedText, language_of, scrub_text
from tests.collecting.anonymise import cases_chinese, cases_english

ENGLISH, CHINESE = Names(cases_english.SPEAKERS), Names(cases_chinese.SPEAKERS)
PIECES = [text for text, _ in cases_english.REPLACED + cases_chinese.REPLACED]
PIECES += cases_english.KEPT[:40] + cases_chinese.KEPT[:40] + ["[name 1]", "[姓名2]", "[link]"]


@pytest.mark.parametrize(("text", "expected"), cases_english.REPLACED)
def test_english_is_replaced(text: str, expected: str) -> None:
    assert scrub_text(text, ENGLISH, "en").text == expected


@pytest.mark.parametrize("text", cases_english.KEPT)
def test_english_prose_stays(text: str) -> None:
    found = scrub_text(text, ENGLISH, "en")
    assert found.text == text and not found.replaced


@pytest.mark.parametrize(("text", "expected"), cases_chinese.REPLACED)
def test_chinese_is_replaced(text: str, expected: str) -> None:
    assert scrub_text(text, CHINESE, "zh").text == expected


@pytest.mark.parametrize("text", cases_chinese.KEPT)
def test_chinese_prose_stays(text: str) -> None:
    found = scrub_text(text, CHINESE, "zh")
    assert found.text == text and not found.replaced


class TestLaws:
    @settings(max_examples=300, deadline=None)
    @given(
        st.lists(st.sampled_from(PIECES) | st.text(max_size=12), max_size=6),
        st.sampled_from(["", " ", "，"]),
    )
    def test_nothing_is_left_for_any_pattern(self, pieces: list[str], between: str) -> None:
        result = scrub_text(between.join(pieces), ENGLISH).text
        seen = FoldedText(result).seen
        for pattern in patterns("links", "accounts", "times", "numbers"):
            assert not pattern.expression.search(seen), pattern.kind
        assert ENGLISH.pattern is not None and not ENGLISH.pattern.search(seen)
        (handles,) = patterns("handles")
        left = [found.group("body") for found in handles.expression.finditer(seen)]
        assert all(body and body.casefold() in words().roles for body in left)

    @settings(max_examples=300, deadline=None)
    @given(st.lists(st.sampled_from(PIECES) | st.text(max_size=12), max_size=6))
    def test_a_second_run_changes_nothing(self, pieces: list[str]) -> None:
        once = scrub_text("".join(pieces), CHINESE).text
        twice = scrub_text(once, CHINESE)
        assert twice.text == once and not twice.replaced
        assert scrub_text(once).text == once

    @pytest.mark.parametrize("start", ["\u200b", "\u200b\u200b", "\u200b\u200b\u200d[name 1]"])
    def test_unseen_characters_at_the_start_shift_nothing(self, start: str) -> None:
        found = scrub_text(f"{start} call 13812345678 now")
        assert found.text == f"{start} call [phone] now" and found.replaced == {"phone": 1}
        assert scrub_text("\u200b\u200b").text == "\u200b\u200b"

    @given(st.text(alphabet="0123456789 -+().:/@年月日点", max_size=60))
    def test_digits_and_signs_in_any_order_settle(self, text: str) -> None:
        once = scrub_text(text).text
        assert scrub_text(once).text == once

    @pytest.mark.parametrize("kind", get_args(Kind))
    @pytest.mark.parametrize("language", ["en", "zh"])
    def test_placeholders_are_known_and_stable(self, kind: Kind, language: Language) -> None:
        number = 7 if kind == "name" else None
        text = placeholder(kind, language, number)
        assert PLACEHOLDER.fullmatch(text)
        assert scrub_text(f"{text}{text} {text}", Names(["name", "link", "姓名", "time"])).text == (
            f"{text}{text} {text}"
        )


class TestOddTexts:
    @pytest.mark.parametrize(
        "unit",
        [
            "a",
            "1",
            "哈",
            "a.",
            "1-",
            "@",
            "12:",
            "a@",
            "ａ",
            "[",
            "\u200b",
            "http://",
            "5月",
            "0 ",
            "x_",
        ],
    )
    def test_a_hundred_thousand_characters_take_little_time(self, unit: str) -> None:
        text = unit * (100_000 // len(unit))
        start = time.process_time()
        scrub_text(text, ENGLISH)
        assert time.process_time() - start < 60

    def test_empty_and_unseen_texts_stay(self) -> None:
        for text in ("", " ", "\u200b", "\u200b\u200b\u200d", "\ufffc", "\x00", "\ud800"):
            assert scrub_text(text).text == text

    def test_unseen_characters_outside_of_a_match_stay(self) -> None:
        text = "👩\u200d👩\u200d👧 ✌️ call 415-555-2671"
        assert scrub_text(text).text == "👩\u200d👩\u200d👧 ✌️ call [phone]"

    def test_digits_of_other_scripts(self) -> None:
        assert scrub_text("call +٤٩ ١٧٠ ١٢٣٤٥٦٧").text == "call [phone]"
        assert scrub_text("１️⃣3️⃣8️⃣1️⃣2️⃣3️⃣4️⃣5️⃣6️⃣7️⃣8️⃣").text == "[phone]"


class TestLanguage:
    def test_by_its_words(self) -> None:
        assert language_of("我今天很emo") == "zh"
        assert language_of("this is so 内卷 of you all") == "en"

    def test_an_address_does_not_count(self) -> None:
        assert language_of("看 https://example.com/some/long/path/of/words") == "zh"

    def test_without_words_the_record_decides(self) -> None:
        assert language_of("12:30", "zh") == "zh" and language_of("12:30") == "en"


class TestNames:
    def test_roles_and_letters_name_nobody(self) -> None:
        for role in (
            "A",
            "b",
            "Me",
            "user",
            "User 1",
            "说话人2",
            "我",
            "对方",
            "[name 1]",
            "[姓名3]",
            " ",
        ):
            assert not is_name(role)
        for name in ("Al", "王", "李雷", "bob_92", "10086号", "🐱"):
            assert is_name(name)

    def test_people_are_numbered_in_order_and_once(self) -> None:
        names = Names(["Ann", "me", "Ben", "ann", "ＡＮＮ"])
        assert [names.number(one) for one in ("Ann", "ANN", "me", "Ben")] == [1, 1, None, 2]

    def test_numbering_goes_on_after_what_is_there(self) -> None:
        assert Names(["Ann"], first=4).number("Ann") == 4

    def test_an_ordinary_word_as_a_name_does_not_eat_prose(self) -> None:
        names = Names(["sad cat", "开心", "hope"])
        kept = "a sad day, my cat and I hope so; 今天很开心"
        assert scrub_text(kept, names).text == kept
        assert scrub_text("hello Sad Cat", names).text == "hello [name 1]"

    def test_names_beside_time_stamps_are_found(self) -> None:
        text = "[01/05/2024, 21:03:11] Jane Roe: hi\n张三 2024-05-01 12:30:11\n在吗\n"
        text += "2024-05-01 12:31:00 赵六(12345678)\n2024/5/1 12:40 - Kim: ok"
        assert sorted(header_names(text)) == sorted(["Jane Roe", "Kim", "张三", "赵六"])

    def test_jokes_with_roles_are_no_headers(self) -> None:
        assert header_names("Nobody:\nMe: hi\nMy brain: no") == []

    def test_emoji_names_are_replaced_only_as_speakers(self) -> None:
        names = Names(["🌸"])
        assert names.number("🌸") == 1 and scrub_text("so pretty 🌸", names).text == "so pretty 🌸"
