"""MER-Bench's studies of the data: what a meme is, labelled from a pilot on, and three stages of
its making, each verified."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError
from deadpan.base.files import is_folder
from deadpan.benchmarks.merbench.edits import EDITED, folder_of, read_edits
from deadpan.benchmarks.merbench.records import EMOTION, TAXONOMY, Meme, emotion_word
from deadpan.benchmarks.merbench.studies.gold import KEPT
from deadpan.benchmarks.merbench.studies.memes import (
    meme_item,
    picture,
    source_picture,
    target,
    text,
)
from deadpan.core.study.files import read_study
from deadpan.core.study.items import Part, StudyItem
from deadpan.core.study.making import changed, draw, notes_on, with_people, with_stages
from deadpan.core.study.specification import Study
from deadpan.core.study.templates import MadeStudy, StudySource
from deadpan.core.study.words import Words

FOLDER = Path(__file__).parent
LABELS = (EMOTION, *TAXONOMY)
"""What is asked of a meme that its record tells too."""
NO_EDITS = "none"


def make_construction(source: StudySource) -> MadeStudy:
    """The memes of the pilot; or all others, with memes of the pilot to practise on."""
    rng, folder = Random(source.seed), folder_of(source.dataset)
    memes: Sequence[Meme] = source.dataset.records
    size = source.number("sample")
    pilot = draw(rng, memes, size, _emotion)
    study = with_people(read_study(FOLDER / "construction.yaml"), source.number("people"))
    if source.settings["phase"] == "find":
        items = [_labelled(meme, folder) for meme in pilot]
        return _made(changed(study, practice=None), items)
    found = set(pilot)
    rest = [meme for meme in memes if meme not in found]
    if not rest:
        held = count_noun(len(memes), "meme")
        raise DeadpanError(
            f"--set sample={size}: the pilot has all {held}, and none is left to label; "
            "give the pilot's own sample"
        )
    wanted = source.number("practice")
    practised = draw(rng, pilot, wanted, _emotion) if wanted else []
    items = [_labelled(meme, folder, "practice") for meme in practised]
    items += [_labelled(meme, folder) for meme in rest]
    study = with_stages(study, lambda stage: changed(stage, opinions=False))
    return _made(study if practised else changed(study, practice=None), items)


def _labelled(meme: Meme, folder: Path, kind: str = "main") -> StudyItem:
    parts = _source(meme, folder)
    if kind == "main":
        return meme_item(meme, parts, attributes={})
    gold = {name: str(getattr(meme, name)) for name in LABELS}
    return meme_item(meme, parts, attributes={}, kind=kind, gold=gold, feedback=_reference(meme))


def _reference(meme: Meme) -> Words:
    """What is said after practice."""
    taxonomy = ", ".join(str(getattr(meme, name)) for name in TAXONOMY)
    return {
        "en": f"By the guidelines: {meme.det_emo}; {taxonomy}.",
        "zh": f"按指南应为：{emotion_word(meme.det_emo, 'zh')}；{taxonomy}。",
    }


def make_stages(source: StudySource) -> MadeStudy:
    """Memes with what was drafted of them, and the edited picture where the data has one."""
    rng, folder = Random(source.seed), folder_of(source.dataset)
    memes = draw(rng, source.dataset.records, source.number("sample"), _emotion)
    study = with_people(read_study(FOLDER / "stages.yaml"), source.number("people"))
    editor, notes = _editor(folder, source.settings["edits"])
    if editor is None:
        stages = [stage for stage in study.stages if stage.name != "edit"]
        items = [_staged(meme, folder) for meme in memes]
        return _made(changed(study, stages=stages), items, notes)
    made = read_edits(folder, memes, [editor])[editor].found
    items = [
        _staged(
            meme,
            folder,
            picture("edited", made[meme.id].path, meme.new_caption),
            draft_by=editor,
        )
        for meme in memes
        if meme.id in made
    ]
    if lacking := len(memes) - len(items):
        notes.append(f"{count_noun(lacking, 'meme')} left out: no usable edit by {editor}")
    return _made(study, items, notes)


def _staged(meme: Meme, folder: Path, *more: Part, **fields: str) -> StudyItem:
    """A meme with what was drafted of it, as it is shown and as it is begun with."""
    kept = {name: str(getattr(meme, name)) for name in KEPT}
    parts = (*_drafted(meme, folder), *more)
    return meme_item(meme, parts, attributes=kept, draft=_draft(meme), **fields)


def _editor(folder: Path, named: str) -> tuple[str | None, list[str]]:
    """Whose edits the third stage verifies, None for nobody's, and what to know of that."""
    place = folder / EDITED
    inside = sorted(place.iterdir()) if is_folder(place) else []
    there = [path.name for path in inside if path.is_dir() and path.name[0] != "."]
    if named == NO_EDITS or (not named and not there):
        return None, ["there is no third stage: no edited pictures are given"]
    if named:
        return named, []
    others = ", ".join(there[1:])
    more = f"; --set edits= takes those of {others}" if others else ""
    return there[0], [f"the edits are those in {EDITED}/{there[0]}{more}"]


def _source(meme: Meme, folder: Path) -> tuple[Part, ...]:
    shown = source_picture(meme, folder)
    return (shown, text("caption", meme.caption)) if meme.caption else (shown,)


def _drafted(meme: Meme, folder: Path) -> Iterator[Part]:
    """The source, and what was made of it in the first two stages."""
    yield from _source(meme, folder)
    yield text("emotion", emotion_word(meme.det_emo, meme.language))
    yield text("description", meme.img_desc.strip())
    yield target(meme)
    yield text("new_caption", meme.new_caption)
    yield text("specification", meme.spec.strip())


def _draft(meme: Meme) -> Mapping[str, str]:
    """What people begin with where they revise."""
    texts = {"img_desc": meme.img_desc, "pos_txt": meme.new_caption, "spec": meme.spec}
    emotions = {"det_emo": meme.det_emo, "tgt_emo": meme.tgt_emo}
    return emotions | {name: words.strip() for name, words in texts.items() if words.strip()}


def _emotion(meme: Meme) -> str:
    return meme.det_emo


def _made(study: Study, items: Sequence[StudyItem], notes: Sequence[str] = ()) -> MadeStudy:
    return MadeStudy(study, items, [*notes, *notes_on(items)])
