"""A study of one's own, as the README shows it; and what is said where a file of one is wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from sqlalchemy import select

from deadpan import studies
from deadpan.base.errors import DeadpanError, InputError
from deadpan.core.study.files import placed_items, read_study, study_of
from deadpan.core.study.items import StudyItem
from deadpan.core.study.schema import editor_schema
from deadpan.core.study.specification import Study
from deadpan.core.study.text_questions import Text
from deadpan.studies.making.catalogue import find_template, make_study
from deadpan.studies.making.creating import create_study, open_study
from deadpan.studies.storage.tables import ItemRow
from tests.cli.conftest import Deadpan
from tests.cli.conftest import deadpan as deadpan
from tests.studies.made_study import picture
from tests.studies.robots import everybody, room_of, work_together
from tests.studies.study_room import a_study, explained, rated

README = (Path(studies.__file__).parent / "README.md").read_text("utf-8")
YAML, JSON = (
    re.findall(rf'```\w+ title="{name}"\n(.*?)```', README, re.S)[0]
    for name in ("study.yaml", "items.jsonl")
)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A folder with the README's study, its items and their picture."""
    (tmp_path / "study.yaml").write_text(YAML, "utf-8")
    (tmp_path / "items.jsonl").write_text(JSON, "utf-8")
    picture(tmp_path, "joke-1")
    return tmp_path


def with_item(folder: Path, **fields: Any) -> None:
    """Adds an item of words to the README's."""
    words = {"name": "text", "kind": "text", "text": "So dry."}
    row = {"key": "more", "parts": [words], **fields}
    with (folder / "items.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")


def made(folder: Path) -> Any:
    return make_study(str(folder / "study.yaml"), [folder / "items.jsonl"])


class TestReadme:
    def test_its_example_is_made(self, own: Path, deadpan: Deadpan) -> None:
        files = (own / "study.yaml", "--from", own / "items.jsonl")
        run = deadpan("study", "create", *files, "--out", own / "dry-wit")
        assert run.code == 0, run.err
        study = open_study(own / "dry-wit").study
        assert study.stages[0].questions[0].labels_known == ["Yes", "No"]

    def test_a_picture_that_is_missing_is_told_loudly(self, own: Path, deadpan: Deadpan) -> None:
        lacking = {"name": "p", "kind": "picture", "path": "none.png"}
        with_item(own, parts=[lacking])
        files = (own / "study.yaml", "--from", own / "items.jsonl")
        run = deadpan("study", "create", *files, "--out", own / "dry-wit")
        assert run.code == 1
        assert "warning: 1 of 4 items left out" in run.err
        assert "dry-wit: 3 of 4 items" in run.out + run.err
        assert "data get" not in run.err
        assert (own / "dry-wit" / "study.json").is_file()

    def test_texts_without_a_language_are_counted(self, own: Path, deadpan: Deadpan) -> None:
        files = (own / "study.yaml", "--from", own / "items.jsonl", "--out", own / "dry-wit")
        said = "note: 9 texts without zh (guidelines, consent.text, consent.warning, …): its pages"
        run = deadpan("study", "create", *files)
        assert run.code == 0 and said in run.err
        text = YAML.replace("produces:", "languages: [en]\nproduces:")
        (own / "english.yaml").write_text(text, "utf-8")
        one = deadpan("study", "create", own / "english.yaml", *files[1:3], "--out", own / "one")
        assert one.code == 0 and "note:" not in one.err
        text = YAML.replace("{en: Some jokes are crude.}", "{en: Some are crude., zh: 有些粗俗。}")
        (own / "study.yaml").write_text(text, "utf-8")
        run = deadpan("study", "update", own / "dry-wit", own / "study.yaml")
        assert run.code == 0 and "note: 8 texts without zh (guidelines, consent.text" in run.err

    def test_nothing_is_made_where_no_item_but_practice_is_left(self, own: Path) -> None:
        (own / "joke-1.png").write_bytes(b"\x89PNG cut")
        found = made(own)
        with pytest.raises(DeadpanError, match="no item can be shown; the first: joke-1"):
            create_study(own / "dry-wit", found.study, found.items)


