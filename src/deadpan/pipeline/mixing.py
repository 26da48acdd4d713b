"""Results of one model that were not made alike, kept apart where they share a table (`--mix`)."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from deadpan.core.signature import Signature, parse_signature


def kept_apart(results: pl.DataFrame) -> pl.DataFrame:
    """The results with a model's name followed by what differs, where its answers to one task have
    unequal signatures: `gpt (demos:random:1;seed:0)`, `gpt (demos:retrieval:1)`."""
    asked, names = ["benchmark", "task", "model"], []
    made = results.select(*asked, "signature").unique(maintain_order=True)
    for (*_, model), rows in made.group_by(asked, maintain_order=True):
        told = differences(rows["signature"].to_list())
        named = [f"{model} ({one})" if one else str(model) for one in told]
        names.append(rows.with_columns(named=pl.Series(named)))
    joined = results.join(pl.concat(names), [*asked, "signature"], "left", maintain_order="left")
    return joined.with_columns(model="named").drop("named")


def differences(signatures: Sequence[str]) -> list[str]:
    """What each signature has that not all of them have; of a field in parts, the parts."""
    fields = [_fields(parse_signature(text)) for text in signatures]
    common = set.intersection(*(set(one) for one in fields))
    told = []
    for one in fields:
        own: dict[str, list[str]] = {}
        for key, part in one:
            if (key, part) not in common:
                own.setdefault(key, []).append(part)
        if len(own) > 1:
            own.pop("n", None)  # how many there are follows from the rest
        told.append(", ".join(f"{key}:{';'.join(parts)}" for key, parts in own.items()))
    return told


def _fields(signature: Signature) -> list[tuple[str, str]]:
    """Every field of a signature but its task, in parts where it has some (`a;b`)."""
    fields = {
        "v": signature.version,
        "n": str(signature.n),
        "data": signature.data,
        "prompts": signature.prompts,
        "judge": signature.judge,
        **signature.settings,
        "deadpan": signature.deadpan,
    }
    return [(key, part) for key, value in fields.items() for part in value.split(";")]
