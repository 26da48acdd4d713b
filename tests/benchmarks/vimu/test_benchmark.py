"""What of an answer is wrong, for the error analysis."""

from dataclasses import replace
from pathlib import Path

from deadpan.benchmarks.vimu import VIMU
from deadpan.benchmarks.vimu.records import read_videos
from deadpan.core.outcomes import LEFT_OUT
from tests.benchmarks.vimu.data_folder import answered, judgement, rows, write

GOLD = {
    "v1": ("AB", "BC", "C"),
    "v2": ("A", "B", "A"),
    "v3": ("CD", "BD", "E"),
    "v4": ("ABC", "C", "B"),
}


def test_a_choice_is_wrong_unless_it_is_exactly_gold_and_a_reading_below_a_total_of_3(
    tmp_path: Path,
) -> None:
    dataset = read_videos(write(tmp_path, rows(GOLD)))
    answers = {
        "eg": {"v1": "B, A", "v2": "none", "v3": "C, E", "v4": "who knows"},
        "rm": {"v1": "B", "v2": "A, B", "v3": "B, D", "v4": "C"},
        "sv_guided": {"v1": "C", "v2": "B"},
        "oe": {"v1": "It mocks.", "v2": "It jokes.", "v3": "Unjudged.", "v4": "It is."},
    }
    totals = {
        "v1": [judgement(3)],
        "v2": [judgement(3), judgement(3, hallucination=1)],
        "v4": [judgement(5, hallucination=2)],
    }
    table = answered(dataset, answers, judged=totals)
    wrong = {
        (row["task"], row["item"])
        for row in table.iter_rows(named=True)
        if row["outcome"] not in LEFT_OUT and VIMU.analyses.is_wrong(row)
    }
    assert wrong == {
        ("eg", "v2"),
        ("eg", "v3"),
        ("eg", "v4"),
        ("rm", "v1"),
        ("rm", "v2"),
        ("sv_guided", "v2"),
        ("oe", "v2"),
    }


def test_tasks_that_no_video_has_a_question_for_are_named() -> None:
    whole = VIMU.read(None)
    assert VIMU.missing_tasks(whole) == {}
    bare = tuple(video.model_copy(update={"rm": None, "reading": None}) for video in whole.records)
    missing = VIMU.missing_tasks(replace(whole, records=bare))
    assert set(missing) == {"oe", "rm", "rm_guided"}
    assert missing["rm_guided"] == "no video has a question of rm"
