"""ViMU's released JSONL files → validated videos with the questions about each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, JsonValue

from deadpan.base.errors import InputError
from deadpan.base.files import is_file
from deadpan.benchmarks.vimu.choices import Choice, choice, label_anomalies
from deadpan.benchmarks.vimu.names import Task, task_named
from deadpan.benchmarks.vimu.places import frame_path, video_path
from deadpan.benchmarks.vimu.rows import (
    ChoiceRow,
    EvidenceChoiceRow,
    EvidenceRow,
    OpenEndedRow,
    Placed,
    StructureRow,
    placed_rows,
)
from deadpan.benchmarks.vimu.taxonomy import (
    EVIDENCE,
    RHETORIC,
    SOCIAL,
    Taxonomy,
    macro_letters,
)
from deadpan.core.dataset import Anomaly, Dataset
from deadpan.core.questions import Language
from deadpan.core.signature import checksum
from deadpan.media.media_files import is_media

MINI_SET = Path(__file__).parent / "data"
FILES = ("video_evidence.jsonl", "vimu_oe.jsonl", "vimu_eg.jsonl", "vimu_ss.jsonl")
FETCH_HINT = "Give --data a folder with metadata/ and videos/, or leave it out for the mini-set."
TAXONOMIES: dict[Task, Taxonomy] = {
    "eg": EVIDENCE,
    "rm": RHETORIC,
    "sv": SOCIAL,
    "rm_guided": RHETORIC,
    "sv_guided": SOCIAL,
}
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Reading(_Frozen):
    """The open-ended question with everything its judge is told, as text."""

    question: str
    reference: str
    literal_summary: str
    intended_meaning: str
    evidence: str
    rubric: str


class Video(_Frozen):
    """One video; a question it lacks is None. Fine labels are empty where the data has none."""

    video_id: str
    language: Language
    difficulty: str
    reading: Reading | None
    eg: Choice | None
    rm: Choice | None
    sv: Choice | None
    transcript: str | None
    frames: tuple[str, ...]
    rhetoric: tuple[str, ...] = ()
    social: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    path: str
    found_frames: tuple[str, ...]

    def choice(self, task: Task) -> Choice | None:
        """The closed question of a task; None where this video has none."""
        return {"eg": self.eg, "rm": self.rm, "sv": self.sv}.get(task.removesuffix("_guided"))


@dataclass(frozen=True)
class _Files:
    evidence: dict[str, Placed[EvidenceRow]]
    oe: dict[str, Placed[OpenEndedRow]]
    eg: dict[str, Placed[EvidenceChoiceRow]]
    ss: dict[str, Placed[StructureRow]]


def read_videos(data: Path | None) -> Dataset[Video]:
    """The videos of a released folder (or the mini-set); what is odd and not fatal is reported."""
    folder = data or MINI_SET
    metadata = folder / "metadata"
    for name in FILES:
        if not is_file(metadata / name):
            raise InputError(metadata / name, "no such file", FETCH_HINT)
    files = _Files(
        placed_rows(metadata / FILES[0], EvidenceRow),
        placed_rows(metadata / FILES[1], OpenEndedRow),
        placed_rows(metadata / FILES[2], EvidenceChoiceRow),
        placed_rows(metadata / FILES[3], StructureRow),
    )
    anomalies: list[Anomaly] = []
    asked = dict.fromkeys([*files.oe, *files.eg, *files.ss])
    if not asked:
        raise InputError(metadata, "holds no question", FETCH_HINT)
    records = tuple(_video(folder, name, files, anomalies) for name in asked)
    for name, placed in files.evidence.items():
        if name not in asked:
            what = f"{name} has evidence and no question"
            anomalies.append(Anomaly(f"{placed.where} video_id", "unknown video", what))
    identity = [record.model_dump(exclude={"path", "found_frames"}) for record in records]
    origin = "mini-set" if data is None else str(data)
    return Dataset(records, origin, checksum(identity), tuple(anomalies))


def _video(folder: Path, video_id: str, files: _Files, anomalies: list[Anomaly]) -> Video:
    oe, evidence = files.oe.get(video_id), files.evidence.get(video_id)
    choices: dict[Task, Choice] = {}
    if eg := files.eg.get(video_id):
        choices["eg"] = _choice(eg.row, EVIDENCE, eg.where, anomalies)
    for task, row, where in _structure(files.ss.get(video_id), anomalies):
        choices[task] = _choice(row, TAXONOMIES[task], where, anomalies)
    place = next(p.where for p in (oe, eg, files.ss.get(video_id)) if p is not None)
    frames = tuple(evidence.row.frames) if evidence else ()
    paths = [frame_path(folder, name, evidence.where) for name in frames] if evidence else []
    reading = _reading(oe) if oe else None
    closed = next((made.question for made in choices.values()), "")
    annotation = oe.row.taxonomy if oe else None
    made = Video(
        video_id=video_id,
        language=_language(
            annotation.language if annotation else None,
            reading.question if reading else closed,
            place,
            anomalies,
        ),
        difficulty=(oe.row.qa.difficulty if oe else None) or "unknown",
        reading=reading,
        eg=choices.get("eg"),
        rm=choices.get("rm"),
        sv=choices.get("sv"),
        transcript=evidence.row.transcript if evidence else None,
        frames=frames,
        rhetoric=tuple((annotation and annotation.rhetoric_mechanisms) or ()),
        social=tuple((annotation and annotation.social_value_signals) or ()),
        targets=tuple((annotation and annotation.target_subjects) or ()),
        path=str(video_path(folder, video_id, place)),
        found_frames=tuple(str(path) for path in paths if is_media(path)),
    )
    unknown = [(placed.where, placed.row.unknown) for placed in (oe, evidence) if placed]
    unknown += [(f"{oe.where} qa", oe.row.qa.unknown)] if oe else []
    for where, names in unknown:
        anomalies += [Anomaly(f"{where} {name}", "unknown field", "not used") for name in names]
    anomalies += _odd(made, place)
    return made


def _structure(
    placed: Placed[StructureRow] | None, anomalies: list[Anomaly]
) -> Iterator[tuple[Task, ChoiceRow, str]]:
    """The two questions of a row by the task they belong to; a task there twice raises."""
    if placed is None:
        return
    seen: set[Task] = set()
    for name, row in placed.row.mcq_tasks.items():
        where = f"{placed.where} mcq_tasks.{name}"
        task = task_named(name)
        if task not in ("rm", "sv"):
            what = "expected rhetoric_mechanisms or social_value_signals; not asked"
            anomalies.append(Anomaly(where, "unknown task", what))
            continue
        if task in seen:
            raise InputError(where, "is there under two names", "Keep one of them.")
        seen.add(task)
        yield task, row, where


def _choice(row: ChoiceRow, taxonomy: Taxonomy, where: str, anomalies: list[Anomaly]) -> Choice:
    made = choice(row, taxonomy, where)
    anomalies += label_anomalies(row, made, where)
    return made


def _reading(placed: Placed[OpenEndedRow]) -> Reading:
    qa, taxonomy = placed.row.qa, placed.row.taxonomy
    told: dict[str, JsonValue] = {
        "qa.question": qa.question,
        "qa.answer": qa.answer,
        "taxonomy.literal_summary": taxonomy.literal_summary,
        "taxonomy.intended_meaning": taxonomy.intended_meaning,
        "taxonomy.evidence": taxonomy.evidence,
        "qa.rubric": qa.rubric,
    }
    texts = {name: readable(value).strip() for name, value in told.items()}
    for name, text in texts.items():
        if not text:
            raise InputError(
                f"{placed.where} {name}", "is blank; expected text", "Correct the line."
            )
    question, reference, summary, meaning, evidence, rubric = texts.values()
    return Reading(
        question=question,
        reference=reference,
        literal_summary=summary,
        intended_meaning=meaning,
        evidence=evidence,
        rubric=rubric,
    )


def readable(value: JsonValue, indent: str = "") -> str:
    """A JSON value as a person would write it down: lists and objects line by line."""
    if isinstance(value, dict):
        parts: Sequence[tuple[str, JsonValue]] = [(f"{key}:", part) for key, part in value.items()]
    elif isinstance(value, list):
        parts = [("-", part) for part in value]
    else:
        return "" if value is None else str(value)
    lines = []
    for mark, part in parts:
        nested = isinstance(part, dict | list) and part
        between = "\n" if nested else " "
        lines.append(f"{indent}{mark}{between}{readable(part, indent + '  ')}".rstrip())
    return "\n".join(lines)


def _language(given: str | None, question: str, where: str, anomalies: list[Anomaly]) -> Language:
    """The language the data names, else that of the question's script."""
    code = (given or "").strip().casefold()
    if code in ("zh", "chinese", "中文") or code.startswith(("zh-", "zh_")):
        return "zh"
    if code in ("en", "english", "英文") or code.startswith(("en-", "en_")):
        return "en"
    if code:
        what = f"got {given!r}; expected en or zh; told by the question's script"
        anomalies.append(Anomaly(f"{where} taxonomy.language", "unknown language", what))
    letters = sum(character.isalpha() for character in question)
    return "zh" if 2 * len(_HAN.findall(question)) > letters else "en"


def _odd(video: Video, where: str) -> Iterator[Anomaly]:
    """Questions a video lacks, and fine labels that are unknown or disagree with gold."""
    asked = {"oe": video.reading, "eg": video.eg, "rm": video.rm, "sv": video.sv}
    for task, question in asked.items():
        if question is None:
            yield Anomaly(where, "missing question", f"{video.video_id} has no {task} question")
    for field, fine, gold, taxonomy in (
        ("rhetoric_mechanisms", video.rhetoric, video.rm, RHETORIC),
        ("social_value_signals", video.social, video.sv, SOCIAL),
    ):
        place = f"{where} taxonomy.{field}"
        try:
            letters = macro_letters(taxonomy, fine)
        except ValueError as error:
            yield Anomaly(place, "unknown label", str(error))
            continue
        if fine and gold is not None and letters != gold.gold_categories:
            what = f"{', '.join(letters)}; gold has {', '.join(gold.gold_categories) or 'none'}"
            yield Anomaly(place, "labels disagree with gold", what)
