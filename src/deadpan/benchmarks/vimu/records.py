"""ViMU's released JSONL files → validated videos with the questions about each."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath

from pydantic import JsonValue

from deadpan.base.errors import InputError
from deadpan.base.files import is_within, require_file
from deadpan.base.rows import Placed
from deadpan.benchmarks.vimu import rows
from deadpan.benchmarks.vimu.taxonomy import TAXONOMIES, TaskName, macro_letters, task_named
from deadpan.core.contamination import RecitableText, recitable_texts
from deadpan.core.dataset import Anomaly, Dataset
from deadpan.core.questions import Language
from deadpan.core.record_files import FIX
from deadpan.core.signature import checksum
from deadpan.media.media_files import is_media

MINI_SET = Path(__file__).parent / "data"
FILES = ("video_evidence.jsonl", "vimu_oe.jsonl", "vimu_eg.jsonl", "vimu_ss.jsonl")
FETCH_HINT = "Give --data a folder with metadata/ and videos/, or leave it out for the mini-set."
SUFFIXES = (".mp4", ".webm", ".mkv", ".mov")
_LONGEST_NAME = 200
"""Bytes, so that endings and temporary names fit behind."""
_PATH_FIX = "Give a path inside the data folder, such as frames/vimu_000001/0001.jpg."
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")


class OpenEnded(rows.Frozen):
    """The open-ended question with everything its judge is told, as text."""

    question: str
    reference: str
    literal_summary: str
    intended_meaning: str
    evidence: str
    rubric: str


class Video(rows.Frozen):
    """One video; a question it lacks is None. Fine labels are empty where the data has none."""

    video_id: str
    language: Language
    difficulty: str
    reading: OpenEnded | None
    eg: rows.Choice | None
    rm: rows.Choice | None
    sv: rows.Choice | None
    transcript: str | None
    frames: tuple[str, ...]
    rhetoric: tuple[str, ...] = ()
    social: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    path: str
    found_frames: tuple[str, ...]

    @property
    def choices(self) -> dict[str, rows.Choice | None]:
        """The closed questions by task; None for those this video has not."""
        return {"eg": self.eg, "rm": self.rm, "sv": self.sv}

    def question(self, task: str) -> OpenEnded | rows.Choice | None:
        """The question of a task, guided or not; None where this video has none."""
        return self.reading if task == "oe" else self.choices[task.removesuffix("_guided")]


def read_videos(data: Path | None) -> Dataset[Video]:
    """The videos of a released folder (or the mini-set); what is odd and not fatal is reported."""
    folder = data or MINI_SET
    paths = [folder / "metadata" / name for name in FILES]
    for path in paths:
        require_file(path, FETCH_HINT)
    evidence = rows.rows_by_video(paths[0], rows.EvidenceRow)
    oe = rows.rows_by_video(paths[1], rows.OpenEndedRow)
    eg = rows.rows_by_video(paths[2], rows.EvidenceChoiceRow)
    ss = rows.rows_by_video(paths[3], rows.StructureRow)
    anomalies: list[Anomaly] = []
    asked = dict.fromkeys([*oe, *eg, *ss])
    if not asked:
        raise InputError(folder / "metadata", "holds no question", FETCH_HINT)
    records = tuple(
        _video(
            folder, name, evidence.get(name), oe.get(name), eg.get(name), ss.get(name), anomalies
        )
        for name in asked
    )
    for name, placed in evidence.items():
        if name not in asked:
            what = f"{name} has evidence and no question"
            anomalies.append(Anomaly(f"{placed.where} video_id", "unknown video", what))
    identity = [record.model_dump(exclude={"path", "found_frames"}) for record in records]
    origin = "mini-set" if data is None else str(data)
    media = tuple(path for record in records for path in (record.path, *record.found_frames))
    return Dataset(records, origin, checksum(identity), tuple(anomalies), media)


def _video(
    folder: Path,
    video_id: str,
    evidence: Placed[rows.EvidenceRow] | None,
    oe: Placed[rows.OpenEndedRow] | None,
    eg: Placed[rows.EvidenceChoiceRow] | None,
    ss: Placed[rows.StructureRow] | None,
    anomalies: list[Anomaly],
) -> Video:
    asked: list[tuple[str, rows.ChoiceRow, str]] = [("eg", eg.row, eg.where)] if eg else []
    choices: dict[str, rows.Choice] = {}
    for task, row, where in (*asked, *(_structure(ss, anomalies) if ss else ())):
        choices[task] = rows.choice_of(row, TAXONOMIES[task], where)
        anomalies += rows.label_anomalies(row, choices[task], where)
    place = next(placed.where for placed in (oe, eg, ss) if placed is not None)
    frames = tuple(evidence.row.frames) if evidence else ()
    paths = [_frame_path(folder, name, evidence.where) for name in frames] if evidence else []
    reading = _open_ended(oe) if oe else None
    question = reading or next(iter(choices.values()), None)
    annotation = oe.row.taxonomy if oe else None
    language = annotation.language if annotation else None
    made = Video(
        video_id=video_id,
        language=_language(language, question.question if question else "", place, anomalies),
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
        path=str(_video_path(folder, video_id, place)),
        found_frames=tuple(str(path) for path in paths if is_media(path)),
    )
    unknown = [(placed.where, placed.row.unknown) for placed in (oe, evidence) if placed]
    unknown += [(f"{oe.where} qa", oe.row.qa.unknown)] if oe else []
    for where, names in unknown:
        anomalies += [Anomaly(f"{where} {name}", "unknown field", "not used") for name in names]
    anomalies += _odd(made, place)
    return made


def _structure(
    placed: Placed[rows.StructureRow], anomalies: list[Anomaly]
) -> Iterator[tuple[TaskName, rows.ChoiceRow, str]]:
    """The two questions of a row by the task they belong to; a task there twice raises."""
    seen: set[TaskName] = set()
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


def _video_path(folder: Path, video_id: str, where: str) -> Path:
    """The video's file; the place of the .mp4 where there is none. A path as an id raises."""
    plain = PureWindowsPath(video_id).name.strip(". \t\r\n\0") if video_id.isprintable() else ""
    if not video_id or video_id != plain or len(os.fsencode(video_id)) > _LONGEST_NAME:
        what = f"got {video_id[:60]!r}; expected a plain name"
        raise InputError(f"{where} video_id", what, "Give an id such as vimu_000001.")
    paths = [folder / "videos" / f"{video_id}{suffix}" for suffix in SUFFIXES]
    path = next((path for path in paths if is_media(path)), paths[0])
    # A linked videos/ folder is the user's own doing; a link inside it came with the data.
    if not (is_within(path, folder) or is_within(path, folder / "videos")):
        what = f"{path.name} leads out of the data folder"
        raise InputError(f"{where} video_id", what, "Put the video itself there.")
    return path


