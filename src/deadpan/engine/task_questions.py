"""A task's questions as they are to be asked, and the requests that ask them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import folder_name
from deadpan.core.benchmark import Benchmark, Task
from deadpan.core.dataset import Dataset
from deadpan.core.question_variants import vary_questions, worded_questions
from deadpan.core.questions import Language, MediaOptions, Prompts, Question
from deadpan.core.sampling import Sample
from deadpan.core.selection import Selection, select_questions
from deadpan.core.signature import LANGUAGES, PARAPHRASE, SAMPLE
from deadpan.core.variants import Variant
from deadpan.engine.calls import CallOptions, Engine
from deadpan.engine.fewshot.selection import Demonstrator, demonstrator
from deadpan.engine.fewshot.specification import ZERO_SHOT
from deadpan.engine.question_parts import question_turns
from deadpan.engine.requests import Request, Sampling
from deadpan.media.checksums import data_checksum
from deadpan.media.prepared import require_readable


@dataclass(frozen=True)
class RunSettings:
    """What part of which data to ask, how, and where answers are kept."""

    store: Path
    data: Path | Mapping[str, Path] | None = None
    """The folder of the data, or those of several benchmarks by name; None: the mini-sets."""
    prompts: Path | None = None
    paraphrase: int = 0
    """Which of a benchmark's own paraphrases of its prompts; 0: its usual ones."""
    limit: int | None = None
    sample: Sample | None = None
    """A random part of each benchmark's items, in the place of the first ones."""
    epochs: int = 1
    calls: CallOptions = field(default_factory=CallOptions)
    showing: MediaOptions = field(default_factory=MediaOptions)
    fewshot: str | None = None
    """Which worked examples go before each question, as `--fewshot` has it."""
    sampling: Sampling = field(default_factory=Sampling)
    """Settings that take the place of each task's own."""
    exclude: tuple[str, ...] = ()
    """What items are left out for: `harmful`."""
    languages: tuple[Language, ...] = ()
    """The languages of the items that are asked about; all where none is named."""
    again: str = ""
    """A label under which everything is asked anew."""

    def __post_init__(self) -> None:
        for name, least in (("limit", self.limit), ("epochs", self.epochs)):
            if least is not None and least < 1:
                raise DeadpanError(f"{name} is {least}; expected at least 1")
        if self.paraphrase and self.prompts is not None:
            raise DeadpanError("paraphrases are of our own prompts: leave out one of the two")
        if self.limit is not None and self.sample is not None:
            raise DeadpanError("limit takes the first items, sample random ones: leave out one")

    def data_of(self, benchmark: str) -> Path | None:
        """The folder of a benchmark's data, None for its mini-set; raises where folders are named
        and none is its."""
        if not isinstance(self.data, Mapping):
            return self.data
        if benchmark not in self.data:
            raise DeadpanError(f"{benchmark}: no folder of data is named for it")
        return self.data[benchmark]


@dataclass(frozen=True, eq=False)
class TaskQuestions:
    """One task's questions as they are to be asked."""

    benchmark: Benchmark[Any]
    spec: Task
    questions: Sequence[Question]
    showing: MediaOptions
    data: str
    origin: str
    wording: Prompts
    settings: Mapping[str, str]
    demos: Demonstrator | None
    selection: Selection
    total: int
    """How many questions the data has for the task, asked or not."""


@dataclass(frozen=True)
class Answerer:
    """What answers in a model's place: its engine, and how it is asked."""

    engine: Engine
    requests: Callable[[TaskQuestions, str, RunSettings], list[Request]]


def benchmark_questions(
    benchmark: Benchmark[Any], tasks: Sequence[str], settings: RunSettings, showing: MediaOptions
) -> list[TaskQuestions]:
    """The questions of each of a benchmark's tasks, about the same items where some are drawn."""
    dataset = benchmark.read(settings.data_of(benchmark.name))
    sample = settings.sample
    drawn = sample.of(benchmark, dataset, settings.exclude, settings.languages) if sample else None
    return [task_questions(benchmark, task, settings, showing, dataset, drawn) for task in tasks]


