"""Frames and samples into an MP4 file: H.264, AAC, the index first."""

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import numpy as np
from PIL import Image

from deadpan.base.errors import MissingExtra
from minisets.vimu.sound import RATE, Samples

# One thread, no clock in the header and no macroblock tree, with which upright films came out
# differently now and then: the same frames give the same bytes with the same x264.
VIDEO = {
    "preset": "slow",
    "crf": "27",
    "tune": "animation",
    "threads": "1",
    "g": "45",
    "mbtree": "0",
}
CONTAINER = {"movflags": "+faststart", "fflags": "+bitexact"}
AUDIO_BITS = 56000
CHUNK = 1024


def write_mp4(
    path: Path, frames: Iterable[Image.Image], size: tuple[int, int], fps: int, sound: Samples
) -> None:
    """Writes the film; needs the [video] extra."""
    try:
        import av
    except ImportError as error:
        raise MissingExtra("building films", "video") from error
    with av.open(str(path), "w", options=CONTAINER) as container:
        video = container.add_stream("libx264", rate=fps, options=VIDEO)
        video.width, video.height, video.pix_fmt = *size, "yuv420p"
        video.codec_context.flags |= av.codec.context.Flags.bitexact
        audio = container.add_stream("aac", rate=RATE, layout="mono")
        audio.bit_rate = AUDIO_BITS
        audio.codec_context.flags |= av.codec.context.Flags.bitexact
        pcm = sound.astype(np.float32).reshape(1, -1)
        sent = 0
        for i, image in enumerate(frames):
            picture = av.VideoFrame.from_ndarray(np.asarray(image), "rgb24")
            picture.pts, picture.time_base = i, Fraction(1, fps)
            container.mux(video.encode(picture))
            while sent < min(pcm.shape[1], (i + 1) * RATE // fps):
                part = av.AudioFrame.from_ndarray(pcm[:, sent : sent + CHUNK], "fltp", "mono")
                part.sample_rate, part.pts, part.time_base = RATE, sent, Fraction(1, RATE)
                container.mux(audio.encode(part))
                sent += CHUNK
        container.mux(video.encode())
        container.mux(audio.encode())
