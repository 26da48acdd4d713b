"""Reply forms as Inspect's structured output."""

from __future__ import annotations

from inspect_ai.model import GenerateConfigArgs, ResponseSchema
from inspect_ai.util import json_schema
from pydantic import BaseModel


def schema_config(reply: type[BaseModel] | None) -> GenerateConfigArgs:
    """The setting that holds a provider to a reply's form; none where there is no form."""
    if reply is None:
        return {}
    name = reply.__name__.lower()
    return {"response_schema": ResponseSchema(name=name, json_schema=json_schema(reply))}
