"""Stand-ins for reappraisal: memes of every awkward kind, a model that plans, editors that act."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from PIL import Image

from deadpan.core.editors import Edited, Instruction, NotEdited
from deadpan.editing.received import Refused
from deadpan.media.images import read_image

DESCRIBED = {
    "language": "en",
    "emotion": "bored",
    "visual_type": "Object_Animal_Dominant",
    "sentiment_polarity": "Neutral",
    "layout_type": "SinglePanel_Meme",
    "description": "A cat lies on a sofa and stares at the wall.",
    "captions": ["Monday", "again"],
}
PROPOSED = {
    "target": "excited",
    "captions": ["Monday!", "A fresh start"],
    "specification": "The cat sits up and its eyes shine.",
}
DESCRIBED_ZH = {**DESCRIBED, "language": "zh", "emotion": "sad", "captions": ["又是周一"]}
PROPOSED_ZH = {"target": "happy", "captions": ["新的一周"], "specification": "猫坐起来，眼睛发亮。"}


def planner(picture: str, prompt: str) -> str:
    """Replies to both stages as asked for."""
    if "又是周一" in prompt:
        return json.dumps(PROPOSED_ZH, ensure_ascii=False)
    return json.dumps(PROPOSED if "specification" in prompt else DESCRIBED, ensure_ascii=False)


@dataclass
class Painter:
    """An editor that turns every picture one colour and counts what it was asked."""

    colour: str = "gold"
    asked: list[Instruction] = field(default_factory=list)
    size: tuple[int, int] | None = None
    name: str = "painter"
    stop: Callable[[int], None] = lambda count: None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def edit(self, instruction: Instruction) -> Edited:
        with self._lock:
            self.asked.append(instruction)
            self.stop(len(self.asked))
        size = self.size or read_image(instruction.source).size
        return Edited(Image.new("RGB", size, self.colour))


@dataclass
class Unwilling:
    """An editor that edits nothing: it refuses, or just gives none."""

    refuses: bool
    name: str = "unwilling"

    def edit(self, instruction: Instruction) -> Edited:
        raise Refused("not this one") if self.refuses else NotEdited("it gave no picture")


def write_memes(folder: Path, count: int) -> Path:
    """A folder of plain memes, each another colour."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        colour = (40 * number % 256, 90, 200 - 13 * number % 200)
        Image.new("RGB", (64, 48), colour).save(folder / f"{number:02}.png")
    return folder


def awkward(folder: Path) -> dict[str, str]:
    """A folder of pictures that are hard to take, with how each is to end."""
    folder.mkdir(parents=True)
    red = Image.new("RGB", (60, 40), "red")
    frames = [Image.new("RGB", (60, 40), colour) for colour in ("red", "green", "blue")]
    frames[0].save(folder / "animated.gif", save_all=True, append_images=frames[1:])
    red.convert("CMYK").save(folder / "cmyk.jpg")
    deep = np.full((40, 60), 40_000, dtype=np.uint16)
    Image.fromarray(deep).save(folder / "deep.png")
    Image.new("1", (12_000, 9_000)).save(folder / "huge.png")
    Image.new("RGB", (1, 1), "red").save(folder / "tiny.png")
    Image.new("RGBA", (60, 40), (255, 0, 0, 90)).save(folder / "transparent.png")
    exif = Image.Exif()
    exif[0x0112] = 6
    red.save(folder / "turned.jpg", exif=exif)
    noise = np.random.default_rng(0).integers(0, 256, (200, 200, 3), dtype=np.uint8)
    Image.fromarray(noise).save(folder / "truncated.png")
    whole = (folder / "truncated.png").read_bytes()
    (folder / "truncated.png").write_bytes(whole[: len(whole) // 2])
    (folder / "words.png").write_text("not a picture", encoding="utf-8")
    (folder / "empty.png").write_bytes(b"")
    (folder / "notes.txt").write_text("left alone", encoding="utf-8")
    unreadable = {"huge.png", "truncated.png", "words.png", "empty.png"}
    return {
        path.name: "unreadable" if path.name in unreadable else "edited"
        for path in folder.iterdir()
        if path.suffix != ".txt"
    }
