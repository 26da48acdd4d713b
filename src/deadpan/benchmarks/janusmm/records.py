"""memes.jsonl → validated memes with the dialogue each was shared in, and its gold; what the data
is like (memes by source, language and emotion, lengths), and what is odd in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Literal, get_args

from deadpan.base.errors import InputError, MissingExtra
from deadpan.base.files import is_file
from deadpan.core.contamination import RecitableText, recitable_texts
from deadpan.core.dataset import Anomaly, Dataset
from deadpan.core.plots import DataPlot
from deadpan.core.questions import Language
from deadpan.core.record_files import FIX, ImageRecord, ImageRow, Row, Text, Words, image_records
from deadpan.core.score import DataScores, Score
from deadpan.core.signature import checksum
from deadpan.media.images import read_image
from deadpan.metrics.meteor import chinese_tokens, english_tokens

MINI_SET = Path(__file__).parent / "data"
FILE = "memes.jsonl"
REASONINGS = ("thinking", "sender_reasoning", "receiver_reasoning")
"""The texts that answers are compared with."""
Source = Literal["social_media", "group_chat", "private_dialogue"]
Speaker = Literal["sender", "receiver", "other"]


class Turn(Row):
    """Something said in the dialogue; the turn that shares the meme may have no words."""

    speaker: Speaker
    text: str
    shares_meme: bool = False


class MemeRow(ImageRow):
    """A line of memes.jsonl."""

    meme_id: Text
    language: Language
    source: Source
    self_deprecating: bool
    text: str
    dialogue: tuple[Turn, ...]
    emotion: Words
    thinking: Words
    sender_reasoning: Words | None
    receiver_reasoning: Words | None
    receiver_reply: Text | None
    cultural_symbols: tuple[Text, ...] | None = None

    @property
    def cultural_symbol(self) -> Literal["yes", "no"] | None:
        """Whether the meme rests on something that means more in one culture than it shows; None
        where nobody has looked."""
        if self.cultural_symbols is None:
            return None
        return "yes" if self.cultural_symbols else "no"

    @property
    def unknown(self) -> tuple[str, ...]:
        """The fields beyond the known ones, those of turns too."""
        turns = enumerate(self.dialogue)
        of_turns = (f"dialogue.{number}.{name}" for number, turn in turns for name in turn.unknown)
        return (*super().unknown, *of_turns)


class Meme(ImageRecord[MemeRow]):
    """One meme with its image and place."""

    @property
    def meme_id(self) -> str:
        return self.row.meme_id


def read_memes(data: Path | None) -> Dataset[Meme]:
    """The memes of a folder (or the mini-set) in file order; what is odd is reported."""
    memes: list[Meme] = []
    for meme in image_records(data or MINI_SET, FILE, Meme, MemeRow, "meme_id"):
        for field in REASONINGS:
            if meme.row.self_deprecating and getattr(meme.row, field) is None:
                what = "got null; expected text, as the meme is self-deprecating"
                raise InputError(f"{meme.where} {field}", what, FIX)
        memes.append(meme)
    identity = checksum([meme.row.model_dump() for meme in memes])
    origin = "mini-set" if data is None else str(data)
    anomalies = tuple(odd for meme in memes for odd in meme.unknown_fields)
    media = tuple(meme.path for meme in memes)
    return Dataset(tuple(memes), origin, identity, anomalies, media)


_MEMES = (("memes", "memes"),)
_YES_NO = (("yes", "yes"), ("no", "no"))
DATA_PLOTS = (
    DataPlot("Languages", _MEMES, "language", labels=(("en", "English"), ("zh", "Chinese"))),
    DataPlot("Sources", _MEMES, "source"),
    DataPlot("Self-deprecating", _MEMES, "self_deprecating", labels=_YES_NO),
    DataPlot("With a cultural symbol", _MEMES, "cultural_symbol", labels=_YES_NO),
)
"""How the data is drawn; emotions are in the annotators' own words, and too many."""


def data_scores(dataset: Dataset[Meme]) -> list[Score]:
    """The counts, and the paper's table 5 from this data. Tokens are English words or the Chinese
    words that jieba finds; without jieba the Chinese ones are left out, and characters, which are
    always there, remain."""
    memes = dataset.records
    emit = DataScores.of("janusmm", len(memes), dataset.checksum)
    return [
        emit("memes", "all", len(memes), memes),
        *_counts(emit, memes),
        *_spread(emit, "turns", "all", [len(meme.row.dialogue) for meme in memes]),
        *_lengths(emit, memes),
    ]


