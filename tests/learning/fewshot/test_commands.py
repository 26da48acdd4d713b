"""`deadpan run --fewshot` and `deadpan fewshot`, against a server that counts its calls."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import BaseModel
from typer.testing import CliRunner

from deadpan.base.errors import DeadpanError
from deadpan.cli import app
from deadpan.core.questions import Question
from deadpan.engine.fewshot.policy import read_policy
from deadpan.engine.fewshot.specification import Weights
from deadpan.engine.reading import judged_tasks
from deadpan.engine.run import run
from deadpan.engine.store import AnswerStore
from deadpan.engine.task_questions import RunSettings
from deadpan.learning.fewshot.checkpoints import CHECKPOINT
from deadpan.pipeline.table import results_of_runs
from tests.learning.fewshot.toy import COUNTS, MODEL, TRAIN, WEIGHTS, YES, Moods
from tests.model_server import ModelServer

NO = '{"sarcastic": false, "target": null, "explanation": null}'


def said(*command: str) -> str:
    result = CliRunner().invoke(app, list(command), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize("layout", ["turns", "interleaved"])
def test_a_run_shows_demonstrations_and_keeps_what_was_shown(
    moods: Moods, server: ModelServer, tmp_path: Path, layout: str
) -> None:
    demos = f"retrieval:2,image=plain,layout={layout}"
    settings = RunSettings(store=tmp_path / "answers", fewshot=demos)
    (path,) = run({"moods": ["joint"]}, MODEL, settings)
    table = results_of_runs([path])
    assert len(table) == COUNTS["test"]
    for cell in AnswerStore(settings.store).answers()["shown"]:
        own, *shown = json.loads(cell)
        assert "demonstration" not in own and len(shown) == 2
        assert all(entry["demonstration"].startswith("train_") for entry in shown)
        assert all(entry["sha256"] and entry["answer"] for entry in shown)
    turns = ["user", "assistant"] * 2 if layout == "turns" else []
    assert all(one["roles"] == ["system", *turns, "user"] for one in server.requests)
    images = {"turns": 1, "interleaved": 3}[layout]
    assert {request["images"] for request in server.requests} == {images}
    assert "|fewshot:retrieval:2;pool:" in table["signature"][0]
    last = {row["item"]: row["question"] for row in table.to_dicts()}["test_7"]
    assert last.endswith("Post: <<<diet again, lovely test 7>>>\nIs it meant?")
    assert last.count("Post:") == 1, "the question's own words"


def test_runs_with_other_demonstrations_are_never_mixed(
    moods: Moods, server: ModelServer, tmp_path: Path
) -> None:
    def asked(demos: str | None) -> set[str]:
        settings = RunSettings(store=tmp_path / "answers", fewshot=demos)
        return set(results_of_runs(run({"moods": ["joint"]}, MODEL, settings))["signature"])

    ways = [None, "none", "random:1", "random:1,seed=5", "random:2"]
    signatures = [asked(way) for way in ways]
    assert len(set().union(*signatures)) == 5
    # Without a schema a plain run asks what zero-shot does, and two draws may be the same.
    kept = len(AnswerStore(tmp_path / "answers").answers())
    assert 3 * COUNTS["test"] < server.total == kept <= 4 * COUNTS["test"]
    assert asked("random:1") == signatures[2]
    assert server.total == kept


def test_what_cannot_be_shown_is_told_before_anything_is_asked(
    moods: Moods, server: ModelServer, tmp_path: Path
) -> None:
    settings = RunSettings(store=tmp_path / "answers", fewshot="random:1")
    with pytest.raises(DeadpanError, match="pixelhumor has no training split"):
        run({"pixelhumor": ["presence"]}, MODEL, settings)
    result = CliRunner().invoke(app, ["run", "moods", "--model", MODEL, "--fewshot", "best:1"])
    assert isinstance(result.exception, DeadpanError)
    assert "expected none, random:K" in str(result.exception)
    assert server.total == 0


def test_a_policy_is_trained_tried_and_compared(
    moods: Moods, server: ModelServer, tmp_path: Path
) -> None:
    out = tmp_path / "policy"
    printed = said(*TRAIN, *WEIGHTS, "--out", str(out))
    assert "best validation reward" in printed and "updates ━" in printed
    assert "nothing beat the untrained policy" in printed, "every choice earns the same here"
    assert f"{MODEL}: {server.total} calls, {100 * server.total:,} tokens in, " in printed
    card = read_policy(out).card
    assert card.best_update == 0
    assert card.weights == Weights(format=0.2, classification=0.8, target=0, explanation=0)
    assert (card.benchmark, card.task, card.image, card.updates) == ("moods", "joint", "plain", 6)
    assert (out / "curve.png").is_file()
    trained = server.total
    assert "0 calls" in said(*TRAIN, *WEIGHTS, "--out", str(out)) and server.total == trained

    tried = said("fewshot", "eval", "moods/joint", "--model", MODEL, "--fewshot", f"pgds:{out}:1",
                 "--json", str(tmp_path / "eval.json"))  # fmt: skip
    assert "classification" in tried
    document = json.loads((tmp_path / "eval.json").read_text())
    assert document["benchmark"] == "moods"
    assert "|schema:none|" in document["signature"] and "|fewshot:pgds:1;" in document["signature"]
    scores = {row["metric"]: row for row in document["rows"]}
    assert set(scores["calls"]) == {
        "model", "task", "metric", "group", "value", "low", "high", "interval", "n",
        "invalid", "truncated", "refused", "unscored", "not_given", "read", "items", "of_items",
    }  # fmt: skip
    assert scores["reward_classification"]["value"] == pytest.approx(0.5)
    assert scores["reward"]["n"] == scores["calls"]["value"] == COUNTS["validation"]
    assert scores["reward"]["low"] <= scores["reward"]["value"] <= scores["reward"]["high"]
    assert scores["reward_classification"]["interval"] == "wilson"
    assert scores["calls"]["low"] is None and scores["calls"]["interval"] == ""
    assert scores["input_tokens"]["value"] == 100 * COUNTS["validation"]
    assert server.total == trained, "the validation questions were asked in training"

    found = said("fewshot", "compare", "moods/joint", "--model", MODEL, "--policy", str(out),
                 "--image", "plain", "--store", str(tmp_path / "answers"),
                 "--json", str(tmp_path / "arms.json"))  # fmt: skip
    document = json.loads((tmp_path / "arms.json").read_text())
    assert (
        "|schema:none|" in document["signature"] and "fewshot:joint=none," in document["signature"]
    )
    rows = {(row["group"], row["metric"]): row for row in document["rows"]}
    assert len(rows) == len(document["rows"]), "no score twice"
    kept = AnswerStore(tmp_path / "answers").answers()
    assert 2 * COUNTS["test"] < len(kept) <= 4 * COUNTS["test"], "equal draws are asked once"
    assert server.total == trained + len(kept)
    for pair in ("pgds-vs-retrieval", "pgds-vs-random", "retrieval-vs-random", "pgds-vs-zero-shot"):
        for score in ("reward", "accuracy"):
            row = rows[f"fewshot={pair}", f"{score}_difference"]
            assert (row["value"], row["n"]) == (0.0, COUNTS["test"])
            assert row["low"] <= 0 <= row["high"]
            assert rows[f"fewshot={pair}", f"{score}_p"]["value"] == 1
    for arm in ("zero-shot", "random", "retrieval", "pgds"):
        accuracy = rows[f"fewshot={arm}", "accuracy"]
        assert (accuracy["model"], accuracy["value"]) == (MODEL, 50.0)
        assert 0 <= accuracy["low"] < 50 < accuracy["high"] <= 100
        assert rows[f"fewshot={arm}", "calls"]["value"] == COUNTS["test"]
        assert rows[f"fewshot={arm}", "output_tokens"]["value"] == 24
    assert "pgds − retrieval" in found
    assert "too close to call: reward, reward_format, reward_classification, " in found
    assert "pgds: 8 calls, 800 tokens in, 24 out" in found


def test_weights_are_tuned_where_the_score_moves(
    moods: Moods, server: ModelServer, tmp_path: Path
) -> None:
    replies = iter(range(10**6))

    def moody(picture: str, prompt: str) -> str:
        return YES if next(replies) % 3 else YES.replace("true", "false")

    server.answer = moody
    out = tmp_path / "policy"
    printed = said(*TRAIN, "--out", str(out))
    tuned = read_policy(out).card.weights
    assert f"weights tuned on the mean of label, target and explanation: {tuned}" in printed
    ask = ["fewshot", "eval", "moods", "--model", MODEL, "--json", str(tmp_path / "eval.json")]
    said(*ask, "--fewshot", f"pgds:{out}:1")
    assert f"reward:{tuned}" in json.loads((tmp_path / "eval.json").read_text())["signature"]
    said(*ask, "--fewshot", "random:1")
    assert f"reward:{Weights()}" in json.loads((tmp_path / "eval.json").read_text())["signature"]


def test_weights_that_nothing_can_tune_have_to_be_named(
    moods: Moods, server: ModelServer, tmp_path: Path
) -> None:
    result = CliRunner().invoke(app, [*TRAIN, "--out", str(tmp_path / "policy")])
    assert "what is shown makes no difference to the model's score; name them (--weights)" in str(
        result.exception
    )


def test_no_arm_and_no_trial_sends_a_reply_schema(
    moods: Moods, server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Form(BaseModel):
        sarcastic: bool

    spec = replace(moods.task("joint"), reply=Form)
    monkeypatch.setattr(moods, "tasks", (spec,))
    asked = ["moods/joint", "--model", MODEL, "--store", str(tmp_path / "answers")]
    said("fewshot", "eval", *asked)
    assert server.total == COUNTS["validation"]
    said("fewshot", "compare", *asked, "--image", "plain")
    kept = AnswerStore(tmp_path / "answers").answers()
    assert COUNTS["validation"] + 2 * COUNTS["test"] < server.total == len(kept)
    assert not any(one["schema"] for one in server.requests)
    settings = RunSettings(store=tmp_path / "plain")
    run({"moods": ["joint"]}, MODEL, settings)
    assert server.requests[-1]["schema"], "a plain run sends it"


def test_a_task_has_to_be_named_and_known(moods: Moods) -> None:
    for task, why in (("pixelhumor", "name one task"), ("moods/none", "no such task")):
        result = CliRunner().invoke(app, ["fewshot", "eval", task, "--model", MODEL])
        assert why in str(result.exception)


ENTRY = """
import sys
from pathlib import Path
from deadpan.benchmarks import BUILT_IN
from deadpan.cli import main
from tests.learning.fewshot.toy import MOODS, WHERE
BUILT_IN["moods"] = WHERE
MOODS.pictures = Path(sys.argv.pop(1))
main()
"""


FATAL = ENTRY.replace(
    "\nmain()",
    """
