"""The form by which Label Studio shows a study's items and questions: its labelling config."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from xml.sax.saxutils import quoteattr

from deadpan.core.study.arranging import Best, Boxes
from deadpan.core.study.choices import Likert, Multiple, Number, Single
from deadpan.core.study.exports import StudyExport
from deadpan.core.study.items import Part, StudyItem
from deadpan.core.study.specification import Question
from deadpan.core.study.words import in_language
from deadpan.core.study.writing import Span, Text
from deadpan.studies.results.answer_cells import cell
from deadpan.studies.results.export_rows import several_stages_ask

TYPED = "_typed"
"""Behind the name of a question for words that were typed and not selected."""
_OBJECTS: Mapping[str, str] = {
    "picture": "Image",
    "comic": "Image",
    "video": "Video",
    "sound": "Audio",
    "text": "Text",
    "dialogue": "Paragraphs",
}


def shown_parts(item: StudyItem) -> Iterator[tuple[str, Part]]:
    """The parts of an item and of its outputs, each with its name among a task's data."""
    for part in item.parts:
        yield part.name, part
    for at, output in enumerate(item.outputs, 1):
        for part in output.parts:
            yield f"output_{at}_{part.name}", part


def control(question: Question) -> str:
    """The type of a question's answers in Label Studio; orders and files are words there."""
    match question:
        case Likert() if question.lowest == 1:
            return "rating"
        case Likert() | Number():
            return "number"
        case Boxes():
            return "rectanglelabels"
        case Span():
            return "labels"
        case Single() | Multiple() | Best():
            return "choices"
        case Text() if question.closed:
            return "choices"
        case _:
            return "textarea"


def shown(question: Question, item: StudyItem, part: str = "") -> str:
    """The name of what an answer is about: the part that is named, or the first."""
    named = part or (question.of[0] if isinstance(question, Span) else getattr(question, "of", ""))
    first = next((name for name, _ in shown_parts(item)), "")
    return f"shown_{named or first}"


def label_studio_config(export: StudyExport) -> str:
    """The labelling config, in XML, of everything that was asked and shown."""
    items = {one.unit: one.item for one in export.said}
    parts = {name: part for item in items.values() for name, part in shown_parts(item)}
    again = several_stages_ask(export.study)
    lines = ["<View>"]
    for name, part in parts.items():
        tag = _OBJECTS[part.kind]
        talk = ' layout="dialogue" nameKey="author" textKey="text"' if part.turns else ""
        named = f"name={quoteattr(f'shown_{name}')} value={quoteattr(f'${name}')}"
        lines.append(f"  <{tag} {named}{talk}/>")
    for stage in export.study.stages:
        for question in stage.questions:
            place = (stage.name, question.name)
            said = [one for one in export.said if (one.stage, one.question.name) == place]
            if not said:
                continue
            name = f"{stage.name}.{question.name}" if question.name in again else question.name
            title = in_language(question.title, "en") or name
            lines.append(f"  <Header value={quoteattr(title)}/>")
            answers = [str(cell(question, one.value, one.item)) for one in said]
            about = shown(question, said[0].item)
            lines += [f"  {line}" for line in _control(question, name, about, answers)]
    return "\n".join([*lines, "</View>"]) + "\n"


def _control(question: Question, name: str, about: str, answers: list[str]) -> Iterator[str]:
    """The tag of a question, with the labels that can be chosen."""
    names = f"name={quoteattr(name)} toName={quoteattr(about)}"
    match control(question):
        case "rating":
            yield f'<Rating {names} maxRating="{getattr(question, "highest", 5)}"/>'
        case "number":
            yield f"<Number {names}/>"
        case "rectanglelabels":
            label = f"<Label value={quoteattr(question.name)}/>"
            yield f"<RectangleLabels {names}>{label}</RectangleLabels>"
        case "labels":
            yield f"<Labels {names}><Label value={quoteattr(question.name)}/></Labels>"
            yield f"<TextArea name={quoteattr(name + TYPED)} toName={quoteattr(about)}/>"
        case "choices":
            several = isinstance(question, Multiple)
            options = [one.value for one in getattr(question, "options", ())]
            options += question.suggestions if isinstance(question, Text) else ()
            known = options if several else dict.fromkeys([*options, *answers])
            yield f'<Choices {names} choice="{"multiple" if several else "single"}">'
            yield from (f"  <Choice value={quoteattr(one)}/>" for one in known)
            yield "</Choices>"
        case _:
            yield f"<TextArea {names}/>"
