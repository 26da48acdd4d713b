"""What every kind of question has to have: each test fails with the name of what is missing."""

from __future__ import annotations

import json
import re
from itertools import cycle, islice
from pathlib import Path
from typing import get_args
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup, Tag
from pydantic import JsonValue, TypeAdapter

import deadpan.studies
from deadpan.core.annotation_kinds import questions_told
from deadpan.core.annotations import read_annotations
from deadpan.core.questions import Language
from deadpan.core.study.cells import plain_text
from deadpan.core.study.exports import Said, SettledItem, StudyExport
from deadpan.core.study.items import Output, Part, StudyItem
from deadpan.core.study.question_base import (
    NO_ANSWER,
    Control,
    Level,
)
from deadpan.core.study.specification import Study
from deadpan.core.study.stages import KINDS, Question, Stage
from deadpan.core.study.words import WrongAnswer
from deadpan.metrics.annotation_scores import annotation_scores
from deadpan.studies.models.drafting import DraftedAnswer
from deadpan.studies.pages.rendering import Reader, renderer
from deadpan.studies.pages.task_pages import shown_question
from deadpan.studies.pages.view_models import ShownOutput, ShownPart, TaskPage
from deadpan.studies.results.export_files import write_table
from deadpan.studies.results.export_rows import annotation_rows, annotation_table
from deadpan.studies.results.label_studio import label_studio_tasks
from deadpan.studies.results.label_studio_form import label_studio_config
from tests.studies.every_kind import SAMPLES, Sample
from tests.studies.robots import form_value

STUDIES = Path(deadpan.studies.__file__).parent
TEMPLATES = STUDIES / "pages" / "templates"
LANGUAGES: tuple[Language, ...] = get_args(Language)
TEXT = "The boss loves Mondays, of course."
ITEM = StudyItem(
    key="joke",
    parts=(
        Part(name="picture", kind="picture", path="joke.png"),
        Part(name="text", kind="text", text=TEXT),
    ),
    outputs=tuple(
        Output(source=name, parts=(Part(name="text", kind="text", text="ha"),))
        for name in ("haiku-0", "haiku-1")
    ),
)
each_sample = pytest.mark.parametrize(
    "sample", SAMPLES, ids=lambda one: f"{one.asked['kind']}-{one.asked['name']}"
)
each_kind = pytest.mark.parametrize("kind", KINDS)


def _question(sample: Sample) -> Question:
    return TypeAdapter[Question](Question).validate_python({"title": {"en": "Q"}, **sample.asked})


def _script_entries() -> set[str]:
    script = (TEMPLATES / "study.js").read_text("utf-8")
    table = re.search(r"const widgets = \{(.*?)\n  \};", script, re.DOTALL)
    assert table is not None, "study.js has no table of widgets"
    return set(re.findall(r"^    (\w+):", table[1], re.MULTILINE))


@each_kind
def test_it_is_known_wherever_kinds_are_listed(kind: str) -> None:
    sampled = {one.asked["kind"] for one in SAMPLES}
    assert kind in sampled, f"{kind}: no sample in tests/studies/every_kind.py"
    macros = re.findall(r"{% macro (\w+)\(question\)", (TEMPLATES / "widgets.html").read_text())
    assert kind in macros, f"{kind}: no macro in pages/templates/widgets.html"
    readme = (STUDIES / "README.md").read_text("utf-8")
    table = readme[readme.index("| `kind` of question |") :].partition("\n\n")[0]
    rows = "".join(line.split("|")[1] for line in table.splitlines())
    assert f"`{kind}`" in rows, f"{kind}: no row in the table of kinds of studies/README.md"
    assert hasattr(KINDS[kind], "can_draft"), f"{kind}: can_draft is not said"


def test_the_script_has_widgets_of_kinds_only() -> None:
    assert _script_entries() - set(KINDS) == set()


