"""The form by which Label Studio shows a study's items and questions: its labelling config."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from xml.sax.saxutils import quoteattr

from deadpan.core.study.exports import Said, StudyExport
from deadpan.core.study.items import Part, StudyItem
from deadpan.core.study.stages import Question
from deadpan.core.study.words import in_language
from deadpan.studies.results.export_rows import several_stages_ask

TYPED = "_typed"
"""Behind the name of a question for words that were typed and not selected."""
_ONE_TEXT = 'maxSubmissions="1" editable="true"'
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


def last_items(export: StudyExport) -> dict[int, StudyItem]:
    """By unit the item as the last stage showed it: with the numbers of panels that were drawn."""
    order = {stage.name: at for at, stage in enumerate(export.study.stages)}
    said = sorted(export.said, key=lambda one: order.get(one.stage, -1))
    return {one.unit: one.item for one in said}


def labels_said(said: Said) -> list[str]:
    """What was chosen: several labels, or one."""
    if isinstance(said.value, list):
        return [str(label) for label in said.value]
    return [str(said.question.cell(said.value, said.item))]


def span_parts(question: Question, named: str) -> dict[str, str]:
    """By part of which words can be selected the name of its control: Label Studio has one for
    each."""
    return {
        part: f"{named}.{part}" if at else named for at, part in enumerate(question.selects_from)
    }


def shown(question: Question, parts: Iterable[str]) -> str:
    """The name of what an answer is about: the part that the question names, or the first of those
    that any item has."""
    named = next(iter(question.selects_from), question.draws_on)
    return f"shown_{named or next(iter(parts), '')}"


def all_parts(export: StudyExport) -> dict[str, Part]:
    """Every part that any item has, by its name among a task's data."""
    items = last_items(export).values()
    return {name: part for item in items for name, part in shown_parts(item)}


def label_studio_config(export: StudyExport) -> str:
    """The labelling config, in XML, of everything that was asked and shown."""
    parts = all_parts(export)
    again = several_stages_ask(export.study)
    lines = ["<View>"]
    for name, part in parts.items():
        lines += [f"  {line}" for line in _part(name, part)]
    for stage in export.study.stages:
        for question in stage.questions:
            place = (stage.name, question.name)
            said = [one for one in export.said if (one.stage, one.question.name) == place]
            if not said:
                continue
            name = f"{stage.name}.{question.name}" if question.name in again else question.name
            title = in_language(question.title, "en") or name
            lines.append(f"  <Header value={quoteattr(_plain(title))}/>")
            answers = [label for one in said for label in labels_said(one)]
            about = shown(question, parts)
            lines += [f"  {line}" for line in _control(question, name, about, answers)]
    return "\n".join([*lines, "</View>"]) + "\n"


def _part(name: str, part: Part) -> Iterator[str]:
    """A part under its title; before an output's first stands whose it is."""
    talk = ' layout="dialogue" nameKey="author" textKey="text"' if part.turns else ""
    named = f"name={quoteattr(f'shown_{name}')} value={quoteattr(f'${name}')}"
    title = _plain(in_language(part.title, "en"))
    if output := re.match(r"output_(\d+)_", name):
        title = f"$source_{output[1]} – {title}" if title else f"$source_{output[1]}"
    if title:
        yield f'<Header value={quoteattr(title)} size="5"/>'
    yield f"<{_OBJECTS[part.kind]} {named}{talk}/>"


def _plain(words: str) -> str:
    """Words in which no dollar begins the name of a variable, as it would there."""
    return words.replace("$", "$\u2060")


def _control(question: Question, name: str, about: str, answers: list[str]) -> Iterator[str]:
    """The tag of a question, with the labels that can be chosen."""
    names = f"name={quoteattr(name)} toName={quoteattr(about)}"
    match question.control:
        case "rating":
            highest = question.scale.highest if question.scale else 5
            yield f'<Rating {names} maxRating="{highest:g}"/>'
        case "number":
            yield f"<Number {names}/>"
        case "rectanglelabels":
            label = f"<Label value={quoteattr(question.name)}/>"
            yield f"<RectangleLabels {names}>{label}</RectangleLabels>"
        case "labels":
            label = f"<Label value={quoteattr(question.name)}/>"
            for part, own in span_parts(question, name).items():
                place = f"name={quoteattr(own)} toName={quoteattr(f'shown_{part}')}"
                yield f"<Labels {place}>{label}</Labels>"
            typed = f"name={quoteattr(name + TYPED)} toName={quoteattr(about)}"
            yield f"<TextArea {typed} {_ONE_TEXT}/>"
        case "choices":
            known = dict.fromkeys([*question.fixed_labels, *answers])
            yield f'<Choices {names} choice="{"multiple" if question.several else "single"}">'
            for one in known:
                alias = f" alias={quoteattr(one)}" if "$" in one else ""
                yield f"  <Choice value={quoteattr(_plain(one))}{alias}/>"
            yield "</Choices>"
        case _:
            yield f"<TextArea {names} {_ONE_TEXT}/>"
