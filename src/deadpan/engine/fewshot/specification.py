"""`--fewshot`: how many demonstrations are shown, and who chooses them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from deadpan.base.errors import DeadpanError

ZERO_SHOT = "none"
"""`--fewshot none`: nothing is shown, and the question is asked in the form it has with
demonstrations, without a reply schema."""

Kind = Literal["random", "retrieval", "pgds"]
Layout = Literal["turns", "interleaved"]

_FORM = re.compile(
    r"(?P<kind>random|retrieval|pgds)(?::(?P<policy>.+))?:(?P<shots>\d+)"
    r"(?P<options>(?:,[a-z]+=[^,]+)*)"
)
EXPECTED = (
    "expected none, random:K, retrieval:K or pgds:POLICY:K, then any of ,seed=N ,text=MODEL "
    ",image=MODEL|plain|none ,layout=turns|interleaved"
)


class Demos(BaseModel):
    """What `--fewshot` says. `text` and `image` name encoders; None is the embedded one, or the one
    that a policy was trained with."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Kind
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


def demos_of(text: str) -> Demos | None:
    """What a `--fewshot` option says, None for `none`; anything else raises and says what was
    expected."""
    if text == ZERO_SHOT:
        return None
    found = _FORM.fullmatch(text)
    if found is None:
        raise DeadpanError(f"--fewshot {text}: {EXPECTED}")
    kind, policy = found["kind"], found["policy"]
    if (kind == "pgds") != (policy is not None):
        what = "pgds needs a policy's folder" if kind == "pgds" else f"{kind} takes no policy"
        raise DeadpanError(f"--fewshot {text}: {what}; {EXPECTED}")
    given = [option.partition("=")[::2] for option in found["options"].split(",")[1:]]
    options = dict(given)
    if len(options) < len(given):
        raise DeadpanError(f"--fewshot {text}: an option is given twice; {EXPECTED}")
    if kind != "random" and "seed" in options:
        raise DeadpanError(f"--fewshot {text}: only random draws with a seed")
    if kind == "random" and options.keys() & {"text", "image"}:
        raise DeadpanError(f"--fewshot {text}: random needs no encoder")
    named = {"kind": kind, "policy": policy, "shots": found["shots"], **options}
    try:
        return Demos.model_validate(named)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        where = ".".join(map(str, problem["loc"]))
        raise DeadpanError(f"--fewshot {text}: {where}: {problem['msg']}; {EXPECTED}") from None
