"""The released folder, index_final.json, Original/ and EditedResults/<model>/: its memes, and the
edited pictures as answers, `{"path": …, "sha256": …}`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from deadpan.base.errors import InputError
from deadpan.base.files import is_folder, is_within, list_folder, require_file
from deadpan.benchmarks.merbench.records import INDEX, SUFFIXES, Meme, read_memes
from deadpan.core.capabilities import Predictions
from deadpan.core.dataset import Dataset
from deadpan.core.outcomes import NO_ANSWER, NOT_ASKED
from deadpan.core.questions import Grade, Reply
from deadpan.core.score import Score
from deadpan.core.signature import Signature, checksum
from deadpan.media.images import ImageProbe, probe_image
from deadpan.parsing.replies import Unparseable, grade_reply

MINI_SET = Path(__file__).parent / "data"
ORIGINAL = "Original"
EDITED = "EditedResults"
MAIN = "reappraisal"
"""The task that edits answer where none is named."""
VERSION = 3
"""Of the tasks, which differ in the judge's prompt alone."""
_MINI_ORIGIN = "mini-set"
_DATA_HINT = f"Give --data a folder with {INDEX} and {ORIGINAL}/, or leave it out for the mini-set."
_LINK_HINT = "Put the file itself there; links are followed inside the folder only."
_EDITS_HINT = "Give a folder with one folder of edited pictures for each model."


def read_dataset(data: Path | None) -> Dataset[Meme]:
    """The memes of a data folder, or of the mini-set; pictures are not looked at."""
    folder = data or MINI_SET
    require_file(folder / INDEX, _DATA_HINT)
    memes, anomalies = read_memes(folder)
    sources = [original(folder, meme) for meme in memes]
    _require_contained(sources, folder)
    identity = checksum([meme.model_dump() for meme in memes])
    origin, media = _MINI_ORIGIN if data is None else str(data), tuple(map(str, sources))
    return Dataset(memes, origin, identity, anomalies, media)


def folder_of(dataset: Dataset[Meme]) -> Path:
    """The folder a data set was read from."""
    return MINI_SET if dataset.origin == _MINI_ORIGIN else Path(dataset.origin)


def original(folder: Path, meme: Meme) -> Path:
    """Where a meme's source picture should be."""
    return folder / ORIGINAL / meme.id


def _require_contained(paths: Iterable[Path], folder: Path) -> None:
    for path in paths:
        if not is_within(path, folder):
            raise InputError(path, f"leads out of {folder}", _LINK_HINT)


def probe_pictures(paths: Iterable[Path]) -> list[ImageProbe | None]:
    """What each picture file turned out to be, in order; None without a file."""
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        return list(pool.map(probe_image, paths))


class EditedPicture(BaseModel):
    """Where an edited picture lies and what it was when it was made: an answer."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    path: str
    sha256: str


def edited_picture(text: str) -> EditedPicture:
    """The picture an answer names; raises Unparseable where it names none."""
    try:
        return EditedPicture.model_validate_json(text)
    except ValidationError:
        raise Unparseable('the answer is no edited picture ({"path": …, "sha256": …})') from None


def picture_grade(reply: Reply) -> Grade:
    """Answered where the file is a picture that can be read whole and is the one it was; invalid
    where it cannot be read, failed where it is gone or another by now."""
    grade = grade_reply(reply, lambda text: edited_picture(text).model_dump())
    if grade.outcome != "answered":
        return grade
    picture = EditedPicture.model_validate(grade.parsed)
    looked = probe_image(Path(picture.path))
    if looked is None:
        return Grade(outcome="failed", reason=f"there is no edited picture at {picture.path}")
    if looked.problem is not None:
        return Grade(outcome="invalid", reason=f"the edited picture: {looked.problem}")
    if looked.sha256 != picture.sha256:
        return Grade(outcome="failed", reason=f"{picture.path} has changed since it was made")
    return grade


@dataclass(frozen=True)
class ModelEdits:
    """What one model's folder holds, by meme."""

    model: str
    found: Mapping[str, EditedPicture]
    missing: tuple[str, ...]
    unreadable: Mapping[str, tuple[str, str]]
    """Path and reason."""
    renamed: tuple[str, ...]
    """Files used though their name has another ending than the meme's."""
    strays: tuple[str, ...]
    """Files that belong to no meme, or to one that has several."""

    @property
    def wrongly_named(self) -> tuple[str, ...]:
        """Every file that is not named as released."""
        return tuple(sorted((*self.renamed, *self.strays)))


