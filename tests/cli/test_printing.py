"""Tables of scores in a terminal: what is bold, and what becomes of them where there is no room."""

import io

import polars as pl
import pytest
from rich.console import Console

from deadpan.cli import output
from deadpan.cli.score_tables import print_scores, print_side_by_side
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
    print_side_by_side(scores, lambda name: ABOUT.get(name, Metric(name)))
    lines = printed.export_text(styles=True).splitlines()
    one, two, three = (next(line for line in lines if line.startswith(name)) for name in
                       ("one", "two", "three"))  # fmt: skip
    assert one.count("\x1b[1m") == 1 and "\x1b[1m0.900\x1b[0m" in one, "kept"
    assert two.count("\x1b[1m") == 1 and "\x1b[1m0.500\x1b[0m" in two, "fewer words"
    assert "\x1b[1m" not in three and three.count("–") == 5


def test_metrics_in_per_cent_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    about = {"hits": Metric("hits", unit="percent", decimals=1)}
    for show in (lambda *of: print_scores(of[0], False, of[1]), print_side_by_side):
        printed = Console(record=True, width=160, file=io.StringIO())
        monkeypatch.setattr(output, "console", printed)
        scores = [score("one", "hits", 37.5), score("one", "answered", 0.667)]
        show(scores, lambda name: about.get(name, Metric(name)))
        said = printed.export_text()
        assert "hits %" in said and "answered %" not in said and "37.5" in said


def printed_at(width: int, scores: list[Score], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lines of a table of scores in a terminal of that width."""
    printed = Console(record=True, width=width, force_terminal=True, file=io.StringIO())
    monkeypatch.setattr(output, "console", printed)
    print_scores(scores, groups=False)
    return [line.rstrip() for line in printed.export_text().splitlines()]


NAMED = "openai-api/local/acme-lab/Quirky-VL:7b-instruct"


@pytest.mark.parametrize("width", [30, 60, 80, 120, 160])
def test_a_narrow_terminal_loses_no_name_and_no_value(
    width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = [score(NAMED, "judge_rating", 0.5), score("baseline/ocr", "f1", 0.25)]
    said = "\n".join(printed_at(width, scores, monkeypatch))
    for wanted in (NAMED, "baseline/ocr", "judge_rating", "0.500", "0.400 to 0.600", "f1", "0.250"):
        assert wanted in said
    assert "…" not in said


def test_counts_of_nothing_go_first_and_then_models_have_tables_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cut = Score(model="b", task="checks", metric="f1", value=0.5, n=9, truncated=3)
    scores = [score("a", "f1", 0.5), cut]
    whole = printed_at(160, scores, monkeypatch)
    assert "invalid" in whole[0] and "truncated" in whole[0] and len(whole) == 3
    narrow = printed_at(60, scores, monkeypatch)
    assert "truncated" in narrow[0] and "invalid" not in narrow[0]
    assert narrow[-1] == "0 everywhere: invalid, refused, unscored, not given"
    long = printed_at(60, [score(NAMED, "f1", 0.5)], monkeypatch)
    assert long[0] == NAMED and long[1].split()[0] == "task"


def test_a_name_of_any_length_breaks_at_last(monkeypatch: pytest.MonkeyPatch) -> None:
    said = printed_at(80, [score("m", "x" * 5_000, 0.5)], monkeypatch)
    assert max(map(len, said)) <= 240


@pytest.mark.parametrize(
    ("cut", "told"),
    [(1, "1 reply was cut off at the token limit and counts as wrong"),
     (1200, "1,200 replies were cut off at the token limit and count as wrong")],
)  # fmt: skip
def test_one_reply_counts_and_several_count(
    cut: int, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = Console(record=True, width=120, file=io.StringIO())
    monkeypatch.setattr(output, "errors", printed)
    output.say_odd(pl.DataFrame({"item": "a", "outcome": ["truncated"] * cut, "notes": None}))
    assert told in printed.export_text()
