"""How a model is asked to write, from the command line to the server and the signature."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deadpan.base.errors import DeadpanError
from deadpan.cli.run import SamplingFlags
from deadpan.core.signature import parse_signature
from deadpan.engine.requests import REASONING_ROOM, Sampling, public_arguments

from .conftest import Deadpan


def test_settings_reach_the_signature_and_secrets_do_not(deadpan: Deadpan, tmp_path: Path) -> None:
    out = tmp_path / "scores.json"
    asked = ("run", "pixelhumor/presence", "--model", "baseline/random", "--limit", 2)
    settings = (
        *("--temperature", 0.5, "--top-p", 0.9, "--max-tokens", 77, "--seed", 3),
        *("--reasoning-effort", "low", "--reasoning-tokens", 9, "-M", "seed=4"),
        *("-M", "api_key=sk-private-private", "--extra-body", '{"top_k": 20}'),
    )
    assert deadpan(*asked, *settings, "--store", tmp_path / "s", "--json", out).code == 0
    text = json.loads(out.read_text())["signature"]
    assert "private" not in text
    known = parse_signature(text).settings
    assert known["temperature"] == "0.5" and known["max_tokens"] == "77"
    assert known["reasoning_effort"] == "low" and known["extra_body"] == '{"top_k":20}'
    assert known["model_args"] == '{"seed":4}'
    assert not any(b"private" in path.read_bytes() for path in tmp_path.rglob("*.*"))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"extra_body": "[1]"}, "--extra-body: got a list; expected an object"),
        ({"extra_body": "{"}, "--extra-body: is not JSON"),
        ({"model_arg": ["seed"]}, "-M seed: expected KEY=VALUE"),
        ({"reasoning_effort": "a lot"}, "--reasoning-effort: "),
    ],
)
def test_what_cannot_be_read_is_told(given: dict[str, Any], said: str) -> None:
    with pytest.raises(DeadpanError) as raised:
        _ = SamplingFlags(**given).sampling
    assert str(raised.value).startswith(said)


def test_a_task_s_own_settings_with_room_for_reasoning() -> None:
    own = Sampling().over(0.1, 0.7, 512)
    assert (own.temperature, own.top_p) == (0.1, 0.7)
    assert own.max_tokens == 512 + REASONING_ROOM
    named = Sampling(temperature=0.0, max_tokens=10).over(0.1, 0.7, 512)
    assert (named.temperature, named.max_tokens) == (0.0, 10)


def test_credentials_are_no_public_arguments() -> None:
    given = {"api_key": 1, "max_tokens": 2, "headers": {"Authorization": 3, "x": 4}, "base_url": 5}
    assert public_arguments(given) == {"max_tokens": 2, "headers": {"x": 4}}


def test_json_alone_on_standard_output(deadpan: Deadpan, tmp_path: Path) -> None:
    asked = ("run", "pixelhumor/presence", "--model", "baseline/random", "--limit", 2)
    done = deadpan(*asked, "--store", tmp_path / "s", "--json", "-")
    assert json.loads(done.out)["benchmark"] == "pixelhumor"


def test_options_that_are_gone_name_what_took_their_place(deadpan: Deadpan, tmp_path: Path) -> None:
    asked = ("run", "pixelhumor/presence", "--model", "baseline/random")
    gone = deadpan(*asked, "--logs", tmp_path)
    assert gone.code == 2 and "--store" in gone.err
    fresh = deadpan(*asked, "--fresh")
    assert fresh.code == 2 and "--again" in fresh.err
    assert not any(tmp_path.iterdir())
