"""Portraits that look photographed: a head modelled as hills and hollows under one lamp."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from minisets.merbench.solids import Photo, Plane, bump, noise, rgb, soft

Hair = Literal["short", "long", "bald"]
EYE = (0.31, -0.08)
MOUTH = 0.57


@dataclass(frozen=True)
class Look:
    """What the face does: eyes open from 0 to 1.5, brows angry above 0 and sad below it."""

    open: float = 1.0
    brows: float = 0.0
    lift: float = 0.0
    mouth: float = 0.0
    gape: float = 0.0
    gaze: tuple[float, float] = (0.0, 0.0)
    tears: bool = False
    sweat: bool = False
    flush: float = 0.0


@dataclass(frozen=True)
class Sitter:
    """How somebody looks, whatever they feel."""

    skin: str = "#d9a584"
    hair: Hair = "short"
    hair_colour: str = "#2e211c"
    top: str = "#4a6078"
    shirt: str = ""
    tie: str = ""
    beard: float = 0.0
    lips: str = "#b0655c"
    iris: str = "#4a3322"

    def pose(self, photo: Photo, look: Look, at: tuple[float, float], size: float) -> None:
        """Puts the sitter's head at `at`, half as tall as `size`, with neck and shoulders."""
        u, v = (photo.x - at[0]) / size, (photo.y - at[1]) / size
        if self.hair == "long":
            self._back_hair(photo, u, v, size)
        self._bust(photo, u, v, size)
        self._head(photo, u, v, size, look)
        for side in (-1, 1):
            self._eye(photo, u, v, size, look, side)
            self._brow(photo, u, v, size, look, side)
        self._mouth(photo, u, v, size, look)
        self._hair(photo, u, v, size)
        if look.tears:
            _tears(photo, at, size)
        if look.sweat:
            _sweat(photo, at, size)

    def _back_hair(self, photo: Photo, u: Plane, v: Plane, size: float) -> None:
        outline = np.hypot(u / (0.98 + 0.1 * v.clip(0)), ((v - 0.25) / 1.45)) - 1
        self._strands(photo, soft(outline * size, 3), u, v, size)

    def _bust(self, photo: Photo, u: Plane, v: Plane, size: float) -> None:
        neck = np.abs(u) - 0.42 - 0.5 * (v - 1.0).clip(0) ** 1.5
        rise = np.sqrt((0.45**2 - u**2).clip(0)) * size
        photo.solid(self.skin, soft(np.maximum(neck, 0.5 - v) * size, 2), rise)
        photo.darken(bump(u, v, (0.08, 0.98), 0.55, 0.25) * soft(neck * size), 0.55)
        slope = 1.0 + 0.32 * np.sqrt(u**2 + 0.04) + 0.25 * (np.abs(u) - 1.1).clip(0) ** 2
        edge = slope + 0.24 * np.exp(-((u / 0.4) ** 4))
        cloth = soft((edge - v) * size, 2)
        folds = 0.035 * noise(photo.width, photo.height, 46, 5, 2.2)
        wave = -0.3 * (np.abs(u) - 0.5).clip(0) ** 2 + 0.25 * (1 - np.exp(-((v - edge) / 0.25)))
        photo.solid(self.top, cloth, (wave + folds) * size)
        if self.shirt:
            self._shirt(photo, u, v, size, edge)

    def _shirt(self, photo: Photo, u: Plane, v: Plane, size: float, edge: Plane) -> None:
        opening = np.maximum(np.abs(u) - 0.5 + 0.3 * (v - 1.1), 1.2 - 0.4 * np.abs(u) - v)
        photo.solid(self.shirt, soft(opening * size, 2), (0.1 * np.exp(-((u / 0.3) ** 2))) * size)
        for side in (-1, 1):
            flap = np.maximum(
                np.abs(v - 1.14 - 0.62 * (0.45 - np.abs(u))) - 0.12,
                np.maximum(0.02 - side * u, side * u - 0.53),
            )
            photo.darken(soft((flap - 0.03) * size, 9), 0.25)
            photo.solid(self.shirt, soft(flap * size, 2), -0.25 * v * size)
        if self.tie:
            width = 0.09 + 0.06 * (v - 1.5).clip(0)
            strip = np.maximum(np.abs(u) - width, 1.5 - v)
            knot = np.maximum(np.abs(u) - 0.13 + 0.3 * (v - 1.4), np.abs(v - 1.46) - 0.09)
            for part in (strip, knot):
                round_ = 0.5 * np.sqrt((0.16**2 - u**2).clip(0)) * size
                photo.solid(self.tie, soft(part * size, 2), round_)

    def _head(self, photo: Photo, u: Plane, v: Plane, size: float, look: Look) -> None:
        for side in (-1, 1):
            ear = np.hypot((u - side * 0.75) / 0.13, (v - 0.04) / 0.22) - 1
            photo.solid(
                self.skin, soft(ear * size * 0.13), 10 * bump(u, v, (side * 0.79, 0), 0.1, 0.2)
            )
        wide = 0.75 - 0.2 * v.clip(0, 1) ** 2.4
        reach = np.hypot(u / wide, v)
        height = np.sqrt((1 - (reach * 0.985) ** 2).clip(0.0004)) * 0.62 + _relief(u, v, look)
        skin = self._complexion(photo, u, v, look)
        photo.solid(skin, soft((reach - 1) * size * 0.75, 2), height * size, 0.06)

    def _complexion(self, photo: Photo, u: Plane, v: Plane, look: Look) -> Plane:
        skin = np.ones((*u.shape, 1)) * rgb(self.skin)
        rosy = bump(np.abs(u), v, (0.42, 0.27), 0.24, 0.2) + 0.8 * bump(u, v, (0, 0.27), 0.14, 0.12)
        share = (0.22 + look.flush) * rosy + 0.55 * look.flush
        skin += (rgb("#c04a3c") - skin) * (0.55 * share.clip(0, 1))[..., None]
        ring = bump(np.abs(u), v, (EYE[0], 0.06), 0.2, 0.08)
        skin += (rgb("#6b4a55") - skin) * (0.3 * ring)[..., None]
        if self.beard:
            jaw = soft((0.36 + 0.25 * (1 - np.abs(u) / 0.7) ** 2 - v) * 4, 1.2)
            gap = bump(u, v, (0, MOUTH), 0.24, 0.1) + bump(u, v, (0, 0.33), 0.2, 0.1)
            rough = 0.9 + 0.1 * noise(photo.width, photo.height, 2, 8)
            share = self.beard * jaw * (1 - gap).clip(0, 1) * rough
            skin += (rgb(self.hair_colour) - skin) * share.clip(0, 1)[..., None]
        return skin

    def _eye(self, photo: Photo, u: Plane, v: Plane, size: float, look: Look, side: int) -> None:
        x, y = side * EYE[0], EYE[1]
        t = (u - x) / 0.185
        bow = (1 - t**2).clip(0)
        slant = -0.03 * look.brows * side * t * -1
        upper = y - 0.095 * look.open * bow**0.75 + slant
        lower = y + 0.055 * (0.45 + 0.55 * look.open) * bow + slant
        gap = np.maximum(np.maximum(upper - v, v - lower), np.abs(t) * 0.185 - 0.185) * size
        hole = soft(gap, 1.6)
        white = rgb("#ece4de") * (1 - 0.45 * np.exp(-((v - upper).clip(0) / 0.035)))[..., None]
        photo.lay(white, hole)
        ex, ey = x + 0.06 * look.gaze[0], y - 0.012 + 0.04 * look.gaze[1]
        ray = np.hypot(u - ex, v - ey)
        iris = rgb(self.iris) * (0.75 + 0.5 * (v - ey + 0.08) / 0.16).clip(0.5, 1.4)[..., None]
        photo.lay(iris, hole * soft((ray - 0.082) * size, 1.6))
        photo.lay("#0d0a0a", hole * soft((ray - 0.036) * size, 1.4))
        photo.lay("#ffffff", hole * soft((np.hypot(u - ex + 0.03, v - ey + 0.03) - 0.017) * size))
        lid = np.abs(v - upper) - 0.014 - 0.008 * (side * t).clip(0)
        inside = soft((np.abs(t) - 1.04) * 0.185 * size)
        photo.lay("#21150f", soft(lid * size, 2.4) * inside * 0.9)
        photo.darken(soft((np.abs(v - lower) - 0.006) * size, 3) * inside, 0.35)
        fold = upper - 0.055 - 0.02 * look.open
        photo.darken(soft((np.abs(v - fold) - 0.006) * size, 4) * inside, 0.4)

    def _brow(self, photo: Photo, u: Plane, v: Plane, size: float, look: Look, side: int) -> None:
        t = (side * u - EYE[0]) / 0.23
        line = -0.34 - 0.05 * look.lift - 0.07 * look.brows * t * 1.3 + 0.035 * t**2
        line = line + 0.05 * max(look.brows, 0)
        thick = 0.042 * (1 - 0.35 * t) * (1 - (np.abs(t) / 1.08) ** 6).clip(0)
        hairs = 0.85 + 0.1 * noise(photo.width, photo.height, 2, 11 + side)
        mask = soft((np.abs(v - line) - thick) * size, 3.5) * (np.abs(t) < 1.05)
        photo.lay(self.hair_colour, (mask * hairs * 0.88).clip(0, 1))

    def _mouth(self, photo: Photo, u: Plane, v: Plane, size: float, look: Look) -> None:
        t = u / (0.27 + 0.04 * look.mouth)
        bow = (1 - t**2).clip(0)
        seam = MOUTH - 0.09 * look.mouth * (t**2 - 0.35)
        top = seam - (0.05 + 0.02 * np.cos(3 * t)) * bow**0.8 - 0.5 * look.gape * 0.2 * bow
        low = seam + 0.075 * bow + look.gape * 0.2 * bow
        lips = np.maximum(np.maximum(top - v, v - low), np.abs(t) * 0.27 - 0.27) * size
        shape = 0.5 * bump(u, v, (0, MOUTH + 0.05 + look.gape * 0.12), 0.2, 0.05)
        tone = rgb(self.lips) * (0.72 + 0.1 * (v > seam) + 0.4 * shape)[..., None]
        photo.lay(tone, soft(lips, 4) * 0.75)
        hollow = np.maximum(seam - 0.1 * look.gape * bow - v, v - seam - 0.15 * look.gape * bow)
        inside = soft((np.abs(t) - 0.97) * 0.27 * size)
        photo.lay("#2a0f10", soft((hollow - 0.006) * size, 2.4) * inside * 0.9)
        teeth = np.maximum(hollow + 0.008, v - seam + 0.1 * look.gape * bow - 0.055)
        if look.gape > 0.3:
            photo.lay("#d9cfc6", soft(teeth * size, 3) * soft((np.abs(t) - 0.75) * size, 9))

    def _hair(self, photo: Photo, u: Plane, v: Plane, size: float) -> None:
        if self.hair == "bald":
            return
        if self.hair == "short":
            taper = 0.86 - 0.14 * ((v + 0.45) / 0.5).clip(0, 1) ** 2
            line = -0.6 + 0.05 * np.sin(5 * u) + 0.75 * (np.abs(u) / 0.72) ** 6
            rim = np.maximum(v - line, v - 0.12 + 0.5 * (0.8 - np.abs(u)))
            mask = np.maximum(np.hypot(u / taper, (v + 0.12) / 1.03) - 1, rim)
        else:
            power = 1.5 + 0.7 * (v + 0.4).clip(0, 1)
            across, down = np.abs(u - 0.08 * (v < 0.3) * (0.3 - v)) / 0.62, np.abs(v - 0.3) / 1.12
            face = 1 - (across**power + down**power) ** (1 / power)
            mask = np.maximum(np.hypot(u / 0.95, (v - 0.12) / 1.3) - 1, 0.6 * face)
        mask_ = soft(mask * size, 3)
        photo.darken(soft((mask - 0.05) * size, 16) * (1 - mask_), 0.28)
        self._strands(photo, mask_, u, v, size)

    def _strands(self, photo: Photo, mask: Plane, u: Plane, v: Plane, size: float) -> None:
        angle = np.arctan2(u, 1.4 - v) * 46 if self.hair != "long" else u * 34 / (1.2 + 0.2 * v)
        streaks = np.sin(angle + 1.4 * noise(photo.width, photo.height, 24, 3, 3))
        fine = noise(photo.width, photo.height, 2, 4, 9)
        shine = np.exp(-((np.hypot(u + 0.28, v + 0.75) - 0.1) ** 2) / 0.09)
        tone = 0.72 + 0.12 * streaks + 0.08 * fine + 0.85 * shine
        photo.lay(rgb(self.hair_colour) * tone[..., None], mask)


