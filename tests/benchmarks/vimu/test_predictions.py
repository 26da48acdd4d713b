"""Predictions in the released form: lines and lists, several models, named and unnamed tasks."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from deadpan.base.errors import InputError
from deadpan.benchmarks.vimu import VIMU
from deadpan.benchmarks.vimu.predictions import FAILED
from deadpan.benchmarks.vimu.records import Video, read_videos
from deadpan.core.capabilities import Predictions
from deadpan.core.dataset import Dataset
from deadpan.core.predictions import read_predictions
from tests.benchmarks.vimu.data_folder import write

QUESTIONS = {spec.name: {"v1", "v2"} for spec in VIMU.tasks}


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset[Video]:
    return read_videos(write(tmp_path / "data"))


def read(path: Path, dataset: Dataset[Video], content: object) -> Mapping[str, Predictions]:
    """Predictions of a file's content: text as it is, a list of rows as lines or as JSON."""
    if not isinstance(content, str):
        assert isinstance(content, list)
        lines = path.suffix == ".jsonl"
        content = "\n".join(map(json.dumps, content)) if lines else json.dumps(content)
    path.write_text(content, "utf-8")
    return read_predictions(path, VIMU, dataset, QUESTIONS, "stem")


def row(**changes: Any) -> dict[str, Any]:
    made = {"video_id": "v1", "model_name": "m", "task_name": "rm", "prediction": "A"}
    return {name: value for name, value in (made | changes).items() if value != "LEFT OUT"}


@pytest.mark.parametrize("suffix", [".jsonl", ".json"])
def test_several_models_in_one_file(tmp_path: Path, dataset: Dataset[Video], suffix: str) -> None:
    found = read(
        tmp_path / f"all{suffix}",
        dataset,
        [
            row(),
            row(model_name="n", prediction={"selected_options": ["B", "C"], "raw": "…"}),
            row(model_name="n", task_name="open_ended", prediction="It mocks.", latency=3.1),
            row(model_name="LEFT OUT", task_name="social_value_signals_guided", prediction=["A"]),
        ],
    )
    texts = {
        (model, task, item): reply.text
        for model, predictions in found.items()
        for task, replies in predictions.replies.items()
        for item, reply in replies.items()
    }
    assert texts == {
        ("m", "rm", "v1"): "A",
        ("n", "rm", "v1"): '{"selected_options": ["B", "C"]}',
        ("n", "oe", "v1"): "It mocks.",
        ("stem", "sv_guided", "v1"): '{"selected_options": ["A"]}',
    }


def test_our_own_lines_are_still_read(tmp_path: Path, dataset: Dataset[Video]) -> None:
    line = {"item": "v1", "task": "eg", "answer": "A", "model": "m"}
    assert read(tmp_path / "a.jsonl", dataset, [line])["m"].replies["eg"]["v1"].text == "A"


def test_what_the_replies_become(tmp_path: Path, dataset: Dataset[Video]) -> None:
    found = read(
        tmp_path / "a.jsonl",
        dataset,
        [row(prediction={"selected_options": []}), row(video_id="v2", prediction="B, C")],
    )
    grades = {
        item: VIMU.parse("rm", reply, "en").parsed
        for item, reply in found["m"].replies["rm"].items()
    }
    assert grades == {"v1": [], "v2": ["B", "C"]}


@pytest.mark.parametrize("empty", [None, "", " \n"])
def test_an_empty_prediction_is_a_failed_inference(
    tmp_path: Path, dataset: Dataset[Video], empty: str | None
) -> None:
    found = read(tmp_path / "a.jsonl", dataset, [row(prediction=empty, task_name="oe")])
    assert found["m"].replies["oe"]["v1"].error == FAILED


def test_unknown_videos_are_named_once(tmp_path: Path, dataset: Dataset[Video]) -> None:
    rows = [row(video_id="v9"), row(video_id="v9", task_name="sv"), row()]
    assert read(tmp_path / "a.jsonl", dataset, rows)["m"].unknown == ("v9",)


@pytest.mark.parametrize(
    ("stem", "prediction", "task"),
    [
        ("gpt-4o_rm", {"selected_options": ["A"]}, "rm"),
        ("gpt-4o_social_with_guidance", ["A"], "sv_guided"),
        ("evidence-gpt-4o", "A", "eg"),
        ("gpt-4o", "It mocks.", "oe"),
        ("gpt-4o_oe", None, "oe"),
    ],
)
def test_without_a_task_the_file_name_tells(
    tmp_path: Path, dataset: Dataset[Video], stem: str, prediction: object, task: str
) -> None:
    rows = [row(task_name="LEFT OUT", prediction=prediction)]
    assert list(read(tmp_path / f"{stem}.jsonl", dataset, rows)["m"].replies) == [task]


WRONG = [
    (
        [row(task_name="LEFT OUT", prediction={"selected_options": ["A"]})],
        r"a\.jsonl:1: does not say which task it answers\. Add task_name .* a_rm\.jsonl",
    ),
    ([row(task_name="LEFT OUT", prediction=None)], "does not say which task"),
    ([row(task_name="humour")], r'a\.jsonl:1: unknown task_name "humour"'),
    ([row(), row()], r"a\.jsonl:2: v1 is answered twice for rm"),
    ([row(prediction="LEFT OUT")], "prediction: got .*Field required"),
    ([row(prediction=3)], "prediction: got 3"),
    ([row(prediction={"answer": "A"})], "prediction: got"),
    ([row(model_name=3)], "model_name: got 3"),
    ([row(), row(video_id=3)], r"a\.jsonl:2: video_id: got 3"),
    ([{"task_name": "rm", "prediction": "A"}], "video_id: got"),
    ('{"video_id": "v1", "prediction": ', "is not JSON"),
    ('{"video_id": "v1", "video_id": "v2", "prediction": "A"}', "video_id is there twice"),
    ("", "empty"),
    ("[]", "holds no prediction"),
    ("[1]", r"a\.jsonl row 1: row: got 1"),
    ("[" * 100_000, "is nested too deeply"),
]


@pytest.mark.parametrize(("content", "what"), WRONG)
def test_what_is_wrong_is_named(
    tmp_path: Path, dataset: Dataset[Video], content: object, what: str
) -> None:
    with pytest.raises(InputError, match=what):
        read(tmp_path / "a.jsonl", dataset, content)
