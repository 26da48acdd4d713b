"""What those who review ViMU's questions are asked, as files of annotations name it."""

from __future__ import annotations

from deadpan.core.annotations import AnnotationQuestion

VERDICTS = ("accept", "minor", "major", "reject")
ASKED = (
    AnnotationQuestion("implicit", "label", ("yes", "no")),
    AnnotationQuestion("difficulty", "label", ("easy", "medium", "hard"), level="ordinal"),
    AnnotationQuestion("supported", "label", ("no", "partly", "yes"), level="ordinal"),
    AnnotationQuestion("options_right", "label", ("yes", "no", "none")),
    AnnotationQuestion("verdict", "label", VERDICTS),
    AnnotationQuestion("reason", "label", ("outside_context", "ambiguous", "other")),
    AnnotationQuestion("feedback", "text"),
)
