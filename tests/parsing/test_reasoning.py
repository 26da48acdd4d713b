"""Reasoning inside a reply's text is split off once, before anything reads the reply."""

from __future__ import annotations

import pytest

from deadpan.benchmarks import find, names
from deadpan.core.judge import BrokenReply
from deadpan.core.questions import Reply
from deadpan.parsing.judgements import only_object
from deadpan.parsing.replies import extract_reasoning, grade_reply, split_reasoning


@pytest.mark.parametrize(
    ("text", "reasoning", "answer", "finished"),
    [
        ("plain", None, "plain", True),
        (" plain\n", None, " plain\n", True),
        ("", None, "", True),
        ("<think>a</think>b", "a", "b", True),
        ("  <Think>\na\n</THINK>\n\nb\n", "a", "b", True),
        ("<thinking>a</thinking>\n\nb", "a", "b", True),
        ("<reasoning>a</reasoning> b", "a", "b", True),
        ("◁think▷a◁/think▷b", "a", "b", True),
        ("< think >a</ think >b", "a", "b", True),
        ("a</think>b", "a", "b", True),
        ("<think></think>b", "", "b", True),
        ("b <think>a</think>", "a", "b", True),
        ("<think>a</think>b<think>c</think>d", "a\nc", "b\nd", True),
        ("<think>a<think>b</think>c</think>d", "a\nb\nc", "d", True),
        ("<think><think>a</think>b", "a", "b", True),
        ("<think>I write <reasoning> first</think>b", "I write\nfirst", "b", True),
        ("<think>a</think>b</think>c", "a\nb", "c", True),
        ("<think>a", "a", "", False),
        ("<think>a</think><think>c", "a\nc", "", False),
        ("<think>a</think>b<think>c", "a\nc", "b", False),
        ("<thinker>a</thinker>", None, "<thinker>a</thinker>", True),
    ],
)
def test_what_is_reasoning(text: str, reasoning: str | None, answer: str, finished: bool) -> None:
    assert split_reasoning(text) == (reasoning, answer, finished)


def test_the_reply_keeps_its_reasoning() -> None:
    assert extract_reasoning(Reply(text="b")) == Reply(text="b")
    told = Reply(text="<think>a</think>b", reasoning="first", stop="stop")
    assert extract_reasoning(told) == Reply(text="b", reasoning="first\na", stop="stop")
    assert extract_reasoning(extract_reasoning(told)) == extract_reasoning(told)
    assert extract_reasoning(Reply(error="timeout")) == Reply(error="timeout")


ANSWERS = {
    "pixelhumor": {"presence": ("No", "Yes"), "style": ("Pun", "Dark"), "panel": ("1", "2")},
    "janusmm": {"recognition": ("self-mockery", "sarcasm"), "reasoning": ("Reasoning: a", "b")},
    "cfms": {"identification": ("no", "yes"), "target": ("Target: cats", "the boss")},
    "vimu": {"eg": ('{"selected_options": ["A"]}', "B"), "oe": ("a", "b")},
    "merbench": {"reappraisal": ("I can't help with that.", '{"path": "a", "sha256": "b"}')},
}


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize(
    "form", ["<think>{}</think>\n{}", "{}</think>{}", "<reasoning>{}</reasoning>{}"]
)
def test_what_was_thought_never_decides(name: str, form: str) -> None:
    for task, (thought, said) in ANSWERS[name].items():
        grade = find(name).parse(task, Reply(text=form.format(thought, said)), "en")
        assert grade == find(name).parse(task, Reply(text=said), "en")
        assert grade != find(name).parse(task, Reply(text=thought), "en")


@pytest.mark.parametrize("name", names())
def test_a_reply_that_was_cut_off_is_never_read(name: str) -> None:
    for spec in find(name).tasks:
        for text in ("Yes, the boss. 1: a", "Pun, S", "A", "", None, "<think>hm", "Reasoning: a"):
            for stop in ("max_tokens", "model_length"):
                grade = find(name).parse(spec.name, Reply(text=text, stop=stop), "en")
                assert (grade.outcome, grade.parsed) == ("truncated", None)


@pytest.mark.parametrize("name", names())
def test_an_empty_reply_is_invalid(name: str) -> None:
    for spec in find(name).tasks:
        for text in ("", None, " \n\t", "<think>a</think>", "<think>a</think>\n", "<think>a"):
            grade = find(name).parse(spec.name, Reply(text=text), "en")
            if spec.name == "panel_text" and text != "<think>a":
                assert (grade.outcome, grade.parsed) == ("answered", [])
            else:
                assert grade.outcome == "invalid" and "the reply is empty" in str(grade.reason)


def test_a_judge_is_read_after_its_reasoning() -> None:
    assert only_object('<think>{"a": 1}</think>{"a": 2}') == ({"a": 2}, True)
    assert only_object('{"a": 1} or so</think>\n```json\n{"a": 2}\n```') == ({"a": 2}, True)
    for broken in ('<think>{"a": 1}', '<think>{"a": 1}</think>', '<reasoning>{"a": 1}</reasoning>'):
        with pytest.raises(BrokenReply, match="empty"):
            only_object(broken)


def test_a_parser_that_gives_nothing_read_nothing() -> None:
    grade = grade_reply(Reply(text="banana bread"), lambda text: None)
    assert grade.outcome == "invalid" and grade.parsed is None
    assert grade.reason == "nothing in the reply can be read as an answer"
