"""A curation's file, read and checked: every problem at once, each with its line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pydantic import ValidationError

from deadpan.base.errors import DeadpanError, meant
from deadpan.base.files import is_there, read_text
from deadpan.base.problems import Path as Place
from deadpan.base.problems import Problem, path_text, problems_of
from deadpan.base.yaml_documents import YamlDocument, yaml_document
from deadpan.benchmarks import BUILT_IN, find
from deadpan.core.benchmark import Benchmark
from deadpan.core.capabilities import require
from deadpan.core.curation import Building
from deadpan.core.questions import Prompts
from deadpan.curate.collect.keywords import known_lists
from deadpan.curate.schema import Curation
from deadpan.studies.making.catalogue import find_template

_LONGEST = 200_000
SPLITS = ("train", "validation", "test")
FIX = (
    "`deadpan curate init FILE` writes one to begin with; `deadpan curate schema` prints the form."
)
_PATTERNS = {r"^[a-z0-9][a-z0-9_-]*$": "small letters, digits, - and _, such as spring-memes"}


class WrongCuration(DeadpanError):
    """A curation's file that cannot be run, with all that is wrong in it."""


@dataclass(frozen=True)
class CurationFile:
    """A curation as it was written."""

    path: Path
    text: str
    curation: Curation

    @property
    def base(self) -> Path:
        """The folder that relative paths of sources are in."""
        return self.path.parent

    @property
    def out(self) -> Path:
        """The work folder."""
        return self.base / (self.curation.out or self.path.stem)

    @property
    def benchmark(self) -> Benchmark:  # type: ignore[type-arg]
        """Whose format, protocol and study."""
        return find(self.curation.benchmark)

    @property
    def building(self) -> Building:
        """How it is built."""
        return building_of(self.benchmark)


def building_of(benchmark: Benchmark) -> Building:  # type: ignore[type-arg]
    """How one of its kind is built; raises where it does not say."""
    return require(benchmark.building, f"{benchmark.name} does not say how it is built from posts")


def read_curation(path: Path, is_run: bool = True) -> CurationFile:
    """The curation of a YAML file. Raises with everything that is wrong in it, a line each; where
    it is not to be run, sources, models and studies need not be there."""
    text = read_text(path, f"Write a curation into it. {FIX}")
    if len(text) > _LONGEST:
        raise WrongCuration(f"{path}: has {len(text):,} characters; expected a curation. {FIX}")
    document = yaml_document(text, path, "curation", FIX)
    try:
        curation = Curation.model_validate(document.value)
    except ValidationError as error:
        problems = problems_of(error, Curation, document.value, _PATTERNS)
        raise _wrong(path, document, problems) from None
    file = CurationFile(path, text, curation)
    if is_run and (problems := list(_problems(file))):
        raise _wrong(path, document, problems)
    return file


def _problems(file: CurationFile) -> Iterator[Problem]:
    """What the form allows and still cannot be."""
    curation = file.curation
    yield from _tried(("benchmark",), lambda: file.building)
    if curation.release.plugin and curation.name in BUILT_IN:
        what = f"{curation.name} is a benchmark of Deadpan; choose another, or release: plugin: no"
        yield Problem(("name",), what)
    yield from _sources(file)
    known = known_lists()
    for at, name in enumerate(curation.keywords.lists):
        if name not in known:
            what = f'got "{name}"; expected one of {", ".join(known)}{meant(name, known)}'
            yield Problem(("keywords", "lists", at), what)
    for name in curation.split.shares:
        if name not in SPLITS:
            what = f"expected one of {', '.join(SPLITS)}{meant(name, SPLITS)}"
            yield Problem(("split", "shares", name), what)
    yield from _out(file)
    if curation.draft is not None:
        from deadpan.engine.inspect_model import find_model

        for field in ("model", "validator", "blind"):
            if name := getattr(curation.draft, field):
                yield from _tried(("draft", field), partial(find_model, name))
    yield from _people(file)
    if any(_tried((), lambda: file.building)):
        return
    yield from _settings(file)
    if curation.draft is not None:
        yield from _prompts(file)
    if curation.draft and curation.people is None and file.building.needs_people:
        what = f"is missing; the gold of {curation.benchmark} is what people say, not a draft"
        yield Problem(("people",), what)


