"""Scores of a table worked out by hand."""

import math
from collections.abc import Mapping
from pathlib import Path

import polars as pl
import pytest

from deadpan.base.errors import InputError
from deadpan.benchmarks.vimu import VIMU
from deadpan.benchmarks.vimu.records import Video, read_videos
from deadpan.core.answers import Answers
from deadpan.core.dataset import Dataset
from deadpan.core.measurement import Measurement
from deadpan.core.score import Score, ScoringOptions
from deadpan.core.signature import parse_signature, require_equal
from tests.benchmarks.vimu.data_folder import (
    RHETORIC,
    SOURCES,
    answered,
    changed,
    judgement,
    options,
    rows,
    write,
)

GOLD = {
    "v1": ("AB", "BC", "C"),
    "v2": ("A", "B", "A"),
    "v3": ("CD", "BD", "E"),
    "v4": ("ABC", "C", "B"),
}
ANSWERS: Mapping[str, Mapping[str, str | None]] = {
    "eg": {"v1": "A", "v2": "A", "v3": "C, E", "v4": "who knows"},
    "rm": {"v1": "B", "v2": "A, B", "v3": "B, D", "v4": None},
    "sv": {"v1": "C", "v2": "A", "v3": "I'm sorry, but I can't help with that.", "v4": "none"},
    "rm_guided": {"v1": "B, C", "v2": "B", "v3": "B", "v4": "C"},
    "sv_guided": {"v1": "C", "v2": "A", "v3": "E", "v4": "B"},
    "oe": {"v1": "It mocks.", "v2": "It jokes.", "v3": None, "v4": "It is."},
}
JUDGED = {
    "v1": [judgement(5)],
    "v2": [judgement(3), judgement(2, hallucination=1, flags=("the total differed",))],
}


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset[Video]:
    return read_videos(write(tmp_path, rows(GOLD)))


def scores(table: pl.DataFrame) -> list[Score]:
    made = VIMU.score(table, ScoringOptions())
    require_equal(((one.model, one.signature) for one in made), mix=False)
    return made


def values(made: list[Score], task: str, model: str = "m") -> dict[tuple[str, str], float | None]:
    found = [f for f in made if f.task == task and f.model == model]
    assert len({(f.metric, f.group) for f in found}) == len(found)
    return {(f.metric, f.group): f.value for f in found}


def one(made: list[Score], task: str, metric: str, group: str = "all", model: str = "m") -> Score:
    (found,) = [
        f for f in made if (f.task, f.metric, f.group, f.model) == (task, metric, group, model)
    ]
    return found


@pytest.fixture
def made(dataset: Dataset[Video]) -> list[Score]:
    return scores(answered(dataset, ANSWERS, judged=JUDGED))


