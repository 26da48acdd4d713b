"""What is another way in one version of a study than in another, and what of it may be."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from deadpan.core.questions import Language
from deadpan.core.study.specification import Study

Weight = Literal["free", "asked", "fixed"]
"""What may change at any time; only while nobody was asked; never."""
_FREE = frozenset(
    {"claim_hours", "code", "consent", "ends", "minutes", "return_to", "rows", "silent"}
)
"""Fields beside words that change neither what is asked nor what becomes of it."""
_FIXED = frozenset({"batches", "benchmark", "name", "teams", "template"})
"""Fields of a study that say where its items and files are."""
_WHOLE = frozenset({"both", "joined", "otherwise", "returns", "suggestions"})
"""Fields whose keys are a study's own."""
_IDENTITIES = ("name", "value")
_LONGEST = 80


@dataclass(frozen=True)
class Change:
    """One place of a study, and what stood and stands there."""

    path: str
    before: object
    after: object
    weight: Weight

    def __str__(self) -> str:
        return f"{self.path}: {_shown(self.before)} → {_shown(self.after)}"


def changes(before: Study, after: Study) -> list[Change]:
    """Every place that differs, in the order of the file."""
    was, now = (study.model_dump(mode="json") for study in (before, after))
    return list(_fields("", was, now, "asked"))


def _fields(
    path: str, was: Mapping[str, Any], now: Mapping[str, Any], weight: Weight
) -> Iterator[Change]:
    for name in dict.fromkeys((*was, *now)):
        own: Weight = "free" if name in _FREE else weight
        if not path and name in _FIXED:
            own = "fixed"
        old, new = was.get(name), now.get(name)
        if name in _WHOLE and old != new:
            yield Change(f"{path}{name}", old, new, own)
        else:
            yield from _differences(f"{path}{name}", old, new, own)


def _differences(path: str, was: Any, now: Any, weight: Weight) -> Iterator[Change]:
    if was == now:
        return
    if weight == "fixed":
        yield Change(path, was, now, weight)
    elif _is_words(was) and _is_words(now):
        yield Change(path, was, now, "free")
    elif isinstance(was, dict) and isinstance(now, dict):
        yield from _fields(f"{path}.", was, now, weight)
    elif isinstance(was, list) and isinstance(now, list) and _is_named(was) and _is_named(now):
        yield from _named(path, was, now, weight)
    elif isinstance(was, list) and isinstance(now, list) and _are_words(was, now):
        for at, (old, new) in enumerate(zip(was, now, strict=True), start=1):
            yield from _differences(f"{path}.{at}", old, new, weight)
    else:
        is_more = path == "languages" and set(was) <= set(now)
        yield Change(path, was, now, "free" if is_more else weight)


def _named(
    path: str, was: Sequence[dict[str, Any]], now: Sequence[dict[str, Any]], weight: Weight
) -> Iterator[Change]:
    """What differs among stages, questions or options: which there are, in their order, and what
    those say that are in both."""
    before, after = ({_identity(one): one for one in some} for some in (was, now))
    names, others = list(before), list(after)
    if names != others:
        # Items wait for the first stage by its name.
        own: Weight = "fixed" if path == "stages" and names[0] != others[0] else weight
        yield Change(path, names, others, own)
    for name in before:
        if name in after:
            yield from _fields(f"{path}.{name}.", before[name], after[name], weight)


def _is_named(some: Sequence[Any]) -> bool:
    return bool(some) and all(isinstance(one, dict) and _identity(one) for one in some)


def _identity(one: Mapping[str, Any]) -> str:
    """By what a stage, a question or an option is known; empty for what has no name."""
    return next((str(one[name]) for name in _IDENTITIES if name in one), "")


def _is_words(value: Any) -> bool:
    """Whether something is said in languages, or nowhere."""
    if value is None:
        return True
    known = isinstance(value, dict) and set(value) <= set(get_args(Language))
    return known and all(isinstance(text, str) for text in value.values())


def _are_words(was: Sequence[Any], now: Sequence[Any]) -> bool:
    return len(was) == len(now) and all(isinstance(one, dict) for one in (*was, *now))


def _shown(value: object) -> str:
    """A value on one line, cut where it is long."""
    if value is None or value in ("", {}, []):
        return "nothing"
    if isinstance(value, list):
        text = ", ".join(_shown(one) for one in value)
    else:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
