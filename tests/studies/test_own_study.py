"""A study of one's own, as the README shows it; and what is said where a file of one is wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from deadpan import studies
from deadpan.base.errors import DeadpanError, InputError
from deadpan.core.study.files import placed_items, read_study, study_of
from deadpan.studies.making.catalogue import find_template, make_study
from deadpan.studies.making.creating import create_study, open_study
from deadpan.studies.storage.tables import ItemRow
from tests.cli.conftest import Deadpan
from tests.cli.conftest import deadpan as deadpan
from tests.studies.made_study import picture
from tests.studies.robots import everybody, room_of, work_together
from tests.studies.study_room import a_study, explained, rated

README = (Path(studies.__file__).parent / "README.md").read_text("utf-8")
YAML, JSON = (re.findall(rf"```{kind}\n(.*?)```", README, re.S)[0] for kind in ("yaml", "json"))


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
        assert "data get" not in run.err
        assert (own / "dry-wit" / "study.json").is_file()

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
        ],
    )
    def test_raise_with_their_line(self, own: Path, fields: dict[str, Any], said: str) -> None:
        with_item(own, **fields)
        with pytest.raises(InputError, match=said):
            made(own)

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
            ([("[Yes, No]", "[Yes, Yes]")], ["line 15 stages[0].questions[0].options: Yes is"]),
            ([("[Yes, No]", "[]")], ["stages[0].questions[0].options: name at least one"]),
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

    def test_an_unknown_benchmark(self, own: Path) -> None:
        text = YAML.replace("benchmark: pixelhumor ", "benchmark: pixelhumr ")
        (own / "study.yaml").write_text(text, "utf-8")
        with pytest.raises(InputError, match=r"got pixelhumr; .*did you mean pixelhumor"):
            made(own)
        assert read_study(own / "study.yaml").benchmark == "pixelhumr"


class TestSources:
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