def read_edits(
    folder: Path, memes: Iterable[Meme], models: Sequence[str] | None = None
) -> dict[str, ModelEdits]:
    """The edited pictures of the models named, else of every model there is a folder for. `folder`
    holds the models' folders, or is a data folder with EditedResults/; a link out of it raises."""
    place = folder / EDITED if is_folder(folder / EDITED) else folder
    try:
        inside = sorted(place.iterdir())
    except OSError as error:
        raise InputError(place, f"cannot be read ({error.strerror})", _EDITS_HINT) from None
    there = {path.name: path for path in inside if path.is_dir() and path.name[0] != "."}
    if not there:
        raise InputError(place, "holds no model's folder", _EDITS_HINT)
    chosen = list(dict.fromkeys(models or there))
    if unknown := [name for name in chosen if name not in there]:
        what = f"no folder of edited pictures by {unknown[0]}"
        raise InputError(place, what, f"Expected one of {', '.join(there)}.")
    for name in chosen:
        _require_contained(there[name].iterdir(), folder)
    wanted = list(memes)
    return {name: _model_edits(name, there[name], wanted) for name in chosen}


def _model_edits(model: str, folder: Path, memes: Sequence[Meme]) -> ModelEdits:
    names = {path.name for path in list_folder(folder) if path.is_file() and path.name[0] != "."}
    files, renamed = _named(names, memes)
    found, unreadable = {}, {}
    looks = probe_pictures(folder / name for name in files.values())
    for (meme, name), looked in zip(files.items(), looks, strict=True):
        path = str(folder / name)
        if looked is not None and looked.problem is None:
            found[meme] = EditedPicture(path=path, sha256=looked.sha256)
        else:
            unreadable[meme] = (path, looked.problem or "" if looked else "the file is gone")
    return ModelEdits(
        model=model,
        found=found,
        missing=tuple(meme.id for meme in memes if meme.id not in files),
        unreadable=unreadable,
        renamed=tuple(renamed),
        strays=tuple(sorted(names - set(files.values()))),
    )


def _named(names: set[str], memes: Sequence[Meme]) -> tuple[dict[str, str], list[str]]:
    """Which file is which meme's, and those with another ending. The exact name goes first; else
    the one picture of the same stem that no other meme claims; of several none is chosen."""
    by_stem: dict[str, list[str]] = {}
    for name in sorted(names - {meme.gen_id for meme in memes}):
        if Path(name).suffix.casefold() in SUFFIXES:
            by_stem.setdefault(Path(name).stem, []).append(name)
    files: dict[str, str] = {}
    renamed: list[str] = []
    for meme in memes:
        alike = by_stem.get(Path(meme.gen_id).stem, [])
        if meme.gen_id in names:
            files[meme.id] = meme.gen_id
        elif len(alike) == 1:
            files[meme.id] = alike[0]
            renamed.append(alike[0])
    return files, renamed


def edits_predictions(
    edits: Mapping[str, ModelEdits], dataset: Dataset[Meme], tasks: Sequence[str] = (MAIN,)
) -> dict[str, Predictions]:
    """What each model made of each meme, as answers to the tasks named. A missing edit is a failed
    answer, and so is one of a meme whose source cannot be shown; an unreadable one is invalid."""
    place = folder_of(dataset)
    found = {}
    for model, made in edits.items():
        replies = {meme.id: _reply(meme, made, place) for meme in dataset.records}
        found[model] = Predictions(dict.fromkeys(tasks, replies), made.strays)
    return found


def _reply(meme: Meme, edits: ModelEdits, place: Path) -> Reply:
    edit = edits.found.get(meme.id)
    if meme.id in edits.unreadable:
        path, _ = edits.unreadable[meme.id]
        looked = probe_image(Path(path))
        edit = EditedPicture(path=path, sha256=looked.sha256 if looked else "")
    elif edit is None:
        return Reply(error=f"{NO_ANSWER}: {edits.model} has no edited picture {meme.gen_id}")
    else:
        source = probe_image(original(place, meme))
        if source is None or source.problem is not None:
            why = source.problem if source else "there is no such picture"
            return Reply(error=f"{NOT_ASKED}: source {meme.id}: {why}")
    return Reply(text=edit.model_dump_json())


def edit_scores(edits: Mapping[str, ModelEdits], dataset: Dataset[Meme]) -> list[Score]:
    """How many edits each model's folder holds, lacks, has broken and has under other names."""
    n = len(dataset.records)
    signature = str(Signature("merbench", "edits", "1", n, dataset.checksum, prompts="none"))
    return [
        Score(model=model, task="edits", metric=name, value=len(of), n=n, signature=signature)
        for model, made in edits.items()
        for name, of in (
            ("usable_outputs", made.found),
            ("missing_outputs", made.missing),
            ("unreadable_outputs", made.unreadable),
            ("wrongly_named_outputs", made.wrongly_named),
        )
    ]
