"""The commands that would make results again, as far as signatures tell."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from deadpan.base.errors import DeadpanError
from deadpan.core.benchmark import Task
from deadpan.core.signature import EXTERNAL, Signature, parse_signature
from deadpan.engine.requests import REASONING_ROOM
from deadpan.reports.exchange.public import DataSource, without_folders
from deadpan.reports.section import STAND_IN, Section, distinct

_PASSED_ON = ("seed", "reasoning_effort", "reasoning_tokens", "epochs", "extra_body", "gate")
"""Settings that are options of the same name."""


def run_commands(section: Section, model: str, source: DataSource) -> list[str]:
    """How to ask a model the tasks of a section anew; tasks that are asked alike share a command.
    None of answers that were made elsewhere."""
    rows = section.table.filter(section.table["model"] == model)
    commands: dict[tuple[str, ...], list[str]] = {}
    for text in distinct(rows["signature"].to_list()):
        signature = parse_signature(text)
        if signature.prompts != EXTERNAL and not signature.is_of_people:
            options = tuple(_options(section, signature, source))
            commands.setdefault(options, []).append(signature.task)
    known = [spec.name for spec in section.benchmark.tasks]
    made = []
    for options, tasks in commands.items():
        asked = section.benchmark.name
        if set(tasks) != set(known):
            asked += "/" + ",".join(task for task in known if task in tasks)
        made.append(shlex.join(["deadpan", "run", asked, "--model", model, *options]))
    return made


def _options(section: Section, signature: Signature, source: DataSource) -> Sequence[str]:
    settings = signature.settings
    found: dict[str, str] = {}
    if source.kind != "mini-set":
        found["data"] = "DATA"
    judges = [part.rpartition("=")[2] for part in signature.judge.split(",")]
    judge = next((one.partition("@")[0] for one in judges if one not in ("none", EXTERNAL)), "")
    if judge:
        found["judge"] = STAND_IN if judge == STAND_IN else without_folders(judge)
    usual = _usual(section, signature.task)
    for name in ("temperature", "top_p", "max_tokens"):
        if name in settings and settings[name] != usual.get(name):
            found[name] = settings[name]
    found |= {name: settings[name] for name in _PASSED_ON if name in settings}
    if signature.is_text_only:
        found["variant"] = "text-only"
    if "fewshot" in settings:
        found["fewshot"] = settings["fewshot"].partition(";")[0]
    if signature.part is not None:
        found["limit"] = str(signature.part[0])
    return [
        part
        for name, value in found.items()
        if not (name == "gate" and value == (section.benchmark.gates or ("",))[0])
        for part in (f"--{name.replace('_', '-')}", value)
    ]


def _usual(section: Section, task: str) -> dict[str, str]:
    """A task's own settings as signatures print them."""
    try:
        spec: Task = section.benchmark.task(task)
    except DeadpanError:
        return {}
    made = {
        "temperature": spec.temperature,
        "top_p": spec.top_p,
        "max_tokens": spec.max_tokens + REASONING_ROOM,
    }
    return {name: f"{value:.12g}" for name, value in made.items() if value is not None}
