"""A drafted ViMU item as lines of the released files: the open question, and the choice questions
that follow from the evidence and from the categories of the labels."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

from pydantic import JsonValue

from deadpan.benchmarks.vimu.taxonomy import (
    EVIDENCE,
    LETTERS,
    RHETORIC,
    SOCIAL,
    Category,
    Letter,
    Taxonomy,
    macro_letters,
)
from deadpan.core.questions import Language

Line = dict[str, JsonValue]
_ASKED: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "eg": "Which sources of evidence support the reading of this video?",
        "rm": "Which kinds of rhetoric does this video use?",
        "sv": "Which kinds of social value signal does this video send?",
        "instruction": "Choose every option that applies.",
    },
    "zh": {
        "eg": "哪些证据来源支持对这段视频的理解？",
        "rm": "这段视频使用了哪几类修辞手法？",
        "sv": "这段视频传达了哪几类社会价值信号？",
        "instruction": "请选出所有符合的选项。",
    },
}


def drafted_lines(item: str, draft: Mapping[str, JsonValue], language: Language) -> dict[str, Line]:
    """By file (`oe`, `eg`, `ss`) the lines of an item that was drafted; nothing of one that was
    not."""
    annotation, qa = draft.get("annotation"), draft.get("qa")
    if not isinstance(annotation, dict) or not isinstance(qa, dict):
        return {}
    found = annotation.get("evidence")
    evidence: Line = (
        {name: said for name, said in found.items() if said} if isinstance(found, dict) else {}
    )
    asked = _ASKED[language]
    sources = _choice(item, "eg", EVIDENCE, evidence, language)
    return {
        "oe": {
            "video_id": item,
            "qa": qa,
            "taxonomy": {**annotation, "evidence": evidence, "language": language},
        },
        "eg": {
            "video_id": item,
            "question": asked["eg"],
            **sources,
            "open_ended_question": qa.get("question"),
        },
        "ss": {
            "video_id": item,
            "mcq_tasks": {
                name: {
                    "question": asked[task],
                    **_choice(item, task, taxonomy, _labels(annotation.get(name)), language),
                }
                for name, task, taxonomy in (
                    ("rhetoric_mechanisms", "rm", RHETORIC),
                    ("social_value_signals", "sv", SOCIAL),
                )
            },
        },
    }


def _labels(value: JsonValue) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else []


def _choice(
    item: str, task: str, taxonomy: Taxonomy, fine_labels: Iterable[str], language: Language
) -> Line:
    """Options and gold of a choice question; sources are labelled as the evidence names them."""
    offered = dealt(item, task, taxonomy)
    right = macro_letters(taxonomy, fine_labels)
    gold = [letter for letter, category in offered.items() if category.letter in right]
    options: Line = {
        letter: {
            "label": category.members[0].name if task == "eg" else category.label,
            "text": category.label_zh if language == "zh" else category.label,
        }
        for letter, category in offered.items()
    }
    labels = {} if task == "eg" else {"ground_truth_labels": [offered[one].label for one in gold]}
    return {
        "instruction": _ASKED[language]["instruction"],
        "options": options,
        "ground_truth": list[JsonValue](gold),
        **{name: list[JsonValue](value) for name, value in labels.items()},
    }


def dealt(item: str, task: str, taxonomy: Taxonomy) -> dict[Letter, Category]:
    """The categories under letters that the item and the task decide by lot, so that no letter is
    right more often and the same item always has the same options."""
    order = random.Random(f"{item}/{task}").sample(taxonomy, len(taxonomy))
    return dict(zip(LETTERS, order, strict=True))
