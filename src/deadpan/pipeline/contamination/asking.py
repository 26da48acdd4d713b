"""What a model is asked so that it recites: the first halves of a benchmark's texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deadpan.base.errors import DeadpanError
from deadpan.base.files import folder_name
from deadpan.benchmarks import find
from deadpan.core.benchmark import Benchmark
from deadpan.core.capabilities import require
from deadpan.core.contamination import RecitableText
from deadpan.core.dataset import Dataset
from deadpan.core.questions import Prompts, escape_frames
from deadpan.core.sampling import draw, strata_of
from deadpan.metrics.recitation import halves

if TYPE_CHECKING:
    from deadpan.engine.requests import Request
    from deadpan.engine.task_questions import RunSettings

PROMPTS = Path(__file__).parent / "prompts"
LABEL = "contamination"
"""How the labels of what is asked begin, before the benchmark's name."""
ANSWER_TOKENS = 1024
FEWEST = 10
"""Of fewer texts it is not known what chance gives."""
Cut = tuple[RecitableText, tuple[str, str]]
"""A text, and its halves."""


def cut_texts(benchmark: str, settings: RunSettings) -> tuple[list[Cut], int]:
    """The texts that can be cut in two, with their halves, and how many are too short; of the items
    that the settings choose. A benchmark without texts, or with fewer than two, raises."""
    found = find(benchmark)
    texts = require(found.analyses.recitable, f"{benchmark} names no text to recite")
    dataset = found.read(settings.data_of(benchmark))
    every = _chosen(texts(dataset), found, dataset, settings)
    items = set(list(dict.fromkeys(one.item for one in every))[: settings.limit])
    wanted = [one for one in every if one.item in items]
    cut = [(one, parts) for one in wanted if (parts := halves(one.text)) is not None]
    if len(cut) < 2:
        raise DeadpanError(f"{benchmark}: fewer than two texts are long enough to be cut in half")
    return cut, len(wanted) - len(cut)


def require_enough(benchmark: str, settings: RunSettings) -> None:
    """Raises where nothing could be said, for no language has as many texts as chance needs."""
    sizes = Counter(text.language for text, _ in cut_texts(benchmark, settings)[0])
    if max(sizes.values()) < FEWEST:
        few = ", ".join(f"{count} in {language}" for language, count in sizes.items())
        what = f"of {few} texts it is not known what chance gives; at least {FEWEST} are needed"
        raise DeadpanError(f"{benchmark}: {what}")


def recital_requests(
    benchmark: str, model: str, texts: Sequence[Cut], settings: RunSettings
) -> list[Request]:
    """A request for each text, in their order."""
    from deadpan.engine.requests import Request, Text, Turn

    label = f"{LABEL}-{benchmark}.{folder_name(model)}"
    prompts, sampling = _prompts(), settings.sampling.over(0.0, None, ANSWER_TOKENS)
    made = []
    for text, (first, _) in texts:
        asked = prompts.user[text.language].replace("{text}", escape_frames(first), 1)
        turns = (
            Turn("system", (Text(prompts.system[text.language]),)),
            Turn("user", (Text(asked),)),
        )
        item = f"{text.item}/{text.kind}"
        made.append(Request(label, turns, sampling, item=item, again=settings.again))
    return made


def _chosen(
    texts: Iterable[RecitableText],
    benchmark: Benchmark[Any],
    dataset: Dataset[Any],
    settings: RunSettings,
) -> list[RecitableText]:
    """The texts in the languages, of the items that a run with these settings draws or leaves."""
    languages = settings.languages
    spoken = [one for one in texts if not languages or one.language in languages]
    if not (settings.sample or settings.exclude):
        return spoken
    strata = strata_of(benchmark, dataset, settings.exclude, languages)
    able = draw(strata, settings.sample) if settings.sample else strata.keys()
    return [one for one in spoken if one.item in able]


@cache
def _prompts() -> Prompts:
    return Prompts.read(PROMPTS, "recite", ("en", "zh"))
