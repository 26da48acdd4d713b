"""`--fewshot` and `--weights`: who chooses the demonstrations, and what parts of a reply count."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, Field, ValidationError, model_validator

from deadpan.base.errors import DeadpanError

ZERO_SHOT = "none"
"""`--fewshot none`: nothing is shown, and as with demonstrations no reply schema is sent."""

Layout = Literal["turns", "interleaved"]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]

_FORM = re.compile(
    r"(?P<kind>random|retrieval|pgds)(?::(?P<policy>.+))?:(?P<shots>\d+)"
    r"(?P<options>(?:,[a-z]+=[^,]+)*)"
)
_EXPECTED = (
    "expected none, random:K, retrieval:K or pgds:POLICY:K, then any of ,seed=N ,text=MODEL "
    ",image=MODEL|plain|none ,layout=turns|interleaved"
)


class Demos(BaseModel, frozen=True, extra="forbid"):
    """What `--fewshot` says. `text` and `image` name encoders; None is the embedded one, or the one
    that a policy was trained with."""

    kind: Literal["random", "retrieval", "pgds"]
    shots: Annotated[int, Field(ge=1, le=32)]
    policy: Path | None = None
    seed: Annotated[int, Field(ge=0)] = 0
    text: str | None = None
    image: str | None = None
    layout: Layout = "turns"

    def __str__(self) -> str:
        """The form it is written in."""
        policy = f":{self.policy}" if self.policy else ""
        given = self.model_dump(exclude_defaults=True, exclude={"kind", "shots", "policy"})
        options = "".join(f",{name}={value}" for name, value in given.items())
        return f"{self.kind}{policy}:{self.shots}{options}"


def fewshot_of(text: str) -> Demos | None:
    """What a `--fewshot` option says, None for `none`; anything else raises."""
    if text == ZERO_SHOT:
        return None
    found = _FORM.fullmatch(text)
    if found is None:
        raise DeadpanError(f"--fewshot {text}: {_EXPECTED}")
    kind, policy = found["kind"], found["policy"]
    given = [option.partition("=")[::2] for option in found["options"].split(",")[1:]]
    options = dict(given)
    wrong = {
        f"pgds needs a policy's folder; {_EXPECTED}": kind == "pgds" and policy is None,
        f"{kind} takes no policy; {_EXPECTED}": kind != "pgds" and policy is not None,
        f"an option is given twice; {_EXPECTED}": len(options) < len(given),
        "only random draws with a seed": kind != "random" and "seed" in options,
        "random needs no encoder": kind == "random" and options.keys() & {"text", "image"},
    }
    for what, holds in wrong.items():
        if holds:
            raise DeadpanError(f"--fewshot {text}: {what}")
    named = {"kind": kind, "policy": policy, "shots": found["shots"], **options}
    try:
        return Demos.model_validate(named)
    except ValidationError as error:
        what = _first_problem(error)
        raise DeadpanError(f"--fewshot {text}: {what}; {_EXPECTED}") from None


def with_layout(chooser: str, layout: Layout) -> str:
    """What signatures call who chooses, with the layout where it is not the usual one."""
    return chooser if layout == "turns" else f"{chooser};{layout}"


class RewardParts(BaseModel, frozen=True, extra="forbid"):
    """The parts of one reply, 0 to 1; None where the question has no such part."""

    format: Share
    classification: Share | None = None
    target: Share | None = None
    explanation: Share | None = None

    @property
    def known(self) -> dict[str, float]:
        """The parts there are."""
        return {name: value for name, value in self if value is not None}


PARTS = tuple(RewardParts.model_fields)


class Weights(BaseModel, frozen=True, extra="forbid"):
    """How much each part counts; they sum to one."""

    format: Share = 0.1
    classification: Share = 0.4
    target: Share = 0.25
    explanation: Share = 0.25

    @model_validator(mode="after")
    def _sum_to_one(self) -> Self:
        total = sum(share for _, share in self)
        if abs(total - 1) > 1e-9:
            raise ValueError(f"the weights sum to {total:g}, not to 1")
        return self

    def __str__(self) -> str:
        """As `--weights` takes them."""
        return ",".join(f"{name}={share:g}" for name, share in self)

    def total(self, parts: RewardParts) -> float:
        """The weighted mean of the parts there are; of their plain mean where all weigh nothing."""
        known = parts.known
        shares = {name: getattr(self, name) for name in known}
        whole = sum(shares.values())
        if whole == 0:
            return sum(known.values()) / len(known)
        return float(sum(shares[name] * value for name, value in known.items()) / whole)


def weights_of(text: str) -> Weights:
    """The weights that `--weights format=0.1,classification=0.5,…` names; what is left out is 0."""
    pairs = [part.partition("=")[::2] for part in text.split(",")]
    try:
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a part is named twice")
        given = {name: float(value) for name, value in pairs}
        return Weights(**{**dict.fromkeys(PARTS, 0.0), **given})
    except ValueError as error:
        reason = _first_problem(error) if isinstance(error, ValidationError) else str(error)
        expected = f"expected {','.join(f'{name}=W' for name in PARTS)} with a sum of 1"
        raise DeadpanError(f"--weights {text}: {expected} ({reason})") from None


def _first_problem(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    where = "".join(f"{place}: " for place in first["loc"])
    return where + first["msg"].removeprefix("Value error, ")
