"""One small valid file of every format that Deadpan reads, and what reads it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from deadpan.base.rows import write_rows
from deadpan.benchmarks import BUILT_IN, find
from deadpan.benchmarks.janusmm import robustness
from deadpan.benchmarks.janusmm.rating_files import read_item_scores
from deadpan.collecting.anonymise.records import clean_lines
from deadpan.collecting.anonymise.sources import Limits, found_sources
from deadpan.collecting.fetch import load_rules
from deadpan.collecting.fetch.records import read_manifest
from deadpan.core.benchmark import Benchmark
from deadpan.core.predictions import read_predictions
from deadpan.core.published import read_published
from deadpan.core.score import ScoringOptions
from deadpan.core.signature import Signature
from deadpan.core.usage import read_prices
from deadpan.editing.generation import read_descriptions
from deadpan.editing.reappraise.plan import Described, Origin, Plan, Proposed, read_plan, write_plan
from deadpan.engine.fewshot.policy import Card, Policy, SavedPolicy, read_policy, write_policy
from deadpan.engine.fewshot.specification import Weights
from deadpan.engine.local.adapters import read_card
from deadpan.failures.cases import cases_of
from deadpan.failures.criteria import read_criteria, shipped_text
from deadpan.failures.labels import Label, label_of, people_labels, read_labels
from deadpan.pipeline.agreement import find_agreement
from deadpan.pipeline.lay_people import read_replies
from deadpan.pipeline.rating import rate_answers
from deadpan.pipeline.table import read_tables, results_of_predictions
from deadpan.pipeline.table_files import table_of, write_table
from tests.benchmarks.merbench.meme_folder import judgement

_FEW = 6


@dataclass(frozen=True)
class Sample:
    """Files of a folder, the one that is spoilt, and what reads the folder."""

    name: str
    files: Mapping[str, bytes]
    spoilt: str
    read: Callable[[Path], object]

    def write(self, folder: Path, data: bytes | None = None) -> None:
        """Writes the files, with `data` in place of the one that is spoilt."""
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data if data is not None and name == self.spoilt else content)


def samples() -> list[Sample]:
    """All of them."""
    return [*_records(), *_predictions(), *_people(), *_tables(), *_others()]


def _lines(rows: list[Any]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def _first_lines(path: Path, count: int) -> bytes:
    return b"\n".join(path.read_bytes().split(b"\n")[:count]) + b"\n"


def _each(name: str, files: Mapping[str, bytes], read: Callable[[Path], object]) -> list[Sample]:
    """A sample for each of the files spoilt."""
    return [Sample(f"{name}-{file}", files, file, read) for file in files]


@cache
def _data(name: str) -> Path:
    module = __import__(f"deadpan.benchmarks.{name}", fromlist=["data"])
    return Path(str(module.__file__)).parent / "data"


def _records() -> list[Sample]:
    comics = {
        path.name: _csv_head(path, _FEW)
        for path in sorted(_data("pixelhumor").glob("*.csv"))
        if path.name not in ("harm_annotation.csv", "objective_label.csv")
    }
    films = {f"metadata/{path.name}": path for path in (_data("vimu") / "metadata").glob("*")}
    memes = json.loads((_data("merbench") / "index_final.json").read_bytes())[:_FEW]
    index = json.dumps(memes, ensure_ascii=False, indent=1).encode()
    return [
        *_each("pixelhumor", comics, _read_comics),
        *_each("janusmm", {"memes.jsonl": _first_lines(_data("janusmm") / "memes.jsonl", _FEW)},
               lambda folder: _read_dataset(find("janusmm"), folder)),
        *_each("cfms", {"pairs.jsonl": _first_lines(_data("cfms") / "pairs.jsonl", _FEW)},
               lambda folder: _read_dataset(find("cfms"), folder)),
        *_each("merbench", {"index_final.json": index},
               lambda folder: _read_dataset(find("merbench"), folder)),
        *_each("vimu", {name: _first_lines(films[name], 3) for name in sorted(films)},
               lambda folder: _read_dataset(find("vimu"), folder)),
    ]  # fmt: skip


def _csv_head(path: Path, rows: int) -> bytes:
    table = pl.read_csv(path, infer_schema=False).head(rows)
    return table.write_csv(line_terminator="\n").encode()


def _read_dataset(benchmark: Benchmark[Any], folder: Path) -> None:
    dataset = benchmark.read(folder)
    benchmark.missing_tasks(dataset)
    for spec in benchmark.tasks:
        benchmark.questions(dataset, spec.name, benchmark.prompts(spec.name))
    benchmark.analyses.stats(dataset)
    benchmark.verify(folder)


def _read_comics(folder: Path) -> None:
    benchmark = find("pixelhumor")
    _read_dataset(benchmark, folder)
    benchmark.votes.agreement(folder)
    benchmark.votes.write_gold(folder, folder / "gold.csv")
    benchmark.media.source(folder)


def _predictions() -> list[Sample]:
    comic = {
        **{"Q1": "Yes", "Q2": "Absent", "Q3": ["2"], "Q4": "Text", "Q5": ["Pun", "Dark"]},
        **{"Q6": "It is funny.", "panel_sequence": [1, 2], "text": "1: hi\n2: ho"},
    }
    released = {f"deadpan_{number}": comic for number in (1, 2, 3)}
    ours = [
        {"item": f"deadpan_{number}", "task": task, "answer": answer, "model": "m"}
        for number in (1, 2)
        for task, answer in (("presence", "Yes"), ("panel_order", "2, 1"), ("panel_text", "1: a"))
    ]
    films = [
        {"video_id": video.video_id, "model_name": "m", "task_name": task, "prediction": said}
        for video in find("vimu").read(None).records[:3]
        for task, said in (("rm", {"selected_options": ["A"]}), ("oe", "words"), ("eg", ["B"]))
    ]
    judged = [
        {"run": run, "id": f"{name}.png", "model": model, "tgt_emo": "calm", "judgement": said}
        for run in (1, 2)
        for name in ("0", "1")
        for model, said in (("a", judgement()), ("b", json.dumps(judgement())))
    ]
    return [
        *_each("released", {"p.json": json.dumps(released, indent=1).encode()},
               lambda folder: _score(find("pixelhumor"), folder / "p.json")),
        *_each("ours", {"p.jsonl": _lines(ours)},
               lambda folder: _score(find("pixelhumor"), folder / "p.jsonl")),
        *_each("vimu-lines", {"p.jsonl": _lines(films)},
               lambda folder: _score(find("vimu"), folder / "p.jsonl")),
        *_each("vimu-list", {"p.json": json.dumps(films, indent=1).encode()},
               lambda folder: _score(find("vimu"), folder / "p.json")),
        *_each("judgements", {"j.jsonl": _lines(judged)},
               lambda at: find("merbench").judging.rows_of_file(at / "j.jsonl", None, None)),
    ]  # fmt: skip


def _score(benchmark: Benchmark[Any], path: Path) -> None:
    dataset = benchmark.read(None)
    asked = {
        spec.name: {
            question.item
            for question in benchmark.questions(dataset, spec.name, benchmark.prompts(spec.name))
        }
        for spec in benchmark.tasks
    }
    for model, found in read_predictions(path, benchmark, dataset, asked, "m").items():
        if found.replies:
            table = results_of_predictions(benchmark, dataset, found, model)
            benchmark.score(table, ScoringOptions())


def _people() -> list[Sample]:
    rating = [
        {"item": f"i{item}", "model": "m", "metric": metric, "rater": f"r{rater}", "rating": 3}
        for item in (1, 2)
        for metric in ("MG", "HUC")
        for rater in (1, 2)
    ]
    edits = [
        {"item": f"{item}.png", "model": "m", "rater": "r", "dimension": name, "rating": 6}
        for item in (1, 2)
        for name in ("VGQ", "LC")
    ]
    scores = [{"item": f"i{number}", "model": "m", "irc": 55.5} for number in (1, 2)]
    sheet = [{"item": f"p{n}", "judge": "j", "met": "1", "image": "x.png"} for n in (1, 2, 3)]
    lay = [{"item": f"i{n}", "rater": "r", "answer": "self-mockery 自嘲"} for n in (1, 2, 3)]
    described = [{"id": f"p{n}", "description": "A cat in the rain. 一只猫"} for n in (1, 2)]
    return [
        *_each("ratings", {"r.csv": _csv_of(rating)},
               lambda folder: _rated("janusmm", folder / "r.csv")),
        *_each("ratings", {"r.jsonl": _lines(rating)},
               lambda folder: _rated("janusmm", folder / "r.jsonl")),
        *_each("edit-ratings", {"r.csv": _csv_of(edits)},
               lambda folder: _rated("merbench", folder / "r.csv")),
        *_each("edit-ratings", {"r.jsonl": _lines(edits)},
               lambda folder: _rated("merbench", folder / "r.jsonl")),
        *_each("item-scores", {"s.csv": _csv_of(scores)},
               lambda folder: read_item_scores(folder / "s.csv")),
        *_each("sheet", {"s.csv": _csv_of(sheet)}, lambda folder: _rated("cfms", folder / "s.csv")),
        *_each("lay-people", {"l.csv": _csv_of(lay)},
               lambda folder: read_replies([folder / "l.csv"], "recognition")),
        *_each("descriptions", {"d.jsonl": _lines(described)},
               lambda folder: read_descriptions(folder / "d.jsonl")),
        *_each("rewordings", {"w.jsonl": _first_lines(robustness.EMBEDDED, 3)},
               lambda folder: robustness.read_pairs(folder / "w.jsonl")),
        *_each("columns", {"c.csv": b"item,model,judge:A,note:A,judge:B\n1,g,1,ok,0\n2,g,,,1\n"},
               lambda folder: _rated("cfms", folder / "c.csv")),
        *_each("columns", {"c.parquet": _parquet_of(rating)},
               lambda folder: _rated("janusmm", folder / "c.parquet")),
        *_each("annotations", {"a.csv": _csv_of(_ANNOTATED)},
               lambda folder: find_agreement(find("cfms"), [folder / "a.csv"])),
        *_each("annotations", {"a.jsonl": _lines(_ANNOTATED)},
               lambda folder: find_agreement(find("cfms"), [folder / "a.jsonl"], None, ["why"])),
    ]  # fmt: skip


def _rated(benchmark: str, path: Path) -> None:
    rate_answers(find(benchmark), [path], model="m")


_ANNOTATED = [
    {"item": f"i{item}", "annotator": annotator, "question": question, "value": value}
    for item in (1, 2)
    for annotator in ("a", "b")
    for question, value in (
        *(("sarcastic", "yes"), ("target_type", "others"), ("styles", "Pun; Dark")),
        *(("explanation", "他讽刺老板"), ("why", "because it rains")),
    )
]


def _parquet_of(rows: list[dict[str, Any]]) -> bytes:
    stream = BytesIO()
    pl.DataFrame(rows).write_parquet(stream)
    return stream.getvalue()


def _csv_of(rows: list[dict[str, Any]]) -> bytes:
    return pl.DataFrame(rows).write_csv(line_terminator="\n").encode()


def _tables() -> list[Sample]:
    made = []
    for name in BUILT_IN:
        table = results_of(find(name))
        for suffix in (".jsonl", ".parquet"):
            file = f"t{suffix}"
            data = _written(table, suffix)
            made += _each(f"table-{name}", {file: data}, _table_reader(file))
    return made


def _table_reader(file: str) -> Callable[[Path], None]:
    def read(folder: Path) -> None:
        table = read_tables([folder / file])
        for (name,), rows in table.group_by("benchmark", maintain_order=True):
            benchmark = find(str(name))
            benchmark.score(rows, ScoringOptions())
            for row in rows.iter_rows(named=True):
                benchmark.report.gold_text(row["task"], json.loads(row["gold"]))
                if row["outcome"] in ("answered", "invalid"):
                    benchmark.analyses.is_wrong(row) if name != "merbench" else None

    return read


_SAID = {
    "presence": "Yes", "sound_effect": "Absent", "panel": "2", "modality": "Text", "style": "Pun",
    "interpretation": "Funny.", "panel_order": "2,1", "panel_text": "1: a\n2: b",
    "recognition": "self-deprecation", "reasoning": "Emotion: sad\nReasoning: as it rains.",
    "initiator": "Emotion: sad\nReasoning: as it rains.",
    "responder": "Emotion: sad\nReasoning: as it rains.\nReply: oh",
    "joint": "Sarcastic: yes\nTarget: rain\nExplanation: it rains", "identification": "yes",
    "target": "rain", "explanation": "It rains.", "metaphor": "no", "metaphor_sarcasm": "yes",
    "oe": "words", "eg": "A", "rm": "A, B", "sv": "C", "rm_guided": "A", "sv_guided": "A",
}  # fmt: skip


def results_of(benchmark: Benchmark[Any]) -> pl.DataFrame:
    """A small results table of the mini-set: per task two answers and an invalid one."""
    dataset = benchmark.read(None)
    rows: list[dict[str, Any]] = []
    for spec in benchmark.tasks:
        questions = benchmark.questions(dataset, spec.name, benchmark.prompts(spec.name))[:3]
        signature = Signature(benchmark.name, spec.name, "1", 3, dataset.checksum, "external")
        for number, question in enumerate(questions):
            said = _SAID.get(spec.name, '{"path": "0.png", "sha256": ""}')
            parsed = _parsed(benchmark, spec.name, said, question.language)
            rows.append({
                "benchmark": benchmark.name, "task": spec.name, "version": "1", "model": "m",
                "item": question.item, "epoch": 1, "language": question.language, "answer": said,
                "parsed": parsed if number < 2 else None,
                "gold": json.dumps(question.gold, ensure_ascii=False),
                "outcome": "answered" if number < 2 else "invalid", "signature": str(signature),
                "judge": "j" if spec.judge and number == 0 else None,
                "judgements": _judged(spec.name) if spec.judge and number == 0 else None,
                **{f"attr.{name}": value for name, value in question.attributes.items()},
            })  # fmt: skip
    return table_of(rows)


def _parsed(benchmark: Benchmark[Any], task: str, said: str, language: Any) -> str:
    if benchmark.name == "merbench":
        return said
    from deadpan.core.questions import Reply

    return json.dumps(benchmark.parse(task, Reply(text=said), language).parsed)


def _judged(task: str) -> str:
    if task == "oe":
        named = ("core_intent", "implicit_signal", "target_or_social_meaning")
        penalties = ("hallucination_penalty", "literal_only_penalty")
        parts: Any = {**dict.fromkeys(named, 1), **dict.fromkeys(penalties, 0), "total": 3}
        parts |= {"verdict": "partial", "reason": "x"}
    elif task.startswith("reappraisal"):
        parts = judgement()
    elif task == "interpretation":
        parts = {"rating": 4, "reason": "x"}
    else:
        parts = {"same_meaning": True, "reason": "x"}
    return json.dumps([{"parts": parts, "flags": []}])


def _written(table: pl.DataFrame, suffix: str) -> bytes:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"t{suffix}"
        write_table(table, path)
        return path.read_bytes()


def _others() -> list[Sample]:
    prices = {"openai/gpt-4o*": {"input": 2.5, "output": 10}, "m": {"input": 0, "output": 0}}
    published = find("pixelhumor").folder
    chat = [
        {"sender": "Ann", "text": "call 0151 2345678, 你好", "image": "a.png", "n": [1, {}]}
    ] * 2
    prompts = {f"{code}/system.txt": "You see comics. 你好\n".encode() for code in ("en", "zh")}
    rules = (published / "sources.json").read_bytes()
    fetched = {
        "id": "xkcd_1",
        "url": "https://example.org/1",
        "status": "gone",
        "error": "404",
        "fetched_at": "2026-01-01T00:00:00Z",
    }
    return [
        *_each("prices", {"p.json": json.dumps(prices).encode()},
               lambda folder: read_prices(folder / "p.json")),
        *_each("published", {"published.csv": _first_lines(published / "published.csv", 5),
                             "published.json": (published / "published.json").read_bytes()},
               read_published),
        *_each("prompts", prompts, lambda folder: find("pixelhumor").prompts("style", folder)),
        *_each("criteria", {"c.json": shipped_text().encode()},
               lambda folder: read_criteria(folder / "c.json")),
        *_each("chat", {"chat.jsonl": _lines(chat)}, _read_chat),
        *_each("card", {"card.json": json.dumps(_ADAPTER).encode()}, read_card),
        *_each("rules", {"sources.json": rules},
               lambda folder: load_rules(folder / "sources.json")),
        *_each("manifest", {"m.jsonl": _lines([fetched] * 3)},
               lambda folder: read_manifest(folder / "m.jsonl")),
        *_from_writer("policy", _write_policy, read_policy),
        *_from_writer("plan", _write_plan, lambda folder: read_plan(folder / "plan.json")),
        *_from_writer("labels", _write_labels, _read_labels),
    ]  # fmt: skip


_ADAPTER = {
    "benchmark": "cfms", "tasks": ["joint"], "base": "b", "base_identity": "b@1", "data": "0",
    "prompts": "0", "examples": 3, "validation_examples": 1, "settings": {"epochs": 2, "rate": 0.1},
    "processes": 1, "steps": 4, "answer_tokens": 9, "trained_parameters": 8, "packages": {"a": "1"},
    "training_loss": 0.5, "validation_losses": [0.5, 0.4],
}  # fmt: skip


def _from_writer(
    name: str, write: Callable[[Path], None], read: Callable[[Path], object]
) -> list[Sample]:
    import tempfile

    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        write(folder)
        files = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
    return _each(name, files, read)


def _read_chat(folder: Path) -> None:
    for source in found_sources(folder, Limits()).files.values():
        if source.kind == "records":
            clean_lines(source, source.path.read_bytes(), lambda text: None, 4 << 20)


def _write_policy(folder: Path) -> None:
    policy = Policy.fresh(4, 2, np.random.default_rng(0))
    card = Card(
        benchmark="cfms", task="joint", model="m", shots=1, width=4, hidden=2, prior=policy.prior,
        encoder="e", text=None, image=None, pool="p", rewards="r", weights=Weights(),
        validation=0.5, updates=3, checksum=policy.checksum,
    )  # fmt: skip
    write_policy(folder, SavedPolicy(policy, card))


def _write_plan(folder: Path) -> None:
    origin = Origin(file="a.png", sha256="0" * 64)
    described = Described(emotion="sad", description="Rain. 下雨", captions=("Wet", "Cold"))
    proposed = Proposed(target="happy", captions=("Dry", "Warm"), specification="sun")
    plan = Plan(source=origin, described=described, proposed=proposed, status="planned")
    write_plan(folder / "plan.json", plan)


def _labelled_cases() -> list[Any]:
    return cases_of(results_of(find("pixelhumor")), [find("pixelhumor").analyses.is_wrong])[:6]


def _write_labels(folder: Path) -> None:
    labels = [label_of(c, status="labelled", type="AB", by="judge") for c in _labelled_cases()]
    write_rows(folder / "labels.jsonl", labels)
    people = [{**c.model_dump(), "type": "AB", "note": ""} for c in _labelled_cases()]
    (folder / "people.jsonl").write_bytes(_lines(people))


def _read_labels(folder: Path) -> list[Label]:
    people_labels(folder / "people.jsonl", _labelled_cases(), read_criteria(None))
    return read_labels(folder / "labels.jsonl", read_criteria(None))
