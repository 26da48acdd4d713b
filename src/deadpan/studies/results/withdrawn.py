"""What was settled, as it is exported once somebody's answers are left out: pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pydantic import JsonValue

from deadpan.core.study.exports import Said, SettledItem
from deadpan.core.study.specification import Study

Place = tuple[int, str, str]
"""An item, a stage and a question."""


def without_words_of(
    study: Study,
    settled: Sequence[SettledItem],
    theirs: Mapping[Place, Sequence[JsonValue]],
    said: Sequence[Said],
) -> Iterator[SettledItem]:
    """What was settled without the words of those who are left out, unless others say the same or
    the lead chose a label. Where one person is left it is what they said, and open where nobody
    is."""
    places = {(unit, stage) for unit, stage, _ in theirs}
    heard: dict[tuple[int, str], list[Said]] = {}
    for one in said:
        heard.setdefault((one.unit, one.stage), []).append(one)
    for became in settled:
        others = heard.get((became.unit, became.stage), [])
        if (became.unit, became.stage) not in places:
            yield became
            continue
        several = len({one.person for one in others}) > 1
        if became.state != "settled" or became.by_lead or several:
            kept = dict(_said_by_others(study, became, theirs, others))
            yield replace(became, result=kept)
            continue
        final = {one.question.name: one.value for one in others}  # a discussion comes later
        state = "settled" if others else "open"
        yield replace(became, state=state, result=final if became.result else {})


def _said_by_others(
    study: Study,
    became: SettledItem,
    theirs: Mapping[Place, Sequence[JsonValue]],
    others: Sequence[Said],
) -> Iterator[tuple[str, JsonValue]]:
    stage = study.stage(became.stage)
    for name, value in became.result.items():
        question = stage.question(name) if stage else None
        is_theirs = value in theirs.get((became.unit, became.stage, name), ())
        is_others = any(one.question.name == name and one.value == value for one in others)
        is_chosen = became.by_lead and question is not None and question.compared
        if not is_theirs or is_others or is_chosen:
            yield name, value
