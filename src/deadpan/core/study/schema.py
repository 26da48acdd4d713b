"""The JSON schema of studies and items, for an editor: it takes what `deadpan study create` takes,
rules among several fields aside."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_YES_NO = [
    form(word) for word in ("yes", "no", "on", "off") for form in (str, str.title, str.upper)
]
"""What YAML 1.1 reads as true or false, and editors as text."""


class _EditorSchema(GenerateJsonSchema):
    """Takes YAML's yes and no for true and false."""

    def bool_schema(self, schema: Any) -> JsonSchemaValue:
        return {"anyOf": [super().bool_schema(schema), {"enum": list(_YES_NO)}]}

    def tagged_union_schema(self, schema: Any) -> JsonSchemaValue:
        """One of several kinds, which has to be named."""
        found = super().tagged_union_schema(schema)
        return found | {"required": [schema["discriminator"]]}


def editor_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of a study's or an item's file."""
    return {"$schema": DIALECT} | model.model_json_schema(schema_generator=_EditorSchema)