class TestEvidence:
    def test_headlines(self, made: list[Score]) -> None:
        """Strict scores 0.5, 1, 0, 0; 4 chosen and 8 gold sources, 3 of them right."""
        found = values(made, "eg")
        assert found["score", "all"] == pytest.approx(37.5)
        assert found["exact", "all"] == pytest.approx(0.25)
        assert found["zero", "all"] == pytest.approx(0.5)
        assert found["conservatism", "all"] == pytest.approx(-1)
        assert found["micro_f1", "all"] == pytest.approx(0.5)

    def test_counts(self, made: list[Score]) -> None:
        score = one(made, "eg", "score")
        assert (score.n, score.invalid, score.unscored) == (4, 1, 0)

    @pytest.mark.parametrize(
        ("group", "score"),
        [
            ("language=en", 25),
            ("language=zh", 50),
            ("difficulty=easy", 25),
            ("speech=yes", 25),
            ("speech=no", 50),
            ("rhetoric=B", 50),
            ("rhetoric=C", 25),
            ("rhetoric=D", 0),
            ("social=C", 50),
        ],
    )
    def test_groups(self, made: list[Score], group: str, score: float) -> None:
        assert one(made, "eg", "score", group).value == pytest.approx(score)

    def test_only_the_score_is_grouped(self, made: list[Score]) -> None:
        grouped = {f.metric for f in made if f.group.startswith(("language=", "rhetoric="))}
        assert grouped == {"score"}

    def test_error_shares(self, made: list[Score]) -> None:
        """Of the three that were answered; the invalid reply chose nothing."""
        found = values(made, "eg")
        shares = {"exact": 1 / 3, "miss_only": 1 / 3, "extra_only": 0.0, "mixed": 1 / 3}
        got = {kind: found["error_share", f"error={kind}"] for kind in shares}
        assert got == pytest.approx(shares)
        score = one(made, "eg", "error_share", "error=exact")
        assert (score.n, score.invalid) == (3, 0)

    def test_an_invalid_reply_is_never_exact(self, tmp_path: Path) -> None:
        nothing = {"v1": ("", "B", "C"), "v2": ("A", "B", "A")}
        dataset = read_videos(write(tmp_path, rows(nothing)))
        made = scores(answered(dataset, {"eg": {"v1": "who knows", "v2": "A"}}))
        assert one(made, "eg", "exact").value == pytest.approx(0.5)

    def test_relation_distortion(self, made: list[Score]) -> None:
        found = values(made, "eg")
        cells = {
            ("frames", "frames"): 0.0,
            ("frames", "text"): -1 / 3,
            ("text", "frames"): -1 / 3,
            ("editing", "audio_tone"): 1 / 3,
            ("editing", "transcript"): -1 / 3,
            ("transcript", "audio_tone"): 0.0,
        }
        for (row, column), value in cells.items():
            group = f"row={row},column={column}"
            assert found["relation_distortion", group] == pytest.approx(value)
        assert sum(metric == "relation_distortion" for metric, _ in found) == 25


