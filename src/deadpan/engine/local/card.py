"""The card of an adapter: what it was made from, how, and how well it learnt."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, FiniteFloat, ValidationError

from deadpan.base.errors import InputError
from deadpan.base.files import is_there, read_text, write_text

CARD = "card.json"
PAGE = "README.md"
_PACKAGES = ("deadpan", "torch", "transformers", "peft", "accelerate")


class Card(BaseModel):
    """What is told of an adapter; written last, so that where it lies all else does."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    benchmark: str
    tasks: tuple[str, ...]
    base: str
    base_identity: str
    data: str
    """The checksum of the examples."""
    prompts: str
    examples: int
    validation_examples: int
    unvalidated: tuple[str, ...] = ()
    """The tasks that have no validation examples."""
    settings: dict[str, str | int | float | bool]
    processes: int
    steps: int
    answer_tokens: int
    trained_parameters: int
    packages: dict[str, str]
    training_loss: FiniteFloat
    """The mean over the last epoch's steps."""
    validation_losses: tuple[FiniteFloat, ...]
    """After each epoch; empty where there is no validation split."""

    @property
    def identity(self) -> dict[str, str | int | float | bool]:
        """What must be equal for a training to be the same one."""
        return training_identity(self.model_dump())


def training_identity(facts: Mapping[str, Any]) -> dict[str, str | int | float | bool]:
    """What must be equal for a training to be the same one, of the fields of a card; of the base,
    its weights and not its name."""
    return {
        "benchmark": facts["benchmark"],
        "tasks": ",".join(facts["tasks"]),
        "base": facts["base_identity"].rpartition("@")[2],
        "data": facts["data"],
        "prompts": facts["prompts"],
        **facts["settings"],
        "processes": facts["processes"],
    }


def packages() -> dict[str, str]:
    """The versions of the packages that training depends on; those not installed are left out."""
    found = {}
    for name in _PACKAGES:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def read_card(folder: Path) -> Card | None:
    """The card of a folder; None where there is none, one that cannot be read raises."""
    path = folder / CARD
    if not is_there(path):
        return None
    try:
        return Card.model_validate_json(read_text(path))
    except ValidationError as error:
        what = f"is no card of an adapter ({error.error_count()} fields are off)"
        fix = "Put the file back, or train anew: with --fresh, or into another --out."
        raise InputError(path, what, fix) from error


def write_card(folder: Path, card: Card) -> None:
    """Writes README.md for people, then card.json."""
    write_text(folder / PAGE, _page(folder, card))
    text = json.dumps(card.model_dump(mode="json"), ensure_ascii=False, indent=2, allow_nan=False)
    write_text(folder / CARD, text + "\n")


def _page(folder: Path, card: Card) -> str:
    validation = ", ".join(f"{loss:.4f}" for loss in card.validation_losses) or "none"
    rows = {
        "learnt": f"{card.benchmark}: {', '.join(card.tasks)}",
        "base": f"{card.base} ({card.base_identity})",
        "examples": f"{card.examples}, checksum {card.data}",
        "validation examples": card.validation_examples,
        "tasks without validation": ", ".join(card.unvalidated) or "none",
        "prompts": f"checksum {card.prompts}",
        **{name.replace("_", " "): value for name, value in card.settings.items()},
        "processes": card.processes,
        "steps": card.steps,
        "answer tokens an epoch": card.answer_tokens,
        "trained parameters": card.trained_parameters,
        "training loss, last epoch": f"{card.training_loss:.4f}",
        "validation loss, by epoch": validation,
        **card.packages,
    }
    cells = {name: " ".join(str(value).split()).replace("|", "\\|") for name, value in rows.items()}
    table = "\n".join(f"| {name} | {cell} |" for name, cell in cells.items())
    front = f"---\nbase_model: {json.dumps(card.base)}\nlibrary_name: peft\n---\n"
    return (
        f"{front}\n# A LoRA adapter for {card.benchmark}\n\n"
        "The model learnt the worded answers of the training split; the loss is the mean over "
        f"their tokens.\n\n| | |\n| --- | --- |\n{table}\n\n![losses](losses.png)\n\n"
        f"Ask it: `deadpan run {card.benchmark} --model local/{folder}`. A whole model for other "
        f"tools: `deadpan finetune merge {folder} --out FOLDER`.\n"
    )
