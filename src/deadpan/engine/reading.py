"""Answer stores → what was asked and what came back: everything that results are made from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from deadpan.benchmarks import find, names
from deadpan.core.judge import BrokenReply, Judge
from deadpan.core.questions import Question, Reply
from deadpan.engine.answers import Answer, answer_of, locate_picture
from deadpan.engine.manifests import (
    ANY_SERVER,
    JUDGEMENTS,
    READINGS,
    Asked,
    Kind,
    Manifest,
    manifests_below,
    read_manifests,
)
from deadpan.engine.question_parts import notes_of
from deadpan.engine.requests import attempt_key
from deadpan.engine.store import ABOUT, AnswerStore
from deadpan.engine.uniting import latest_runs, united_judgements, united_runs
from deadpan.parsing.judgements import read_judgement

Known = Mapping[tuple[str, str], Answer]
"""Answers by name and server, or by any server."""


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """One question of a run, and the reply to it."""

    question: Question
    epoch: int
    reply: Reply
    picture: str | None = None
    notes: tuple[str, ...] = ()
    text: str | None = None
    """The words of the question as the model got them."""
    pictures: tuple[str, ...] = ()
    """Where everything lies that was shown."""
    finished: str = ""


@dataclass(frozen=True)
class AskedTask:
    """One task put to one model in one way: which questions were asked how, and the replies."""

    benchmark: str
    task: str
    model: str
    data: str
    prompts: str
    asked: int
    settings: Mapping[str, str]
    questions: tuple[AskedQuestion, ...]
    total: int = 0
    """How many there are to be asked in the data, as often as these were; 0: not known."""


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """What came of judging one answer once: every reply of the judge, or why there is none."""

    item: str
    epoch: int
    answer: str
    judge_epoch: int
    replies: tuple[str, ...]
    key: str = ""
    """The request's name: equal answers to one question share a judgement."""
    error: str | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    finished: str = ""
    is_cut_off: bool = False
    """Whether the last reply ended at the token limit."""

    @property
    def calls(self) -> int:
        """How many calls it took, the one that failed among them."""
        return len(self.replies) + (self.error is not None)


@dataclass(frozen=True)
class JudgedTask:
    """One judge's work on one model's answers to one task."""

    benchmark: str
    task: str
    model: str
    judge: str
    identity: str
    epochs: int
    answers: tuple[JudgedAnswer, ...]


@dataclass(frozen=True)
class ListedRun:
    """One manifest: what was asked of whom, and how much of it was answered."""

    file: str
    task: str
    model: str
    judge: str
    reader: str
    answered: str
    settings: dict[str, str]


def read_stores(
    paths: Iterable[Path], latest: bool = False
) -> tuple[list[AskedTask], list[JudgedTask]]:
    """What was asked and what was judged, of stores, folders of stores and single manifests. Runs
    that differ only in how many questions they asked are one, and others stay apart; or only the
    `latest` of each model and task is there."""
    asked: list[AskedTask] = []
    judged: list[JudgedTask] = []
    for store, answers, manifests in _stores(paths):
        replied = {place for place, answer in answers.items() if answer.error is None}
        wanted = latest_runs(manifests.values()) if latest else manifests.values()
        runs = united_runs(wanted, lambda *place, known=replied: place in known)
        asked += [asked_task(run, answers, store) for run in runs]
        judged += [judged_task(one, answers) for one in united_judgements(manifests.values())]
    return asked, judged


def judged_tasks(paths: Iterable[Path], kind: Kind = JUDGEMENTS) -> list[JudgedTask]:
    """What was judged, or read by a model, of stores and manifests."""
    return [
        judged_task(one, answers)
        for _, answers, manifests in _stores(paths)
        for one in united_judgements(manifests.values(), kind)
    ]


def _stores(paths: Iterable[Path]) -> Iterator[tuple[Path, Known, dict[Path, Manifest]]]:
    """Each store that has runs, its answers and its manifests."""
    for folder, files in manifests_below(paths).items():
        store, manifests = AnswerStore(folder), read_manifests(files)
        answers: dict[tuple[str, str], Answer] = {}
        for answer in map(answer_of, store.answers().rows(named=True) if files else ()):
            answers[answer.key, answer.server] = answer
            answers.setdefault((answer.key, ANY_SERVER), answer)
        yield folder, answers, manifests


def is_inspect_log(path: Path) -> bool:
    """Whether a path is a log of Inspect, or a folder that holds some and no store."""
    if path.is_file():
        return path.suffix in (".eval", ".json")
    return path.is_dir() and not any(path.rglob(ABOUT)) and any(path.rglob("*.eval"))


def listed_runs(paths: Iterable[Path]) -> list[ListedRun]:
    """Every run below the paths, in the order in which they were begun."""
    return [
        _list_run(file, manifest, answers)
        for _, answers, manifests in _stores(paths)
        for file, manifest in manifests.items()
    ]


