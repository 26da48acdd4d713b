"""Sounds made from sines and noise; every function gives mono samples between -1 and 1."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

RATE = 24000
Samples = NDArray[np.float64]
Timbre = Literal["pluck", "brass", "organ", "bell"]

NOTES = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}


@dataclass
class Track:
    """The sound of a film: samples laid over one another."""

    seconds: float
    samples: Samples = field(init=False)

    def __post_init__(self) -> None:
        self.samples = np.zeros(round(self.seconds * RATE))

    def add(self, at: float, sound: Samples, gain: float = 1) -> None:
        """Lays a sound over the track from `at` seconds on; what runs past the end is faded out."""
        first = round(at * RATE)
        room = len(self.samples) - first
        if len(sound) > room:
            sound = sound[:room] * _fade_out(room)
        self.samples[first : first + len(sound)] += sound * gain

    def finished(self) -> Samples:
        """The mix, scaled down where it would clip."""
        return self.samples * min(1.0, 0.95 / max(float(np.abs(self.samples).max()), 1e-9))


def _fade_out(count: int) -> Samples:
    tail = min(count, RATE // 5)
    return np.concatenate([np.ones(count - tail), np.linspace(1, 0, tail)])


def times(seconds: float) -> Samples:
    """The time of every sample."""
    return np.arange(round(seconds * RATE)) / RATE


def noise(seconds: float, seed: int = 1) -> Samples:
    """White noise."""
    return np.random.default_rng(seed).uniform(-1, 1, round(seconds * RATE))


def band(samples: Samples, low: float, high: float) -> Samples:
    """Keeps the frequencies between `low` and `high` hertz, with soft edges."""
    spectrum = np.fft.rfft(samples)
    hertz = np.fft.rfftfreq(len(samples), 1 / RATE)
    gate = 1 / (1 + (hertz / high) ** 6)
    if low:
        gate = gate / (1 + (low / np.maximum(hertz, 1e-9)) ** 6)
    kept: Samples = np.fft.irfft(spectrum * gate, len(samples))
    return kept / max(float(np.abs(kept).max()), 1e-9)


def phase_of(frequencies: Samples) -> Samples:
    """The running phase of a tone whose frequency changes."""
    return np.asarray(2 * np.pi * np.cumsum(frequencies) / RATE)


def hertz(note: str) -> float:
    """The frequency of a note such as "A4" or "F#3"."""
    step = NOTES[note[0]] + ("#" in note) + 12 * (int(note[-1]) + 1)
    return float(440 * 2 ** ((step - 69) / 12))


def tone(frequency: float, seconds: float, timbre: Timbre = "pluck") -> Samples:
    """One note."""
    t = times(seconds)
    phase = 2 * np.pi * frequency * t
    attack = np.minimum(1, t / 0.015) * np.minimum(1, (seconds - t) / 0.03)
    if timbre == "brass":
        shape = sum(np.sin(k * phase) / k for k in range(1, 8)) * 0.5
        return np.asarray(shape * attack)
    if timbre == "organ":
        shape = np.sin(phase) + 0.4 * np.sin(2 * phase) + 0.2 * np.sin(3 * phase)
        return np.asarray(shape * 0.6 * attack)
    overtone = 2.76 if timbre == "bell" else 2.0
    body = np.sin(phase) * np.exp(-t * 4) + 0.4 * np.sin(overtone * phase) * np.exp(-t * 8)
    return np.asarray(body * attack)


def melody(
    notes: Sequence[tuple[str, float]], beat_seconds: float, timbre: Timbre = "pluck"
) -> Samples:
    """Notes one after the other, each (name, beats); "-" is a rest, "C4+E4" a chord."""
    parts = []
    for name, beats in notes:
        seconds = beats * beat_seconds
        if name == "-":
            parts.append(np.zeros(round(seconds * RATE)))
        else:
            chord = name.split("+")
            parts.append(sum(tone(hertz(n), seconds, timbre) for n in chord) / len(chord) ** 0.5)
    return np.concatenate(parts)


def chirp(first: float, last: float, seconds: float) -> Samples:
    """A tone that glides from one frequency to another."""
    t = times(seconds)
    glide = first * (last / first) ** (t / seconds)
    return np.asarray(np.sin(phase_of(glide)) * np.minimum(1, (seconds - t) / 0.05))
