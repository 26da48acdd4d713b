"""What annotators of JanusMM are asked, as files of annotations name it: the filter's verdict, and
the labels of both stages part by part."""

from __future__ import annotations

from deadpan.core.annotations import AnnotationQuestion

VERDICTS = ("keep", "not_self_deprecating", "unsafe")
REASONS = (
    *("mocks_others", "no_joke", "praise", "unclear"),
    *("slur", "attack", "personal_data", "other"),
)
STAGE1 = ("thinking_text", "thinking_image", "thinking_logic")
STAGE2 = (
    *("sender_content", "sender_logic", "sender_need"),
    *("receiver_intent", "receiver_reply"),
)
ASKED = (
    AnnotationQuestion("verdict", "label", VERDICTS),
    AnnotationQuestion("reasons", "labels", REASONS),
    AnnotationQuestion("other_reason", "text"),
    AnnotationQuestion("emotion", "label"),
    *(AnnotationQuestion(name, "text") for name in (*STAGE1, *STAGE2)),
)