def _list_run(file: Path, manifest: Manifest, answers: Known) -> ListedRun:
    settings = {**manifest.settings, "data": manifest.data, "prompts": manifest.prompts}
    settings |= {"server": manifest.server, "from": manifest.origin}
    settings |= {"epochs": str(manifest.epochs)} if manifest.epochs > 1 else {}
    judge = _judge_of(manifest)
    replied = (_attempts(row.key, manifest.server, answers) for row in manifest.rows)
    done = sum(any(_is_usable(one, judge) for one in attempts) for attempts in replied)
    return ListedRun(
        str(file),
        f"{manifest.benchmark}/{manifest.task}",
        manifest.model,
        *(("", manifest.judge) if manifest.kind == READINGS else (manifest.judge, "")),
        f"{done:,}/{len(manifest.rows):,}{_of_all(manifest)}",
        {name: value for name, value in settings.items() if value},
    )


def _of_all(manifest: Manifest) -> str:
    """How many there are to be asked, where it is more than were."""
    total = int(manifest.total or 0) * manifest.epochs
    return f" of {total:,}" if len(manifest.rows) < total else ""


def _judge_of(manifest: Manifest) -> Judge | None:
    """Whose schema the replies keep; None where there is none, or where nobody here knows it."""
    specs = find(manifest.benchmark).tasks if manifest.benchmark in names() else ()
    judges = [spec.judge for spec in specs if spec.judge and spec.name == manifest.task]
    return next((one for one in judges if manifest.identity.startswith(f"{one.name}.")), None)


def _is_usable(answer: Answer, judge: Judge | None) -> bool:
    """Whether there is a reply, and no failure; of a judge, one that keeps the schema."""
    if answer.error is not None or judge is None:
        return answer.error is None
    try:
        read_judgement(judge, answer.text or "")
    except BrokenReply:
        return False
    return True


def asked_task(manifest: Manifest, answers: Known, store: Path) -> AskedTask:
    """What was asked in a run, and what came back."""
    most_tokens = manifest.settings.get("max_tokens", "")
    found = [
        _asked_question(row, answer, most_tokens, store)
        for row in manifest.rows
        if (answer := answers.get((row.key, manifest.server))) is not None
    ]
    return replace(about_run(manifest), questions=tuple(found))


def about_run(manifest: Manifest) -> AskedTask:
    """How a run asked, without its questions."""
    settings = dict(manifest.settings)
    return AskedTask(
        benchmark=manifest.benchmark,
        task=manifest.task,
        model=manifest.model,
        data=manifest.data,
        prompts=manifest.prompts,
        asked=len(manifest.rows),
        settings=settings | ({"epochs": str(manifest.epochs)} if manifest.epochs > 1 else {}),
        questions=(),
        total=int(manifest.total or 0) * manifest.epochs,
    )


def _asked_question(row: Asked, answer: Answer, most_tokens: str, store: Path) -> AskedQuestion:
    question = Question.model_validate_json(row.question or "")
    shown: list[dict[str, Any]] = json.loads(answer.shown) if answer.shown else []
    speech: str | None = next((part["words"] for part in shown if "words" in part), None)
    if speech is None and question.clip is not None:
        speech = question.clip.transcript
    reply, noted = locate_picture(answer.reply, store)
    sent = answer.max_tokens
    if sent is not None and most_tokens.isdigit() and sent < int(most_tokens):
        less = f"a reply of {sent:,} tokens at most was asked for: the server takes no more"
        noted = (*noted, less)
    return AskedQuestion(
        question=question,
        epoch=row.epoch,
        reply=reply,
        picture=shown[0].get("path") if shown else None,
        notes=(*notes_of(shown), *noted),
        text=question.prompt_text(speech),
        pictures=tuple(str(part["path"]) for part in shown if part.get("path")),
        finished=answer.finished or "",
    )


def judged_task(manifest: Manifest, answers: Known) -> JudgedTask:
    """What came of a judge's, or a reader's, work."""
    found = [
        JudgedAnswer(
            item=row.item,
            epoch=row.epoch,
            answer=row.answer or "",
            judge_epoch=row.judge_epoch or 1,
            replies=tuple(answer.text or "" for answer in attempts if answer.error is None),
            key=row.key,
            error=attempts[-1].error,
            input_tokens=sum(answer.input_tokens or 0 for answer in attempts),
            output_tokens=sum(answer.output_tokens or 0 for answer in attempts),
            seconds=sum(answer.seconds or 0.0 for answer in attempts),
            finished=max(answer.finished for answer in attempts),
            is_cut_off=attempts[-1].stop == "max_tokens",
        )
        for row in manifest.rows
        if (attempts := _attempts(row.key, manifest.server, answers))
    ]
    return JudgedTask(
        benchmark=manifest.benchmark,
        task=manifest.task,
        model=manifest.model,
        judge=manifest.judge,
        identity=manifest.identity,
        epochs=max(row.judge_epoch or 1 for row in manifest.rows),
        answers=tuple(found),
    )


def _attempts(key: str, server: str, answers: Known) -> list[Answer]:
    """The answers to all attempts at one judgement, in order."""
    found: list[Answer] = []
    while (answer := answers.get((attempt_key(key, len(found) + 1), server))) is not None:
        found.append(answer)
        if answer.error is not None:
            break
    return found
