"""Replies → letters: every form that is understood, and many that are not guessed at."""

import contextlib
import json
import time

import pytest

from deadpan.benchmarks.vimu import VIMU
from deadpan.benchmarks.vimu.answers import PARSERS, Selected, selection
from deadpan.core.questions import Reply
from deadpan.parsing.replies import Unparseable

UNDERSTOOD = [
    ('{"selected_options": ["A", "C"]}', "AC"),
    ('{"selected_options": ["C", "A", "A"]}', "AC"),
    ('```json\n{"selected_options": ["B"]}\n```', "B"),
    ('The boast is ironic, so A visual gag. {"selected_options": ["C"]} That is all.', "C"),
    ('{"reason": "it {really} mocks", "selected_options": ["D"]}', "D"),
    ('{"answer": {"selected_options": ["D"]}}', "D"),
    ('{"selected_options": ["A"]} as said: {"selected_options": ["A"]}', "A"),
    ('{"selected_options": "A, C"}', "AC"),
    ('{"selected_options": ["a", "c"]}', "AC"),
    ('{"selected_options": ["A. Literal / Direct", "(C)"]}', "AC"),
    ("{'selected_options': ['A', 'C']}", "AC"),
    ("{“selected_options”: [“A”, “C”]}", "AC"),
    ("｛＂selected_options＂：［＂Ａ＂，＂Ｃ＂］｝", "AC"),
    ('理由：画面与台词相反。\n{"selected_options": ["B", "C"]}', "BC"),
    ('{"selected_options": []}', ""),
    ('{"selected_options": ["none"]}', ""),
    ('{"selected_options": ["无"]}', ""),
    ('"selected_options": ["A", "C"]', "AC"),
    ("selected_options: A, C", "AC"),
    ('["A", "C"]', "AC"),
    ("A", "A"),
    ("a", "A"),
    ("Ａ，Ｃ", "AC"),
    ("A, C", "AC"),
    ("a, c", "AC"),
    ("A,B,C,D,E", "ABCDE"),
    ("C, A, C", "AC"),
    ("AC", "AC"),
    ("A C", "AC"),
    ("A/C", "AC"),
    ("A & C", "AC"),
    ("A; C.", "AC"),
    ("A and C", "AC"),
    ("A, B, and C", "ABC"),
    ("A、C", "AC"),
    ("A和C", "AC"),
    ("A 与 C。", "AC"),
    ("(A) and (C)", "AC"),
    ("**A, C**", "AC"),
    ("- A\n- C", "AC"),
    ("A\nC", "AC"),
    ("```\nA, C\n```", "AC"),
    ("Answer: (A) and (C)", "AC"),
    ("**Answer:** A, C", "AC"),
    ("The correct options are A, B and D.", "ABD"),
    ("Options A and C", "AC"),
    ("答案：A，C", "AC"),
    ("答案是 A、C。", "AC"),
    ("我选A和C。", "AC"),
    ("选项A、C", "AC"),
    ("A. Literal / Direct\nC. Attitude / Tone-based Rhetoric", "AC"),
    ("A) Literal / Direct\n\nC) Attitude", "AC"),
    ("- **A. Literal / Direct**\n- **C. Attitude**", "AC"),
    ("A. Neutral / No Social Signal", "A"),
    ("(A) Literal; (C) Attitude", "AC"),
    ("A. Literal / Direct and C. Attitude", "AC"),
    ("A、字面 / 直接表达\nC、态度 / 语气修辞", "AC"),
    ("A. 字面，C. 态度", "AC"),
    ("Answer:\nA. Literal / Direct\nC. Attitude", "AC"),
    ("He is asleep while he boasts.\n\nAnswer: A, C", "AC"),
    ("He boasts, so the final answer is A and C.", "AC"),
    ("理由很多。\n最终答案是 A 和 C。", "AC"),
    ("none", ""),
    ("None.", ""),
    ("None of the above", ""),
    ("All of the above", "ABCDE"),
    ("All of the options apply", "ABCDE"),
    ("无", ""),
    ("都不是", ""),
    ("[]", ""),
    ("Answer: none", ""),
    ("答案：无", ""),
    ("A. Literal - no\nB. Opposition - yes", "B"),
    ("A: yes\nB: no", "A"),
    ("A. Literal ✗\nB. Opposition ✓", "B"),
    ("A. 字面 不符合\nB. 反差 符合", "B"),
    ("Reasons follow.\nA, C", "AC"),
    ('{"selected_options": {"A": true}}', "A"),
    ('{"selected_options": [["A"]]}', "A"),
    ('{"answer": ["A"]}', "A"),
    ('{"selected": ["A"]}', "A"),
    ("B (Opposition) and C (Attitude)", "BC"),
    ("CA", "AC"),
    ("A. 不选\nB. 选\nC: yes", "BC"),
]
NOT_GUESSED = [
    "",
    " \n",
    "A visual gag",
    "A man sleeps and a cat watches.",
    "I see a cat and a dog",
    "It is a, I think",
    "F",
    "A, F",
    "A, C, Z",
    "BAD",
    "ace",
    "A or C",
    "maybe A",
    "A, probably",
    "A-list celebrities are mocked",
    "E.g. this one",
    "D.C. is mocked",
    "C. S. Lewis is quoted",
    "都是",
    "...",
    "()",
    "Literal / Direct",
    "字面",
    "A. Literal\nF. Other",
    "A. Literal, also C",
    "A、C、字面",
    "A) Literal B) Opposition",
    "A. Literal: does not apply",
    "The answer is not A",
    "Answer: A visual gag",
    "The wrong options are: B, D",
    "错误的答案是 B",
    "Answer: A\nAnswer: B",
    '{"selected_options": ["F"]}',
    '{"selected_options": ["A", "F"]}',
    '{"selected_options": ["Literal / Direct"]}',
    '{"selected_options": ["A visual gag"]}',
    '{"selected_options": [1]}',
    '{"selected_options": ["A", null]}',
    '{"selected_options": null}',
    '{"selected_options": ["A"]} or {"selected_options": ["B"]}',
    '{"selected_options": ["A"], "selected_options": ["B"]}',
    '{"selected_options": ["A", "C"',
    '{"selected_options": ["A", "C"]',
    '{"selected_options": ["A"], "reason": "it is',
    "Answer: A, C {",
]


