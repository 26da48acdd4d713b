"""Which answers of a results table are wrong, by the rules that a user names."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import polars as pl

from deadpan.base.errors import DeadpanError
from deadpan.failures.cases import BADLY_EXPLAINED, OWN, Case, cases_of, rules_of
from deadpan.failures.explained import badly_explained
from deadpan.pipeline.kept_options import with_kept
from deadpan.pipeline.scoring_choices import scoring_options


def find_cases(
    table: pl.DataFrame,
    wrong: Sequence[str] = (),
    explained_by: str | None = None,
    metric_models: Sequence[str] = (),
    tasks: Sequence[str] = (),
    say: Callable[[str], None] = lambda line: None,
) -> list[Case]:
    """The wrong answers, to some tasks or to all: by the benchmark's own rule, and by what it holds
    for a bad explanation, where no other rule is named. What explains badly is said."""
    names = list(wrong or (OWN,))
    rules = rules_of(table, names)
    if OWN in names:
        options = scoring_options(table["benchmark"].unique(), models=list(metric_models))
        explained = badly_explained(table, explained_by, with_kept(options, table, say))
        if explained is not None:
            rules.append(explained.why)
            names.append(BADLY_EXPLAINED + explained.name)
            say(f"badly explained: {explained.describe()}")
    elif explained_by or metric_models:
        raise DeadpanError(f"--badly-explained and --metric-model belong to --wrong {OWN}")
    return cases_of(table, rules, ",".join(names), tasks)
