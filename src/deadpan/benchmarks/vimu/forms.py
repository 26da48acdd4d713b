"""What rows of ViMU's tasks hold in a results table."""

from __future__ import annotations

from deadpan.benchmarks.vimu.names import CHOICES
from deadpan.benchmarks.vimu.records import Reading
from deadpan.benchmarks.vimu.taxonomy import Letter
from deadpan.core.row_form import RowForm

_ATTRIBUTES = dict.fromkeys(("difficulty", "rhetoric", "social", "speech", "categories"), str)

ROW_FORMS: dict[str, RowForm] = {
    "oe": RowForm(Reading, str, _ATTRIBUTES),
    **dict.fromkeys(CHOICES, RowForm(list[Letter], list[Letter], _ATTRIBUTES)),
}
