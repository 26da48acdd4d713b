"""The studies of a benchmark: those of its paper, and those that any benchmark can have."""

from __future__ import annotations

from typing import Any

from deadpan.core.benchmark import Benchmark
from deadpan.core.study.templates import StudyTemplate
from deadpan.studies.making.failure_templates import audit_template, failure_template
from deadpan.studies.making.judge_template import judge_template


def offered_templates(benchmark: Benchmark[Any]) -> tuple[StudyTemplate, ...]:
    """Its paper's studies; of its judge, where it has one; and of why answers are wrong."""
    judged = judge_template(benchmark)
    return (
        *benchmark.studies,
        *([judged] if judged else []),
        failure_template(benchmark.name),
        audit_template(benchmark.name),
    )