def _counts(emit: DataScores, memes: Sequence[Meme]) -> Iterator[Score]:
    for name in ("language", "source", "self_deprecating", "cultural_symbol", "emotion"):
        found = (getattr(meme.row, name) for meme in memes)
        values = (value for value in found if value is not None)
        counts = Counter({True: "yes", False: "no"}.get(value, value) for value in values)
        for label, count in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])):
            yield emit("memes", f"{name}={label}", count, memes)
    for group, members in _cells(memes).items():
        if ",source=" in group:
            yield emit("memes", group, len(members), memes)


def _lengths(emit: DataScores, memes: Sequence[Meme]) -> Iterator[Score]:
    """Lengths of every reasoning, for each language and each source in it."""
    for group, members in _cells(memes).items():
        for name in REASONINGS:
            texts = [text for meme in members if (text := getattr(meme.row, name)) is not None]
            is_chinese = group.startswith("language=zh")
            tokens = chinese_tokens if is_chinese else english_tokens
            try:
                sizes = [len(tokens(text)) for text in texts]
                yield from _spread(emit, f"{name}_tokens", group, sizes)
            except MissingExtra:
                pass
            if is_chinese:
                sizes = [len("".join(text.split())) for text in texts]
                yield from _spread(emit, f"{name}_characters", group, sizes)


def _cells(memes: Sequence[Meme]) -> dict[str, list[Meme]]:
    """The memes of each language, then of each source in it, by the name of the group."""
    languages, sources = get_args(Language), get_args(Source)
    return {
        f"language={language}" + (f",source={source}" if source else ""): [
            meme
            for meme in memes
            if meme.row.language == language and source in (None, meme.row.source)
        ]
        for language, source in (*product(languages, [None]), *product(languages, sources))
    }


def _spread(emit: DataScores, name: str, group: str, sizes: Sequence[int]) -> Iterator[Score]:
    if sizes:
        yield emit(f"{name}_mean", group, sum(sizes) / len(sizes), sizes)
        yield emit(f"{name}_max", group, max(sizes), sizes)
        yield emit(f"{name}_min", group, min(sizes), sizes)


def anomalies(data: Path | None) -> list[Anomaly]:
    """What `deadpan data verify` reports: of the file, then meme by meme."""
    dataset = read_memes(data)
    found = list(dataset.anomalies)
    for meme in dataset.records:
        found += _dialogue_anomalies(meme)
        found += _gold_anomalies(meme)
    first: dict[str, str] = {}
    for meme in dataset.records:
        if (other := first.setdefault(meme.path, meme.meme_id)) != meme.meme_id:
            place = f"{meme.meme_id} image"
            found.append(Anomaly(place, "image used twice", f"it is {other}'s too"))
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
    given = [name for name in (*REASONINGS[1:], "receiver_reply") if getattr(row, name) is not None]
    if row.self_deprecating and row.receiver_reply is None:
        yield Anomaly(f"{meme.meme_id} receiver_reply", "no reply", "the meme is self-deprecating")
    if not row.self_deprecating and given:
        what = f"{', '.join(given)} of a meme that is not self-deprecating"
        yield Anomaly(meme.meme_id, "unused reasoning", what)
    said = "\n".join(turn.text for turn in row.dialogue)
    if row.receiver_reply is not None and row.receiver_reply in said:
        yield Anomaly(f"{meme.meme_id} receiver_reply", "gold in the dialogue", row.receiver_reply)


def _image_anomalies(meme: Meme) -> Iterator[Anomaly]:
    place = f"{meme.meme_id} image"
    if not is_file(Path(meme.path)):
        yield Anomaly(place, "missing image", meme.row.image)
        return
    try:
        read_image(Path(meme.path))
    except InputError as error:
        yield Anomaly(place, "unusable image", error.what)


def recitable(dataset: Dataset[Meme]) -> Iterator[RecitableText]:
    """The meme's words, what is said around it, and what people wrote about it."""
    for meme in dataset.records:
        row = meme.row
        texts = {
            "caption": row.text,
            "dialogue": "\n".join(turn.text for turn in row.dialogue),
            "thinking": row.thinking,
            "initiator": row.sender_reasoning,
            "responder": row.receiver_reasoning,
            "reply": row.receiver_reply,
        }
        yield from recitable_texts(row.meme_id, row.language, texts)
