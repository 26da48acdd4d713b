"""Checks that hang or fail cost themselves alone, and no finding holds a key or hides text."""

from __future__ import annotations

import threading

import pytest

from deadpan.checkup import fails
from deadpan.checkup.findings import Check, Finding, cleaned, reason


def test_a_check_that_never_answers_is_a_finding() -> None:
    never = threading.Event()
    check = Check("machine", "disk", lambda: [never.wait()], 0.05)  # type: ignore[list-item]
    (found,) = check.findings()
    assert (found.section, found.name, found.state) == ("machine", "disk", "broken")
    assert "no answer in 0.05 s" in found.text
    never.set()


@pytest.mark.parametrize("error", [ValueError("of no use"), SystemExit(3), MemoryError()])
def test_a_check_that_fails_is_a_finding(error: BaseException) -> None:
    def look() -> list[Finding]:
        raise error

    (found,) = Check("data", "data", look, 5).findings()
    assert found.state == "broken" and type(error).__name__ in found.text


def test_keys_and_controls_are_taken_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSE_API_KEY", "quite-secret-1234")
    text = "it says quite-secret-1234 \x1b[31m\u202eback\nand more"
    (found,) = cleaned([Finding("servers", "a\x07", "ok", text, ("echo quite-secret-1234",))])
    assert found.text == "it says [redacted] ⟦U+001B⟧[31m⟦U+202E⟧back and more"
    assert found.name == "a⟦U+0007⟧" and found.fix == ("echo [redacted]",)


def test_keys_are_taken_out_where_the_engine_cannot_be_imported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "deadpan.engine.endpoints", None)
    monkeypatch.setenv("HOUSE_API_KEY", "quite-secret-1234")
    (found,) = cleaned([Finding("servers", "a", "ok", "quite-secret-1234")])
    assert found.text == "[redacted]"


def test_reasons_are_one_line_of_bounded_length() -> None:
    class Odd(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    assert reason(ValueError("a\n b")) == "ValueError: a b"
    assert len(reason(ValueError("x" * 10_000))) < 500
    assert reason(Odd()) == "Odd"


def test_only_the_core_and_what_was_asked_for_fail() -> None:
    findings = [
        Finding("core", "polars", "ok", ""),
        Finding("extras", "ocr", "missing", ""),
        Finding("extras", "text", "broken", ""),
        Finding("servers", "LOCAL_BASE_URL", "broken", ""),
    ]
    assert fails(findings) == []
    assert [one.name for one in fails(findings, ["ocr"])] == ["ocr"]
    broken = Finding("core", "polars", "broken", "")
    assert fails([*findings, broken]) == [broken]
