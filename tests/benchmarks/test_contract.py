"""The contract that every task of every built-in benchmark keeps.

`tests/snapshots/prompts.json` holds the SHA-256 of every prompt file. Where a change of wording is
meant, write it anew with `python -m tests.benchmarks.test_contract`, raise the versions of the
tasks whose numbers it moves, and say so in CHANGELOG.md on a line that starts with `SCORES:`.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from deadpan.benchmarks import BUILT_IN, find
from deadpan.benchmarks.pixelhumor import answers
from deadpan.benchmarks.pixelhumor.records import NA
from deadpan.core.abilities import ABILITIES
from deadpan.core.benchmark import PARAPHRASES, Benchmark
from deadpan.core.capabilities import Predictions
from deadpan.core.dataset import Dataset
from deadpan.core.measurement import SPREAD
from deadpan.core.published import read_published
from deadpan.core.questions import Card, Question, Reply
from deadpan.core.score import Score, ScoringOptions
from deadpan.pipeline.table import results_of_predictions

SNAPSHOT = Path(__file__).parent / "snapshots" / "prompts.json"
BEST = {
    **dict.fromkeys(("f1", "precision", "recall", "accuracy", "answered"), 1.0),
    **dict.fromkeys(("wer", "cer", "out_of_range", "fp", "fn"), 0.0),
    **{"score": 100.0, "score_judged": 100.0, "total": 9.0},
    **dict.fromkeys(("exact", "micro_f1", "total_ge_3", "total_eq_9"), 1.0),
    **dict.fromkeys(("zero", "conservatism", "geometry_distortion", "total_le_0"), 0.0),
    **dict.fromkeys(("affinity_bias", "false_positive_rate", "false_negative_rate"), 0.0),
    **dict.fromkeys(("emotion_given", "reply_given"), 1.0),
    **{"false_alarms": 0.0, "greedy_match": 100.0, "gate_broken": 0.0, "missing_outputs": 0.0},
    **dict.fromkeys(("VGQ", "VEA", "TGQ", "TEA", "LC", "HGQ", "PPE", "PES"), 100.0),
    **dict.fromkeys(("TAS", "CFS"), 100.0),
    **dict.fromkeys(("target_accuracy", "target_exact", "bleu4"), 100.0),
    **{"complete": 1.0, "gap": 0.0},
}
IN_PERCENT = {
    ("janusmm", "accuracy"),
    *(("cfms", m) for m in ("accuracy", "precision", "recall", "f1")),
}


def best(name: str, metric: str) -> float:
    """The best value of a benchmark's metric."""
    return BEST[metric] * (100 if (name, metric) in IN_PERCENT else 1)


ALL_TASKS = [(name, spec.name) for name in BUILT_IN for spec in find(name).tasks]

Answerer = Callable[[str, Question], str]


def pixelhumor_gold(task: str, question: Question) -> str:
    """The gold of a comic, worded as the question asks for it."""
    gold: Any = question.gold
    if task == "panel_text":
        return str(gold["text"])
    if task == "interpretation":
        return gold["explanation"] or "Nobody has written down why."
    if gold == [NA]:
        return "1" if task == "panel" else question.options[0]
    labels = (str(label) for label in gold)
    english = question.language == "en"
    return ", ".join(label if english else answers.CHINESE.get(label, label) for label in labels)


def vimu_gold(task: str, question: Question) -> str:
    """The gold of a video in the form asked for."""
    gold: Any = question.gold
    return str(gold["reference"]) if task == "oe" else json.dumps({"selected_options": gold})


def janusmm_gold(task: str, question: Question) -> str:
    """The gold of a meme in the parts asked for."""
    gold: Any = question.gold
    if task == "recognition":
        return str(gold["answer"])
    said = (question.attributes["emotion"], gold.get("reference", "Nobody has written it down."))
    texts = (*said, gold.get("reply", "I see."))
    pairs = zip(question.labels, texts, strict=False)
    return "\n".join(f"{label}: {text}" for label, text in pairs)


def merbench_gold(task: str, question: Question) -> str:
    """A picture that can be read, as the answer; what it is worth is the judge's to say."""
    path = Path(question.pictures[0].path)
    return json.dumps({"path": str(path), "sha256": hashlib.sha256(path.read_bytes()).hexdigest()})


