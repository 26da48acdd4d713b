"""A film's gold as it is written by hand, and the released rows it becomes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from deadpan.benchmarks.vimu.taxonomy import (
    EVIDENCE,
    RHETORIC,
    SOCIAL,
    Letter,
    Taxonomy,
    macro_letters,
)
from deadpan.core.questions import Language
from minisets.vimu.options import Offered

Source = Literal["frames", "text", "editing", "transcript", "audio_tone"]
Difficulty = Literal["easy", "medium", "hard"]
Rhetoric = Literal[
    "literal_only", "contrast", "bait_and_switch", "role_reversal", "absurdism", "sarcasm", "irony",
    "deadpan", "mockery", "exaggeration", "parody", "innuendo", "stereotype_invocation",
    "dog_whistle_or_code", "other",
]  # fmt: skip
Social = Literal[
    "none", "negative_affect", "fatalism_or_cynicism", "contempt", "humiliation",
    "aggression_or_hostility", "exclusion", "discrimination_or_prejudice", "norm_violation",
    "anti_mainstream_value", "political_or_identity_signal", "sexual_implication", "other",
]  # fmt: skip

Json = str | Sequence[str] | dict[str, "Json"]
Row = dict[str, Json]

QUESTIONS: dict[Language, tuple[str, str, str]] = {
    "en": (
        "Which sources of evidence support the reading of this video?",
        "Which kinds of rhetoric does this video use?",
        "Which kinds of social value signal does this video send?",
    ),
    "zh": (
        "哪些证据来源支持对这段视频的理解？",
        "这段视频使用了哪几类修辞手法？",
        "这段视频传达了哪几类社会价值信号？",
    ),
}
INSTRUCTIONS: dict[Language, str] = {
    "en": "Choose every option that applies.",
    "zh": "请选出所有符合的选项。",
}


@dataclass(frozen=True)
class Gold:
    """What a film means and how one can tell, in the film's language."""

    question: str
    answer: str
    difficulty: Difficulty
    rubric: tuple[str, ...]
    literal_summary: str
    intended_meaning: str
    evidence: dict[Source, str]
    rhetoric: tuple[Rhetoric, ...]
    social: tuple[Social, ...]
    targets: tuple[str, ...]


def open_ended_row(video_id: str, gold: Gold, language: Language) -> Row:
    """The line of vimu_oe.jsonl."""
    evidence: dict[str, Json] = {source: told for source, told in gold.evidence.items()}
    return {
        "video_id": video_id,
        "qa": {
            "question": gold.question,
            "answer": gold.answer,
            "difficulty": gold.difficulty,
            "rubric": gold.rubric,
        },
        "taxonomy": {
            "literal_summary": gold.literal_summary,
            "intended_meaning": gold.intended_meaning,
            "evidence": evidence,
            "rhetoric_mechanisms": gold.rhetoric,
            "social_value_signals": gold.social,
            "target_subjects": gold.targets,
            "language": language,
        },
    }


def evidence_row(video_id: str, gold: Gold, language: Language, offered: Offered) -> Row:
    """The line of vimu_eg.jsonl; its options are labelled by the evidence's keys."""
    options: dict[str, Json] = {
        letter: {
            "label": category.members[0].name,
            "text": category.label_zh if language == "zh" else category.label,
        }
        for letter, category in offered.items()
    }
    return {
        "video_id": video_id,
        "question": QUESTIONS[language][0],
        "instruction": INSTRUCTIONS[language],
        "options": options,
        "ground_truth": _right(offered, EVIDENCE, gold.evidence),
        "open_ended_question": gold.question,
    }


def structure_row(
    video_id: str, gold: Gold, language: Language, rhetoric: Offered, social: Offered
) -> Row:
    """The line of vimu_ss.jsonl."""
    _, how, what = QUESTIONS[language]
    return {
        "video_id": video_id,
        "mcq_tasks": {
            "rhetoric_mechanisms": _choice(
                how, rhetoric, _right(rhetoric, RHETORIC, gold.rhetoric), language
            ),
            "social_value_signals": _choice(
                what, social, _right(social, SOCIAL, gold.social), language
            ),
        },
    }


def _choice(question: str, offered: Offered, letters: list[Letter], language: Language) -> Row:
    options: dict[str, Json] = {
        letter: {
            "label": category.label,
            "text": category.label_zh if language == "zh" else category.label,
        }
        for letter, category in offered.items()
    }
    return {
        "question": question,
        "instruction": INSTRUCTIONS[language],
        "options": options,
        "ground_truth": letters,
        "ground_truth_labels": [offered[letter].label for letter in letters],
    }


def _right(offered: Offered, taxonomy: Taxonomy, fine_labels: Iterable[str]) -> list[Letter]:
    usual = macro_letters(taxonomy, fine_labels)
    return [letter for letter, category in offered.items() if category.letter in usual]
