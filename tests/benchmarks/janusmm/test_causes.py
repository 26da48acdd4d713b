"""Sentences that give a cause, and what they say beside their connectives."""

import pytest

from deadpan.benchmarks.janusmm.irc import causal_segments, without_connectives
from deadpan.core.questions import Language


class TestCausalSegments:
    @pytest.mark.parametrize(
        ("text", "segments"),
        [
            ("A man sits. He laughs because he lost. It rains.", "He laughs because he lost."),
            ("He lost. Therefore he jokes! End.", "Therefore he jokes!"),
            ("He is poor so he jokes. Fine.", "He is poor so he jokes."),
            ("He lost, so jokes follow. Fine.", "He lost, so jokes follow."),
            ("One. Stress leads  to jokes? Two.", "Stress leads  to jokes?"),
            ("One. That’s why he cried. Two.", "That’s why he cried."),
            ("One. He jokes since he failed. Two.", "He jokes since he failed."),
            ("Because A. No. BECAUSE B.", "Because A. BECAUSE B."),
        ],
    )
    def test_english_sentences_with_a_connective(self, text: str, segments: str) -> None:
        assert causal_segments(text, "en") == segments

    @pytest.mark.parametrize(
        "text",
        [
            "It is so sad. He smiles.",
            "He has waited since 2010. Ever since then he sleeps.",
            "So far nothing. The causeway is long.",
            "  The boy cries.  ",
            "",
        ],
    )
    def test_the_whole_text_where_no_connective_is_found(self, text: str) -> None:
        assert causal_segments(text, "en") == text.strip()

    @pytest.mark.parametrize(
        ("text", "segments"),
        [
            ("他丢了工作。因为没钱，他自嘲！笑死。", "因为没钱，他自嘲！"),
            ("他说：“因为穷。”然后笑了。于是睡了", "他说：“因为穷。”于是睡了"),
            ("属于是打工人了。压力导致失眠。", "压力导致失眠。"),
            ("壓力導致失眠。他笑。", "壓力導致失眠。"),
            ("属于是打工人了。他笑。", "属于是打工人了。他笑。"),
        ],
    )
    def test_chinese(self, text: str, segments: str) -> None:
        assert causal_segments(text, "zh") == segments


@pytest.mark.parametrize(
    ("language", "text", "content"),
    [
        ("en", "He jokes because he lost.", "He jokes   he lost."),
        ("en", "Therefore he laughs", "he laughs"),
        ("en", "so far so good", "so far so good"),
        ("zh", "因为穷，所以他自嘲。", "穷，  他自嘲。"),
        ("zh", "因为", "因为"),
        ("en", " because ", "because"),
    ],
)
def test_connectives_are_taken_out_unless_nothing_else_is_there(
    language: Language, text: str, content: str
) -> None:
    assert without_connectives(text, language).split() == content.split()