class TestItemsThatDoNotFit:
    @pytest.mark.parametrize(
        ("fields", "said"),
        [
            ({"key": "joke-1"}, r"jsonl:4: key: joke-1 is the key of .*jsonl:1 too"),
            (
                {"kind": "practice", "gold": {"funny": "Maybe"}},
                r'jsonl:4: gold.funny: got "Maybe"; expected one of "Yes", "No"',
            ),
            ({"kind": "check", "gold": {"funy": "Yes"}}, r"gold.funy: .*did you mean funny\?"),
            (
                {"kind": "check", "gold": {"styles": ["slapstick"]}},
                r"gold.styles: .*pun, irony",
            ),
            ({"draft": {"funny": "yes"}}, r'draft.funny: got "yes"; expected one of'),
            ({"draft": {"mood": "dry"}}, r"draft.mood: the study asks no such question"),
            (
                {"kind": "practice"},
                r"jsonl:4: gold: has nothing for stage first, so everybody would pass; "
                r"expected a right answer to one of funny, styles, why, or practice that is by_p",
            ),
            ({"kind": "check"}, r"jsonl:4: gold: has nothing .* one of funny, styles, why\. Corr"),
        ],
    )
    def test_raise_with_their_line(self, own: Path, fields: dict[str, Any], said: str) -> None:
        with_item(own, **fields)
        with pytest.raises(InputError, match=said):
            made(own)

    def test_practice_that_a_person_looks_at_needs_no_gold(self, own: Path) -> None:
        text = YAML.replace("rounds: 3}", "rounds: 3, by_person: true}")
        (own / "study.yaml").write_text(text, "utf-8")
        with_item(own, kind="practice")
        assert made(own).items[-1].gold == {}

    def test_outputs_of_several_sources_may_share_a_key(self, own: Path) -> None:
        part = {"name": "text", "kind": "text", "text": "ha"}
        for source in ("a", "b"):
            with_item(own, outputs=[{"source": source, "parts": [part]}])
        assert len(made(own).items) == 5

    @pytest.mark.parametrize(
        ("kind", "field"), [("practice", "practice"), ("check", "checks_every")]
    )
    def test_practice_and_checks_need_items(self, own: Path, kind: str, field: str) -> None:
        lines = [one for one in JSON.splitlines() if f'"kind": "{kind}"' not in one]
        (own / "items.jsonl").write_text("\n".join(lines), "utf-8")
        with pytest.raises(InputError, match=f"{field}: there is no item .*take {field} out"):
            made(own)

    def test_only_practice_is_nothing_to_ask_about(self, own: Path) -> None:
        (own / "items.jsonl").write_text("\n".join(JSON.splitlines()[1:]), "utf-8")
        with pytest.raises(DeadpanError, match="nothing to ask about"):
            made(own)

    def test_gold_of_what_is_not_asked_is_what_it_is_otherwise(self, own: Path) -> None:
        with_item(own, kind="check", gold={"funny": "No", "styles": ["NA"]})
        assert made(own).items[-1].gold["styles"] == ["NA"]

    def test_what_no_database_holds_is_taken_out(self, own: Path) -> None:
        part = {"name": "text", "kind": "text", "text": "So\0 dry.\n\\x00"}
        with_item(own, key="nul\0", parts=[part])
        found = made(own)
        opened = create_study(own / "lab", found.study, found.items).opened
        with opened.database.read() as session:
            keys = {row.key: row.content for row in session.scalars(select(ItemRow))}
        opened.database.close()
        assert keys["nul"]["parts"][0]["text"] == "So dry.\n\\x00"

    def test_gold_is_kept_in_the_order_of_the_options(self, own: Path) -> None:
        with_item(own, kind="check", gold={"styles": ["irony", "pun"]})
        found = made(own)
        opened = create_study(own / "made", found.study, found.items).opened
        with opened.database.read() as session:
            rows = session.query(ItemRow).filter_by(key="more").all()
            assert rows[0].content["gold"] == {"styles": ["pun", "irony"]}

    def test_an_unknown_kind_of_part_names_all(self, own: Path) -> None:
        with_item(own, parts=[{"name": "p", "kind": "image", "path": "joke-1.png"}])
        said = r"parts\[0\].kind: got \"image\"; expected picture, .*text or dialogue"
        with pytest.raises(InputError, match=said):
            placed_items(own / "items.jsonl")


SPAN = "{kind: span, name: target, title: {en: Whom}, of: [pots], typed: false}"
BOXES = "{kind: boxes, name: box, title: {en: Where}}"


