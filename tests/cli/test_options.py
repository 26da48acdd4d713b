"""Options that would do nothing are told, by the names that were typed."""

import json
from pathlib import Path
from typing import cast

import pytest

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import BUILT_IN
from deadpan.benchmarks.pixelhumor import PIXELHUMOR
from deadpan.benchmarks.vimu import VIMU
from deadpan.engine import judging
from deadpan.engine.calls import CallOptions
from deadpan.engine.task_questions import RunSettings
from deadpan.failures import labels as failure_labels
from tests.cli.conftest import Deadpan
from tests.engine.judged_toy import WHERE
from tests.failures.wrong_answers import a_table_file, edited

RANDOM = ("--model", "baseline/random")
EDITOR = ("run", "merbench", "--model", "editor/caption", "--judge", "judge/lexical")
ITEMS = [comic.comic_id for comic in PIXELHUMOR.read(None).records]


def answers(path: Path, *models: str | None, tasks: tuple[str, ...] = ("presence",)) -> Path:
    lines = [
        {"item": item, "task": task, "answer": "Yes", **({"model": model} if model else {})}
        for model in models
        for task in tasks
        for item in ITEMS
    ]
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return path


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ("score", "a.eval", "--data", "d", "--model", "m", "--editor", "e"),
            "--editor, --data, --model: no use with answers; leave them out",
        ),
        (
            ("score", "a.eval", "--store", "l"),
            "--store: no use without --judge or --reader; leave it out",
        ),
        (
            ("score", "a.eval", "--judge-epochs", "4", "--self-judge", "--timeout", "9"),
            "--judge-epochs, --self-judge, --timeout: no use without --judge",
        ),
        (("score", "a.eval", "--prices", "p"), "--prices: no use without --judge"),
        (
            ("score", "pixelhumor", "--predictions", "f", "--editor", "e"),
            "--editor: no use with --predictions",
        ),
        (
            ("score", "pixelhumor", "--predictions", "f", "--store", "l"),
            "--store: no use without --judge",
        ),
        (("score", "merbench", "--edits", ".", "--model", "m"), "--model: no use with --edits"),
        (
            ("score", "merbench", "--judgements", "f", "--gate", "na", "--mix", "--draw-seed", "0"),
            "--gate, --draw-seed, --mix: no use with --judgements; leave them out",
        ),
        (
            ("score", "merbench", "--judgements", "f", "--metric-model", "a=b", "--prices", "p"),
            "--metric-model, --prices: no use with --judgements",
        ),
        (
            ("run", "pixelhumor/style", *RANDOM, "--judge-epochs", "5"),
            "--judge-epochs: no use where nothing is judged",
        ),
        (
            ("run", "pixelhumor/style", *RANDOM, "--variant", "native-video", "--frames", "3"),
            "--variant, --frames: no use where no video is shown",
        ),
        (
            ("run", "pixelhumor/style", *RANDOM, "--transcriber", "x"),
            "--transcriber: no use where no video is shown; leave it out",
        ),
        (
            ("run", "vimu/eg", *RANDOM, "--variant", "text-only", "--longest-side", "64"),
            "--longest-side: no use with --variant text-only",
        ),
        (
            (*EDITOR, "--transcriber", "x", "--frames", "3"),
            "--frames, --transcriber: no use with an editor (editor/caption)",
        ),
        ((*EDITOR, "--epochs", "1"), "--epochs: no use with an editor"),
    ],
)
def test_what_would_do_nothing_is_told_before_anything_is_asked(
    deadpan: Deadpan,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    told: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DEADPAN_STORE")
    result = deadpan(*arguments)
    assert result.code == 2 and told in result.err
    assert not list(tmp_path.iterdir())


def test_prices_of_the_environment_are_no_option_that_was_typed(
    deadpan: Deadpan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text("{}")
    monkeypatch.setenv("DEADPAN_PRICES", str(prices))
    file = answers(tmp_path / "a.jsonl", None)
    assert deadpan("score", "pixelhumor", "--predictions", file).code == 0


def test_a_judge_who_has_nothing_to_grade_is_told(deadpan: Deadpan, tmp_path: Path) -> None:
    file = answers(tmp_path / "a.jsonl", None)
    lexical = ("--judge", "judge/lexical")
    told = "nothing here is judged: judge/lexical is not asked"
    for command in (
        ("score", "pixelhumor", "--predictions", file, *lexical),
        ("run", "pixelhumor/presence", *RANDOM, *lexical, "--limit", 1),
    ):
        result = deadpan(*command)
        assert result.code == 0 and told in result.out
        refused = deadpan(*command, "--self-judge")
        assert refused.code == 2 and "--self-judge: no use where nothing" in refused.err


def test_who_grades_nothing_here_is_not_said_to_grade(deadpan: Deadpan) -> None:
    lexical = ("--judge", "judge/lexical")
    graded = deadpan("run", "cfms/target", *RANDOM, *lexical)
    assert "its grades compare with no model's" in graded.out
    result = deadpan("run", "cfms/identification", *RANDOM, *lexical, "--limit", 1)
    assert "judge/lexical is not asked" in result.out
    assert "its grades compare" not in result.out


class TestModel:
    def test_the_name_that_is_given_goes_before_the_file_s(
        self, deadpan: Deadpan, tmp_path: Path
    ) -> None:
        file, table = answers(tmp_path / "a.jsonl", "gpt"), tmp_path / "t.jsonl"
        scoring = ("score", "pixelhumor", "--predictions", file, "--table", table)
        assert deadpan(*scoring, "--model", "gpt-again").code == 0
        assert {json.loads(row)["model"] for row in table.read_text().splitlines()} == {"gpt-again"}
        assert deadpan(*scoring).code == 0
        assert {json.loads(row)["model"] for row in table.read_text().splitlines()} == {"gpt"}

    def test_several_models_cannot_bear_one_name(self, deadpan: Deadpan, tmp_path: Path) -> None:
        file = answers(tmp_path / "a.jsonl", "gpt", "claude")
        result = deadpan("score", "pixelhumor", "--predictions", file, "--model", "both")
        assert result.code == 2
        assert "a.jsonl: holds answers of gpt, claude. --model names one model" in result.err


class TestTasks:
    def test_only_the_named_tasks_of_a_file_are_scored(
        self, deadpan: Deadpan, tmp_path: Path
    ) -> None:
        file = answers(tmp_path / "a.jsonl", None, tasks=("presence", "style"))
        out = tmp_path / "f.json"
        result = deadpan("score", "pixelhumor/style", "--predictions", file, "--json", out)
        assert result.code == 0, result.err
        assert {row["task"] for row in json.loads(out.read_text())["rows"]} == {"style"}

    def test_a_named_task_that_nobody_answered_is_told(
        self, deadpan: Deadpan, tmp_path: Path
    ) -> None:
        file = answers(tmp_path / "a.jsonl", None)
        result = deadpan("score", "pixelhumor/style", "--predictions", file)
        assert result.code == 2
        assert "a answers no style; there are answers to presence" in result.err

    @pytest.mark.parametrize("subject", ["pixelhumor/style", "pixelhumor"])
    def test_a_benchmark_without_answers_is_told_what_to_give(
        self, deadpan: Deadpan, subject: str
    ) -> None:
        result = deadpan("score", subject)
        assert result.code == 2
        assert f"{subject}: give --predictions FILE or --edits DIR, or answers" in result.err

    def test_judgements_are_of_one_task(self, deadpan: Deadpan) -> None:
        two = "merbench/reappraisal,reappraisal_rf_vl"
        result = deadpan("score", two, "--judgements", "f.jsonl")
        assert result.code == 2 and "--judgements are of one task; name one" in result.err


class TestMajority:
    @pytest.mark.parametrize("selection", ["janusmm", "vimu/oe"])
    def test_a_baseline_that_can_answer_nothing_is_told_at_once(
        self, deadpan: Deadpan, tmp_path: Path, selection: str
    ) -> None:
        asking = ("run", selection, "--model", "baseline/majority", "--judge", "judge/lexical")
        result = deadpan(
            *asking[: 4 if selection == "janusmm" else None], "--store", tmp_path / "answers"
        )
        assert result.code == 2
        assert "--model baseline/majority: no reference split tells" in result.err
        assert "use baseline/random" in result.err and not list(tmp_path.iterdir())

    def test_the_tasks_it_can_answer_are_asked(self, deadpan: Deadpan, tmp_path: Path) -> None:
        asking = ("run", "pixelhumor/presence", "janusmm", "--model", "baseline/majority")
        result = deadpan(*asking, "--limit", 2, "--store", tmp_path / "answers")
        assert result.code == 0, result.err
        assert "left out, without a reference for baseline/majority: janusmm/" in result.out
        assert "baseline/majority presence: 2/2 answered" in result.out


CALLS = ("--max-connections", 2, "--max-retries", 1, "--timeout", 30, "--give-up", 60)


def throttled(settings: RunSettings) -> bool:
    return settings.calls == CallOptions(2, 1, 30, 60)


def test_a_judge_is_throttled_where_files_of_answers_are_scored(
    deadpan: Deadpan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[RunSettings] = []
    monkeypatch.setattr(judging, "judge_answers", lambda *asked: seen.append(asked[2]))
    video = VIMU.read(None).records[0].video_id
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps({"item": video, "task": "oe", "answer": "A joke."}), "utf-8")
    scoring = ("score", "vimu/oe", "--predictions", file, "--judge", "judge/lexical")
    told = deadpan(*scoring, *CALLS, "--store", tmp_path / "answers")
    assert told.code == 1, "nothing was judged"
    assert seen and all(map(throttled, seen))


def test_a_judge_is_throttled_where_failures_are_labelled(
    deadpan: Deadpan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[RunSettings] = []

    def stopped(*asked: object) -> None:
        seen.append(cast(RunSettings, asked[4]))
        raise DeadpanError("enough seen")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(failure_labels, "label_cases", stopped)
    monkeypatch.setitem(BUILT_IN, "proverbs", WHERE)
    table = a_table_file(tmp_path)
    assert deadpan("failures", "sample", table, "--wrong", "unequal").code == 0
    edited(tmp_path / "people.jsonl", "type", ["KD"] * 4)
    labels = ("failures", "label", table, "--people", "people.jsonl", "--wrong", "unequal")
    assert "enough seen" in deadpan(*labels, "--judge", "judge/lexical", *CALLS).err
    assert len(seen) == 1 and throttled(seen[0])


ASKING = ["run", "score", "reappraise", "generate", "failures label"]
ASKING += [f"fewshot {one}" for one in ("train", "eval", "compare")]


@pytest.mark.parametrize("command", ASKING)
def test_whatever_asks_takes_the_options_that_its_messages_name(
    command: str, deadpan: Deadpan
) -> None:
    named = ("--max-connections", "--max-retries", "--timeout", "--give-up", "--store")
    told = deadpan(*command.split(), "--help").out
    assert [option for option in named if option not in told] == []
