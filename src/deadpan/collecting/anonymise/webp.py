"""WebP, still or animated, without anything but its pixels and timing."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator

from deadpan.collecting.anonymise.found import BrokenMedia, Cleaned

_PIXELS = frozenset({b"VP8 ", b"VP8L", b"ALPH"})
_KEPT = _PIXELS | {b"VP8X", b"ANIM", b"ANMF"}
_NAMES = {b"EXIF": "exif", b"XMP ": "xmp", b"ICCP": "colour profile"}
_FLAGS = 0x10 | 0x02
"""Of the extended header's flags, alpha and animation; the others announce metadata."""
_FRAME_HEADER = 16


def cleaned_webp(data: bytes) -> Cleaned:
    """The file with frames, alpha and timing only."""
    removed: Counter[str] = Counter()
    out: list[bytes] = []
    for name, body in chunks(data):
        if name not in _KEPT:
            removed[_NAMES.get(name, "unknown chunk")] += 1
        elif name == b"VP8X" and len(body) >= 10:
            out.append(_chunk(name, bytes([body[0] & _FLAGS]) + b"\x00" * 3 + body[4:10]))
        elif name == b"ANMF":
            out.append(_chunk(name, _frame(body, removed)))
        else:
            out.append(_chunk(name, body))
    if trailing(data):
        removed["trailing data"] += 1
    inside = b"WEBP" + b"".join(out)
    return Cleaned(b"RIFF" + struct.pack("<I", len(inside)) + inside, removed)


def webp_leftovers(data: bytes) -> list[str]:
    """Names of what a cleaned file may not hold."""
    left: list[str] = []
    for name, body in chunks(data):
        if name not in _KEPT:
            left.append(_NAMES.get(name, "unknown chunk"))
        if name == b"VP8X" and (body[0] & ~_FLAGS or len(body) != 10):
            left.append("metadata flag")
        if name == b"ANMF":
            inner = _walk(body, _FRAME_HEADER, len(body))
            left += ["unknown chunk" for known, _ in inner if known not in _PIXELS]
    return left + (["trailing data"] if trailing(data) else [])


def chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The chunks of the file; one that ends before raises."""
    end = 8 + int.from_bytes(data[4:8], "little")
    if end > len(data) or end < 12:
        raise BrokenMedia("the picture is truncated")
    return _walk(data, 12, end)


def trailing(data: bytes) -> bool:
    """Whether anything follows the end of the container."""
    return 8 + int.from_bytes(data[4:8], "little") < len(data)


def _frame(body: bytes, removed: Counter[str]) -> bytes:
    out = [body[:_FRAME_HEADER]]
    for name, inner in _walk(body, _FRAME_HEADER, len(body)):
        if name in _PIXELS:
            out.append(_chunk(name, inner))
        else:
            removed["unknown chunk"] += 1
    return b"".join(out)


def _walk(data: bytes, place: int, end: int) -> Iterator[tuple[bytes, bytes]]:
    while place < end:
        if place + 8 > end:
            raise BrokenMedia("the picture is truncated")
        length = int.from_bytes(data[place + 4 : place + 8], "little")
        if place + 8 + length > end:
            raise BrokenMedia("the picture is truncated")
        yield data[place : place + 4], data[place + 8 : place + 8 + length]
        place += 8 + length + (length & 1)


def _chunk(name: bytes, body: bytes) -> bytes:
    return name + struct.pack("<I", len(body)) + body + b"\x00" * (len(body) & 1)
