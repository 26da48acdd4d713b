"""Picture files looked at once, and again when they change."""

import hashlib
from pathlib import Path

import pytest
from PIL import Image

from deadpan.media import images as module
from deadpan.media.images import looked_at
from tests.benchmarks.merbench.meme_folder import picture


def test_a_picture_is_looked_at_to_its_last_pixel(tmp_path: Path) -> None:
    good, cut, text = tmp_path / "good.png", tmp_path / "cut.jpg", tmp_path / "text.png"
    picture(good)
    Image.effect_noise((64, 64), 80).save(cut)
    cut.write_bytes(cut.read_bytes()[:600])
    text.write_text("no picture")
    looked = looked_at(good)
    assert looked is not None and looked.problem is None
    assert looked.sha256 == hashlib.sha256(good.read_bytes()).hexdigest()
    for path in (cut, text):
        looked = looked_at(path)
        assert looked is not None and looked.problem
    assert looked_at(tmp_path / "none.png") is None
    assert looked_at(tmp_path) is None


def test_a_changed_file_is_looked_at_again(tmp_path: Path) -> None:
    path = tmp_path / "0.png"
    picture(path)
    before = looked_at(path)
    path.write_bytes(b"no picture any more")
    after = looked_at(path)
    assert before is not None and after is not None
    assert before.problem is None and after.problem is not None


def test_what_was_seen_is_known_to_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "0.png"
    picture(path)
    before = looked_at(path)
    module._looked_at.cache_clear()
    monkeypatch.setattr(module, "read_image", lambda _: pytest.fail("decoded again"))
    assert looked_at(path) == before
    module._store().write_bytes(b"damaged")
    module._looked_at.cache_clear()
    monkeypatch.undo()
    assert looked_at(path) == before
