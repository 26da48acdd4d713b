"""CFMS's studies of the data: a model's drafts that people correct, labels from scratch, and the
metaphor subset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

from pydantic import JsonValue

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError
from deadpan.benchmarks.cfms.records import TARGET_TYPES, Pair, Pairs
from deadpan.benchmarks.cfms.studies.posts import CandidatePair, post_item
from deadpan.core.answers import Answers
from deadpan.core.study.files import read_study
from deadpan.core.study.items import StudyItem
from deadpan.core.study.making import (
    changed,
    chosen_model,
    draw,
    first_epochs,
    notes_on,
    results_of,
    with_checks,
    with_people,
    with_questions,
    with_stages,
)
from deadpan.core.study.specification import Practice, Study
from deadpan.core.study.stages import Question, Settling, Stage
from deadpan.core.study.templates import MadeStudy, StudySource
from deadpan.core.study.text_questions import Text

FOLDER = Path(__file__).parent
ALL = "all"
DRAWN, OF_DATA = "drawn", "data"
"""Which splits settled posts are of: new ones, or those they were of."""
DRAFTED = ("joint", "identification", "target", "explanation")
"""The tasks whose answers a draft is made of, those first that say more."""
SCHEMES: Mapping[str, tuple[str, ...]] = {
    "labels": ("sarcastic", "metaphor"),
    "levels": ("sarcasm_level", "metaphor_level"),
    "framework": ("sarcastic", "target", "explanation", "metaphor"),
}
"""What is asked about the metaphor subset."""
_USUAL = {"zh": "labels", "en": "levels"}
_LONGEST_TARGET = 200
_A_MODEL = "model"
"""Who drafted candidates: not told which."""
_DRAFT = "deadpan study draft FOLDER --model M drafts all"
_DRAFT_ALL = f"without --from all posts are there, and {_DRAFT}"
_ABOUT_DRAFTS = (
    "Whether annotators knew whose draft they corrected. Here they know that it is a model's, and "
    "not which."
)
Draft = Mapping[str, JsonValue]


def make_annotation(source: StudySource) -> MadeStudy:
    """The posts that a model has answered about, with its answers to begin with; without results
    all posts, with what was drafted of them before, or for a model to draft."""
    everything = Pairs.of_dataset(source.dataset).everything
    if source.table is None:
        return _of_data(source, everything)
    answers = results_of(source, "cfms")
    model = chosen_model(answers, source.settings["model"])
    drafts = _drafts(answers, model)
    pairs = [pair for pair in everything if pair.name in drafts]
    if not pairs:
        raise DeadpanError(
            f"{model} has answered about no post of the data: it needs an answer to one of "
            f"{', '.join(DRAFTED)}, and the data of the run (--data)"
        )
    made = _with_open_points(_made(source, pairs, drafts, model))
    empty = sum(not drafts[pair.name] for pair in pairs)
    said = f"{count_noun(empty, 'post')} come without a draft: {model} gave no usable answer"
    others = len(everything) - len(pairs)
    left_out = (
        f"{count_noun(others, 'post')} of the data left out: {model} has no answer about them. A "
        f"run asks about the test split and the metaphor subset; {_DRAFT_ALL}"
    )
    notes = [*made.notes, *([said] if empty else []), *([left_out] if others else [])]
    return MadeStudy(made.study, made.items, notes)


def _of_data(source: StudySource, pairs: Sequence[Pair]) -> MadeStudy:
    if model := source.settings["model"]:
        raise DeadpanError(f"--set model={model}: name the answers with --from STORE|TABLE")
    drafts = {
        pair.name: pair.draft for pair in pairs if isinstance(pair, CandidatePair) and pair.draft
    }
    made = _with_open_points(_made(source, pairs, drafts, _A_MODEL if drafts else ""))
    lacking = sum(not item.draft for item in made.items if item.kind == "main")
    if not lacking:
        return made
    without = "no post has" if not drafts else f"{count_noun(lacking, 'post')} come without"
    said = f"{without} a draft yet: {_DRAFT}, before anybody begins"
    return MadeStudy(made.study, made.items, [*made.notes, said])


def _with_open_points(made: MadeStudy) -> MadeStudy:
    """The study with what the paper leaves open about drafts."""
    study = changed(made.study, silent=(*made.study.silent, _ABOUT_DRAFTS))
    return MadeStudy(study, made.items, made.notes)


def make_labels(source: StudySource) -> MadeStudy:
    """The posts of a split, or of all, with nothing to begin with."""
    split = source.settings["split"]
    everything = Pairs.of_dataset(source.dataset).everything
    pairs = [pair for pair in everything if split in (ALL, _split(pair))]
    if not pairs:
        raise DeadpanError(f"--set split={split}: the data has no such post")
    made = _made(source, pairs, {}, "")
    bare = with_stages(
        made.study, lambda stage: changed(stage, drafted=False, drafting={}, guidelines={})
    )
    study = changed(bare, name="cfms-labels", template="cfms/labels")
    return MadeStudy(study, made.items, made.notes)


def _made(
    source: StudySource, pairs: Sequence[Pair], drafts: Mapping[str, Draft], model: str
) -> MadeStudy:
    """The study, with posts of known labels to practise on and for checks, which the others then
    lack."""
    rng = Random(source.seed)
    pool = draw(rng, pairs, source.number("sample"), _stratum)
    special: dict[str, str] = {}
    for kind in ("practice", "checks"):
        rest = [pair for pair in pool if pair.name not in special]
        size = source.number(kind)
        if size and any(isinstance(pair, CandidatePair) for pair in pool):
            raise DeadpanError(f"--set {kind}={size}: nobody has labelled these posts; expected 0")
        if size >= len(rest):
            held = count_noun(len(rest), "post")
            raise DeadpanError(f"--set {kind}={size}: of {held} none is left to annotate")
        chosen = draw(rng, rest, size, _stratum) if size else []
        special |= {pair.name: kind.removesuffix("s") for pair in chosen}
    main = [pair for pair in pool if pair.name not in special]
    items = [_known(pair, special[pair.name]) for pair in pool if pair.name in special]
    drawn = source.settings["splits"] == DRAWN and source.settings.get("split", ALL) == ALL
    items += [_drafted(pair, drafts.get(pair.name, {}), model, drawn) for pair in main]
    study = _study(source)
    if source.number("practice"):
        study = changed(study, practice=Practice())
    study = with_checks(study, len(main), source.number("checks"))
    return MadeStudy(study, items, [*notes_on(items)])


def _study(source: StudySource) -> Study:
    study = with_people(read_study(FOLDER / "annotation.yaml"), source.number("people"))
    alike = source.share("text_agreement")

    def worded(question: Question) -> Question:
        if not isinstance(question, Text) or not question.compared:
            return question
        return changed(question, alike=alike) if alike else changed(question, compared=False)

    study = changed(with_questions(study, worded), teams=max(1, source.number("teams")))
    only_first = source.settings["passes"] == "1"
    return changed(study, stages=study.stages[:1]) if only_first else study


def _known(pair: Pair, kind: str) -> StudyItem:
    """A post whose label is known, to practise on or as a check."""
    row = pair.row
    gold = {"sarcastic": "yes" if row.sarcastic else "no"}
    feedback = {
        "en": f"Sarcastic. Target: {row.target}. {row.explanation}",
        "zh": f"含有讽刺。对象：{row.target}。{row.explanation}",
    }
    plain = {"en": "Not sarcastic: the plain reading holds.", "zh": "非讽刺：按字面理解说得通。"}
    said = feedback if row.sarcastic else plain
    if kind == "check":
        return post_item(pair, kind=kind, gold=gold)
    if row.target_type:
        gold["target_type"] = row.target_type
    return post_item(pair, kind=kind, gold=gold, feedback=said)


def _drafts(answers: Answers, model: str) -> dict[str, dict[str, JsonValue]]:
    """By post what a model said of it, empty where it said nothing usable."""
    said = answers.of(model)
    found: dict[str, dict[str, JsonValue]] = {}
    for task in DRAFTED:
        own = said.get(task, ())
        for answer in own:
            found.setdefault(answer.item, {})
        for item, answer in first_epochs(own).items():
            for name, value in answer.parsed.items():
                if value is not None:
                    found[item].setdefault(name, value)
    return found


def _drafted(pair: Pair, said: Draft, model: str, drawn: bool = False) -> StudyItem:
    """A post with a draft in the form of the study's questions; it has no split where that is drawn
    of what is settled. The metaphor subset stands beside the splits."""
    is_free = drawn and _split(pair) != "metaphor"
    item = post_item(pair)
    if is_free:
        own = {name: value for name, value in item.attributes.items() if name != "split"}
        item = changed(item, attributes=own)
    if not said:
        return item
    draft: dict[str, JsonValue] = {}
    if (label := said.get("sarcastic")) is not None:
        draft["sarcastic"] = "yes" if label else "no"
    if label is not False:
        target, explanation = (str(said.get(name) or "").strip() for name in DRAFTED[2:])
        if target and len(target) <= _LONGEST_TARGET:
            draft["target"] = _located(target, item)
        if (kind := said.get("target_type")) in TARGET_TYPES:
            draft["target_type"] = kind
        if explanation:
            draft["explanation"] = explanation
    return changed(item, draft=draft, draft_by=model)


def _located(target: str, item: StudyItem) -> JsonValue:
    """The target as it is selected in the post's words, or typed where it does not stand there."""
    for name in ("text", "ocr_text"):
        part = item.part(name)
        if part is not None and (start := part.text.find(target)) >= 0:
            return {"text": target, "part": name, "start": start, "end": start + len(target)}
    return {"text": target}


