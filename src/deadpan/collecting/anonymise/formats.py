"""PNG, JPEG, WebP and GIF without what pixels and timing do not need; nothing is encoded again."""

from __future__ import annotations

import itertools
import re
import struct
import zlib
from collections import Counter
from collections.abc import Iterator

from deadpan.collecting.anonymise.sources import (
    PIECES,
    PNG,
    BrokenMedia,
    Cleaned,
    MediaKind,
    piece_name,
)

_TRUNCATED = "the picture is truncated"
_TRAILING = "trailing data"
"""What follows the end mark, such as the rest of a cropped picture, further pictures or a film."""

_PIECE = 1 << 20

_SOI, _EOI, _SOS, _APP0, _APP14 = 0xD8, 0xD9, 0xDA, 0xE0, 0xEE
_MARKER = re.compile(rb"\xff+([^\xff])", re.DOTALL)
# Neither a stuffed zero nor a restart.
_MARKER_AFTER_SCAN = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]", re.DOTALL)
_DECODING = frozenset(range(0xC0, 0xD0)) - {0xC8} | {0xDB, 0xDC, 0xDD, _SOS}
"""Frame headers with DHT (C4) and DAC (CC) among them, tables and scans."""
# Version, density and thumbnail are the camera's; only the fact that it is JFIF says
# how colours are coded.
_JFIF = b"JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"

_FRAME_CHUNKS = frozenset({b"VP8 ", b"VP8L", b"ALPH"})
_WEBP_CHUNKS = _FRAME_CHUNKS | {b"VP8X", b"ANIM", b"ANMF"}
_WEBP_FLAGS = 0x10 | 0x02
"""Of the extended header's flags, alpha and animation; the others announce metadata."""
_FRAME_HEADER = 16

_LOOPS = (b"NETSCAPE2.0", b"ANIMEXTS1.0")
_LOOP, _CONTROL = 0xFF, 0xF9
_GIF_NAMES = {0xFE: "comment", 0x01: "text"}

Piece = tuple[bytes, str | None]
"""What is kept of a piece of a file, and the name of what is left out of it, if anything is."""


def strip_metadata(kind: MediaKind, data: bytes) -> Cleaned:
    """The picture with what its pixels, colours and timing need only; a broken one raises."""
    readers = {"png": _png_pieces, "jpeg": _jpeg_pieces, "webp": _webp_pieces, "gif": _gif_pieces}
    pieces = list(readers[kind](data))
    removed = Counter(name for _, name in pieces if name is not None)
    return Cleaned(b"".join(kept for kept, _ in pieces), removed)


def _png_pieces(data: bytes) -> Iterator[Piece]:
    """Pixels, palette, transparency, plain colour values and frames."""
    yield PNG, None
    end = len(PNG)
    numbers = itertools.count()
    pixels: dict[bytes, list[bytes]] = {b"IDAT": [], b"fdAT": []}
    for name, body in _png_chunks(data):
        end += 12 + len(body)
        if name in pixels:
            pixels[name].append(body[4:] if name == b"fdAT" else body)
            continue
        least, most = PIECES["png"]["kept"].get(name.decode("latin-1"), (1, 0))
        if not least <= len(body) <= most:
            yield b"", piece_name("png", name)
            continue
        for packed, pieces in pixels.items():
            if pieces:
                stream, rest = _split_stream(b"".join(pieces))
                number = struct.pack(">I", next(numbers)) if packed == b"fdAT" else b""
                yield _png_chunk(packed, number + stream), _TRAILING if rest else None
                pieces.clear()
        if name == b"fcTL":
            body = struct.pack(">I", next(numbers)) + body[4:]
        yield _png_chunk(name, body), None
    if end < len(data):
        yield b"", _TRAILING


