"""Gates, groups and habits on a hand-made table."""

import json
from collections.abc import Sequence
from typing import Any

import polars as pl
import pytest

from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks.pixelhumor import PIXELHUMOR
from deadpan.core.questions import Reply
from deadpan.core.score import Score, ScoringOptions, select
from deadpan.core.signature import Signature
from deadpan.pipeline.table_files import table_of

GOLD: dict[str, list[Any]] = {
    "presence": [["Yes"], ["Yes"], ["No"], ["Yes"]],
    "panel": [["1"], ["2"], ["NA"], ["1"]],
    "style": [["Pun"], ["Pun", "Dark"], ["NA"], ["Surprise"]],
    "panel_order": [[2, 1], [1, 2], [1], [2, 1, 3]],
    "panel_text": [
        {"sequence": [2, 1], "text": "1: B \n 2: A"},
        {"sequence": [1, 2], "text": "1: A \n 2: B"},
        {"sequence": [1], "text": "1: "},
        {"sequence": [2, 1, 3], "text": "1: A"},
    ],
}
PANELS = [2, 2, 1, 3]


def table(**answers: Sequence[str | None]) -> pl.DataFrame:
    """Four comics' results; None is a failed call."""
    rows = []
    for task, replies in answers.items():
        signature = Signature("pixelhumor", task, "1", 4, "d", "p")
        for index, text in enumerate(replies):
            reply = Reply(error="timeout") if text is None else Reply(text=text)
            grade = PIXELHUMOR.parse(task, reply, "en")
            rows.append(
                {
                    "benchmark": "pixelhumor",
                    "task": task,
                    "version": "1",
                    "model": "m",
                    "item": f"c_{index}",
                    "epoch": 1,
                    "language": "en",
                    "answer": text,
                    "parsed": json.dumps(grade.parsed) if grade.parsed is not None else None,
                    "gold": json.dumps(GOLD[task][index]),
                    "outcome": grade.outcome,
                    "reason": grade.reason,
                    "picture": None,
                    "input_tokens": None,
                    "output_tokens": None,
                    "seconds": None,
                    "signature": str(signature),
                    "attr.source": "xkcd" if index < 2 else "smbc",
                    "attr.panels": PANELS[index],
                    "attr.harm": "non-harm",
                    "attr.styles": "+".join(GOLD["style"][index]),
                }
            )
    return table_of(rows)


def scores(gate: str | None = None, **answers: Sequence[str | None]) -> list[Score]:
    return PIXELHUMOR.score(table(**answers), ScoringOptions(gate=gate))


def value(found: list[Score], task: str, metric: str, group: str = "all") -> float | None:
    (score,) = select(found, task=task, metric=metric, group=group)
    return score.value


PRESENCE = ["Yes", "no", "No", "Yes"]
PANEL = ["1", "2", "1", "1"]


class TestGateCounts:
    """Answers that the gate does not let through are counted, and why."""

    # Yes, a No, nothing that can be read, a failed call.
    FIRST = ("Yes", "No", "perhaps", None)

    @pytest.mark.parametrize("gate", ["na", "skip"])
    def test_a_no_and_an_unread_answer_are_told_apart(self, gate: str) -> None:
        found = scores(gate, presence=self.FIRST, panel=PANEL)
        for metric, count in (("gated", 2), ("gated_unread", 1)):
            (one,) = select(found, task="panel", metric=metric)
            assert (one.value, one.n, one.unscored, one.group) == (count, 3, 1, "all")
            assert f"gate:{gate}" in one.signature

    @pytest.mark.parametrize("gate", ["na", "skip"])
    def test_comics_that_nobody_was_asked_about_are_not_given(self, gate: str) -> None:
        """A Yes and a No to c_0 and c_1; nobody answered anything of the others."""
        rows = table(presence=PRESENCE, panel=PANEL)
        lost = pl.col("item").is_in(["c_2", "c_3"])
        outcome = pl.when(lost).then(pl.lit("not_given")).otherwise("outcome")
        parsed = pl.when(~lost).then("parsed")
        found = PIXELHUMOR.score(
            rows.with_columns(outcome=outcome, parsed=parsed), ScoringOptions(gate=gate)
        )
        for metric, count in (("gated", 1), ("gated_unread", 0)):
            (one,) = select(found, task="panel", metric=metric)
            assert (one.value, one.n, one.unscored, one.not_given) == (count, 2, 0, 2)

    def test_a_yes_that_only_skip_hears(self) -> None:
        heard = ["Yes and no", *PRESENCE[1:]]
        assert value(scores("na", presence=heard, style=["Pun"] * 4), "style", "gated") == 3
        assert value(scores("skip", presence=heard, style=["Pun"] * 4), "style", "gated") == 2

    def test_a_comic_whose_q1_is_missing_is_not_scored_and_not_gated(self) -> None:
        rows = table(presence=PRESENCE, panel=PANEL)
        rows = rows.filter(~((pl.col("task") == "presence") & (pl.col("item") == "c_0")))
        found = PIXELHUMOR.score(rows, ScoringOptions())
        assert value(found, "panel", "gated") == 2
        assert value(found, "panel", "gated_unread") == 0

    def test_where_nothing_is_gated_nothing_is_counted(self) -> None:
        assert not select(scores("none", presence=PRESENCE, panel=PANEL), metric="gated")
        assert not select(scores(None, panel=PANEL), metric="gated")
        assert not select(scores("na", presence=PRESENCE), metric="gated")
        assert value(scores("skip", presence=PRESENCE), "presence", "gated") == 2

    def test_gates_move_no_other_score(self) -> None:
        """One gated NA is gold's, so that of two labels one is right."""
        found = scores("na", presence=PRESENCE, panel=PANEL)
        assert value(found, "panel", "recall") == pytest.approx(3 / 4)


