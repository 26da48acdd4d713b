"""A cluster of two nodes answers as one process does, whoever of them is killed."""

import importlib
import shutil
import time
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from deadpan.base.errors import DeadpanError
from deadpan.engine.answers import Answer
from deadpan.engine.calls import CallOptions
from deadpan.engine.loops import run_async
from deadpan.engine.ray import cluster as clusters
from deadpan.engine.ray import engine as engines
from deadpan.engine.ray import library, vllm
from deadpan.engine.ray.cluster import Node
from deadpan.engine.ray.vllm import vllm_source
from deadpan.engine.requests import Request, Sampling, Text, Turn
from deadpan.engine.run import run
from deadpan.engine.store import AnswerStore
from deadpan.engine.task_questions import RunSettings
from deadpan.pipeline.evaluating import Evaluation
from deadpan.pipeline.judging import Judging
from deadpan.pipeline.table import results_of_runs
from tests.engine.kill_harness import JUDGE, MODEL, CountingServer, Harness
from tests.engine.ray.conftest import TwoNodes
from tests.learning.finetune.conftest import learning_libraries, qwen

__all__ = ["learning_libraries", "qwen"]

TASKS = {"pixelhumor": ["presence", "interpretation"]}
QUESTIONS = 70
PATIENCE = 60.0
TEMPLATE = (
    "{% for turn in messages %}{{ turn.role }}: "
    "{{ turn.content if turn.content is string else turn.content[0].text }}\n{% endfor %}assistant:"
)


def settings(store: Path, cluster: TwoNodes | None = None, **more: Any) -> RunSettings:
    calls = CallOptions(max_connections=8)
    if cluster is not None:
        calls = CallOptions(8, max_retries=1, engine="ray", ray_address=cluster.address)
    return RunSettings(store, calls=calls, **more)


def table(store: Path) -> pl.DataFrame:
    """What a run of the tasks put into a store, less what no two runs have in common."""
    return rows(results_of_runs(sorted((store / "runs").glob("*"))))


def rows(found: pl.DataFrame) -> pl.DataFrame:
    return found.drop("seconds").sort("task", "item", "epoch")


def run_and_judge_end_as_in_one_process_where_nodes_see_no_pictures(
    cluster: TwoNodes, server: CountingServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "survey", lambda *_: False)

    def evaluated(kept: RunSettings) -> pl.DataFrame:
        chosen = {"cfms": ["target"]}
        return rows(Evaluation(chosen, MODEL, kept, Judging(JUDGE, kept)).run().table)

    alone = evaluated(settings(tmp_path / "alone", limit=12))
    calls = server.total
    assert_frame_equal(evaluated(settings(tmp_path / "ray", cluster, limit=12)), alone)
    assert server.total == 2 * calls
    assert set(server.calls.values()) == {2}


