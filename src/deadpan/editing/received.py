"""What editors are told, and pictures as they give them back or as they lie in a folder already."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from PIL import ImageOps

from deadpan.base.errors import InputError
from deadpan.base.files import is_folder, is_within, list_folder
from deadpan.base.printable import visible
from deadpan.core.editors import Edited, Instruction, NotEdited
from deadpan.core.questions import Language, escape_frames
from deadpan.media.images import MOST_BYTES, decoding, on_white, open_image, read_image
from deadpan.media.media_files import is_media, read_media

PICTURES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff"})
"""The endings of files taken for pictures, in lower case."""


class Refused(NotEdited):
    """The editor would not edit this meme: a safety answer or a refusal."""


class CallFailed(NotEdited):
    """The editor could not be asked, or gave no answer in time; asking again may help."""


def open_picture(data: bytes, whose: str) -> Edited:
    """A picture that somebody gave, as it came; what cannot be read raises."""
    try:
        with open_image(data, whose) as found, decoding(whose):
            frames = getattr(found, "n_frames", 1)
            found.load()
            image = on_white(ImageOps.exif_transpose(found))
    except InputError as error:
        raise NotEdited(f"{whose} gave a picture that cannot be read ({error.what})") from error
    return Edited(image, (f"it moves: the first of {frames} frames is taken",) * (frames > 1))


def source_notes(source: Path) -> tuple[str, ...]:
    """What is to be said of a source that can be read: that it moves, where it does."""
    with open_image(source) as image, decoding(source):
        frames = getattr(image, "n_frames", 1)
    return (f"animated: only the first of {frames} frames is edited",) * (frames > 1)


def size_notes(made: tuple[int, int], source: tuple[int, int]) -> tuple[str, ...]:
    """What is to be said of the edited picture's size: nothing where it is the source's. An
    evaluation must see what the editor made, so that another size is never mended."""
    said = f"the edited picture is {times(made)}, the source {times(source)}"
    return (said,) * (made != source)


def times(size: tuple[int, int]) -> str:
    """A size as it is printed, e.g. 640 × 480."""
    return f"{size[0]} × {size[1]}"


@dataclass(frozen=True)
class FolderEditor:
    """Finds the edited picture by the source's file name, else by its name without the ending."""

    folder: Path

    def __post_init__(self) -> None:
        if not is_folder(self.folder):
            what = "no such folder of edited pictures"
            raise InputError(self.folder, what, "Expected folder:PATH with one picture a meme.")

    @property
    def name(self) -> str:
        return f"folder:{self.folder}"

    def edit(self, instruction: Instruction) -> Edited:
        """The picture that lies there, at the size it has; none, or several, raises NotEdited."""
        size = read_image(instruction.source).size
        path = self.edited_file(instruction.source)
        if not is_within(path, self.folder):
            raise NotEdited(f"{path} leads out of the folder; put the picture itself there")
        try:
            data = read_media(path, "picture", MOST_BYTES)
        except InputError as error:
            raise NotEdited(str(error)) from error
        made = open_picture(data, str(path))
        return Edited(made.image, (*made.notes, *size_notes(made.image.size, size)))

    def edited_file(self, source: Path) -> Path:
        """Where the edit of a source lies; raises NotEdited where that is not one file."""
        same = self.folder / source.name
        if is_media(same):
            return same
        found = [path for path in pictures_in(self.folder) if path.stem == source.stem]
        if not found:
            raise NotEdited(f"{self.folder} has no picture named {source.name} or {source.stem}.*")
        if len(found) > 1:
            several = f"several pictures for {source.name}: {', '.join(p.name for p in found)}"
            raise NotEdited(f"{self.folder} has {several}; keep one")
        return found[0]


def pictures_in(folder: Path) -> list[Path]:
    """The files of a folder that end as pictures do, by name."""
    return [
        path for path in list_folder(folder) if path.suffix.lower() in PICTURES and path.is_file()
    ]


_WORDS = json.loads((Path(__file__).parent / "wording.json").read_text("utf-8"))
EMOTIONS: dict[Language, dict[str, str]] = {
    language: words.pop("emotions") for language, words in _WORDS.items()
}
"""What an emotion is called where it is not called by its label."""


def wording(instruction: Instruction) -> str:
    """What a model is told to do with the meme, in the instruction's language. What changes in the
    picture comes first: the models that read no further than that cannot letter anyway. Without
    captions, a target asks for words of the model's own; without either, words stay as they are."""
    words: dict[str, str] = _WORDS[instruction.language]

    def say(what: str, text: str = "", number: int = 0) -> str:
        return words[what].format(text=escape_frames(visible(text.strip())), number=number)

    named = {
        key: emotion_name(visible(label), instruction.language)
        for key, label in (("emotion", instruction.emotion), ("target", instruction.target))
        if label
    }
    opening = "both" if len(named) == 2 else next(iter(named), "neither")
    lines = [words[opening].format(**named)]
    if instruction.specification.strip():
        lines.append(say("change", instruction.specification))
    if instruction.captions:
        lines.append(say("captions"))
        for number, text in enumerate(instruction.captions, start=1):
            lines.append(say("caption" if text.strip() else "empty", text, number))
    else:
        lines.append(say("rewrite" if instruction.target else "as_is"))
    if (instruction.old_caption or "").strip():
        lines.append(say("old", instruction.old_caption or ""))
    return "\n".join([*lines, say("keep")])


def emotion_name(label: str, language: Language) -> str:
    """What an emotion is called in a language; a label without a name there stands for itself."""
    return EMOTIONS[language].get(label, label)