def _form(question: Question, value: JsonValue, language: Language) -> Tag:
    """The question as a page shows it."""
    parts = [ShownPart(one.name, one.kind, "", one.path, one.text) for one in ITEM.parts]
    outputs = [ShownOutput(letter, str(at), []) for at, letter in enumerate("AB")]
    values = {question.name: value}
    shown = shown_question(question, ITEM, values, language, (0, 1), "", set())
    about = {"parts": parts, "outputs": outputs, "questions": [shown], "done": 0, "total": 1}
    page = TaskPage("token", "answer", language, "Stage", "", **about)
    stage = Stage(name="one", title={"en": "One"}, questions=(question,))
    render = renderer(Study(name="one", title={"en": "One"}, stages=(stage,)))
    reader = Reader(language, "csrf", "Ann", "rater", "work", "/work", 1, 9)
    found = BeautifulSoup(render("task.html", reader, page=page), "html.parser")
    form = found.find("form", id=f"q-{question.name}")
    assert isinstance(form, Tag)
    return form


@each_sample
def test_its_widget_takes_and_shows_answers(sample: Sample) -> None:
    question = _question(sample)
    kind = question.kind
    for value in (None, *sample.said):
        form = _form(question, value, "en")
        fields = form.find_all(attrs={"name": "file" if question.uploads else "value"})
        untouched = form.find_all(attrs={"data-untouched": True})
        assert fields or untouched, f"{kind}: its macro has no field called value"
        if value is not None and not question.uploads:
            assert form.decode() != _form(question, None, "en").decode(), (
                f"{kind}: its macro does not show the answer {value}"
            )
    hidden = [one for one in fields if one.get("type") == "hidden"]
    if hidden and len(hidden) == len(fields):
        assert kind in _script_entries(), f"{kind}: no entry in the widgets of study.js"


@each_sample
def test_its_widget_has_words_in_both_languages(sample: Sample) -> None:
    question = _question(sample)
    en, zh = (set(_form(question, None, language).stripped_strings) for language in LANGUAGES)
    own = json.dumps(sample.asked, ensure_ascii=False) + TEXT
    fixed = {text for text in en & zh if re.search(r"[A-Za-z]{3}", text) and text not in own}
    assert fixed == set(), f"{question.kind}: words in its macro that stand in no wording.toml"


def test_a_slider_says_how_it_is_left_where_it_stands_by_touch_too() -> None:
    (sample,) = (one for one in SAMPLES if one.asked["kind"] == "slider")
    hints = [_form(_question(sample), None, one).find(class_="untouched") for one in LANGUAGES]
    told = [one.text for one in hints if one is not None]
    assert "tap its knob, or press Space" in told[0] and "点一下滑块或按空格键" in told[1]


def test_options_that_are_put_in_order_keep_their_names() -> None:
    (sample,) = (one for one in SAMPLES if one.asked["kind"] == "order")
    titles = _form(_question(sample), None, "en").find_all(class_="order-title")
    assert [one.text for one in titles] == ["a", "b", "c"]


def test_options_that_are_put_in_order_have_titles_in_both_languages() -> None:
    options = [{"value": "pun", "title": {"en": "Pun", "zh": "双关"}}, "irony"]
    sample = _sample_of("order", options)
    question = _question(sample)
    shown = _form(question, ["irony", "pun"], "zh")
    assert [one.text for one in shown.find_all(class_="order-title")] == ["irony", "双关"]
    assert [one["data-value"] for one in shown.find_all("li")] == ["irony", "pun"]
    assert question.in_words(["irony", "pun"], "zh") == "irony → 双关"
    assert question.read(["irony", "pun"], ITEM) == ["irony", "pun"]
    assert question.cell(["irony", "pun"], ITEM) == "irony > pun"
    with pytest.raises(WrongAnswer) as wrong:
        question.read(["双关", "irony"], ITEM)
    assert wrong.value.words["zh"] == "请将 双关、irony 各排一次"


def _sample_of(kind: str, options: list[JsonValue]) -> Sample:
    return Sample({"kind": kind, "name": kind, "options": options}, (), None, "")


@each_sample
def test_its_answers_are_read_and_others_refused_in_words(sample: Sample) -> None:
    question = _question(sample)
    for value in sample.said:
        sent = form_value(question, value)
        form = sent if isinstance(sent, list) else [sent]
        assert question.read(question.from_form(form), ITEM) == value
        assert question.read(value, ITEM) == value, "what is kept is an answer"
    with pytest.raises(WrongAnswer) as refused:
        question.read(sample.wrong, ITEM)
    assert refused.value.words["en"] != refused.value.words["zh"]
    assert question.expected(ITEM, refused.value)
    if (known := question.labels_known) is not None:
        said = {one for value in sample.said for one in question.labels_said(value, ITEM)}
        assert said <= set(known), "a condition could not name an answer that it has"


