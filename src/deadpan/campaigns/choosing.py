"""What each of several models is asked: of `all` whatever it can do, the rest left out and said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from deadpan.base.errors import DeadpanError, InputError
from deadpan.benchmarks import find, names
from deadpan.editing.answering import choose_answerer, is_editor, require_answerer
from deadpan.engine.local.provider import resolve_provider
from deadpan.engine.run import Chosen, takes_videos
from deadpan.engine.task_questions import Answerer, RunSettings, TaskQuestions, task_questions
from deadpan.pipeline.judging import Judging
from deadpan.pipeline.reporter import SILENT, Reporter
from deadpan.pipeline.table import tasks_with_judge

ALL = "all"
"""In the place of a benchmark: every one there is."""


@dataclass(frozen=True)
class Choice:
    """One model, the tasks that it is asked, and who is asked in its place: an editor."""

    model: str
    chosen: Chosen
    answerer: Answerer | None


class _Once(Reporter):
    """Says every line once, however many models it holds for."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter, self._said = reporter, set[str]()

    def note(self, text: str, style: str | None = None) -> None:
        if text not in self._said:
            self._said.add(text)
            self._reporter.note(text, style)


def is_all(selection: Sequence[str]) -> bool:
    """Whether every benchmark is meant; one named beside, or tasks of all, raise."""
    named = [one.partition("/") for one in selection]
    if ALL not in (name for name, *_ in named):
        return False
    if len(named) > 1 or named[0][1]:
        raise DeadpanError(f"{' '.join(selection)}: {ALL} is every benchmark; name nothing beside")
    return True


def with_folders(selection: Sequence[str], settings: RunSettings) -> RunSettings:
    """The settings with a folder of data for each benchmark that has one below --data, where all
    are asked; else as they are."""
    data = settings.data
    if not is_all(selection) or not isinstance(data, Path):
        return settings
    found = {name: data / name for name in names() if (data / name).is_dir()}
    if not found:
        expected = f"has no folder {', '.join(names()[:-1])} or {names()[-1]}"
        raise InputError(data, expected, "With all, name the folder that holds one for each.")
    return replace(settings, data=found)


def choose_all(
    selection: Sequence[str],
    models: Sequence[str],
    settings: RunSettings,
    judging: Judging | None = None,
    reporter: Reporter = SILENT,
) -> list[Choice]:
    """What each model is asked, each once. Raises before anything is asked where one of them cannot
    be had, or cannot be asked what was named; models and editors each answer their own."""
    told = _Once(reporter)
    unlike = list({_name(model, settings): model for model in models}.values())
    _require_models(unlike, settings)
    found = []
    for model in unlike:
        own = _own_kind(selection, model, unlike, told)
        found.append(Choice(model, *possible(own, model, settings, judging, told)))
    return found


def tasks_of(choices: Iterable[Choice]) -> dict[str, list[str]]:
    """Every task that any of the models is asked, by benchmark."""
    found: dict[str, dict[str, None]] = {}
    for one in choices:
        for name, tasks in one.chosen.items():
            found.setdefault(name, {}).update(dict.fromkeys(tasks))
    return {name: list(tasks) for name, tasks in found.items()}


def possible(
    selection: Sequence[str],
    model: str,
    settings: RunSettings,
    judging: Judging | None = None,
    reporter: Reporter = SILENT,
) -> tuple[Chosen, Answerer | None]:
    """The tasks to ask a model, and who is asked in its place. Of `all`, what cannot be asked is
    left out and said, and nothing left raises; what was named raises as ever."""
    if not is_all(selection):
        return choose_answerer(selection, model, settings, reporter)
    require_answerer(model, settings)
    chosen: dict[str, Sequence[str]] = {}
    answerer: Answerer | None = None
    for name in names():
        if isinstance(settings.data, Mapping) and name not in settings.data:
            reporter.warn(f"{name} is left out: --data has no folder {name}")
            continue
        try:
            chosen[name], answerer = _tasks(name, model, settings, judging, reporter)
        except DeadpanError as error:
            why = str(error).removeprefix(f"--model {model}: ")
            reporter.warn(f"{model}: {name} is left out: {why}")
    if not chosen:
        raise DeadpanError(f"--model {model}: of {ALL} nothing is left that it can be asked")
    return chosen, answerer