class TestStructure:
    def test_headlines(self, made: list[Score]) -> None:
        """0.5, 0 and 1; the failed call is left out."""
        score = one(made, "rm", "score")
        assert score.value == pytest.approx(50)
        assert (score.n, score.invalid, score.unscored) == (3, 0, 1)
        assert one(made, "rm", "exact").value == pytest.approx(1 / 3)

    def test_a_refusal_and_an_empty_choice_score_nothing(self, made: list[Score]) -> None:
        score = one(made, "sv", "score")
        assert score.value == pytest.approx(50)
        assert (score.n, score.invalid, score.refused, score.unscored) == (4, 0, 1, 0)
        assert one(made, "sv", "zero").value == pytest.approx(0.5)

    def test_bias_and_rates(self, made: list[Score]) -> None:
        found = values(made, "rm")
        expected = {
            "affinity_bias": (1 / 3, 0, -1 / 3, 0, 0),
            "false_positive_rate": (1 / 3, None, 0, 0, 0),
            "false_negative_rate": (None, 0, 1, 0, None),
        }
        for metric, wanted in expected.items():
            got = [found[metric, f"option={letter}"] for letter in "ABCDE"]
            for value, right in zip(got, wanted, strict=True):
                assert (value is None) == (right is None)
                assert right is None or value == pytest.approx(right)

    def test_co_occurrence(self, made: list[Score]) -> None:
        found = values(made, "rm")
        assert found["co_occurrence", "row=A,column=B"] == pytest.approx(1 / 3)
        assert found["co_occurrence", "row=B,column=B"] == pytest.approx(1)
        assert found["co_occurrence", "row=B,column=C"] == pytest.approx(0)
        assert found["co_occurrence_gold", "row=B,column=C"] == pytest.approx(1 / 3)
        assert found["geometry_distortion", "all"] == pytest.approx(math.sqrt(6 / 9))

    def test_guidance(self, made: list[Score]) -> None:
        """Of the videos scored both ways A was wrongly chosen in one of three, then in none."""
        found = values(made, "rm_guided")
        got = [found["guidance_fpr_change", f"option={letter}"] for letter in "ABCDE"]
        assert got == [pytest.approx(-1 / 3), None, 0, 0, 0]
        assert one(made, "rm_guided", "guidance_fpr_change", "option=A").n == 3
        assert not [f for f in made if f.task == "rm" and f.metric == "guidance_fpr_change"]

    def test_options_in_another_order_count_by_their_category(self, tmp_path: Path) -> None:
        offered = options((*RHETORIC[1:], RHETORIC[0]))

        def reorder(made: dict[str, list[dict[str, object]]]) -> None:
            for row in made["vimu_ss"]:
                tasks = row["mcq_tasks"]
                assert isinstance(tasks, dict)
                task = tasks["rhetoric_mechanisms"]
                task.update(options=offered, ground_truth=["A"])
                task.pop("ground_truth_labels")

        moved = read_videos(write(tmp_path, changed(reorder)))
        made = scores(answered(moved, {"rm": {"v1": "A", "v2": "A, E"}}))
        found = values(made, "rm")
        assert found["score", "all"] == pytest.approx(50)
        assert found["affinity_bias", "option=A"] == pytest.approx(0.5)
        assert found["co_occurrence_gold", "row=B,column=B"] == 1
        assert found["score", "rhetoric=B"] == pytest.approx(50)

    def test_evidence_in_another_order_counts_by_its_source(self, tmp_path: Path) -> None:
        offered = dict(zip("ABCDE", SOURCES[::-1], strict=True))
        moved = read_videos(
            write(
                tmp_path, changed(lambda r: [row.update(options=offered) for row in r["vimu_eg"]])
            )
        )
        found = values(scores(answered(moved, {"eg": {"v1": "E", "v2": "A"}})), "eg")
        cell = "row=frames,column=frames"
        assert found["relation_distortion", cell] == pytest.approx(0.5)

    def test_a_letter_the_question_does_not_have_is_invalid(self, tmp_path: Path) -> None:
        few = {"A": "one", "B": "two", "C": "three"}
        made = changed(lambda r: [row.update(options=few) for row in r["vimu_eg"]])
        dataset = read_videos(write(tmp_path, made))
        score = one(scores(answered(dataset, {"eg": {"v1": "A, B", "v2": "A, E"}})), "eg", "score")
        assert (score.value, score.n, score.invalid) == (pytest.approx(50), 2, 1)


