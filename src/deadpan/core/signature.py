"""The signature every score carries: what must be equal for two scores to be comparable."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from deadpan.base.errors import MixedSignatures
from deadpan.base.version import __version__
from deadpan.core.variants import Variant, variant_shown

UNAVAILABLE = "unavailable: "
_REASON = re.compile(rf"{UNAVAILABLE}.*?(?=,\w\w=|\||$)")
"""How a signature begins to say why a metric has no number."""
_FIELDS = ("n", "data", "prompts", "judge")
"""The fields that are printed under their names, in order."""


def checksum(value: object) -> str:
    """First eight hex digits of the SHA-256 of a JSON-able value or of bytes."""
    if not isinstance(value, bytes):
        text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        value = text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(value).hexdigest()[:8]


_MEDIA = "+media:"


def with_media(annotations: str, media: str, there: int, of: int) -> str:
    """The checksum of data with its pictures and videos, of which some may not be there:
    `7afd9730+media:1b2c3d4e`, or `7afd9730+media:1b2c3d4e(2793/2800)`."""
    return f"{annotations}{_MEDIA}{media}" + (f"({there}/{of})" if there < of else "")


def annotations_of(data: str) -> str:
    """The checksum of the annotations alone, whatever pictures and videos came with them."""
    return data.partition(_MEDIA)[0]


@dataclass(frozen=True)
class Signature:
    """How one task's answers came about; `str()` is the printed form. `n` questions have an answer,
    or a call that failed, of `total` that the data has; 0: not known."""

    benchmark: str
    task: str
    version: str
    n: int
    data: str
    prompts: str
    judge: str = "none"
    settings: Mapping[str, str] = field(default_factory=dict)
    deadpan: str = __version__
    total: int = 0

    @property
    def fields(self) -> dict[str, str]:
        """The fields that are printed under their names: `n` as `50/2800` where it is a part."""
        known = {name: str(getattr(self, name)) for name in _FIELDS}
        return known | ({"n": f"{self.n}/{self.total}"} if self.n < self.total else {})

    @property
    def epochs(self) -> int:
        """How often each item was asked about."""
        told = self.settings.get("epochs", "")
        return max(1, int(told)) if told.isascii() and told.isdecimal() else 1

    @property
    def part(self) -> tuple[int, int] | None:
        """How many items of how many, where it is a part of the data."""
        is_part = self.n < self.total
        return (self.n // self.epochs, self.total // self.epochs) if is_part else None

    def __str__(self) -> str:
        parts = [
            f"{self.benchmark}/{self.task}",
            f"v{self.version}",
            *(f"{name}:{value}" for name, value in self.fields.items()),
            *(f"{key}:{value.replace('|', '¦')}" for key, value in sorted(self.settings.items())),
            f"deadpan:{self.deadpan}",
        ]
        return "|".join(parts)

    @property
    def variant(self) -> Variant:
        """How items were shown."""
        return variant_shown(self.settings.get(SHOWN, ""))

    @property
    def way(self) -> str:
        """In words how it was asked otherwise than in full and in our usual words; empty where it
        was not: `text only`, `options shuffled, seed 1`, `paraphrase 2`."""
        seed, wording = (self.settings.get(name, "") for name in (VARIANT_SEED, PARAPHRASE))
        parts = (
            self.variant.mark,
            f"seed {seed}" if seed not in ("", "0") else "",
            f"paraphrase {wording}" if wording else "",
        )
        return ", ".join(filter(None, parts))

    @property
    def is_of_people(self) -> bool:
        """Whether people answered."""
        return self.settings.get(ANSWERED_BY) == PEOPLE

    @property
    def asked(self) -> int:
        """How many questions were asked: more than `n` where a run was broken off."""
        told = self.settings.get(ASKED, "")
        return max(self.n, int(told)) if told.isascii() and told.isdecimal() else self.n

    def over(self, items: Sequence[str], asked: int | None = None) -> Signature:
        """The same signature over answers to these items, one for each answer, wherever they come
        from. Where that is a part of the data, or of the questions that were `asked`, it says how
        many of how many, and which."""
        own = {key: value for key, value in self.settings.items() if key not in (ITEMS, ASKED)}
        n, asked = len(items), len(items) if asked is None else asked
        total = max(self.total, asked)
        own |= {ITEMS: checksum(sorted(set(items)))} if n < total else {}
        own |= {ASKED: str(asked)} if n < asked else {}
        return replace(self, n=n, total=total, settings=own)

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
        (known if key in {*_FIELDS, "deadpan"} else settings)[key] = value
    try:
        n, _, total = known["n"].partition("/")
        return Signature(
            benchmark,
            task,
            known["version"],
            int(n),
            known["data"],
            known["prompts"],
            known["judge"],
            settings,
            known["deadpan"],
            int(total or 0),
        )
    except (KeyError, ValueError) as error:
        raise ValueError(f"not a Deadpan signature: {text!r}") from error


WEIGHTS = "weights"
"""The setting that names the very weights of a model in a folder."""
SERVER = "server"
"""The setting that names who answered, where several servers did under one model's name."""
MEDIA = "media"
"""The setting that names what was shown, where a store has runs about other pictures too."""
ITEMS = "items"
"""The setting that names which items have an answer, where it is not all."""
ASKED = "asked"
"""The setting that tells how many questions were asked, where not all of them came back."""
UNTIL = "until"
"""The setting that tells which score asking stopped by, how sure it was to be, and the order."""
SAMPLE = "sample"
"""The setting that tells how many items were drawn to be asked about, and by which seed."""
LANGUAGES = "languages"
"""The setting that tells the languages of the items asked about, where items of others are not."""
EXTERNAL = "external"
"""In the place of the prompts' checksum: answers that were made elsewhere."""
SHOWN, VARIANT_SEED = "shown", "variant_seed"
"""The setting that names how items were shown, and that of the seed which decided it."""
PARAPHRASE = "paraphrase"
"""The setting that names which of our paraphrases the question was asked in, where in one."""
ANSWERED_BY, PEOPLE = "answered_by", "people"
"""The setting that names who answered where it was no model, and its value where people did."""
_OF_A_MODEL = frozenset({WEIGHTS, SERVER, MEDIA, ITEMS, ASKED, UNTIL, SAMPLE})
_OF_A_TASK = frozenset({f"{ITEMS}:", f"{ASKED}:", f"{UNTIL}:", f"{SAMPLE}:", "reading:"})
"""What does not hold for tasks that do not say it."""
BASELINE = "baseline/"
"""How the names of models begin that are none, and answer by rule."""
_SAMPLED = frozenset({"temperature", "top_p", "max_tokens", "reasoning_effort", "reasoning_tokens"})
"""What moves no answer of a baseline."""
_MOST_LISTED = 6


