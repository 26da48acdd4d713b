"""Where words may stand in a picture that nobody has read: rows of many strong, short strokes."""

from __future__ import annotations

import numpy as np

from deadpan.curate.deduplicate.pictures import Box, Grey

_STRONG = 70
"""How much shades differ across a stroke."""


def text_areas(grey: Grey) -> list[Box]:
    """Boxes of what looks like lines of words, top to bottom; it may be a fence as well."""
    import cv2

    kernel = np.ones((3, 3), np.uint8)
    strokes = (cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, kernel) > _STRONG).astype(np.uint8)
    joined = cv2.morphologyEx(strokes, cv2.MORPH_CLOSE, np.ones((3, 15), np.uint8))
    opened = cv2.morphologyEx(joined, cv2.MORPH_OPEN, np.ones((7, 9), np.uint8))
    _, _, facts, _ = cv2.connectedComponentsWithStats(opened)
    boxes = []
    for left, top, width, height, area in facts[1:]:
        dense = strokes[top : top + height, left : left + width]
        changes = np.abs(np.diff(dense.astype(np.int8), axis=1)).sum(axis=1).max(initial=0)
        # A line of words crosses many strokes for its height.
        shaped = 8 <= height <= 80 and width >= 1.5 * height and area > 0.5 * width * height
        if shaped and changes >= 2.5 * width / height:
            boxes.append((float(left), float(top), float(left + width), float(top + height)))
    return sorted(boxes, key=lambda one: (one[1], one[0]))