class TestPartsThatAreNotThere:
    """The README's study with another question, or a stage that shows some parts."""

    def made(self, folder: Path, asked: str, shows: str = "", items: str = JSON) -> Any:
        text = YAML.replace("  questions:\n", f"{shows}  questions:\n  - {asked}\n")
        (folder / "study.yaml").write_text(text, "utf-8")
        (folder / "items.jsonl").write_text(items.replace('"text", "kind"', '"post", "kind"'))
        return made(folder)

    @pytest.mark.parametrize(
        ("asked", "shows", "said"),
        [
            (SPAN, "", "stage first: target is about pots, a part that no item has"),
            (SPAN.replace("false", "true"), "", "target is about pots"),
            ("{kind: boxes, name: box, title: {en: Where}, of: pots}", "", "box is about pots"),
            ("{kind: number, name: age, title: {en: Age}}", "  shows: [pots]\n", "shows pots"),
            ("{kind: text, name: new, title: {en: New}, corrects: pots}", "", "new is about pots"),
        ],
    )
    def test_no_item_has_them(self, own: Path, asked: str, shows: str, said: str) -> None:
        with pytest.raises(InputError, match=f"study.yaml: .*{said}.* did you mean post?"):
            self.made(own, asked, shows)

    @pytest.mark.parametrize(
        ("asked", "shows", "said"),
        [
            (SPAN.replace("pots", "post"), "", "target selects words of post, and joke-1 shows"),
            (BOXES, "", "box draws on picture, and try-1"),
            (BOXES, "  shows: [post]\n", "box draws on picture, and joke-1"),
            ("{kind: order, name: read, title: {en: Order}}", "", "read puts panels in order"),
            ("{kind: single, name: key, title: {en: Key}, panels: true}", "", "key chooses among"),
        ],
    )
    def test_an_item_lacks_them(self, own: Path, asked: str, shows: str, said: str) -> None:
        with pytest.raises(InputError, match=rf"jsonl:\d: {said}"):
            self.made(own, asked, shows)
        optional = asked[:-1] + ", required: false}"
        assert self.made(own, optional, shows)
        depending = asked[:-1] + ", when: {question: funny, values: [Yes]}}"
        (own / "study.yaml").write_text(
            YAML.replace("  - {kind: text", f"  - {depending}\n  - {{kind: text")
        )
        assert made(own)

    def test_panels_that_are_drawn_before_are_there(self, own: Path) -> None:
        later = "- name: later\n  title: {en: Later}\n  questions:\n"
        later += "  - {kind: order, name: read, title: {en: Order}}\n"
        text = YAML.replace("practice: {", "#").replace("checks_every: 20\n", "")
        (own / "items.jsonl").write_text(JSON.splitlines()[0], "utf-8")
        (own / "study.yaml").write_text(text + later, "utf-8")
        with pytest.raises(InputError, match="read puts panels in order, and joke-1 has none"):
            made(own)
        drawn = text.replace("  questions:\n", f"  questions:\n  - {BOXES}\n") + later
        (own / "study.yaml").write_text(drawn, "utf-8")
        assert made(own)


def _told(*changes: tuple[str, str]) -> str:
    """What is said of the README's study with some words otherwise."""
    text = YAML
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    with pytest.raises(InputError) as raised:
        study_of(text, "study.yaml")
    return str(raised.value)


FUNNY = 'title: {en: "Is it funny?"}'