class TestOpenEnded:
    def test_totals(self, made: list[Score]) -> None:
        """Totals 5, 2 (the mean of 3 and 1) and -1 for the failed call; the last is not judged."""
        found = values(made, "oe")
        assert found["total", "all"] == pytest.approx(2)
        assert found["score", "all"] == pytest.approx(100 * 8 / 15)
        assert found["score_judged", "all"] == pytest.approx(100 * 9.5 / 15)
        assert found["total_ge_3", "all"] == pytest.approx(1 / 3)
        assert found["total_eq_9", "all"] == 0
        assert found["total_le_0", "all"] == pytest.approx(1 / 3)

    def test_counts(self, made: list[Score]) -> None:
        scored, judged = one(made, "oe", "score"), one(made, "oe", "score_judged")
        assert (scored.n, scored.invalid, scored.unscored) == (3, 0, 1)
        assert (judged.n, judged.unscored) == (2, 1)

    def test_parts_spread_and_flags(self, made: list[Score]) -> None:
        found = values(made, "oe")
        assert found["core_intent", "all"] == pytest.approx(3.75)
        assert found["hallucination_penalty", "all"] == pytest.approx(0.25)
        assert found["implicit_signal", "all"] == 0
        assert found["judge_spread", "all"] == pytest.approx(math.sqrt(2))
        assert one(made, "oe", "judge_spread").n == 1
        assert found["judge_flags", "all"] == pytest.approx(1 / 3)

    def test_verdicts_are_shares_of_the_judged_readings(self, dataset: Dataset[Video]) -> None:
        """v1 is excellent, v2 good once and wrong once; v3 failed, v4 waits for its judge."""
        worded = [
            {**graded, "parts": {**graded["parts"], "verdict": verdict}}
            for graded, verdict in zip(
                (judgement(5), judgement(3), judgement(2)),
                ("excellent", "good", "wrong"),
                strict=True,
            )
        ]
        judged = {"v1": worded[:1], "v2": worded[1:]}
        made = scores(answered(dataset, ANSWERS, judged=judged))
        groups = ("excellent", "good", "partial", "poor", "wrong")
        found = [one(made, "oe", "verdict_share", f"verdict={name}") for name in groups]
        assert [score.value for score in found] == [0.5, 0.25, 0, 0, 0.25]
        assert {(score.n, score.unscored) for score in found} == {(2, 1)}

    def test_groups(self, made: list[Score]) -> None:
        found = values(made, "oe")
        assert found["score", "language=en"] == pytest.approx(100 * (2 + 6) / 15)
        assert found["score", "language=zh"] == pytest.approx(100 * (2 + 6) / 15)
        assert found["score", "rhetoric=D"] == pytest.approx(100 * 5 / 15)

    def test_one_judgement_each_has_no_spread(self, dataset: Dataset[Video]) -> None:
        answers = {"oe": {name: "It mocks." for name in GOLD}}
        judged = {name: [judgement(5)] for name in GOLD}
        score = one(scores(answered(dataset, answers, judged=judged)), "oe", "judge_spread")
        assert (score.value, score.n) == (None, 0)

    def test_blank_and_refused_answers_count_as_failed(self, dataset: Dataset[Video]) -> None:
        answers = {"oe": {"v1": "It mocks.", "v2": " ", "v3": "I cannot help with that."}}
        made = scores(answered(dataset, answers, judged={"v1": [judgement(5)]}))
        score = one(made, "oe", "total")
        assert score.value == pytest.approx((5 - 1 - 1) / 3)
        assert (score.n, score.unscored, score.not_given) == (3, 0, 1)
        assert score.wrong_counts == {"invalid": 1, "truncated": 0, "refused": 1}

    def test_a_video_that_was_never_shown_is_no_failed_inference(
        self, dataset: Dataset[Video]
    ) -> None:
        table = answered(
            dataset, {"oe": {"v1": "It mocks.", "v2": None}}, judged={"v1": [judgement(5)]}
        )
        local = pl.when(pl.col("item") == "v2").then(pl.lit("not asked: no such video"))
        made = scores(table.with_columns(reason=local.otherwise(pl.col("reason"))))
        score = one(made, "oe", "total")
        counts = (score.n, score.unscored, score.not_given)
        assert (score.value, *counts) == (pytest.approx(5), 1, 1, 2)

    def test_where_no_answer_was_judged_nothing_is_scored(self, dataset: Dataset[Video]) -> None:
        """Else the failed calls alone would stand for the model."""
        made = scores(answered(dataset, {"oe": {"v1": "It mocks.", "v2": None}}))
        score = one(made, "oe", "score")
        assert (score.value, score.n, score.unscored, score.not_given) == (None, 0, 2, 2)

    def test_where_every_call_failed_that_is_the_score(self, dataset: Dataset[Video]) -> None:
        made = scores(answered(dataset, {"oe": dict.fromkeys(GOLD)}))
        assert one(made, "oe", "score").value == pytest.approx(100 * 5 / 15)
        assert one(made, "oe", "score_judged").value is None

    def test_the_whole_scale(self, dataset: Dataset[Video]) -> None:
        best, worst = judgement(5), judgement(0, hallucination=3)
        best["parts"] |= {"implicit_signal": 3, "target_or_social_meaning": 1, "total": 9}
        worst["parts"] |= {"literal_only_penalty": 3, "total": -6}
        for judged, score in ((best, 100), (worst, 0)):
            answers = {"oe": {"v1": "It mocks."}}
            made = scores(answered(dataset, answers, judged={"v1": [judged]}))
            assert one(made, "oe", "score").value == pytest.approx(score)
        assert one(made, "oe", "total_le_0").value == 1