def merbench_full_marks(gold: Any) -> Mapping[str, Any]:
    """The best judgement of an edit."""
    rated = {"rationale": "…", "generation_quality_1_5": 5, "emotion_accuracy_1_5": 5}
    label = {"rationale": "…", "label": gold["target_emotion"], "other_emotion": None}
    return {
        "visual_assessment": rated,
        "text_assessment": rated,
        "layout_consistency": {"rationale": "…", "consistent": True},
        "overall_emotion_classification": label,
        "perceived_emotion_shift": {"rationale": "…", "magnitude_1_5": 5},
        "overall_generation_quality": {"rationale": "…", "overall_generation_quality_1_5": 5},
    }


PERFECT: Mapping[str, Answerer] = {
    "pixelhumor": pixelhumor_gold,
    "janusmm": janusmm_gold,
    "merbench": merbench_gold,
    "vimu": vimu_gold,
    "cfms": lambda task, question: find("cfms").training.ideal_answer(task, question),
}
FULL_MARKS: Mapping[str, Callable[[Any], Mapping[str, Any]]] = {
    "cfms_target": lambda gold: {"same_meaning": True, "reason": "x"},
    "vimu_oe": lambda gold: {
        **{"core_intent": 5, "implicit_signal": 3, "target_or_social_meaning": 1},
        **{"hallucination_penalty": 0, "literal_only_penalty": 0, "total": 9},
    },
    "pixelhumor_interpretation": lambda gold: {"reason": "x", "rating": 7},
    **{f"merbench_{name}": merbench_full_marks for name in ("rf_vf", "rf_vl", "rl_vf", "rl_vl")},
}
"""What each judge says of an answer that has everything."""
EMPTY_IS_AN_ANSWER = {("pixelhumor", "panel_text")}
SILENCE_EARNS = {
    ("pixelhumor", "panel_text", "accuracy"): 3 / 35,
    ("vimu", "oe", "score"): 100 * 5 / 15,
}
"""What silence is worth where it is not nothing: three comics have no words, and a failed inference
is a total of -1 on a scale from -6 to 9."""
GOLD_IS_ASKED_FOR = {"merbench"}
UNGATED = {"pixelhumor": "none"}


def questions_of(benchmark: Benchmark[Any], dataset: Dataset[Any], task: str) -> list[Question]:
    return benchmark.questions(dataset, task, benchmark.prompts(task))


def scripted(
    name: str, answer: Answerer, gate: str | None = None, stop: str | None = None
) -> tuple[pl.DataFrame, list[Score]]:
    """The mini-set answered in every task, judged full marks, and the scores of that."""
    benchmark = find(name)
    dataset = benchmark.read(None)
    replies = {
        spec.name: {
            question.item: Reply(text=answer(spec.name, question), stop=stop)
            for question in questions_of(benchmark, dataset, spec.name)
        }
        for spec in benchmark.tasks
    }
    table = judged(results_of_predictions(benchmark, dataset, Predictions(replies), "scripted"))
    return table, benchmark.score(table, ScoringOptions(gate))


def judged(table: pl.DataFrame) -> pl.DataFrame:
    """The table with full marks for every answer that a judge would have to grade."""
    rows = []
    for row in table.iter_rows(named=True):
        judge = find(row["benchmark"]).task(row["task"]).judge
        if judge is not None and row["parsed"] is not None:
            parts = FULL_MARKS[judge.name](json.loads(row["gold"]))
            marks = json.dumps([{"parts": parts, "flags": []}])
            row |= {"outcome": "answered", "judgements": marks}
        rows.append(row)
    return pl.DataFrame(rows, schema=table.schema)


def own_question(question: Question) -> tuple[str | None, list[str]]:
    """An item's own question where its gold holds it, and the other texts of such a gold."""
    if not (isinstance(question.gold, dict) and "question" in question.gold):
        return None, []
    secrets = [str(text) for name, text in question.gold.items() if name != "question"]
    return str(question.gold["question"]), secrets


def in_usual_order(question: Question) -> Question:
    """The question with its options sorted by their texts, under the same letters."""
    listed, usual = (
        "\n".join(f"{one}. {text}" for one, text in zip(question.options, texts, strict=False))
        for texts in (question.about, sorted(question.about))
    )
    if not listed or listed not in question.text:
        return question
    text = question.text.replace(listed, usual)
    return question.model_copy(update={"text": text, "about": tuple(sorted(question.about))})


