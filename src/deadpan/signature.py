"""The signature every figure carries: what must be equal for two figures to be comparable."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from deadpan import __version__
from deadpan.errors import MixedSignatures

UNAVAILABLE = "unavailable: "
"""How a signature begins to say why a metric has no number."""


def checksum(value: object) -> str:
    """First eight hex digits of the SHA-256 of a JSON-able value or of bytes."""
    data = value if isinstance(value, bytes) else _canonical_json(value)
    return hashlib.sha256(data).hexdigest()[:8]


def _canonical_json(value: object) -> bytes:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


@dataclass(frozen=True)
class Signature:
    """How one task's answers came about; `str()` is the printed form."""

    benchmark: str
    task: str
    version: str
    n: int
    data: str
    prompts: str
    judge: str = "none"
    settings: Mapping[str, str] = field(default_factory=dict)
    deadpan: str = __version__

    def __str__(self) -> str:
        settings = "|".join(
            f"{key}:{self.settings[key].replace('|', '¦')}" for key in sorted(self.settings)
        )
        parts = [
            f"{self.benchmark}/{self.task}",
            f"v{self.version}",
            f"n:{self.n}",
            f"data:{self.data}",
            f"prompts:{self.prompts}",
            f"judge:{self.judge}",
            settings,
            f"deadpan:{self.deadpan}",
        ]
        return "|".join(part for part in parts if part)

    def with_settings(self, **settings: str) -> Signature:
        """The same signature with settings added, e.g. the gate a score was computed under."""
        return replace(self, settings={**self.settings, **settings})


def parse_signature(text: str) -> Signature:
    """The signature whose printed form is `text`."""
    first, *rest = text.split("|")
    benchmark, _, task = first.partition("/")
    known: dict[str, str] = {}
    settings: dict[str, str] = {}
    for part in rest:
        if part.startswith("v") and ":" not in part:
            known["version"] = part[1:]
            continue
        key, _, value = part.partition(":")
        (known if key in {"n", "data", "prompts", "judge", "deadpan"} else settings)[key] = value
    try:
        return Signature(
            benchmark=benchmark,
            task=task,
            version=known["version"],
            n=int(known["n"]),
            data=known["data"],
            prompts=known["prompts"],
            judge=known["judge"],
            settings=settings,
            deadpan=known["deadpan"],
        )
    except (KeyError, ValueError) as error:
        raise ValueError(f"not a Deadpan signature: {text!r}") from error


def require_equal(signatures: Iterable[str], mix: bool) -> None:
    """Raises when one task appears under unequal signatures, unless told to mix."""
    seen: dict[tuple[str, str], str] = {}
    for text in signatures:
        signature = parse_signature(text)
        key = (signature.benchmark, signature.task)
        other = seen.setdefault(key, text)
        if other != text and not mix:
            raise MixedSignatures(
                f"{'/'.join(key)}: results with unequal signatures cannot share a table:\n"
                f"  {other}\n  {text}\nScore them apart, or pass --mix to show them together."
            )


def combined(signatures: Iterable[str]) -> str:
    """One printed signature for several tasks: equal fields once, unequal ones as task=value; why
    a metric is unavailable is left to a line of its own (`figures.unavailable`)."""
    parsed = [parse_signature(_without_reasons(text)) for text in sorted(set(signatures))]
    if not parsed:
        raise ValueError("no signatures to combine")
    if len(parsed) == 1:
        return str(parsed[0])

    def joined(name: str, of: Callable[[Signature], str | None]) -> str:
        pairs = [(item.task, value) for item in parsed if (value := of(item)) is not None]
        distinct = {value for _, value in pairs}
        unequal = ",".join(f"{task}={value}" for task, value in sorted(set(pairs)))
        return name + (distinct.pop() if len(distinct) == 1 else unequal)

    tasks = "+".join(dict.fromkeys(item.task for item in parsed))
    keys = sorted({key for item in parsed for key in item.settings})
    parts = [
        joined("", lambda item: item.benchmark) + f"/{tasks}",
        joined("v", lambda item: item.version),
        joined("n:", lambda item: str(item.n)),
        joined("data:", lambda item: item.data),
        joined("prompts:", lambda item: item.prompts),
        joined("judge:", lambda item: item.judge),
        *(joined(f"{key}:", _setting(key)) for key in keys),
        joined("deadpan:", lambda item: item.deadpan),
    ]
    return "|".join(parts)


def _without_reasons(text: str) -> str:
    return re.sub(rf"{UNAVAILABLE}.*?(?=,\w\w=|\||$)", UNAVAILABLE.rstrip(": "), text)


def _setting(key: str) -> Callable[[Signature], str | None]:
    return lambda item: item.settings.get(key)
