"""The choices of scoring as they are typed: gates, models, lexicons, readings, draws."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from deadpan.base.errors import DeadpanError, meant
from deadpan.base.files import is_there
from deadpan.base.resources import catalogue
from deadpan.benchmarks import find
from deadpan.core.questions import Language
from deadpan.core.score import Draws, ScoringOptions
from deadpan.metrics.text_scores import LEXICAL

if TYPE_CHECKING:
    pass


def scoring_options(
    benchmarks: Iterable[str],
    gate: str | None = None,
    models: Sequence[str] | None = None,
    draws: Draws | None = None,
    lexicons: Sequence[str] | None = None,
    reading: str | None = None,
) -> ScoringOptions:
    """The choices made when scoring, checked against what the benchmarks take."""
    known = [find(name) for name in benchmarks]
    gates = list(dict.fromkeys(one for benchmark in known for one in benchmark.gates))
    if gate is not None and not gates:
        raise DeadpanError(f"--gate {gate}: nothing here is gated; leave it out")
    if gate is not None and gate not in gates:
        raise DeadpanError(f"--gate {gate}: expected one of {', '.join(gates)}")
    readings = list(dict.fromkeys(one for benchmark in known for one in benchmark.readings))
    if reading is not None and reading not in readings:
        expected = f"expected one of {', '.join(readings)}" if readings else "there is one way here"
        raise DeadpanError(f"--reading {reading}: {expected}")
    if draws not in (None, Draws()) and not any(benchmark.draws_samples for benchmark in known):
        what = "--draw-seed, --draws and --draw-size"
        raise DeadpanError(f"{what}: nothing here is scored by samples")
    taken = [(metric, one.languages) for one in known for metric in one.metric_models]
    return ScoringOptions(
        gate=gate,
        models=metric_models(models or (), taken),
        draws=draws or Draws(),
        lexicons=chosen_lexicons(lexicons or (), [one.lexicons for one in known]),
        reading=reading,
    )


def chosen_lexicons(
    options: Sequence[str], taken: Iterable[Mapping[Language, Sequence[str]]]
) -> dict[Language, str]:
    """The lexicons of `LANGUAGE=NAME`; one that nothing is measured with, or two for a language,
    raises. `taken` are the lexicons that each benchmark takes."""
    known = {f"{code}={name}": code for one in taken for code in one for name in one[code]}
    chosen: dict[Language, str] = {}
    for option in options:
        if option not in known:
            expected = ", ".join(known) or "none: nothing here is measured with a lexicon"
            raise DeadpanError(f"--lexicon {option}: expected one of {expected}")
        language, name = known[option], option.partition("=")[2]
        if chosen.setdefault(language, name) != name:
            raise DeadpanError(f"--lexicon {language} is given twice, with different lexicons")
    return chosen


def metric_models(
    options: Sequence[str], taken: Iterable[tuple[str, Sequence[str]]]
) -> Mapping[str, str]:
    """The models of `METRIC[:LANGUAGE]=MODEL`; a metric that takes none, or two models, raises.
    `taken` are the metrics that take one, with their languages."""
    names = [
        f"{metric}{suffix}"
        for metric, languages in taken
        for suffix in ("", *(f":{language}" for language in languages))
    ]
    chosen: dict[str, str] = {}
    for option in options:
        metric, _, model = option.partition("=")
        if metric not in names or not model:
            expected = ", ".join(f"{name}=MODEL" for name in names) or "none: no metric takes one"
            raise DeadpanError(f"--metric-model {option}: expected one of {expected}")
        if chosen.setdefault(metric, model) != model:
            raise DeadpanError(f"--metric-model {metric} is given twice, with different models")
        _require_no_typo(option, model)
    return chosen


def _require_no_typo(option: str, model: str) -> None:
    """Raises for a name that is nearly one of ours, before libraries are loaded to look for it: no
    folder, and no name of the hub's either, as those have an owner."""
    known = [LEXICAL, *(one.name for one in catalogue())]
    is_other = "/" in model or model in known or is_there(Path(model.partition("#")[0]))
    if not is_other and (hint := meant(model, known)):
        raise DeadpanError(f"--metric-model {option}: no such resource or folder{hint}")