def said_to_models(question: Question, card: Card) -> str:
    """All that a model or a baseline is told of a question."""
    known = [question.system, question.text, card.model_dump(exclude={"item"})]
    return json.dumps(known, ensure_ascii=False)


@pytest.fixture(scope="module", params=BUILT_IN)
def benchmark(request: pytest.FixtureRequest) -> Benchmark[Any]:
    return find(request.param)


@pytest.mark.parametrize(("name", "task"), ALL_TASKS)
class TestTask:
    def test_the_mini_set_loads(self, name: str, task: str) -> None:
        benchmark = find(name)
        dataset = benchmark.read(None)
        assert dataset.anomalies == ()
        asked = questions_of(benchmark, dataset, task)
        assert len({question.item for question in asked}) == len(asked) <= len(dataset.records)
        assert {question.language for question in asked} == set(benchmark.languages)
        assert all(Path(p.path).is_file() for question in asked for p in question.pictures)
        assert all(Path(q.clip.path).is_file() for q in asked if q.clip is not None)
        assert all(question.pictures or question.clip for question in asked)

    def test_no_question_gives_its_gold_away(self, name: str, task: str) -> None:
        """What a model or a baseline is told is the same for all items of a language and size that
        ask the same, but for the order of options; it holds no text of the gold beyond the
        question."""
        if name in GOLD_IS_ASKED_FOR:
            pytest.skip("what the answer should be like is what is asked for")
        benchmark = find(name)
        told: dict[tuple[object, ...], set[str]] = defaultdict(set)
        for question in questions_of(benchmark, benchmark.read(None), task):
            card = question.card(name, task)
            own, secrets = own_question(question)
            text = said_to_models(question, card)
            usual = in_usual_order(question)
            alike = said_to_models(usual, usual.card(name, task))
            told[question.language, question.panels, own].add(alike)
            assert not [secret for secret in secrets if secret in text]
            assert set(card.model_dump()) == {
                *("benchmark", "task", "item", "language", "form", "options", "panels"),
                *("about", "labels", "reference"),
            }
        assert told and all(len(variants) == 1 for variants in told.values())

    def test_a_perfect_answerer_gets_the_best_score(self, name: str, task: str) -> None:
        table, scores = scripted(name, PERFECT[name])
        overall = {f.metric: f for f in scores if f.task == task and f.group == "all"}
        known = {metric.name for metric in find(name).task(task).metrics if metric.name in BEST}
        assert known and known & set(overall)
        for metric in known & set(overall):
            assert overall[metric].value == pytest.approx(best(name, metric)), metric
            assert overall[metric].unscored == 0
        assert len(table.filter(pl.col("task") == task)) == max(f.n for f in overall.values())
        grouped = [f for f in scores if f.task == task and f.metric in BEST and f.value is not None]
        assert all(f.value == pytest.approx(best(name, f.metric)) for f in grouped)

    def test_a_silent_answerer_is_invalid_and_earns_nothing(self, name: str, task: str) -> None:
        table, scores = scripted(name, lambda task, question: "", UNGATED.get(name))
        expected = "answered" if (name, task) in EMPTY_IS_AN_ANSWER else "invalid"
        assert set(table.filter(pl.col("task") == task)["outcome"]) == {expected}
        scores = [
            f for f in scores if f.task == task and find(name).metric(f.metric).better == "higher"
        ]
        worth_having = {m.name for m in find(name).task(task).metrics if BEST.get(m.name, 0.0) > 0}
        assert worth_having <= {score.metric for score in scores}
        for score in scores:
            earned = SILENCE_EARNS.get((name, task, score.metric), 0.0)
            if score.group == "all" or not earned:
                assert max(score.value or 0.0, 0.0) == pytest.approx(earned), score

    def test_an_answerer_that_is_cut_off_earns_nothing(self, name: str, task: str) -> None:
        """However right it was: the answers are counted as truncated, and as nothing else."""
        table, scores = scripted(name, PERFECT[name], UNGATED.get(name), stop="max_tokens")
        rows = table.filter(pl.col("task") == task)
        assert set(rows["outcome"]) == {"truncated"} and rows["parsed"].null_count() == len(rows)
        own = [score for score in scores if score.task == task]
        assert max(score.truncated for score in own) == len(rows)
        assert {(score.invalid, score.refused) for score in own} == {(0, 0)}
        for score in own:
            if score.metric in BEST and find(name).metric(score.metric).better == "higher":
                known = SILENCE_EARNS if task == "oe" else {}
                lowest = known.get((name, task, score.metric), 0.0)
                assert max(score.value or 0.0, 0.0) == pytest.approx(lowest), score

    def test_every_metric_that_is_named_is_computed(self, name: str, task: str) -> None:
        _, scores = scripted(name, PERFECT[name])
        assert {f.metric.removesuffix(SPREAD) for f in scores if f.task == task} == {
            metric.name for metric in find(name).task(task).metrics
        }


