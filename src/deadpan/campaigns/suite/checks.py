"""What a campaign's file says that cannot be: found before anything is asked, all of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from deadpan.base.errors import DeadpanError
from deadpan.base.files import is_folder
from deadpan.base.problems import COMMA, Problem
from deadpan.base.problems import Path as Place
from deadpan.benchmarks import find, names
from deadpan.campaigns.suite.schema import ALL, BenchmarkEntry, JudgeEntry, ModelEntry, Suite
from deadpan.editing import EDITOR, find_editor
from deadpan.editing.answering import is_editor
from deadpan.engine.batching import has_batch_api
from deadpan.engine.fewshot.specification import fewshot_of
from deadpan.engine.inspect_model import find_model
from deadpan.engine.local.provider import resolve_provider
from deadpan.metrics import lexical
from deadpan.pipeline.evaluating import chosen_tasks
from deadpan.pipeline.judgements import require_other
from deadpan.pipeline.judging import check_sees
from deadpan.pipeline.scoring_choices import chosen_lexicons, metric_models
from deadpan.pipeline.table import tasks_with_judge


def problems_in(suite: Suite) -> list[Problem]:
    """Everything that is wrong, in any order."""
    return [
        *_titles(suite),
        *(one for at, model in enumerate(suite.models) for one in _model(("models", at), model)),
        *_benchmarks(suite),
        *_judges(suite),
        *_reader(suite),
        *_metrics(suite),
    ]


def entry_tasks(entry: BenchmarkEntry) -> dict[str, list[str]]:
    """The tasks per benchmark that an entry names; none where it names no tasks. What there is not
    raises."""
    if entry.name == ALL:
        return {name: [] for name in names()}
    return chosen_tasks([entry.name], every=False)


def judge_of(suite: Suite, entry: BenchmarkEntry) -> JudgeEntry | None:
    """Who judges the answers to a benchmark."""
    return entry.judge or suite.judge


def answers(model: ModelEntry, benchmark: str) -> bool:
    """Whether the model is of the kind that the benchmark is answered by: models, or editors."""
    return is_editor(model.name) == (find(benchmark).edits is not None)


def _tried(path: Place, check: Callable[[], object]) -> Iterator[Problem]:
    """What a check raises, without the option that it names."""
    try:
        check()
    except DeadpanError as error:
        yield Problem(path, _said(error))


def _said(error: DeadpanError) -> str:
    words = " ".join(str(error).split())
    option, _, rest = words.partition(": ")
    if option.startswith("--"):
        words = rest or words.partition(" ")[2]
    return words.replace("pass --self-judge", "say allow_self: true").rstrip(".")


def _titles(suite: Suite) -> Iterator[Problem]:
    seen: dict[str, int] = {}
    for at, model in enumerate(suite.models):
        first = seen.setdefault(model.shown, at)
        if first != at:
            what = f'"{model.shown}" is what models[{first}] is called too'
            yield Problem(
                ("models", at, "title" if model.title else "name"),
                f"{what}; give each a title of its own",
            )


def _model(path: Place, model: ModelEntry) -> Iterator[Problem]:
    if is_editor(model.name):
        yield from _tried((*path, "name"), partial(find_editor, model.name.removeprefix(EDITOR)))
    else:
        name = resolve_provider(model.name)
        yield from _tried((*path, "name"), partial(find_model, name, sampling=model.sampling))
    if model.ray_address is not None and model.engine != "ray":
        yield Problem((*path, "ray_address"), "no use without engine: ray; leave it out")
    elif (model.ray_address or "").startswith("ray://"):
        what = "addresses of Ray Client are not taken; say auto or HOST:PORT, on a node of it"
        yield Problem((*path, "ray_address"), what)
    if model.batch and not has_batch_api(model.name):
        yield Problem((*path, "batch"), f"{model.name} has no batch API; leave it out")
    if model.fewshot is not None:
        yield from _tried((*path, "fewshot"), partial(fewshot_of, model.fewshot))


def _benchmarks(suite: Suite) -> Iterator[Problem]:
    seen: dict[str, int] = {}
    for at, entry in enumerate(suite.benchmarks):
        path: Place = ("benchmarks", at)
        named = list(_tried((*path, "name"), partial(entry_tasks, entry)))
        yield from (one._replace(what=one.what + _if_task(entry.name)) for one in named)
        if named:
            continue
        if entry.data is not None and entry.name == ALL:
            yield Problem((*path, "data"), "is one benchmark's; name the benchmarks one by one")
        elif entry.data is not None and not is_folder(entry.data):
            yield Problem((*path, "data"), f"{entry.data}: no such folder")
        if entry.limit is not None and entry.sample is not None:
            what = "limit takes the first items, sample random ones: leave out one"
            yield Problem((*path, "sample"), what)
        for name in entry_tasks(entry):
            first = seen.setdefault(name, at)
            if first != at:
                yield Problem(path, f"{name} is in benchmarks[{first}] too; name it once")
            if entry.name != ALL and not any(answers(model, name) for model in suite.models):
                kind = "an editor" if find(name).edits else "a model that answers questions"
                yield Problem(path, f"no model answers {name}: add {kind} to models")


def _if_task(name: str) -> str:
    """What to do where a task stands in a benchmark's place: YAML has parted them at a comma."""
    tasks = {spec.name for one in names() for spec in find(one).tasks}
    return COMMA if name.strip() in tasks else ""


