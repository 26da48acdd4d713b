"""Questions as vectors: words and looks joined, pictures by what they show, each encoded once."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from deadpan.base.errors import InputError
from deadpan.core.questions import Question
from deadpan.engine.fewshot import encoders as module
from deadpan.engine.fewshot.demonstration import Pool, pool_of
from deadpan.engine.fewshot.encoders import (
    ImageEncoder,
    JointEncoder,
    clip_encoder,
    embedded_encoder,
    joint_encoder,
)
from deadpan.engine.fewshot.selection import project
from deadpan.media.ocr import TextBox
from deadpan.metrics.encoders import Vectors, lexical_encoder
from tests.learning.fewshot.toy import Moods


@pytest.fixture
def pool(moods: Moods) -> Pool:
    return pool_of(moods, "joint", None, moods.prompts("joint"))


def questions(pool: Pool) -> list[Question]:
    return [one.question for one in pool.demonstrations]


def test_the_joint_cosine_is_the_mean_of_both(pool: Pool) -> None:
    joint = joint_encoder(None, "plain", pool.is_pictured).encode(questions(pool), pool)
    text = lexical_encoder().encode([pool.words(one) for one in questions(pool)])
    looks = embedded_encoder(ocr=False).encode(
        [Path(one.pictures[0].path) for one in questions(pool)]
    )
    expected = (text @ text.T + looks @ looks.T) / 2
    assert joint @ joint.T == pytest.approx(expected, abs=1e-5)


def test_a_question_without_a_picture_is_compared_by_its_words(pool: Pool) -> None:
    bare = questions(pool)[0].model_copy(update={"pictures": ()})
    rows = joint_encoder(None, "plain", True).encode([*questions(pool), bare], pool)
    assert np.linalg.norm(rows[-1]) == pytest.approx(1)
    assert rows[-1] @ rows[0] == pytest.approx(np.sqrt(0.5), abs=1e-5)
    assert joint_encoder(None, None, False).image is None
    with pytest.raises(InputError, match="has no picture"):
        joint_encoder(None, "plain", True).encode([bare], pool)


def test_nothing_to_compare_by_is_told(pool: Pool) -> None:
    silent = questions(pool)[0].model_copy(update={"text": " "})
    with pytest.raises(InputError, match="has nothing to be compared by"):
        JointEncoder(lexical_encoder(), None).encode([silent], pool)


def test_alike_pictures_are_nearer_than_others(tmp_path: Path) -> None:
    places = []
    for name, colour, box in (
        ("a", "white", (10, 10, 60, 90)),
        ("b", "ivory", (12, 10, 62, 90)),
        ("c", "navy", (5, 70, 95, 75)),
    ):
        image = Image.new("RGB", (100, 100), colour)
        ImageDraw.Draw(image).rectangle(box, fill="crimson")
        image.save(tmp_path / f"{name}.png")
        places.append(tmp_path / f"{name}.png")
    vectors = embedded_encoder(ocr=False).encode(places)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1])
    near, far = vectors[0] @ vectors[1], vectors[0] @ vectors[2]
    assert near > 0.7 and near > far + 0.3


def test_a_picture_is_encoded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEADPAN_CACHE", str(tmp_path / "cache"))
    seen: list[Path] = []

    def count(pictures: Sequence[Path]) -> Vectors:
        seen.extend(pictures)
        return np.ones((len(pictures), 1), np.float32)

    for name in ("a", "same"):
        (tmp_path / name).write_bytes(b"alike")
    (tmp_path / "b").write_bytes(b"other")
    cached = ImageEncoder("counting", count)
    for _ in range(2):
        rows = cached.encode([tmp_path / "a", tmp_path / "same", tmp_path / "b"])
        assert rows.shape == (3, 1)
    assert len(seen) == 2
    for kept in (tmp_path / "cache" / "embeddings").rglob("*.npy"):
        kept.write_bytes(b"damaged")
    cached.encode([tmp_path / "b"])
    assert len(seen) == 3


def test_words_in_a_picture_count_where_they_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = {"a": "MONDAY AGAIN", "b": "Monday again", "c": "周末快乐", "d": ""}

    def read(path: Path) -> tuple[TextBox, ...]:
        text = said[path.stem]
        return (TextBox(text=text, confidence=1, x1=0, y1=0, x2=9, y2=9),) if text else ()

    monkeypatch.setattr(module, "read_text", read)
    for place, name in enumerate(said):
        # Grounds differ by too little to be seen, so that no two files are one in the cache.
        Image.new("RGB", (64, 64), (200, 200, 200 + place)).save(tmp_path / f"{name}.png")
    encoder = embedded_encoder(ocr=True)
    assert encoder.name == "looks-1+ocr"
    a, b, c, d = encoder.encode([tmp_path / f"{name}.png" for name in said])
    assert a @ b == pytest.approx(1, abs=1e-5)
    assert a @ c == pytest.approx(2 / 3, abs=0.02)
    assert np.linalg.norm(d) == pytest.approx(1)


def test_clip_by_folder_gives_unit_rows_and_shows_the_model_the_middle(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers", reason="torch is in the [neural] extra")
    torch = pytest.importorskip("torch", reason="torch is in the [neural] extra")
    torch.manual_seed(0)
    config = transformers.CLIPVisionConfig(
        hidden_size=16, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2,
        image_size=32, patch_size=8, projection_dim=12,
    )  # fmt: skip
    transformers.CLIPVisionModelWithProjection(config).save_pretrained(tmp_path / "clip")
    middle = Image.new("RGB", (64, 32), "red")
    middle.paste("blue", (16, 0, 48, 32))
    middle.save(tmp_path / "wide.png")
    Image.new("RGB", (32, 32), "blue").save(tmp_path / "square.png")
    Image.new("RGB", (40, 90), "green").save(tmp_path / "tall.png")
    encoder = clip_encoder(str(tmp_path / "clip"))
    assert encoder.name.startswith("clip@")
    vectors = encoder.encode([tmp_path / f"{name}.png" for name in ("wide", "square", "tall")])
    assert vectors.shape == (3, 12)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1])
    assert vectors[0] == pytest.approx(vectors[1], abs=1e-5)
    assert np.abs(vectors[1] - vectors[2]).max() > 1e-3


def test_projection_keeps_inner_products_and_is_the_same_everywhere() -> None:
    rng = np.random.default_rng(0)
    wide = rng.normal(size=(6, 3000)).astype(np.float32)
    wide /= np.linalg.norm(wide, axis=1, keepdims=True)
    narrow = project(wide, 256)
    assert narrow.shape == (6, 256)
    assert np.linalg.norm(narrow, axis=1) == pytest.approx([16] * 6, abs=1e-4)
    assert narrow @ narrow.T / 256 == pytest.approx(wide @ wide.T, abs=0.25)
    signs = np.sign(project(np.eye(300, dtype=np.float32), 8)[:3])
    assert signs.astype(int).tolist() == SIGNS
    assert project(np.array([[3.0, 4.0]]), 8)[0] == pytest.approx(np.sqrt(2) * np.array([0.6, 0.8]))


SIGNS = [
    [1, -1, 1, -1, 1, -1, -1, 1],
    [-1, -1, 1, -1, 1, 1, 1, 1],
    [1, -1, 1, 1, 1, -1, -1, -1],
]


def test_vectors_are_kept_as_they_are_made_and_progress_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DEADPAN_CACHE", str(tmp_path / "cache"))

    class Mortal:
        seen = 0
        last = 17

        def encode(self, pictures: Sequence[Path]) -> Vectors:
            if self.seen + len(pictures) > self.last:
                raise KeyboardInterrupt
            self.seen += len(pictures)
            return np.ones((len(pictures), 1), np.float32)

    pictures = [tmp_path / str(number) for number in range(20)]
    for path in pictures:
        path.write_text(path.name)
    encoder = Mortal()
    with pytest.raises(KeyboardInterrupt):
        ImageEncoder("mortal", encoder.encode, at_once=1).encode(pictures)
    assert len(list((tmp_path / "cache" / "embeddings").rglob("*.npy"))) == 17
    assert "encoding pictures" in capsys.readouterr().err
    encoder.last = 20
    assert ImageEncoder("mortal", encoder.encode, at_once=1).encode(pictures).shape == (20, 1)
    assert encoder.seen == 20, "only the three that were missing are encoded"