def _frame_path(folder: Path, given: str, where: str) -> Path:
    """A frame's file; a path that is absolute or leads out of the folder raises."""
    place = f"{where} frames"
    if not given.strip():
        raise InputError(place, "got an empty path", _PATH_FIX)
    if PurePosixPath(given).is_absolute() or PureWindowsPath(given).drive or given[0] == "\\":
        raise InputError(place, f"got the absolute path {given[:60]!r}", _PATH_FIX)
    path = folder / PurePosixPath(given.replace("\\", "/"))
    if not is_within(path, folder):
        raise InputError(place, f"{given[:60]!r} leads out of the data folder", _PATH_FIX)
    return path


def _open_ended(placed: Placed[rows.OpenEndedRow]) -> OpenEnded:
    qa, taxonomy = placed.row.qa, placed.row.taxonomy
    told: dict[str, tuple[str, JsonValue]] = {
        "question": ("qa.question", qa.question),
        "reference": ("qa.answer", qa.answer),
        "literal_summary": ("taxonomy.literal_summary", taxonomy.literal_summary),
        "intended_meaning": ("taxonomy.intended_meaning", taxonomy.intended_meaning),
        "evidence": ("taxonomy.evidence", taxonomy.evidence),
        "rubric": ("qa.rubric", qa.rubric),
    }
    texts = {}
    for name, (field, value) in told.items():
        texts[name] = readable(value).strip()
        if not texts[name]:
            raise InputError(f"{placed.where} {field}", "is blank; expected text", FIX)
    return OpenEnded(**texts)


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
    for task in ("oe", *video.choices):
        if video.question(task) is None:
            yield Anomaly(where, "missing question", f"{video.video_id} has no {task} question")
    for task, field, fine in (
        ("rm", "rhetoric_mechanisms", video.rhetoric),
        ("sv", "social_value_signals", video.social),
    ):
        gold = video.choices[task]
        place = f"{where} taxonomy.{field}"
        try:
            letters = macro_letters(TAXONOMIES[task], fine)
        except ValueError as error:
            yield Anomaly(place, "unknown label", str(error))
            continue
        if fine and gold is not None and letters != gold.gold_categories:
            what = f"{', '.join(letters)}; gold has {', '.join(gold.gold_categories) or 'none'}"
            yield Anomaly(place, "labels disagree with gold", what)


def recitable(dataset: Dataset[Video]) -> Iterator[RecitableText]:
    """What is spoken, and what people wrote of its meaning."""
    for video in dataset.records:
        reading = video.reading
        texts: dict[str, str | None] = {"transcript": video.transcript}
        if reading is not None:
            texts["reference"] = reading.reference
            texts["intended meaning"] = reading.intended_meaning
            texts["literal summary"] = reading.literal_summary
        yield from recitable_texts(video.video_id, video.language, texts)
