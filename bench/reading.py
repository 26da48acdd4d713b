"""Seconds to read a store of many answers, and to score it as a command.

The answers are written by the real writer: half of them a model's to CFMS's question of the target,
half a judge's on these; or, with `--plain`, all of them to PixelHumor's eight questions.

    python bench/reading.py [--answers 20000] [--plain] [--open] [--profile]
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import os
import pstats
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from loopback import cfms_folder, pixelhumor_folder

MODEL, JUDGE = "mockllm/model", "mockllm/judge"
TASKS = 8
GRADE = '{"same_meaning": true, "reason": "the same people"}'


def main() -> None:
    """Prints the times."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--answers", type=int, default=20_000)
    parser.add_argument("--plain", action="store_true", help="eight unjudged tasks")
    parser.add_argument("--open", action="store_true", help="leave the segments uncompacted")
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder, "store")
        asyncio.run(_write(options, Path(folder), store))
        _read(store, options.profile)
        entry = [sys.executable, "-c", "from deadpan.cli import main; main()"]
        began = time.perf_counter()
        env = {**os.environ, "DEADPAN_CACHE": f"{folder}/cache"}
        subprocess.run(
            [*entry, "score", str(store)], env=env, check=True, stdout=subprocess.DEVNULL
        )
        print(f"deadpan score: {time.perf_counter() - began:.2f} s, start-up included")


def _read(store: Path, profile: bool) -> None:
    from deadpan.pipeline.table import read_tables

    profiler = cProfile.Profile()
    began, cpu = time.perf_counter(), time.process_time()
    if profile:
        profiler.enable()
    table = read_tables([store])
    profiler.disable()
    wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    print(f"load {os.getloadavg()[0]:.1f}; read_tables: {len(table)} rows in {wall:.2f} s")
    print(f"CPU {cpu:.2f} s; the table's checksum {table.hash_rows(seed=0).sum():x}")
    if profile:
        pstats.Stats(profiler).sort_stats("cumulative").print_stats(45)


async def _write(options: argparse.Namespace, folder: Path, store: Path) -> None:
    """Fills the store through the asker's own writer; no model is asked."""
    from deadpan.engine.asker import Asker
    from deadpan.engine.calls import CallOptions
    from deadpan.engine.inspect_model import InspectModel
    from deadpan.engine.requests import Sampling
    from deadpan.engine.store import AnswerStore

    for model, phase in ((MODEL, _asked), (JUDGE, _judged)):
        engine = InspectModel(model, Sampling(), 10, 10)
        asker = Asker(engine, AnswerStore(store), CallOptions())
        await _append(asker, phase(asker, options, folder, store))
        await asker.close(complete=not options.open)
        if options.plain:
            return


async def _append(asker: Any, made: Iterable[tuple[Any, str, str | None]]) -> None:
    from deadpan.engine.answers import Answer

    waiting = []
    for request, text, shown in made:
        finished = "2026-11-15T12:00:00.000+00:00"
        answer = Answer(
            asker.key(request),
            asker.engine.identity,
            asker.engine.server,
            finished,
            text=text,
            stop="stop",
            input_tokens=900,
            output_tokens=12,
            seconds=1.5,
            images=1,
            max_tokens=request.sampling.max_tokens,
            shown=shown,
        )
        waiting.append(asker._writer(request.label).append(answer))
    await asyncio.gather(*waiting)


def _asked(
    asker: Any, options: argparse.Namespace, folder: Path, store: Path
) -> Iterable[tuple[Any, str, str | None]]:
    """The model's answers; the manifest is written on the way."""
    from deadpan.benchmarks import find
    from deadpan.core.questions import MediaOptions
    from deadpan.engine.answers import shown_json
    from deadpan.engine.run import write_manifests
    from deadpan.engine.task_questions import RunSettings, task_questions, task_requests

    name, tasks, count = ("cfms", ["target"], options.answers // 2)
    if options.plain:
        name, tasks = "pixelhumor", [task.name for task in find("pixelhumor").tasks]
        count = options.answers // TASKS
    data = folder / name
    if options.plain:
        pixelhumor_folder(data, count)
    else:
        cfms_folder(data, count, 50)
    settings = RunSettings(store, data=data)
    for task in tasks:
        questions = task_questions(find(name), task, settings, MediaOptions())
        requests = task_requests(questions, MODEL, settings)
        write_manifests(asker, [(questions, requests)])
        for place, request in enumerate(requests):
            text = _reply(task, place)
            shown = {"path": f"/pictures/{place}.png", "sha256": f"{place:064x}", "notes": []}
            yield request, text, shown_json([shown])


def _reply(task: str, place: int) -> str:
    said = {"presence": "Yes", "sound_effect": "Absent", "panel": "1", "modality": "Text"}
    said |= {"style": "Pun, Sarcasm", "panel_order": "1, 2", "panel_text": "1: A\n2: B"}
    said |= {"interpretation": "A pun. It is dry. Nobody laughs."}
    return said.get(task, f"the people behind case {place + 1}")


def _judged(
    asker: Any, options: argparse.Namespace, folder: Path, store: Path
) -> Iterable[tuple[Any, str, None]]:
    """The judge's replies to the answers that are in the store."""
    from deadpan.benchmarks import find
    from deadpan.engine.judging import JudgeJob, _manifest, _request
    from deadpan.engine.manifests import write_manifest
    from deadpan.pipeline.judgements import requests
    from deadpan.pipeline.table import read_tables

    rows = read_tables([store])
    job = JudgeJob("cfms", "target", MODEL, find("cfms").judge("target"), requests(rows))
    made = [(job, one, _request(job, one, 1, JUDGE)) for one in job.requests]
    write_manifest(asker.store, job.label(JUDGE), _manifest(job, asker, made))
    for _, _, request in made:
        yield request, GRADE, None


if __name__ == "__main__":
    main()
