"""The sheet on which people label failures, as a page beside its JSON lines: picture, words, gold
and the whole answer of each case; what is chosen there is saved as the same JSON lines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from deadpan.base.printable import visible
from deadpan.core.questions import Language
from deadpan.failures.cases import Case, rules_in_words
from deadpan.failures.criteria import Criteria, in_language
from deadpan.reports.pictures import Small, small_pictures
from deadpan.web.pages import asset, embedded_json, page

_PACKAGE = "deadpan.failures"


def sheet_page(
    cases: Sequence[Case], field: str, criteria: Criteria, file: str, folders: Sequence[Path] = ()
) -> str:
    """The page of a sheet whose `field` people fill in; it asks the network for nothing. Pictures
    are Deadpan's own, or lie in one of the folders."""
    found = small_pictures((case.picture for case in cases if case.picture), folders)
    rows = [case.model_dump(mode="json") for case in cases]
    language: Language = "zh" if all(case.language == "zh" for case in cases) else "en"
    return page(
        _PACKAGE,
        "sheet.html",
        file,
        asset(_PACKAGE, "sheet.css"),
        [asset(_PACKAGE, "sheet.js")],
        shown=lambda value: visible(value) if type(value) is str else value,
        cases=cases,
        pictures=[found.get(case.picture or "", Small()) for case in cases],
        types=[
            {
                "name": kind.name,
                "title": in_language(kind.title, language),
                "definition": in_language(kind.definition, language),
            }
            for kind in criteria.types
        ],
        field=field,
        file=file,
        benchmark=cases[0].benchmark,
        rule=rules_in_words(cases[0].wrong),
        rows=embedded_json({"rows": rows, "field": field, "file": file}),
    )