def make_metaphor(source: StudySource) -> MadeStudy:
    """The metaphor subset in one language; everybody answers about everything, or so many people
    about each pair, who have to agree."""
    language, people = source.settings["language"], source.number("people")
    subset = [
        pair
        for pair in source.dataset.records
        if pair.row.split == "metaphor" and pair.row.language == language
    ]
    if not subset:
        raise DeadpanError(f"--set language={language}: the metaphor subset has no such pair")
    pairs = draw(Random(source.seed), subset, source.number("sample"), _stratum)
    scheme = source.settings["scheme"]
    asked = SCHEMES[_USUAL[language] if scheme == "paper" else scheme]
    study = with_people(read_study(FOLDER / "metaphor.yaml"), people)
    settling = (
        Settling(rule="equal", otherwise=("discard",)) if people else Settling(rule="independent")
    )

    def stage_with(stage: Stage) -> Stage:
        chosen = [one for one in stage.questions if one.name in asked]
        return changed(stage, questions=chosen, settling=settling)

    items = [post_item(pair) for pair in pairs]
    return MadeStudy(with_stages(study, stage_with), items, [*notes_on(items)])


def _stratum(pair: Pair) -> str:
    """Language and label: of a candidate the drafted one, None where there is none."""
    if isinstance(pair, CandidatePair):
        return f"{pair.row.language}|{pair.draft.get('sarcastic')}"
    return f"{pair.row.language}|{pair.row.sarcastic}"


def _split(pair: Pair) -> str | None:
    """The split that a post is of; None of a candidate."""
    return None if isinstance(pair, CandidatePair) else pair.row.split
