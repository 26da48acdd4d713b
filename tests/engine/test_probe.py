"""The first short question: what would fail every time is told at once, what may pass is not."""

import asyncio
import logging
import os
import re
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import BUILT_IN
from deadpan.benchmarks.vimu.judge import VIMU_OE
from deadpan.engine import endpoints as probing
from deadpan.engine.calls import CallOptions
from deadpan.engine.endpoints import Kind, probe
from deadpan.engine.inspect_model import InspectModel
from deadpan.engine.judging import judge_sampling
from deadpan.engine.requests import Sampling
from deadpan.engine.run import OtherEndpoint, run
from deadpan.engine.task_questions import RunSettings
from deadpan.pipeline.table import results_of_runs
from tests.engine.judged_toy import WHERE
from tests.model_server import ModelServer

MODEL = "openai-api/loopback/vision"
SAMPLING = Sampling(temperature=0.0, max_tokens=8704)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    with ModelServer(lambda picture, prompt: "Yes") as one:
        one.offer(monkeypatch)
        yield one


def tried(kind: Kind = "image", model: str = MODEL, option: str = "--model") -> str | None:
    async def ask() -> str | None:
        engine = InspectModel(model, SAMPLING, 1, 60, option)
        try:
            return await probe(engine, SAMPLING, kind, option)
        finally:
            await engine.close()

    return asyncio.run(ask())


def test_an_endpoint_that_answers_is_asked_once_with_what_is_to_follow(
    server: ModelServer,
) -> None:
    assert tried("image") is None and tried("text") is None
    assert [one["images"] for one in server.probes] == [1, 0]
    assert server.total == 0


def test_a_server_that_is_not_there_is_told_with_its_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    monkeypatch.setenv("LOOPBACK_API_KEY", "not-a-secret")
    monkeypatch.setenv("LOOPBACK_BASE_URL", address)
    told = f"--judge {MODEL}: no server answers at {address} .*refused.*Start it"
    with pytest.raises(DeadpanError, match=told):
        tried(option="--judge")