class TestOrders:
    def test_accuracy_without_single_panels_and_golds_own_habit(self) -> None:
        found = scores(panel_order=["1,2", "1,2", "1", "2,1,3"])
        assert value(found, "panel_order", "accuracy") == pytest.approx(3 / 4)
        assert value(found, "panel_order", "accuracy_multi") == pytest.approx(2 / 3)
        assert value(found, "panel_order", "default_order") == pytest.approx(2 / 3)
        assert value(found, "panel_order", "default_order_gold") == pytest.approx(1 / 3)
        (multi,) = select(found, task="panel_order", metric="accuracy_multi", group="all")
        assert multi.n == 3
        assert PIXELHUMOR.metric("accuracy_multi").title == "accuracy, 2+ panels"

    def test_an_invalid_order_is_wrong_and_says_nothing_of_habits(self) -> None:
        found = scores(panel_order=["no idea", "1,2", "1", None])
        assert value(found, "panel_order", "accuracy_multi") == pytest.approx(1 / 2)
        (habit,) = select(found, task="panel_order", metric="default_order_gold")
        assert (habit.value, habit.n) == (1, 1)


class TestGates:
    def test_na_answers_for_comics_not_understood(self) -> None:
        found = scores(presence=PRESENCE, panel=PANEL)
        (recall,) = select(found, task="panel", metric="recall", group="all")
        assert recall.value == pytest.approx(3 / 4)
        assert (recall.n, recall.invalid, recall.unscored) == (4, 0, 0)
        assert "gate:na" in recall.signature

    def test_skip_scores_only_comics_understood(self) -> None:
        found = scores("skip", presence=PRESENCE, panel=PANEL)
        (recall,) = select(found, task="panel", metric="recall", group="all")
        assert (recall.value, recall.n) == (1.0, 2)
        assert select(found, task="presence", metric="recall", group="all")[0].n == 2

    def test_none_takes_answers_as_they_are(self) -> None:
        assert value(scores("none", presence=PRESENCE, panel=PANEL), "panel", "recall") == 3 / 4

    def test_without_the_first_question_there_is_no_gate(self) -> None:
        (recall,) = select(scores(panel=PANEL), metric="recall", group="all")
        assert "gate:none" in recall.signature

    def test_an_unscored_first_question_leaves_the_comic_out(self) -> None:
        found = scores(presence=["Yes", None, "No", "Yes"], panel=PANEL)
        (recall,) = select(found, task="panel", metric="recall", group="all")
        assert (recall.n, recall.unscored, recall.value) == (3, 1, 1.0)

    def test_invalid_replies_stay_counted_behind_the_gate(self) -> None:
        found = scores(presence=["No"] * 4, panel=["what", None, "1", "1"])
        (recall,) = select(found, task="panel", metric="recall", group="all")
        assert (recall.n, recall.invalid, recall.unscored) == (4, 1, 0)

    def test_an_unknown_gate_is_named(self) -> None:
        with pytest.raises(DeadpanError, match="expected one of na, skip, none"):
            scores("maybe", presence=PRESENCE)


