"""The diffusers editor with a tiny InstructPix2Pix built from its configuration: plumbing only."""

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from deadpan.editors.diffusion import DiffusionEditor, edit_pipeline
from deadpan.editors.editor import Instruction
from deadpan.editors.received import Refused
from deadpan.errors import InputError, MissingExtra
from deadpan.resources import Unavailable


def test_without_the_libraries_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr("importlib.import_module", missing)
    with pytest.raises(MissingExtra, match=r"diffusers pipeline needs the \[diffusion\] extra"):
        edit_pipeline(str(tmp_path))


@pytest.fixture(scope="module")
def pix2pix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an InstructPix2Pix of a few thousand random weights."""
    diffusers = pytest.importorskip("diffusers")
    pytest.importorskip("torch").manual_seed(0)
    folder = tmp_path_factory.mktemp("pix2pix")
    diffusers.StableDiffusionInstructPix2PixPipeline(
        vae=diffusers.AutoencoderKL(
            block_out_channels=(8, 8),
            in_channels=3,
            out_channels=3,
            down_block_types=("DownEncoderBlock2D",) * 2,
            up_block_types=("UpDecoderBlock2D",) * 2,
            latent_channels=4,
            norm_num_groups=4,
        ),
        unet=diffusers.UNet2DConditionModel(
            block_out_channels=(8, 16),
            layers_per_block=1,
            sample_size=16,
            in_channels=8,
            out_channels=4,
            down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
            up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
            cross_attention_dim=16,
            norm_num_groups=4,
        ),
        scheduler=diffusers.DDIMScheduler(),
        text_encoder=text_encoder(),
        tokenizer=tokenizer(tmp_path_factory.mktemp("tokenizer")),
        safety_checker=None,
        feature_extractor=None,
        requires_safety_checker=False,
    ).save_pretrained(folder)
    return folder


def text_encoder() -> Any:
    transformers = pytest.importorskip("transformers")
    return transformers.CLIPTextModel(
        transformers.CLIPTextConfig(
            hidden_size=16,
            intermediate_size=24,
            num_attention_heads=2,
            num_hidden_layers=2,
            vocab_size=600,
            max_position_embeddings=77,
            bos_token_id=512,
            eos_token_id=513,
        )
    )


def tokenizer(folder: Path) -> Any:
    """A CLIP tokenizer that knows single letters only."""
    transformers = pytest.importorskip("transformers")
    letters = [chr(code) for code in range(33, 127)]
    ends = ["<|startoftext|>", "<|endoftext|>"]
    words = [*letters, *(f"{letter}</w>" for letter in letters)]
    vocabulary = {word: number for number, word in enumerate(words)}
    vocabulary |= {word: 512 + number for number, word in enumerate(ends)}
    (folder / "vocab.json").write_text(json.dumps(vocabulary))
    (folder / "merges.txt").write_text("#version: 0.2\n")
    return transformers.CLIPTokenizer(
        str(folder / "vocab.json"), str(folder / "merges.txt"), model_max_length=77
    )


@pytest.fixture
def meme(tmp_path: Path) -> Instruction:
    source = tmp_path / "meme.png"
    Image.linear_gradient("L").resize((50, 36)).convert("RGB").save(source)
    return Instruction(source, ("Friday",), emotion="sad", target="happy")


def test_the_picture_is_edited_at_its_own_size_and_always_the_same(
    pix2pix: Path, meme: Instruction
) -> None:
    editor = DiffusionEditor(str(pix2pix), steps=2)
    first, again = editor.edit(meme), editor.edit(meme)
    other = DiffusionEditor(str(pix2pix), steps=2, seed=1).edit(meme)
    assert first.image.size == (50, 36) and first.image.mode == "RGB"
    assert first.image.tobytes() == again.image.tobytes() != other.image.tobytes()
    assert len(first.notes) == 1
    assert first.notes[0].startswith("the pipeline read the first 77 of the prompt's ")


@pytest.mark.parametrize("size", [(3, 2), (700, 9)])
def test_tiny_and_thin_pictures_come_back_at_their_size(
    pix2pix: Path, meme: Instruction, size: tuple[int, int]
) -> None:
    Image.new("RGB", size, "red").save(meme.source)
    edited = DiffusionEditor(str(pix2pix), steps=1, longest=64).edit(meme)
    assert edited.image.size == size


def test_what_the_safety_checker_blacks_out_is_a_refusal(pix2pix: Path, meme: Instruction) -> None:
    editor = DiffusionEditor(str(pix2pix), steps=1)
    editor.edit(meme)
    real = editor._pipeline

    class Blacked:
        images = (Image.new("RGB", (48, 32)),)
        nsfw_content_detected = (True,)

    class Strict:
        tokenizer = real.tokenizer

        def __call__(self, **_: object) -> Blacked:
            return Blacked()

    editor._pipeline = Strict()
    with pytest.raises(Refused, match="safety checker"):
        editor.edit(meme)


def test_a_pipeline_that_is_not_there_says_what_to_do(tmp_path: Path) -> None:
    pytest.importorskip("diffusers")
    with pytest.raises(Unavailable, match=r"cannot be loaded for editing.*name the folder"):
        edit_pipeline(str(tmp_path))


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
        edit_pipeline(str(tmp_path))
