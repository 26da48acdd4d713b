"""What rows of PixelHumor's tasks hold in a results table."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, StringConstraints

from deadpan.core.row_form import RowForm


class PanelText(BaseModel):
    """The gold of `panel_text`."""

    sequence: list[int]
    text: str


_Number = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,9}$")]
_ATTRIBUTES: dict[str, type[str] | type[int]] = {
    "source": str,
    "panels": int,
    "harm": str,
    "styles": str,
}
_LABELS = RowForm(list[str], list[str], _ATTRIBUTES)

ROW_FORMS = {
    "presence": _LABELS,
    "sound_effect": _LABELS,
    "panel": RowForm(list[str], list[_Number], _ATTRIBUTES),
    "modality": _LABELS,
    "style": _LABELS,
    "interpretation": RowForm(str | None, str, _ATTRIBUTES),
    "panel_order": RowForm(list[int], list[int], _ATTRIBUTES),
    "panel_text": RowForm(PanelText, list[tuple[int, str]], _ATTRIBUTES),
}