import os, signal
from deadpan.learning.fewshot import training

def written(*state, write=training.write_state):
    write(*state)
    os.kill(os.getpid(), signal.SIGKILL)

training.write_state = written
main()""",
)
"""Killed by its first checkpoint."""


def swayed(picture: str, prompt: str) -> str:
    """An answer that the example decides: of one message, the first picture is the example's."""
    return YES if int(picture[:8], 16) % 2 else NO


def alone(entry: str, folder: Path, *command: str) -> subprocess.Popen[bytes]:
    """The command in a process of its own."""
    one_thread = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, "-c", entry, str(folder), *command],
        cwd=Path(__file__).parents[3],
        env={**os.environ, **one_thread},
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )


def test_a_killed_training_run_pays_for_nothing_twice(
    moods: Moods, server: ModelServer, tmp_path: Path
) -> None:
    server.delay = 0.1
    killed = ["--out", str(tmp_path / "killed"), "--max-connections", "4"]
    process = alone(ENTRY, tmp_path, *TRAIN, *WEIGHTS, *killed)
    deadline = time.monotonic() + 90
    while server.total < 16 and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert server.total >= 16 and not (tmp_path / "killed" / "policy.json").exists()
    server.delay = 0
    said(*TRAIN, *WEIGHTS, *killed)
    paid = server.total
    said(*TRAIN, *WEIGHTS, "--out", str(tmp_path / "whole"))
    assert server.total == paid, "a whole run has nothing to ask that was not asked before"
    weights = [read_policy(tmp_path / out).policy.flat.tobytes() for out in ("killed", "whole")]
    assert weights[0] == weights[1]