class TestWrongStudies:
    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            ([("stages:", "stagse:")], ["line 9 stagse: unknown field; did you mean stages? "]),
            (
                [
                    ("title: {en: Dry wit", "titel: {en: Dry wit"),
                    ("name: dry-wit", "name: Dry Wit"),
                ],
                [
                    'line 1 name: got "Dry Wit"; expected small letters, digits and dashes',
                    "line 2 titel: unknown field; did you mean title?",
                ],
            ),
            ([("[Yes, No]", "[Yes, Yes]")], ["line 15 stages[0].questions[0].options: funny has"]),
            ([("[Yes, No]", "[]")], ["stages[0].questions[0].options: funny has no option; name"]),
            ([("values: [Yes]", "values: [Maybe]")], ["styles depends on funny=Maybe; expected"]),
            ([("kind: single", "kind: singel")], ["questions[0].kind", "did you mean single?"]),
            ([("kind: single, ", "")], ["questions[0].kind: is missing"]),
            ([("people: 2", "people: two")], ['line 12 stages[0].people: got "two"; expected']),
            ([(FUNNY, "title: {en: Is it funny?}")], ["study.yaml:15", "in quotes"]),
            ([(FUNNY, "title: {en: Is it: funny}")], ["study.yaml:15", "in quotes"]),
            ([(FUNNY, "title: {en: Well, is it}")], ["title.is it", "stand in quotes"]),
        ],
    )
    def test_are_told_with_line_and_path(
        self, changes: Sequence[tuple[str, str]], said: Sequence[str]
    ) -> None:
        told = _told(*changes)
        assert all(one in told for one in said), told
        assert "deadpan study schema" in told and "field required" not in told
        assert ".single." not in told and "tuple" not in told

    def test_a_field_that_is_there_twice(self) -> None:
        with pytest.raises(InputError, match=r"study.yaml:2: .*name is there twice"):
            study_of(f"name: other\n{YAML}", "study.yaml")

    def test_the_name_of_what_all_share(self) -> None:
        with pytest.raises(InputError, match="public is what PostgreSQL"):
            study_of(YAML.replace("name: dry-wit ", "name: public "), "study.yaml")

    def test_five_problems_are_told_at_once(self) -> None:
        wrong = "".join(f"field_{number}: 1\n" for number in range(7))
        told = _told(("stages:", f"{wrong}stages:"))
        assert told.startswith("study.yaml: 7 problems:\n  line 9 field_0")
        assert told.count("unknown field") == 5 and "and 2 more" in told

    @pytest.mark.parametrize(
        ("options", "labels"),
        [("[Yes, No]", ["Yes", "No"]), ("[true, off]", ["true", "off"]), ("[1, 2]", ["1", "2"])],
    )
    def test_labels_are_as_they_are_written(self, options: str, labels: list[str]) -> None:
        text = YAML.replace("options: [Yes, No]", f"options: {options}")
        text = text.replace("values: [Yes]", f"values: [{labels[0]}]")
        question, depending, _ = study_of(text, "study.yaml").stages[0].questions
        assert question.labels_known == labels
        assert depending.when and depending.when.values == (labels[0],)

    def test_labels_of_closed_words_are_the_words(self) -> None:
        asked = {"kind": "text", "name": "mood", "title": "Mood", "closed": True}
        mood = Text.model_validate({**asked, "suggestions": {"en": ["joy"], "zh": ["快乐"]}})
        assert mood.labels_known == ["joy", "快乐"]

    def test_an_unknown_benchmark(self, own: Path) -> None:
        text = YAML.replace("benchmark: pixelhumor ", "benchmark: pixelhumr ")
        (own / "study.yaml").write_text(text, "utf-8")
        with pytest.raises(InputError, match=r"got pixelhumr; .*did you mean pixelhumor"):
            made(own)
        assert read_study(own / "study.yaml").benchmark == "pixelhumr"

    def test_an_empty_file(self, own: Path) -> None:
        (own / "study.yaml").write_text("\n", "utf-8")
        with pytest.raises(InputError, match=r"is empty. Write a study into it"):
            made(own)

    def test_what_is_nested_too_deeply(self) -> None:
        with pytest.raises(InputError, match=r"study.yaml: is nested too deeply"):
            study_of("[" * 5_000, "study.yaml")


PACKAGE = Path(studies.__file__).parents[1]
TUTORIAL = Path(__file__).resolve().parents[2] / "docs/tutorials/plugin.md"
HAIKU = re.findall(r"```yaml title=\S+\n(.*?)```", TUTORIAL.read_text("utf-8"), re.S)
TEMPLATES = [
    *(PACKAGE / "studies" / "making").glob("*.yaml"),
    *PACKAGE.glob("benchmarks/*/studies/*.yaml"),
]
SHORT = """
name: short
title: Short
stages:
- name: first
  title: First
  questions:
  - {kind: single, name: a, title: Which, options: [1, 2.5, true, No], required: yes}
  - {kind: text, name: b, title: Why, suggestions: [dry, wet], when: {question: a, values: [1]}}
  - {kind: likert, name: c, title: How, ends: [low, high], labels: {3: middling}}
"""


