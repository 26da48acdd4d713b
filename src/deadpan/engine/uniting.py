"""Which runs of a store are one, and what tells the others apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from deadpan.core.signature import MEDIA, SERVER, checksum
from deadpan.engine.manifests import ANSWERS, ANY_SERVER, Asked, Manifest

IsAnswered = Callable[[str, str], bool]
"""Whether a server, or any, answered what is known by a key."""
_SERVERS = {"": "default", ANY_SERVER: "any"}
_Place = tuple[Any, ...]


def united_runs(manifests: Sequence[Manifest], is_answered: IsAnswered) -> list[Manifest]:
    """Runs of the same way of asking as one, however many questions each of them asked. Those with
    more epochs, or about other pictures under the same names, stay apart, and say so in their
    settings; one that is wholly a part of another is left out."""
    ways: dict[_Place, list[Manifest]] = {}
    for manifest in manifests:
        if manifest.kind == ANSWERS:
            known = ways.setdefault((*_way(manifest), _epochs(manifest)), [])
            for place, other in enumerate(known):
                if _agree(other, manifest, is_answered):
                    known[place] = _joined([other, manifest])
                    break
            else:
                known.append(manifest)
    found = _without_parts([run for runs in ways.values() for run in runs])
    return _with_media_named(_with_servers_named(found))


def united_judgements(manifests: Sequence[Manifest]) -> list[Manifest]:
    """What one judge made of the answers to a task in one way, as one."""
    ways: dict[_Place, list[Manifest]] = {}
    for manifest in manifests:
        if manifest.kind != ANSWERS:
            ways.setdefault(_way(manifest), []).append(manifest)
    return [_joined(same) for same in ways.values()]


def _way(manifest: Manifest, *left_out: str) -> _Place:
    """How it was asked: all of the header but where the data lay."""
    return tuple(v for name, v in manifest.header.items() if name not in ("origin", *left_out))


def _epochs(manifest: Manifest) -> int:
    return max(row.epoch for row in manifest.rows)


def _question(row: Asked) -> _Place:
    return row.item, row.epoch, row.judge_epoch, row.answer


def _joined(manifests: Sequence[Manifest]) -> Manifest:
    """The rows of all of them; where two name a question, the later counts."""
    rows = {_question(row): row for manifest in manifests for row in manifest.rows}
    return replace(manifests[-1], rows=tuple(rows.values()))


def _agree(earlier: Manifest, later: Manifest, is_answered: IsAnswered) -> bool:
    """Whether no question that was answered is another request in the later run."""
    keys = {_question(row): row.key for row in later.rows}
    return all(
        keys.get(_question(row), row.key) == row.key or not is_answered(row.key, earlier.server)
        for row in earlier.rows
    )


def _without_parts(runs: Sequence[Manifest]) -> list[Manifest]:
    """Without the runs all of whose requests stand in another of the same way."""
    requests = [{(_question(row), row.key) for row in run.rows} for run in runs]
    return [
        run
        for place, run in enumerate(runs)
        if not any(
            requests[place] < requests[other] and _way(run) == _way(runs[other])
            for other in range(len(runs))
        )
    ]


def _with_servers_named(runs: Sequence[Manifest]) -> list[Manifest]:
    """Where one model was asked the same behind several addresses, these are told apart."""
    servers: dict[_Place, set[str]] = {}
    for run in runs:
        servers.setdefault(_way(run, "server"), set()).add(run.server)
    return [
        _with_setting(run, SERVER, _SERVERS.get(run.server, run.server))
        if len(servers[_way(run, "server")]) > 1
        else run
        for run in runs
    ]


def _with_media_named(runs: Sequence[Manifest]) -> list[Manifest]:
    """Where the same was asked about other pictures under the same names, these are told apart."""
    ways = [(*_way(run), _epochs(run)) for run in runs]
    return [
        _with_setting(run, MEDIA, checksum(sorted(row.key for row in run.rows)))
        if ways.count(way) > 1
        else run
        for run, way in zip(runs, ways, strict=True)
    ]


def _with_setting(run: Manifest, name: str, value: str) -> Manifest:
    return replace(run, settings={**(run.settings or {}), name: value})