def _relief(u: Plane, v: Plane, look: Look) -> Plane:
    """The hills and hollows of a face, over a plain egg."""
    relief = 0.2 * bump(u, v, (0, 0.24), 0.12, 0.13) + 0.13 * bump(u, v, (0, 0.02), 0.09, 0.28)
    relief += 0.06 * bump(u, v, (0, 0.86), 0.22, 0.14) - 0.03 * bump(u, v, (0, 0.74), 0.24, 0.06)
    relief += 0.05 * bump(u, v, (0, MOUTH), 0.28, 0.14)
    for side in (-1, 1):
        relief -= 0.11 * bump(u, v, (side * 0.3, -0.08), 0.21, 0.14)
        relief += 0.05 * bump(u, v, (side * 0.31, -0.06), 0.15, 0.1)
        relief += 0.06 * bump(u, v, (side * 0.3, -0.33), 0.28, 0.08)
        relief += (0.06 + 0.03 * max(look.mouth, 0)) * bump(u, v, (side * 0.42, 0.26), 0.2, 0.18)
        relief += 0.07 * bump(u, v, (side * 0.12, 0.3), 0.07, 0.07)
        relief -= 0.02 * bump(u, v, (side * 0.3, 0.45), 0.05, 0.15)
        crease = abs(look.brows) * (0.035 if look.brows > 0 else 0.02)
        relief -= crease * bump(u, v, (side * 0.06, -0.32), 0.025, 0.09)
    for line in (-0.5, -0.6) if look.lift > 0.6 else ():
        relief -= 0.012 * np.exp(-(((v - line) / 0.02) ** 2)) * np.exp(-((u / 0.4) ** 2))
    return relief


def _tears(photo: Photo, at: tuple[float, float], size: float) -> None:
    u, v = (photo.x - at[0]) / size, (photo.y - at[1]) / size
    for side, length in ((-1, 0.46), (1, 0.3)):
        line = side * (0.35 + 0.05 * v)
        run = np.maximum(np.abs(u - line) - 0.014, np.maximum(0.0 - v, v - length))
        photo.pixels += 46 * soft(run * size, 5)[..., None]
        x, y = at[0] + side * (0.35 + 0.05 * length) * size, at[1] + length * size
        photo.darken(bump(u, v, (x / size - at[0] / size, length + 0.03), 0.05, 0.06), 0.25)
        photo.ball("#c9b8ae", x, y, 0.032 * size, 0.045 * size, 0.9)


def _sweat(photo: Photo, at: tuple[float, float], size: float) -> None:
    for x, y, r in (
        (-0.52, -0.42, 0.045),
        (0.5, -0.3, 0.05),
        (0.3, -0.56, 0.035),
        (0.58, 0.12, 0.04),
    ):
        photo.ball("#c4b4aa", at[0] + x * size, at[1] + y * size, r * 0.7 * size, r * size, 0.9)