def task_questions(
    benchmark: Benchmark[Any],
    task: str,
    settings: RunSettings,
    showing: MediaOptions,
    dataset: Dataset[Any] | None = None,
    drawn: Collection[str] | None = None,
) -> TaskQuestions:
    """One task's questions about a data set, which is read where it is not given, or about the
    items that were `drawn` from it; what would fail for all of them raises."""
    spec = benchmark.task(task)
    dataset = dataset or benchmark.read(settings.data_of(benchmark.name))
    wording = benchmark.prompts(task, prompts_folder(benchmark, task, settings))
    every = worded_questions(benchmark, dataset, task, wording, showing.variant)
    selection = select_questions(benchmark, every, settings.exclude, not showing.text_only)
    selection = _vary(benchmark, task, selection, showing)
    languages = settings.languages or benchmark.languages
    spoken = [one for one in selection.questions if one.language in languages]
    asked = (one for one in spoken if drawn is None or one.item in drawn)
    questions = list(islice(asked, settings.limit))
    if not questions:
        what = f"has no question for {benchmark.name}/{task}"
        if not spoken and selection.questions:
            what += f" in {' or '.join(languages)}"
        elif drawn is not None:
            what += f" among the {len(drawn)} items that --sample draws"
        elif selection.excluded or selection.unshown:
            what += f" but of {len(selection.excluded) + len(selection.unshown)} items left out"
        raise InputError(dataset.origin, what, "Name other tasks, or other --data.")
    clips = [question.clip for question in questions if question.clip is not None]
    data, origin = dataset.checksum, dataset.origin
    if not showing.text_only:
        data = data_checksum(dataset, _files(every))
        paths = _files(questions)
        if paths and not any(Path(path).is_file() for path in paths):  # all would fail
            what = "has none of the videos" if clips else "has none of the pictures"
            fix = _where_from(benchmark, settings.data_of(benchmark.name), paths[0])
            raise InputError(dataset.origin, what, fix)
        require_readable(clips, showing)
    shown = {**showing.settings(bool(clips)), **selection.settings}
    shown |= {PARAPHRASE: str(settings.paraphrase)} if settings.paraphrase else {}
    if len(spoken) < len(selection.questions):
        shown |= {LANGUAGES: ",".join(languages)}
    shown |= {SAMPLE: str(settings.sample)} if drawn is not None else {}
    demos = None
    if settings.fewshot is not None:
        if showing.variant is not Variant.FULL and settings.fewshot != ZERO_SHOT:
            leave = f"leave it out, or --variant {showing.variant}"
            raise DeadpanError(f"--fewshot shows examples in full: {leave}")
        folder = settings.data_of(benchmark.name)
        demos = demonstrator(benchmark, task, folder, wording, settings.fewshot)
        demos.require_enough(questions)
        shown |= {"fewshot": demos.name, "schema": "none"}
    about = (showing, data, origin, wording, shown, demos)
    return TaskQuestions(benchmark, spec, questions, *about, selection, total=len(every))


def prompts_folder(benchmark: Benchmark[Any], task: str, settings: RunSettings) -> Path | None:
    """The folder whose prompts replace the usual ones; a paraphrase that there is not raises."""
    if not settings.paraphrase:
        return settings.prompts
    found = benchmark.paraphrases(task)
    if settings.paraphrase > len(found):
        what = f"has {len(found)} paraphrases" if found else "has no paraphrases"
        raise DeadpanError(
            f"{benchmark.name}/{task} {what} of its prompt; got number {settings.paraphrase}"
        )
    return found[settings.paraphrase - 1]


def _vary(
    benchmark: Benchmark[Any], task: str, selection: Selection, showing: MediaOptions
) -> Selection:
    """The questions as the variant shows them; what cannot be shown so is left out too."""
    made, lost = vary_questions(
        benchmark, task, selection.questions, showing.variant, showing.variant_seed
    )
    unshown = {**selection.unshown, **lost}
    told = {"left_out": str(len(unshown))} if unshown else {}
    settings = {**selection.settings, **told}
    return replace(selection, questions=made, unshown=unshown, settings=settings)


def _files(questions: Sequence[Question]) -> list[str]:
    """The files of pictures and videos that questions show."""
    paths = [picture.path for question in questions for picture in question.pictures]
    clips = [question.clip for question in questions if question.clip is not None]
    return paths + [path for clip in clips for path in (clip.path, *clip.frames)]


def _where_from(benchmark: Benchmark[Any], folder: Path | None, first: str) -> str:
    """How one comes by files that are not there."""
    if benchmark.release is None and benchmark.media is None:
        return f"Put them where the data says: {first}."
    into = f" --data {folder}" if folder else ""
    return f"Fetch them first: deadpan data get {benchmark.name}{into}."


def task_requests(task: TaskQuestions, model: str, settings: RunSettings) -> list[Request]:
    """A request for each question and epoch, in the order of the questions."""
    spec, demos = task.spec, task.demos
    label = f"{task.benchmark.name}-{spec.name}.{folder_name(model)}"
    sampling = settings.sampling.over(spec.temperature, spec.top_p, spec.max_tokens)
    made = []
    turns_of = demos.turns if demos else question_turns
    for question in task.questions:
        turns = turns_of(question, task.showing)
        card = question.card(task.benchmark.name, spec.name).model_dump(mode="json")
        made += [
            Request(
                label,
                turns,
                sampling,
                # Examples show the form, and what is compared with them is asked as they are.
                schema=spec.reply if demos is None else None,
                item=question.item,
                epoch=epoch,
                again=settings.again,
                card=card,
            )
            for epoch in range(1, settings.epochs + 1)
        ]
    return made
