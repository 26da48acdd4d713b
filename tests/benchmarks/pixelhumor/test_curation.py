"""PixelHumor built from posts: drafted panels, numbers by lot, candidates, rows and files."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

from deadpan.base.errors import InputError
from deadpan.benchmarks.pixelhumor import PIXELHUMOR
from deadpan.benchmarks.pixelhumor.curation import BUILDING
from deadpan.benchmarks.pixelhumor.curation.drafting import STEPS
from deadpan.benchmarks.pixelhumor.curation.known import known_panels
from deadpan.benchmarks.pixelhumor.curation.panels import FoundPanels, numbered, require_apart
from deadpan.benchmarks.pixelhumor.records import MINI_SET, QUESTIONS
from deadpan.core.curation import Post, PostMedia, Unusable
from deadpan.core.questions import Language
from deadpan.core.study.templates import StudySource
from deadpan.media.boxes import Box
from tests.curate.interviews import ScriptedInterview, drafted, refusal

PROMPTS = PIXELHUMOR.folder / "curation" / "prompts"
HARMLESS = {"harmful": False, "reason": "A plant talks."}
SETTLED = {
    "Q1": "['Yes']",
    "Q2": "['Absent']",
    "Q3": "['1']",
    "Q4": "['Text']",
    "Q5": "['Pun', 'Dark']",
}


@pytest.fixture(scope="module")
def media(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A comic of three panels in a row, and a picture that nothing parts."""
    folder = tmp_path_factory.mktemp("media")
    shutil.copy(MINI_SET / "images" / "deadpan_1.png", folder / "aa.png")
    plain = Image.new("RGB", (400, 300), "white")
    ImageDraw.Draw(plain).ellipse((120, 60, 280, 240), fill="black")
    plain.save(folder / "plain.png")
    return folder


def post(file: str = "aa.png", language: Language = "en", **more: Any) -> Post:
    picture = PostMedia(given=file, file=file, url="https://comics.example/aa.png")
    given = {"id": "strips-7", "source": "strips", "where": "strips.csv:7", "url": ""} | more
    return Post(language=language, media=(picture,), **given)


def read(words: dict[int, str], order: list[int]) -> dict[str, Any]:
    return {"order": order, "panels": [{"panel": n, "text": t} for n, t in words.items()]}


READ = read({1: "I WATERED\nYOU", 2: "SAY THE MONTH", 3: ""}, [3, 1, 2])


def interview(language: Language = "en", **replies: Any) -> ScriptedInterview:
    return ScriptedInterview({"reading": READ, "harm": HARMLESS} | replies, PROMPTS, language)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_panels_by_gutters_are_numbered_by_lot_and_read_as_numbered(
    media: Path, language: Language
) -> None:
    ask = interview(language)
    made = drafted(BUILDING, post(language=language), ask, media)
    assert made.steps == STEPS and [one.step for one in ask.asked] == ["reading", "harm"]
    boxes = made.draft["metadata"]
    assert isinstance(boxes, list) and len(boxes) == 3
    assert [one["panel_number"] for one in boxes] == [1, 2, 3]  # type: ignore[call-overload,index]
    assert made.draft["text"] == {"1": "I WATERED YOU", "2": "SAY THE MONTH", "3": ""}
    assert made.draft["panel_sequence"] == [3, 1, 2]
    assert (made.draft["potentially_harmful"], made.draft["panels_by"]) == ("non-harm", "detector")
    reading, harm = ask.asked
    assert "1, 2, 3" in reading.prompt
    # The numbers are drawn on what it reads, and not on the comic.
    assert reading.media[0].name != "aa.png" and harm.media == (media / "aa.png",)
    assert drafted(BUILDING, post(language=language), interview(language), media) == made


def test_numbers_follow_the_post_and_not_the_order() -> None:
    areas = [Box(10 * n, 0, 10 * n + 9, 9) for n in range(6)]
    dealt = {tuple(one.panel_number for one in numbered(areas, f"p-{n}")) for n in range(20)}
    assert len(dealt) > 15 and all(sorted(one) == [1, 2, 3, 4, 5, 6] for one in dealt)
    assert numbered(areas, "p-1") == numbered(areas, "p-1") and numbered([], "p") == []