def test_a_policy_that_learns_ends_with_the_same_weights_after_a_kill(
    moods: Moods, server: ModelServer, tmp_path: Path
) -> None:
    server.answer = swayed
    learns = [*TRAIN, "--interleaved", "--updates", "24", "--learning-rate", "0.05"]
    kept = tmp_path / "killed" / CHECKPOINT
    process = alone(FATAL, tmp_path, *learns, "--out", str(kept.parent))
    assert process.wait(120) == -signal.SIGKILL
    half = np.load(kept)
    printed = said(*learns, "--out", str(kept.parent))
    assert "tuning weights" not in printed, "the weights were kept"
    said(*learns, "--out", str(tmp_path / "whole"))
    ours, theirs = (np.load(tmp_path / out / CHECKPOINT) for out in ("killed", "whole"))
    for name in ("weights", "best", "first", "second", "about"):
        assert ours[name].tobytes() == theirs[name].tobytes(), name
    assert ours["weights"].tobytes() != half["weights"].tobytes(), "it went on after the kill"
    killed, whole = (read_policy(tmp_path / out) for out in ("killed", "whole"))
    assert killed.policy.flat.tobytes() == whole.policy.flat.tobytes()
    assert killed.card == whole.card and killed.card.best_update > 0, "something was learnt"


