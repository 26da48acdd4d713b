"""Cuts NotoSansSC-Bold-subset.otf out of Noto Sans CJK; needs fontTools, and only to renew it.

python scripts/subset_font.py /usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc
"""

import subprocess
import sys
from pathlib import Path

SC_FACE = 2
ONOMATOPOEIA = "嗖噜嘭哐嗡嘀嗒喵咚咔嚓啪叮铛哧嘎吱呜嗷哔轰隆咣嘟噗嗝咩哗啦砰滴答咕咳唰哒"
SYMBOLS = "×·°—‘’“”…←↑→↓■□▲△●○★☆♀♂♥♪"


def wanted() -> str:
    """The characters kept: ASCII, CJK punctuation, full-width forms, GB2312 level 1."""
    ranges = [(0x20, 0x7E), (0x3000, 0x301F), (0xFF01, 0xFF5E), (0xFFE0, 0xFFE5)]
    text = (
        SYMBOLS
        + ONOMATOPOEIA
        + "".join(chr(c) for low, high in ranges for c in range(low, high + 1))
    )
    for row in range(0xB0, 0xD8):
        last = 0xF9 if row == 0xD7 else 0xFE
        text += "".join(bytes([row, cell]).decode("gb2312") for cell in range(0xA1, last + 1))
    return text


def cut(source: Path, target: Path) -> None:
    """Writes the subset of the Simplified Chinese face to `target`."""
    listing = target.with_suffix(".txt")
    listing.write_text(wanted(), encoding="utf-8")
    command = [
        *(sys.executable, "-m", "fontTools.subset", str(source), f"--font-number={SC_FACE}"),
        *(f"--text-file={listing}", f"--output-file={target}", "--layout-features="),
        *("--no-hinting", "--notdef-outline", "--name-IDs=0,1,2,3,4,5,6,13,14"),
    ]
    subprocess.run(command, check=True)
    listing.unlink()


if __name__ == "__main__":
    fonts = Path(__file__).parents[1] / "src/deadpan/media/fonts"
    cut(Path(sys.argv[1]), fonts / "NotoSansSC-Bold-subset.otf")
