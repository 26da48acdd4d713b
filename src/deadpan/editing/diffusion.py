"""The editor behind a diffusers pipeline, by name or folder, on the GPU where there is one."""

from __future__ import annotations

import importlib
import inspect
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from PIL import Image

from deadpan.base.errors import InputError, MissingExtra
from deadpan.base.resources import Unavailable
from deadpan.core.editor import Edited, Instruction, NotEdited
from deadpan.editing.received import Refused, size_notes, source_notes
from deadpan.editing.wording import wording
from deadpan.media.images import read_image

_MULTIPLE = 8
"""What both sides of a picture are multiples of, as the encoders of pictures ask for."""
_ENDLESS = 1_000_000


@dataclass(eq=False)
class DiffusionEditor:
    """Edits with a pipeline that takes a prompt and a picture, always from the same seed.

    The picture is fitted into `longest` for the pipeline and brought back to the source's size; a
    size that the pipeline itself changed is kept and noted.
    """

    model: str
    steps: int | None = None
    seed: int = 0
    longest: int = 1024
    _pipeline: Any = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def name(self) -> str:
        """`diffusers/` and the pipeline."""
        return f"diffusers/{self.model}"

    def edit(self, instruction: Instruction) -> Edited:
        """The edited meme; what the pipeline's own safety checker blacks out raises Refused."""
        source = read_image(instruction.source)
        small = _fitted(source, self.longest)
        prompt = wording(instruction)
        with self._lock:
            if self._pipeline is None:
                self._pipeline = edit_pipeline(self.model)
            made, notes = made_by(
                self._pipeline, self.name, prompt, self.seed, self.steps, image=small
            )
        if made.size == small.size and made.size != source.size:
            made = made.resize(source.size, Image.Resampling.LANCZOS)
        odd = source_notes(instruction.source)
        return Edited(made, (*odd, *notes, *size_notes(made.size, source.size)))


def made_by(
    pipeline: Any, whose: str, prompt: str, seed: int, steps: int | None, **given: object
) -> tuple[Image.Image, tuple[str, ...]]:
    """What a pipeline makes of a prompt and what else is given, always from the same seed, and
    notes; what its own safety checker blacks out raises Refused."""
    torch = _library("torch")
    options = given if steps is None else {"num_inference_steps": steps, **given}
    generator = torch.Generator(device="cpu").manual_seed(seed)
    try:
        with torch.inference_mode():
            output = pipeline(prompt=prompt, generator=generator, **options)
    except torch.OutOfMemoryError:
        what = "the picture does not fit into memory; use a smaller one or a smaller model"
        raise NotEdited(f"{whose}: {what}") from None
    if any(getattr(output, "nsfw_content_detected", None) or ()):
        raise Refused(f"{whose}: its safety checker blacked the picture out")
    return output.images[0].convert("RGB"), _cut(pipeline, prompt)


def edit_pipeline(model: str) -> Any:
    """The pipeline of a folder or hub name, ready to edit; what is not there raises Unavailable,
    one that takes no picture InputError."""
    pipeline = _loaded(model, "editing", _takes_picture, "AutoPipelineForImage2Image")
    if not _takes_picture(pipeline):
        what = f"a {type(pipeline).__name__} does not take a prompt and a picture"
        raise InputError(model, what, "Name a pipeline that edits, such as InstructPix2Pix.")
    return _ready(pipeline)


def drawing_pipeline(model: str) -> Any:
    """The pipeline of a folder or hub name, ready to draw from words; what is not there raises
    Unavailable, one that needs a picture InputError."""
    pipeline = _loaded(model, "drawing", _draws, "AutoPipelineForText2Image")
    if not _draws(pipeline):
        what = f"a {type(pipeline).__name__} does not draw from a prompt alone"
        raise InputError(model, what, "Name a text-to-image pipeline, such as Stable Diffusion.")
    return _ready(pipeline)


def _loaded(model: str, purpose: str, fits: Callable[[Any], bool], other: str) -> Any:
    """The pipeline, or the one that diffusers makes of it for the purpose where it does not fit."""
    torch, diffusers = _library("torch"), _library("diffusers")
    # Its bars and warnings would run across our own; what matters of them is in the notes.
    for library in (diffusers, _library("transformers")):
        library.utils.logging.set_verbosity_error()
        library.utils.logging.disable_progress_bar()
    dtype = torch.float32
    if torch.cuda.is_available():
        dtype = torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
    folder = Path(model).expanduser()
    place = str(folder) if folder.is_dir() else model
    try:
        pipeline = diffusers.DiffusionPipeline.from_pretrained(place, torch_dtype=dtype)
        return pipeline if fits(pipeline) else getattr(diffusers, other).from_pipe(pipeline)
    except (OSError, ValueError, KeyError, ImportError, RuntimeError, httpx.HTTPError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise Unavailable(
            f"the pipeline {model} cannot be loaded for {purpose} ({reason})",
            "check the name and the network, or name the folder of one on this machine",
        ) from error


def _ready(pipeline: Any) -> Any:
    pipeline.set_progress_bar_config(disable=True)
    return pipeline.to("cuda" if _library("torch").cuda.is_available() else "cpu")


def _draws(pipeline: Any) -> bool:
    """Whether a prompt is enough: there is one, and no picture has to be given."""
    parameters = inspect.signature(pipeline.__call__).parameters
    return "prompt" in parameters and "image" not in parameters


def _takes_picture(pipeline: Any) -> bool:
    return {"image", "prompt"} <= set(inspect.signature(pipeline.__call__).parameters)


def _fitted(image: Image.Image, longest: int) -> Image.Image:
    """The picture no longer than that, enlarged where it is tiny, both sides multiples of 8."""
    factor = min(1.0, longest / max(image.size))
    width, height = (
        max(_MULTIPLE, round(side * factor / _MULTIPLE) * _MULTIPLE) for side in image.size
    )
    return image.resize((width, height), Image.Resampling.LANCZOS)


def _cut(pipeline: Any, prompt: str) -> tuple[str, ...]:
    """A note where the pipeline's text encoders read only the beginning of the prompt."""
    found = [getattr(pipeline, f"tokenizer{suffix}", None) for suffix in ("", "_2", "_3")]
    reach = [
        (tokenizer.model_max_length, len(tokenizer(prompt).input_ids))
        for tokenizer in found
        if tokenizer is not None and tokenizer.model_max_length < _ENDLESS
    ]
    if not reach or any(length <= most for most, length in reach):
        return ()
    most, length = max(reach)
    return (f"the pipeline read the first {most} of the prompt's {length} tokens",)


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        raise MissingExtra("Editing with a diffusers pipeline", "diffusion") from None
