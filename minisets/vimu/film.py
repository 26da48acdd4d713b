"""What a film is: shots on a timeline, lines that are spoken, sounds, and its gold."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Literal

from PIL import Image

from deadpan.core.questions import Language
from minisets.drawing.faces import MOODS, Face, Mood
from minisets.drawing.pen import SUPERSAMPLE
from minisets.vimu.gold import Gold
from minisets.vimu.sound import Track
from minisets.vimu.stage import Stage, View

FPS = 15
WIDE = (640, 360)
TALL = (360, 640)

Draw = Callable[[Stage, float], None]


def nothing(stage: Stage, t: float) -> None:
    """Draws nothing."""


@dataclass(frozen=True)
class Shot:
    """So many seconds of drawing: a backdrop drawn once, then what moves, then what lies on top.

    `draw` and `overlay` get the seconds since the shot began; the camera moves all but `overlay`.
    """

    seconds: float
    draw: Draw = nothing
    backdrop: Callable[[Stage], None] | None = None
    ground: str = "#e3e8f3"
    camera: Callable[[float], View] | None = None
    overlay: Draw = nothing
    fade_in: float = 0
    fade_out: float = 0


@dataclass(frozen=True)
class Line:
    """Something spoken: its words, the window it must fit into, and whose voice says it."""

    text: str
    start: float
    end: float
    voice: str = "en-us"
    speed: int = 165
    pitch: int = 50


@dataclass(frozen=True)
class Film:
    """A short film with its gold; all that the build needs to make its files."""

    video_id: str
    language: Language
    shots: tuple[Shot, ...]
    score: Callable[[Track], None]
    gold: Gold
    lines: tuple[Line, ...] = ()
    size: tuple[int, int] = WIDE

    @property
    def seconds(self) -> float:
        """The running time."""
        return sum(shot.seconds for shot in self.shots)

    @property
    def transcript(self) -> str:
        """All that is spoken; empty where nobody speaks."""
        return ("" if self.language == "zh" else " ").join(line.text for line in self.lines)

    @cached_property
    def _starts(self) -> list[float]:
        return list(accumulate((shot.seconds for shot in self.shots[:-1]), initial=0.0))

    def frame(self, t: float) -> Image.Image:
        """The picture `t` seconds into the film; ValueError outside it."""
        if not 0 <= t < self.seconds:
            raise ValueError(f"{self.video_id}: {t} s is outside its {self.seconds} s")
        # Frame times are multiples of 1/15 s: a cut must not fall a rounding error too late.
        i = max(i for i, start in enumerate(self._starts) if start <= t + 1e-6)
        shot, since = self.shots[i], max(0.0, t - self._starts[i])
        stage = Stage(*self.size, _backdrop(shot, self.size).copy())
        shot.draw(stage, since)
        if shot.camera:
            stage.look_through(shot.camera(since))
        shot.overlay(stage, since)
        picture = stage.pen.image.reduce(SUPERSAMPLE)
        return _faded(picture, _brightness(shot, since))

    def frames(self) -> Iterator[Image.Image]:
        """Every picture of the film in turn."""
        for i in range(round(self.seconds * FPS)):
            yield self.frame(i / FPS)


@lru_cache(maxsize=2)
def _backdrop(shot: Shot, size: tuple[int, int]) -> Image.Image:
    area = (size[0] * SUPERSAMPLE, size[1] * SUPERSAMPLE)
    stage = Stage(*size, Image.new("RGB", area, shot.ground))
    if shot.backdrop:
        shot.backdrop(stage)
    return stage.pen.image


def _brightness(shot: Shot, since: float) -> float:
    shown = 1.0
    if shot.fade_in:
        shown = min(shown, since / shot.fade_in)
    if shot.fade_out:
        shown = min(shown, (shot.seconds - since) / shot.fade_out)
    return shown


def _faded(picture: Image.Image, brightness: float) -> Image.Image:
    if brightness >= 1:
        return picture
    return Image.blend(Image.new("RGB", picture.size, "black"), picture, max(0.0, brightness))


def eased(t: float, start: float, end: float) -> float:
    """How far a move from `start` to `end` has come, from 0 to 1, slow at both ends."""
    share = min(1.0, max(0.0, (t - start) / (end - start)))
    return share * share * (3 - 2 * share)


def between(t: float, start: float, end: float, first: float, last: float) -> float:
    """A value that eases from `first` to `last` while time runs from `start` to `end`."""
    return first + (last - first) * eased(t, start, end)


def beat(t: float, per_second: float) -> bool:
    """True and false in turn, `per_second` times each second."""
    return int(t * per_second) % 2 == 0


def talking(mood: Mood, t: float, start: float, end: float) -> Face:
    """The expression with its mouth moving while time is within the window."""
    face = MOODS[mood]
    if not start <= t < end or beat(t, 7.5):
        return face
    open_mouth: Literal["o", "yell"] = "yell" if int(t * 7.5) % 4 == 1 else "o"
    return Face(face.eyes, open_mouth, face.brows, face.look, face.extra)
