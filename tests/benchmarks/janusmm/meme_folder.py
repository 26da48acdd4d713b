"""Small JanusMM folders, and results tables made from them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
from PIL import Image

from deadpan.base.resources import Unavailable
from deadpan.benchmarks.janusmm import JANUSMM
from deadpan.benchmarks.janusmm.irc import Loader, irc_parts
from deadpan.benchmarks.janusmm.metrics import TEXTS
from deadpan.benchmarks.janusmm.records import Meme, read_memes
from deadpan.benchmarks.janusmm.scoring import measure_janusmm
from deadpan.core.answers import Answers
from deadpan.core.capabilities import Predictions
from deadpan.core.dataset import Dataset
from deadpan.core.measurement import scores_of
from deadpan.core.questions import Language, Reply
from deadpan.core.score import Score, ScoringOptions
from deadpan.metrics.text_scores import TextMetric
from deadpan.pipeline.table import results_of_predictions

Row = dict[str, Any]


def row(meme_id: str = "m1", **changes: Any) -> Row:
    """A whole English, self-deprecating record, with the given fields changed."""
    return {
        "meme_id": meme_id,
        "image": f"images/{meme_id}.png",
        "language": "en",
        "source": "social_media",
        "self_deprecating": True,
        "text": "me vs. my alarm",
        "dialogue": [
            {"speaker": "receiver", "text": "Are you up?"},
            {"speaker": "sender", "text": "Sort of.", "shares_meme": True},
        ],
        "emotion": "shame",
        "thinking": "The cat sleeps under the alarm clock, and the poster means himself.",
        "sender_reasoning": "I share the sleeping cat because I never get up.",
        "receiver_reasoning": "He laughs at himself because he never gets up.",
        "receiver_reply": "The bed won again!",
    } | changes


def chinese_row(meme_id: str = "m2", **changes: Any) -> Row:
    """A whole Chinese, self-deprecating record."""
    return row(
        meme_id,
        **{
            "language": "zh",
            "source": "group_chat",
            "text": "我和闹钟",
            "dialogue": [{"speaker": "sender", "text": "又起晚了", "shares_meme": True}],
            "emotion": "羞愧",
            "thinking": "小猫在闹钟下面睡觉，发图者说的是自己。",
            "sender_reasoning": "我发这只睡觉的猫，因为我总是起不来。",
            "receiver_reasoning": "他在笑自己，因为他总是起不来。",
            "receiver_reply": "床又赢了！",
        }
        | changes,
    )


def plain_row(meme_id: str = "m3", **changes: Any) -> Row:
    """A record that is not self-deprecating."""
    nothing = dict.fromkeys(("sender_reasoning", "receiver_reasoning", "receiver_reply"))
    return row(meme_id, self_deprecating=False, **nothing, **changes)


def write(folder: Path, rows: list[Row] | None = None, images: bool = True) -> Path:
    """The rows as a data folder, with small images."""
    rows = [row(), chinese_row(), plain_row()] if rows is None else rows
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows)
    (folder / "images").mkdir(parents=True, exist_ok=True)
    (folder / "memes.jsonl").write_text(text, "utf-8")
    if images:
        for one in rows:
            Image.new("RGB", (8, 8)).save(folder / f"images/{one['meme_id']}.png")
    return folder


def data(folder: Path, rows: list[Row] | None = None) -> Dataset[Meme]:
    """The rows, written and read."""
    return read_memes(write(folder, rows))


def answered(
    dataset: Dataset[Meme], answers: Mapping[str, Mapping[str, str | None]], model: str = "m"
) -> pl.DataFrame:
    """The table of answers per task and meme; None is a failed call, a missing one unanswered."""
    replies = {
        task: {
            item: Reply(error="timeout") if text is None else Reply(text=text)
            for item, text in of_task.items()
        }
        for task, of_task in answers.items()
    }
    return results_of_predictions(JANUSMM, dataset, Predictions(replies), model)


class NoMetric:
    """A text metric that is not there."""

    def __call__(self, *_: object) -> list[float]:
        raise Unavailable("no such metric", "get one")

    def signature(self, language: Language) -> str:
        raise Unavailable("no such metric", "get one")


def scored(
    table: pl.DataFrame,
    texts: Mapping[str, TextMetric] | None = None,
    parts: Mapping[str, Loader] | None = None,
) -> list[Score]:
    """The scores of a table by these text metrics and parts of IRC; other text metrics are
    unavailable, and other parts are the usual ones."""
    metrics: dict[str, TextMetric] = {metric.name: NoMetric() for metric in TEXTS}
    usual = irc_parts(ScoringOptions(), JANUSMM.languages)
    made = measure_janusmm(Answers(table), metrics | dict(texts or {}), {**usual, **(parts or {})})
    return scores_of(made)
