"""Files of annotations that tell what kind of question each is."""

from __future__ import annotations

from pathlib import Path

import pytest

from deadpan.base.errors import InputError
from deadpan.core.annotation_kinds import kind_text, question_of_kind, questions_told
from deadpan.core.annotation_values import Boxes
from deadpan.core.annotations import AnnotationQuestion, read_annotations

HEADING = "item,annotator,question,value,kind\n"


def file_of(folder: Path, *lines: str) -> Path:
    path = folder / "a.csv"
    path.write_text(HEADING + "".join(f"{line}\n" for line in lines), "utf-8")
    return path


@pytest.mark.parametrize(
    "question",
    [
        *(
            AnnotationQuestion("q", kind)  # type: ignore[arg-type]
            for kind in ("label", "labels", "yes_no", "number", "text", "order", "boxes")
        ),
        AnnotationQuestion("q", "label", level="ordinal", order=("no", "partly", "yes")),
        AnnotationQuestion("q", "label", level="ordinal", order=("<1", ">1")),
        AnnotationQuestion("q", "label", level="ordinal", order=("only",)),
    ],
)
def test_what_is_written_is_read(question: AnnotationQuestion) -> None:
    assert question_of_kind("q", kind_text(question)) == question


@pytest.mark.parametrize("text", ["boxen", "[1, 2]", "a < ", "[", "a < a"])
def test_what_is_no_kind_raises(text: str) -> None:
    with pytest.raises(ValueError):
        question_of_kind("q", text)


def test_boxes_are_read_in_both_forms(tmp_path: Path) -> None:
    lists, objects = '"[[0, 0, 1, 1]]"', '"[{""x1"":0,""y1"":0,""x2"":1,""y2"":1,""number"":1}]"'
    path = file_of(tmp_path, f"i,A,where,{lists},boxes", f"i,B,where,{objects},boxes")
    said = read_annotations([path], list(questions_told([path], {}).values()))
    assert [one.value for one in said] == [Boxes(((0, 0, 1, 1),))] * 2


def test_two_kinds_of_one_question_raise(tmp_path: Path) -> None:
    path = file_of(tmp_path, "i,A,q,1,number", "i,B,q,1,text")
    with pytest.raises(InputError, match='"text"; q is "number" elsewhere'):
        questions_told([path], {})


def test_what_is_known_stays_but_for_the_labels(tmp_path: Path) -> None:
    known = AnnotationQuestion("q", "label", ("a", "b"), level="ordinal")
    path = file_of(tmp_path, "i,A,q,c,label")
    (told,) = questions_told([path], {"q": known}).values()
    assert told.level == "ordinal" and told.ranks == ("a", "b") and not told.values
