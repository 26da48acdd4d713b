"""The gold answers of every comic in the mini-set."""

from dataclasses import dataclass
from typing import Literal

Presence = Literal["Yes", "No"]
SoundEffect = Literal["Absent", "Present, contribute", "Present, do not contribute"]
Modality = Literal["Text", "Visual", "Both", "NA"]
Style = Literal[
    "Comparison", "Personification", "Exaggeration", "Pun", "Sarcasm", "Silliness", "Surprise",
    "Dark", "NA",
]  # fmt: skip

STYLES: tuple[Style, ...] = (
    "Comparison", "Personification", "Exaggeration", "Pun", "Sarcasm", "Silliness", "Surprise",
    "Dark",
)  # fmt: skip
NONE: SoundEffect = "Absent"
HELPS: SoundEffect = "Present, contribute"
EXTRA: SoundEffect = "Present, do not contribute"


@dataclass(frozen=True)
class Gold:
    """One comic's gold: `punch` is the reading position of the funniest panel, 0 for none."""

    presence: Presence
    sound: SoundEffect
    punch: int
    modality: Modality
    styles: tuple[Style, ...]
    harmful: bool = False


def _funny(sound: SoundEffect, punch: int, modality: Modality, *styles: Style) -> Gold:
    return Gold("Yes", sound, punch, modality, tuple(sorted(styles, key=STYLES.index)))


def _plain(sound: SoundEffect = NONE) -> Gold:
    return Gold("No", sound, 0, "NA", ("NA",))


GOLD: dict[str, Gold] = {
    "deadpan_1": _funny(NONE, 3, "Text", "Personification", "Sarcasm"),
    "deadpan_2": _funny(HELPS, 4, "Visual", "Surprise"),
    "deadpan_3": _funny(NONE, 4, "Visual", "Silliness", "Surprise"),
    "deadpan_4": _plain(),
    "deadpan_5": _funny(EXTRA, 5, "Text", "Personification", "Dark"),
    "deadpan_6": _funny(EXTRA, 5, "Both", "Silliness", "Surprise"),
    "deadpan_7": _funny(NONE, 3, "Both", "Surprise"),
    "deadpan_8": _funny(NONE, 1, "Text", "Pun"),
    "deadpan_9": _funny(NONE, 4, "Both", "Personification", "Exaggeration"),
    "deadpan_10": _funny(NONE, 1, "Both", "Exaggeration", "Dark"),
    "deadpan_11": _funny(NONE, 2, "Text", "Pun"),
    "deadpan_12": _funny(HELPS, 2, "Visual", "Exaggeration", "Surprise"),
    "deadpan_13": _plain(),
    "deadpan_14": _funny(EXTRA, 1, "Both", "Comparison", "Exaggeration"),
    "deadpan_15": _plain(EXTRA),
    "deadpan_16": _funny(HELPS, 4, "Both", "Dark"),
    "deadpan_17": _funny(HELPS, 1, "Visual", "Silliness", "Dark"),
    "deadpan_18": _plain(),
    "deadpan_19": _plain(EXTRA),
    "deadpan_20": _plain(),
    "deadpan_21": _funny(NONE, 3, "Visual", "Surprise"),
    "deadpan_22": _plain(EXTRA),
    "deadpanzh_1": _plain(),
    "deadpanzh_2": _plain(),
    "deadpanzh_3": _funny(NONE, 2, "Text", "Personification", "Sarcasm"),
    "deadpanzh_4": _funny(NONE, 1, "Visual", "Comparison", "Surprise"),
    "deadpanzh_5": _plain(EXTRA),
    "deadpanzh_6": _funny(HELPS, 5, "Visual", "Exaggeration", "Silliness"),
    "deadpanzh_7": _funny(HELPS, 1, "Both", "Pun"),
    "deadpanzh_8": _funny(NONE, 3, "Text", "Pun"),
    "deadpanzh_9": _funny(NONE, 3, "Both", "Sarcasm", "Silliness"),
    "deadpanzh_10": _funny(HELPS, 1, "Both", "Comparison", "Exaggeration"),
    "deadpanzh_11": _funny(EXTRA, 4, "Text", "Dark"),
    "deadpanzh_12": _plain(EXTRA),
    "deadpanzh_13": _funny(NONE, 4, "Visual", "Surprise", "Dark"),
}
