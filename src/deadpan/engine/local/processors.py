"""What makes talks ready for a model: its processor of pictures and text, or of text alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

from deadpan.base.errors import DeadpanError
from deadpan.engine.local import library


class NoPictures(DeadpanError):
    """A model of text alone was shown a picture."""

    def __init__(self) -> None:
        super().__init__(
            "the model sees no pictures: name one that does, or ask with --variant text-only"
        )


class TextProcessor:
    """A tokenizer in the place of a processor; pictures raise."""

    image_processor = None
    image_token = ""
    """There is none, and talks without a template need none."""

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer
        if tokenizer.pad_token is None:
            tokenizer.pad_token = tokenizer.eos_token  # what fills up is looked at by nobody

    @property
    def chat_template(self) -> Any:
        """The tokenizer's own."""
        return self.tokenizer.chat_template

    def apply_chat_template(
        self, talk: Sequence[Mapping[str, Any]], add_generation_prompt: bool, tokenize: bool
    ) -> Any:
        """The talk by the tokenizer's template, which takes a text a turn and no parts."""
        said = [{"role": turn["role"], "content": _joined(turn["content"])} for turn in talk]
        return self.tokenizer.apply_chat_template(
            said, add_generation_prompt=add_generation_prompt, tokenize=tokenize
        )

    def __call__(
        self, text: Sequence[str], images: Any = None, add_special_tokens: bool = True, **how: Any
    ) -> dict[str, Any]:
        """The tensors of texts. A template writes all marks itself, as transformers has it."""
        if images is not None:
            raise NoPictures
        marks = add_special_tokens and not self.chat_template
        made = self.tokenizer(list(text), add_special_tokens=marks, **how)
        return {name: made[name] for name in ("input_ids", "attention_mask")}

    def save_pretrained(self, place: str) -> None:
        """Writes the tokenizer's files."""
        self.tokenizer.save_pretrained(place)


def _joined(parts: Sequence[Mapping[str, str]]) -> str:
    if any(part["type"] == "image" for part in parts):
        raise NoPictures
    return "".join(part["text"] for part in parts)


def processor_of(place: str, config: Any, sees: bool) -> Any:
    """The model's processor; without torchvision, which reads videos, one for pictures alone."""
    transformers = library("transformers")
    if not sees:
        return TextProcessor(transformers.AutoTokenizer.from_pretrained(place))
    if find_spec("torchvision") is None:
        mapping = transformers.models.auto.processing_auto.PROCESSOR_MAPPING
        kind = mapping.get(type(config), None)
        if kind is not None and "video_processor" in kind.get_attributes():
            return _for_pictures(kind).from_pretrained(place)
    return transformers.AutoProcessor.from_pretrained(place)


def _for_pictures(kind: Any) -> Any:
    """A kind of processor without its reader of videos; transformers goes by its signature."""

    def __init__(
        self: Any,
        image_processor: Any = None,
        tokenizer: Any = None,
        chat_template: str | None = None,
        **options: Any,
    ) -> None:
        parts = {"image_processor": image_processor, "tokenizer": tokenizer}
        kind.__init__(self, **parts, chat_template=chat_template, **options)

    return type(kind.__name__, (kind,), {"__init__": __init__})
