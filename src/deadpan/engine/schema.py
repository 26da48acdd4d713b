"""Reply forms as Inspect's structured output."""

from __future__ import annotations

from functools import cache

from inspect_ai.model import ResponseSchema
from inspect_ai.util import json_schema
from pydantic import BaseModel


@cache
def response_schema(reply: type[BaseModel] | None) -> ResponseSchema | None:
    """The setting that holds a provider to a reply's form; None where there is no form."""
    if reply is None:
        return None
    return ResponseSchema(name=reply.__name__.lower(), json_schema=json_schema(reply))
