"""Makes the mini-set: `python -m minisets.merbench.build [OUT] [--only ID …]`."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from deadpan.benchmarks.merbench.records import PAIRS
from deadpan.core.editors import Editor, Instruction
from deadpan.editing.caption import CaptionEditor, FlawedLayout, FlawedText
from deadpan.media.images import open_image
from minisets.merbench.meme import Meme
from minisets.merbench.scripts import MEMES

DATA = Path(__file__).resolve().parents[2] / "src/deadpan/benchmarks/merbench/data"
EDITORS: tuple[Editor, ...] = (CaptionEditor(), FlawedLayout(), FlawedText())


def build(folder: Path, memes: Sequence[Meme] = MEMES, editors: Sequence[Editor] = EDITORS) -> None:
    """Writes Original/ and EditedResults/ for the given memes and the index of all."""
    write_index(folder / "index_final.json")
    draw(folder, memes)
    for editor in editors:
        edit(folder, memes, editor)


def write_index(path: Path, memes: Sequence[Meme] = MEMES) -> None:
    """Writes the records of all memes, as the released file has them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [meme.row() for meme in memes]
    path.write_text(json.dumps(rows, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def draw(folder: Path, memes: Sequence[Meme] = MEMES) -> None:
    """Draws the memes into Original/; the same bytes every time."""
    originals = folder / "Original"
    originals.mkdir(parents=True, exist_ok=True)
    for meme in memes:
        meme.picture().save(originals / meme.name, optimize=True)


def edit(folder: Path, memes: Sequence[Meme], editor: Editor) -> None:
    """Has an editor edit the drawn memes into its folder of EditedResults/."""
    edited = folder / "EditedResults" / editor.name
    edited.mkdir(parents=True, exist_ok=True)
    for meme in memes:
        source = folder / "Original" / meme.name
        result = editor.edit(instruction(meme, source))
        with open_image(source) as palette:
            # The source's own colours keep what the editor left alone exactly as it was.
            few = result.image.quantize(palette=palette, dither=Image.Dither.NONE)
        few.save(edited / meme.name, optimize=True)


def instruction(meme: Meme, source: Path) -> Instruction:
    """What an editor is told about a meme."""
    return Instruction(
        source=source,
        captions=meme.kind,
        old_caption=meme.text,
        emotion=meme.emotion,
        target=PAIRS[meme.emotion],
        specification=meme.specification,
        language=meme.language,
    )


def main() -> None:
    """Builds into the folder named on the command line, or into the package."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", nargs="?", type=Path, default=DATA)
    parser.add_argument("--only", nargs="*", default=[meme.name for meme in MEMES])
    parser.add_argument("--editors", nargs="*", default=[editor.name for editor in EDITORS])
    chosen = parser.parse_args()
    build(
        chosen.out,
        [meme for meme in MEMES if meme.name in chosen.only],
        [editor for editor in EDITORS if editor.name in chosen.editors],
    )


if __name__ == "__main__":
    main()