class TestSummary:
    def test_averages(self, made: list[Score]) -> None:
        found = values(made, "summary")
        oe = 100 * 8 / 15
        assert found["ssu_avg", "all"] == pytest.approx((50 + 50) / 2)
        assert found["all_avg", "all"] == pytest.approx((oe + 37.5 + 50 + 50) / 4)
        guided = (100 * (1 + 1 + 0.5 + 1) / 4 + 100) / 2
        assert found["ssu_avg_guided", "all"] == pytest.approx(guided)
        assert found["all_avg_guided", "all"] == pytest.approx((oe + 37.5 + 2 * guided) / 4)
        assert one(made, "summary", "ssu_avg").n == 3

    def test_an_average_needs_all_its_parts(self, dataset: Dataset[Video]) -> None:
        part = {task: ANSWERS[task] for task in ("rm", "sv", "eg")}
        found = values(scores(answered(dataset, part)), "summary")
        assert [metric for metric, _ in found] == ["ssu_avg"]

    def test_a_part_without_a_score_is_not_there(self, dataset: Dataset[Video]) -> None:
        part = {"rm": ANSWERS["rm"], "sv": dict.fromkeys(GOLD)}
        assert values(scores(answered(dataset, part)), "summary") == {}

    def test_every_signature_can_be_read(self, made: list[Score]) -> None:
        for score in made:
            parsed = parse_signature(score.signature)
            assert parsed.benchmark == "vimu" and parsed.n == 4
        signature = parse_signature(one(made, "summary", "ssu_avg").signature)
        assert (signature.task, signature.prompts) == ("summary_ssu_avg", "external")