def test_training_goes_on_though_calls_failed_while_the_weights_were_tuned(
    moods: Moods, server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.answer = swayed
    calls = count()
    monkeypatch.setattr(server, "_refused", lambda body: "" if next(calls) % 5 else "Not now.")
    once = [*TRAIN, "--interleaved", "--max-retries", "0", "--out", str(tmp_path / "policy")]
    assert "tuning weights" in said(*once)
    tuned = read_policy(tmp_path / "policy").card.weights
    monkeypatch.setattr(server, "_refused", lambda body: "")
    printed = said(*once, "--updates", "9")
    assert f"explanation: {tuned}" in printed and "done after 9 updates" in printed


def test_a_picture_that_cannot_be_read_stops_neither_training_nor_a_trial(
    moods: Moods, server: ModelServer, tmp_path: Path
) -> None:
    for name in ("train_1", "validation_1"):
        place = tmp_path / f"{name}.png"
        place.write_bytes(place.read_bytes()[:60])
    (tmp_path / "validation_2.png").unlink()
    said(*TRAIN, *WEIGHTS, "--out", str(tmp_path / "policy"))
    ask = ["fewshot", "eval", "moods", "--model", MODEL, "--json", str(tmp_path / "eval.json")]
    for demos in (f"pgds:{tmp_path / 'policy'}:1", "retrieval:1,image=plain", "random:2"):
        said(*ask, "--fewshot", demos)
        rows = json.loads((tmp_path / "eval.json").read_text())["rows"]
        assert rows[0]["n"] == COUNTS["validation"] - 2


def test_a_trial_is_signed_by_the_questions_it_scores_and_their_gold(
    moods: Moods, server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def signature() -> str:
        path = tmp_path / "eval.json"
        said("fewshot", "eval", "moods", "--model", MODEL, "--json", str(path))
        return str(json.loads(path.read_text())["signature"])

    before, examples = signature(), moods.examples

    def flipped(*asked: Any) -> list[Question]:
        found = examples(*asked)
        golds = [{**dict(one.gold), "sarcastic": not one.gold["sarcastic"]} for one in found]
        pairs = zip(found, golds, strict=True)
        return [one.model_copy(update={"gold": gold}) for one, gold in pairs]

    assert signature() == before
    monkeypatch.setattr(moods, "examples", flipped)
    assert signature() != before


@pytest.mark.parametrize("failing", [0, 1])
def test_an_arm_that_is_surely_better_is_said_to_be_so(
    moods: Moods,
    server: ModelServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    failing: int,
) -> None:
    """Zero-shot is always wrong, and a call of its may fail; the other arms are always right."""

    def told(picture: str, prompt: str) -> str:
        number = int(re.findall(r"test (\d)>>>", prompt)[-1])
        is_shown = server.requests[-1]["roles"].count("user") > 1
        return YES if (number % 2 == 0) == is_shown else NO

    server.answer = told
    tried = count(4 - failing)
    monkeypatch.setattr(server, "_refused", lambda body: "Not now." if next(tried) == 3 else "")
    path = tmp_path / "arms.json"
    found = said("fewshot", "compare", "moods", "--model", MODEL, "--image", "plain",
                 "--max-retries", "0", "--max-connections", "1", "--json", str(path),
                 "--store", str(tmp_path / "answers"))  # fmt: skip
    rows = {(row["group"], row["metric"]): row for row in json.loads(path.read_text())["rows"]}
    assert rows["fewshot=zero-shot", "accuracy"]["value"] == 0
    lead = rows["fewshot=random-vs-zero-shot", "accuracy_difference"]
    counts = (COUNTS["test"] - failing, failing)
    assert (lead["value"], lead["n"], lead["unscored"]) == (100, *counts)
    even = rows["fewshot=retrieval-vs-random", "accuracy_difference"]
    assert (even["value"], even["n"], even["unscored"]) == (0, COUNTS["test"], 0)
    if not failing:  # Of seven items that all differ, three pairs are not sure.
        assert "accuracy: random is better than zero-shot (p 0.0" in found
        assert "retrieval is better than zero-shot (p 0.0" in found
        assert "; 1 pair too close to call" in found
        # All eight have to keep their sides, or all to change them; of three pairs.
        chance = rows["fewshot=random-vs-zero-shot", "accuracy_p"]["value"]
        assert chance == pytest.approx(3 * 2 / 2**8, abs=0.02)


def test_arms_are_judged_and_every_score_of_theirs_is_compared(
    server: ModelServer, tmp_path: Path
) -> None:
    server.answer = lambda picture, prompt: (
        "是否讽刺：是\n讽刺对象：天气\n讽刺解释：天气不好。"
        if "讽刺" in prompt
        else "Sarcastic: yes\nTarget: the weather\nExplanation: It mocks the weather."
    )
    path = tmp_path / "arms.json"
    asked = ["fewshot", "compare", "cfms/joint", "--model", MODEL, "--image", "none"]
    kept = ["--store", str(tmp_path / "answers"), "--limit", "8", "--json", str(path)]
    result = CliRunner().invoke(app, [*asked, *kept])
    assert "cfms/joint is graded by a judge: name one with --judge" in str(result.exception)
    assert server.total == 0
    printed = said(*asked, *kept, "--judge", "judge/lexical", "--metric-model", "encoder=lexical")
    rows = {(row["group"], row["metric"]): row for row in json.loads(path.read_text())["rows"]}
    for metric in ("accuracy", "target_accuracy", "target_exact", "target_embedding", "f1"):
        row = rows["fewshot=random-vs-zero-shot", f"{metric}_difference"]
        assert row["value"] == 0, metric
        assert rows["fewshot=random", metric]["interval"], metric
        assert row["n"] == rows["fewshot=random", metric]["n"] and row["unscored"] == 0, metric
    accuracy = rows["fewshot=random", "accuracy"]
    assert accuracy["unscored"] == 0
    assert rows["fewshot=random", "target_accuracy"]["n"] < accuracy["n"] == 8
    assert rows["fewshot=random", "calls"]["unscored"] == 0
    assert ("fewshot=random", "judge_calls") in rows
    assert "too close to call: " in printed and "95 % intervals: Wilson's" in printed
    judged = judged_tasks([tmp_path / "answers"])
    assert {(one.task, one.judge) for one in judged} == {("joint", "judge/lexical")}
    assert sum(len(one.answers) for one in judged) > 0
    unjudged = [*asked[:2], "cfms/identification", *asked[3:], "--judge", "judge/lexical"]
    assert "nothing here is judged: judge/lexical is not asked" in said(*unjudged)
