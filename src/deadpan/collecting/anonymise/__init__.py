"""Contributed chats made anonymous: metadata out of media, people out of texts, names at random, in
a new folder that appears whole or not at all."""

from __future__ import annotations

import hashlib
import json
import random
import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from deadpan.base.errors import InputError
from deadpan.base.files import is_folder, is_there, sha256_of, write_bytes
from deadpan.base.resources.storage import sync_file
from deadpan.collecting.anonymise.chats import clean_chat
from deadpan.collecting.anonymise.doubts import Doubts
from deadpan.collecting.anonymise.film import clean_film
from deadpan.collecting.anonymise.folder import new_folder
from deadpan.collecting.anonymise.pictures import clean_picture
from deadpan.collecting.anonymise.records import CleanLines, clean_lines, leftover_lines
from deadpan.collecting.anonymise.report import Flag, ModelCounts, Note, Removed, Report
from deadpan.collecting.anonymise.review import ReviewSheet
from deadpan.collecting.anonymise.screens import look_at, missing_parts
from deadpan.collecting.anonymise.sources import (
    BrokenMedia,
    Limits,
    MediaKind,
    Problem,
    Source,
    Sources,
    found_sources,
)

if TYPE_CHECKING:
    from deadpan.collecting.anonymise.second_look import ModelLook
    from deadpan.engine.asker import Asker

_MIX = random.SystemRandom()
Progress = Callable[[int, int], None]  # how many files are done, and of how many


@dataclass
class _Run:
    sources: Sources
    limits: Limits
    folder: Path
    report: Report
    sheet: ReviewSheet | None = None
    second: ModelLook | None = None
    looks: bool = True
    new_names: dict[Path, str] = field(default_factory=dict)
    left_out: set[Path] = field(default_factory=set)  # by decision

    def media(self, source: Source, kind: MediaKind) -> None:
        name = secrets.token_hex(16) + (".jpg" if kind == "jpeg" else f".{kind}")
        target = self.folder / name
        self.report.media_read += 1
        try:
            if kind == "mp4":
                removed = clean_film(source.path, target)
                sync_file(target)
            else:
                data = _read(source.path)
                picture = clean_picture(kind, data)
                if not self._may_stay(source, data):
                    self.left_out.add(source.path)
                    what = "left out, as the review sheet has it"
                    self.report.notes.append(Note(where=source.shown, what=what))
                    return
                removed = picture.removed
                write_bytes(target, picture.data)
                if target.read_bytes() != picture.data:
                    raise BrokenMedia("what was written is not what was meant")
                if picture.note:
                    self.report.notes.append(Note(where=source.shown, what=picture.note))
        except BrokenMedia:
            target.unlink(missing_ok=True)
            raise
        self.new_names[source.path] = name
        self.report.media_written += 1
        self.report.removed += [
            Removed(where=source.shown, kind=piece, count=count)
            for piece, count in sorted(removed.items())
        ]

    def file(self, source: Source) -> None:
        """Cleans and writes a file of any kind."""
        if source.kind == "records" or source.kind == "chat":
            self.records(source)
        else:
            self.media(source, source.kind)

    def _may_stay(self, source: Source, data: bytes) -> bool:
        """Whether a picture stays, once what it shows was flagged."""
        stays = True
        for flag in look_at(data, source.shown).flags if self.looks else ():
            told = Flag(where=source.shown, may_be=flag.may_be, what=flag.what)
            self.report.flags.append(told)
            if self.sheet and not self.sheet.picture(source.shown, flag):
                stays = False
        return stays

    def cleaned(self, source: Source) -> CleanLines:
        """The records of a file, anonymous."""

        def new_name(text: str) -> str | None:
            named = self.sources.find(text, source.path.parent)
            if named and named.path in self.left_out:
                return ""
            return self.new_names.get(named.path) if named else None

        doubts, data = Doubts(source.shown, "", self.sheet, self.second), _read(source.path)
        if source.kind == "chat":
            return clean_chat(source, data, new_name, doubts)
        return clean_lines(source, data, new_name, self.limits.record, doubts)

    def records(self, source: Source) -> None:
        result = self.cleaned(source)
        if result.passed_over:
            several = result.passed_over > 1
            are = "lines are no messages, and were" if several else "line is no message, and was"
            what = f"{result.passed_over} {are} left out"
            self.report.notes.append(Note(where=source.shown, what=what))
        self.report.notes += [
            Note(where=where, what="left out, as a picture of it is") for where in result.without
        ]
        self.report.records_read += result.read
        self.report.problems += result.problems
        self.report.replaced += result.replaced
        if not result.records:
            return
        lines = [json.dumps(record, ensure_ascii=False) for record in result.records]
        _MIX.shuffle(lines)
        target = self.folder / (secrets.token_hex(16) + ".jsonl")
        write_bytes(target, "".join(f"{line}\n" for line in lines).encode())
        left = leftover_lines(target.read_bytes(), frozenset(self.new_names.values()))
        if left:
            what = f"{left} record{'s' if left > 1 else ''} would not be anonymous"
            raise InputError(source.shown, what, "Nothing was written.")
        self.report.records_written += len(lines)


