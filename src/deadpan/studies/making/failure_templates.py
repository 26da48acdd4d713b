"""Templates of the error analysis, for any benchmark: people label some of the wrong answers, and
audit what a model labelled (JanusMM, section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import JsonValue

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError
from deadpan.base.rows import write_rows
from deadpan.benchmarks import find
from deadpan.core.signature import checksum
from deadpan.core.study.choice_questions import Single
from deadpan.core.study.exports import StudyExport
from deadpan.core.study.files import read_study
from deadpan.core.study.items import Output, Part, StudyItem
from deadpan.core.study.making import (
    changed,
    notes_on,
    results_of,
    settled_answers,
    with_people,
    with_questions,
)
from deadpan.core.study.options import Option
from deadpan.core.study.specification import Study
from deadpan.core.study.stages import Question
from deadpan.core.study.templates import MadeStudy, StudySource, StudyTemplate, TemplateOption
from deadpan.failures.audit import Audited, to_audit
from deadpan.failures.cases import OWN, Case, draw_cases
from deadpan.failures.criteria import NEW, Criteria, in_language, read_criteria
from deadpan.failures.finding import find_cases
from deadpan.failures.labels import Sampled, read_labels
from deadpan.studies.making.case_parts import (
    answer_part,
    answer_parts,
    kind_title,
    label_parts,
    parts_about,
)
from deadpan.studies.making.media_parts import Media, media_of, titles

FOLDER = Path(__file__).parent
_CRITERIA = TemplateOption("criteria", "", "a file of types; empty for the eight that come along")
_SEALED = {"model", "picture"}
"""What of a case does not go into an item's attributes: who answered is the output's source, and
pictures are the data's."""
PEOPLE, AUDIT = "people.jsonl", "audit.jsonl"
"""The files that `deadpan failures label` and `merge` read."""


def failure_template(benchmark: str, criteria: Criteria | None = None) -> StudyTemplate:
    """People label a share of each model's wrong answers, by the criteria given or shipped."""

    def make(source: StudySource) -> MadeStudy:
        types, said = _types(source, criteria), list[str]()
        wrong = [one for one in source.settings["wrong"].split(",") if one]
        explained = source.settings["badly_explained"] or None
        table = results_of(source, benchmark).table
        cases = find_cases(table, wrong, explained, say=said.append)
        answered = [case for case in cases if case.outcome != "refused"]
        if not answered:
            raise DeadpanError("every failure is a refusal: there is nothing to label")
        drawn = draw_cases(answered, _share(source), source.seed)
        refused = count_noun(len(cases) - len(answered), "refusal")
        said.append(f"{count_noun(len(cases), 'failure')}, {refused} among them")
        study = _with_types(_study("failures", benchmark, source), types, "type")
        return _made(study, source, drawn, types, said)

    return StudyTemplate(
        "failures",
        titles("failures"),
        "results",
        make,
        (
            TemplateOption("share", "0.1", "of each model's wrong answers", paper="about 0.1"),
            TemplateOption("people", "2", "how many label each answer", paper="silent"),
            TemplateOption("wrong", OWN, "what is wrong, as in `deadpan failures sample --wrong`"),
            TemplateOption(
                "badly_explained", "", "METRIC:BOUND or none; empty for the benchmark's own rule"
            ),
            _CRITERIA,
        ),
        "People say of wrong answers which type of failure they are, blind.",
        write_labels,
    )


def audit_template(benchmark: str, criteria: Criteria | None = None) -> StudyTemplate:
    """People confirm or correct a share of what a model labelled."""

    def make(source: StudySource) -> MadeStudy:
        types, given = _types(source, criteria), source.settings["labels"]
        if not given:
            raise DeadpanError("--set labels: name the file that `deadpan failures label` wrote")
        labels = read_labels(Path(given).expanduser(), types)
        if labels[0].benchmark != benchmark:
            raise DeadpanError(f"{given}: holds labels of {labels[0].benchmark}, not {benchmark}")
        if not any(one.by == "judge" and one.status == "labelled" for one in labels):
            raise DeadpanError(f"{given} holds no label of a model: there is nothing to audit")
        drawn = to_audit(labels, _share(source), source.seed)
        study = _with_types(_study("failure_audit", benchmark, source), types, "correct_type")
        return _made(study, source, drawn, types)

    return StudyTemplate(
        "failure-audit",
        titles("failure_audit"),
        "data",
        make,
        (
            TemplateOption("labels", "", "the file that `deadpan failures label` wrote"),
            TemplateOption("share", "0.2", "of the model's labels", paper="0.2"),
            TemplateOption("people", "1", "how many check each label", paper="silent"),
            _CRITERIA,
        ),
        "People agree with a model's label of a wrong answer, or correct it.",
        write_audit,
    )