def require_equal(made: Iterable[tuple[str, str]], mix: bool) -> None:
    """Raises when one task appears under unequal signatures, unless told to mix. `made` holds
    models with signatures; weights, servers and media are compared within a model's name, and so
    is how much of the data the answers are to: tables mark those that are to a part. How tokens
    are drawn, and how many, is nothing to baselines.
    What was asked in a variant or in a paraphrase, and what people answered, is told apart anyway:
    it is compared with its like."""
    if mix:
        return
    seen: dict[tuple[str, ...], dict[str, tuple[str, str]]] = {}
    for model, text in made:
        signature = parse_signature(text)
        apart = (signature.way, signature.is_of_people)
        task = (signature.benchmark, signature.task, *map(str, apart))
        bare = _across_models(signature)
        compared = {(*task, "asked"): _undrawn(bare), (*task, "model", model): signature}
        if not model.startswith(BASELINE):
            compared[*task, "drawn"] = bare
        for key, value in compared.items():
            seen.setdefault(key, {}).setdefault(str(value), (model, text))
    for key, found in sorted(seen.items()):
        if len(found) > 1:
            raise MixedSignatures(_mixed("/".join(key[:2]), sorted(found.values())))


def _mixed(task: str, found: Sequence[tuple[str, str]]) -> str:
    """What is said of models whose signatures are unequal, and what can be done about it."""
    listed = "\n".join(f"  {model}: {text}" for model, text in found[:_MOST_LISTED])
    is_one_model = len({model for model, _ in found}) < len(found)
    fix = (
        "Name one run of the store (`deadpan runs` lists them), take the last of each model with "
        "--latest"
        if is_one_model
        else "Run all of them with the same settings, name runs of the store that agree (`deadpan "
        "runs` lists them)"
    )
    return (
        f"{task}: results with unequal signatures cannot share a table:\n{listed}\n{fix}, or pass "
        "--mix (in Python mix=True) to show them together."
    )


