"""Picture files looked at once, and again when they change."""

import hashlib
from pathlib import Path

import pytest
from PIL import Image

from deadpan.media import images as module
from deadpan.media.images import probe_image
from tests.benchmarks.merbench.meme_folder import picture


def test_a_picture_is_looked_at_to_its_last_pixel(tmp_path: Path) -> None:
    good, cut, text = tmp_path / "good.png", tmp_path / "cut.jpg", tmp_path / "text.png"
    picture(good)
    Image.effect_noise((64, 64), 80).save(cut)
    cut.write_bytes(cut.read_bytes()[:600])
    text.write_text("no picture")
    looked = probe_image(good)
    assert looked is not None and looked.problem is None
    assert looked.sha256 == hashlib.sha256(good.read_bytes()).hexdigest()
    for path in (cut, text):
        looked = probe_image(path)
        assert looked is not None and looked.problem
    assert probe_image(tmp_path / "none.png") is None
    assert probe_image(tmp_path) is None


def test_a_changed_file_is_looked_at_again(tmp_path: Path) -> None:
    path = tmp_path / "0.png"
    picture(path)
    before = probe_image(path)
    path.write_bytes(b"no picture any more")
    after = probe_image(path)
    assert before is not None and after is not None
    assert before.problem is None and after.problem is not None


def test_what_was_seen_is_known_to_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "0.png"
    picture(path)
    before = probe_image(path)
    module._probe.cache_clear()
    monkeypatch.setattr(module, "read_image", lambda _: pytest.fail("decoded again"))
    assert probe_image(path) == before
    module._store().write_bytes(b"damaged")
    module._probe.cache_clear()
    monkeypatch.undo()
    assert probe_image(path) == before
