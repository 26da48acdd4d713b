"""What rows of ViMU's tasks hold in a results table."""

from __future__ import annotations

from deadpan.benchmarks.vimu.names import CHOICES
from deadpan.benchmarks.vimu.records import Reading
from deadpan.benchmarks.vimu.taxonomy import Letter
from deadpan.core.row_form import AttributeType, RowForm

_ATTRIBUTES: dict[str, AttributeType] = {
    **dict.fromkeys(("difficulty", "speech"), str),
    **dict.fromkeys(("rhetoric", "social", "categories"), list),
}

ROW_FORMS: dict[str, RowForm] = {
    "oe": RowForm(Reading, str, _ATTRIBUTES),
    **dict.fromkeys(CHOICES, RowForm(list[Letter], list[Letter], _ATTRIBUTES)),
}