class TestSeveralModels:
    OTHER: Mapping[str, Mapping[str, str | None]] = {
        "rm": {"v1": "B, C", "v2": "B", "v3": None, "v4": "C"},
        "sv": {"v1": "C", "v2": "B", "v3": "E", "v4": "B"},
    }
    THIRD: Mapping[str, Mapping[str, str | None]] = {
        "rm": {"v1": "A", "v2": "B", "v3": "B", "v4": "C"},
        "sv": {"v1": "A", "v2": "A", "v3": "A", "v4": "A"},
    }

    def several(
        self, dataset: Dataset[Video], *answers: Mapping[str, Mapping[str, str | None]]
    ) -> list[Score]:
        tables = [
            answered(dataset, of_model, model=name)
            for name, of_model in zip("mno", answers, strict=False)
        ]
        return scores(pl.concat(tables, how="diagonal_relaxed"))

    def test_the_videos_that_all_have(self, dataset: Dataset[Video]) -> None:
        """In rm one lacks v4 and the other v3: v1 and v2 are left."""
        made = self.several(dataset, ANSWERS, self.OTHER)
        for model, value in (("m", 25), ("n", 100)):
            score = one(made, "rm", "score", "videos=comparable", model)
            assert (score.value, score.n) == (pytest.approx(value), 2)
            assert one(made, "rm", "comparable_videos", model=model).value == 2
        assert one(made, "sv", "comparable_videos").value == 4
        assert one(made, "eg", "comparable_videos").value == 4

    def test_the_summary_is_over_the_videos_of_all_its_tasks(self, dataset: Dataset[Video]) -> None:
        """Social values of v3 and v4, which all have and which are wrong, are not among them."""
        made = self.several(dataset, ANSWERS, self.OTHER)
        score = one(made, "summary", "ssu_avg", "videos=comparable")
        assert (score.value, score.n) == (pytest.approx((25 + 100) / 2), 2)
        assert one(made, "sv", "score", "videos=comparable").value == pytest.approx(50)

    def test_one_model_alone_has_no_such_group(self, made: list[Score]) -> None:
        assert not [score for score in made if score.group == "videos=comparable"]
        assert one(made, "rm", "comparable_videos").value == 3

    def test_no_common_video_gives_no_score(self, dataset: Dataset[Video]) -> None:
        one_half, other_half = {"rm": {"v1": "B"}}, {"rm": {"v2": "B"}}
        made = self.several(dataset, one_half, other_half)
        score = one(made, "rm", "score", "videos=comparable")
        assert (score.value, score.n) == (None, 0)

    def test_failed_calls_alone_are_not_compared(self, dataset: Dataset[Video]) -> None:
        unjudged = {"oe": {"v1": "It mocks.", "v2": None}}
        made = self.several(dataset, unjudged, unjudged)
        assert one(made, "oe", "comparable_videos").value == 0
        assert one(made, "oe", "score", "videos=comparable").value is None

    def test_the_map_keeps_the_distances_of_three_models(self, dataset: Dataset[Video]) -> None:
        """Three points lie in a plane, so that their two components hold all of the variance.

        On v1 and v2, the error rates in rm are: m A fpr 1/2, C fnr 1; n none; o A fpr 1/2,
        B fnr 1/2, C fnr 1. In sv m refused v3; on the others: m B fnr 1; n A fnr 1, B fpr 1/2;
        o A fpr 1, B and C fnr 1.
        """
        made = self.several(dataset, ANSWERS, self.OTHER, self.THIRD)
        place = {
            model: [one(made, "summary", name, model=model).value or 0 for name in ("pc1", "pc2")]
            for model in "mno"
        }
        squares = {
            ("m", "n"): (1 / 4 + 1) + (1 + 1 / 4 + 1),
            ("m", "o"): 1 / 4 + (1 + 1),
            ("n", "o"): (1 / 4 + 1 / 4 + 1) + (1 + 1 + 1 / 4 + 1 + 1),
        }
        for (first, second), square in squares.items():
            assert math.dist(place[first], place[second]) == pytest.approx(math.sqrt(square))
        shares = [one(made, "summary", f"pc{axis}_share").value or 0 for axis in (1, 2)]
        assert sum(shares) == pytest.approx(1) and shares[0] >= shares[1]
        assert not [score for score in made if score.metric == "pc1_guided"]

    def test_two_models_make_no_map(self, dataset: Dataset[Video]) -> None:
        made = self.several(dataset, ANSWERS, self.OTHER)
        assert not [score for score in made if score.metric.startswith("pc")]

    def test_equal_models_make_no_map(self, dataset: Dataset[Video]) -> None:
        made = self.several(dataset, self.OTHER, self.OTHER, self.OTHER)
        assert not [score for score in made if score.metric.startswith("pc")]


def test_repeated_questions_count_each_time(dataset: Dataset[Video]) -> None:
    table = answered(dataset, {"eg": {"v1": "A, B"}, "rm": {"v1": "B"}, "rm_guided": {"v1": "B"}})
    again = table.with_columns(pl.lit(2, pl.Int64).alias("epoch"), pl.lit('["C"]').alias("parsed"))
    both = pl.concat([table, again.filter(pl.col("outcome") == "answered")])
    made = scores(both)
    assert one(made, "eg", "score").value == pytest.approx(50)
    assert one(made, "eg", "score").n == 2
    assert one(made, "eg", "comparable_videos").value == 1
    assert one(made, "rm_guided", "guidance_fpr_change", "option=A").n == 2


def test_nothing_scored_is_no_zero(dataset: Dataset[Video]) -> None:
    found = values(scores(answered(dataset, {"rm": dict.fromkeys(GOLD)})), "rm")
    assert found["score", "all"] is None and found["micro_f1", "all"] is None
    assert ("geometry_distortion", "all") not in found


