"""MER-Bench's studies of edited memes: rated in eight dimensions, or chosen between."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations, islice
from os.path import isfile
from pathlib import Path
from random import Random

from deadpan.base.errors import DeadpanError
from deadpan.base.files import is_within
from deadpan.benchmarks.merbench.edits import (
    EDITED,
    EditedPicture,
    folder_of,
    original,
)
from deadpan.benchmarks.merbench.records import Meme
from deadpan.benchmarks.merbench.studies.memes import meme_item, picture, source_picture, target
from deadpan.core.answers import Answers
from deadpan.core.study.files import read_study
from deadpan.core.study.items import Output, Part, StudyItem
from deadpan.core.study.making import (
    first_epochs,
    notes_on,
    results_of,
    shuffled,
    with_checks,
    with_people,
)
from deadpan.core.study.specification import Study
from deadpan.core.study.templates import MadeStudy, StudySource
from deadpan.media.images import probe_image

FOLDER = Path(__file__).parent
UNCHANGED = "unchanged source"
"""Who made an edit that is none: what checks show."""
_NO_SHIFT = {"PES": 1}
_Edits = Mapping[tuple[str, str], EditedPicture]
"""By meme and model."""


def make_validation(source: StudySource) -> MadeStudy:
    """Random edits of all models, each beside its source and target."""
    rng, folder = Random(source.seed), folder_of(source.dataset)
    memes, edits = edits_of(source)
    wanted = shuffled(rng, edits)
    size = source.number("sample") or len(wanted)
    found = islice((key for key in wanted if is_same(edits[key])), size)
    items = [
        shown_meme(memes[item], folder, outputs=(edit_output(model, edits[item, model]),))
        for item, model in found
    ]
    _require(items)
    names = list(dict.fromkeys(item.key for item in items))
    checked = rng.sample(names, min(source.number("checks"), len(names)))
    checks = [_check(memes[name], folder) for name in checked]
    study = with_checks(_read("validation", source), len(items), len(checks))
    return MadeStudy(study, [*items, *checks], [*notes_on(items)])


def make_outputs(source: StudySource) -> MadeStudy:
    """Memes with the edits of two models, each pair of models about as often."""
    rng, folder = Random(source.seed), folder_of(source.dataset)
    memes, edits = edits_of(source)
    by_meme: dict[str, list[str]] = {}
    for item, model in edits:
        by_meme.setdefault(item, []).append(model)
    pairs = _pairs(rng, by_meme, edits)
    size = source.number("sample") or len(by_meme)
    items = [
        shown_meme(
            memes[item], folder, outputs=[edit_output(one, edits[item, one]) for one in models]
        )
        for item, models in islice(pairs, size)
    ]
    _require(items, "by two models")
    return MadeStudy(_read("outputs", source), items, [*notes_on(items)])


def _pairs(
    rng: Random, by_meme: Mapping[str, list[str]], edits: _Edits
) -> Iterator[tuple[str, list[str]]]:
    """Memes in an order of chance, each with the two models that were taken least so far, in an
    order of chance."""
    taken: Counter[tuple[str, str]] = Counter()
    for item in shuffled(rng, by_meme):
        usable = [model for model in sorted(by_meme[item]) if is_same(edits[item, model])]
        if len(usable) > 1:
            pairs = shuffled(rng, combinations(usable, 2))
            pair = min(pairs, key=taken.__getitem__)
            taken[pair] += 1
            yield item, shuffled(rng, pair)


def edits_of(source: StudySource) -> tuple[dict[str, Meme], dict[tuple[str, str], EditedPicture]]:
    """The memes by name, and what models made of them, as the results tell."""
    memes = {meme.id: meme for meme in source.dataset.records}
    return memes, _edits(results_of(source, "merbench"), memes, folder_of(source.dataset))


def _edits(
    answers: Answers, memes: Mapping[str, Meme], folder: Path
) -> dict[tuple[str, str], EditedPicture]:
    found: dict[tuple[str, str], EditedPicture] = {}
    for model in answers.models:
        # The tasks are variants of the judge, and share the edits.
        for own in answers.of(model).values():
            for item, answer in first_epochs(own).items():
                edit = EditedPicture.model_validate(answer.parsed)
                if item in memes and (placed := _placed(edit, folder, model, memes[item])):
                    found.setdefault((item, model), placed)
    return found


def _placed(edit: EditedPicture, folder: Path, model: str, meme: Meme) -> EditedPicture | None:
    """An edit where it lies: where the results say, else among the data's own edits, as for results
    that were made from another folder, or of judgements, which name no picture."""
    named = edit if edit.path and edit.sha256 else None
    among = folder / EDITED
    there = among / model / meme.gen_id
    if (named is None or not isfile(named.path)) and is_within(there, among) and isfile(there):
        return EditedPicture(path=str(there), sha256=named.sha256 if named else "")
    return named


def is_same(edit: EditedPicture) -> bool:
    """Whether the file is the very picture of the results, or the data's own where they name none.
    A table may come from a stranger: no other file of the user's is shown to raters."""
    looked = probe_image(Path(edit.path))
    if looked is None or looked.problem is not None:
        return False
    return not edit.sha256 or edit.sha256 == looked.sha256


def edit_output(model: str, edit: EditedPicture) -> Output:
    """An edit to rate or to choose; whose it is is sealed."""
    return Output(source=model, parts=(edited(edit),))


def edited(edit: EditedPicture) -> Part:
    """The edited picture, in a form that does not tell whose it is, also where it is no output."""
    return picture("edited", edit.path).model_copy(update={"sealed": True})


def shown_meme(meme: Meme, folder: Path, *more: Part, **fields: object) -> StudyItem:
    """The source and the target, and what else is shown."""
    return meme_item(meme, (source_picture(meme, folder), target(meme), *more), **fields)


def _check(meme: Meme, folder: Path) -> StudyItem:
    """The source beside itself: nothing has moved."""
    output = Output(source=UNCHANGED, parts=(picture("edited", original(folder, meme)),))
    return shown_meme(meme, folder, outputs=(output,), kind="check", gold=_NO_SHIFT)


def _read(name: str, source: StudySource) -> Study:
    return with_people(read_study(FOLDER / f"{name}.yaml"), source.number("people"))


def _require(items: list[StudyItem], more: str = "") -> None:
    if not items:
        raise DeadpanError(
            f"the results hold no edited picture {more}".rstrip()
            + f" that is there and is the one they name, nor does --data in {EDITED}/; give --data "
            "the folder with the edits, or score them again: deadpan score merbench --edits DIR "
            "--table FILE"
        )
