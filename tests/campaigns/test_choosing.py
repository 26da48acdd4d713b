"""What each of several models is asked, and what is left out and said."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find, names
from deadpan.campaigns.choosing import choose_all, possible, tasks_of, with_folders
from deadpan.core.questions import MediaOptions
from deadpan.core.sampling import Sample
from deadpan.core.variants import Variant
from deadpan.engine.task_questions import RunSettings
from deadpan.pipeline.judging import Judging
from deadpan.pipeline.reporter import Reporter

RANDOM, MAJORITY, EDITOR = "baseline/random", "baseline/majority", "editor/caption"


class Heard(Reporter):
    """Keeps what is said."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def note(self, text: str, style: str | None = None) -> None:
        self.lines.append(text)


@pytest.fixture
def settings(tmp_path: Path) -> RunSettings:
    return RunSettings(tmp_path / "answers")


@pytest.fixture
def heard() -> Heard:
    return Heard()


def test_all_leaves_out_what_a_model_cannot_do(settings: RunSettings, heard: Heard) -> None:
    first, second = choose_all(["all"], [RANDOM, MAJORITY], settings, None, heard)
    assert list(first.chosen) == ["pixelhumor", "janusmm", "cfms", "vimu"]
    assert list(second.chosen) == ["pixelhumor", "cfms"]
    assert "joint" not in first.chosen["cfms"] and "interpretation" in first.chosen["pixelhumor"]
    assert f"{RANDOM}: merbench is left out: answered by editors only" in heard.lines
    judged = "cfms/joint,target is left out: graded by a judge; --judge MODEL adds it"
    assert heard.lines.count(judged) == 1, "what holds for all models is said once"
    lacking = [
        line for line in heard.lines if line.startswith(f"{MAJORITY}: janusmm is left out: ")
    ]
    assert len(lacking) == 1 and "no reference split" in lacking[0]
    assert tasks_of([first, second])["vimu"] == list(first.chosen["vimu"])


def test_with_a_judge_all_is_all(settings: RunSettings, heard: Heard) -> None:
    judging = Judging("baseline/lexical", settings)
    models = [RANDOM, EDITOR]
    asked, edited = choose_all(["all"], models, settings, judging, heard)
    assert "joint" in asked.chosen["cfms"] and "oe" in asked.chosen["vimu"]
    assert edited.chosen == {"merbench": ["reappraisal"]} and edited.answerer is not None
    assert {*asked.chosen, *edited.chosen} == set(names())


def test_videos_that_cannot_be_read_are_left_out(
    settings: RunSettings, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lacking(*_: object) -> None:
        raise DeadpanError("reading a video needs the [video] extra")

    monkeypatch.setattr("deadpan.engine.task_questions.require_readable", lacking)
    with pytest.raises(DeadpanError, match="nothing is left"):
        possible(["all"], RANDOM, settings, None, heard)
    assert f"{RANDOM}: vimu is left out: reading a video needs the [video] extra" in heard.lines


@pytest.mark.parametrize(
    ("how", "left", "said"),
    [
        ({"showing": MediaOptions(native=True)}, ["vimu"], "cfms is left out: it shows no video"),
        (
            {"showing": MediaOptions(variant=Variant.SHUFFLED_PANELS)},
            ["pixelhumor"],
            "vimu is left out: ",
        ),
        ({"fewshot": "random:2"}, ["cfms"], "janusmm is left out: "),
        ({"exclude": ("harmful",)}, ["pixelhumor"], "marks no item so"),
        ({"paraphrase": 99}, [], "has 2 paraphrases"),
    ],
)
def test_what_does_not_apply_leaves_a_benchmark_out(
    settings: RunSettings, heard: Heard, how: dict[str, Any], left: list[str], said: str
) -> None:
    asked = replace(settings, **how)
    if left:
        chosen, _ = possible(["all"], RANDOM, asked, None, heard)
        assert list(chosen) == left
    else:
        with pytest.raises(DeadpanError, match="of all nothing is left"):
            possible(["all"], RANDOM, asked, None, heard)
    assert any(said in line for line in heard.lines), heard.lines


def test_data_of_all_is_a_folder_for_each(
    settings: RunSettings, heard: Heard, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    (data / "cfms").mkdir(parents=True)
    with pytest.raises(DeadpanError, match="has no folder pixelhumor, "):
        with_folders(["all"], replace(settings, data=tmp_path))
    asked = with_folders(["all"], replace(settings, data=data))
    assert asked.data == {"cfms": data / "cfms"} and asked.data_of("cfms") == data / "cfms"
    with pytest.raises(DeadpanError, match="vimu: no folder"):
        asked.data_of("vimu")
    with pytest.raises(DeadpanError, match="nothing is left"):
        possible(["all"], RANDOM, asked, None, heard)
    assert "vimu is left out: --data has no folder vimu" in heard.lines
    assert any(line.startswith(f"{RANDOM}: cfms is left out: {data}") for line in heard.lines)
    named = replace(settings, data=data)
    assert with_folders(["cfms"], named) is named, "what is named takes the folder as it is"


def test_models_and_editors_each_answer_their_own(settings: RunSettings, heard: Heard) -> None:
    selection = ["cfms/identification", "merbench"]
    asked, edited = choose_all(selection, [RANDOM, EDITOR], settings, None, heard)
    assert asked.chosen == {"cfms": ["identification"]} and list(edited.chosen) == ["merbench"]
    assert heard.lines == [
        f"{RANDOM}: merbench is left out: answered by editors only",
        f"{EDITOR}: cfms/identification is left out: it has no pictures to be edited",
    ]
    with pytest.raises(DeadpanError, match="cfms has no pictures to be edited"):
        choose_all(["cfms"], [RANDOM, EDITOR], settings)
    with pytest.raises(DeadpanError, match="merbench is answered by editors"):
        choose_all(["merbench"], [RANDOM], settings)


def test_models_that_cannot_be_had_are_all_told(settings: RunSettings) -> None:
    with pytest.raises(DeadpanError) as told:
        choose_all(["cfms"], [RANDOM, "baseline/randm", "nope/x", "editor/captoin"], settings)
    lines = str(told.value).splitlines()
    assert len(lines) == 3 and "baseline/randm" in lines[0] and "editor" in lines[2]


def test_the_same_model_twice_is_one(settings: RunSettings) -> None:
    found = choose_all(["cfms/identification"], [RANDOM, MAJORITY, RANDOM], settings)
    assert [one.model for one in found] == [RANDOM, MAJORITY]


@pytest.mark.parametrize("selection", [["all", "cfms"], ["all/joint"]])
def test_all_stands_alone(settings: RunSettings, selection: list[str]) -> None:
    with pytest.raises(DeadpanError, match="all is every benchmark"):
        choose_all(selection, [RANDOM], settings)


def test_tasks_without_an_item_of_the_sample_are_left_out(
    settings: RunSettings, heard: Heard
) -> None:
    asked = replace(settings, sample=Sample(1))
    chosen, _ = possible(["all"], RANDOM, asked, None, heard)
    lacking = {spec.name for spec in find("cfms").tasks} - {"joint", "target", *chosen["cfms"]}
    assert lacking and all(
        any(f"cfms/{task} is left out: none of the 1 items drawn" in line for line in heard.lines)
        for task in lacking
    )
    with pytest.raises(DeadpanError, match="--sample more"):
        possible([f"cfms/{next(iter(lacking))}"], RANDOM, asked)
