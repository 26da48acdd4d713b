"""Replies that name options are read by the question's own, whatever their order and texts."""

from pathlib import Path

import pytest

from deadpan.benchmarks.vimu import VIMU
from deadpan.benchmarks.vimu.statistics import data_scores
from deadpan.core.questions import Question, Reply
from tests.benchmarks.vimu.data_folder import options, rows, write

STANDARD = ("Literal / Direct", "Opposition / Incongruity", "Attitude / Tone-based Rhetoric")


def question(texts: tuple[str, ...], task: str = "rm") -> Question:
    given = VIMU.questions(VIMU.read(None), task, VIMU.prompts(task))[0]
    return given.model_copy(update={"options": tuple("ABCDE"[: len(texts)]), "about": texts})


@pytest.mark.parametrize(
    ("reply", "letters"),
    [
        ("Literal / Direct", ["C"]),
        ('{"selected_options": ["Literal / Direct"]}', ["C"]),
        ("I would select Literal / Direct and Attitude / Tone-based Rhetoric.", ["A", "C"]),
        ("答案：字面 / 直接表达", ["C"]),
        ("A", ["A"]),
        ("All of the options apply.", ["A", "B", "C"]),
        ("All but B apply.", ["A", "C"]),
        ("除了A以外都符合", ["B", "C"]),
    ],
)
def test_names_of_options_in_another_order(reply: str, letters: list[str]) -> None:
    asked = question(STANDARD[::-1])
    assert VIMU.parse_answer("rm", Reply(text=reply), asked).parsed == letters


def test_options_that_no_taxonomy_knows() -> None:
    asked = question(("Wide shots of the street", "Song lyrics"), "eg")
    named = Reply(text='{"selected_options": ["Song lyrics"]}')
    assert VIMU.parse_answer("eg", named, asked).parsed == ["B"]
    # The taxonomy's own names are none of this question's options.
    assert VIMU.parse_answer("eg", Reply(text="Visual frames"), asked).outcome == "invalid"


def test_letters_need_no_options() -> None:
    assert VIMU.parse("rm", Reply(text="B, D"), "en").parsed == ["B", "D"]


def test_unknown_options_are_told_and_counted_by_their_texts(tmp_path: Path) -> None:
    made = rows({"v1": ("AB", "B", "C")})
    made["vimu_eg"][0]["options"] = options(("Wide shots", "Song lyrics", "Cuts"))
    folder = write(tmp_path, made)
    told = [(one.where.split()[-1], one.what) for one in VIMU.verify(folder)]
    assert ("options.B", '"Song lyrics" is none of the taxonomy\'s; taken for B') in told
    scores = {one.group: one.value for one in data_scores(VIMU.read(folder))}
    assert scores["evidence=Song lyrics"] == 1
    assert scores["evidence=frames"] == 0
