"""The scores of an error analysis: the types each model's failures have, and the audit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from deadpan.core.metric import Better, Metric
from deadpan.core.score import Score
from deadpan.core.signature import Signature
from deadpan.failures.audit import accuracy, confusion
from deadpan.failures.criteria import NEW, Criteria
from deadpan.failures.labels import Label

TASK = "failures"
_VERSION = "1"


def failure_metric(name: str) -> Metric:
    """What is known of a metric of an error analysis: a share, or a number of failures."""
    if name.startswith(("failures", "corrected_to_")):
        return Metric(name, better="neither", unit="count", decimals=0)
    better: Better = "higher" if name.startswith("label_accuracy") else "neither"
    return Metric(name, better=better, range=(0, 1))


def distribution(labels: Sequence[Label], criteria: Criteria) -> list[Score]:
    """Per model the share of its failures that are of each type, over all and per language.

    Failures that fit no known type are `type=new`; those the judge failed on are left out and
    counted as unscored. No labels raises.
    """
    if not labels:
        raise ValueError("no labels")
    signature = signature_of(labels, criteria)
    scores: list[Score] = []
    for model in dict.fromkeys(label.model for label in labels):
        own = [label for label in labels if label.model == model]
        scores += _shares(own, "share", criteria, signature)
        for language in sorted({label.language for label in own}):
            spoken = [label for label in own if label.language == language]
            scores += _shares(spoken, f"share_{language}", criteria, signature)
    return scores


def _shares(
    labels: Sequence[Label], metric: str, criteria: Criteria, signature: str
) -> Iterator[Score]:
    """One model's scores: how many failures there are, then the share of each type."""
    sorted_ = [label for label in labels if label.status != "judge_failed"]
    counts = {"n": len(sorted_), "unscored": len(labels) - len(sorted_)}

    def score(metric: str, group: str, value: float | None) -> Score:
        return Score(
            model=labels[0].model,
            task=TASK,
            metric=metric,
            group=group,
            value=value,
            signature=signature,
            **counts,
        )

    yield score(metric.replace("share", "failures"), "all", float(len(labels)))
    for kind in (*criteria.names, NEW):
        found = sum((label.type or NEW) == kind for label in sorted_)
        yield score(metric, f"type={kind}", found / len(sorted_) if sorted_ else None)


def audit_scores(labels: Sequence[Label], criteria: Criteria) -> list[Score]:
    """How often the audited labels were right, with Wilson intervals, over all and per type the
    model gave; and how many of each type people said were of which. None without an audit."""
    signature = signature_of(labels, criteria)
    judge = ", ".join(_judges(labels))
    scores: list[Score] = []

    def add(metric: str, group: str, value: float, n: int) -> None:
        scores.append(
            Score(
                model=judge,
                task=TASK,
                metric=metric,
                group=group,
                value=value,
                n=n,
                signature=signature,
            )
        )

    shares = accuracy(labels)
    for kind, found in shares.items():
        group = "all" if kind == "all" else f"type={kind}"
        add("label_accuracy", group, found.value, found.n)
        add("label_accuracy_low", group, found.low, found.n)
        add("label_accuracy_high", group, found.high, found.n)
    for (was, kind), count in sorted(confusion(labels).items()):
        add(f"corrected_to_{kind}", f"type={was}", float(count), shares[was].n)
    return scores


def signature_of(labels: Sequence[Label], criteria: Criteria) -> str:
    """What the labels were made from: the cases, the criteria, and who labelled them."""
    judges = _identities(labels)
    return str(
        Signature(
            benchmark=labels[0].benchmark,
            task=TASK,
            version=_VERSION,
            n=len(labels),
            data=labels[0].table,
            prompts=criteria.checksum,
            judge=",".join(judges) or "none",
        )
    )


def _identities(labels: Iterable[Label]) -> list[str]:
    return sorted({label.judge for label in labels if label.judge is not None})


def _judges(labels: Iterable[Label]) -> list[str]:
    """The models that labelled, without the identity of their wording."""
    return list(dict.fromkeys(name.rpartition("@")[0] for name in _identities(labels)))
