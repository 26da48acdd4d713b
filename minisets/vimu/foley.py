"""Noises of things and creatures; the same call always gives the same samples."""

import numpy as np

from minisets.vimu.sound import (
    RATE,
    Samples,
    band,
    chirp,
    noise,
    phase_of,
    times,
    tone,
)


def _strewn(seconds: float, grains: list[tuple[float, Samples]]) -> Samples:
    """Short sounds laid at their times."""
    longest = max(len(grain) for _, grain in grains)
    out = np.zeros(round(seconds * RATE) + longest)
    for at, grain in grains:
        first = round(at * RATE)
        out[first : first + len(grain)] += grain
    return out[: round(seconds * RATE)]


def applause(seconds: float, hands: int = 14, seed: int = 3) -> Samples:
    """So many pairs of hands, clapping; two or three sound half-hearted."""
    chance = np.random.default_rng(seed)
    grains = []
    for hand in range(hands):
        pitch = chance.uniform(900, 2200)
        clap = band(noise(0.05, hand), pitch * 0.6, pitch * 1.6) * np.exp(-times(0.05) * 90)
        at = chance.uniform(0, 0.25)
        while at < seconds - 0.05:
            grains.append((at, clap * chance.uniform(0.5, 1)))
            at += chance.uniform(0.16, 0.27)
    out = _strewn(seconds, grains)
    swell = np.minimum(1, times(seconds) / 0.3) * np.minimum(1, (seconds - times(seconds)) / 0.4)
    return np.asarray(out / np.abs(out).max() * swell)


def drum(seconds: float = 0.5, pitch: float = 90) -> Samples:
    """A drum hit; a low pitch makes it a boom, a high one a knock."""
    t = times(seconds)
    body = np.sin(phase_of(pitch * (1 + 2 * np.exp(-t * 30))))
    click = band(noise(seconds), 300, 3000) * np.exp(-t * 60)
    return np.asarray((body * np.exp(-t * 4 / seconds) + 0.4 * click) * 0.8)


def stamp() -> Samples:
    """A rubber stamp coming down."""
    return drum(0.22, 120)


def sad_trumpet() -> Samples:
    """Three falling notes and a long wobbling one: the sound of failure (1.9 s)."""
    parts = []
    # An octave above a trombone, whose range a speech detector takes for a voice.
    for pitch, seconds in ((466.2, 0.34), (440.0, 0.34), (415.3, 0.34), (392.0, 0.9)):
        t = times(seconds)
        wobble = 1 + 0.025 * np.sin(2 * np.pi * 6 * t) * (seconds > 0.5)
        phase = phase_of(pitch * wobble * (1 - 0.05 * t))
        brass = sum(np.sin(k * phase) / k for k in range(1, 9))
        wah = 0.55 + 0.45 * np.sin(np.pi * np.minimum(1, t / seconds))
        parts.append(brass * wah * np.minimum(1, (seconds - t) / 0.06) * 0.45)
    return np.concatenate(parts)


def boing(seconds: float = 0.7) -> Samples:
    """A spring."""
    t = times(seconds)
    wobble = 180 + 90 * np.exp(-t * 3) * np.sin(2 * np.pi * 14 * t)
    return np.asarray(np.sin(phase_of(wobble)) * np.exp(-t * 4) * 0.8)


def scratch() -> Samples:
    """A record that is stopped with the hand (0.45 s)."""
    t = times(0.45)
    rub = band(noise(0.45, 5), 700, 5000)
    whine = np.sin(phase_of(400 + 1500 * np.abs(np.sin(2 * np.pi * 3.3 * t))))
    return np.asarray((0.7 * rub + 0.3 * whine) * np.abs(np.sin(2 * np.pi * 3.3 * t)))


def crickets(seconds: float) -> Samples:
    """A summer night in which nobody says anything."""
    t = times(seconds)
    pulses = (np.sin(2 * np.pi * 28 * t) > 0) * (np.mod(t, 0.9) < 0.35)
    return np.asarray(np.sin(2 * np.pi * 4300 * t) * pulses * 0.3)


