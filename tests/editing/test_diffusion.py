"""The diffusers editor with a tiny InstructPix2Pix built from its configuration: plumbing only."""

from pathlib import Path

import pytest
from PIL import Image

from deadpan.base.errors import InputError, MissingExtra
from deadpan.base.resources import Unavailable
from deadpan.core.editors import Instruction
from deadpan.editing.diffusion import DiffusionModel, load_pipeline
from deadpan.editing.received import Refused
from tests.editing.tiny_pipelines import pipeline_parts


def test_without_the_libraries_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr("importlib.import_module", missing)
    with pytest.raises(MissingExtra, match=r"diffusers pipeline needs the \[diffusion\] extra"):
        load_pipeline(str(tmp_path), "editing")


@pytest.fixture(scope="module")
def pix2pix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an InstructPix2Pix of a few thousand random weights."""
    diffusers = pytest.importorskip("diffusers")
    pytest.importorskip("torch").manual_seed(0)
    folder = tmp_path_factory.mktemp("pix2pix")
    parts = pipeline_parts(tmp_path_factory.mktemp("tokenizer"), channels=8)
    pipeline = diffusers.StableDiffusionInstructPix2PixPipeline(**parts)
    pipeline.save_pretrained(folder)
    return folder


@pytest.fixture
def meme(tmp_path: Path) -> Instruction:
    source = tmp_path / "meme.png"
    Image.linear_gradient("L").resize((50, 36)).convert("RGB").save(source)
    return Instruction(source, ("Friday",), emotion="sad", target="happy")


def test_the_picture_is_edited_at_its_own_size_and_always_the_same(
    pix2pix: Path, meme: Instruction
) -> None:
    editor = DiffusionModel(str(pix2pix), steps=2)
    first, again = editor.edit(meme), editor.edit(meme)
    other = DiffusionModel(str(pix2pix), steps=2, seed=1).edit(meme)
    assert first.image.size == (50, 36) and first.image.mode == "RGB"
    assert first.image.tobytes() == again.image.tobytes() != other.image.tobytes()
    assert len(first.notes) == 1
    assert first.notes[0].startswith("the pipeline read the first 77 of the prompt's ")


@pytest.mark.parametrize("size", [(3, 2), (700, 9)])
def test_tiny_and_thin_pictures_come_back_at_their_size(
    pix2pix: Path, meme: Instruction, size: tuple[int, int]
) -> None:
    Image.new("RGB", size, "red").save(meme.source)
    edited = DiffusionModel(str(pix2pix), steps=1, longest=64).edit(meme)
    assert edited.image.size == size


def test_what_the_safety_checker_blacks_out_is_a_refusal(pix2pix: Path, meme: Instruction) -> None:
    editor = DiffusionModel(str(pix2pix), steps=1)
    editor.edit(meme)
    real = editor._pipelines["editing"]

    class Blacked:
        images = (Image.new("RGB", (48, 32)),)
        nsfw_content_detected = (True,)

    class Strict:
        tokenizer = real.tokenizer

        def __call__(self, **_: object) -> Blacked:
            return Blacked()

    editor._pipelines["editing"] = Strict()
    with pytest.raises(Refused, match="safety checker"):
        editor.edit(meme)


def test_a_pipeline_that_is_not_there_says_what_to_do(tmp_path: Path) -> None:
    pytest.importorskip("diffusers")
    with pytest.raises(Unavailable, match=r"cannot be loaded for editing.*name the folder"):
        load_pipeline(str(tmp_path), "editing")


def test_a_pipeline_that_makes_pictures_of_nothing_is_refused(tmp_path: Path) -> None:
    diffusers = pytest.importorskip("diffusers")
    unet = diffusers.UNet2DModel(
        sample_size=8,
        block_out_channels=(4, 4),
        norm_num_groups=2,
        down_block_types=("DownBlock2D",) * 2,
        up_block_types=("UpBlock2D",) * 2,
    )
    diffusers.DDPMPipeline(unet, diffusers.DDPMScheduler()).save_pretrained(tmp_path)
    with pytest.raises((Unavailable, InputError), match=r"cannot be loaded for editing|picture"):
        load_pipeline(str(tmp_path), "editing")
