"""Scores as JSON documents: what `--json` and reports write."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from deadpan.base.printable import escaped_json
from deadpan.core.metric import Metric
from deadpan.core.parts import Parts, items_of
from deadpan.core.score import Score
from deadpan.core.signature import combine_signatures


def scores_document(
    benchmark: str,
    scores: Sequence[Score],
    about: Callable[[str], Metric] = Metric,
    parts: Parts | None = None,
) -> dict[str, object]:
    """The document of the design page: benchmark, signature, metrics, rows."""
    return {
        "benchmark": benchmark,
        "metrics": {
            name: about(name).facts for name in dict.fromkeys(one.metric for one in scores)
        },
        "signature": combine_signatures(score.signature for score in scores if score.signature),
        "rows": [
            score.model_dump(exclude={"signature"}) | items_of(score, parts) for score in scores
        ],
    }


def scores_json(
    scores: Mapping[str, Sequence[Score]],
    about: Callable[[str], Callable[[str], Metric]] = lambda benchmark: Metric,
    parts: Mapping[str, Parts] | None = None,
    as_list: bool = False,
) -> str:
    """One benchmark's document as JSON, or a list of the documents of several (`as_list`: of one
    too); `about` gives what a benchmark tells of its metrics, `parts` which models answered a
    part."""
    known = parts or {}
    documents = [
        scores_document(name, rows, about(name), known.get(name)) for name, rows in scores.items()
    ]
    whole = documents[0] if len(documents) == 1 and not as_list else documents
    return escaped_json(json.dumps(whole, ensure_ascii=False, indent=1)) + "\n"
