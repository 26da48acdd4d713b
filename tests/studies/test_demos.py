"""`deadpan study demo`: every study can be tried, by everybody who has a role in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from sqlalchemy import select

from deadpan.benchmarks import find
from deadpan.core.questions import Language
from deadpan.core.study.items import StudyItem
from deadpan.failures.criteria import read_criteria
from deadpan.studies.demo import demo_study, shows_examples
from deadpan.studies.making.catalogue import templates
from deadpan.studies.making.examples import MADE_UP, example_table, read_examples
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import ItemRow
from tests.studies.robots import Robot, served
from tests.studies.study_room import quick_passwords

NAMES = [f"{benchmark.name}/{template.name}" for benchmark, template in templates()]
BENCHMARKS = sorted({name.partition("/")[0] for name in NAMES})
NAMED = {"human", "caption", "flawed-layout", "flawed-text"}
"""Whose the mini-sets' own explanations and edits are."""
LANGUAGES: tuple[Language, ...] = ("en", "zh")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    quick_passwords(monkeypatch)


def _items(opened: OpenStudy) -> Iterator[StudyItem]:
    with opened.database.read() as session:
        for row in session.scalars(select(ItemRow)):
            yield StudyItem.model_validate(row.content)


@pytest.mark.parametrize("name", NAMES)
def test_every_study_can_be_tried_in_every_role(name: str, tmp_path: Path) -> None:
    opened, links = demo_study(name, tmp_path / "demo")
    room = served(opened)
    assert [who for who, _ in links] == ["rater one", "rater two", "adjudicator", "lead"]
    for who, token in links[1:]:
        with room.client() as browser:
            told = browser.get(f"/join/{token}").text
            assert ("made up for it" in told) is shows_examples(name)
            person = Robot(room, who, browser, f"/join/{token}")
            page = person.get("/lead" if who == "lead" else "/work")
            assert page.status_code == 200 and "Demo: " in page.text
            if who.startswith("rater"):
                assert "/t/" in str(page.url), f"{name}: nothing to do"
                media = re.findall(r'src="(/media/[^"]+)"', page.text)
                assert all(person.get(path).status_code == 200 for path in media)
                # What is rated is not told apart by its name.
                assert not re.search("made-up|flawed-|EditedResults", page.text)
    items = [item for item in _items(opened) if item.kind == "main"]
    assert 2 <= len(items) <= 8
    if shows_examples(name):
        assert {item.language for item in items} == {*LANGUAGES}
        sources = {one.source for item in items for one in item.outputs}
        sources |= {item.draft_by for item in items if item.draft}
        assert sources
        assert all(one.startswith(MADE_UP) or one in NAMED for one in sources), sources
    opened.database.close()


@pytest.mark.parametrize("name", BENCHMARKS)
def test_examples_are_answers_that_can_be_read(name: str) -> None:
    benchmark, examples = find(name), read_examples(find(name))
    dataset = benchmark.read(None)
    table = example_table(benchmark, dataset, examples)
    said = {(one.task, one.source, one.item) for one in examples if one.task}
    read = table.filter(pl.col("outcome") == "answered")
    assert said <= set(read.select("task", "model", "item").iter_rows())
    types = read_criteria(None).names
    assert all(one.failure.type in types for one in examples if one.failure)
    assert all(one.source.startswith(MADE_UP) or one.source in NAMED for one in examples)
    for one in examples:
        if one.judgement is not None:
            judge = benchmark.judge(one.task)
            judge.check(judge.reply.model_validate(one.judgement))
