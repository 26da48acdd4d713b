"""The whole of `deadpan curate` on drawn posts: posts a second against a plain loop, where the time
goes, how it grows, and whether Ray gives the same.

The posts are those of `bench/posts` (seeded), the pipeline runs from the raw table to groups, with
nobody asked: what models and people take is theirs. Every run has a work folder and an OCR cache of
its own. The plain loop is what people write: Pillow, rapidocr as it comes, imagehash's pHash, every
hash against those kept so far; it strips nothing, flags nothing and cannot go on after a kill.

    python bench/curating.py speed [--posts 1000] [--seed 0]
    python bench/curating.py growth [--sizes 1000 10000] [--seed 0]
    python bench/curating.py ray [--posts 300] [--seed 0]    # two nodes, one killed in mid-run
    python bench/curating.py kills [--posts 600] [--kills 4] [--seed 0]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.posts import make_posts  # noqa: E402

_FILE = """\
name: drawn
benchmark: cfms
out: {out}
shard: {shard}
collect: [{{name: drawn, path: posts/posts.jsonl, fields: {{pictures: images}}}}]
"""
_COMMAND = [sys.executable, "-m", "deadpan", "curate", "run"]


def main() -> None:
    """Prints tables of what was measured."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("speed", "growth", "ray", "kills", "loop"))
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--posts", type=int, default=1000)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--kills", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.what == "loop":
        print(json.dumps({"kept": plain_loop(options.folder)}))
        return
    with tempfile.TemporaryDirectory() as name:
        {"speed": speed, "growth": growth, "ray": ray, "kills": kills}[options.what](
            Path(name), options
        )


def speed(folder: Path, options: argparse.Namespace) -> None:
    """One process, all cores and the plain loop, each by itself and from nothing."""
    make_posts(folder / "posts", options.posts, options.seed)
    print(f"{'':28}{'wall s':>9}{'CPU s':>9}{'posts/s':>9}{'peak MiB':>10}")
    ways = {
        "plain loop": [sys.executable, __file__, "loop", str(folder / "posts")],
        "deadpan, 1 process": [*_COMMAND, str(_file(folder, "one")), "--workers", "1", "--json"],
        "deadpan, all cores": [*_COMMAND, str(_file(folder, "all")), "--json"],
    }
    for title, command in ways.items():
        seconds = folder / f"{title}.json"
        command = [*command, str(seconds)] if command[-1] == "--json" else command
        spent = _measured(folder / f"cache {title}", command)
        rate = options.posts / spent["wall"]
        print(f"{title:28}{spent['wall']:9.1f}{spent['cpu']:9.1f}{rate:9.1f}{spent['peak']:10.0f}")
        if seconds.exists():
            _print_seconds(json.loads(seconds.read_text())["seconds"])
    _print_defects(folder / "all", folder / "posts")


def _print_defects(work: Path, posts: Path) -> None:
    """What became of every planted defect: where it was dropped, or what flags it has."""
    import polars as pl

    found = pl.read_parquet(work / "stages" / "deduplicate" / "*.parquet")
    ends = {row["id"].partition("-")[2]: row for row in found.iter_rows(named=True)}
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for line in (posts / "truth.jsonl").read_text("utf-8").splitlines():
        truth = json.loads(line)
        if truth["defect"]:
            counts[truth["defect"]][_ending(ends[truth["id"]])] += 1
    for defect, ended in sorted(counts.items()):
        told = ", ".join(f"{what} {many}" for what, many in ended.most_common())
        print(f"{defect:20}{ended.total():5}   {told}")


def _ending(row: dict[str, object]) -> str:
    if row["stage"]:
        return f"{row['stage']}: {row['reason']}"
    flags = sorted({flag["kind"] for flag in json.loads(str(row["record"]))["flags"]})
    return f"kept ({', '.join(flags)})" if flags else "kept"


