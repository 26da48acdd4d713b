"""Model calls per second that training makes at a loopback server with a fixed delay.

The limit is what so many connections can do: connections ÷ delay. An update puts batch × rollouts
draws in flight and then waits for the last of them; equal draws are asked for once. Pictures are
prepared, replies kept on disk, rewards worked out and weights updated while the clock runs.

    python bench/training_calls.py [--delay 0.5] [--connections 8] [--updates 6] [--batch 16]
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

REPLY = '{"sarcastic": true, "target": "rain", "explanation": "nobody likes rain"}'


def main() -> None:
    """Prints calls per second, the limit and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--delay", type=float, default=0.5)
    parser.add_argument("--connections", type=int, default=8)
    parser.add_argument("--updates", type=int, default=6)
    parser.add_argument("--batch", type=int, default=16)
    options = parser.parse_args()
    from tests.model_server import ModelServer

    with tempfile.TemporaryDirectory() as folder:
        os.environ["DEADPAN_CACHE"] = f"{folder}/cache"
        with ModelServer(lambda *_: REPLY, delay=options.delay) as server:
            os.environ.update(server.environment)
            seconds, cpu = measured(Path(folder), options)
            calls = server.total - 1
    limit = options.connections / options.delay
    print(
        f"{calls} calls in {seconds:.1f} s, {options.connections} at once, {options.delay} s each"
    )
    print(f"{calls / seconds:.1f} calls/s; limit {limit:.1f}; ratio {calls / seconds / limit:.2f}")
    print(f"CPU: {1000 * cpu / calls:.1f} ms a call, server included")


def measured(folder: Path, options: argparse.Namespace) -> tuple[float, float]:
    """Wall and CPU seconds of the training, after everything was loaded and encoded."""
    from deadpan.engine.calls import CallOptions
    from deadpan.engine.task_questions import RunSettings
    from deadpan.learning.fewshot.learning import WIDTH, course_of
    from deadpan.learning.fewshot.rewards import ModelEnvironment, Rewarding
    from deadpan.learning.fewshot.training import Problem, Settings, train
    from tests.learning.fewshot import toy

    toy.COUNTS.update(train=120, validation=16)
    toy.draw(folder)
    toy.MOODS.pictures = folder
    course = course_of(toy.MOODS, "joint", None, toy.MOODS.prompts("joint"), None, "plain")
    asking = RunSettings(folder / "store", calls=CallOptions(options.connections))
    queries = [course.space.queries(course.questions[s], WIDTH) for s in ("train", "validation")]
    settings = Settings(
        updates=options.updates, batch=options.batch, rollouts=4, validate_every=100
    )
    about = (toy.MOODS, "joint", course.space.pool, course.questions)
    with ModelEnvironment(*about, "openai-api/loopback/m", Rewarding(), asking) as environment:
        environment.replies("validation", [(0, ())])  # the provider's client is loaded once
        start, before = time.perf_counter(), cpu_seconds()
        train(Problem(queries[0], queries[1], environment), settings)
        return time.perf_counter() - start, cpu_seconds() - before


def cpu_seconds() -> float:
    """User and system time of this process so far."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main()