@pytest.mark.parametrize("cell", ["[1]", '[{"parts": {}}]', "{}", '[{"parts": null, "flags": []}]'])
def test_judgements_that_are_none_are_named(dataset: Dataset[Video], cell: str) -> None:
    table = answered(dataset, {"oe": {"v1": "It mocks."}}, judged={"v1": [judgement(5)]})
    broken = table.with_columns(pl.lit(cell).alias("judgements"))
    with pytest.raises(InputError, match="v1 judgements"):
        VIMU.score(broken, ScoringOptions())


def test_a_table_without_our_columns_is_named(dataset: Dataset[Video]) -> None:
    table = answered(dataset, ANSWERS)
    with pytest.raises(InputError, match=r"no column attr\.categories"):
        VIMU.score(table.drop("attr.categories"), ScoringOptions())
    renamed = table.with_columns(pl.lit("humour").alias("task"))
    with pytest.raises(InputError, match='unknown task "humour"'):
        VIMU.score(renamed, ScoringOptions())


def test_letters_that_are_no_categories_are_named(dataset: Dataset[Video]) -> None:
    table = answered(dataset, {"eg": {"v1": "A, B"}})
    for categories in (["A", "F"], ["A"]):  # v1's gold is A and B
        wrong = table.with_columns(pl.lit(categories).alias("attr.categories"))
        with pytest.raises(InputError, match=r"v1 attr\.categories: got"):
            VIMU.score(wrong, ScoringOptions())


def test_two_golds_of_one_video_are_named(dataset: Dataset[Video]) -> None:
    table = answered(dataset, {"rm": {"v1": "B"}, "rm_guided": {"v1": "B"}})
    guided = pl.when(pl.col("task") == "rm_guided").then(pl.lit('["A"]'))
    changed_gold = table.with_columns(gold=guided.otherwise(pl.col("gold")))
    with pytest.raises(InputError, match="v1 has one gold set with guidance"):
        VIMU.score(changed_gold, ScoringOptions())


def test_older_tables_with_joined_texts_score_the_same(dataset: Dataset[Video]) -> None:
    table = answered(dataset, ANSWERS, judged=JUDGED)
    older = table.with_columns(
        pl.col("attr.rhetoric", "attr.social").list.join("+"),
        pl.col("attr.categories").list.join(""),
    )
    assert older.schema["attr.categories"] == pl.String
    assert scores(older) == scores(table)


def test_every_score_is_of_a_metric_that_is_declared(dataset: Dataset[Video]) -> None:
    tables = [
        answered(dataset, answers, model, JUDGED)
        for model, answers in (
            ("m", ANSWERS),
            ("n", {**ANSWERS, **TestSeveralModels.OTHER}),
            ("o", {**ANSWERS, **TestSeveralModels.THIRD}),
        )
    ]
    declared = {spec.name: {metric.name for metric in spec.metrics} for spec in VIMU.tasks}
    declared |= {"summary": {metric.name for metric in VIMU.metrics}}
    made = scores(pl.concat(tables))
    assert {score.metric for score in made if score.task == "summary"} >= {"pc1", "all_avg"}
    assert {(f.task, f.metric) for f in made if f.metric not in declared[f.task]} == set()
    named = {metric.name for metric in VIMU.metrics}
    assert {score.metric for score in VIMU.analyses.stats(dataset)} <= named


def test_what_every_item_adds_is_its_own_score(dataset: Dataset[Video]) -> None:
    table = answered(dataset, ANSWERS, judged=JUDGED)
    measured = {
        (one.task, one.metric.name): one
        for one in VIMU.measure(Answers(table), ScoringOptions())
        if isinstance(one, Measurement) and one.group == "all"
    }
    strict = measured["eg", "score"].item_values()
    assert strict.tolist() == pytest.approx([50, 100, 0, 0])
    average = measured["summary", "ssu_avg"]
    assert [item for item, _ in average.units.keys] == list(GOLD)
    assert average.item_values()[0] == pytest.approx((50 + 100) / 2)
