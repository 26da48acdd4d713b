"""Compressed bodies come in small pieces, however little of them was sent."""

import gzip
import tracemalloc
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadpan.base.http import STEP, BodyDecoder, Undecodable, UnknownEncoding


def _raw(data: bytes) -> bytes:
    stream = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return stream.compress(data) + stream.flush()


CODED = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    " GZIP ": gzip.compress,
    "deflate": zlib.compress,
}


@given(
    st.binary(max_size=300),
    st.integers(0, 500),
    st.integers(1, 50),
    st.sampled_from([*CODED.items(), ("deflate", _raw), ("identity", bytes), (None, bytes)]),
)
def test_what_was_encoded_comes_out(data, times, size, coding) -> None:
    encoding, encode = coding
    body = encode(data * times)
    decoder = BodyDecoder(encoding)
    found = b"".join(
        piece
        for start in range(0, len(body), size)
        for piece in decoder.pieces(body[start : start + size])
    )
    decoder.finish()
    assert found == data * times


@pytest.mark.parametrize("encode", [gzip.compress, zlib.compress, _raw])
def test_a_bomb_comes_in_steps(encode) -> None:
    bomb = encode(bytes(200_000_000))
    decoder = BodyDecoder("gzip" if encode is gzip.compress else "deflate")
    tracemalloc.start()
    try:
        sizes = [len(piece) for piece in decoder.pieces(bomb)]
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert sum(sizes) == 200_000_000 and max(sizes) <= STEP
    assert peak < 3_000_000


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "compress", "x" * 500])
def test_what_nobody_asked_for_is_refused(encoding: str) -> None:
    with pytest.raises(UnknownEncoding, match="the answer is encoded as") as caught:
        BodyDecoder(encoding)
    assert len(str(caught.value)) < 150


def test_what_is_cut_off_or_something_else_raises() -> None:
    whole = gzip.compress(b"words" * 1000)
    decoder = BodyDecoder("gzip")
    list(decoder.pieces(whole[:20]))
    with pytest.raises(Undecodable, match="cut off"):
        decoder.finish()
    for encoding in ("gzip", "deflate"):
        with pytest.raises(Undecodable, match="cannot be decompressed"):
            list(BodyDecoder(encoding).pieces(b"\xff\xff\xff plain words"))