def _png_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Chunks up to IEND, their checksums proven; a file that ends before raises."""
    place = len(PNG)
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
    raise BrokenMedia(_TRUNCATED)


def _png_chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def _split_stream(packed: bytes) -> tuple[bytes, bytes]:
    """The packed pixels, and what stands behind their end."""
    reader = zlib.decompressobj()
    rest = packed
    try:
        while rest and not reader.eof:
            reader.decompress(rest, _PIECE)
            rest = reader.unconsumed_tail
    except zlib.error:
        raise BrokenMedia("the pixels cannot be unpacked") from None
    return packed[: len(packed) - len(reader.unused_data)], reader.unused_data


def _jpeg_pieces(data: bytes) -> Iterator[Piece]:
    """Tables, frame and scans; JFIF and Adobe marks reduced to the coding of colours."""
    yield b"\xff\xd8", None
    seen: set[int] = set()
    marker, place = _jpeg_marker(data, 2)
    while marker != _EOI:
        if marker in (_SOI, 0x01, *range(0xD0, 0xD8)):
            raise BrokenMedia("a marker stands where none can")
        length = int.from_bytes(data[place : place + 2], "big")
        end = place + length
        if length < 2 or end > len(data):
            raise BrokenMedia(_TRUNCATED)
        body = data[place + 2 : end]
        after = end
        if marker == _SOS:
            if (following := _MARKER_AFTER_SCAN.search(data, end)) is None:
                raise BrokenMedia(_TRUNCATED)
            after = following.start()
        kept = _jpeg_kept(marker, body)
        if kept is None or (marker in (_APP0, _APP14) and marker in seen):
            yield (
                b"",
                next(
                    name
                    for first, last, start, name in PIECES["jpeg"]["names"]
                    if first <= marker <= last and body.startswith(start.encode())
                ),
            )
        else:
            seen.add(marker)
            segment = struct.pack(">BBH", 0xFF, marker, len(kept) + 2) + kept + data[end:after]
            yield segment, None if kept == body else "resolution or thumbnail"
        marker, place = _jpeg_marker(data, after)
    yield b"\xff\xd9", _TRAILING if place < len(data) else None


def _jpeg_marker(data: bytes, place: int) -> tuple[int, int]:
    if found := _MARKER.match(data, place):
        return found[1][0], found.end()
    between = place + 2 <= len(data) and data[place] != 0xFF
    raise BrokenMedia("bytes stand between two segments" if between else _TRUNCATED)


def _jpeg_kept(marker: int, body: bytes) -> bytes | None:
    if marker in _DECODING:
        return body
    if marker == _APP0 and body.startswith(b"JFIF\x00"):
        return _JFIF
    if marker == _APP14 and body.startswith(b"Adobe") and len(body) >= 12:
        return b"Adobe\x00\x64\x00\x00\x00\x00" + body[11:12]
    return None


def _webp_pieces(data: bytes) -> Iterator[Piece]:
    """Frames, alpha and timing."""
    end = 8 + int.from_bytes(data[4:8], "little")
    if end > len(data) or end < 12:
        raise BrokenMedia(_TRUNCATED)
    pieces = list(_webp_chunks(data, 12, end, _WEBP_CHUNKS))
    size = 4 + sum(len(kept) for kept, _ in pieces)
    yield b"RIFF" + struct.pack("<I", size) + b"WEBP", _TRAILING if end < len(data) else None
    yield from pieces


def _webp_chunks(data: bytes, place: int, end: int, known: frozenset[bytes]) -> Iterator[Piece]:
    while place < end:
        length = int.from_bytes(data[place + 4 : place + 8], "little")
        after = place + 8 + length
        if after > end:
            raise BrokenMedia(_TRUNCATED)
        name, body = data[place : place + 4], data[place + 8 : after]
        place = after + (length & 1)
        if name not in known:
            yield b"", piece_name("webp", name) if known is _WEBP_CHUNKS else "unknown chunk"
            continue
        if name == b"VP8X" and len(body) >= 10:
            body = bytes([body[0] & _WEBP_FLAGS]) + b"\x00" * 3 + body[4:10]
        elif name == b"ANMF":
            inner = list(_webp_chunks(body, _FRAME_HEADER, len(body), _FRAME_CHUNKS))
            yield from ((b"", left) for _, left in inner if left)
            body = body[:_FRAME_HEADER] + b"".join(kept for kept, _ in inner)
        yield name + struct.pack("<I", len(body)) + body + b"\x00" * (len(body) & 1), None


def _gif_pieces(data: bytes) -> Iterator[Piece]:
    """Header, colour tables, frames, timing and one loop count."""
    place = 13 + _table_size(_byte(data, 10))
    _byte(data, place)
    yield data[:place], None
    control, looped = b"", False
    while (mark := _byte(data, place)) != 0x3B:
        if mark == 0x2C:
            end = _sub_blocks_end(data, place + 11 + _table_size(_byte(data, place + 9)))
            yield control + data[place:end], None
            control = b""
        elif mark == 0x21:
            end = _sub_blocks_end(data, place + 2)
            block, label = data[place:end], data[place + 1]
            if label == _CONTROL and len(block) == 8:
                control = block
            elif label == _LOOP and block[3:14] in _LOOPS and block[14:16] == b"\x03\x01":
                kept = block[:18] + b"\x00"
                yield (b"", "loop") if looped else (kept, None)
                looped = True
                if kept != block:
                    yield b"", "application data"
            else:
                xmp = label == _LOOP and block[3:11] == b"XMP Data"
                name = "xmp" if xmp else _GIF_NAMES.get(label, "application data")
                # The control before a drawn text belongs to the text.
                control = b"" if name == "text" else control
                yield b"", name
        else:
            raise BrokenMedia("a block of no known kind")
        place = end
    yield b";", _TRAILING if place + 1 < len(data) else None


def _table_size(flags: int) -> int:
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _sub_blocks_end(data: bytes, place: int) -> int:
    while size := _byte(data, place):
        place += 1 + size
    return place + 1


def _byte(data: bytes, place: int) -> int:
    if place >= len(data):
        raise BrokenMedia(_TRUNCATED)
    return data[place]
