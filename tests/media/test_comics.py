"""Panel numbers: on every panel, legible on any ground and at any size; and the picture's cache."""

import io
import os
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from deadpan.base.errors import InputError
from deadpan.core.questions import PanelBox, Picture
from deadpan.media import prepared as prepared_module
from deadpan.media.prepared import (
    PreparedImage,
    badge_height,
    draw_numbers,
    misplaced_boxes,
    prepare_image,
)

SIZES = [(60, 60), (90, 400), (300, 200), (1000, 700), (2500, 6000)]
GROUNDS = ["black", "white", "grey", "noise"]


def ground(kind: str, size: tuple[int, int]) -> Image.Image:
    if kind == "noise":
        return Image.effect_noise(size, 120).convert("RGB")
    return Image.new("RGB", size, kind)


def box(number: int, x1: int, y1: int, x2: int, y2: int) -> PanelBox:
    return PanelBox(x1=x1, y1=y1, x2=x2, y2=y2, panel_number=number)


def quarters(size: tuple[int, int], first: int = 1) -> tuple[PanelBox, ...]:
    """Four panels, numbered from `first`."""
    w, h = size[0] // 2, size[1] // 2
    corners = ((0, 0), (w, 0), (0, h), (w, h))
    return tuple(box(first + i, x, y, x + w, y + h) for i, (x, y) in enumerate(corners))


def light(image: Image.Image) -> np.ndarray:
    return np.asarray(image.convert("L"), dtype=int)


