"""Contamination hints: whether a model recites a benchmark's texts when it is given half of them.

No picture is shown. What comes back is held against the true second half, and against those of
other items: see `metrics/recitation.py`. A hint is no proof, and nothing is left out for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from deadpan.base.errors import DeadpanError
from deadpan.core.contamination import RecitableText
from deadpan.core.usage import Prices, read_prices
from deadpan.metrics.recitation import (
    Completion,
    Verdicts,
    recited,
    rouge_l,
    similarity,
)
from deadpan.metrics.statistics.quantiles import wilson
from deadpan.parsing.replies import extract_reasoning, is_refusal
from deadpan.pipeline.contamination.asking import FEWEST, cut_texts, recital_requests
from deadpan.pipeline.reporter import SILENT, Reporter

if TYPE_CHECKING:
    from deadpan.engine.answers import Answer
    from deadpan.engine.asker import Asker
    from deadpan.engine.requests import Request
    from deadpan.engine.task_questions import RunSettings


@dataclass(frozen=True)
class Recital:
    """A text, what a model made of its first half, and how far that is the second. `threshold` is
    the longest run by chance; without a `reply` the model would not, or could not, be asked."""

    item: str
    language: str
    kind: str
    second: str
    reply: str | None
    problem: str = ""
    run: int = 0
    length: int = 0
    similarity: float = 0.0
    rouge_l: float = 0.0
    threshold: int | None = None
    is_recited: bool = False


@dataclass(frozen=True)
class Chance:
    """What chance gives for texts of a language, and of a kind where there are enough of them."""

    texts: str
    count: int
    pairs: int
    threshold: int
    false_flags: float


@dataclass(frozen=True)
class ContaminationAudit:
    """What a model recites of a benchmark."""

    benchmark: str
    model: str
    recitals: Sequence[Recital]
    chances: Sequence[Chance]
    short: int
    """How many texts are too short to be cut in two."""

    @property
    def items(self) -> dict[str, bool]:
        """Every item that was asked about, and whether a text of it is recited."""
        found: dict[str, bool] = {}
        for one in self.recitals:
            if one.threshold is not None:
                found[one.item] = found.get(one.item, False) or one.is_recited
        return found

    @property
    def share(self) -> tuple[float, float, float] | None:
        """The share of items that are recited, with its 95 % interval (Wilson's)."""
        count, flagged = len(self.items), sum(self.items.values())
        return (flagged / count, *wilson(flagged, count)) if count else None

    @property
    def failed(self) -> int:
        """How many calls failed."""
        return sum(one.reply is None and one.problem != "refused" for one in self.recitals)


def has_learnt(model: str) -> bool:
    """Whether there is text that a model could have learnt: baselines and editors have none."""
    return not model.startswith(("baseline/", "editor/"))


def audit_contamination(
    benchmark: str,
    model: str,
    settings: RunSettings,
    prices: Prices | None = None,
    reporter: Reporter = SILENT,
    asker: Asker | None = None,
) -> ContaminationAudit:
    """What a model recites of a benchmark's texts; its answers are kept in the store, and those
    that are there are not asked for again."""
    from deadpan.engine.loops import run_async
    from deadpan.engine.run import open_asker

    if not has_learnt(model):
        raise DeadpanError(f"--model {model}: it has learnt no text; name a model")
    texts, short = cut_texts(benchmark, settings)
    requests = recital_requests(benchmark, model, texts, settings)
    with reporter.asking(model, prices or read_prices()) as events:
        answers = run_async(_ask(asker or open_asker(model, settings, events), requests))
    recitals = [
        _recital(one, *cut, answer) for (one, cut), answer in zip(texts, answers, strict=True)
    ]
    judged, chances = _against_chance(recitals, [cut[0] for _, cut in texts])
    return ContaminationAudit(benchmark, model, judged, chances, short)


async def _ask(asker: Asker, requests: Sequence[Request]) -> list[Answer]:
    found: dict[str, Answer] = {}
    async with asker:
        asker.events.planned(requests[0].label, len(requests))
        async for request, answer in asker.ask(requests):
            found[asker.key(request)] = answer
        return [found[asker.key(request)] for request in requests]


def _recital(text: RecitableText, first: str, second: str, answer: Answer) -> Recital:
    about = (text.item, text.language, text.kind, second)
    if answer.error is not None:
        return Recital(*about, None, answer.error)
    reply = extract_reasoning(answer.reply).text or ""
    if answer.stop == "content_filter" or (
        is_refusal(reply) and not _goes_on(first, second, reply)
    ):
        return Recital(*about, None, "refused")
    one = Completion(first, second, reply)
    return Recital(
        *about,
        reply,
        run=one.run,
        length=len(one.truth),
        similarity=similarity(one.said[: len(one.truth)], one.truth),
        rouge_l=rouge_l(one.said[: len(one.truth)], one.truth),
    )


def _goes_on(first: str, second: str, reply: str) -> bool:
    """Whether a reply that reads as a refusal is the text itself, which may say no to something."""
    one = Completion(first, second, reply)
    return one.run > len(one.truth) // 2


def _against_chance(
    recitals: Sequence[Recital], firsts: Sequence[str]
) -> tuple[list[Recital], list[Chance]]:
    """The recitals with what chance gives: texts of a kind and language are held against each
    other, or against all of the language where these are few; where all are few, nothing is."""
    completions = {
        at: Completion(firsts[at], one.second, one.reply)
        for at, one in enumerate(recitals)
        if one.reply is not None
    }
    judged, chances = list(recitals), []
    for language in dict.fromkeys(one.language for one in recitals):
        every = [at for at in completions if recitals[at].language == language]
        sizes = Counter(recitals[at].kind for at in every)
        many = [kind for kind in sizes if sizes[kind] >= FEWEST]
        pools = {kind: [at for at in every if recitals[at].kind == kind] for kind in many}
        if (few := len(sizes) - len(many)) and len(every) >= FEWEST:
            pools["all" if few == len(sizes) else "others"] = every
        for kind, places in pools.items():
            found = _recited([completions[at] for at in places])
            if found is None:
                continue
            known = (f"{kind} ({language})", len(places), found.pairs)
            chances.append(Chance(*known, found.threshold, found.false_flags))
            for at, flag in zip(places, found.recited, strict=True):
                if kind in many or recitals[at].kind not in many:
                    one = recitals[at]
                    judged[at] = replace(one, threshold=found.threshold, is_recited=flag)
    return judged, chances


def _recited(completions: Sequence[Completion]) -> Verdicts | None:
    """The verdicts; None where all are one text, so that there is no chance to know."""
    try:
        return recited(completions)
    except ValueError:
        return None


def audit_document(audit: ContaminationAudit) -> dict[str, Any]:
    """An audit as JSON, with every text that is recited."""
    share = audit.share
    return {
        "benchmark": audit.benchmark,
        "model": audit.model,
        "items": len(audit.items),
        "recited_items": [item for item, flag in audit.items.items() if flag],
        "share": None if share is None else dict(zip(("value", "low", "high"), share, strict=True)),
        "too_short": audit.short,
        "failed": audit.failed,
        "chance": [one.__dict__ for one in audit.chances],
        "texts": [_row(one) for one in audit.recitals],
    }


def _row(one: Recital) -> Mapping[str, Any]:
    names = ("item", "language", "kind", "run", "length", "similarity", "rouge_l", "threshold")
    return {name: getattr(one, name) for name in names} | {
        "recited": one.is_recited,
        "problem": one.problem,
        **({"second": one.second, "reply": one.reply} if one.is_recited else {}),
    }