def typing(seconds: float, per_second: float, hard: float = 0, seed: int = 2) -> Samples:
    """Keys being hit; `hard` from 0 (soft) to 1 (hammering)."""
    chance = np.random.default_rng(seed)
    grains: list[tuple[float, Samples]] = []
    at = 0.02
    while at < seconds - 0.08:
        click = band(noise(0.05, len(grains)), 1200, 5000) * np.exp(-times(0.05) * 110)
        thud = np.sin(2 * np.pi * 140 * times(0.05)) * np.exp(-times(0.05) * 50)
        grains.append((at, (0.35 + 0.3 * hard) * click + hard * thud))
        at += chance.uniform(0.6, 1.4) / per_second
    return _strewn(seconds, grains)


def alarm(seconds: float) -> Samples:
    """An alarm clock that beeps four times, then waits."""
    t = times(seconds)
    on = (np.mod(t, 0.11) < 0.06) & (np.mod(t, 0.8) < 0.44)
    return np.asarray(np.sign(np.sin(2 * np.pi * 1960 * t)) * on * 0.3)


def meow(pitch: float = 620) -> Samples:
    """A short electronic meow (0.6 s)."""
    t = times(0.6)
    glide = pitch * (1 + 0.5 * np.sin(np.pi * t / 0.6)) * (1 - 0.3 * t)
    phase = phase_of(glide)
    bright = 0.2 + np.sin(np.pi * t / 0.6)
    body = np.sin(phase) + bright * 0.5 * np.sin(2 * phase) + bright * 0.3 * np.sin(3 * phase)
    return np.asarray(body * np.sin(np.pi * t / 0.6) * 0.5)


def whoosh(seconds: float = 0.5) -> Samples:
    """Something rushing past."""
    swell = np.sin(np.pi * times(seconds) / seconds) ** 2
    return np.asarray(band(noise(seconds, 7), 400, 2400) * swell)


def pop() -> Samples:
    """A bubble or a cork (0.12 s)."""
    return chirp(350, 1100, 0.12) * np.exp(-times(0.12) * 18)


def ding() -> Samples:
    """A small bell (1 s)."""
    return tone(1568, 1.0, "bell")


def slam() -> Samples:
    """A door falling shut (0.5 s)."""
    t = times(0.5)
    return np.asarray(drum(0.5, 70) + band(noise(0.5, 9), 80, 900) * np.exp(-t * 18))


def water(seconds: float) -> Samples:
    """Water running."""
    ripple = 0.8 + 0.2 * np.sin(2 * np.pi * 5 * times(seconds)) * np.sin(
        2 * np.pi * 2.3 * times(seconds)
    )
    return band(noise(seconds, 11), 900, 5000) * ripple * 0.5


def birds(seconds: float) -> Samples:
    """Birdsong."""
    grains = []
    for i in range(int(seconds / 0.55)):
        pitch = (2600, 3100, 2200)[i % 3]
        for k in range(3):
            grains.append((i * 0.55 + k * 0.11, chirp(pitch, pitch * 1.35, 0.08) * 0.4))
    return _strewn(seconds, grains)


def ticking(seconds: float) -> Samples:
    """A clock on the wall."""
    knock = band(noise(0.03, 4), 1500, 4000) * np.exp(-times(0.03) * 150)
    return _strewn(seconds, [(at, knock) for at in np.arange(0.05, seconds - 0.05, 0.5)])


def whirr(seconds: float) -> Samples:
    """A small electric motor."""
    t = times(seconds)
    hum = np.sin(phase_of(210 + 12 * np.sin(2 * np.pi * 0.8 * t)))
    return np.asarray(0.25 * hum + 0.25 * band(noise(seconds, 13), 1500, 4500))


def sizzle(seconds: float) -> Samples:
    """A pan, a pot or a fire."""
    crackle = band(noise(seconds, 15), 2500, 9000)
    gate = np.random.default_rng(16).uniform(0.3, 1, len(crackle) // 600 + 1).repeat(600)
    return crackle * gate[: len(crackle)] * 0.5
