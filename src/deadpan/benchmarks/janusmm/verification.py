"""Everything odd in a JanusMM folder; nothing here is fatal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from deadpan.base.errors import InputError
from deadpan.base.files import is_file
from deadpan.benchmarks.janusmm.records import FILE, Meme, read_memes
from deadpan.core.dataset import Anomaly
from deadpan.media.images import read_image

_REFERENCES = ("sender_reasoning", "receiver_reasoning", "receiver_reply")


def anomalies(data: Path | None) -> list[Anomaly]:
    """What `deadpan data verify` reports: of the file, then meme by meme."""
    dataset = read_memes(data)
    found = list(dataset.anomalies)
    for meme in dataset.records:
        found += _dialogue_anomalies(meme)
        found += _gold_anomalies(meme)
    found += _repeated(dataset.records)
    if not any(is_file(Path(meme.path)) for meme in dataset.records):
        return [*found, Anomaly(FILE, "no images", "not one image is there; put them beside it")]
    for meme in dataset.records:
        found += _image_anomalies(meme)
    return found


def _dialogue_anomalies(meme: Meme) -> Iterator[Anomaly]:
    place, turns = f"{meme.meme_id} dialogue", meme.row.dialogue
    if not turns:
        yield Anomaly(place, "empty dialogue", "the meme stands alone")
        return
    shared = [turn for turn in turns if turn.shares_meme]
    if not shared:
        yield Anomaly(place, "meme not shared", "no turn has shares_meme")
    if len(shared) > 1:
        yield Anomaly(place, "meme shared twice", f"{len(shared)} turns have shares_meme")
    if any(turn.speaker != "sender" for turn in shared):
        yield Anomaly(
            place, "shared by another", "the turn that shares the meme is not the sender's"
        )
    for number, turn in enumerate(turns):
        if not turn.text.strip() and not turn.shares_meme:
            yield Anomaly(f"{place}.{number}", "empty turn", "nothing is said")


def _gold_anomalies(meme: Meme) -> Iterator[Anomaly]:
    row = meme.row
    if not row.text.strip():
        yield Anomaly(f"{meme.meme_id} text", "no words", "without its image the meme says nothing")
    if len(row.emotion.split()) > 1:
        yield Anomaly(f"{meme.meme_id} emotion", "not one word", row.emotion)
    given = [name for name in _REFERENCES if getattr(row, name) is not None]
    if row.self_deprecating and row.receiver_reply is None:
        yield Anomaly(f"{meme.meme_id} receiver_reply", "no reply", "the meme is self-deprecating")
    if not row.self_deprecating and given:
        what = f"{', '.join(given)} of a meme that is not self-deprecating"
        yield Anomaly(meme.meme_id, "unused reasoning", what)
    said = "\n".join(turn.text for turn in row.dialogue)
    if row.receiver_reply is not None and row.receiver_reply in said:
        yield Anomaly(f"{meme.meme_id} receiver_reply", "gold in the dialogue", row.receiver_reply)


def _repeated(memes: Sequence[Meme]) -> Iterator[Anomaly]:
    first: dict[str, str] = {}
    for meme in memes:
        other = first.setdefault(meme.path, meme.meme_id)
        if other != meme.meme_id:
            yield Anomaly(f"{meme.meme_id} image", "image used twice", f"it is {other}'s too")


def _image_anomalies(meme: Meme) -> Iterator[Anomaly]:
    place = f"{meme.meme_id} image"
    if not is_file(Path(meme.path)):
        yield Anomaly(place, "missing image", meme.row.image)
        return
    try:
        read_image(Path(meme.path))
    except InputError as error:
        yield Anomaly(place, "unusable image", error.what)
