"""A curation from raw posts to a release: resumed, explained, and the same whoever works."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("daft")

import polars as pl
from pydantic import JsonValue

from deadpan.benchmarks import find
from deadpan.core.curation import Post
from deadpan.core.study.choice_questions import Single
from deadpan.core.study.items import StudyItem
from deadpan.core.study.stages import Question
from deadpan.curate.configuration import read_curation
from deadpan.curate.running.batches import Runner
from deadpan.curate.running.folder import WorkFolder
from deadpan.curate.running.progress import CurationEvents
from deadpan.curate.running.reporting import explained, latest_posts, stage_counts
from deadpan.curate.running.run import Outcome, run_curation
from deadpan.studies.lead.operations import set_closed
from deadpan.studies.making.creating import open_study
from deadpan.studies.results.status import study_status
from deadpan.studies.storage.opened import OpenStudy
from tests.curate.drawn_posts import make_posts
from tests.model_server import ModelServer
from tests.studies.robots import everybody, served, work_together

RUNNER = Runner(2)
_FILE = """\
name: drawn
benchmark: cfms
out: work
shard: 10
collect:
- {name: drawn, path: posts/posts.jsonl, fields: {pictures: images}, licence: CC0-1.0}
read: {ocr: false}
people: {template: cfms/labels, set: {people: 2, teams: 1, passes: 1, text_agreement: 0}}
release: {licence: CC0-1.0, creators: [{name: Somebody}], description: Drawn.}
"""


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Raw posts, and a curation of them that was run until people are needed."""
    folder = tmp_path_factory.mktemp("drawn")
    make_posts(folder / "posts", 24, 3)
    with (folder / "posts" / "posts.jsonl").open("a", encoding="utf-8") as stream:
        stream.write('{"id": "broken", \n')
    (folder / "curation.yaml").write_text(_FILE, encoding="utf-8")
    done = run_curation(read_curation(folder / "curation.yaml"), RUNNER, CurationEvents())
    assert "wait for people" in done.waiting and done.release is None
    return folder


@pytest.fixture
def work(drawn: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    shutil.copytree(drawn, tmp_path / "own")
    return tmp_path / "own"


def _run(folder: Path) -> Outcome:
    return run_curation(read_curation(folder / "curation.yaml"), RUNNER, CurationEvents())


def _files(folder: Path, part: str = "stages") -> dict[str, tuple[int, bytes]]:
    return {
        str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.read_bytes())
        for path in sorted((folder / "work" / part).rglob("*"))
        if path.is_file()
    }


def test_every_row_is_counted(drawn: Path) -> None:
    posts = latest_posts(WorkFolder(drawn / "work"))
    assert len(posts) == 25
    counts = stage_counts(posts)
    assert counts[0].came == 25 and counts[0].dropped
    lost = sum(sum(one.dropped.values()) for one in counts)
    assert lost + sum(post.drop is None for post in posts) == 25
    broken = [post for post in posts if post.drop and post.drop.stage == "collect"]
    assert [post.where for post in broken] == ["posts.jsonl:25"]


def test_again_does_nothing(work: Path) -> None:
    before = _files(work)
    _run(work)
    assert _files(work) == before


def test_what_is_missing_is_made_again_to_the_byte(work: Path) -> None:
    before = _files(work)
    prepared = sorted((work / "work" / "stages" / "prepare").iterdir())
    prepared[0].unlink()
    shutil.rmtree(work / "work" / "stages" / "deduplicate")
    shutil.rmtree(work / "work" / "media")
    _run(work)
    after = _files(work)
    assert {name: data for name, (_, data) in after.items()} == {
        name: data for name, (_, data) in before.items()
    }
    untouched = [str(path.relative_to(work)) for path in prepared[1:]]
    assert all(after[name] == before[name] for name in untouched)


def test_a_changed_picture_changes_its_shard_alone(work: Path) -> None:
    names = set(_files(work, "stages/prepare"))
    picture = sorted((work / "posts" / "images").iterdir())[0]
    os.utime(picture, ns=(1, 1))
    assert "wait for people" in _run(work).waiting
    assert len(set(_files(work, "stages/prepare")) - names) == 1


def test_stages_are_tables_that_anybody_reads(drawn: Path) -> None:
    table = pl.read_parquet(drawn / "work" / "stages" / "deduplicate" / "*.parquet")
    assert {"id", "source", "language", "stage", "reason", "record"} <= set(table.columns)
    assert Post.model_validate_json(table["record"][0]).id == table["id"][0]


