"""GIF without anything but its frames, their timing and the loop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from deadpan.collecting.anonymise.found import BrokenMedia, Cleaned

_LOOPS = (b"NETSCAPE2.0", b"ANIMEXTS1.0")
_LOOP, _CONTROL, _COMMENT, _TEXT = 0xFF, 0xF9, 0xFE, 0x01
BlockKind = Literal["frame", "control", "loop", "comment", "text", "xmp", "application data"]


@dataclass(frozen=True)
class Block:
    """A block with its bytes as they are kept: a loop is reduced to its count."""

    kind: BlockKind
    data: bytes
    exact: bool = True


def cleaned_gif(data: bytes) -> Cleaned:
    """The file with header, colour tables, frames, timing and one loop count only."""
    removed: Counter[str] = Counter()
    out = [data[: _header_end(data)]]
    control = b""
    looped = False
    for block in blocks(data):
        if block.kind == "control":
            control = block.data
        elif block.kind == "frame":
            out.append(control + block.data)
            control = b""
        elif block.kind == "loop" and not looped:
            out.append(block.data)
            looped = True
        else:
            # The control before a drawn text belongs to the text.
            control = b"" if block.kind == "text" else control
            removed[block.kind] += 1
        if not block.exact:
            removed["application data"] += 1
    if trailing(data):
        removed["trailing data"] += 1
    out.append(b";")
    return Cleaned(b"".join(out), removed)


def gif_leftovers(data: bytes) -> list[str]:
    """Names of what a cleaned file may not hold."""
    found = list(blocks(data))
    left: list[str] = [
        block.kind for block in found if block.kind not in ("frame", "control", "loop")
    ]
    left += ["application data" for block in found if not block.exact]
    left += ["application data" for block in found if block.kind == "loop"][1:]
    return left + (["trailing data"] if trailing(data) else [])


def blocks(data: bytes) -> Iterator[Block]:
    """The blocks up to the end mark; a file that ends before raises."""
    for block, _ in _walk(data):
        yield block


def trailing(data: bytes) -> bool:
    """Whether anything follows the end mark."""
    end = _header_end(data)
    for _, after in _walk(data):
        end = after
    return end + 1 < len(data)


def _walk(data: bytes) -> Iterator[tuple[Block, int]]:
    place = _header_end(data)
    while True:
        mark = _byte(data, place)
        if mark == 0x3B:
            return
        if mark == 0x2C:
            flags = _byte(data, place + 9)
            start = place + 10 + (3 << ((flags & 7) + 1) if flags & 0x80 else 0)
            end = _sub_blocks_end(data, start + 1)
            block = Block("frame", data[place:end])
        elif mark == 0x21:
            end = _sub_blocks_end(data, place + 2)
            block = _extension(data[place:end])
        else:
            raise BrokenMedia("a block of no known kind")
        yield block, end
        place = end


def _extension(data: bytes) -> Block:
    label = data[1]
    if label == _CONTROL and len(data) == 8:
        return Block("control", data)
    if label == _LOOP and data[3:14] in _LOOPS and data[14:16] == b"\x03\x01":
        kept = data[:18] + b"\x00"
        return Block("loop", kept, exact=kept == data)
    if label == _LOOP and data[3:11] == b"XMP Data":
        return Block("xmp", b"")
    if label == _COMMENT:
        return Block("comment", b"")
    return Block("text" if label == _TEXT else "application data", b"")


def _header_end(data: bytes) -> int:
    flags = _byte(data, 10)
    end = 13 + (3 << ((flags & 7) + 1) if flags & 0x80 else 0)
    _byte(data, end)
    return end


def _sub_blocks_end(data: bytes, place: int) -> int:
    while size := _byte(data, place):
        place += 1 + size
    return place + 1


def _byte(data: bytes, place: int) -> int:
    if place >= len(data):
        raise BrokenMedia("the picture is truncated")
    return data[place]