def test_a_model_finds_the_panels_that_no_gutter_parts(media: Path) -> None:
    halves = {
        "panels": [
            {"x1": 0, "y1": 0, "x2": 500, "y2": 1000},
            {"x1": 500, "y1": 0, "x2": 1000, "y2": 1000},
        ]
    }
    lying = {"panels": [halves["panels"][0], {"x1": 0, "y1": 0, "x2": 520, "y2": 1000}]}
    outside = {"panels": [{"x1": 0, "y1": 0, "x2": 1200, "y2": 10}]}
    ask = interview(boxes=[lying, outside, halves], reading=read({1: "a", 2: "b"}, [1, 2]))
    made = drafted(BUILDING, post("plain.png"), ask, media)
    assert made.draft["panels_by"] == "model"
    sides = [
        (one["x1"], one["x2"], one["y2"])  # type: ignore[call-overload,index]
        for one in made.draft["metadata"]  # type: ignore[union-attr]
    ]
    assert sorted(sides) == [(0, 200, 300), (200, 400, 300)]
    assert "lie on each other" in ask.refusals[0] and "1000" in ask.refusals[1]
    single = interview(
        boxes={"panels": [{"x1": 0, "y1": 0, "x2": 1000, "y2": 1000}]},
        reading=read({1: "a"}, [1]),
    )
    assert drafted(BUILDING, post("plain.png"), single, media).draft["panel_sequence"] == [1]
    with pytest.raises(Unusable, match="refused"):
        drafted(BUILDING, post("plain.png"), interview(boxes=refusal()), media)
    with pytest.raises(ValueError, match="no room"):
        require_apart(
            FoundPanels.model_validate({"panels": [{"x1": 9, "y1": 9, "x2": 9, "y2": 9}]})
        )


def test_a_reply_that_leaves_out_a_panel_is_asked_for_again(media: Path) -> None:
    short = read({1: "a", 2: "b"}, [1, 2, 3])
    twice = read({1: "a", 2: "b", 3: "c"}, [1, 2, 2])
    ask = interview(reading=[short, twice, READ])
    assert drafted(BUILDING, post(), ask, media).draft["panel_sequence"] == [3, 1, 2]
    assert ask.refusals == [
        "panels: expected each of 1, 2, 3 exactly once",
        "order: expected each of 1, 2, 3 exactly once",
    ]


def test_panels_that_a_source_tells_are_not_drafted(media: Path) -> None:
    known = drafted(BUILDING, post(), interview(), media).draft
    told = post(attributes={"panels": json.dumps(known)})
    ask = interview()
    made = drafted(BUILDING, told, ask, media)
    assert ask.asked == [] and made.draft["metadata"] == known["metadata"]
    for other in ("4", "[]", '{"metadata": []}', "not JSON", json.dumps({**known, "text": {}})):
        assert known_panels(post(attributes={"panels": other})) is None


def candidate(media: Path, language: Language = "en", **more: Any) -> Post:
    made = post(language=language, **more)
    return made.changed(draft=drafted(BUILDING, made, interview(language), media).draft)


def test_candidates_lack_what_annotators_say_and_the_study_takes_them(media: Path) -> None:
    posts = [candidate(media), candidate(media, "zh", id="strips-xkcd_8")]
    bare, gone = post(id="strips-9"), candidate(media).dropped("purify", "too small")
    blind = candidate(media).changed(id="strips-10", media=())
    dataset = BUILDING.candidates([*posts, bare, gone, blind], media)
    assert [one.comic_id for one in dataset.records] == ["strips_7", "strips_xkcd_8"]
    assert [BUILDING.item(one) for one in posts] == ["strips_7", "strips_xkcd_8"]
    assert [one.source for one in dataset.records] == ["strips", "strips_xkcd"]
    first = dataset.records[0]
    assert (first.presence, first.panel, first.styles) == (None, (), ())
    assert [one.kind for one in dataset.anomalies] == ["no panels", "no picture"]
    for name in ("annotation", "panels"):
        template = next(one for one in PIXELHUMOR.studies if one.name == name)
        given = {"practice": "0"} if name == "annotation" else {}
        made = template.make(StudySource(dataset, None, 0, template.settings(given)))
        assert {item.key for item in made.items} == {"strips_7", "strips_xkcd_8"}
        if name == BUILDING.template:
            assert {*made.items[0].panel_numbers} == {1, 2, 3}
    with pytest.raises(Exception, match="expected 0 or fewer, as have gold"):
        template = next(one for one in PIXELHUMOR.studies if one.name == "annotation")
        settings = template.settings({"practice": "0", "checks": "1"})
        template.make(StudySource(dataset, None, 0, settings))


