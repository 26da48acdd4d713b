"""How people come to a study from a recruiting platform, and go back to it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Self
from urllib.parse import quote, urlsplit

from pydantic import Field, StringConstraints, model_validator

from deadpan.base.errors import DeadpanError
from deadpan.core.study.words import Frozen

_PARAMETER = r"[A-Za-z][A-Za-z0-9_.-]{0,63}"
Parameter = Annotated[str, StringConstraints(pattern=f"^{_PARAMETER}$")]
"""The name of something that a link says."""
CODE = "{code}"


class Recruiting(Frozen):
    """How people come from a recruiting platform: by the open link, with its parameters in the
    address; and go back with a completion code."""

    parameters: Annotated[tuple[Parameter, ...], Field(max_length=20)] = (
        "PROLIFIC_PID",
        "STUDY_ID",
        "SESSION_ID",
    )
    """What the platform's link says of somebody."""
    person: Parameter = "PROLIFIC_PID"
    """The parameter that tells people apart."""
    code: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{0,32}$")] = ""
    """What they are given when they are done, the same for all; each gets one of their own where it
    is empty."""
    return_to: Annotated[str, StringConstraints(max_length=1_000)] = ""
    """Where they are sent, with {code} in it."""
    items: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """After how many items somebody is done; after all where it is not said."""

    @model_validator(mode="after")
    def _leads_back(self) -> Self:
        parts = urlsplit(self.return_to)
        is_web = parts.scheme in ("http", "https") and bool(parts.netloc)
        if self.return_to and (not is_web or CODE in parts.netloc):
            raise ValueError("return_to: expected https://… with {code} in it")
        return self

    def way_back(self, code: str) -> str:
        """The address that somebody with a code goes back to; empty where there is none."""
        return self.return_to.replace(CODE, quote(code, safe="")) if code else ""

    @property
    def link(self) -> str:
        """The end of the address that the platform sends people to, and fills in."""
        named = dict.fromkeys((*self.parameters, self.person))
        return "/start?" + "&".join(f"{name}=…" for name in named)


PLATFORMS: Mapping[str, Recruiting] = {
    "prolific": Recruiting(return_to=f"https://app.prolific.com/submissions/complete?cc={CODE}"),
    "mturk": Recruiting(parameters=("workerId", "assignmentId", "hitId"), person="workerId"),
}


def recruiting_from(platform: str) -> Recruiting:
    """How people come from a platform that is known, or whose links name them by a parameter."""
    if platform in PLATFORMS:
        return PLATFORMS[platform]
    if not re.fullmatch(_PARAMETER, platform):
        known = ", ".join(PLATFORMS)
        raise DeadpanError(f"--recruit {platform}: expected {known}, or a parameter of the link")
    return Recruiting(parameters=(platform,), person=platform)
