"""The editor and illustrator behind diffusers pipelines, on the GPU where there is one."""

from __future__ import annotations

import importlib
import inspect
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import httpx
from PIL import Image

from deadpan.base.errors import InputError, MissingExtra
from deadpan.base.resources import Unavailable
from deadpan.core.editors import Edited, Instruction, NotEdited
from deadpan.editing.received import Refused, size_notes, source_notes, wording
from deadpan.media.images import read_image

Purpose = Literal["editing", "drawing"]
_PURPOSES: dict[Purpose, tuple[str, str, str]] = {
    "editing": (
        "AutoPipelineForImage2Image",
        "does not take a prompt and a picture",
        "Name a pipeline that edits, such as InstructPix2Pix.",
    ),
    "drawing": (
        "AutoPipelineForText2Image",
        "does not draw from a prompt alone",
        "Name a text-to-image pipeline, such as Stable Diffusion.",
    ),
}
"""What diffusers makes of a pipeline that does not fit; what is said of one that never does."""
_MULTIPLE = 8  # what both sides of a picture are multiples of, as the encoders of pictures ask for
_ENDLESS = 1_000_000


@dataclass(eq=False)
class DiffusionModel:
    """Edits with a pipeline that takes a prompt and a picture, or draws with one that takes a
    prompt alone, at the size it was made for; always from the same seed. The picture is fitted into
    `longest` for the pipeline and brought back to the source's size; a size that the pipeline
    itself changed is kept and noted."""

    model: str
    steps: int | None = None
    seed: int = 0
    longest: int = 1024
    _pipelines: dict[Purpose, Any] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def name(self) -> str:
        return f"diffusers/{self.model}"

    def edit(self, instruction: Instruction) -> Edited:
        """The edited meme; what the pipeline's own safety checker blacks out raises Refused."""
        source = read_image(instruction.source)
        # No longer than asked, enlarged where it is tiny.
        factor = min(1.0, self.longest / max(source.size)) / _MULTIPLE
        width, height = (_MULTIPLE * max(1, round(side * factor)) for side in source.size)
        small = source.resize((width, height), Image.Resampling.LANCZOS)
        made, notes = self._make("editing", wording(instruction), image=small)
        if made.size == small.size and made.size != source.size:
            made = made.resize(source.size, Image.Resampling.LANCZOS)
        odd = source_notes(instruction.source)
        return Edited(made, (*odd, *notes, *size_notes(made.size, source.size)))

    def draw(self, prompt: str) -> Edited:
        """The picture; what the pipeline's own safety checker blacks out raises Refused."""
        return Edited(*self._make("drawing", prompt))

    def _make(
        self, purpose: Purpose, prompt: str, **given: Any
    ) -> tuple[Image.Image, tuple[str, ...]]:
        """What the pipeline makes of a prompt and what else is given, and notes."""
        with self._lock:
            if purpose not in self._pipelines:
                self._pipelines[purpose] = load_pipeline(self.model, purpose)
            pipeline = self._pipelines[purpose]
            torch = _library("torch")
            if self.steps is not None:
                given["num_inference_steps"] = self.steps
            generator = torch.Generator(device="cpu").manual_seed(self.seed)
            try:
                with torch.inference_mode():
                    output = pipeline(prompt=prompt, generator=generator, **given)
            except torch.OutOfMemoryError:
                what = "the picture does not fit into memory; use a smaller one or a smaller model"
                raise NotEdited(f"{self.name}: {what}") from None
            if any(getattr(output, "nsfw_content_detected", None) or ()):
                raise Refused(f"{self.name}: its safety checker blacked the picture out")
            return output.images[0].convert("RGB"), _cut_notes(pipeline, prompt)


def load_pipeline(model: str, purpose: Purpose) -> Any:
    """The pipeline of a folder or hub name, or the one that diffusers makes of it for the purpose;
    what is not there raises Unavailable, one that does not fit InputError."""
    other, what, fix = _PURPOSES[purpose]
    torch, diffusers = _library("torch"), _library("diffusers")
    # Its bars and warnings would run across our own; what matters of them is in the notes.
    for library in (diffusers, _library("transformers")):
        library.utils.logging.set_verbosity_error()
        library.utils.logging.disable_progress_bar()
    device, dtype = "cpu", torch.float32
    if torch.cuda.is_available():
        device = "cuda"
        dtype = torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
    folder = Path(model).expanduser()
    place = str(folder) if folder.is_dir() else model
    try:
        pipeline = diffusers.DiffusionPipeline.from_pretrained(place, torch_dtype=dtype)
        if not _fits(pipeline, purpose):
            pipeline = getattr(diffusers, other).from_pipe(pipeline)
    except (OSError, ValueError, KeyError, ImportError, RuntimeError, httpx.HTTPError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise Unavailable(
            f"the pipeline {model} cannot be loaded for {purpose} ({reason})",
            "check the name and the network, or name the folder of one on this machine",
        ) from error
    if not _fits(pipeline, purpose):
        raise InputError(model, f"a {type(pipeline).__name__} {what}", fix)
    pipeline.set_progress_bar_config(disable=True)
    return pipeline.to(device)


def _fits(pipeline: Any, purpose: Purpose) -> bool:
    takes = inspect.signature(pipeline.__call__).parameters
    return "prompt" in takes and ("image" in takes) == (purpose == "editing")


def _cut_notes(pipeline: Any, prompt: str) -> tuple[str, ...]:
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
