"""One meme on its way through the stages; every stage is stored before the next begins."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from PIL import Image

from deadpan.base.errors import InputError
from deadpan.base.files import sha256_of, write_bytes
from deadpan.benchmarks.merbench.records import Target as PositiveEmotion
from deadpan.core.editor import Editor, Instruction
from deadpan.core.questions import Language
from deadpan.editing.folder import FolderEditor
from deadpan.editing.reappraise.pictures import side_by_side
from deadpan.editing.reappraise.plan import (
    Described,
    Origin,
    Plan,
    Proposed,
    Result,
    Status,
    read_plan,
    write_plan,
)
from deadpan.editing.reappraise.sources import Places
from deadpan.media.fonts import is_chinese
from deadpan.media.images import png_bytes, read_image

Stop = Literal["described", "planned", "edited"]

_RECIPE = 1
"""Raised when the same source, plan and editor are to be edited anew."""


@dataclass(frozen=True)
class Wish:
    """What a person asked for: the feeling, the words, the language, and where to stop."""

    target: PositiveEmotion | None = None
    captions: tuple[str, ...] = ()
    language: Language | None = None
    stop: Stop = "edited"


@dataclass
class Meme:
    """A picture, where its results go, and its plan so far."""

    source: Path
    places: Places
    plan: Plan

    def taken(self) -> None:
        """Stores the plan as it was given."""
        status: Status = "described" if self.plan.described else "new"
        self._store("planned" if self.plan.proposed else status)

    def described(self, stage: Described, language: Language) -> None:
        """Stores stage 1."""
        self._store("described", described=stage, language=language)

    def proposed(self, stage: Proposed) -> None:
        """Stores stage 2."""
        self._store("planned", proposed=stage)

    def edited(self, editor: Editor) -> bool:
        """Stores stage 3, whose result lies in its places; whether an earlier run had made it."""
        instruction = self.plan.instruction(self.source)
        key = _key(self.plan.source.sha256, instruction, editor)
        known = self.plan.edited
        if known and known.key == key and sha256_of(self.places.edited) == known.sha256:
            if not self.places.side_by_side.is_file():
                self._draw(read_image(self.places.edited))
            self._store("edited")
            return True
        made = editor.edit(instruction)
        image = made.image.convert("RGB")
        data = png_bytes(image)
        write_bytes(self.places.edited, data)
        self._draw(image)
        result = Result(
            editor=editor.name,
            key=key,
            file=self.places.edited.name,
            sha256=hashlib.sha256(data).hexdigest(),
            notes=made.notes,
        )
        self._store("edited", edited=result)
        return False

    def failed(self, problem: str) -> None:
        """Stores why this goes no further, and takes away what an earlier plan made of it."""
        self._store("failed", problem=problem, edited=None)
        for path in (self.places.edited, self.places.side_by_side):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                what = f"cannot be removed ({error.strerror})"
                raise InputError(path, what, "It is of an earlier plan: remove it.") from error

    def _draw(self, edited: Image.Image) -> None:
        seen, wanted = self.plan.described, self.plan.proposed
        sheet = side_by_side(
            read_image(self.source),
            edited,
            self.plan.language,
            seen.emotion if seen else None,
            wanted.target if wanted else None,
        )
        write_bytes(self.places.side_by_side, png_bytes(sheet))

    def _store(
        self,
        status: Status,
        **changed: Described | Proposed | Result | str | None,
    ) -> None:
        update = {"status": status, "problem": None, **changed}
        self.plan = self.plan.model_copy(update=update)
        write_plan(self.places.plan, self.plan)


def begun(source: Path, places: Places, given: Plan | None, wish: Wish) -> Meme:
    """The meme with the plan given, or with one that holds what the wish already tells; a picture
    that cannot be read raises InputError."""
    read_image(source)
    digest = sha256_of(source)
    if digest is None:
        raise InputError(source, "cannot be read", "Check the file.")
    earlier = _earlier(places.plan)
    if given is None:
        plan = Plan(source=Origin(file=source.name, sha256=digest), language=_language(wish))
        plan = plan.model_copy(update={"edited": earlier})
    else:
        plan = given.sealed()
        plan = plan.model_copy(update={"edited": earlier or plan.edited})
    return Meme(source, places, plan)


def require_same(meme: Meme) -> None:
    """Raises where the plan was made for other content than the picture now has."""
    if meme.plan.source.sha256 != sha256_of(meme.source):
        what = f"the plan was made for another {meme.source.name}"
        fix = "Have the plan made again, or put the picture back that it was made for."
        raise InputError(meme.source, what, fix)


def wished(wish: Wish) -> Proposed:
    """Stage 2 as a person asked for it."""
    return Proposed(target=wish.target, captions=wish.captions).sealed()


def _key(digest: str, instruction: Instruction, editor: Editor) -> str:
    """What an edit depends on: the source's content, all that the editor is told, and the editor;
    for edits that lie in a folder also the content there."""
    told = {name: value for name, value in asdict(instruction).items() if name != "source"}
    whole = [_RECIPE, digest, told, editor.name]
    if isinstance(editor, FolderEditor):
        whole.append(sha256_of(editor.edited_file(instruction.source)))
    return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()


def _earlier(path: Path) -> Result | None:
    try:
        return read_plan(path).edited
    except InputError:
        return None


def _language(wish: Wish) -> Language:
    if wish.language is not None:
        return wish.language
    return "zh" if any(is_chinese(char) for text in wish.captions for char in text) else "en"
