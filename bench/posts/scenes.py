"""Pictures that jokes are written on: rooms, fields, faces and photograph-like ground, by seed."""

from __future__ import annotations

import math
import random
from functools import lru_cache

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

Colour = tuple[int, int, int]


@lru_cache(maxsize=400)
def scene(seed: str, width: int, height: int) -> Image.Image:
    """A picture of this size; the same for the same seed."""
    draw = random.Random(seed)
    image = draw.choice((_photograph, _field, _room, _rays))(draw, width, height)
    pen = ImageDraw.Draw(image)
    for _ in range(draw.randint(1, 4)):
        _thing(pen, draw, width, height)
    for _ in range(draw.choice((1, 1, 2, 3))):
        _figure(pen, draw, width, height)
    image = image.filter(ImageFilter.GaussianBlur(draw.choice((0.5, 0.7, 1.2))))
    return _grained(draw, image)


def _colour(draw: random.Random, low: int = 30, high: int = 235) -> Colour:
    return draw.randint(low, high), draw.randint(low, high), draw.randint(low, high)


def _noise(draw: random.Random, width: int, height: int) -> np.ndarray:
    """Soft clouds between 0 and 1, with detail at several scales."""
    grains = np.random.default_rng(draw.getrandbits(32))
    total = np.zeros((height, width), np.float32)
    for cells, weight in ((3, 1.0), (7, 0.7), (17, 0.4), (60, draw.choice((0.1, 0.3)))):
        small = grains.random((cells, cells), dtype=np.float32)
        total += weight * np.asarray(
            Image.fromarray(small).resize((width, height), Image.Resampling.BICUBIC)
        )
    return (total - total.min()) / (np.ptp(total) or 1)


def _mixed(mask: np.ndarray, one: Colour, other: Colour) -> Image.Image:
    values = np.array(one) + mask[..., None] * (np.array(other) - np.array(one))
    return Image.fromarray(values.clip(0, 255).astype(np.uint8))


def _photograph(draw: random.Random, width: int, height: int) -> Image.Image:
    image = _mixed(_noise(draw, width, height), _colour(draw), _colour(draw))
    over = _mixed(_noise(draw, width, height), _colour(draw), _colour(draw))
    mask = Image.fromarray((_noise(draw, width, height) * 255).astype(np.uint8))
    return Image.composite(image, over, mask)