def a_worker_and_the_driver_are_killed_and_cost_what_they_had_in_hand(
    cluster: TwoNodes, server: CountingServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness = Harness(server, tmp_path, 8, seed=1)
    store, output = tmp_path / "ray", tmp_path / "ray.parquet"
    more = ["--engine", "ray", "--ray-address", cluster.address]
    arguments = harness.run("pixelhumor/presence,interpretation", store, output, *more)
    server.delay = 1.0
    killed: list[int] = []

    def driver_is_due() -> bool:
        written = sum(path.read_bytes().count(b"\n") for path in store.glob("*.jsonl"))
        if written >= 4 and not killed:
            killed.append(cluster.kill_worker())
        return written >= 16

    assert harness.kill_when(arguments, driver_is_due)
    assert killed
    deadline = time.monotonic() + PATIENCE
    while cluster.workers() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not cluster.workers(), "workers outlived their driver"
    kept, calls = len(AnswerStore(store).answers()), server.total
    assert 0 < kept < QUESTIONS
    assert calls - kept <= 2 * 2 * 8, "at most two blocks of each"

    server.delay = 0.05
    run(TASKS, MODEL, settings(store, cluster))
    assert server.total - calls == QUESTIONS - kept
    answers = AnswerStore(store).answers()
    assert len(answers) == answers["key"].n_unique() == QUESTIONS
    run(TASKS, MODEL, settings(tmp_path / "alone"))
    assert_frame_equal(table(store), table(tmp_path / "alone"))


def a_loaded_model_answers_as_in_one_process(cluster: TwoNodes, qwen: Path, tmp_path: Path) -> None:
    for kept in (settings(tmp_path / "ray", cluster), settings(tmp_path / "alone")):
        asked = RunSettings(kept.store, calls=kept.calls, limit=10, sampling=Sampling(max_tokens=8))
        run({"pixelhumor": ["presence"]}, f"local/{qwen}", asked)
    assert_frame_equal(table(tmp_path / "ray"), table(tmp_path / "alone"))


def a_node_of_another_version_is_named(cluster: TwoNodes, monkeypatch: pytest.MonkeyPatch) -> None:
    ray = clusters.connect(cluster.address)
    nodes = clusters.working_nodes(ray)
    assert len(nodes) == 2
    assert clusters.survey(ray, nodes, [__file__])
    assert not clusters.survey(ray, nodes, ["nowhere.png"])
    monkeypatch.setattr(clusters, "__version__", "0.0.1")
    with pytest.raises(DeadpanError, match=r"Ray's node .* has deadpan .*; expected 0\.0\.1"):
        clusters.survey(ray, nodes, [])


def rays_processor_takes_our_rows_and_its_answers_are_ours(
    cluster: TwoNodes, qwen: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ray's own pipeline with its chat templates; what needs vLLM in it is stood in for."""
    words = tmp_path / "words"  # the same words in a model without pictures, which asks for less
    words.mkdir()
    for path in qwen.glob("token*"):
        shutil.copy(path, words)
    (words / "chat_template.jinja").write_text(TEMPLATE)
    (words / "config.json").write_text('{"model_type": "qwen2"}')
    ray, llm = clusters.connect(cluster.address), library("ray.data.llm")

    def without_vllm(*given: Any, **more: Any) -> Any:
        made = llm.build_processor(*given, **more)
        assert [*made.stages] == ["PrepareMultimodalStage", "ChatTemplateStage", "vLLMEngineStage"]
        assert made.stages["vLLMEngineStage"].map_batches_kwargs["num_gpus"] == 1
        del made.stages["PrepareMultimodalStage"]
        made.stages["vLLMEngineStage"] = engine_stage_that_repeats_prompts()
        return made

    source = vllm_source(
        f"local/{words}", "local/words@1", Sampling(model_args={"engine": "vllm"}), "/"
    )
    assert source is not None
    turns = {f"k{number}": Turn("user", (Text(f"Number {number}?"),)) for number in range(100)}
    requests = {
        key: Request("toy", (turn,), Sampling(max_tokens=16)) for key, turn in turns.items()
    }
    stand_in = SimpleNamespace(
        vLLMEngineProcessorConfig=llm.vLLMEngineProcessorConfig, build_processor=without_vllm
    )
    monkeypatch.setattr(vllm, "library", lambda *_: stand_in)
    job = source.job(ray, [Node("1", "one", 1, 1)], requests, True)

    async def answered() -> dict[str, Answer]:
        return {answer.key: answer async for told in job.stream() for answer in told.answers}

    answers = run_async(answered())
    assert answers.keys() == requests.keys()
    failed = answers.pop("k7")
    assert failed.error == "RuntimeError: unlucky"
    for key, answer in answers.items():
        assert (answer.stop, answer.server, answer.error) == ("stop", "vllm", None)
        assert f"Number {key[1:]}?" in str(answer.text) and "assistant" in str(answer.text)


def engine_stage_that_repeats_prompts() -> Any:
    """What vLLM's stage is in Ray's pipeline, of a model that says its prompt again."""
    stages = importlib.import_module("ray.llm._internal.batch.stages.base")

    class Repeating(stages.StatefulStageUDF):  # type: ignore[name-defined, misc]
        async def udf(self, batch: list[dict[str, Any]]) -> AsyncIterator[dict[str, Any]]:
            for row in batch:
                assert row["sampling_params"]["max_tokens"] == 16
                known = {self.IDX_IN_BATCH_COLUMN: row[self.IDX_IN_BATCH_COLUMN]}
                if "Number 7?" in row["prompt"]:
                    yield {**known, "__inference_error__": "RuntimeError: unlucky"}
                    continue
                counts = {"num_input_tokens": 9, "num_generated_tokens": 5, "time_taken_llm": 0.1}
                yield {**known, "generated_text": row["prompt"], **counts}

    return stages.StatefulStage(fn=Repeating, map_batches_kwargs={"concurrency": 1, "num_cpus": 0})


@pytest.mark.timeout(1500)
def test_two_nodes(
    cluster: TwoNodes, qwen: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One after the other in one process: each worker of the tests would start its own cluster."""
    served = (
        run_and_judge_end_as_in_one_process_where_nodes_see_no_pictures,
        a_worker_and_the_driver_are_killed_and_cost_what_they_had_in_hand,
    )
    for part in served:
        folder = tmp_path / part.__name__
        folder.mkdir()
        with CountingServer(delay=0.05) as server, pytest.MonkeyPatch.context() as patch:
            server.offer(patch)
            part(cluster, server, folder, patch)
    a_loaded_model_answers_as_in_one_process(cluster, qwen, tmp_path)
    rays_processor_takes_our_rows_and_its_answers_are_ours(cluster, qwen, tmp_path, monkeypatch)
    a_node_of_another_version_is_named(cluster, monkeypatch)