def write_labels(export: StudyExport, folder: Path) -> list[Path]:
    """Writes what people settled as `deadpan failures label --people` reads it. What fits no type
    is left out, and labelled with the rest."""
    rows = [
        Sampled.model_validate(
            {**_case_of(item), "type": said["type"], "note": said.get("note") or ""}
        )
        for item, said in settled_answers(export)
        if said.get("type") not in (None, NEW)
    ]
    return _written(folder / PEOPLE, rows)


def write_audit(export: StudyExport, folder: Path) -> list[Path]:
    """Writes what people settled as `deadpan failures merge` reads it."""
    rows = []
    for item, said in settled_answers(export):
        case = _case_of(item)
        kind = said.get("correct_type") or case["type"]
        about = {"correct_type": kind, "note": said.get("note") or ""}
        rows.append(Audited.model_validate({**case, **about}))
    return _written(folder / AUDIT, rows)


def _written(path: Path, rows: Sequence[Case]) -> list[Path]:
    if not rows:
        return []
    write_rows(path, rows)
    return [path]


def _case_of(item: StudyItem) -> dict[str, JsonValue]:
    """The case that an item was made of."""
    return {**item.attributes, "model": item.outputs[0].source}


def _types(source: StudySource, criteria: Criteria | None) -> Criteria:
    given = source.settings["criteria"]
    if given:
        return read_criteria(Path(given).expanduser())
    return criteria or read_criteria(None)


def _share(source: StudySource) -> float:
    share = source.share("share")
    if not share:
        raise DeadpanError("--set share=0 draws nothing; expected more than 0, at most 1")
    return share


def _study(file: str, benchmark: str, source: StudySource) -> Study:
    study = with_people(read_study(FOLDER / f"{file}.yaml"), source.number("people", least=1))
    about = {"name": f"{benchmark}-{study.name}", "template": f"{benchmark}/{study.template}"}
    return changed(study, benchmark=benchmark, **about)


def _with_types(study: Study, criteria: Criteria, name: str) -> Study:
    """The study with the criteria's types as options of a question; `new` stays the last."""
    types = [
        Option(
            value=kind.name,
            title={code: kind_title(kind, code) for code in study.languages},
            about={code: in_language(kind.definition, code) for code in study.languages},
        )
        for kind in criteria.types
    ]

    def typed(question: Question) -> Question:
        if not isinstance(question, Single) or question.name != name:
            return question
        last = [option for option in question.options if option.value == NEW]
        if len(types) + len(last) < 2:
            what = f"the criteria have one type, {types[0].value}, and {name} needs another"
            raise DeadpanError(f"{what} to choose; add a type to the criteria")
        return changed(question, options=(*types, *last))

    return with_questions(study, typed)


def _made(
    study: Study,
    source: StudySource,
    cases: Sequence[Case],
    types: Criteria,
    notes: Sequence[str] = (),
) -> MadeStudy:
    benchmark = find(study.benchmark)
    answers = {case.key: answer for case in cases if (answer := answer_part(case, benchmark))}
    if not answers:
        raise DeadpanError("no answer can be shown: each picture is gone, or another by now")
    tasks = dict.fromkeys(case.task for case in cases)
    media = {task: media_of(benchmark, source, task) for task in tasks}
    items = [
        _item(case, answers[case.key], media[case.task], types)
        for case in cases
        if case.key in answers
    ]
    said = [*notes, *notes_on(items)]
    if lost := len(cases) - len(items):
        said.append(f"{count_noun(lost, 'answer')} left out: the picture is gone, or another now")
    return MadeStudy(study, items, said)


def _item(case: Case, answer: Part, media: Media, types: Criteria) -> StudyItem:
    """A wrong answer with what one has to see to say why; whose it is is sealed."""
    parts = (*media.get(case.item, ()), *parts_about(case), *label_parts(case, types))
    return StudyItem(
        key=f"{case.item}-{checksum(list(case.key))}",
        language=case.language,
        parts=parts,
        outputs=(Output(source=case.model, parts=tuple(answer_parts(case, answer))),),
        attributes=case.model_dump(mode="json", exclude=_SEALED),
    )
