"""Questions of studies: what each takes for an answer, and what not."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import JsonValue, TypeAdapter, ValidationError

from deadpan.core.study.items import Output, Part, StudyItem
from deadpan.core.study.stages import Question, Stage
from deadpan.core.study.text_questions import shared_bigrams
from deadpan.core.study.words import WrongAnswer

TEXT = "我爱加班，老板🙂更爱"
ITEM = StudyItem(
    key="i",
    panels=3,
    parts=(Part(name="text", kind="text", text=TEXT),),
    outputs=tuple(
        Output(source=name, parts=(Part(name="t", kind="text", text="x"),)) for name in "mno"
    ),
)
KINDS: dict[str, dict[str, Any]] = {
    "single": {"options": ["Yes", "No"]},
    "multiple": {"options": ["a", "b", "c", "NA"], "alone": ["NA"], "most": 2},
    "likert": {"lowest": 1, "highest": 7},
    "number": {"lowest": 0, "highest": 10, "step": 0.5},
    "slider": {"lowest": -1, "highest": 1, "step": 0.1},
    "text": {"least": 3, "most": 10},
    "span": {"of": ["text"]},
    "transcription": {},
    "best": {},
    "pairwise": {"tie": True},
    "boxes": {},
    "order": {},
    "upload": {},
}


def question(kind: str, **more: Any) -> Question:
    found: Question = TypeAdapter(Question).validate_python(
        {"kind": kind, "name": "q", "title": "Q", **KINDS[kind], **more}
    )
    return found


BOX = {"x1": 0.1, "y1": 0.2, "x2": 0.5, "y2": 0.9}


@pytest.mark.parametrize(
    ("kind", "fields", "expected"),
    [
        ("single", ["Yes"], "Yes"),
        ("single", [], None),
        ("multiple", ["b", "a"], ["a", "b"]),
        ("multiple", ["NA"], ["NA"]),
        ("likert", ["7"], 7),
        ("likert", ["7.0"], 7),
        ("number", ["2.5"], 2.5),
        ("slider", ["-0.3"], -0.3),
        ("text", ["  一二三  "], "一二三"),
        ("text", ["   "], None),
        (
            "span",
            ['{"text":"老板🙂","part":"text","start":5,"end":8}'],
            {"text": "老板🙂", "part": "text", "start": 5, "end": 8},
        ),
        ("span", ["the boss"], {"text": "the boss"}),
        ("transcription", ['{"1":"Hi\\r\\nyou","3":""}'], {"1": "Hi\nyou", "2": "", "3": ""}),
        ("best", ["2"], 2),
        ("pairwise", ["tie"], "tie"),
        ("order", ['["2","1","3"]'], ["2", "1", "3"]),
        ("order", ["2，1、3"], ["2", "1", "3"]),
        ("upload", ["0" * 64], "0" * 64),
    ],
)
def test_answers_are_read(kind: str, fields: list[str], expected: JsonValue) -> None:
    asked = question(kind)
    assert asked.read(asked.from_form(fields), ITEM) == expected


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("single", ["yes"]),
        ("multiple", ["a", "d"]),
        ("multiple", ["a", "NA"]),
        ("multiple", ["a", "b", "c"]),
        *(("likert", [text]) for text in ("0", "8", "3.5", "nan", "inf", "x", "1e400", "true")),
        ("number", ["2.3"]),
        ("text", ["ab"]),
        ("text", ["x" * 11]),
        ("span", ['{"text":"老板","part":"text","start":0,"end":2}']),
        ("span", ['{"text":"x","part":"secret","start":0,"end":1}']),
        ("span", ['{"text":5}']),
        ("transcription", ['{"4":"x"}']),
        ("transcription", ["[1]"]),
        ("best", ["3"]),
        ("best", ["-1"]),
        ("best", ["tie"]),
        ("boxes", ['[{"x1":0.5,"y1":0,"x2":0.4,"y2":1}]']),
        ("boxes", ['[{"x1":0,"y1":0,"x2":2,"y2":1}]']),
        ("boxes", ['{"x1":0}']),
        ("order", ['["1","2"]']),
        ("order", ['["1","2","2"]']),
        ("upload", ["../../etc/passwd"]),
    ],
)
def test_wrong_answers_are_refused_in_both_languages(kind: str, fields: list[str]) -> None:
    asked = question(kind)
    with pytest.raises(WrongAnswer) as refused:
        asked.read(asked.from_form(fields), ITEM)
    assert all(refused.value.words[language] for language in ("en", "zh"))


def test_boxes_are_numbered_and_compared_by_what_they_share() -> None:
    asked = question("boxes")
    drawn = asked.read([BOX], ITEM)
    assert drawn == [{**BOX, "number": 1}]
    near, far = [{**BOX, "x1": 0.15}], [{**BOX, "x1": 0.45}]
    assert asked.agree(drawn, near) and not asked.agree(drawn, far)
    assert not asked.agree(drawn, [*near, *far])


def test_texts_are_alike_by_pairs_of_characters() -> None:
    assert shared_bigrams("Night", "nacht") == pytest.approx(2 * 1 / 8)
    assert shared_bigrams("加班 快乐", "加班  快乐") == 1
    assert shared_bigrams("a", "b") == 0


def test_panels_are_options_where_a_comic_is_asked_about() -> None:
    asked = question("single", options=["NA"], panels=True)
    assert asked.read("3", ITEM) == "3" and asked.read("NA", ITEM) == "NA"
    with pytest.raises(WrongAnswer):
        asked.read("4", ITEM)


def test_what_is_not_asked_has_its_other_answer() -> None:
    stage = Stage.model_validate(
        {
            "name": "s",
            "title": "S",
            "questions": [
                {"kind": "single", "name": "a", "title": "A", "options": ["Yes", "No"]},
                {
                    "kind": "multiple",
                    "name": "b",
                    "title": "B",
                    "options": ["x", "y"],
                    "when": {"question": "a", "values": ["Yes"]},
                    "otherwise": ["NA"],
                },
            ],
        }
    )
    assert stage.missing({"a": "Yes"}) == ["b"] and stage.missing({"a": "No"}) == []
    # What was answered before the first answer changed does not count.
    assert stage.completed({"a": "No", "b": ["x"]}) == {"a": "No", "b": ["NA"]}


@pytest.mark.parametrize(
    ("kind", "rules", "why"),
    [
        ("single", {"options": []}, "options: q has no option; name two or more"),
        ("single", {"options": ["a"]}, "options: q has only the option a; name two or more"),
        ("single", {"options": ["a", "a"]}, "options: q has a twice; name each once"),
        ("single", {"both": {"Yes": ["No", "Maybe"]}}, "both: q has no option Maybe; expected"),
        ("single", {"when": {"question": "p", "values": []}}, "values: no answer to p is named"),
        ("multiple", {"options": ["NA"]}, "options: q has only the option NA; name two or more"),
        ("multiple", {"alone": ["N"]}, "alone: q has no option N; expected one of a, b, c, NA"),
        ("multiple", {"least": 3}, "least: q takes 3 labels at least and 2 at most; lower least"),
        ("multiple", {"least": 5, "most": 6}, "least: q takes 5 .* and has 3 options to choose"),
        ("multiple", {"least": 4, "most": 4}, "has 3 options to choose together; lower least"),
        ("multiple", {"most": 0}, "greater than or equal to 1"),
        ("multiple", {"least": -1}, "greater than or equal to 0"),
        ("likert", {"highest": 1}, "highest: q goes from 1 to 1; expected 1 to 20 above lowest"),
        ("likert", {"labels": {8: "So"}}, "labels: q goes from 1 to 7, and has no point 8; name"),
        ("number", {"lowest": 10}, "highest: q goes from 10 to 10; expected lowest below high"),
        ("number", {"highest": float("inf")}, "finite"),
        ("number", {"step": 0}, "greater than 0"),
        ("slider", {"step": 50}, "step: q goes from -1 to 1 in steps of 50, .*; lower step"),
        ("text", {"least": 200}, "least: q takes 200 .* at least and 10 at most; lower least"),
        ("text", {"closed": True}, "closed: q takes only words that it suggests, .*; add sugg"),
        (
            "text",
            {"closed": True, "suggestions": ["calm", "so"]},
            "suggestions: q takes 3 characters at least .* such as so; change the word",
        ),
        ("order", {"options": ["a"]}, "options: q has only the option a; name two or more"),
    ],
)
def test_questions_that_nobody_could_answer_are_refused(
    kind: str, rules: dict[str, Any], why: str
) -> None:
    with pytest.raises(ValidationError, match=why):
        question(kind, **rules)


def test_what_an_item_has_too_few_or_too_many_of_is_told() -> None:
    two = ITEM.model_copy(update={"outputs": ITEM.outputs[:2]})
    one = ITEM.model_copy(update={"outputs": ITEM.outputs[:1]})
    assert question("best").lacks(ITEM, ()) == question("pairwise").lacks(two, ()) == ""
    assert question("best").lacks(one, ()).endswith("i has 1; expected two or more")
    assert question("pairwise").lacks(ITEM, ()).endswith("i has 3; expected two")
    closed = question("text", closed=True, suggestions={"zh": ["平静一", "生气了"]})
    assert "i is in en, for which it suggests none" in closed.lacks(ITEM, ())
    assert closed.lacks(ITEM.model_copy(update={"language": "zh"}), ()) == ""


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ({"questions": []}, "at least 1"),
        ({"settling": {"rule": "majority"}}, "names no verdict"),
        ({"settling": {"rule": "objection", "verdict": "z"}}, "asks no question z"),
        ({"review": {"question": "q", "points": ["a"], "needed": 2}}, "at most 1"),
        ({"unknown": 1}, "Extra inputs"),
    ],
)
def test_stages_that_cannot_work_are_refused(broken: dict[str, Any], why: str) -> None:
    asked = {"kind": "text", "name": "q", "title": "Q"}
    with pytest.raises(ValidationError, match=why):
        Stage.model_validate({"name": "s", "title": "S", "questions": [asked], **broken})
