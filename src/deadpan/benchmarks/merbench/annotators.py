"""What those who build MER-Bench's data are asked, by the names of the records' fields: the labels
of a meme, and at each of three stages whether what was made can stay."""

from __future__ import annotations

from typing import get_args

from deadpan.benchmarks.merbench.records import LayoutType, Polarity, Source, Target, VisualType
from deadpan.core.annotations import AnnotationQuestion

NO_EMOTION = "none"
"""The label of a meme that conveys none of the four emotions clearly."""
DECISIONS = ("accept", "revise", "remove")
STAGES = ("emotion", "plan", "edit")
ASKED = (
    AnnotationQuestion("det_emo", "label", (*get_args(Source), NO_EMOTION)),
    AnnotationQuestion("visual_type", "label", get_args(VisualType)),
    AnnotationQuestion("sentiment_polarity", "label", get_args(Polarity), level="ordinal"),
    AnnotationQuestion("layout_type", "label", get_args(LayoutType)),
    AnnotationQuestion("unclear", "text"),
    AnnotationQuestion("tgt_emo", "label", get_args(Target)),
    *(AnnotationQuestion(name, "text") for name in ("img_desc", "pos_txt", "spec")),
    *(AnnotationQuestion(f"{stage}_verdict", "label", DECISIONS) for stage in STAGES),
    *(AnnotationQuestion(f"{stage}_reason", "text") for stage in STAGES),
    AnnotationQuestion("edited_picture", "label"),
)