def test_explains_a_post_stage_by_stage(drawn: Path) -> None:
    work = WorkFolder(drawn / "work")
    lost = next(post for post in latest_posts(work) if post.drop and post.drop.stage != "collect")
    told = list(explained(work, lost.id))
    assert told[0][0] == "collect" and lost.where in told[0][1]
    assert lost.drop and told[-1][0] == lost.drop.stage and lost.drop.reason in told[-1][1]
    with pytest.raises(Exception, match="no such post; did you mean"):
        list(explained(work, lost.id[:-1]))


def test_people_settle_it_and_it_is_released(work: Path) -> None:
    room = served(open_study(work / "work" / "study"))
    with everybody(*(room.joined(f"rater {number}") for number in range(2))) as people:
        work_together(people)
    done = _run(work)
    if done.waiting:
        _closed(work)
        done = _run(work)
    release = done.release
    assert release is not None and (release / "SHA256SUMS").is_file()
    rows = [json.loads(line) for line in (release / "pairs.jsonl").read_text().splitlines()]
    read = find("cfms").read(release)
    assert {row["id"] for row in rows if row["split"] == "test"} == {
        one.name for one in read.records
    }
    kept = [post for post in done.posts if post.drop is None]
    assert {post.id for post in kept} == {row["id"] for row in rows}
    before = {path: path.read_bytes() for path in release.rglob("*") if path.is_file()}
    again = _run(work)
    assert again.release == release
    assert {path: path.read_bytes() for path in release.rglob("*") if path.is_file()} == before
    assert any(stage == "split" for stage, _ in explained(WorkFolder(work / "work"), kept[0].id))


def _closed(work: Path) -> None:
    set_closed(open_study(work / "work" / "study"), True)


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("read: {ocr: false}", "read: {ocr: false}\npurify: {shortest_side: 420}"),
        ("teams: 1", "teams: 2"),
    ],
)
def test_a_study_that_somebody_is_in_is_never_made_anew(work: Path, was: str, now: str) -> None:
    file, study = work / "curation.yaml", work / "work" / "study"
    text = file.read_text()
    file.write_text(text.replace(was, now), encoding="utf-8")
    assert "wait for people" in _run(work).waiting  # made anew, as nobody is in it
    served(open_study(study)).joined("rater")
    file.write_text(text, encoding="utf-8")
    with pytest.raises(Exception, match="people are in this study"):
        _run(work)


def test_what_people_still_discuss_is_waited_for(work: Path) -> None:
    file = work / "curation.yaml"
    options = "people: 2, teams: 1, passes: 1, text_agreement: 0.9"
    text = file.read_text().replace("people: 2, teams: 1, passes: 1, text_agreement: 0", options)
    file.write_text(text, encoding="utf-8")
    _run(work)
    study = open_study(work / "work" / "study")
    room = served(study)

    def first_option(question: Question, item: StudyItem, draw: Random) -> JsonValue:
        return question.options[0].value if isinstance(question, Single) else None

    with everybody(room.joined("one"), room.joined("two")) as (one, two):
        one.work(first_option)
        while (left := _states(study).get("open")) and (task := two.task()):
            # They agree on all items but the last one.
            two.answer(task, first_option if left > 1 else None)
            two.post(f"/t/{task.token}/submit")
    assert _states(study) | {"settled": 0} == {"discussing": 1, "settled": 0}
    done = _run(work)
    assert "1 item waits for people" in done.waiting and not done.release


def _states(study: OpenStudy) -> Mapping[str, int]:
    (states,) = study_status(study).stages.values()
    return states


def test_nobody_to_decide_is_told(work: Path) -> None:
    file = work / "curation.yaml"
    lines = [line for line in file.read_text().splitlines() if not line.startswith("people:")]
    file.write_text("\n".join(lines))
    done = _run(work)
    assert "name a model (draft:) or people (people:)" in done.waiting


def test_posts_that_a_model_fails_on_hold_it_up_unless_they_are_skipped(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(work / "work" / "study")
    file = work / "curation.yaml"
    text = file.read_text()
    calls = "max_retries: 0, give_up: 0, timeout: 20"
    with ModelServer(lambda *_: "no", dict.fromkeys(range(500), "500!")) as server:
        server.offer(monkeypatch)
        file.write_text(f"{text}draft: {{model: openai-api/loopback/writer, {calls}}}\n")
        waiting = _run(work).waiting
        assert "got no draft" in waiting and "draft: on_failure: skip" in waiting
        file.write_text(
            f"{text}draft: {{model: openai-api/loopback/writer, {calls}, on_failure: skip}}\n"
        )
        done = _run(work)
    assert "wait for people" in done.waiting
    kept = [post for post in done.posts if post.drop is None]
    assert kept and all([flag.kind for flag in post.flags][-1] == "failed" for post in kept)