def _across_models(signature: Signature) -> Signature:
    """What must be equal in the signatures of several models."""
    bare = {key: value for key, value in signature.settings.items() if key not in _OF_A_MODEL}
    return replace(signature, n=0, total=0, settings=bare)


def _undrawn(signature: Signature) -> Signature:
    """Without how tokens are drawn."""
    own = {key: value for key, value in signature.settings.items() if key not in _SAMPLED}
    return replace(signature, settings=own)


def join_signatures(task: str, signatures: Sequence[str]) -> str:
    """One signature for a score made of several tasks: a field that is not equal in all of them,
    or that some lack, becomes a checksum of theirs; the judge is that of the tasks with one."""
    parts = [parse_signature(text) for text in signatures]

    def one_of(values: Iterable[str]) -> str:
        given = list(values)
        return given[0] if len(set(given)) == 1 else checksum(given)

    keys = sorted({key for part in parts for key in part.settings})
    shared = ("benchmark", "version", "data", "prompts", "deadpan")
    fewest = min(parts, key=lambda part: part.n)
    whole = Signature(
        task=task,
        n=fewest.n,
        total=fewest.total,
        judge=one_of([part.judge for part in parts if part.judge != "none"] or ["none"]),
        settings={key: one_of(part.settings.get(key, "") for part in parts) for key in keys},
        **{name: one_of(getattr(part, name) for part in parts) for name in shared},
    )
    return str(whole)


def without_reasons(signature: str) -> str:
    """A signature as it is printed anywhere: of a metric that is unavailable it does not say why;
    that is left to a line of its own (`scores.unavailable`)."""
    return _REASON.sub(UNAVAILABLE.rstrip(": "), signature)


def combine_signatures(signatures: Iterable[str]) -> str:
    """One printed signature for several tasks: equal fields once, unequal ones as task=value."""
    parsed = [parse_signature(without_reasons(text)) for text in sorted(set(signatures))]
    if not parsed:
        raise ValueError("no signatures to combine")
    if len(parsed) == 1:
        return str(parsed[0])

    def told(name: str, values: Iterable[str | None]) -> str:
        given = zip(parsed, values, strict=True)
        every = [(item.task, value) for item, value in given]
        pairs = [(task, value) for task, value in every if value is not None]
        distinct = {value for _, value in pairs}
        unequal = ",".join(f"{task}={value}" for task, value in sorted(set(pairs)))
        alike = len(distinct) == 1 and (len(pairs) == len(every) or name not in _OF_A_TASK)
        return name + (distinct.pop() if alike else unequal)

    tasks = "+".join(dict.fromkeys(item.task for item in parsed))
    keys = sorted({key for item in parsed for key in item.settings})
    parts = [
        told("", (item.benchmark for item in parsed)) + f"/{tasks}",
        told("v", (item.version for item in parsed)),
        *(told(f"{name}:", (item.fields[name] for item in parsed)) for name in _FIELDS),
        *(told(f"{key}:", (item.settings.get(key) for item in parsed)) for key in keys),
        told("deadpan:", (item.deadpan for item in parsed)),
    ]
    return "|".join(parts)


def signature_differences(signatures: Sequence[str]) -> list[str]:
    """What each signature has that not all of them have; of a field in parts, the parts."""
    fields = [_parts(text) for text in signatures]
    common = set.intersection(*(set(one) for one in fields))
    unlike = []
    for one in fields:
        own: dict[str, list[str]] = {}
        for key, part in one:
            if (key, part) not in common:
                own.setdefault(key, []).append(part)
        if "n" in own:
            own.pop(ITEMS, None)  # how many there are says it in fewer words
        if len(own) > 1:
            own.pop("n", None)  # how many there are follows from the rest
        unlike.append(", ".join(f"{key}:{';'.join(parts)}" for key, parts in own.items()))
    return unlike


def _parts(signature: str) -> list[tuple[str, str]]:
    """Every field of a signature but its task, in parts where it has some (`a;b`)."""
    found = []
    for one in signature.split("|")[1:]:
        key, colon, value = one.partition(":")
        known = (key, value) if colon else ("v", key.removeprefix("v"))
        found += [(known[0], part) for part in known[1].split(";")]
    return found
