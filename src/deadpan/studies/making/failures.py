"""Templates of the error analysis, for any benchmark: people label some of the wrong answers, and
audit what a model labelled (JanusMM, section 3.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import JsonValue

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError
from deadpan.base.rows import write_rows
from deadpan.benchmarks import find
from deadpan.core.questions import Language
from deadpan.core.signature import checksum
from deadpan.core.study.choices import Option, Single
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
from deadpan.core.study.specification import Question, Study
from deadpan.core.study.templates import MadeStudy, StudySource, StudyTemplate, TemplateOption
from deadpan.core.study.words import Words
from deadpan.failures.audit import Audited, to_audit
from deadpan.failures.cases import OWN, Case, draw_cases
from deadpan.failures.criteria import NEW, Criteria, FailureType, in_language, read_criteria
from deadpan.failures.finding import find_cases
from deadpan.failures.labels import Label, Sampled, read_labels
from deadpan.studies.making.asked_media import Media, media_of

FOLDER = Path(__file__).parent
_TITLES: Mapping[str, Words] = {
    "question": {"en": "Question", "zh": "问题"},
    "gold": {"en": "Reference", "zh": "参考答案"},
    "answer": {"en": "Answer", "zh": "回答"},
    "thoughts": {"en": "Thoughts before the answer", "zh": "回答前的思考"},
    "why": {"en": "Why it counts as wrong", "zh": "判为错误的依据"},
    "label": {"en": "Label", "zh": "标签"},
    "reason": {"en": "Reason given for it", "zh": "给出的理由"},
}
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
        {"en": "Why answers are wrong", "zh": "错误原因标注"},
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
        {"en": "Labels of wrong answers audited", "zh": "错误分类审核"},
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
        return changed(question, options=(*types, *last))

    return with_questions(study, typed)


def kind_title(kind: FailureType, language: Language) -> str:
    """A type's name and title in a language."""
    colon = "：" if language == "zh" else ": "
    return f"{kind.name}{colon}{in_language(kind.title, language)}"


def _made(
    study: Study,
    source: StudySource,
    cases: Sequence[Case],
    types: Criteria,
    notes: Sequence[str] = (),
) -> MadeStudy:
    benchmark = find(study.benchmark)
    tasks = dict.fromkeys(case.task for case in cases)
    media = {task: media_of(benchmark, source, task) for task in tasks}
    items = [_item(case, media[case.task], types) for case in cases]
    return MadeStudy(study, items, [*notes, *notes_on(items)])


def _item(case: Case, media: Media, types: Criteria) -> StudyItem:
    """A wrong answer with what one has to see to say why; whose it is is sealed."""
    parts = (*media.get(case.item, ()), *_about(case), *_labelled(case, types))
    return StudyItem(
        key=f"{case.item}-{checksum(list(case.key))}",
        language=case.language,
        parts=parts,
        outputs=(Output(source=case.model, parts=tuple(_answers(case))),),
        attributes=case.model_dump(mode="json", exclude=_SEALED),
    )


def _about(case: Case) -> Iterator[Part]:
    """The item, what was asked and what is right."""
    for number, (name, words) in enumerate(_details(case, of_answers=False), start=1):
        yield Part(name=f"detail_{number}", kind="text", title=both(name), text=words)
    told = {"question": case.question or "", "gold": case.gold, "why": case.why}
    for name, words in told.items():
        if words:
            yield Part(name=name, kind="text", title=_TITLES[name], text=words)


def _answers(case: Case) -> Iterator[Part]:
    """What the model thought and answered, to this task and to the one that belongs to it."""
    if case.thoughts:
        yield Part(name="thoughts", kind="text", title=_TITLES["thoughts"], text=case.thoughts)
    yield Part(name="answer", kind="text", title=_TITLES["answer"], text=case.answer or "–")
    for number, (name, words) in enumerate(_details(case, of_answers=True), start=1):
        yield Part(name=f"other_{number}", kind="text", title=both(name), text=words)


def _details(case: Case, of_answers: bool) -> list[tuple[str, str]]:
    """What else is known of the item, or what else the model answered about it."""
    return [
        (name, words)
        for name, words in case.details.items()
        if name.startswith("answer (") == of_answers
    ]


def _labelled(case: Case, types: Criteria) -> Iterator[Part]:
    """The label that is audited, what it means, and why it was given."""
    if not isinstance(case, Label):
        return
    kind = next(one for one in types.types if one.name == case.type)
    meaning = in_language(kind.definition, case.language)
    words = f"{kind_title(kind, case.language)}\n\n{meaning}"
    yield Part(name="label", kind="text", title=_TITLES["label"], text=words)
    if case.reason:
        yield Part(name="reason", kind="text", title=_TITLES["reason"], text=case.reason)


def both(words: str) -> Words:
    """Words of one language for both."""
    return {"en": words, "zh": words}
