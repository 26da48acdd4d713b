"""Memes turned from a bitter feeling to a kind one, several at once: every stage is stored before
the next begins, a killed run continues, a bad picture stops no other."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, TypeVar

import anyio
from PIL import Image, ImageDraw

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import sha256_of, write_bytes
from deadpan.benchmarks.merbench.records import Target as PositiveEmotion
from deadpan.core.editors import Editor
from deadpan.core.questions import Language
from deadpan.editing import RECIPE
from deadpan.editing.faces import has_chinese
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
from deadpan.editing.reappraise.planning import describe, picture_for_model, propose
from deadpan.editing.reappraise.sources import Places
from deadpan.editing.received import FolderEditor, Refused, emotion_name, times
from deadpan.editing.remote import HOPELESS
from deadpan.engine.asker import Asker
from deadpan.media.fonts import lettering
from deadpan.media.images import png_bytes, read_image, resized
from deadpan.media.media_files import content_sha256

Stop = Literal["described", "planned", "edited"]
Ending = Literal[Stop, "unreadable", "not_planned", "refused", "not_edited", "waiting", "removed"]
FAILED: frozenset[Ending] = frozenset({"unreadable", "not_planned", "refused", "not_edited"})
ResultT = TypeVar("ResultT")

_LABELS: dict[Language, tuple[str, str]] = {"en": ("source", "edited"), "zh": ("原图", "改后")}
_SMALLEST, _WIDEST, _TALLEST = 320, 900, 1200
_NARROWEST = 300  # what a label needs, whatever the picture
_MARGIN, _BAR, _LETTERS = 28, 56, 27
_PAPER, _INK, _FAINT, _LINE = "#faf7f2", "#2b2438", "#8d8699", "#d9d3c8"
_COLOURS = ("#e2725b", "#2f8f83")


@dataclass(frozen=True)
class Wish:
    """What a person asked for: the feeling, the words, the language, and where to stop."""

    target: PositiveEmotion | None = None
    captions: tuple[str, ...] = ()
    language: Language | None = None
    stop: Stop = "edited"


@dataclass(frozen=True)
class Done:
    """How one picture ended; `reused` where an earlier run had edited it."""

    source: Path
    ending: Ending
    reason: str = ""
    notes: tuple[str, ...] = ()
    reused: bool = False


@dataclass
class _Meme:
    """A picture, where its results go, and its plan so far."""

    source: Path
    places: Places
    plan: Plan

    def store(self, status: Status, **changed: Described | Proposed | Result | str | None) -> None:
        """Writes the plan with its new status and what else has changed in it."""
        update = {"status": status, "problem": None, **changed}
        self.plan = self.plan.model_copy(update=update)
        write_plan(self.places.plan, self.plan)

    def edit(self, editor: Editor) -> bool:
        """Stores stage 3, whose result lies in its places; whether an earlier run had made it."""
        key = self._key(editor)
        known = self.plan.edited
        if known and known.key == key and sha256_of(self.places.edited) == known.sha256:
            if not self.places.side_by_side.is_file():
                self._draw(read_image(self.places.edited))
            self.store("edited")
            return True
        made = editor.edit(self.plan.instruction(self.source))
        image = made.image.convert("RGB")
        data = png_bytes(image)
        write_bytes(self.places.edited, data)
        self._draw(image)
        digest, file = hashlib.sha256(data).hexdigest(), self.places.edited.name
        result = Result(editor=editor.name, key=key, file=file, sha256=digest, notes=made.notes)
        self.store("edited", edited=result)
        return False

    def fail(self, problem: str) -> None:
        """Stores why this goes no further, and takes away what an earlier plan made of it."""
        self.store("failed", problem=problem, edited=None)
        for path in (self.places.edited, self.places.side_by_side):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                what = f"cannot be removed ({error.strerror})"
                raise InputError(path, what, "It is of an earlier plan: remove it.") from error

    def _key(self, editor: Editor) -> str:
        """What an edit depends on: the source's content, all that the editor is told, and the
        editor; for edits that lie in a folder also the content there."""
        told = asdict(self.plan.instruction(self.source))
        del told["source"]
        whole = [RECIPE, self.plan.source.sha256, told, editor.name]
        if isinstance(editor, FolderEditor):
            whole.append(sha256_of(editor.edited_file(self.source)))
        return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()

    def _draw(self, edited: Image.Image) -> None:
        seen, wanted = self.plan.described, self.plan.proposed
        emotions = (seen.emotion if seen else None, wanted.target if wanted else None)
        sheet = side_by_side(read_image(self.source), edited, self.plan.language, *emotions)
        write_bytes(self.places.side_by_side, png_bytes(sheet))


@dataclass(frozen=True)
class Reappraisal:
    """Who edits and who plans, what was asked for, the plans given, and where results go. No
    editor is needed where the wish is to stop before the edit."""

    editor: Editor | None
    wish: Wish
    results: Mapping[Path, Places]
    asker: Asker | None = None
    plans: Mapping[Path, Plan] | None = None
    at_once: int = 4

    def run(self, report: Callable[[Done], None] = lambda done: None) -> list[Done]:
        """How each picture ended, in order, each reported as it ends; what fails for all raises."""
        places = asyncio.Semaphore(self.at_once)

        async def work(source: Path) -> Done:
            async with places:
                done = await self._one(source)
                report(done)
            return done

        async def everything() -> list[Done]:
            async with self.asker or nullcontext(), asyncio.TaskGroup() as group:
                tasks = [group.create_task(work(source)) for source in self.results]
            return [task.result() for task in tasks]

        try:
            return asyncio.run(everything())
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from errors

    async def _one(self, source: Path) -> Done:
        try:
            meme = await _in_thread(self._begin, source)
        except InputError as error:
            return Done(source, "unreadable", str(error))
        ending: Ending = "not_planned"
        try:
            await self._plan(meme)
            if self.editor is None or self.wish.stop != "edited":
                return Done(source, self.wish.stop)
            ending = "not_edited"
            reused = await _in_thread(meme.edit, self.editor)
        except HOPELESS:
            raise
        except DeadpanError as error:
            refused = isinstance(error, Refused) or getattr(error, "refused", False)
            meme.fail(str(error))
            return Done(source, "refused" if refused else ending, str(error))
        notes = meme.plan.edited.notes if meme.plan.edited else ()
        return Done(source, "edited", notes=notes, reused=reused)

    def _begin(self, source: Path) -> _Meme:
        """The meme with the plan given, or with one that holds what the wish already tells; a
        picture that cannot be read raises InputError."""
        read_image(source)
        wish, given, places = self.wish, (self.plans or {}).get(source), self.results[source]
        origin = Origin(file=source.name, sha256=content_sha256(source, "picture"))
        language = wish.language or ("zh" if has_chinese(*wish.captions) else "en")
        plan = given.with_seal() if given else Plan(source=origin, language=language)
        try:
            earlier = read_plan(places.plan).edited
        except InputError:
            earlier = None
        return _Meme(source, places, plan.model_copy(update={"edited": earlier or plan.edited}))

    async def _plan(self, meme: _Meme) -> None:
        """Has the stages made that are not there, up to where a person asked to stop."""
        wish, seen = self.wish, meme.plan.described
        if meme.plan.source.sha256 != sha256_of(meme.source):
            what = f"the plan was made for another {meme.source.name}"
            fix = "Have the plan made again, or put the picture back that it was made for."
            raise InputError(meme.source, what, fix)
        if self.plans is not None:
            stage: Status = "described" if seen else "new"
            meme.store("planned" if meme.plan.proposed else stage)
        if meme.plan.proposed is not None:
            return
        if self.asker is None:
            if self.plans is not None:
                what = "it has no plan, or one without its second stage (proposed)"
                raise InputError(meme.source, what, "Fill it in, or name a --model to make it.")
            proposed = Proposed(target=wish.target, captions=wish.captions).with_seal()
            meme.store("planned", proposed=proposed)
            return
        picture = await _in_thread(picture_for_model, meme.source)
        if seen is None:
            wishes = meme.plan.wishes("describe")
            seen, language = await describe(self.asker, picture, wish.language, wishes)
            meme.store("described", described=seen, language=language)
        if wish.stop != "described":
            language = meme.plan.language
            wishes = meme.plan.wishes("plan")
            proposed = await propose(self.asker, picture, seen, language, wish.target, wishes)
            meme.store("planned", proposed=proposed)


async def _in_thread(work: Callable[..., ResultT], *args: object) -> ResultT:
    # Given up on Ctrl-C: what it writes is written whole or not at all.
    return await anyio.to_thread.run_sync(work, *args, abandon_on_cancel=True)


def side_by_side(
    source: Image.Image,
    edited: Image.Image,
    language: Language = "en",
    emotion: str | None = None,
    target: str | None = None,
) -> Image.Image:
    """Both pictures on one sheet in one scale where they have one size; each is labelled with its
    emotion, and with its size where they differ."""
    small = [_scale(image) for image in (source, edited)]
    width = max(_NARROWEST, *(image.width for image in small))
    height = max(image.height for image in small)
    sheet = Image.new("RGB", (2 * width + 3 * _MARGIN, height + _BAR + 2 * _MARGIN), _PAPER)
    for place, image in enumerate(small):
        left = _MARGIN + place * (width + _MARGIN)
        top = _MARGIN + _BAR + (height - image.height) // 2
        sheet.paste(image, (left + (width - image.width) // 2, top))
        feeling = (emotion, target)[place]
        texts = (_LABELS[language][place], emotion_name(feeling, language) if feeling else "")
        size = times((source, edited)[place].size) if source.size != edited.size else ""
        _label(sheet, left, width, texts, size, _COLOURS[place])
    return sheet


def _scale(image: Image.Image) -> Image.Image:
    """The picture within the sheet's limits; a tiny one enlarged, so that it can be seen."""
    factor = min(_WIDEST / image.width, _TALLEST / image.height)
    if factor >= 1:
        factor = min(factor, max(1.0, _SMALLEST / max(image.size)))
    return resized(image, factor)


def _label(
    sheet: Image.Image, left: int, width: int, texts: tuple[str, str], size: str, colour: str
) -> None:
    """A heading above a picture: a mark, what the picture is, how it feels, and its size."""
    draw = ImageDraw.Draw(sheet)
    middle = _MARGIN + (_BAR - 26) // 2
    draw.rectangle((left, middle - 14, left + 6, middle + 13), fill=colour)
    x = left + 20.0
    for text, ink in zip(texts, (_INK, colour), strict=True):
        if text:
            face = lettering(_LETTERS, text)
            draw.text((x, middle), text, font=face, fill=ink, anchor="lm")
            x += face.getlength(text) + 14
    if size:
        face = lettering(_LETTERS - 8, size)
        if left + width - face.getlength(size) > x:
            draw.text((left + width, middle), size, font=face, fill=_FAINT, anchor="rm")
    line = _MARGIN + _BAR - 12
    draw.line((left, line, left + width, line), fill=_LINE, width=2)
