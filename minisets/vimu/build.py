"""Makes the mini-set: `python -m minisets.vimu.build [OUT] [--only ID …]`."""

import argparse
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from deadpan.benchmarks.vimu.taxonomy import EVIDENCE, RHETORIC, SOCIAL
from minisets.vimu.encode import write_mp4
from minisets.vimu.film import FPS, Film
from minisets.vimu.gold import Row, evidence_row, open_ended_row, structure_row
from minisets.vimu.options import dealt
from minisets.vimu.scripts import FILMS
from minisets.vimu.sound import Samples, Track
from minisets.vimu.speech import spoken

DATA = Path(__file__).resolve().parents[2] / "src/deadpan/benchmarks/vimu/data"


def build(folder: Path, films: Sequence[Film] = FILMS) -> None:
    """Writes videos/ for the given films and metadata/ for all of them into `folder`."""
    videos = folder / "videos"
    videos.mkdir(parents=True, exist_ok=True)
    for film in films:
        path = videos / f"{film.video_id}.mp4"
        unfinished = path.with_suffix(".part.mp4")
        write_mp4(unfinished, film.frames(), film.size, FPS, soundtrack(film))
        unfinished.replace(path)
    write_metadata(folder / "metadata")


def soundtrack(film: Film) -> Samples:
    """The film's sounds and spoken lines; needs espeak-ng where anybody speaks."""
    track = Track(film.seconds)
    film.score(track)
    for line in film.lines:
        track.add(line.start, spoken(line))
    return track.finished()


def write_metadata(folder: Path, films: Sequence[Film] = FILMS) -> None:
    """Writes the four JSONL files of the released layout."""
    folder.mkdir(parents=True, exist_ok=True)
    golds = {film.video_id: film.gold for film in films}
    sources = dealt(EVIDENCE, {i: gold.evidence for i, gold in golds.items()})
    rhetoric = dealt(RHETORIC, {i: gold.rhetoric for i, gold in golds.items()})
    social = dealt(SOCIAL, {i: gold.social for i, gold in golds.items()})
    told: list[Row] = []
    opened: list[Row] = []
    evidence: list[Row] = []
    structure: list[Row] = []
    for film in films:
        i, gold, language = film.video_id, film.gold, film.language
        told.append({"video_id": i, "frames": [], "transcript": film.transcript})
        opened.append(open_ended_row(i, gold, language))
        evidence.append(evidence_row(i, gold, language, sources[i]))
        structure.append(structure_row(i, gold, language, rhetoric[i], social[i]))
    _write(folder / "video_evidence.jsonl", told)
    _write(folder / "vimu_oe.jsonl", opened)
    _write(folder / "vimu_eg.jsonl", evidence)
    _write(folder / "vimu_ss.jsonl", structure)


def _write(path: Path, rows: Iterable[Row]) -> None:
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8")


def main() -> None:
    """Builds into the folder named on the command line, or into the package."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", nargs="?", type=Path, default=DATA)
    parser.add_argument("--only", nargs="*", default=[film.video_id for film in FILMS])
    chosen = parser.parse_args()
    build(chosen.out, [film for film in FILMS if film.video_id in chosen.only])


if __name__ == "__main__":
    main()
