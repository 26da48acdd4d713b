"""Credentials never reach what is kept or printed, however a server echoes them."""

import base64
import warnings
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from deadpan.engine.calls import CallOptions
from deadpan.engine.endpoints import REDACTED, Redactor, environment_secrets, without_credentials
from deadpan.engine.quiet import silent_warnings
from deadpan.engine.run import run
from deadpan.engine.task_questions import RunSettings
from deadpan.pipeline.table import results_of_runs
from deadpan.pipeline.table_files import write_table
from tests import model_server
from tests.model_server import ModelServer, completion

SECRET = "s3cr3t/+ value"


@pytest.mark.parametrize(
    "form",
    [
        SECRET,
        quote(SECRET, safe=""),
        base64.b64encode(SECRET.encode()).decode(),
        base64.b64encode(SECRET.encode()).decode().rstrip("="),
    ],
)
def test_a_known_credential_is_taken_out_in_every_form(form: str) -> None:
    redact = Redactor([SECRET, None, ""])
    told = f"Incorrect key provided: {form}. 密钥错误（{form}）"
    for text in (redact(told), redact.redact_known(told)):
        assert form not in text and text.count(REDACTED) == 2
        assert text.startswith("Incorrect key provided: ") and "密钥错误" in text


@pytest.mark.parametrize(
    "usual",
    [
        "sk-proj-abcdefghij0123456789",
        "AIza" + "x" * 35,
        "hf_" + "a1" * 15,
        "Bearer abcdef.ghijkl",
    ],
)
def test_what_looks_like_a_credential_is_taken_out_of_errors_only(usual: str) -> None:
    redact = Redactor()
    assert redact(f"got {usual}!") == f"got {REDACTED}!"
    assert redact.redact_known(usual) == usual, "a model may write what it likes"


@pytest.mark.parametrize(
    "plain", ["sk-short", "task-0123456789abcdefghij", "the bearer of bad news"]
)
def test_words_are_left_alone(plain: str) -> None:
    assert Redactor()(plain) == plain


def test_the_environment_s_credentials_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_PROVIDER_API_KEY", f" {SECRET}\n")
    monkeypatch.setenv("HTTP_PASSWORD", "opensesame")
    monkeypatch.setenv("SHORT_TOKEN", "EMPTY")
    monkeypatch.setenv("KEYBOARD_LAYOUT", "qwertz-german")
    found = environment_secrets()
    assert {SECRET, "opensesame"} <= set(found) and not {"EMPTY", "qwertz-german"} & set(found)
    told = f"{SECRET} opensesame EMPTY qwertz-german"
    assert Redactor()(told) == f"{REDACTED} {REDACTED} EMPTY qwertz-german"


def test_the_longest_credential_goes_first() -> None:
    assert Redactor(["password", "password-and-more"])("password-and-more") == REDACTED


KEY = "sk-loopback-0123456789/abc"