class TestSchemaOfAFile:
    """An editor that checks a file by the schema takes what `create` takes, however it reads yes
    and no."""

    @pytest.fixture(scope="class")
    @staticmethod
    def schema() -> Draft202012Validator:
        found = editor_schema(Study)
        Draft202012Validator.check_schema(found)
        return Draft202012Validator(found)

    @pytest.mark.parametrize(
        "text",
        [YAML, SHORT, *HAIKU, *(path.read_text("utf-8") for path in TEMPLATES)],
        ids=["readme", "short", *("haiku" for _ in HAIKU), *(path.stem for path in TEMPLATES)],
    )
    def test_takes_what_is_a_study(self, schema: Draft202012Validator, text: str) -> None:
        study_of(text, "study.yaml")
        assert [one.message for one in schema.iter_errors(yaml.safe_load(text))] == []

    def test_takes_yes_and_no_as_text(self, schema: Draft202012Validator) -> None:
        row = yaml.safe_load(SHORT)
        asked = row["stages"][0]["questions"][0]
        assert asked["options"][3] is False and asked["required"] is True
        asked |= {"options": [1, "Yes", "No"], "required": "no"}
        assert schema.is_valid(row) and Study.model_validate(row)

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("kind: single", "kind: singel"),
            ("{kind: single, name: a", "{name: a"),
            ("options: [1, 2.5, true, No]", "options: 7"),
            ("options: [1, 2.5, true, No]", "options: [[1], 2]"),
            ("options: [1, 2.5, true, No]", "options: [{title: One}, 2]"),
            ("title: Short", "title: {de: Kurz}"),
            ("title: Short", "title: 7"),
            ("title: Short", "titel: Short"),
            ("required: yes", "required: perhaps"),
            ("name: short", "name: Short Name"),
        ],
    )
    def test_takes_nothing_that_is_none(
        self, schema: Draft202012Validator, before: str, after: str
    ) -> None:
        wrong = SHORT.replace(before, after, 1)
        assert wrong != SHORT and not schema.is_valid(yaml.safe_load(wrong))
        with pytest.raises(InputError):
            study_of(wrong, "study.yaml")

    def test_items_too(self) -> None:
        schema = Draft202012Validator(editor_schema(StudyItem))
        rows = [json.loads(line) for line in JSON.splitlines()]
        assert all(schema.is_valid({**row, "feedback": "So."}) for row in rows)
        assert not any(schema.is_valid({**row, "kind": "none"}) for row in rows)

    def test_is_what_the_command_prints(self, deadpan: Deadpan) -> None:
        assert json.loads(deadpan("study", "schema").out) == editor_schema(Study)