def _tasks(
    name: str, model: str, settings: RunSettings, judging: Judging | None, reporter: Reporter
) -> tuple[list[str], Answerer | None]:
    """The tasks of one benchmark that can be asked; none raises."""
    if why := _other_kind(name, model):
        raise DeadpanError(why)
    chosen, answerer = choose_answerer([name], model, settings, reporter)
    tasks = list(chosen[name])
    if judging is None:
        pairs = [(name, task) for task in tasks]
        graded = [task for _, task in tasks_with_judge(pairs, optional=False)]
        tasks = _without(name, tasks, dict.fromkeys(graded, _NEEDS_JUDGE), reporter)
    return _without(name, tasks, _unaskable(name, tasks, settings), reporter), answerer


_NEEDS_JUDGE = "graded by a judge; --judge MODEL adds it"


def _without(
    name: str, tasks: Sequence[str], reasons: Mapping[str, str], reporter: Reporter
) -> list[str]:
    """The tasks without those that something speaks against, which is said; none left raises."""
    kept = [task for task in tasks if task not in reasons]
    if not kept:
        raise DeadpanError(next(iter(reasons.values())))
    for why in dict.fromkeys(reasons.values()):
        listed = ",".join(task for task in tasks if reasons.get(task) == why)
        reporter.warn(f"{name}/{listed} is left out: {why}")
    return kept


def _unaskable(name: str, tasks: Sequence[str], settings: RunSettings) -> dict[str, str]:
    """Why tasks cannot be asked so, of those that cannot: their questions are made, to see it."""
    benchmark, showing = find(name), settings.showing
    dataset = benchmark.read(settings.data_of(name))
    sample = settings.sample
    drawn = sample.of(benchmark, dataset, settings.exclude, settings.languages) if sample else None
    reasons = {}
    for task in tasks:
        try:
            made = task_questions(benchmark, task, settings, showing, dataset, drawn)
        except DeadpanError as error:
            reasons[task] = str(error)
            continue
        if showing.native and not _shows_video(made):
            reasons[task] = "it shows no video: --variant native-video does not apply"
    return reasons


def _shows_video(made: TaskQuestions) -> bool:
    return any(question.clip is not None for question in made.questions)


def _other_kind(name: str, model: str) -> str:
    """Why a benchmark is not answered by this kind of model; empty where it is."""
    has_edits = find(name).edits is not None
    if has_edits == is_editor(model):
        return ""
    return "answered by editors only" if has_edits else "it has no pictures to be edited"


def _own_kind(
    selection: Sequence[str], model: str, models: Sequence[str], reporter: Reporter
) -> Sequence[str]:
    """Of what was named for editors and models together, what this one's kind answers."""
    if is_all(selection) or len({is_editor(one) for one in models}) == 1:
        return selection
    reasons = {one: _other_kind(one.partition("/")[0], model) for one in selection}
    able = [one for one, why in reasons.items() if not why]
    for one, why in reasons.items():
        if why and able:
            reporter.warn(f"{model}: {one} is left out: {why}")
    return able or selection


def _name(model: str, settings: RunSettings) -> str:
    """What a model is asked as."""
    return resolve_provider(model, shown=not settings.showing.text_only)


def _require_models(models: Sequence[str], settings: RunSettings) -> None:
    """Raises with everything that keeps any of the models from being asked together."""
    wrong = []
    for model in models:
        try:
            require_answerer(model, settings)
        except DeadpanError as error:
            wrong.append(str(error))
    if wrong:
        raise DeadpanError("\n".join(wrong))
    if settings.showing.native and len(models) > 1:
        able = [model for model in models if not is_editor(model) and takes_videos(model)]
        if others := [model for model in models if model not in able and not is_editor(model)]:
            what = f"{', '.join(others)} takes no video through Inspect"
            raise DeadpanError(f"--variant native-video: {what}; ask models alike, or each alone")
