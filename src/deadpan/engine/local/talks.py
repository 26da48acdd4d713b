"""Talks of text and pictures as a model takes them: prompts as tensors, and examples to learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from jinja2.exceptions import TemplateError
from PIL import Image

from deadpan.base.errors import InputError
from deadpan.engine.local import library

Part = str | Image.Image
_BREAK = "\u200b"
"""What is put into a word that would else be taken for one of the model's marks."""
IGNORED = -100
"""The label of a token that has no loss."""


@dataclass(frozen=True, eq=False)
class Encoded:
    """An example as tensors: a number or a row a token, and its pictures."""

    sequences: dict[str, Any]
    pictures: dict[str, Any]


@dataclass(frozen=True, eq=False)
class Turn:
    """What one side says: texts and pictures, in order."""

    role: Literal["system", "user", "assistant"]
    parts: tuple[Part, ...]


def prompt_inputs(processor: Any, turns: Sequence[Turn]) -> dict[str, Any]:
    """The tensors of a talk that the model is to answer, for a batch of one."""
    return batch_inputs(processor, [turns])


def batch_inputs(processor: Any, talks: Sequence[Sequence[Turn]]) -> dict[str, Any]:
    """The tensors of talks that the model is to answer, shorter ones filled up in front."""
    texts = [prompt_text(processor, turns) for turns in talks]
    pictures = [
        [part for turn in turns for part in turn.parts if isinstance(part, Image.Image)]
        for turns in talks
    ]
    start = getattr(processor.tokenizer, "bos_token", None)
    several = {"padding": True, "padding_side": "left"} if len(talks) > 1 else {}
    shown = (pictures if len(talks) > 1 else pictures[0]) if any(pictures) else None
    try:
        made = processor(
            text=texts,
            images=shown,
            return_tensors="pt",
            # A template that writes the first mark itself must not get it twice.
            add_special_tokens=not (start and texts[0].startswith(start)),
            **several,
        )
    except ValueError as error:
        what = f"the model's processor cannot take the talk ({error})"
        raise InputError(type(processor).__name__, what, "Choose another base model.") from error
    return dict(made)


def encode(processor: Any, turns: Sequence[Turn], answer: str) -> Encoded:
    """A talk and its answer as an example: the prompt as it is when the model is asked, and after
    it the answer's tokens, which alone have labels."""
    torch = library("torch")
    inputs = prompt_inputs(processor, turns)
    inputs.pop("attention_mask", None)
    shape = inputs["input_ids"].shape
    ids = torch.tensor(answer_tokens(processor, turns, answer))
    sequences = {
        name: torch.cat([values[0], ids if name == "input_ids" else _over_answer(values, len(ids))])
        for name, values in inputs.items()
        if values.shape[:2] == shape
    }
    pictures = {name: values for name, values in inputs.items() if name not in sequences}
    before = torch.full((shape[1],), IGNORED)
    return Encoded({**sequences, "labels": torch.cat([before, ids])}, pictures)


def _over_answer(values: Any, length: int) -> Any:
    """What a sequence beside the tokens holds over the answer: the number of text, 0, or, where
    rows say which pictures a token sees, those that the last token of the prompt sees."""
    row = values[0, -1:]
    return (row.new_zeros(1) if values.ndim == 2 else row).expand(length, *row.shape[1:])


def prompt_text(processor: Any, turns: Sequence[Turn]) -> str:
    """The talk as text up to its answer, by the chat template or in lines of `USER:` and such."""
    return _text(processor, _accept(processor, turns))


def answer_tokens(processor: Any, turns: Sequence[Turn], answer: str) -> list[int]:
    """The tokens of an answer as the model should write them, up to the mark that ends its turn."""
    tokenizer = processor.tokenizer
    accepted = _accept(processor, turns)
    last = Turn("assistant", (_harmless(processor, answer),))
    before, whole = _text(processor, accepted), _text(processor, [*accepted, last])
    # Templates that write an answer in another way than they ask for it have no such text.
    text = whole.removeprefix(before) if whole.startswith(before) else str(last.parts[0])
    # Templates end turns with spaces that no model writes before its end.
    ids = _following(tokenizer, before, text.rstrip())
    end = tokenizer.eos_token_id
    if end is None:
        return ids
    return ids[: ids.index(end) + 1] if end in ids else [*ids, end]


def _following(tokenizer: Any, before: str, text: str) -> list[int]:
    """The tokens of a text as they follow another: the first words of a text on its own are others
    in many vocabularies. Where the two grow together, as they follow a line's end."""
    for place in (before, "\n"):
        ahead: list[int] = tokenizer(place, add_special_tokens=False).input_ids
        whole: list[int] = tokenizer(place + text, add_special_tokens=False).input_ids
        if whole[: len(ahead)] == ahead:
            return whole[len(ahead) :]
    return list(tokenizer(text, add_special_tokens=False).input_ids)


def _accept(processor: Any, turns: Sequence[Turn]) -> list[Turn]:
    """The turns without marks; what a template drops of the system goes to the user's first."""
    safe = [
        Turn(turn.role, tuple(_harmless(processor, part) for part in turn.parts)) for turn in turns
    ]
    said = [part for turn in safe if turn.role == "system" for part in turn.parts]
    try:
        text = _text(processor, safe)
    except TemplateError:
        text = ""
    if all(str(part).strip() in text for part in said):
        return safe
    others = [turn for turn in safe if turn.role != "system"]
    first = Turn(others[0].role, ("\n\n".join(map(str, said)) + "\n\n", *others[0].parts))
    return [first, *others[1:]]


def _text(processor: Any, turns: Sequence[Turn]) -> str:
    """The turns as text; where the last is not the assistant's, up to its answer's beginning."""
    asks = turns[-1].role != "assistant"
    if not getattr(processor, "chat_template", None):
        mark = getattr(processor, "image_token", None)
        if not isinstance(mark, str):
            what = "has neither a chat template nor a mark for pictures"
            raise InputError(type(processor).__name__, what, "Choose another base model.")
        lines = []
        for turn in turns:
            parts = [part if isinstance(part, str) else f"{mark}\n" for part in turn.parts]
            lines.append(f"{turn.role.upper()}: {''.join(parts)}")
        return "\n".join([*lines, "ASSISTANT: "] if asks else lines)

    def content(part: Part) -> dict[str, str]:
        return {"type": "text", "text": part} if isinstance(part, str) else {"type": "image"}

    talk = [{"role": turn.role, "content": list(map(content, turn.parts))} for turn in turns]
    return str(processor.apply_chat_template(talk, add_generation_prompt=asks, tokenize=False))


def _harmless(processor: Any, part: Part) -> Part:
    """A text with every mark of the model broken: a caption opens no turn, shows no picture."""
    if isinstance(part, Image.Image):
        return part
    marks = {str(token) for token in processor.tokenizer.all_special_tokens}
    for name in ("image_token", "video_token", "audio_token"):
        if isinstance(mark := getattr(processor, name, None), str):
            marks.add(mark)
    for mark in sorted((mark for mark in marks if len(mark) > 1), key=len, reverse=True):
        part = part.replace(mark, f"{mark[0]}{_BREAK}{mark[1:]}")
    return part