@pytest.mark.parametrize("address", ["127.0.0.1:8000/v1", "localhost:8000/v1"])
def test_an_address_without_its_scheme_is_told(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOOPBACK_API_KEY", "not-a-secret")
    monkeypatch.setenv("LOOPBACK_BASE_URL", address)
    with pytest.raises(DeadpanError, match=f"{address} .*does not begin with http://"):
        tried()


@pytest.mark.parametrize(
    ("key", "fault"),
    [
        ("sk-hidden-0123456789\r", "begins or ends with a blank or a line's end"),
        (" sk-hidden-0123456789", "begins or ends with a blank or a line's end"),
        ("sk-hidden\n0123456789", "holds a line's end or another control character"),
        ("sk-hidden–0123456789", "holds characters other than ASCII"),
    ],
)
def test_a_key_that_no_call_can_carry_is_told_by_its_name(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch, key: str, fault: str
) -> None:
    monkeypatch.setenv("LOOPBACK_API_KEY", key)
    with pytest.raises(DeadpanError, match=f"^--judge {MODEL}: LOOPBACK_API_KEY {fault}") as told:
        tried(option="--judge")
    assert "hidden" not in str(told.value) and not server.probes


def test_a_server_of_ones_own_takes_any_word_for_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LOOPBACK_API_KEY", raising=False)
    with pytest.raises(DeadpanError, match=r"No LOOPBACK_API_KEY .*to any word where the server"):
        tried()


def test_a_dead_proxy_is_named(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with pytest.raises(DeadpanError, match=r"through a proxy \(\$HTTP_PROXY\): check it"):
        tried()


def test_a_package_that_is_missing_is_told_at_once_and_plainly(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    class PrerequisiteError(Exception):
        message = "[bold]ERROR[/bold]: It needs more.\n\nInstall it with: [bold]pip[/bold]"

    async def generate(*_: object, **__: object) -> None:
        raise PrerequisiteError

    monkeypatch.setattr("inspect_ai.model.Model.generate", generate)
    with pytest.raises(DeadpanError, match=f"^{MODEL}: It needs more. Install it with: pip$"):
        tried()


@pytest.mark.parametrize(
    ("fault", "kind", "told"),
    [
        ((401, "Incorrect API key provided"), "text", "the key is not accepted at http.*Incorrect"),
        ((403, "no access"), "text", "the key is not accepted at http"),
        ((404, "The model `vision` does not exist"), "text", "no such model, or no such address"),
        ((400, "This model does not support image input"), "image", "it takes no pictures"),
        ((400, "messages.0.content must be a string"), "image", "it takes no pictures.*text-only"),
        ((422, "该模型不支持图片"), "image", "it takes no pictures"),
        ((400, "unknown field `seed`"), "image", "the first question was turned down.*`seed`"),
        ((400, "image"), "text", "the first question was turned down"),
    ],
)
def test_what_would_fail_every_time_is_told(
    server: ModelServer, fault: tuple[int, str], kind: Kind, told: str
) -> None:
    server.probe_fault = fault
    with pytest.raises(DeadpanError, match=f"--model {MODEL}: {told}") as error:
        tried(kind)
    assert fault[1] in str(error.value), "in the server's own words"
    assert "messages" not in str(error.value).replace(fault[1], ""), "and without the request"


def test_an_address_of_openais_own_is_told_and_what_speaks_chat_alone_has_another_name(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", os.environ["LOOPBACK_BASE_URL"])
    monkeypatch.setenv("OPENAI_API_KEY", "none-of-them")
    told = "no such model, or no such address at http.*chat completions alone is named openai-api/"
    with pytest.raises(DeadpanError, match=told):
        tried("text", "openai/vision")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    with pytest.raises(DeadpanError, match=r"no server answers at http://127\.0\.0\.1:9/v1"):
        tried("text", "openai/vision")


@pytest.mark.parametrize(
    "fault",
    [
        (400, "max_tokens is too large: 8704. This model supports at most 4096 completion tokens"),
        (400, "This model's maximum context length is 4096 tokens. However, you requested 8800 "
         "tokens (96 in the messages, 8704 in the completion)"),
        (400, "'response_format' of type 'json_schema' is not supported"),
    ],
)  # fmt: skip
def test_what_the_asker_learns_by_itself_passes(
    server: ModelServer, fault: tuple[int, str]
) -> None:
    server.probe_fault = fault
    assert tried() is None


@pytest.mark.parametrize("fault", ["429", "500", "malformed", "cut"])
def test_what_may_pass_is_a_warning(server: ModelServer, fault: str) -> None:
    server.probe_fault = fault
    if fault == "cut":
        with pytest.raises(DeadpanError, match="no server answers"):
            tried()
        return
    told = tried()
    assert told is not None and told.startswith(f"{MODEL}: a first short question failed: ")


def test_a_web_page_in_the_server_s_place_is_told(server: ModelServer) -> None:
    server.probe_fault = "page"
    told = f"{MODEL}: what answers at {server.url} does not speak OpenAI's protocol: .*Welcome"
    with pytest.raises(DeadpanError, match=told):
        tried()


@pytest.mark.parametrize("cuts", [2, 3])
def test_a_connection_that_is_cut_is_tried_again(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch, cuts: int
) -> None:
    monkeypatch.setattr(probing, "_CUT_SECONDS", (0.0, 0.0))
    usual, tries = InspectModel.generate, iter(range(9))

    async def generate(self: InspectModel, *given: Any) -> Any:
        if next(tries) < cuts:
            raise httpx.RemoteProtocolError("cut")
        return await usual(self, *given)

    monkeypatch.setattr(InspectModel, "generate", generate)
    described = InspectModel.describe
    monkeypatch.setattr(
        InspectModel,
        "describe",
        lambda self, error: replace(described(self, error), unreachable=True),
    )
    if cuts == 2:
        assert tried() is None
    else:
        with pytest.raises(DeadpanError, match="no server answers"):
            tried()


def test_a_slow_server_is_a_warning(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probing, "_ANSWER_SECONDS", 0.2)
    server.probe_fault = "timeout"
    assert tried() == f"{MODEL} has not answered a first short question in 0.2 s"


@pytest.mark.parametrize("model", ["baseline/random", "judge/lexical", "mockllm/model"])
def test_what_has_no_server_is_not_tried(model: str) -> None:
    assert tried(model=model) is None


class TestRun:
    def chosen(self, tmp_path: Path, limit: int = 2) -> RunSettings:
        return RunSettings(tmp_path / "answers", limit=limit, calls=CallOptions(max_retries=0))

    def test_a_refused_run_asks_nothing_and_leaves_nothing_behind(
        self, server: ModelServer, tmp_path: Path
    ) -> None:
        server.probe_fault = (401, "who are you?")
        with pytest.raises(DeadpanError, match=re.escape("who are you?")):
            run({"pixelhumor": ["presence"]}, MODEL, self.chosen(tmp_path))
        assert server.total == 0 and not list(tmp_path.iterdir())

    def test_a_finished_run_tries_nothing(self, server: ModelServer, tmp_path: Path) -> None:
        settings = self.chosen(tmp_path)
        for _ in range(2):
            run({"pixelhumor": ["presence"]}, MODEL, settings)
        assert len(server.probes) == 1
        server.probe_fault = (401, "the key has expired")
        assert len(results_of_runs(run({"pixelhumor": ["presence"]}, MODEL, settings))) == 2

    def test_a_warning_is_logged_and_the_run_goes_on(
        self, server: ModelServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        server.probe_fault = "500"
        with caplog.at_level(logging.WARNING, "deadpan"):
            table = results_of_runs(run({"pixelhumor": ["presence"]}, MODEL, self.chosen(tmp_path)))
        assert "a first short question failed" in caplog.text
        assert set(table["outcome"]) == {"answered"}

    def test_a_context_that_is_too_small_is_asked_for_less(
        self, server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        said = "max_tokens is too large: this model supports at most 600 completion tokens"

        def refused(body: dict[str, int]) -> str:
            tokens = body.get("max_completion_tokens", body.get("max_tokens", 0))
            return said if tokens > 600 else ""

        server.probe_fault = (400, said)
        monkeypatch.setattr(server, "_refused", refused)
        settings = self.chosen(tmp_path, limit=4)
        table = results_of_runs(run({"pixelhumor": ["presence"]}, MODEL, settings))
        assert set(table["outcome"]) == {"answered"}
        assert [one["max_tokens"] for one in server.requests].count(600) == 4

    def test_the_judge_is_tried_before_anything_is_paid_for(
        self, server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(BUILT_IN, "proverbs", WHERE)
        judge = OtherEndpoint("openai-api/loopback/teacher", judge_sampling(VIMU_OE))
        settings = self.chosen(tmp_path)
        run({"proverbs": ["meaning"]}, MODEL, settings, also=judge)
        assert sorted(one["model"] for one in server.probes) == ["teacher", "vision"]
        assert {one["images"] for one in server.probes} == {0}, "a judge of texts needs no vision"
        server.probe_fault = (404, "no such teacher")
        with pytest.raises(DeadpanError, match="no such teacher"):
            run({"proverbs": ["meaning"]}, MODEL, self.chosen(tmp_path, 3), also=judge)