class TestOutcomes:
    def test_invalid_and_refused_are_wrong_failed_is_left_out(self) -> None:
        found = scores(presence=["Yes", "perhaps", "I'm sorry, I can't help with that.", None])
        (recall,) = select(found, task="presence", metric="recall", group="all")
        assert (recall.n, recall.unscored) == (3, 1)
        assert recall.wrong_counts == {"invalid": 1, "truncated": 0, "refused": 1}
        assert recall.value == pytest.approx(1 / 3)

    def test_nothing_scored_has_no_value(self) -> None:
        for score in scores(presence=[None] * 4, panel_order=[None] * 4):
            assert score.value is None or score.metric == "styles_predicted"


class TestStyle:
    STYLE = ("Pun", "Pun, Silliness", "gibberish", "Surprise, Pun, Dark")

    def test_counts_per_style(self) -> None:
        found = scores("none", style=self.STYLE)
        counts = [value(found, "style", m, "style=Pun") for m in ("tp", "fp", "tn", "fn")]
        assert counts == [2, 1, 1, 0]
        assert value(found, "style", "recall", "style=Dark") == 0.0
        assert value(found, "style", "recall", "style=Silliness") is None

    def test_styles_named_per_comic(self) -> None:
        found = scores("none", style=self.STYLE)
        named = [value(found, "style", "styles_predicted", f"styles={n}") for n in "0123"]
        assert named == [1, 1, 1, 1]

    def test_f1_of_the_comics_with_a_style(self) -> None:
        found = scores("none", style=self.STYLE)
        assert value(found, "style", "f1", "style=Surprise") == 1.0
        assert value(found, "style", "f1", "source=xkcd") == pytest.approx(2 / 3)


class TestOrder:
    def test_accuracy_and_habits(self) -> None:
        found = scores(panel_order=["2,1", "1,2", "1", "1,2,3,4"])
        assert value(found, "panel_order", "accuracy") == 3 / 4
        assert value(found, "panel_order", "accuracy", "panels=3") == 0.0
        assert value(found, "panel_order", "out_of_range") == 1 / 4
        assert value(found, "panel_order", "default_order") == pytest.approx(1 / 3)

    def test_text_follows_the_models_own_order(self) -> None:
        texts = ["1: B\n2: A", "1: A\n2: B", "", "1: A"]
        found = scores(panel_order=["2,1", "2,1", "1", "2,1,3"], panel_text=texts)
        assert value(found, "panel_text", "accuracy") == 3 / 4
        assert value(found, "panel_text", "wer") == pytest.approx(1 / 4)
        (wer,) = select(found, task="panel_text", metric="wer", group="all")
        assert "order:answered" in wer.signature

    def test_an_order_that_says_nothing_makes_the_text_wrong(self) -> None:
        texts = ["2: A\n1: B", "1: A\n2: B", "", "1: A"]
        orders = ["who knows", "I'm sorry, but I can't assist with that.", "who knows", "2,1,3"]
        right = scores(panel_order=["2,1", "1,2", "1", "2,1,3"], panel_text=texts)
        wrong = scores(panel_order=orders, panel_text=texts)
        for metric in ("wer", "cer"):
            assert value(wrong, "panel_text", metric) == value(right, "panel_text", metric)
        lost = value(right, "panel_text", "accuracy") - value(wrong, "panel_text", "accuracy")
        assert lost == 2 / 4, "a comic without text has no order to get wrong"

    def test_an_order_that_failed_leaves_the_text_out(self) -> None:
        found = scores(panel_order=[None, "1,2", "1", "2,1,3"], panel_text=["1: B\n2: A"] * 4)
        assert select(found, task="panel_text", metric="wer", group="all")[0].unscored == 1

    def test_an_invalid_text_is_never_accurate(self) -> None:
        found = scores(panel_text=["no", "no", "no", "no"])
        assert value(found, "panel_text", "accuracy") == 0.0
        (wer,) = select(found, task="panel_text", metric="wer", group="all")
        assert wer.invalid == 4 and "order:listed" in wer.signature


def test_an_invalid_text_where_gold_has_none_counts_its_length() -> None:
    found = scores(panel_text=["1: B\n2: A", "1: A\n2: B", "Neither here nor there.", "1: A"])
    assert value(found, "panel_text", "wer", "panels=1") == 4.0
    assert value(found, "panel_text", "accuracy", "panels=1") == 0.0


def test_a_table_without_attributes_is_named() -> None:
    bare = table(presence=PRESENCE).drop("attr.styles")
    with pytest.raises(InputError, match=r"no column attr\.styles"):
        PIXELHUMOR.score(bare, ScoringOptions())


def test_out_of_range_panels_are_a_share_of_answers() -> None:
    found = scores("none", panel=["1", "9", "what", "3"])
    assert value(found, "panel", "out_of_range") == pytest.approx(1 / 3)