def _out(file: CurationFile) -> Iterator[Problem]:
    """What is wrong with the work folder: among the posts it would be collected itself, and another
    curation's work is not to be mixed with."""
    out = file.out.resolve()
    for at, source in enumerate(file.curation.collect):
        path = (file.base / source.path).resolve()
        if path.is_dir() and (out.is_relative_to(path) or path.is_relative_to(out)):
            where = f"{file.out} and the posts of {source.path} lie in one another"
            yield Problem(("collect", at, "path"), f"{where}; name another folder as out")
    kept = file.out / "curation.yaml"
    if not is_there(kept):
        return
    try:
        name = yaml_document(read_text(kept), kept, "curation", FIX).value.get("name")
    except DeadpanError:
        return
    if name not in (None, file.curation.name):
        what = f'{file.out} holds the work of another curation, "{name}"; name another folder'
        yield Problem(("out",) if file.curation.out else ("name",), what)


def _sources(file: CurationFile) -> Iterator[Problem]:
    seen: set[str] = set()
    for at, source in enumerate(file.curation.collect):
        place: Place = ("collect", at)
        if source.name in seen:
            what = f'"{source.name}" names another source too; give each a name of its own'
            yield Problem((*place, "name"), what)
        seen.add(source.name)
        if not is_there(file.base / source.path):
            yield Problem((*place, "path"), f"{source.path}: no such file or folder")
        if source.consent is not None and not is_there(file.base / source.consent):
            yield Problem((*place, "consent"), f"{source.consent}: no such file")
        if source.kind == "chats" and source.consent is None:
            what = "is missing; chats are taken only from those who signed: participant,signed"
            yield Problem((*place, "consent"), what)
        if source.fetch and not source.contact:
            what = "is missing; sites are told whom to write to, such as me@example.org"
            yield Problem((*place, "contact"), what)


def _people(file: CurationFile) -> Iterator[Problem]:
    people, name = file.curation.people, file.curation.benchmark
    if people is None or find(name).building is None:
        return
    template = people.template or f"{name}/{file.building.template}"
    if not template.startswith(f"{name}/"):
        what = f'got "{template}"; expected a study of {name}: `deadpan study list`'
        yield Problem(("people", "template"), what)
        return

    def require_records() -> None:
        if find_template(template)[1].write is None:
            raise DeadpanError(f"{template} settles no records; name another study of {name}")

    yield from _tried(("people", "template"), require_records)


def _prompts(file: CurationFile) -> Iterator[Problem]:
    """What is missing of the prompts by which a model drafts: a post in whose language there is
    none would have no draft."""
    folder = file.benchmark.folder / "curation" / "prompts"
    languages = file.curation.languages or file.benchmark.languages
    for step in file.building.steps:
        read = partial(Prompts.read, folder, step, tuple(languages))
        if problems := list(_tried(("draft",), read)):
            yield from problems
            return


def _settings(file: CurationFile) -> Iterator[Problem]:
    """What is wrong with the options of the study."""
    people, name = file.curation.people, file.curation.benchmark
    if people is None or find(name).building is None:
        return
    try:
        _, template = find_template(people.template or f"{name}/{file.building.template}")
    except DeadpanError:
        return  # told already
    for option, value in people.set.items():
        given = {option: str(value)}
        yield from _tried(("people", "set", option), partial(template.settings, given))


def _tried(path: Place, check: Callable[[], object]) -> Iterator[Problem]:
    """What a check raises, without the option that it names."""
    try:
        check()
    except DeadpanError as error:
        words = " ".join(str(error).split())
        option, _, rest = words.partition(": ")
        yield Problem(path, (rest if option.startswith("--") else words).rstrip("."))


def _wrong(path: Path, document: YamlDocument, problems: Sequence[Problem]) -> WrongCuration:
    placed = sorted((document.line(one.path), at, one) for at, one in enumerate(problems))
    lines = [f"{path}:{line}: {path_text(one.path)}: {one.what}" for line, _, one in placed]
    if len(lines) == 1:
        return WrongCuration(lines[0])
    return WrongCuration("\n".join([f"{len(lines)} problems in {path}:", *lines]))
