"""Editors in the place of models: asked like one, their answers pictures that the store keeps."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import BaseModel, JsonValue, TypeAdapter

from deadpan.base.errors import DeadpanError
from deadpan.base.files import folder_name, write_bytes
from deadpan.benchmarks import find
from deadpan.core.capabilities import require
from deadpan.core.editors import Editor, Instruction
from deadpan.editing import EDITOR, NAMES, RECIPE, find_editor
from deadpan.editing.received import CallFailed, Refused
from deadpan.engine.answers import picture_answer, picture_place
from deadpan.engine.calls import CallError, Generated
from deadpan.engine.question_parts import PicturePart
from deadpan.engine.requests import Message, Request, Sampling, Text, Turn
from deadpan.engine.run import Chosen, require_model
from deadpan.engine.task_questions import Answerer, RunSettings, TaskQuestions
from deadpan.media.images import png_bytes
from deadpan.pipeline.evaluating import chosen_tasks, select_tasks
from deadpan.pipeline.reporter import SILENT, Reporter

_INSTRUCTION = TypeAdapter(Instruction)


def is_editor(model: str) -> bool:
    """Whether the name is an editor's."""
    return model.startswith(EDITOR)


def require_answerer(model: str, settings: RunSettings) -> None:
    """Raises where no model or editor of that name can be had."""
    if is_editor(model):
        find_editor(model.removeprefix(EDITOR))
    else:
        require_model(model, settings.sampling)


def choose_answerer(
    selection: Sequence[str], model: str, settings: RunSettings, reporter: Reporter = SILENT
) -> tuple[Chosen, Answerer | None]:
    """The tasks to ask, and who is asked in a model's place where the name is an editor's. A model
    that cannot be had, or that the benchmark is not answered by, raises."""
    chosen: Chosen
    if is_editor(model):
        named = chosen_tasks(selection, every=False)
        # Of benchmarks whose tasks are not named, an editor answers the first.
        chosen = {name: tasks or [find(name).tasks[0].name] for name, tasks in named.items()}
    else:
        require_model(model, settings.sampling)
        chosen = select_tasks(selection, model, settings, reporter)
    for name in chosen:
        if find(name).edits is not None and not is_editor(model):
            known = ", ".join(f"{EDITOR}{editor}" for editor in NAMES)
            raise DeadpanError(f"--model {model}: {name} is answered by editors; {known}")
        if find(name).edits is None and is_editor(model):
            raise DeadpanError(f"{name} has no pictures to be edited; --model names a model")
    if not is_editor(model):
        return chosen, None
    editor = find_editor(model.removeprefix(EDITOR))
    at_once, identity = settings.calls.max_connections, f"{model}@{editor.name}.{RECIPE}"
    engine = EditorEngine(editor, model, settings.store, at_once, identity)
    return chosen, Answerer(engine, edit_requests)


def edit_requests(task: TaskQuestions, model: str, settings: RunSettings) -> list[Request]:
    """A request for each picture, known by the picture and what should become of it."""
    edits = require(task.benchmark.edits, f"{task.benchmark.name} has no pictures to be edited")
    label = f"{task.benchmark.name}-{task.spec.name}.{folder_name(model)}"
    made = []
    for question in task.questions:
        wish = asdict(edits.instruction(question))
        source = str(wish.pop("source"))
        told = Text(json.dumps(wish, ensure_ascii=False, sort_keys=True))
        turns = (Turn("user", (told, PicturePart(question.pictures[0]))),)
        card: JsonValue = {"source": source, **wish}
        made.append(
            Request(label, turns, Sampling(), item=question.item, again=settings.again, card=card)
        )
    return made


@dataclass
class EditorEngine:
    """An editor as an engine: what a request's card tells in, the place of a picture out."""

    editor: Editor
    name: str
    store: Path
    max_connections: int
    identity: str  # what answers are known by
    server: str = ""
    is_embedded: bool = False
    reads_card: bool = True
    is_local: bool = True

    async def generate(
        self,
        messages: Sequence[Message],
        sampling: Sampling,
        schema: type[BaseModel] | None,
        card: JsonValue = None,
    ) -> Generated:
        """The edited picture, written and synced before its answer."""
        began = time.monotonic()
        if not isinstance(card, dict):
            raise DeadpanError("a request without an instruction cannot be edited")
        instruction = _INSTRUCTION.validate_python(card)
        try:
            text, stop = await asyncio.to_thread(self._edit, instruction), "stop"
        except Refused:
            text, stop = "", "content_filter"
        seconds = time.monotonic() - began
        return Generated(text, None, stop, None, None, None, None, None, seconds)

    def _edit(self, instruction: Instruction) -> str:
        made = self.editor.edit(instruction)
        data = png_bytes(made.image.convert("RGB"))
        sha256 = hashlib.sha256(data).hexdigest()
        place = picture_place(self.store, sha256)
        if not place.is_file():
            write_bytes(place, data)
        return picture_answer(sha256, made.notes)

    def describe(self, error: Exception) -> CallError:
        """Editors try again by themselves: what they raise is final."""
        return CallError(str(error), retry=False, unreachable=isinstance(error, CallFailed))

    async def reaches(self, seconds: float) -> str | None:
        """Nothing has to be reached before the first edit."""
        return None

    async def close(self) -> None:
        """Nothing is held."""
