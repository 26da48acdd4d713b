"""The study of people that ViMU's paper describes."""

from __future__ import annotations

from deadpan.benchmarks.vimu.studies.gold import write_review
from deadpan.benchmarks.vimu.studies.review import ALL, TASKS, make_review
from deadpan.core.study.templates import StudyTemplate, TemplateOption

REVIEW = StudyTemplate(
    "review",
    {"en": "Review of questions", "zh": "问题评审"},
    "data",
    make_review,
    (
        TemplateOption("people", "5", "experts who review each question", paper="5"),
        TemplateOption(
            "rule",
            "majority",
            "how verdicts become one: by most; or one who rejects it, or sends it back, is enough",
            ("majority", "objection"),
            "silent",
        ),
        TemplateOption(
            "tasks", ALL, "the questions of one task, or of all", (ALL, *TASKS), "all questions"
        ),
        TemplateOption("videos", "0", "how many videos, by lot; 0 for all", paper="588"),
        TemplateOption(
            "only",
            "",
            "the folder of an earlier review's export: only the questions that it returned, as the "
            "data has them now, each with what was said of it",
            paper="major changes are written anew and looked at again, at most three times",
        ),
    ),
    "Experts review each question with its answer: accept, change, send back or reject.",
    write_review,
)
STUDIES = (REVIEW,)
