"""An illustrator that needs no model."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from PIL import Image

from deadpan.core.editors import Edited, NotEdited
from deadpan.editing.received import Refused
from deadpan.editing.remote import Unusable


@dataclass
class Painter:
    """Draws a plain picture for each prompt, and counts; some words it does not like."""

    name: str = "stand-in/painter"
    colour: str = "teal"
    prompts: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def draw(self, prompt: str) -> Edited:
        with self.lock:
            self.prompts.append(prompt)
        for word, problem in (("NO", Refused), ("BAD", NotEdited), ("KEY", Unusable)):
            if word in prompt:
                raise problem(f"{self.name}: {word}")
        return Edited(Image.new("RGB", (9, 7), self.colour))
