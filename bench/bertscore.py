"""BERTScore of many pairs: `bertscore` against the bert-score package, same model, one run.

The texts are made up: one reference for every ten pairs, its hypotheses changed copies of it, half
English and half Chinese unless told otherwise, of the lengths of explanations. Both sides have the
model loaded and warm, and are timed from texts to scores; the repeats are interleaved, medians are
printed. Peak memory is measured in processes of their own, for N pairs and for four times N. The
run fails where a score differs by more than 1e-4 (1e-2 in half precision).

    python bench/bertscore.py --model FOLDER [--layers 6] [--pairs 5000] [--device cpu|cuda]

bert-score can be installed or lie, as plain Python, on PYTHONPATH.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

WORDS = """
the a this that boy girl picture text shows laughs joke about himself because exam failed tired work
monday boss cat dog sad smile irony self mocking humour friend reply message sends wants comfort
hope funny lonely money empty wallet coffee sleep night phone
"""
ENGLISH = WORDS.split()
CHINESE = list(
    "我你他她的了是在不有人这个上大来到时候说要就会可也和图片文字自嘲考试没过工作星期一老板猫狗难过"
    "笑讽刺朋友回复消息安慰希望有趣孤独钱包空咖啡睡觉晚上手机"
)
SYSTEMS = 10
STOOD_IN = ("matplotlib", "matplotlib.pyplot", "mpl_toolkits", "mpl_toolkits.axes_grid1", "pandas")
Scores = Sequence[Sequence[float]]


def main() -> None:
    """Prints the times of both sides, their ratio, the largest difference, and peak memory."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", required=True, help="folder of a BERT-like model")
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--pairs", type=int, default=5000)
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--half", action="store_true", help="ours in half precision (cuda)")
    parser.add_argument("--language", choices=("en", "zh", "both"), default="both")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--no-memory", action="store_true", help="leave out the peak memory")
    parser.add_argument("--side", choices=("ours", "theirs"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.side:
        report_peak(options)
        return
    compare_times(options)
    if not options.no_memory:
        compare_memory(options)


def compare_times(options: argparse.Namespace) -> None:
    """Times both sides on the same pairs and prints medians and their ratio."""
    hypotheses, references = made_pairs(options.pairs, options.language)
    texts = len({*hypotheses, *references})
    print(f"{options.pairs} pairs, {texts} different texts, {options.language}, {options.device}")
    sides = {"bert-score": theirs(options), "deadpan": ours(options)}
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in sides}
    scores: dict[str, Scores] = {}
    for side in sides.values():
        side(hypotheses[:200], references[:200])
    for _ in range(options.repeats):
        for name, side in sides.items():
            start, before = time.perf_counter(), time.process_time()
            scores[name] = side(hypotheses, references)
            taken[name].append((time.perf_counter() - start, time.process_time() - before))
            print(f"  {name}: {taken[name][-1][0]:.2f} s", flush=True)
    difference = largest_difference(*scores.values())
    assert difference < (1e-2 if options.half else 1e-4), f"scores differ by {difference}"
    print(f"{'':12}{'wall s':>9}{'ratio':>8}{'CPU s':>9}{'ratio':>8}")
    medians = {
        name: [statistics.median(one) for one in zip(*taken[name], strict=True)] for name in sides
    }
    for name, (wall, cpu) in medians.items():
        ratios = [one / mine for one, mine in zip((wall, cpu), medians["deadpan"], strict=True)]
        print(f"{name:12}{wall:9.2f}{ratios[0]:8.2f}{cpu:9.2f}{ratios[1]:8.2f}")
    print(f"largest difference of a score: {difference:.1e}", flush=True)


def compare_memory(options: argparse.Namespace) -> None:
    """Prints each side's peak memory for N pairs and for four times N."""
    print(f"{'peak MiB':12}{'pairs':>9}{'before':>9}{'peak':>9}{'GPU':>9}")
    for side in ("theirs", "ours"):
        for pairs in (options.pairs, 4 * options.pairs):
            command = [sys.executable, __file__, "--model", options.model, "--side", side]
            command += ["--layers", str(options.layers), "--pairs", str(pairs)]
            command += ["--device", options.device, "--language", options.language]
            command += ["--half"] if options.half else []
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
            found = json.loads(done.stdout.splitlines()[-1])
            print(
                f"{side:12}{pairs:9}{found['before']:9.0f}{found['peak']:9.0f}{found['gpu']:9.0f}",
                flush=True,
            )


def report_peak(options: argparse.Namespace) -> None:
    """Scores once and prints, as JSON, the memory before and its peak, in MiB."""
    import torch

    hypotheses, references = made_pairs(options.pairs, options.language)
    side = (ours if options.side == "ours" else theirs)(options)
    side(hypotheses[:20], references[:20])
    before = process_memory("VmRSS")
    side(hypotheses, references)
    peak = process_memory("VmHWM")
    gpu = torch.cuda.max_memory_allocated() / 2**20 if options.device == "cuda" else 0
    print(json.dumps({"before": before, "peak": peak, "gpu": gpu}))


def process_memory(kind: str) -> float:
    """This process's memory in MiB, from Linux: `VmRSS` now, `VmHWM` its peak."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(kind)) / 1024


def ours(options: argparse.Namespace) -> Callable[[list[str], list[str]], Scores]:
    """Deadpan's side with its model loaded."""
    from deadpan.metrics.bertscore import bertscore
    from deadpan.metrics.neural import token_model

    model = token_model(options.model, options.layers, device=options.device, half=options.half)

    def score(hypotheses: list[str], references: list[str]) -> Scores:
        scores = bertscore(hypotheses, references, model)
        return scores.precision, scores.recall, scores.f1

    return score


def theirs(options: argparse.Namespace) -> Callable[[list[str], list[str]], Scores]:
    """The package's side with its model loaded (`BERTScorer`), at its defaults."""
    scorer = package().BERTScorer(
        model_type=options.model, num_layers=options.layers, device=options.device
    )

    def score(hypotheses: list[str], references: list[str]) -> Scores:
        return [column.tolist() for column in scorer.score(hypotheses, references)]

    return score


def package() -> ModuleType:
    """bert-score; stand-ins take the place of plotting libraries that are missing."""
    from importlib import import_module
    from importlib.util import find_spec
    from unittest.mock import MagicMock

    missing = [name for name in STOOD_IN if find_spec(name.partition(".")[0]) is None]
    sys.modules.update({name: MagicMock() for name in missing})
    try:
        return import_module("bert_score")
    except ModuleNotFoundError as error:
        sys.exit(f"needs the bert-score package, installed or on PYTHONPATH ({error})")


def largest_difference(a: Scores, b: Scores) -> float:
    """The largest difference between two scores of the same pair."""
    return max(abs(x - y) for p, q in zip(a, b, strict=True) for x, y in zip(p, q, strict=True))


def made_pairs(count: int, language: str) -> tuple[list[str], list[str]]:
    """Hypotheses and references: every reference once for each of ten systems, system by system."""
    chance = random.Random(0)
    words = [ENGLISH, CHINESE] if language == "both" else [ENGLISH if language == "en" else CHINESE]
    references = []
    for number in range(max(1, count // SYSTEMS)):
        vocabulary = words[number % len(words)]
        length = min(200, max(5, round(chance.lognormvariate(3.9, 0.5))))
        references.append((vocabulary, chance.choices(vocabulary, k=length)))
    pairs = [references[number % len(references)] for number in range(count)]
    hypotheses = [joined(v, changed(v, words, chance)) for v, words in pairs]
    return hypotheses, [joined(vocabulary, words) for vocabulary, words in pairs]


def changed(vocabulary: list[str], words: list[str], chance: random.Random) -> list[str]:
    """A copy that lost and exchanged words, and perhaps its end."""
    kept = [
        chance.choice(vocabulary) if chance.random() < 0.3 else word
        for word in words
        if chance.random() < 0.85
    ]
    return [*kept[: round(len(kept) * chance.uniform(0.5, 1))], chance.choice(vocabulary)]


def joined(vocabulary: list[str], words: list[str]) -> str:
    """The words as a text, without spaces in Chinese."""
    return ("" if vocabulary is CHINESE else " ").join(words)


if __name__ == "__main__":
    main()