@pytest.mark.parametrize("kept", range(len(KEY) * 3 // 5, len(KEY) + 1))
def test_a_key_that_is_cut_at_one_end_is_taken_out_with_what_is_left_of_it(kept: int) -> None:
    redact = Redactor([KEY]).redact_known
    assert redact(f"got {KEY[:kept]}") == f"got {REDACTED}"
    assert redact(f"got {KEY[-kept:].upper()}.") == f"got {REDACTED}."
    assert redact(f"密钥：{KEY[:kept]}，{KEY[-kept:]}") == f"密钥：{REDACTED}，{REDACTED}"


def test_several_pieces_are_each_taken_out() -> None:
    tail, head = KEY[-20:], KEY[:20]
    told = Redactor([KEY]).redact_known(f"x{tail} {tail}{head} ({KEY}) {'A' * 500}{KEY[-15:]}")
    assert told == f"{REDACTED} {REDACTED}{REDACTED} ({REDACTED}) {'A' * 400}{REDACTED}"


def test_what_is_too_short_to_be_known_is_left_alone() -> None:
    told = f"{KEY[:11]} {KEY[-11:]}"
    assert Redactor([KEY]).redact_known(told) == told


def test_a_long_reply_without_credentials_is_given_back_as_it_is() -> None:
    redact = Redactor([KEY])
    long = "A" * 5_000_000
    assert redact.redact_known(long) is long


def test_an_address_keeps_host_and_path_only() -> None:
    told = "https://user:pass@host.example:8443/v1/?key=abc#x"
    assert without_credentials(told) == "https://host.example:8443/v1"
    assert without_credentials("") == ""


def test_a_key_that_a_server_echoes_reaches_neither_store_nor_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "loopback-credential-42"
    settings = RunSettings(tmp_path / "answers", limit=2, calls=CallOptions(max_retries=0))
    with ModelServer(lambda picture, prompt: f"Yes, {key}") as server:
        server.offer(monkeypatch)
        monkeypatch.setenv("LOOPBACK_API_KEY", key)
        monkeypatch.setattr(server, "_refused", lambda body: f"Incorrect API key: {key}")
        chosen, model = {"pixelhumor": ["presence"]}, "openai-api/loopback/vision"
        failed = results_of_runs(run(chosen, model, settings))
        assert set(failed["outcome"]) == {"failed"}
        assert all(f"Incorrect API key: {REDACTED}" in reason for reason in failed["reason"])
        monkeypatch.setattr(server, "_refused", lambda body: "")
        answered = results_of_runs(run(chosen, model, settings))
        assert set(answered["answer"]) == {f"Yes, {REDACTED}"}
    write_table(failed, tmp_path / "failed.jsonl")
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or key.encode() not in path.read_bytes(), path


@pytest.mark.parametrize("where", ["content", "audio", "index", "created", "prompt_tokens"])
def test_a_key_in_the_place_of_something_else_reaches_no_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder, where: str
) -> None:
    key = "loopback-credential-42"

    def echoing(body: dict[str, Any], text: str, finish: str = "stop") -> dict[str, Any]:
        made = completion(body, text, finish)
        choice = made["choices"][0]
        for place in (made, made["usage"], choice, choice["message"]):
            if where in place or (where == "audio" and "role" in place):
                place[where] = {"a": key}
        return made

    monkeypatch.setattr(model_server, "completion", echoing)
    settings = RunSettings(tmp_path / "answers", limit=2, calls=CallOptions(max_retries=0))
    with ModelServer(lambda picture, prompt: "Yes") as server:
        server.offer(monkeypatch)
        monkeypatch.setenv("LOOPBACK_API_KEY", key)
        table = results_of_runs(
            run({"pixelhumor": ["presence"]}, "openai-api/loopback/vision", settings)
        )
    assert len(table) == 2 and not [one for one in recwarn if key in str(one.message)]
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or key.encode() not in path.read_bytes(), path


def test_a_key_in_the_name_of_a_model_is_not_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def echoing(body: dict[str, Any], text: str, finish: str = "stop") -> dict[str, Any]:
        return completion(body, text, finish) | {"model": f"model/{KEY}"}

    monkeypatch.setattr(model_server, "completion", echoing)
    settings = RunSettings(tmp_path / "answers", limit=2)
    with ModelServer(lambda picture, prompt: "Yes") as server, caplog.at_level("WARNING"):
        server.offer(monkeypatch)
        monkeypatch.setenv("LOOPBACK_API_KEY", KEY)
        run({"pixelhumor": ["presence"]}, "openai-api/loopback/vision", settings)
    assert "the server says that" in caplog.text and KEY[-4:] not in caplog.text


def test_warnings_are_shown_again_once_all_calls_are_over() -> None:
    usual = warnings.showwarning
    first, second = silent_warnings(), silent_warnings()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert warnings.showwarning is not usual
    second.__exit__(None, None, None)
    assert warnings.showwarning is usual