class TestSources:
    def test_addresses_are_not_fetched(self, own: Path) -> None:
        part = {"name": "p", "kind": "picture", "path": "http://127.0.0.1:1/x.png"}
        with_item(own, parts=[part])
        said = "item more names http://127.0.0.1:1/x.png; addresses are not fetched"
        with pytest.raises(InputError, match=said):
            made(own)

    def test_answers_that_are_no_table_yet(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.jsonl"
        row = {"item": "xkcd_209", "task": "interpretation", "answer": "A pun.", "model": "mine"}
        path.write_text(json.dumps(row), "utf-8")
        with pytest.raises(InputError, match=r"mine.jsonl: is no table of results") as raised:
            make_study("pixelhumor/rating", [path], tmp_path)
        score = f"deadpan score pixelhumor --predictions {path} --table {tmp_path}/mine.parquet"
        assert f"`{score} --data {tmp_path}`; then give --from" in raised.value.fix

    def test_two_files_of_items(self, own: Path) -> None:
        with pytest.raises(InputError, match="got 2 files of items with --from; expected one"):
            make_study(str(own / "study.yaml"), [own / "items.jsonl"] * 2)

    @pytest.mark.parametrize("name", ["study.yaml", "pixelhumor/annotation"])
    def test_what_is_not_there(self, own: Path, name: str) -> None:
        study = str(own / name) if name == "study.yaml" else name
        with pytest.raises(InputError, match=r"nowhere: is not there. Check --from"):
            make_study(study, [own / "nowhere"])

    def test_a_study_that_is_misspelt(self) -> None:
        with pytest.raises(DeadpanError) as raised:
            find_template("pixelhumr/annotation")
        expected = "pixelhumr/annotation: no such study; did you mean pixelhumor/annotation?"
        assert str(raised.value) == expected
        with pytest.raises(DeadpanError, match="expected a YAML file, or one of pixelhumor/"):
            find_template("zzz")


class TestSchema:
    @pytest.mark.parametrize(("of", "field"), [((), "stages"), (("items",), "parts")])
    def test_is_one(self, of: Sequence[str], field: str, deadpan: Deadpan) -> None:
        found = json.loads(deadpan("study", "schema", *of).out)
        assert field in found["properties"]

    @pytest.mark.parametrize("of", [(), ("items",)])
    def test_says_what_fields_mean(self, of: Sequence[str], deadpan: Deadpan) -> None:
        found = json.loads(deadpan("study", "schema", *of).out)
        forms = {"": found, **found["$defs"]}
        forms.pop("PanelBox", None)
        bare = [
            (form, name)
            for form, about in forms.items()
            for name, field in about.get("properties", {}).items()
            if name != "kind" and "description" not in field
        ]
        assert bare == []

    def test_of_nothing_else(self, deadpan: Deadpan) -> None:
        run = deadpan("study", "schema", "item")
        assert run.code == 2 and "did you mean items?" in run.err


class TestPeople:
    @pytest.fixture
    def lab(self, own: Path) -> Path:
        found = made(own)
        create_study(own / "lab", found.study, found.items).opened.database.close()
        return own / "lab"

    def test_a_new_link_is_said_to_replace_the_old(self, lab: Path, deadpan: Deadpan) -> None:
        assert "replaces" not in deadpan("study", "invite", lab, "Ann").err
        run = deadpan("study", "invite", lab, "Ann")
        assert run.code == 0 and "/join/" in run.out
        assert "Ann: the new link replaces their password or link" in run.err

    @pytest.mark.parametrize(
        ("option", "value", "has"),
        [("--role", "lead", "role rater"), ("--language", "zh", "language en")],
    )
    def test_nobody_becomes_somebody_else(
        self, lab: Path, deadpan: Deadpan, option: str, value: str, has: str
    ) -> None:
        deadpan("study", "invite", lab, "Ann", "--language", "en")
        run = deadpan("study", "invite", lab, "Ann", option, value)
        assert run.code == 2 and "/join/" not in run.out
        assert f"Ann is invited already, with {has}" in run.err

    def test_a_lead_gets_a_new_link_without_naming_the_role(
        self, lab: Path, deadpan: Deadpan
    ) -> None:
        deadpan("study", "invite", lab, "Dana", "--role", "lead")
        assert deadpan("study", "invite", lab, "Dana").code == 0
        assert "lead" in deadpan("study", "status", lab).out


class TestAgreement:
    def test_of_no_benchmark_is_written_under_the_studys_name(
        self, own: Path, deadpan: Deadpan
    ) -> None:
        text = (
            YAML.replace("benchmark: pixelhumor ", "")
            .replace("practice: {", "#")
            .replace("checks_every: 20\n", "")
        )
        lone = study_of(re.sub(r" # whose scales.*", "", text), "study.yaml")
        items = [item for _, item in placed_items(own / "items.jsonl") if item.kind == "main"]
        part = items[0].parts[0].model_copy(update={"path": str(own / "joke-1.png")})
        room = room_of(own / "lab", lone, [items[0].model_copy(update={"parts": (part,)})])
        with everybody(*(room.joined(name) for name in ("Ann", "Bo"))) as people:
            work_together(people)
        room.study.database.close()
        run = deadpan("study", "agreement", own / "lab", "--json", own / "found.json")
        assert run.code == 0, run.err
        assert json.loads((own / "found.json").read_text("utf-8"))["benchmark"] == "dry-wit"


class TestDemo:
    @pytest.mark.parametrize("template", ["pixelhumor/annotation"])
    def test_is_in_the_folder_that_is_named(
        self, template: str, tmp_path: Path, deadpan: Deadpan, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("deadpan.studies.serving.serve_study", lambda *_, **more: None)
        folder = tmp_path / "demo1"
        run = deadpan("study", "demo", template, "--out", folder, "--no-browser")
        assert run.code == 0, run.err
        assert f"deadpan study serve {folder}" in run.out.replace("\n", " ").replace("  ", " ")
        assert deadpan("study", "status", folder).code == 0
        assert folder.stat().st_mode & 0o077 == 0
        again = deadpan("study", "demo", template, "--out", folder, "--no-browser")
        assert again.code == 2 and "holds a study already" in again.err

    def test_says_nothing_before_what_is_wrong(self, deadpan: Deadpan) -> None:
        run = deadpan("study", "demo", "pixelhumr/annotation")
        assert run.code == 2 and "making" not in run.out + run.err


def test_a_folders_own_database_comes_before_the_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    items = [explained("one", model="A pun.")]
    create_study(tmp_path / "study", a_study(rated()), items).opened.database.close()
    nowhere = "postgresql://nobody@127.0.0.1:1/none"
    monkeypatch.setenv("DEADPAN_STUDY_DATABASE", nowhere)
    opened = open_study(tmp_path / "study", nowhere)
    assert opened.database.is_sqlite
    opened.database.close()
    monkeypatch.delenv("DEADPAN_STUDY_DATABASE")
    with pytest.raises(DeadpanError, match="its database is the file"):
        open_study(tmp_path / "study", nowhere)
