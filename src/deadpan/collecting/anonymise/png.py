"""PNG and APNG without anything but what its pixels and timing need."""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterator

from deadpan.collecting.anonymise.found import BrokenMedia, Cleaned

SIGNATURE = b"\x89PNG\r\n\x1a\n"
# Fixed sizes: a longer chunk of the same name would have room for something else.
_COLOUR = {b"sRGB": 1, b"gAMA": 4, b"cHRM": 32, b"cICP": 4}
_NAMES = {
    b"eXIf": "exif",
    b"tEXt": "text",
    b"zTXt": "text",
    b"iTXt": "text",
    b"tIME": "time",
    b"iCCP": "colour profile",
    b"pHYs": "resolution",
}
_PIECE = 1 << 20


def cleaned_png(data: bytes) -> Cleaned:
    """The file with pixels, palette, transparency, plain colour values and frames only."""
    removed: Counter[str] = Counter()
    out = [SIGNATURE]
    pixels: list[bytes] = []
    frame: list[bytes] = []
    sequence = 0

    def flush() -> None:
        nonlocal sequence
        if pixels:
            out.append(_chunk(b"IDAT", _stream(pixels, removed)))
            pixels.clear()
        if frame:
            out.append(_chunk(b"fdAT", struct.pack(">I", sequence) + _stream(frame, removed)))
            sequence += 1
            frame.clear()

    for name, body in chunks(data):
        if name == b"IDAT":
            pixels.append(body)
        elif name == b"fdAT":
            frame.append(body[4:])
        elif name == b"fcTL" and len(body) == 26:
            flush()
            out.append(_chunk(name, struct.pack(">I", sequence) + body[4:]))
            sequence += 1
        elif _kept(name, body):
            flush()
            out.append(_chunk(name, body))
        else:
            removed[_NAMES.get(name, "unknown chunk")] += 1
    if trailing(data):
        removed["trailing data"] += 1
    return Cleaned(b"".join(out), removed)


def png_leftovers(data: bytes) -> list[str]:
    """Names of what a cleaned file may not hold."""
    allowed = {b"IDAT", b"fdAT", b"fcTL"}
    left = [
        _NAMES.get(name, "unknown chunk")
        for name, body in chunks(data)
        if name not in allowed and not _kept(name, body)
    ]
    return left + (["trailing data"] if trailing(data) else [])


def chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Chunks up to IEND, their checksums proven; a file that ends before raises."""
    place = len(SIGNATURE)
    while place + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, place)
        end = place + 12 + length
        if end > len(data):
            break
        name, body = data[place + 4 : place + 8], data[place + 8 : end - 4]
        if zlib.crc32(name + body) != struct.unpack_from(">I", data, end - 4)[0]:
            raise BrokenMedia("a chunk's checksum does not hold")
        yield name, body
        if name == b"IEND":
            return
        place = end
    raise BrokenMedia("the picture is truncated")


def trailing(data: bytes) -> bool:
    """Whether anything follows the end mark, such as the rest of a cropped picture."""
    size = len(SIGNATURE) + sum(12 + len(body) for _, body in chunks(data))
    return size < len(data)


def is_deep(data: bytes) -> bool:
    """Whether colours have 16 bits, which Pillow keeps for grey only."""
    return data[24] == 16 and data[25] != 0


def _kept(name: bytes, body: bytes) -> bool:
    if name in _COLOUR:
        return len(body) == _COLOUR[name]
    sizes = {b"IHDR": 13, b"IEND": 0, b"acTL": 8}
    if name in sizes:
        return len(body) == sizes[name]
    return (name == b"PLTE" and len(body) <= 768) or (name == b"tRNS" and len(body) <= 256)


def _stream(pieces: list[bytes], removed: Counter[str]) -> bytes:
    packed = b"".join(pieces)
    reader = zlib.decompressobj()
    rest = packed
    try:
        while rest and not reader.eof:
            reader.decompress(rest, _PIECE)
            rest = reader.unconsumed_tail
    except zlib.error:
        raise BrokenMedia("the pixels cannot be unpacked") from None
    if reader.unused_data:
        removed["trailing data"] += 1
    return packed[: len(packed) - len(reader.unused_data)]


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