def plain_loop(posts: Path) -> int:
    """How many posts the loop that people write keeps."""
    import imagehash
    from PIL import Image
    from rapidocr import RapidOCR

    engine, kept = RapidOCR(params={"Global.log_level": "critical"}), []
    with (posts / "posts.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            for name in row["images"]:
                try:
                    with Image.open(posts / name) as opened:
                        image = opened.convert("RGB")
                except Exception:
                    continue
                if min(image.size) < 200:
                    continue
                found = imagehash.phash(image)
                if any(found - other <= 4 for other, _ in kept):
                    continue
                kept.append((found, engine(image).txts))
    return len(kept)


def growth(folder: Path, options: argparse.Namespace) -> None:
    """CPU time and peak memory at each size, and their exponents. What looks at all posts at once
    is measured up to 100,000 by `curating_growth.py`: reading so many would take a day."""
    print(f"{'posts':>9}{'wall s':>9}{'CPU s':>9}{'posts/s':>9}{'peak MiB':>10}   by stage")
    before: tuple[int, float] | None = None
    for size in options.sizes:
        own = folder / str(size)
        make_posts(own / "posts", size, options.seed)
        told = own / "told.json"
        file = _file(own, "work")
        spent = _measured(own / "cache", [*_COMMAND, str(file), "--json", str(told)])
        seconds = json.loads(told.read_text())["seconds"]
        stages = ", ".join(f"{name} {value:.0f} s" for name, value in seconds.items())
        row = f"{size:9,}{spent['wall']:9.1f}{spent['cpu']:9.1f}{size / spent['wall']:9.1f}"
        print(f"{row}{spent['peak']:10.0f}   {stages}", flush=True)
        if before:
            exponent = math.log(spent["cpu"] / before[1]) / math.log(size / before[0])
            print(f"{'':9}exponent of CPU time {exponent:.2f}")
        before = (size, spent["cpu"])


def ray(folder: Path, options: argparse.Namespace) -> None:
    """The same file natively, on two nodes, and on two nodes of which one is killed."""
    from tests.curate.cluster import two_nodes

    make_posts(folder / "posts", options.posts, options.seed)
    cache = folder / "cache"
    native = _measured(cache, [*_COMMAND, str(_file(folder, "native", shard=20))])
    known = _outcome(folder / "native")
    print(f"native: {native['wall']:.1f} s, {len(known)} files", flush=True)
    for title, is_killed in (("two nodes", False), ("two nodes, one killed", True)):
        name = title.replace(" ", "-").replace(",", "")
        with two_nodes() as cluster:
            command = [*_COMMAND, str(_file(folder, name, shard=20)), "--ray", cluster.address]
            start = time.perf_counter()
            running = subprocess.Popen(command, env=_environment(cache), stdout=subprocess.DEVNULL)
            if is_killed:
                threading.Thread(
                    target=_kill_when, args=(folder / name, cluster), daemon=True
                ).start()
            status = running.wait()
        other = _differing(known, _outcome(folder / name))
        told = f"{time.perf_counter() - start:.1f} s, status {status}, other files: {other}"
        print(f"{title}: {told}", flush=True)


def _kill_when(work: Path, cluster: object) -> None:
    """Kills the second node once a few shards are done."""
    while len(list((work / "stages" / "prepare").glob("*.parquet"))) < 3:
        time.sleep(0.1)
    cluster.kill_second()  # type: ignore[attr-defined]
    print("killed a node", flush=True)


def kills(folder: Path, options: argparse.Namespace) -> None:
    """Killed with -9 at random moments, then run to its end: what came of it and was done twice."""
    make_posts(folder / "posts", options.posts, options.seed)
    cache, draw = folder / "cache", random.Random(options.seed)
    whole = _measured(cache, [*_COMMAND, str(_file(folder, "whole", shard=20))])
    known = _outcome(folder / "whole")
    file, shards = _file(folder, "killed", shard=20), folder / "killed" / "stages" / "prepare"
    for number in range(options.kills):
        running = subprocess.Popen(
            [*_COMMAND, str(file)], env=_environment(cache), stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        time.sleep(draw.uniform(1.5, max(2.0, whole["wall"] * 0.5)))
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        done = len(list(shards.glob("*.parquet")))
        print(f"kill {number + 1}: {done} of {math.ceil(options.posts / 20)} shards", flush=True)
    before = {path: path.stat().st_mtime_ns for path in shards.glob("*.parquet")}
    _measured(cache, [*_COMMAND, str(file)])
    again = sum(path.stat().st_mtime_ns != changed for path, changed in before.items())
    other = _differing(known, _outcome(folder / "killed"))
    print(f"to its end: {again} shards done twice, other files: {other}")


def _file(folder: Path, out: str, shard: int = 100) -> Path:
    path = folder / f"{out}.yaml"
    path.write_text(_FILE.format(out=out, shard=shard), encoding="utf-8")
    return path


def _environment(cache: Path) -> dict[str, str]:
    return {**os.environ, "DEADPAN_CACHE": str(cache), "PYTHONPATH": str(ROOT / "src")}


def _measured(cache: Path, command: list[str]) -> dict[str, float]:
    """What a command took; it may end with 1, as nobody decides here."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, env=_environment(cache), capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - start
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"wall": wall, "cpu": cpu, "peak": after.ru_maxrss / 1024}


def _outcome(work: Path) -> dict[str, str]:
    """The checksum of everything that stages made and of every picture, by name."""
    found = [*(work / "stages").rglob("*"), *(work / "media").iterdir()]
    return {
        str(path.relative_to(work)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(found)
        if path.is_file()
    }


def _differing(known: dict[str, str], found: dict[str, str]) -> str:
    """The names of files that are not the same, or not in both."""
    names = sorted(one for one in {*known, *found} if known.get(one) != found.get(one))
    return ", ".join(names[:5]) + (" and more" if len(names) > 5 else "") or "none"


def _print_seconds(seconds: dict[str, float]) -> None:
    total = sum(seconds.values())
    for name, value in sorted(seconds.items(), key=lambda one: -one[1]):
        print(f"    {name:24}{value:9.1f}{value / total:9.0%}")


if __name__ == "__main__":
    main()
