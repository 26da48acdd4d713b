"""Picture and film files with planted metadata, their bytes laid out by hand."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import numpy as np
from PIL import Image

SECRET = b"SECRET-Jane-Roe"
FRAMES = 3


def picture(mode: str = "RGB", width: int = 37, height: int = 23, seed: int = 0) -> Image.Image:
    """Noise, so that every pixel counts."""
    values = np.random.default_rng(seed).integers(0, 256, (height, width, 4), dtype=np.uint8)
    return Image.fromarray(values, "RGBA").convert(mode)


def exif(orientation: int = 1) -> bytes:
    """TIFF bytes with camera, time, GPS position, and a thumbnail that all hold the secret."""
    text = SECRET + b"\x00"
    entries = 5
    start = 8 + 2 + 12 * entries + 4
    gps = start + 3 * len(text)

    def entry(tag: int, kind: int, count: int, value: int) -> bytes:
        return struct.pack("<HHII", tag, kind, count, value)

    first = struct.pack("<H", entries)
    first += entry(0x010F, 2, len(text), start)
    first += entry(0x0110, 2, len(text), start + len(text))
    first += entry(0x0112, 3, 1, orientation)
    first += entry(0x0132, 2, len(text), start + 2 * len(text))
    first += entry(0x8825, 4, 1, gps) + struct.pack("<I", 0)
    position = struct.pack("<H", 1) + entry(0x001D, 2, len(text), gps + 18)
    return b"II*\x00\x08\x00\x00\x00" + first + text * 3 + position + bytes(4) + text


XMP = b'<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/">' + SECRET + b"</x:xmpmeta>"


def jpeg_bytes(orientation: int = 1, progressive: bool = False, mode: str = "RGB") -> bytes:
    """A JPEG with every application segment that cameras and editors write."""
    stream = io.BytesIO()
    smooth = picture(mode, 5, 4).resize((64, 48), Image.Resampling.BICUBIC)
    smooth.save(stream, "JPEG", quality=88, progressive=progressive)
    data = stream.getvalue()
    first = 4 + int.from_bytes(data[4:6], "big")

    def segment(marker: int, body: bytes) -> bytes:
        return struct.pack(">BBH", 0xFF, marker, len(body) + 2) + body

    planted = segment(0xE1, b"Exif\x00\x00" + exif(orientation))
    planted += segment(0xE1, b"http://ns.adobe.com/xap/1.0/\x00" + XMP)
    planted += segment(0xE0, b"JFXX\x00\x10" + SECRET)
    planted += segment(0xED, b"Photoshop 3.0\x008BIM\x04\x04\x00\x00\x00\x00\x00\x0f" + SECRET)
    planted += segment(0xE2, b"ICC_PROFILE\x00\x01\x01" + SECRET * 10)
    planted += segment(0xE5, SECRET) + b"\xff\xff" + segment(0xFE, SECRET)[1:]
    return data[:first] + planted + data[first:] + b"trailing film " + SECRET


def png_chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png_bytes(image: Image.Image | None = None, orientation: int = 1) -> bytes:
    """A PNG with text, time, EXIF, colour profile, private chunk and something after the end."""
    stream = io.BytesIO()
    (image or picture("RGBA")).save(stream, "PNG")
    return planted_png(stream.getvalue(), orientation)


def planted_png(data: bytes, orientation: int = 1) -> bytes:
    planted = png_chunk(b"tEXt", b"Author\x00" + SECRET)
    planted += png_chunk(b"zTXt", b"Comment\x00\x00" + zlib.compress(SECRET))
    planted += png_chunk(b"iTXt", b"XML:com.adobe.xmp\x00\x00\x00\x00\x00" + XMP)
    planted += png_chunk(b"tIME", struct.pack(">HBBBBB", 2024, 5, 1, 12, 30, 0))
    planted += png_chunk(b"eXIf", exif(orientation))
    planted += png_chunk(b"iCCP", b"p\x00\x00" + zlib.compress(SECRET * 20))
    planted += png_chunk(b"prVt", SECRET) + png_chunk(b"gAMA", struct.pack(">I", 45455))
    return data[:33] + planted + data[33:] + SECRET


def webp_chunk(name: bytes, body: bytes) -> bytes:
    return name + struct.pack("<I", len(body)) + body + bytes(len(body) & 1)


def webp_bytes(animated: bool = False, lossless: bool = True, orientation: int = 1) -> bytes:
    """A WebP with EXIF, XMP, colour profile, private chunk and something after the end."""
    stream = io.BytesIO()
    frames = [picture("RGBA", seed=seed) for seed in range(FRAMES)]
    if animated:
        frames[0].save(
            stream, "WEBP", save_all=True, append_images=frames[1:], duration=[70, 110, 200],
            loop=4, lossless=True, exif=exif(orientation), xmp=XMP, icc_profile=SECRET * 10,
        )  # fmt: skip
    else:
        frames[0].save(
            stream, "WEBP", lossless=lossless, exif=exif(orientation), xmp=XMP,
            icc_profile=SECRET * 10,
        )  # fmt: skip
    data = stream.getvalue()[12:] + webp_chunk(b"prVt", SECRET)
    return b"RIFF" + struct.pack("<I", len(data) + 4) + b"WEBP" + data + SECRET


def gif_bytes() -> bytes:
    """An animated GIF with comment, XMP, private application block and drawn text."""
    stream = io.BytesIO()
    frames = [picture("RGB", seed=seed).quantize(16) for seed in range(FRAMES)]
    frames[0].save(
        stream, "GIF", save_all=True, append_images=frames[1:], duration=[70, 110, 200],
        loop=4, disposal=2, comment=SECRET,
    )  # fmt: skip
    data = stream.getvalue()
    secret = bytes([len(SECRET)]) + SECRET + b"\x00"
    planted = b"\x21\xfe" + secret + b"\x21\xff\x0bPRIVATE1.00" + secret
    planted += b"\x21\xff\x0bXMP DataXMP" + secret
    planted += b"\x21\xf9\x04\x00\x0a\x00\x00\x00\x21\x01\x0c" + bytes(12) + secret
    return data[:-1] + planted + b";" + SECRET


def film(path: Path, codec: str = "libx264", sound: bool = True) -> Path:
    """A short film with names, position, times and a telling handler."""
    import av

    with av.open(str(path), "w", options={"movflags": "use_metadata_tags"}) as out:
        secret = SECRET.decode()
        out.metadata.update(
            {"title": secret, "location": f"+48.1+011.5/{secret}", "make": secret,
             "com.apple.quicktime.model": secret, "creation_time": "2024-05-01T12:30:00Z"}
        )  # fmt: skip
        track = out.add_stream(codec, rate=10)
        track.width, track.height, track.pix_fmt = 64, 48, "yuv420p"
        track.metadata.update({"handler_name": secret, "creation_time": "2024-05-01T12:30:00Z"})
        voice = out.add_stream("aac", rate=44100) if sound else None
        for number in range(12):
            frame = av.VideoFrame.from_image(picture("RGB", 64, 48, seed=number))
            frame.pts = number
            out.mux(track.encode(frame))
        out.mux(track.encode(None))
        if voice is not None:
            for number in range(20):
                silence = np.zeros((1, 1024), np.float32)
                heard = av.AudioFrame.from_ndarray(silence, format="fltp", layout="mono")
                heard.rate, heard.pts = 44100, number * 1024
                out.mux(voice.encode(heard))
            out.mux(voice.encode(None))
    return path
