"""The interval of a score that asking was stopped by, from answers and their signature alone."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from deadpan.core.measurement import ALL, Measurement
from deadpan.core.signature import ITEMS, UNTIL, checksum, parse_signature
from deadpan.metrics.statistics.sequences import LEVEL, asked_order
from deadpan.metrics.statistics.stopping import Evidence, Known, score_so_far, sequence_kind

Asked = Mapping[tuple[str, str], Mapping[str, Collection[str]]]
"""By model and task how the answers to each item ended, of runs that were stopped."""
_LEVEL = f"{LEVEL * 100:g}"
_RULE = re.compile(rf"(.+)±([0-9.e+-]+)@{_LEVEL};order:(\d+)(?:;of:(\d+))?")


@dataclass(frozen=True)
class StopRule:
    """What a signature says of a run that stopped when the interval of `metric` was no wider than
    twice `width`: the seed of the order, and of how many items where not of all that there are."""

    metric: str
    width: float
    seed: int = 0
    items: int = 0

    def __str__(self) -> str:
        of = f";of:{self.items}" if self.items else ""
        return f"{self.metric}±{self.width:g}@{_LEVEL};order:{self.seed}{of}"

    @classmethod
    def read(cls, setting: str) -> StopRule | None:
        """The rule of a signature's setting; None where a difference or nothing stopped it."""
        found = _RULE.fullmatch(setting)
        try:
            return found and cls(found[1], float(found[2]), int(found[3]), int(found[4] or 0))
        except ValueError:
            return None

    def known(self, evidence: Evidence) -> Known:
        """What is known of the score, as closely as the setting can say how close is wanted."""
        return score_so_far(evidence, float(f"{self.width:g}"))


def known_when_stopped(one: Measurement, asked: Asked) -> Known | None:
    """What a stopped run knew of the score over all items of its task; None for scores that did not
    stop it, and where some of its answers are not there."""
    outcomes = asked.get((one.model, one.task))
    is_plain = one.group == ALL and one.given and one.draws is None and not one.parts
    if not outcomes or not is_plain or sequence_kind(one.metric) is None:
        return None
    signature = parse_signature(one.signature)
    rule = StopRule.read(signature.settings.get(UNTIL, ""))
    is_whole = checksum(sorted(outcomes)) == signature.settings.get(ITEMS)
    if rule is None or rule.metric != one.metric.name or not is_whole:
        return None
    horizon = rule.items or signature.total // signature.epochs
    if horizon < len(outcomes) or {item for item, _ in one.units.keys} - outcomes.keys():
        return None
    order = asked_order(outcomes, rule.seed)
    known = rule.known(Evidence.of(one, outcomes, order, horizon))
    return None if known.value is None else known