def _released(rows: list[dict[str, Any]], media: Path, to: Path, pictures: bool = True) -> Any:
    files = BUILDING.files([{"split": "test"} | row for row in rows])
    for name, text in files.texts.items():
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        (to / name).write_text(text, encoding="utf-8")
    for name, source in files.media.items() if pictures else ():
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(media / source, to / name)
    return files


@pytest.mark.parametrize("pictures", [True, False])
def test_settled_comics_are_read_back_with_pictures_or_with_addresses_alone(
    media: Path, tmp_path: Path, pictures: bool
) -> None:
    posts = [candidate(media), candidate(media, "zh", id="strips-8", url="https://c.example/8")]
    rows = [BUILDING.rows(one, SETTLED) for one in posts]
    assert rows[0]["id"] == "strips-7" and rows[0]["source"] == "strips"
    _released(rows, media, tmp_path, pictures)
    dataset = PIXELHUMOR.read(tmp_path)
    assert dataset.anomalies == ()
    first, second = dataset.records
    assert (first.comic_id, first.language, second.language) == ("strips_7", "en", "zh")
    assert (first.url, second.url) == ("https://comics.example/aa.png", "https://c.example/8")
    assert (first.panel_sequence, first.styles) == ((3, 1, 2), ("Pun", "Dark"))
    assert first.boxes == BUILDING.candidates(posts, media).records[0].boxes
    assert first.text == "1: I WATERED YOU \n 2: SAY THE MONTH \n 3: "
    assert (first.image is not None) == pictures
    for task in PIXELHUMOR.tasks:
        assert len(PIXELHUMOR.questions(dataset, task.name, PIXELHUMOR.prompts(task.name))) == 2
    wrong = {one.kind for one in PIXELHUMOR.verify(tmp_path)}
    assert wrong <= {"missing file", "no pictures"}


def test_settled_panels_replace_drafted_ones_and_wait_for_the_annotation(
    media: Path, tmp_path: Path
) -> None:
    drawn = candidate(media)
    line = {
        "comic_id": "strips_7",
        "metadata": str([{"x1": 0, "y1": 0, "x2": 500, "y2": 300, "panel_number": "1"}]),
        "panel_sequence": "1",
        "text": "1: =SUM(A1), she said",
        "number_of_panels": "1",
        "potentially_harmful": "harm",
    }
    row = BUILDING.rows(drawn, line)
    assert (row["number_of_panels"], row["potentially_harmful"]) == (1, "harm")
    files = _released([row], media, tmp_path)
    assert "full_label.csv" not in files.texts
    (told,) = csv.DictReader(io.StringIO(files.texts["panels.csv"]))
    assert told["id"] == "strips-7" and files.media[told["image"]] == "aa.png"
    # What one curation settles, the next one takes as it is.
    ask = interview()
    again = drafted(BUILDING, post(attributes={"panels": told["panels"]}), ask, media)
    assert ask.asked == [] and again.draft["panel_sequence"] == [1]
    assert again.draft["text"] == {"1": "=SUM(A1), she said"}


def test_splits_lie_in_folders_of_their_own(media: Path, tmp_path: Path) -> None:
    row = BUILDING.rows(candidate(media), SETTLED)
    other = BUILDING.rows(candidate(media, id="strips-8"), SETTLED) | {"split": "train"}
    files = _released([row, other], media, tmp_path)
    assert set(files.media) == {"images/strips_7.png", "splits/train/images/strips_8.png"}
    assert [len(PIXELHUMOR.read(one).records) for one in (tmp_path, tmp_path / "splits/train")] == [
        1,
        1,
    ]


@pytest.mark.parametrize(
    ("changes", "settled", "what"),
    [
        ({"draft": {}}, SETTLED, "no panels"),
        ({"media": ()}, SETTLED, "no picture"),
        ({}, {name: SETTLED[name] for name in QUESTIONS[:3]}, "no answer to Q4, Q5"),
        ({}, SETTLED | {"metadata": "__import__('os')"}, "no panels that can be used"),
    ],
)
def test_what_cannot_be_a_row_is_told(
    media: Path, changes: dict[str, Any], settled: dict[str, Any], what: str
) -> None:
    with pytest.raises(InputError, match=what):
        BUILDING.rows(candidate(media).changed(**changes), settled)
