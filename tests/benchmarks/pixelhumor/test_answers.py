"""How replies are read, as pinned, in both languages."""

import pytest

from deadpan.benchmarks.pixelhumor import answers
from deadpan.parsing.replies import Unparseable

CASES = [
    ("presence", "Yes", ["Yes"]),
    ("presence", " **no.** ", ["No"]),
    ("presence", "Yes, I do.", ["Yes"]),
    ("presence", "是", ["Yes"]),
    ("presence", "“否”。", ["No"]),
    ("presence", "是的，我能看出。", ["Yes"]),
    ("presence", "ＹＥＳ", ["Yes"]),
    ("presence", "不是", ["No"]),
    ("presence", "Yes. No dog could do that.", ["Yes"]),
    ("presence", "I can't see anything funny: No", ["No"]),
    ("sound_effect", "There are no sound effects.", ["Absent"]),
    ("sound_effect", "Present but does not contribute", ["Present, do not contribute"]),
    ("modality", "Both text and visuals", ["Both"]),
    ("modality", "Text, not the drawings.", ["Text"]),
    ("style", "not dark, just silly", ["Silliness"]),
    ("style", "不是讽刺，是双关", ["Pun"]),
    ("style", "Pun: yes\nDark: no\nSurprise: ✓", ["Pun", "Surprise"]),
    ("style", '{"styles": ["Pun", "Dark"]}', ["Pun", "Dark"]),
    ("panel_order", "312", [3, 1, 2]),
    ("panel_order", "first 3, then 1, finally 2", [3, 1, 2]),
    ("panel_order", "1. Panel 3 2. Panel 1 3. Panel 2", [3, 1, 2]),
    ("panel_order", "先看第3格，再看1，最后2", [3, 1, 2]),
    ("panel_text", '{"1": "HI", "2": ""}', [[1, "HI"], [2, ""]]),
    ("panel_text", "Panel 1: (no text)\nPanel 2: “GO”", [[1, ""], [2, "GO"]]),
    ("sound_effect", "Absent.", ["Absent"]),
    ("sound_effect", '"present,contribute"', ["Present, contribute"]),
    ("sound_effect", "PRESENT, DO NOT CONTRIBUTE", ["Present, do not contribute"]),
    ("sound_effect", "有,不增添幽默", ["Present, do not contribute"]),
    ("sound_effect", "有，增添幽默。", ["Present, contribute"]),
    ("panel", "3", ["3"]),
    ("panel", "Panel 3 of 4", ["3"]),
    ("panel", "Panel 2, because panel 1 sets it up", ["2"]),
    ("panel", "The second panel", ["2"]),
    ("panel", "Panels 2 and 3", ["2", "3"]),
    ("panel", "Not panel 5 but panel 6.", ["6"]),
    ("panel", "第３格", ["3"]),
    ("panel", "第三格", ["3"]),
    ("panel", "十二", ["12"]),
    ("modality", "Text", ["Text"]),
    ("modality", "It is the visual side.", ["Visual"]),
    ("modality", "两者", ["Both"]),
    ("style", "Surprise, Pun", ["Pun", "Surprise"]),
    ("style", "Dark humor and SARCASM!", ["Sarcasm", "Dark"]),
    ("style", "双关、黑色幽默", ["Pun", "Dark"]),
    ("interpretation", " Because. ", "Because."),
    ("panel_order", "3,4,2,1", [3, 4, 2, 1]),
    ("panel_order", "Panel 2 → Panel 1", [2, 1]),
    ("panel_order", "2，1，3", [2, 1, 3]),
    ("panel_text", "1: HI\n2:\n3: A: B", [[1, "HI"], [2, ""], [3, "A: B"]]),
    ("panel_text", "**Panel 2:** YES\nNO\n{1}: {GO}", [[2, "YES\nNO"], [1, "{GO}"]]),
    ("panel_text", "第1格：早\n２：晚", [[1, "早"], [2, "晚"]]),
    ("panel_text", "", []),
    ("panel_text", "There is no text.", []),
    ("modality", "Text and Visual", ["Both"]),
]


@pytest.mark.parametrize(("task", "reply", "expected"), CASES)
def test_reads(task: str, reply: str, expected: object) -> None:
    assert answers.PARSERS[task](reply) == expected


@pytest.mark.parametrize(
    ("task", "reply"),
    [
        ("presence", ""),
        ("presence", "Yes and no"),
        ("presence", "Maybe"),
        ("sound_effect", "Present"),
        ("panel", "the last one"),
        ("panel", "第二三十格"),
        ("modality", "Text or Visual"),
        ("modality", "NA"),
        ("modality", "context"),
        ("style", "It is funny"),
        ("style", "punk"),
        ("panel_order", "left to right"),
        ("panel_text", "There is a text."),
    ],
)
def test_never_guesses(task: str, reply: str) -> None:
    with pytest.raises(Unparseable, match="expected"):
        answers.PARSERS[task](reply)


def test_every_label_is_read_back_in_both_languages() -> None:
    for task, vocabulary in answers.VOCABULARY.items():
        for language in ("en", "zh"):
            for label, worded in zip(vocabulary, answers.options(task, language), strict=True):
                assert answers.PARSERS[task](worded) == [label]


def test_a_hostile_number_is_no_number() -> None:
    with pytest.raises(Unparseable):
        answers.PARSERS["panel"]("9" * 5000)