def prompt_sums() -> dict[str, dict[str, str]]:
    """The SHA-256 of every prompt file per benchmark."""
    return {
        name: {
            path.relative_to(find(name).folder / "prompts").as_posix(): hashlib.sha256(
                path.read_bytes()
            ).hexdigest()
            for path in sorted((find(name).folder / "prompts").rglob("*.txt"))
        }
        for name in BUILT_IN
    }


def test_prompts_are_as_in_the_snapshot() -> None:
    assert prompt_sums() == json.loads(SNAPSHOT.read_text("utf-8"))


def test_every_language_has_every_prompt_and_no_other(benchmark: Benchmark[Any]) -> None:
    folder = benchmark.folder / "prompts"
    prompts = {spec.worded_as or spec.name for spec in benchmark.tasks}
    expected = {"system.txt", *(f"{name}.txt" for name in prompts)}
    own = [path for path in folder.iterdir() if path.name != PARAPHRASES]
    found = {path.name: {p.name for p in path.iterdir()} for path in own}
    assert found == {language: expected for language in benchmark.languages}


def test_prompts_offer_the_whole_vocabulary(benchmark: Benchmark[Any]) -> None:
    for spec in benchmark.tasks:
        for question in questions_of(benchmark, benchmark.read(None), spec.name):
            assert all(option in question.text for option in question.options)


def test_published_results_parse(benchmark: Benchmark[Any]) -> None:
    published = read_published(benchmark.folder)
    assert published is not None and published.source
    assert set(published.rows["table"]) <= set(published.tables)
    tasks = {spec.name for spec in benchmark.tasks}
    assert tasks & set(published.rows["task"]), "at least one table is about the tasks"
    named = {layout.published for layout in benchmark.report.tables if layout.published}
    assert named and named <= set(published.tables)


def test_the_readme_tells_of_every_task(benchmark: Benchmark[Any]) -> None:
    text = (benchmark.folder / "README.md").read_text("utf-8")
    assert benchmark.title.partition(":")[0] in text
    missing = [spec.name for spec in benchmark.tasks if f"`{spec.name}`" not in text]
    assert missing == []


def test_the_headline_and_the_abilities_are_scores_there_are(benchmark: Benchmark[Any]) -> None:
    """A report leads with a score that has a value, and profiles scores with a worst and a best."""
    _, scores = scripted(benchmark.name, PERFECT[benchmark.name])
    made = {(one.task, one.metric) for one in scores if one.group == "all"}
    assert benchmark.report.headline in made
    task, metric = benchmark.report.headline
    known = [one for one in scores if (one.task, one.metric, one.group) == (task, metric, "all")]
    assert [one for one in known if one.value is not None]
    assert benchmark.metric(metric).better != "neither"
    abilities = benchmark.report.abilities
    assert abilities and len(set(abilities)) == len(abilities)
    for one in abilities:
        assert (one.task, one.metric) in made, one
        about = benchmark.metric(one.metric)
        assert about.range is not None and about.better != "neither", one
        languages = {
            score.group
            for score in scores
            if (score.task, score.metric) == (one.task, one.metric) and "language=" in score.group
        }
        assert {f"language={code}" for code in benchmark.languages} <= languages, one


def test_every_ability_is_measured_by_some_benchmark() -> None:
    measured = {one.ability for name in BUILT_IN for one in find(name).report.abilities}
    assert measured == {one.name for one in ABILITIES}


def test_every_benchmark_has_a_perfect_answerer() -> None:
    assert set(PERFECT) == set(BUILT_IN)


if __name__ == "__main__":
    SNAPSHOT.parent.mkdir(exist_ok=True)
    SNAPSHOT.write_text(json.dumps(prompt_sums(), indent=1) + "\n", "utf-8")