@pytest.mark.parametrize(("text", "letters"), UNDERSTOOD)
def test_understood(text: str, letters: str) -> None:
    assert selection(text) == list(letters)


@pytest.mark.parametrize("text", NOT_GUESSED)
def test_not_guessed(text: str) -> None:
    with pytest.raises(Unparseable):
        selection(text)


JUNK = {
    "braces": "{" * 100_000 + '"selected_options"',
    "nested": '{"a":' * 20_000 + '"selected_options"',
    "spaces": "A" + " " * 100_000 + "x",
    "letters": "A, " * 33_000 + "x",
    "entries": "A. x\n" * 20_000,
    "answers in a line": "answer: A " * 10_000,
    "answers": "answer: A\n" * 10_000 + "x",
    "word": "a" * 100_000,
    "brackets": "[" * 100_000,
    "unclosed": '{"selected_options": [' * 4_500,
    "stars": "*" * 100_000,
    "ands": " and " * 20_000,
    "single quotes": "{'selected_options': [" + "'A'," * 25_000,
    "leads": "the " * 25_000,
    "dashes": "- " * 50_000 + "x",
    "Chinese": "选" * 100_000,
    "fence": "```" + " " * 99_000 + "x",
    "lead and spaces": "answer" + " " * 99_000,
}


@pytest.mark.parametrize("name", JUNK)
def test_a_hundred_kilobytes_of_junk_are_read_quickly(name: str) -> None:
    started = time.process_time()
    with contextlib.suppress(Unparseable):
        selection(JUNK[name])
    assert time.process_time() - started < 30


def test_a_reply_after_much_reasoning_is_found() -> None:
    text = "He {boasts} of it. " * 10 + "x" * 90_000 + '\n{"selected_options": ["B"]}'
    assert selection(text) == ["B"]


@pytest.mark.parametrize("task", ["eg", "rm", "sv", "rm_guided", "sv_guided"])
def test_outcomes_of_closed_questions(task: str) -> None:
    def outcome(text: str) -> tuple[str, object]:
        grade = VIMU.parse(task, Reply(text=text), "en")
        return grade.outcome, grade.parsed

    assert outcome('{"selected_options": ["A"]}') == ("answered", ["A"])
    assert outcome("none") == ("answered", [])
    assert outcome("A visual gag") == ("invalid", None)
    assert outcome("") == ("invalid", None)
    assert outcome("I'm sorry, but I can't help with that.") == ("refused", None)
    assert VIMU.parse(task, Reply(error="timeout"), "en").outcome == "failed"


def test_outcomes_of_the_open_question() -> None:
    assert VIMU.parse("oe", Reply(text="  It mocks him.\n"), "en").parsed == "It mocks him."
    assert VIMU.parse("oe", Reply(text=" \n"), "en").outcome == "invalid"
    assert VIMU.parse("oe", Reply(text="很抱歉，我无法回答。"), "zh").outcome == "refused"


def test_a_structured_reply_is_understood() -> None:
    assert set(PARSERS) == {spec.name for spec in VIMU.tasks}
    assert selection(Selected(selected_options=["B", "D"]).model_dump_json()) == ["B", "D"]
    schema = json.dumps(Selected.model_json_schema())
    assert '"enum": ["A", "B", "C", "D", "E"]' in schema