def badge_of(image: Image.Image, panel: PanelBox, height: int) -> np.ndarray:
    """The square at the left end of a panel's badge, as lightness."""
    margin = max(1, height // 10)
    x, y = panel.x1 + margin, panel.y1 + margin
    return light(image.crop((x, y, x + height, y + height)))


class TestNumbers:
    @pytest.mark.parametrize("size", SIZES, ids=str)
    @pytest.mark.parametrize("kind", GROUNDS)
    def test_dark_digits_stand_on_white_in_every_panel(
        self, size: tuple[int, int], kind: str
    ) -> None:
        panels = quarters(size)
        height = badge_height(size, panels)
        image = draw_numbers(ground(kind, size), panels)
        for panel in panels:
            badge = badge_of(image, panel, height)
            inside = badge[height // 5 : -(height // 5), height // 5 : -(height // 5)]
            assert inside.min() < 60, "a dark stroke"
            assert (inside > 230).mean() > 0.25, "on white"
            assert 0.05 < (inside < 128).mean() < 0.7

    @pytest.mark.parametrize("size", SIZES, ids=str)
    def test_badges_look_the_same_on_every_ground(self, size: tuple[int, int]) -> None:
        panels = quarters(size)
        height = badge_height(size, panels)
        middle = slice(height // 4, -(height // 4))
        views = [
            badge_of(draw_numbers(ground(kind, size), panels), panels[3], height)[middle, middle]
            for kind in GROUNDS
        ]
        assert all(np.array_equal(views[0], view) for view in views[1:])

    def test_a_white_halo_and_a_dark_rim_part_it_from_the_ground(self) -> None:
        panels = quarters((600, 600))
        height = badge_height((600, 600), panels)
        for kind in ("black", "white"):
            row = badge_of(draw_numbers(ground(kind, (600, 600)), panels), panels[0], height)
            across = row[height // 2, : height // 4]
            assert across.max() > 240 and across.min() < 60

    @pytest.mark.parametrize("size", [(60, 60), (800, 600)], ids=str)
    def test_all_numbers_can_be_told_apart(self, size: tuple[int, int]) -> None:
        pictures = {
            number: light(draw_numbers(ground("grey", size), [box(number, 0, 0, *size)]))
            for number in range(1, 19)
        }
        for one, other in combinations(pictures, 2):
            differing = np.abs(pictures[one] - pictures[other]) > 100
            assert differing.sum() >= 4, (one, other)

    def test_two_digits_take_a_wider_badge(self) -> None:
        size = (400, 400)
        changed = {}
        for number in (8, 18):
            image = light(draw_numbers(ground("black", size), [box(number, 10, 10, 390, 390)]))
            columns = np.flatnonzero(image.any(axis=0))
            changed[number] = columns[-1] - columns[0] + 1
        assert changed[8] < changed[18] < 2 * changed[8]

    def test_height_follows_the_picture_within_bounds(self) -> None:
        heights = [badge_height(size, quarters(size)) for size in SIZES]
        assert heights == sorted(heights)
        assert heights[0] == 14 and heights[-1] == 96

    def test_the_picture_given_is_not_changed(self) -> None:
        image = ground("grey", (200, 200))
        before = image.tobytes()
        assert draw_numbers(image, quarters((200, 200))).tobytes() != before
        assert image.tobytes() == before
        assert draw_numbers(image, ()).tobytes() == before

    def test_no_boxes_draw_nothing(self) -> None:
        image = ground("noise", (50, 50))
        assert draw_numbers(image, ()).tobytes() == image.tobytes()


OUTSIDE = [
    box(1, -30, -30, 60, 60),
    box(2, 180, 180, 260, 260),
    box(3, 500, 500, 600, 600),
    box(4, -600, -600, -500, -500),
    box(5, 190, 10, 10_000, 100),
    box(6, 900_000, -1_000_000, 1_000_000, 1_000_000),
    box(7, 50, 50, 50, 90),
    box(8, 90, 90, 20, 20),
]


class TestMisplacedBoxes:
    @pytest.mark.parametrize("panel", OUTSIDE, ids=lambda panel: str(panel.panel_number))
    def test_the_badge_is_drawn_inside_and_the_box_is_told(self, panel: PanelBox) -> None:
        size = (200, 200)
        image = light(draw_numbers(ground("black", size), [panel]))
        rows, columns = np.nonzero(image)
        height = badge_height(size, [panel])
        assert rows.max() - rows.min() + 1 == height, "the whole badge is in the picture"
        assert columns.max() - columns.min() + 1 >= height
        (said,) = misplaced_boxes([panel], size)
        assert said.startswith(f"panel {panel.panel_number} (")
        assert "is empty" in said if panel.panel_number in (7, 8) else "200 × 200" in said

    def test_boxes_to_the_very_edge_are_in_place(self) -> None:
        assert list(misplaced_boxes(quarters((200, 200)), (200, 200))) == []

    @pytest.mark.parametrize("size", [(1, 1), (5, 200), (200, 5)], ids=str)
    def test_pictures_smaller_than_a_badge_do_not_fail(self, size: tuple[int, int]) -> None:
        assert draw_numbers(ground("black", size), [box(12, 0, 0, *size)]).size == size


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("DEADPAN_CACHE", str(folder))
    return folder / "pictures"


@pytest.fixture
def picture(tmp_path: Path) -> Picture:
    path = tmp_path / "comic.png"
    Image.effect_noise((300, 200), 60).convert("RGB").save(path)
    return Picture(path=str(path), panels=quarters((300, 200)))


def forbid_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    def draw(*_: object) -> Image.Image:
        raise AssertionError("drawn again")

    monkeypatch.setattr(prepared_module, "draw_numbers", draw)


def whole(item: PreparedImage) -> bool:
    with Image.open(io.BytesIO(item.data)) as image:
        image.load()
        return image.size == (300, 200)


@pytest.mark.usefixtures("cache")
class TestShown:
    def test_a_second_showing_does_not_draw(
        self, picture: Picture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        first = prepare_image(picture)
        assert first.path is not None and Path(first.path).read_bytes() == first.data
        forbid_drawing(monkeypatch)
        assert prepare_image(picture) == first

    def test_the_cache_goes_by_content(
        self, picture: Picture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        first = prepare_image(picture)
        copy = tmp_path / "another name.png"
        copy.write_bytes(Path(picture.path).read_bytes())
        moved = picture.model_copy(update={"panels": picture.panels[:2]})
        assert prepare_image(moved).sha256 != first.sha256
        monkeypatch.setattr(prepared_module, "RENDERING", "other")
        assert prepare_image(picture).path != first.path
        monkeypatch.undo()
        monkeypatch.setenv("DEADPAN_CACHE", str(Path(first.path or "").parents[1]))
        forbid_drawing(monkeypatch)
        assert prepare_image(picture.model_copy(update={"path": str(copy)})) == first

    def test_a_changed_picture_is_drawn_anew(self, picture: Picture) -> None:
        first = prepare_image(picture)
        Image.new("RGB", (300, 200), "white").save(picture.path)
        assert prepare_image(picture).sha256 != first.sha256

    @pytest.mark.parametrize("share", [0.0, 0.2, 0.9, 0.999])
    def test_a_damaged_copy_is_drawn_again(self, picture: Picture, share: float) -> None:
        first = prepare_image(picture)
        assert first.path is not None
        cached = Path(first.path)
        cached.write_bytes(first.data[: int(len(first.data) * share)])
        again = prepare_image(picture)
        assert again == first and whole(again)
        assert cached.read_bytes() == first.data, "and mended"

    @pytest.mark.parametrize("data", [b"not a picture", b"\0" * 5000])
    def test_a_copy_that_is_something_else_is_drawn_again(
        self, picture: Picture, data: bytes
    ) -> None:
        first = prepare_image(picture)
        Path(first.path or "").write_bytes(data)
        assert prepare_image(picture) == first

    def test_a_flipped_byte_is_noticed(self, picture: Picture) -> None:
        first = prepare_image(picture)
        spoilt = bytearray(first.data)
        spoilt[len(spoilt) // 2] ^= 0xFF
        Path(first.path or "").write_bytes(bytes(spoilt))
        assert prepare_image(picture) == first

    def test_a_folder_in_the_copys_place_costs_time_only(self, picture: Picture) -> None:
        first = prepare_image(picture)
        Path(first.path or "").unlink()
        Path(first.path or "").mkdir()
        again = prepare_image(picture)
        assert again.data == first.data and again.path is None

    def test_notes_tell_of_misplaced_boxes(self, picture: Picture) -> None:
        moved = picture.model_copy(update={"panels": (box(1, 0, 0, 301, 200),)})
        for _ in range(2):
            assert prepare_image(moved).notes == (
                "panel 1 (0,0)–(301,200) in a picture of 300 × 200",
            )

    def test_large_pictures_travel_as_jpeg(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(prepared_module, "_LARGEST_PNG", 1000)
        path = tmp_path / "comic.png"
        Image.effect_noise((300, 200), 60).convert("RGB").save(path)
        first = prepare_image(Picture(path=str(path)))
        assert first.mime == "image/jpeg" and first.data[:2] == b"\xff\xd8"
        forbid_drawing(monkeypatch)
        assert prepare_image(Picture(path=str(path))) == first

    def test_a_missing_picture_says_what_to_do(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"no such picture.*fetch it"):
            prepare_image(Picture(path=str(tmp_path / "gone.png")))


class TestCacheFolder:
    def test_a_full_disk_costs_time_only(
        self, picture: Picture, cache: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(_: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        item = prepare_image(picture)
        assert item.path is None and whole(item)
        assert list(cache.iterdir()) == [], "nothing half-written stays"

    def test_a_file_in_the_folders_place_costs_time_only(
        self, picture: Picture, cache: Path
    ) -> None:
        cache.parent.write_text("not a folder")
        item = prepare_image(picture)
        assert item.path is None and whole(item)

    def test_a_folder_that_cannot_be_read_costs_time_only(
        self, picture: Picture, cache: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        first = prepare_image(picture)
        read = Path.read_bytes

        def refuse(path: Path) -> bytes:
            if path.is_relative_to(cache):
                raise PermissionError(13, "Permission denied", str(path))
            return read(path)

        monkeypatch.setattr(Path, "read_bytes", refuse)
        assert prepare_image(picture).data == first.data
