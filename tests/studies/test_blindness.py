"""What a rater's browser is sent tells nothing of who made what, nor of what others answered."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from httpx import Response
from PIL import Image, ImageCms, PngImagePlugin
from sqlalchemy import select

from deadpan.core.study.items import Output, Part, StudyItem, Turn
from deadpan.studies.making.creating import create_study
from deadpan.studies.making.plain_text import plain_text
from deadpan.studies.storage.tables import AnswerRow, ItemRow, PersonRow, TaskRow
from deadpan.studies.work.assignment import Queues, next_task
from tests.studies.study_room import (
    Person,
    Room,
    a_sound,
    a_study,
    chosen,
    explained,
    left,
    rated,
    served,
    words,
)

SOURCES = ("acme/titan-9b-chat", "Zeta Vision Pro", "the expert Dr Quill")
SEALED = ("titan-9b", "acme", "zeta", "vision pro", "quill", "expert")
ITEMS = 3


def _item(number: int, outputs: Sequence[Output], **more: object) -> StudyItem:
    """An item whose every sealed field says who is behind it."""
    return StudyItem.model_validate(
        {
            "key": f"ITEM-KEY-{number}-{outputs[0].source}",
            "parts": (words(f"A joke about {number} ducks.", "joke"),),
            "outputs": outputs,
            "attributes": {"maker": outputs[0].source, "secret": "OWN-ATTRIBUTE"},
            "gold": {"rating": 7, "why": "GOLD-ANSWER"},
            "draft": {"why": "It is a pun."},
            "draft_by": "DRAFTER-LLM",
            **more,
        }
    )


def _output(number: int, source: str) -> Output:
    part = Part(
        name=re.sub(r"\W", "", source),
        kind="text",
        title={"en": f"What {source} says"},
        alt=f"by {source}",
        text=f"Ducks are funny, it says, {1_000 + 7 * number + len(source)} times.",
    )
    return Output(source=source, parts=(part,))


def _rated_items() -> list[StudyItem]:
    return [_item(at, [_output(at, one)]) for at in range(ITEMS) for one in SOURCES]


def _compared_items(count: int, sources: Sequence[str] = SOURCES) -> list[StudyItem]:
    return [_item(at, [_output(at, one) for one in sources]) for at in range(count)]


KINDS = {
    "rating": (rated(drafted=True), _rated_items()),
    "best": (chosen(), _compared_items(ITEMS)),
    "pairwise": (chosen("pairwise"), _compared_items(ITEMS, SOURCES[:2])),
}


@pytest.fixture(params=KINDS)
def room(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Room]:
    stage, items = KINDS[request.param]
    yield from left(served(tmp_path / "place-of-study", a_study(stage), items))


def _told(found: Response) -> str:
    """Everything that a browser learns from an answer, but for the bytes of pictures."""
    request = found.request
    headers = "\n".join(f"{name}: {value}" for name, value in found.headers.items())
    is_text = "charset" in found.headers.get("content-type", "charset")
    return f"{request.url}\n{headers}\n{found.text if is_text else ''}".casefold()


def _leaks(person: Person, *more: str) -> list[tuple[str, str]]:
    """What a browser was sent that it must not know, each with where."""
    known = [
        *SEALED,
        "item-key",
        "own-attribute",
        "gold-answer",
        "drafter",
        "place-of-study",
        *more,
    ]
    return [
        (word, str(found.request.url))
        for found in person.received
        for word in known
        if word.casefold() in _told(found) or word.encode() in found.content
    ]


class TestEverythingThatIsSent:
    def test_names_no_source_no_item_no_gold_and_nobody_else(self, room: Room) -> None:
        first, second = room.person("Ann Amber"), room.person("Bob Birch")
        asked = [one.name for one in room.study.study.stages[0].questions]
        mine = {"why": "WHY-OF-ANN"} if "why" in asked else {}
        for person, own in ((first, mine), (second, {"why": "WHY-OF-BOB"} if mine else {})):
            choice = {"best": "0"} if "best" in asked else {"rating": "3"}
            done = person.work(**choice, **own)
            assert len(done) == len(KINDS["rating"][1] if "rating" in asked else range(ITEMS))
            person.crawl(*(f"/t/{task}" for task in done))
            person.get("/t/nothing")
            person.get("/media/nothing/0")
            person.get("/no/such/page")
            person.post("/t/nothing/submit", fragment=True)
            person.post(f"/t/{done[0]}/answer/rating", value="99")
        assert not _leaks(first, "Birch", "WHY-OF-BOB")
        assert not _leaks(second, "Amber", "WHY-OF-ANN")
        kinds = {str(one.headers.get("content-type")).partition(";")[0] for one in first.received}
        assert {"text/html", "text/css", "text/javascript"} <= kinds, "the crawl was whole"

    def test_pages_of_two_items_differ_in_their_content_alone(self, tmp_path: Path) -> None:
        room = served(tmp_path / "study", a_study(rated()), _rated_items())
        person = room.person("Ann")
        pages = []
        for _ in range(6):
            task = str(person.task())
            assert re.fullmatch(r"[\w-]{24}", task), "drawn at random, and not counted"
            page = person.get(f"/t/{task}").text.replace(task, "TOKEN")
            page = re.sub(r"about \d ducks|\d+ times", "", page)
            # Of each task another, whatever is answered.
            page = re.sub(r'name="shown" value="(\w+):[0-9a-f]{24}"', r"\1", page)
            pages.append(re.sub(r'(?s)<div id="progress".*?</div>', "", page))
            person.submit(task, rating="1")
        assert len(set(pages[1:])) == 1, "whoever's output it is, and whatever its number"


class TestPictures:
    def _same_pixels(self, folder: Path) -> list[Path]:
        """One picture as three makers would save it."""
        pixels = np.random.default_rng(1).integers(0, 255, (60, 90, 3), dtype=np.uint8)
        image = Image.fromarray(pixels)
        said = PngImagePlugin.PngInfo()
        said.add_text("Software", SOURCES[0])
        said.add_itxt("parameters", f"a duck, model {SOURCES[0]}")
        profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
        exif = Image.Exif()
        exif[0x0131], exif[0x013B] = SOURCES[1], SOURCES[2]
        paths = [folder / f"{name}.{end}" for name, end in enumerate(("png", "webp", "tiff"))]
        image.save(paths[0], pnginfo=said, icc_profile=profile)
        image.save(paths[1], lossless=True, exact=True, exif=exif, xmp=SOURCES[1].encode())
        image.save(paths[2], exif=exif, description=SOURCES[2])
        for at, path in enumerate(paths):
            path = path.rename(folder / f"{SOURCES[at].replace('/', '-')}{path.suffix}")
            os.utime(path, (at * 10**8, at * 10**8))
            paths[at] = path
        return paths

    def test_of_the_same_pixels_are_the_same_file_whoever_made_them(self, tmp_path: Path) -> None:
        paths = self._same_pixels(tmp_path)
        outputs = [
            Output(
                source=source,
                parts=(Part(name=f"by{at}", kind="picture", path=str(path), alt=source),),
            )
            for at, (source, path) in enumerate(zip(SOURCES, paths, strict=True))
        ]
        room = served(tmp_path / "study", a_study(chosen()), [_item(0, outputs)])
        person = room.person("Ann")
        task = person.task()
        page = person.get(f"/t/{task}").text
        sent = [person.get(f"/media/{task}/{at}") for at in range(3)]
        assert len({one.content for one in sent}) == 1
        assert len({tuple(sorted(one.headers.items())) for one in sent}) == 1
        assert page.count('width="1024" height="1024"') == 3
        chunks = re.findall(rb"VP8[ LX]|EXIF|XMP |ICCP", sent[0].content)
        assert set(chunks) <= {b"VP8 "} and not _leaks(person)

    def test_of_any_size_and_form_come_in_one(self, tmp_path: Path) -> None:
        sizes = [(64, 64), (1536, 1024), (300, 2_500)]
        outputs = []
        for at, (source, size) in enumerate(zip(SOURCES, sizes, strict=True)):
            path = tmp_path / f"{at}.jpg"
            Image.effect_noise(size, 50).convert("RGB").save(path)
            outputs.append(
                Output(source=source, parts=(Part(name="p", kind="picture", path=str(path)),))
            )
        edit = Part(name="edit", kind="picture", path=str(tmp_path / "0.jpg"), sealed=True, alt="z")
        item = _item(0, outputs, parts=(edit,))
        room = served(tmp_path / "study", a_study(chosen()), [item])
        person = room.person("Ann")
        task = person.task()
        page = person.get(f"/t/{task}").text
        shown = re.findall(r'<img src="/media[^>]*', page)
        assert len({re.sub(r"/\d", "", one) for one in shown}) == 1, "a sealed part is as they are"
        for at in range(4):
            sent = person.get(f"/media/{task}/{at}")
            assert sent.headers["content-type"] == "image/webp"
            assert {"last-modified", "etag", "content-disposition"}.isdisjoint(sent.headers)

    def test_of_the_item_keep_no_metadata(self, tmp_path: Path) -> None:
        path = self._same_pixels(tmp_path)[0]
        item = StudyItem(key="one", parts=(Part(name="p", kind="picture", path=str(path)),))
        room = served(tmp_path / "study", a_study(rated()), [item])
        person = room.person("Ann")
        person.crawl(f"/t/{person.task()}")
        assert not _leaks(person)


class TestSoundAndVideo:
    def test_of_outputs_are_made_anew_and_of_items_tell_no_time(self, tmp_path: Path) -> None:
        pytest.importorskip("av")
        first, second = a_sound(tmp_path / "titan-9b.wav"), tmp_path / "zeta.flac"
        _as_flac(first, second, SOURCES[1])
        outputs = [
            Output(source=source, parts=(Part(name="s", kind="sound", path=str(path)),))
            for source, path in zip(SOURCES, (first, second), strict=False)
        ]
        heard = Part(name="heard", kind="sound", path=str(first))
        item = _item(0, outputs, parts=(heard,))
        room = served(tmp_path / "study", a_study(chosen("pairwise")), [item])
        person = room.person("Ann")
        task = person.task()
        own, *sent = [person.get(f"/media/{task}/{at}") for at in range(3)]
        assert sent[0].content == sent[1].content and not _leaks(person)
        assert sent[0].headers == sent[1].headers
        assert sent[0].headers["content-type"] == "audio/webm"
        assert own.headers["last-modified"] == "Thu, 01 Jan 1970 00:00:00 GMT"
        part = person.get(f"/media/{task}/0", Range="bytes=0-3", **{"If-Range": '"other"'})
        assert part.status_code == 200, "of another version the whole is sent"
        assert person.get(f"/media/{task}/0", Range="bytes=0-3").content == b"RIFF"


def _as_flac(source: Path, path: Path, maker: str) -> None:
    import av

    with av.open(str(source)) as read, av.open(str(path), "w") as written:
        written.metadata["artist"] = maker
        stream = written.add_stream("flac", rate=8_000, layout="mono")
        for frame in read.decode(audio=0):
            written.mux(stream.encode(frame))
        written.mux(stream.encode(None))


class TestWords:
    def test_that_nobody_sees_are_gone(self) -> None:
        marked = "\ufeffIt\u202fis\u00a0a \u200bpun.  \r\nEnd\U000e0041\u2028x\u200f e\u0301 \n"
        assert plain_text(marked) == "It is a pun.\nEnd\nx é"

    @pytest.mark.parametrize(
        "hidden",
        [
            *"\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180e\u200b\u200c\u200d\u200e\u2060",
            *"\u2064\u206a\u3164\ufe00\ufe0e\ufe0f\ufeff\uffa0\ufff9\ufffb\U0001d173\U0001d17a",
            *"\U000e0001\U000e0041\U000e007f\U000e0100",
        ],
        ids=lambda one: f"{ord(one):04X}",
    )
    def test_hide_nothing(self, hidden: str) -> None:
        assert plain_text(f"a{hidden} p{hidden}un{hidden}{hidden}.{hidden}") == "a pun."

    @pytest.mark.parametrize("space", "\t\u00a0\u1680\u2000\u2007\u200a\u202f\u205f\u2800\u3000")
    def test_have_plain_spaces(self, space: str) -> None:
        assert plain_text(f"{space}a{space}pun{space}") == "a pun"

    @pytest.mark.parametrize(
        "seen",
        [
            "👩\u200d💻",
            "🏳\ufe0f\u200d🌈",
            "👩🏽\u200d❤\ufe0f\u200d👨🏽",
            "1\ufe0f\u20e3",
            "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
            "می\u200cخواهم",
            "क्\u200dष",
            "你好\u3000世界",
            "a\nb",
        ],
    )
    def test_stay_where_they_are_seen(self, seen: str) -> None:
        assert plain_text(seen) == seen

    def test_hide_nothing_in_emoji_and_flags(self) -> None:
        assert plain_text("👩\u200d\u200d💻\ufe0f\ufe0f") == "👩💻\ufe0f"
        spelled = "".join(chr(0xE0000 + ord(one)) for one in "titan")
        assert plain_text(f"🏴{spelled}\U000e007f") == "🏴"

    def test_titles_go_that_only_some_sources_have(self, tmp_path: Path) -> None:
        def output(source: str, title: str) -> Output:
            return Output(source=source, parts=(words("x", title={"en": title}),))

        outputs = [output("titan", "Step 1"), output("quill", "Step 1"), output("owl", "Answer")]
        created = create_study(tmp_path / "study", a_study(chosen()), [_item(0, outputs)])
        told = 'title "{}": left out, as it tells sources apart'
        assert sorted(created.notes) == [told.format("Answer"), told.format("Step 1")]
        with created.opened.database.read() as session:
            shown = created.opened.item(session, 1, "rate")
        assert not any(part.title for one in shown.outputs for part in one.parts)

    def test_titles_stay_that_sources_share(self, tmp_path: Path) -> None:
        items = [
            _item(
                at,
                [
                    Output(
                        source=one,
                        parts=(
                            words("a", "answer", title={"en": "Answer", "zh": "回答"}),
                            words("b", "own", title={"en": f"Form of {one}"}),
                            Part(name="d", kind="dialogue", turns=(Turn(speaker=one, text="x"),)),
                        ),
                    )
                    for one in SOURCES
                ],
            )
            for at in range(2)
        ]
        created = create_study(tmp_path / "study", a_study(chosen()), items)
        assert sorted(created.notes) == sorted(
            f'title "Form of {one}": left out, as it tells sources apart' for one in SOURCES
        )
        with created.opened.database.read() as session:
            shown = created.opened.item(session, 1, "rate")
        for output in shown.outputs:
            assert [part.title.get("en") for part in output.parts] == ["Answer", None, None]
            assert output.parts[2].turns[0].speaker == "–"

    def test_an_output_that_names_its_source_is_told_to_the_lab(self, tmp_path: Path) -> None:
        item = explained("one", **{"acme/titan-9b": "As Titan-9B I laugh.", "quill": "Funny."})
        created = create_study(tmp_path / "study", a_study(chosen()), [item])
        told = "1 output names its source in so many words: raters read that"
        assert list(created.notes) == [told]


class TestOrder:
    @pytest.fixture
    def room(self, tmp_path: Path) -> Iterator[Room]:
        found = served(tmp_path / "study", a_study(chosen()), _compared_items(40))
        found.study.secret = "the same draws in every test"
        yield from left(found)

    def test_of_outputs_favours_nobody_and_is_each_raters_own(self, room: Room) -> None:
        orders: dict[int, list[tuple[int, ...]]] = {}
        with room.study.database.read() as session:
            items = session.scalars(select(ItemRow.id)).all()
            for person in range(1, 31):
                orders[person] = [
                    tuple(
                        room.study.outputs_shown(person, one, room.study.item(session, one, "rate"))
                    )
                    for one in items
                ]
        places = Counter(
            (at, one) for own in orders.values() for o in own for at, one in enumerate(o)
        )
        expected = 30 * 40 / 3
        assert all(
            abs(count - expected) < 4 * (expected * 2 / 3) ** 0.5 for count in places.values()
        )
        same = [
            sum(a == b for a, b in zip(one, two, strict=True))
            for one, two in pairwise(orders.values())
        ]
        assert max(same) < 20 and 40 / 6 - 3 < float(np.mean(same)) < 40 / 6 + 3

    def test_on_the_page_is_that_order_and_the_place_in_the_data_is_not_there(
        self, room: Room
    ) -> None:
        for name in ("Ann", "Bob"):
            person = room.person(name)
            for _ in range(6):
                task = str(person.task())
                page = person.get(f"/t/{task}").text
                with room.study.database.read() as session:
                    row = session.scalars(select(TaskRow).where(TaskRow.token == task)).one()
                    item = room.study.item(session, row.item, "rate")
                order = room.study.outputs_shown(person.number, row.item, item)
                texts = [one.parts[0].text for one in item.outputs]
                at = [page.index(f"> {texts[one]}"[2:]) for one in order]
                assert at == sorted(at)
                assert re.findall(r'type="radio" name="value" value="(\d)"', page) == [
                    "0",
                    "1",
                    "2",
                ]
                wanted = [one.source for one in item.outputs].index(SOURCES[1])
                person.submit(task, best=str(order.index(wanted)))
                with room.study.database.read() as session:
                    kept = session.scalars(select(AnswerRow).where(AnswerRow.task == row.id)).one()
                assert kept.value == wanted, "the place on the page leads to the output"

    def test_of_items_favours_no_source_and_is_each_raters_own(self, tmp_path: Path) -> None:
        items = [_item(at, [_output(at, one)]) for one in SOURCES for at in range(12)]
        # The same draws in every test.
        with patch("deadpan.studies.making.creating.secrets.token_hex", return_value="0" * 64):
            room = served(tmp_path / "rated", a_study(rated()), items)
        seen = [_order(room, room.person(f"P{at}")) for at in range(6)]
        assert len({tuple(one) for one in seen}) == 6
        assert all(set(one) == set(seen[0]) for one in seen)
        with room.study.database.read() as session:
            makers = {
                one: room.study.item(session, one, "rate").outputs[0].source for one in seen[0]
            }
        for source in SOURCES:
            ranks = [at for one in seen for at, item in enumerate(one) if makers[item] == source]
            assert abs(float(np.mean(ranks)) - 17.5) < 3 * 10.4 / len(ranks) ** 0.5
        rising = sum(a < b for one in seen for a, b in pairwise(one))
        assert 0.4 < rising / (6 * 35) < 0.6, "numbers of items do not tell the order"
        stored = [makers[one] for one in sorted(makers)]
        assert sum(a == b for a, b in pairwise(stored)) < 25, "nor are they in the data's order"


def _order(room: Room, person: Person) -> list[int]:
    """The items in the order in which they come to somebody."""
    found, queues = [], Queues()
    with room.study.database.write() as session:
        row = session.get_one(PersonRow, person.number)
        while (task := next_task(session, room.study, row, queues).task) is not None:
            found.append(task.item)
            task.state = "submitted"
            session.flush()
    return found
