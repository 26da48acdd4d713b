"""What rows of MER-Bench's tasks hold in a results table."""

from __future__ import annotations

from pydantic import BaseModel

from deadpan.benchmarks.merbench.answers import EditedPicture
from deadpan.benchmarks.merbench.records import EMOTION, TAXONOMY, Target
from deadpan.benchmarks.merbench.tables import JUDGE_PROMPTS
from deadpan.core.row_form import RowForm


class Gold(BaseModel):
    """What a meme is, and what should become of it."""

    source: str
    source_emotion: str
    target_emotion: Target
    source_caption: str
    reference_caption: str
    specification: str


ROW_FORMS = dict.fromkeys(
    JUDGE_PROMPTS, RowForm(Gold, EditedPicture, dict.fromkeys((*TAXONOMY, EMOTION), str))
)
