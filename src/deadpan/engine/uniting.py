"""Runs that asked the same are one: what was begun several times, in parts, or judged anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from deadpan.core.signature import (
    MEDIA,
    SERVER,
    UNTIL,
    checksum,
)
from deadpan.engine.manifests import _SERVERS, ANSWERS, JUDGEMENTS, IsAnswered, Kind, Manifest, _Way


def united_runs(manifests: Iterable[Manifest], is_answered: IsAnswered) -> list[Manifest]:
    """Runs of the same way of asking as one, however many questions each of them asked. Those with
    more epochs, behind other addresses, or about other pictures under the same names stay apart,
    and say so in their settings; one that is wholly a part of another is left out."""
    ways: dict[_Way, list[Manifest]] = {}
    for manifest in manifests:
        if manifest.kind == ANSWERS:
            known = ways.setdefault((*manifest.way(), manifest.epochs), [])
            for place, other in enumerate(known):
                if _agree(other, manifest, is_answered):
                    known[place] = _join([other, manifest])
                    break
            else:
                known.append(manifest)
    runs = _without_parts([run for runs in ways.values() for run in runs])
    servers = {(run.way("server"), run.server) for run in runs}
    several = Counter(way for way, _ in servers)
    runs = [
        _with_setting(run, SERVER, _SERVERS.get(run.server, run.server))
        if several[run.way("server")] > 1
        else run
        for run in runs
    ]
    alike = Counter((run.way(), run.data, run.epochs) for run in runs)
    return [
        _with_setting(run, MEDIA, checksum(sorted(row.key for row in run.rows)))
        if alike[run.way(), run.data, run.epochs] > 1
        else run
        for run in runs
    ]


def latest_runs(manifests: Iterable[Manifest]) -> list[Manifest]:
    """Without runs of a model and a task but the one begun last; each variant and paraphrase has a
    last one."""
    found = list(manifests)
    last = {one.asked_as: one for one in found if one.kind == ANSWERS}
    return [one for one in found if one.kind != ANSWERS or last[one.asked_as] is one]


def united_judgements(manifests: Iterable[Manifest], kind: Kind = JUDGEMENTS) -> list[Manifest]:
    """What one judge, or one reader, made of the answers to a task in one way, as one."""
    ways: dict[_Way, list[Manifest]] = {}
    for manifest in manifests:
        if manifest.kind == kind:
            ways.setdefault(manifest.way(), []).append(manifest)
    return [_join(same) for same in ways.values()]


def _join(manifests: Sequence[Manifest]) -> Manifest:
    """The rows of all of them; where two name a question, the later counts. By what asking was
    stopped is told where the run that stopped holds them all."""
    rows = {row.about: row for manifest in manifests for row in manifest.rows}
    settings = {name: value for name, value in manifests[-1].settings.items() if name != UNTIL}
    whole = [one for one in manifests if len(one.rows) == len(rows)]
    if whole and UNTIL in whole[-1].settings:
        settings[UNTIL] = whole[-1].settings[UNTIL]
    return replace(manifests[-1], rows=tuple(rows.values()), settings=settings)


def _agree(earlier: Manifest, later: Manifest, is_answered: IsAnswered) -> bool:
    """Whether no question that was answered is another request in the later run; where the media
    are others, or the earlier one does not tell of them, whether all of them stand in the later."""
    keys = {row.about: row.key for row in later.rows}
    same = earlier.data == later.data
    return all(
        keys.get(row.about, row.key if same else None) == row.key
        or not is_answered(row.key, earlier.server)
        for row in earlier.rows
    )


def _without_parts(runs: Sequence[Manifest]) -> list[Manifest]:
    """Without the runs all of whose requests stand in another of the same way."""
    requests = [{(row.about, row.key) for row in run.rows} for run in runs]
    return [
        run
        for run, own in zip(runs, requests, strict=True)
        if not any(
            own < others and run.way() == other.way()
            for other, others in zip(runs, requests, strict=True)
        )
    ]


def _with_setting(run: Manifest, name: str, value: str) -> Manifest:
    return replace(run, settings={**run.settings, name: value})
