"""The commands that would make results again, as far as signatures tell."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from deadpan.base.errors import DeadpanError
from deadpan.core.benchmark import Task
from deadpan.core.signature import EXTERNAL, Signature, parse_signature
from deadpan.core.variants import Variant
from deadpan.engine.requests import REASONING_ROOM
from deadpan.reports.exchange.public import DataSource, without_folders
from deadpan.reports.section import Section, distinct

_PASSED_ON = ("seed", "reasoning_effort", "reasoning_tokens", "epochs", "extra_body", "gate")
"""Settings that are options of the same name."""


def run_commands(section: Section, model: str, source: DataSource) -> list[str]:
    """How to ask a model the tasks of a section anew; tasks that are asked alike share a command.
    None of answers that were made elsewhere."""
    rows = section.table.filter(section.table["model"] == model)
    commands: dict[tuple[str, ...], list[Signature]] = {}
    for text in distinct(rows["signature"].to_list()):
        signature = parse_signature(text)
        if signature.prompts != EXTERNAL and not signature.is_of_people:
            options = tuple(_options(section, signature, source))
            commands.setdefault(options, []).append(signature)
    known = [spec.name for spec in section.benchmark.tasks]
    made = []
    for options, signatures in commands.items():
        tasks, asked = {one.task for one in signatures}, section.benchmark.name
        if tasks != set(known):
            asked += "/" + ",".join(task for task in known if task in tasks)
        judge = next((found for one in signatures if (found := _judge(one))), "")
        judged = ["--judge", judge] if judge else []
        made.append(shlex.join(["deadpan", "run", asked, "--model", model, *judged, *options]))
    return made


def _judge(signature: Signature) -> str:
    """Who judged the answers of a signature, if anybody did here."""
    judges = [part.rpartition("=")[2] for part in signature.judge.split(",")]
    found = next((one.partition("@")[0] for one in judges if one not in ("none", EXTERNAL)), "")
    return without_folders(found)


def _options(section: Section, signature: Signature, source: DataSource) -> Sequence[str]:
    settings = signature.settings
    found: dict[str, str] = {}
    if source.kind != "mini-set":
        found["data"] = "DATA"
    usual = _usual(section, signature.task)
    for name in ("temperature", "top_p", "max_tokens"):
        if name in settings and settings[name] != usual.get(name):
            found[name] = settings[name]
    found |= {name: settings[name] for name in _PASSED_ON if name in settings}
    if signature.variant is not Variant.FULL:
        found["variant"] = signature.variant.value
        found |= {name: settings[name] for name in ("variant_seed",) if name in settings}
    if "paraphrase" in settings:
        found["paraphrase"] = settings["paraphrase"]
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
