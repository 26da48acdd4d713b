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
from deadpan.benchmarks.merbench.records import EMOTION, TAXONOMY, Meme
from deadpan.benchmarks.merbench.studies.gold import KEPT
from deadpan.benchmarks.merbench.studies.memes import (
    CandidateMeme,
    emotion,
    meme_item,
    picture,
    source_picture,
    target,
    text,
)
from deadpan.benchmarks.merbench.studies.piloting import Pilot, read_pilot
from deadpan.core.questions import Language
from deadpan.core.study.choice_questions import Single
from deadpan.core.study.files import read_study
from deadpan.core.study.items import Part, StudyItem
from deadpan.core.study.making import changed, draw, notes_on, with_people, with_stages
from deadpan.core.study.specification import Study
from deadpan.core.study.stages import Stage
from deadpan.core.study.templates import MadeStudy, StudySource
from deadpan.core.study.words import Words, in_language

FOLDER = Path(__file__).parent
LABELS = (EMOTION, *TAXONOMY)
"""What is asked of a meme that its record tells too."""
NO_EDITS = "none"


def make_construction(source: StudySource) -> MadeStudy:
    """The memes of the pilot; or all others, with memes of the pilot to practise on."""
    folder, phase = folder_of(source.dataset), source.settings["phase"]
    study = with_people(read_study(FOLDER / "construction.yaml"), source.number("people"))
    if phase == "label":
        return _label_phase(source, study, folder)
    if source.settings["pilot"]:
        raise DeadpanError("--set pilot: it is what `label` follows on; add --set phase=label")
    pilot = draw(Random(source.seed), source.dataset.records, source.number("sample"), _emotion)
    items = [_labelled(meme, folder) for meme in pilot]
    return _made(changed(study, practice=None), items)


def _label_phase(source: StudySource, study: Study, folder: Path) -> MadeStudy:
    """The memes that the pilot lacks, and some of its own to practise on. A pilot that is given
    tells its words and what its memes were resolved to; else the data tells their labels."""
    rng, notes = Random(source.seed), list[str]()
    told = {stage.name: stage.guidelines for stage in study.stages}
    memes: Sequence[Meme] = source.dataset.records
    if named := source.settings["pilot"]:
        pilot = read_pilot(Path(named), LABELS)
        found, labels = pilot.memes, dict(pilot.labels)
        study = _resolved(pilot.study, study)
        notes += _pilot_notes(pilot, memes)
    elif any(isinstance(meme, CandidateMeme) for meme in memes):
        raise DeadpanError("--set phase=label: nobody has labelled these memes; name the pilot")
    else:
        drawn = draw(rng, memes, source.number("sample"), _emotion)
        found = frozenset(meme.id for meme in drawn)
        labels = {meme.id: {name: str(getattr(meme, name)) for name in LABELS} for meme in drawn}
    rest = [meme for meme in memes if meme.id not in found]
    if not rest:
        held, size = count_noun(len(memes), "meme"), source.settings["sample"]
        what = f"--set pilot={named}" if named else f"--set sample={size}"
        fix = "give other data" if named else "give the pilot's own sample, or the pilot"
        raise DeadpanError(f"{what}: the pilot has all {held}, and none is left to label; {fix}")
    known = [meme for meme in memes if meme.id in labels]
    wanted = source.number("practice")
    practised = draw(rng, known, wanted, lambda meme: labels[meme.id][EMOTION]) if wanted else []
    items = [_practised(meme, folder, labels[meme.id], study) for meme in practised]
    items += [_labelled(meme, folder) for meme in rest]
    bare = with_stages(study, lambda stage: changed(stage, opinions=False, **_told(stage, told)))
    kept = bare.practice if practised else None
    return _made(changed(bare, name="merbench-labels", practice=kept), items, notes)


def _told(stage: Stage, pilots: Mapping[str, Words]) -> Mapping[str, Words]:
    """The guidelines of a stage without what they tell of the pilot alone."""
    found: Words = {}
    for language, told in stage.guidelines.items():
        shipped = pilots.get(stage.name, {}).get(language, "").strip()
        heading = shipped.partition("\n")[0]
        lines = (told.replace(shipped, "") if shipped else told).splitlines()
        if kept := "\n".join(line for line in lines if not heading or line != heading).strip():
            found[language] = f"{kept}\n"
    return {"guidelines": found}


def _resolved(pilot: Study, study: Study) -> Study:
    """The study in the words that the pilot had in the end."""
    people = {stage.name: stage.people for stage in study.stages}
    worded = with_stages(pilot, lambda stage: changed(stage, people=people.get(stage.name, 1)))
    return changed(worded, practice=study.practice, recruiting=None)


def _pilot_notes(pilot: Pilot, memes: Sequence[Meme]) -> Iterator[str]:
    """What is worth knowing of a pilot: memes that nobody resolved, or that the data lacks."""
    there = {meme.id for meme in memes}
    if lacking := len(pilot.memes - there):
        yield f"{count_noun(lacking, 'meme')} of the pilot are not in the data"
    if not pilot.labels.keys() & there:
        yield "no meme of the pilot is settled: there is no practice"
    elif unsettled := len(pilot.memes) - len(pilot.labels):
        left = count_noun(unsettled, "meme")
        yield f"{left} of the pilot are not settled: they are neither practised on nor labelled"


def _labelled(meme: Meme, folder: Path) -> StudyItem:
    return meme_item(meme, _source(meme, folder), attributes={})


def _practised(meme: Meme, folder: Path, labels: Mapping[str, str], study: Study) -> StudyItem:
    """A meme to practise on, with its labels in words for feedback."""
    parts = _source(meme, folder)
    said = {language: _in_words(labels, study, language) for language in study.languages}
    feedback = {
        language: f"按指南应为：{'；'.join(words)}。"
        if language == "zh"
        else f"By the guidelines: {'; '.join(words)}."
        for language, words in said.items()
    }
    about = {"attributes": {}, "kind": "practice", "gold": labels, "feedback": feedback}
    return meme_item(meme, parts, **about)


def _in_words(labels: Mapping[str, str], study: Study, language: Language) -> list[str]:
    """Labels as the study's options call them."""
    found = []
    for name, value in labels.items():
        question = study.stages[0].question(name)
        options = question.options if isinstance(question, Single) else ()
        title = next((one.title for one in options if one.value == value), {})
        found.append(in_language(title, language) or value)
    return found


def make_stages(source: StudySource) -> MadeStudy:
    """Memes with what was drafted of them, and the edited picture where the data has one."""
    rng, folder = Random(source.seed), folder_of(source.dataset)
    drafted = [meme for meme in source.dataset.records if _is_drafted(meme)]
    if not drafted:
        raise DeadpanError("no meme has a draft that could be verified: have a model draft them")
    memes = draw(rng, drafted, source.number("sample"), _emotion)
    study = with_people(read_study(FOLDER / "stages.yaml"), source.number("people"))
    editor, notes = _editor(folder, source.settings["edits"])
    if bare := len(source.dataset.records) - len(drafted):
        notes.append(f"{count_noun(bare, 'meme')} left out: there is no draft to verify")
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
    yield emotion("emotion", meme.det_emo)
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
    """The emotion that a meme is known to have; empty of one that nobody has looked at."""
    return getattr(meme, EMOTION, "")


def _is_drafted(meme: Meme) -> bool:
    return all(hasattr(meme, name) for name in Meme.model_fields)


def _made(study: Study, items: Sequence[StudyItem], notes: Sequence[str] = ()) -> MadeStudy:
    return MadeStudy(study, items, [*notes, *notes_on(items)])
