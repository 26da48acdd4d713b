"""What tables of scores in the terminal put in bold."""

import pytest
from rich.console import Console

from deadpan.cli import output
from deadpan.core.metric import Metric
from deadpan.core.score import Score

ABOUT = {"words": Metric("words", better="lower"), "seen": Metric("seen", better="neither")}


def score(model: str, metric: str, value: float | None, reach: float | None = 0.1) -> Score:
    ends = {} if reach is None or value is None else {"low": value - reach, "high": value + reach}
    return Score(model=model, task="checks", metric=metric, value=value, n=9, **ends)


def test_the_best_is_bold_where_its_interval_is_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    printed = Console(record=True, width=120, force_terminal=True)
    monkeypatch.setattr(output, "console", printed)
    scores = [
        *(score("one", name, 0.9) for name in ("kept", "words", "seen")),
        *(score("two", name, 0.5) for name in ("kept", "words", "seen")),
        *(score(model, "close", value) for model, value in (("one", 0.41), ("two", 0.42))),
        score("one", "bare", 0.1, None),
        score("two", "bare", 0.8),
        score("one", "only", 0.7),
        score("two", "only", None),
        score("three", "kept", 0.2),
    ]
    output.print_side_by_side(scores, lambda name: ABOUT.get(name, Metric(name)))
    lines = printed.export_text(styles=True).splitlines()
    one, two, three = (next(line for line in lines if line.startswith(name)) for name in
                       ("one", "two", "three"))  # fmt: skip
    assert one.count("\x1b[1m") == 1 and "\x1b[1m0.900\x1b[0m" in one, "kept"
    assert two.count("\x1b[1m") == 1 and "\x1b[1m0.500\x1b[0m" in two, "fewer words"
    assert "\x1b[1m" not in three and three.count("–") == 5
