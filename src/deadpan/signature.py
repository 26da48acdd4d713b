"""The signature every figure carries: what must be equal for two figures to be comparable."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields

from deadpan import __version__
from deadpan.errors import MixedSignatures


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
        settings = "|".join(f"{key}:{self.settings[key]}" for key in sorted(self.settings))
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
        values = {item.name: getattr(self, item.name) for item in fields(self)}
        return Signature(**{**values, "settings": {**self.settings, **settings}})


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
    """One printed signature for several tasks: equal fields once, unequal ones as task=value."""
    parsed = [parse_signature(text) for text in sorted(set(signatures))]
    if not parsed:
        raise ValueError("no signatures to combine")
    if len(parsed) == 1:
        return str(parsed[0])

    def joined(values: Mapping[str, str]) -> str:
        distinct = set(values.values())
        return (
            distinct.pop()
            if len(distinct) == 1
            else ",".join(f"{task}={value}" for task, value in sorted(values.items()))
        )

    keys = sorted({key for item in parsed for key in item.settings})
    parts = [
        f"{joined({i.task: i.benchmark for i in parsed})}/{'+'.join(i.task for i in parsed)}",
        "v" + joined({i.task: i.version for i in parsed}),
        "n:" + joined({i.task: str(i.n) for i in parsed}),
        "data:" + joined({i.task: i.data for i in parsed}),
        "prompts:" + joined({i.task: i.prompts for i in parsed}),
        "judge:" + joined({i.task: i.judge for i in parsed}),
        *(
            f"{k}:" + joined({i.task: i.settings[k] for i in parsed if k in i.settings})
            for k in keys
        ),
        "deadpan:" + joined({i.task: i.deadpan for i in parsed}),
    ]
    return "|".join(parts)
