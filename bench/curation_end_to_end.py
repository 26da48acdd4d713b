"""From raw posts to a report by one file: drawn posts are curated, two people in Chromium answer
the study by a rule and talk over what they differ on, what they settle is split and released, a
baseline is run on the release by `deadpan run`, and a report is written.

The people are made of rules: what they say of a picture follows from its bytes, and the second one
errs in one of ten. It shows that everything fits together, and nothing about sarcasm.

    python bench/curation_end_to_end.py [--posts 500] [--seed 0] [--out DIR] [--shots DIR]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.posts import make_posts  # noqa: E402
from deadpan.studies.making.creating import open_study  # noqa: E402
from tests.chromium import launched_chromium  # noqa: E402
from tests.studies.browsing import Person, served  # noqa: E402

FILE = """\
name: drawn-sarcasm
title: Drawn posts, labelled by rules
benchmark: cfms
out: work
seed: {seed}
collect:
- {{name: drawn, path: posts/posts.jsonl, fields: {{pictures: images}}, licence: CC0-1.0}}
people:
  template: cfms/labels
  set: {{people: 2, teams: 1, passes: 1, text_agreement: 0}}
release:
  licence: CC0-1.0
  creators: [{{name: The Deadpan authors}}]
  description: Posts drawn by a script and labelled by rules, to show that everything fits.
  date: 2026-11-18
"""


def main() -> None:
    """Runs it, and prints what each part took and gave."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--posts", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="keep everything there")
    parser.add_argument("--shots", type=Path, help="screenshots of the study go there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.out or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        make_posts(folder / "posts", options.posts, options.seed)
        (folder / "drawn.yaml").write_text(FILE.format(seed=options.seed), encoding="utf-8")
        _timed("curate until people", lambda: _deadpan(folder, 1, "curate", "run", "drawn.yaml"))
        _timed("two people in Chromium", lambda: answer_study(folder / "work/study", options.shots))
        _timed("curate to the release", lambda: _deadpan(folder, 0, "curate", "run", "drawn.yaml"))
        _timed("baseline", lambda: _deadpan(
            folder, 0, "run", "cfms/identification", "--model", "baseline/majority",
            "--data", "work/release", "--store", "answers",
        ))  # fmt: skip
        _timed("report", lambda: _deadpan(folder, 0, "report", "answers", "--out", "report.html"))
        release = folder / "work" / "release"
        print("released:", ", ".join(sorted(path.name for path in release.iterdir())))
        lines = (release / "pairs.jsonl").read_text("utf-8").splitlines()
        splits = [json.loads(line)["split"] for line in lines]
        print({split: splits.count(split) for split in sorted(set(splits))})
        print(f"report: {(folder / 'report.html').stat().st_size:,} bytes")


def _timed(title: str, work: Any) -> None:
    start = time.perf_counter()
    work()
    print(f"{title}: {time.perf_counter() - start:.1f} s", flush=True)


def _deadpan(folder: Path, status: int, *words: str) -> None:
    """Runs a command in a folder; another status than the one expected ends it all."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "120"}
    done = subprocess.run(
        [sys.executable, "-m", "deadpan", *words], cwd=folder, env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    print(done.stdout, flush=True)
    if done.returncode != status:
        raise SystemExit(f"{' '.join(words)}: status {done.returncode}; expected {status}")


def answer_study(folder: Path, shots: Path | None = None) -> None:
    """Two people answer everything that the study asks them, in turn, and agree in the end."""
    study = open_study(folder)
    with served(study) as address, launched_chromium() as browser:
        people = [Person.at(browser, address, study, name) for name in ("Ann", "Bo")]
        tasks, idle = 0, 0
        while idle < len(people):
            for number, person in enumerate(people):
                person.look()
                idle = 0 if person.has_task else idle + 1
                while person.has_task:
                    if shots and not tasks:
                        shots.mkdir(parents=True, exist_ok=True)
                        person.page.screenshot(path=shots / "study.png", full_page=True)
                    person.answer(_said(person, errs=number == 1))
                    person.submit()
                    tasks += 1
                    if not person.has_task:
                        person.look()
        problems = [one for person in people for one in person.problems]
        for person in people:
            person.close()
    print(f"{tasks} tasks answered; problems in pages: {problems or 'none'}")


def _said(person: Person, errs: bool) -> dict[str, str]:
    """What the rule says of the picture on the page; who errs does so by themselves, and is talked
    out of it."""
    shown = person.page.locator("article.task img").first
    picture = person.page.request.get(str(shown.evaluate("image => image.src")))
    number = zlib.crc32(picture.body())
    is_discussed = person.page.locator("section.discussion").count() > 0
    sarcastic = number % 2 == 0
    if errs and number % 10 == 1 and not is_discussed:
        sarcastic = not sarcastic
    if not sarcastic:
        return {"sarcastic": "no"}
    return {
        "sarcastic": "yes",
        "target": f"habit {number % 7}",
        "target_type": ("social_phenomena", "individual_behaviour", "others")[number % 3],
        "explanation": f"What is shown and what is said do not go together, by rule {number % 5}.",
    }


if __name__ == "__main__":
    main()