def _judges(suite: Suite) -> Iterator[Problem]:
    entries: list[tuple[Place, JudgeEntry]] = []
    if suite.judge is not None:
        entries.append((("judge",), suite.judge))
    for at, entry in enumerate(suite.benchmarks):
        if entry.judge is not None:
            entries.append((("benchmarks", at, "judge"), entry.judge))
        yield from _judge_needed(suite, ("benchmarks", at), entry)
    tested = [model.name for model in suite.models]
    for path, judge in entries:
        yield from _tried(path, partial(require_other, tested, judge.name, judge.allow_self))
        yield from _tried(path, partial(find_model, judge.name, "--judge"))


def _judge_needed(suite: Suite, path: Place, entry: BenchmarkEntry) -> Iterator[Problem]:
    try:
        tasks = entry_tasks(entry)
    except DeadpanError:
        return
    answered = [name for name in tasks if any(answers(model, name) for model in suite.models)]
    pairs = [
        (name, task)
        for name in answered
        for task in (tasks[name] or [spec.name for spec in find(name).tasks])
    ]
    judge = judge_of(suite, entry)
    if judge is None:
        if graded := tasks_with_judge(pairs, optional=False):
            listed = ", ".join("/".join(one) for one in graded)
            yield Problem(path, f"{listed}: graded by a judge; name one: judge: MODEL")
    elif judge.sees:
        judged = tasks_with_judge(pairs)
        yield from _tried((*path, "judge"), partial(check_sees, judge.sees, judged))


def _reader(suite: Suite) -> Iterator[Problem]:
    reader = suite.reader
    if reader is None:
        return
    if reader.name == lexical.MODEL:
        yield Problem(("reader",), f"{reader.name} only compares words; name a model")
    tested = [model.name for model in suite.models]
    who = (reader.name, reader.allow_self, "--reader", "read")
    yield from _tried(("reader",), partial(require_other, tested, *who))
    yield from _tried(("reader",), partial(find_model, reader.name, "--reader"))


def _metrics(suite: Suite) -> Iterator[Problem]:
    known = []
    for entry in suite.benchmarks:
        with suppress(DeadpanError):
            known += [find(name) for name in entry_tasks(entry)]
    taken = [(metric, one.languages) for one in known for metric in one.metric_models]
    for metric, model in suite.metrics.models.items():
        path: Place = ("metrics", "models", metric)
        yield from _tried(path, partial(metric_models, [f"{metric}={model}"], taken))
    lexicons = [one.lexicons for one in known]
    for language, name in suite.metrics.lexicons.items():
        path = ("metrics", "lexicons", language)
        yield from _tried(path, partial(chosen_lexicons, [f"{language}={name}"], lexicons))
