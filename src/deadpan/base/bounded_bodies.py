"""Compressed bodies decoded in small steps, so that their reader can stop before memory is full."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

ACCEPTED = "gzip, deflate"
"""What to ask servers for: what can be decoded in steps without another library."""
STEP = 1 << 16
"""The most bytes that come at once."""
_HEAD = 2
"""Bytes that tell how a deflated body is framed."""


class Undecodable(Exception):
    """A body that is not what its Content-Encoding says, or ends too early."""


class UnknownEncoding(Exception):
    """A Content-Encoding that nobody asked for."""


class BodyDecoder:
    """Turns the pieces of a body as it came into pieces of what it says."""

    def __init__(self, encoding: str | None) -> None:
        name = (encoding or "identity").strip().lower()
        if name not in ("identity", "gzip", "x-gzip", "deflate"):
            what = f"the answer is encoded as {name[:40]!r}; asked for {ACCEPTED}"
            raise UnknownEncoding(what)
        self._is_encoded, self._head = name != "identity", b""
        self._stream = None if name == "deflate" else zlib.decompressobj(16 + zlib.MAX_WBITS)

    def pieces(self, chunk: bytes) -> Iterator[bytes]:
        """What a piece of the body decodes to, never more than STEP bytes at once."""
        if not self._is_encoded:
            for start in range(0, len(chunk), STEP):
                yield chunk[start : start + STEP]
            return
        left, self._head = self._head + chunk, b""
        if self._stream is None:
            if len(left) < _HEAD:
                self._head = left
                return
            # A deflated body stands in zlib's frame, or bare, as some servers send it.
            framed = left[0] & 0x0F == zlib.DEFLATED and int.from_bytes(left[:_HEAD]) % 31 == 0
            self._stream = zlib.decompressobj(zlib.MAX_WBITS if framed else -zlib.MAX_WBITS)
        while not self._stream.eof:
            try:
                piece = self._stream.decompress(left, STEP)
            except zlib.error as error:
                raise Undecodable(f"the answer cannot be decompressed ({error})") from None
            left = self._stream.unconsumed_tail
            if piece:
                yield piece
            if not left and len(piece) < STEP:
                return

    def finish(self) -> None:
        """Raises Undecodable where the body was cut off."""
        if self._is_encoded and not (self._stream and self._stream.eof):
            raise Undecodable("the compressed answer is cut off")