@each_sample
def test_its_answers_are_compared_and_voted_on(sample: Sample) -> None:
    question = _question(sample)
    assert question.level in get_args(Level)
    first, other = sample.said[0], sample.said[-1]
    assert question.agree(first, first) and not question.agree(first, other)
    assert question.voted([first, other, first], 2) == first
    assert question.voted([first, other], 2) is None


@each_sample
def test_its_answers_are_text_to_a_reader(sample: Sample) -> None:
    question = _question(sample)
    for language in LANGUAGES:
        assert question.in_words(None, language) == NO_ANSWER
        for value in sample.said:
            text = question.in_words(value, language, (0, 1))
            assert text and text != NO_ANSWER and not text.startswith(("{", "[{", "['", '["'))


def _export(question: Question, sample: Sample) -> StudyExport:
    """Three people's answers about four items."""
    stage = Stage(name="one", title={"en": "One"}, questions=(question,))
    values = list(islice(cycle(sample.said), 4))
    said = [
        Said(unit, item, "one", question, f"rater-{at}", "rater", "answer", value, shown=(0, 1))
        for unit, value in enumerate(values)
        for item in [ITEM.model_copy(update={"key": f"joke-{unit}"})]
        for at in (1, 2, 3)
    ]
    study = Study(name="one", title={"en": "One"}, stages=(stage,))
    became = {
        one.unit: SettledItem(one.unit, one.item, "one", "settled", {question.name: one.value}, "")
        for one in said
    }
    return StudyExport(study, 1, said, list(became.values()), (), ())


@each_sample
@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_its_cell_in_files_is_read_as_what_was_said(
    sample: Sample, form: str, tmp_path: Path
) -> None:
    export = _export(_question(sample), sample)
    path = write_table(tmp_path / f"annotations.{form}", annotation_table(export), form)
    told = questions_told([path], {})
    assert list(told) == [sample.asked["name"]]
    read = read_annotations([path], list(told.values()))
    assert [one.value for one in read] == [one.value for one in annotation_rows(export)]
    assert len(read) == len(export.said), "an answer without a cell"


@each_sample
def test_agreement_on_it_has_a_measure(sample: Sample) -> None:
    question = _question(sample)
    export = _export(question, sample)
    found = annotation_scores("one", annotation_rows(export), [question.annotation])
    assert sample.measure in {one.metric for one in found}
    exact = [one.value for one in found if one.metric == sample.measure and one.group == "all"]
    assert exact == [pytest.approx(1)], "all say the same"


@each_sample
def test_label_studio_has_a_control_for_it(sample: Sample) -> None:
    question = _question(sample)
    export = _export(question, sample)
    assert question.control in get_args(Control)
    form = ElementTree.fromstring(label_studio_config(export))
    tags = {tag.get("name"): tag.tag.lower() for tag in form if tag.get("name")}
    results = [
        one
        for task in label_studio_tasks(export)
        for own in task["annotations"]
        for one in own["result"]
    ]
    assert {one["meta"]["text"][0] for one in results} == {"rater-1", "rater-2", "rater-3"}
    for one in results:
        assert tags[one["from_name"]] == one["type"] and one["to_name"] in tags


@each_sample
def test_a_model_is_told_the_form_of_an_answer(sample: Sample) -> None:
    question = _question(sample)
    told = question.reply_form(ITEM)
    if not question.can_draft:
        assert told == [], f"{question.kind}: can_draft is not said"
        return
    assert told, f"{question.kind}: a model is not told what to reply with"
    assert all(one["en"] != one["zh"] for one in told)
    for value in sample.said:
        plain = plain_text(value) if isinstance(value, dict) else value
        reply = DraftedAnswer.model_validate({"question": question.name, "answer": plain}).answer
        given: JsonValue = list(reply) if isinstance(reply, list) else reply
        assert question.read(question.from_reply(given, ITEM), ITEM) == value