@dataclass(frozen=True)
class Options:
    """Limits on sizes, the review sheet, a model that looks again, whether pictures are looked at,
    and the report of an earlier call, whose output may be replaced."""

    limits: Limits = field(default_factory=Limits)
    review: Path | None = None
    asker: Asker | None = None
    looks: bool = True
    earlier: Path | None = None


def anonymise(
    source: Path,
    out: Path,
    limits: Limits | None = None,
    progress: Progress | None = None,
    options: Options | None = None,
) -> Report:
    """Writes the anonymous copy of a folder or file to `out`; what was left out is in the report.
    The input is never touched. `out` must be new or empty, or with a review sheet as an earlier
    call left it, and is not made when nothing is left."""
    chosen = options or Options()
    limits = limits or chosen.limits
    _check_out(source, out, chosen)
    sheet = ReviewSheet(chosen.review) if chosen.review else None
    second = _model_look(chosen.asker) if chosen.asker else None
    sources = found_sources(source, limits)
    with new_folder(out) as folder:
        report = Report(problems=sources.problems)
        report.not_looked_for = missing_parts() if chosen.looks else []
        run = _Run(sources, limits, folder, report, sheet, second, chosen.looks)
        files = list(sources.files.values())
        _MIX.shuffle(files)
        # Records come last: they take over the new names of what they refer to.
        files.sort(key=_is_text)
        texts = [one for one in files if _is_text(one)]
        for done, one in enumerate(files, 1):
            if second and texts and one is texts[0]:
                _look_again(run, second, texts)
            try:
                run.file(one)
            except BrokenMedia as error:
                fix = "Mend it or take it out."
                report.problems.append(Problem(where=one.shown, what=str(error), fix=fix))
            if progress:
                progress(done, len(files))
        for listed in (report.removed, report.notes, report.flags):
            listed.sort(key=attrgetter("where"))
        if sheet:
            sheet.check()
            report.undecided = sheet.undecided
        report.output = _fingerprint(folder)
    if sheet:
        sheet.write()
    return report


def _model_look(asker: Asker) -> ModelLook:
    from deadpan.collecting.anonymise.second_look import ModelLook

    return ModelLook(asker)


def _is_text(source: Source) -> bool:
    return source.kind in ("records", "chat")


def _look_again(run: _Run, second: ModelLook, texts: Iterable[Source]) -> None:
    """Has a model read all texts, as the rules left them."""
    for one in texts:
        with suppress(BrokenMedia):  # told of when it is cleaned
            run.cleaned(one)
    second.ask()
    run.report.model = ModelCounts(
        asked=second.asked,
        unanswered=second.unanswered,
        dropped=second.dropped,
        reason=second.reason,
    )


def _check_out(source: Path, out: Path, options: Options) -> None:
    filled = is_there(out) and (not is_folder(out) or any(out.iterdir()))
    if filled and not out.is_symlink() and _earlier_output(out, options):
        if _earlier_output(out, options) != _fingerprint(out):
            what = "was changed since the last call wrote it"
            fix = "Move it away to keep the changes, or delete it; the call writes it anew."
            raise InputError(out, what, fix)
    elif out.is_symlink() or filled:
        raise InputError(out, "exists and is not an empty folder", "Name a new folder.")
    if options.review and options.review.resolve().is_relative_to(out.resolve()):
        fix = "It quotes the input: keep it apart."
        raise InputError(options.review, "the sheet would lie in the output", fix)
    if is_folder(source) and out.resolve().is_relative_to(source.resolve()):
        raise InputError(out, "lies inside the input", "Name a folder outside of it.")


def _earlier_output(out: Path, options: Options) -> str:
    """The fingerprint of what an earlier call wrote there, which decisions may change; '' else."""
    if not (options.review and options.earlier and is_there(options.earlier) and is_folder(out)):
        return ""
    try:
        return Report.model_validate_json(options.earlier.read_bytes()).output
    except (OSError, ValidationError):
        return ""


def _fingerprint(folder: Path) -> str:
    """A checksum of the names and contents of a folder's files."""
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        digest.update(f"{path.name} {sha256_of(path) if path.is_file() else 'no file'}\n".encode())
    return digest.hexdigest()


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BrokenMedia(f"cannot be read ({error.strerror})") from None
