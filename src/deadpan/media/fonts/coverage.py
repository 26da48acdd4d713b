"""Which characters an OpenType file can show, read from its cmap table."""

import struct
from functools import cache
from pathlib import Path


@cache
def covered(path: Path) -> frozenset[int]:
    """Every code point with a glyph; raises ValueError where no cmap of format 4 or 12 exists."""
    data = path.read_bytes()
    tables = (struct.unpack_from(">4sIII", data, 12 + 16 * i) for i in range(_u16(data, 4)))
    start = next(offset for tag, _, offset, _ in tables if tag == b"cmap")
    found: set[int] = set()
    readers = {4: _segments, 12: _groups}
    for i in range(_u16(data, start + 2)):
        at = start + struct.unpack_from(">I", data, start + 8 + 8 * i)[0]
        if reader := readers.get(_u16(data, at)):
            found |= reader(data, at)
    if not found:
        raise ValueError(f"{path.name}: no cmap subtable of format 4 or 12")
    return frozenset(found)


def _u16(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 2], "big")


def _segments(data: bytes, at: int) -> set[int]:
    count = _u16(data, at + 6) // 2
    ends, starts = at + 14, at + 16 + 2 * count
    deltas, offsets = starts + 2 * count, starts + 4 * count
    found = set()
    for i in range(count):
        first, last = _u16(data, starts + 2 * i), _u16(data, ends + 2 * i)
        shift = _u16(data, offsets + 2 * i)
        for code in range(first, min(last, 0xFFFE) + 1):
            glyph = code + _u16(data, deltas + 2 * i)
            if shift:
                glyph = _u16(data, offsets + 2 * i + shift + 2 * (code - first))
            if glyph & 0xFFFF:
                found.add(code)
    return found


def _groups(data: bytes, at: int) -> set[int]:
    found: set[int] = set()
    for i in range(struct.unpack_from(">I", data, at + 12)[0]):
        first, last, glyph = struct.unpack_from(">III", data, at + 16 + 12 * i)
        found.update(range(first + (glyph == 0), last + 1))
    return found
