"""Spoken lines, synthesised by espeak-ng; only the build calls it."""

import io
import shutil
import subprocess
import wave

import numpy as np

from deadpan.base.errors import InputError
from minisets.vimu.film import Line
from minisets.vimu.sound import RATE, Samples

PROGRAM = "espeak-ng"


def spoken(line: Line) -> Samples:
    """The line as samples; InputError without espeak-ng or where it overruns its window."""
    if shutil.which(PROGRAM) is None:
        raise InputError(PROGRAM, "not found; the films' voices need it", "Install espeak-ng.")
    command = [PROGRAM, "--stdout", "-v", line.voice, "-s", str(line.speed), "-p", str(line.pitch)]
    done = subprocess.run([*command, line.text], check=True, capture_output=True)
    samples = _trimmed(_resampled(done.stdout))
    seconds = len(samples) / RATE
    if seconds > line.end - line.start:
        raise InputError(
            repr(line.text),
            f"takes {seconds:.2f} s, its window is {line.end - line.start:.2f} s",
            "Widen the window or speak faster.",
        )
    return samples * 0.8 / float(np.abs(samples).max())


def _resampled(data: bytes) -> Samples:
    with wave.open(io.BytesIO(data)) as file:
        rate = file.getframerate()
        raw = np.frombuffer(file.readframes(2**30), dtype="<i2").astype(np.float64) / 32768
    count = round(len(raw) * RATE / rate)
    return np.asarray(np.interp(np.arange(count) * rate / RATE, np.arange(len(raw)), raw))


def _trimmed(samples: Samples) -> Samples:
    loud = np.flatnonzero(np.abs(samples) > 0.01)
    return np.asarray(samples[loud[0] : loud[-1] + 1])
