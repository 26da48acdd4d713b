"""The source and the edited picture side by side, labelled in the meme's language."""

from __future__ import annotations

from PIL import Image, ImageDraw

from deadpan.core.questions import Language
from deadpan.editing.received import times
from deadpan.editing.wording import emotion_name
from deadpan.media.fonts import lettering

_LABELS: dict[Language, tuple[str, str]] = {
    "en": ("source", "edited"),
    "zh": ("原图", "改后"),
}
_SMALLEST, _WIDEST, _TALLEST = 320, 900, 1200
_NARROWEST = 300
"""What a label needs, whatever the picture."""
_MARGIN, _BAR, _LETTERS = 28, 56, 27
_PAPER, _INK, _FAINT, _LINE = "#faf7f2", "#2b2438", "#8d8699", "#d9d3c8"
_WARM, _COLD = "#e2725b", "#2f8f83"


def side_by_side(
    source: Image.Image,
    edited: Image.Image,
    language: Language = "en",
    emotion: str | None = None,
    target: str | None = None,
) -> Image.Image:
    """Both pictures on one sheet in one scale where they have one size; each is labelled with its
    emotion, and with its size where they differ."""
    shown = [_fitted(image) for image in (source, edited)]
    width = max(_NARROWEST, *(image.width for image in shown))
    height = max(image.height for image in shown)
    sheet = Image.new("RGB", (2 * width + 3 * _MARGIN, height + _BAR + 2 * _MARGIN), _PAPER)
    unequal = source.size != edited.size
    for place, (image, label) in enumerate(zip(shown, _LABELS[language], strict=True)):
        left = _MARGIN + place * (width + _MARGIN)
        top = _MARGIN + _BAR + (height - image.height) // 2
        sheet.paste(image, (left + (width - image.width) // 2, top))
        feeling = (emotion, target)[place]
        named = emotion_name(feeling, language) if feeling else ""
        size = times((source, edited)[place].size) if unequal else ""
        _label(sheet, (left, _MARGIN), width, label, named, size, (_WARM, _COLD)[place])
    return sheet


def _fitted(image: Image.Image) -> Image.Image:
    """The picture within the sheet's limits; a tiny one enlarged, so that it can be seen."""
    factor = min(_WIDEST / image.width, _TALLEST / image.height)
    if factor >= 1:
        factor = min(factor, max(1.0, _SMALLEST / max(image.size)))
    size = (max(1, round(image.width * factor)), max(1, round(image.height * factor)))
    return image if size == image.size else image.resize(size, Image.Resampling.LANCZOS)


def _label(
    sheet: Image.Image,
    at: tuple[int, int],
    width: int,
    label: str,
    feeling: str,
    size: str,
    colour: str,
) -> None:
    """A heading above a picture: a mark, what the picture is, how it feels, and its size."""
    draw = ImageDraw.Draw(sheet)
    left, top = at
    middle = top + (_BAR - 26) // 2
    draw.rectangle((left, middle - 14, left + 6, middle + 13), fill=colour)
    x = left + 20.0
    for text, ink in ((label, _INK), (feeling, colour)):
        if text:
            face = lettering(_LETTERS, text)
            draw.text((x, middle), text, font=face, fill=ink, anchor="lm")
            x += face.getlength(text) + 14
    if size:
        face = lettering(_LETTERS - 8, size)
        if left + width - face.getlength(size) > x:
            draw.text((left + width, middle), size, font=face, fill=_FAINT, anchor="rm")
    line = top + _BAR - 12
    draw.line((left, line, left + width, line), fill=_LINE, width=2)