def _field(draw: random.Random, width: int, height: int) -> Image.Image:
    down = np.broadcast_to(np.linspace(0, 1, height)[:, None], (height, width))
    image = _mixed(down, _colour(draw, 90), _colour(draw, 120))
    pen = ImageDraw.Draw(image)
    x, y, r = draw.randint(0, width), draw.randint(0, height // 3), draw.randint(15, 60)
    pen.ellipse((x - r, y - r, x + r, y + r), _colour(draw, 180, 255))
    for layer in range(draw.randint(2, 4)):
        wave, shift = draw.uniform(1, 5), draw.uniform(0, 6)
        base = height * (0.45 + 0.13 * layer)
        top = [
            (x, base + height * 0.07 * math.sin(wave * x / width * 2 + shift))
            for x in range(0, width + 12, 12)
        ]
        pen.polygon([*top, (width, height), (0, height)], _colour(draw, 20, 190))
    return image


def _room(draw: random.Random, width: int, height: int) -> Image.Image:
    image = Image.new("RGB", (width, height), _colour(draw, 120))
    pen = ImageDraw.Draw(image)
    floor = int(height * draw.uniform(0.6, 0.8))
    stripe = _colour(draw, 100)
    if draw.random() < 0.6:
        step = draw.randint(18, 60)
        for x in range(0, width, step):
            pen.rectangle((x, 0, x + step // 3, floor), stripe)
    pen.rectangle((0, floor, width, height), _colour(draw, 40, 160))
    for _ in range(draw.randint(1, 3)):
        x, y = draw.randint(0, width * 3 // 4), draw.randint(0, floor // 2)
        w, h = draw.randint(50, 140), draw.randint(40, 120)
        pen.rectangle((x, y, x + w, y + h), _colour(draw), _colour(draw, 0, 90), 4)
        pen.line((x + w // 2, y, x + w // 2, y + h), _colour(draw, 0, 90), 3)
    return image


def _rays(draw: random.Random, width: int, height: int) -> Image.Image:
    image = Image.new("RGB", (width, height), _colour(draw))
    pen, ray = ImageDraw.Draw(image), _colour(draw)
    x, y, count = draw.randint(0, width), draw.randint(0, height), draw.randint(7, 14)
    reach = width + height
    for number in range(count):
        ends = [2 * math.pi * (number + part) / count for part in (0, 0.5)]
        corners = [(x + reach * math.cos(end), y + reach * math.sin(end)) for end in ends]
        pen.polygon([(x, y), *corners], ray)
    return image


def _thing(pen: ImageDraw.ImageDraw, draw: random.Random, width: int, height: int) -> None:
    x, y = draw.randint(0, width), draw.randint(height // 3, height)
    w, h = draw.randint(20, width // 4), draw.randint(20, height // 4)
    fill, line = _colour(draw), _colour(draw, 0, 80)
    kind = draw.choice(("box", "ball", "tree", "star", "bars"))
    if kind == "box":
        pen.rounded_rectangle((x, y, x + w, y + h), 8, fill, line, 3)
    elif kind == "ball":
        pen.ellipse((x, y, x + w, y + w), fill, line, 3)
    elif kind == "tree":
        pen.rectangle((x - 6, y - h, x + 6, y), line)
        pen.polygon([(x - w // 2, y - h), (x, y - 2 * h - 20), (x + w // 2, y - h)], fill)
    elif kind == "star":
        turns = [(i * math.pi / 5, w // 2 if i % 2 else w) for i in range(10)]
        pen.polygon([(x + r * math.sin(a), y - r * math.cos(a)) for a, r in turns], fill, line)
    else:
        for number in range(4):
            tall = draw.randint(10, h)
            left = x + number * w // 4
            pen.rectangle((left, y - tall, left + max(3, w // 5), y), fill)


def _figure(pen: ImageDraw.ImageDraw, draw: random.Random, width: int, height: int) -> None:
    """Somebody with a face, from the waist up."""
    r = draw.randint(height // 10, height // 5)
    x, y = draw.randint(r, width - r), draw.randint(height // 3, height * 2 // 3)
    skin, coat, line = _colour(draw, 120), _colour(draw), _colour(draw, 0, 60)
    pen.rounded_rectangle((x - r * 1.3, y + r * 0.8, x + r * 1.3, y + r * 4), r // 2, coat, line, 3)
    for side in (-1, 1):
        hand = (x + side * r * draw.uniform(1.4, 2.4), y + r * draw.uniform(-0.6, 2.5))
        pen.line([(x + side * r, y + r * 1.3), hand], coat, max(6, r // 3))
    if draw.random() < 0.4:
        for side in (-1, 1):
            pen.polygon(
                [(x + side * r, y - r * 0.3), (x + side * r * 0.9, y - r * 1.5), (x, y - r)], skin
            )
    pen.ellipse((x - r, y - r, x + r, y + r), skin, line, 3)
    gap, eye = r * draw.uniform(0.3, 0.5), max(3, r * draw.uniform(0.1, 0.24))
    for side in (-1, 1):
        cx, cy = x + side * gap, y - r * 0.15
        pen.ellipse((cx - eye, cy - eye, cx + eye, cy + eye), "white", line, 2)
        pen.ellipse((cx - eye / 3, cy - eye / 3, cx + eye / 2, cy + eye / 2), line)
    box = (x - r * 0.5, y + r * 0.1, x + r * 0.5, y + r * 0.7)
    bend = draw.choice(((20, 160), (200, 340), (0, 360)))
    pen.arc(box, *bend, fill=line, width=max(2, r // 10))


def _grained(draw: random.Random, image: Image.Image) -> Image.Image:
    """With film grain and some light from one side."""
    grains = np.random.default_rng(draw.getrandbits(32))
    values = np.asarray(image).astype(np.int16)
    height, width = values.shape[:2]
    values += grains.integers(-6, 7, (height, width, 1), dtype=np.int16)
    light = np.linspace(draw.uniform(-25, 0), draw.uniform(0, 25), width).astype(np.int16)
    return Image.fromarray((values + light[None, :, None]).clip(0, 255).astype(np.uint8))
