"""CFMS's generation study: pictures that `deadpan generate cfms` drew, judged blind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from pydantic import BaseModel, ConfigDict, ValidationError

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.files import is_folder, list_folder, read_bytes, sha256_of
from deadpan.benchmarks.cfms.records import Pair, Pairs
from deadpan.benchmarks.cfms.studies.posts import picture, text
from deadpan.core.study.files import read_study
from deadpan.core.study.items import Output, StudyItem
from deadpan.core.study.making import draw, notes_on, shuffled, with_people
from deadpan.core.study.templates import MadeStudy, StudySource

FOLDER = Path(__file__).parent
_RECORDS, _IMAGES = "records", "images"
_FIX = "Give the folder that `deadpan generate cfms --out` wrote, or one that holds several such."


class Drawn(BaseModel):
    """What `deadpan generate` keeps of a picture, as far as it matters here."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    item: str
    illustrator: str
    ending: str
    file: str = ""
    sha256: str = ""


def make_generation(source: StudySource) -> MadeStudy:
    """The pictures of every generator for the same posts, in an order of chance."""
    rng = Random(source.seed)
    pairs = {pair.name: pair for pair in Pairs.of_dataset(source.dataset).everything}
    drawn: dict[str, dict[str, Path]] = {}
    lost = 0
    for folder in _folders(source.settings["pictures"]):
        for record, image in _records(folder):
            if record.item in pairs and sha256_of(image) == record.sha256:
                drawn.setdefault(record.item, {})[record.illustrator] = image
            else:
                lost += 1
    makers = sorted({maker for own in drawn.values() for maker in own})
    whole = [pairs[name] for name in pairs if len(drawn.get(name, ())) == len(makers) > 0]
    if not whole:
        raise InputError(source.settings["pictures"], "holds no picture of a post", _FIX)
    chosen = draw(rng, whole, source.number("sample"), lambda pair: pair.row.language)
    items = [_item(pair, maker, drawn[pair.name][maker]) for pair in chosen for maker in makers]
    study = with_people(read_study(FOLDER / "generation.yaml"), source.number("people"))
    return MadeStudy(study, shuffled(rng, items), [*notes_on(items), *_notes(drawn, whole, lost)])


def _folders(given: str) -> list[Path]:
    """The folders that a generator filled, at a place or in it."""
    if not given:
        raise DeadpanError(f"--set pictures: no folder is given. {_FIX}")
    place = Path(given).expanduser()
    folders = [place, *(sorted(list_folder(place)) if is_folder(place) else [])]
    found = [folder for folder in folders if is_folder(folder / _RECORDS)]
    if not found:
        raise InputError(place, f"holds no folder {_RECORDS}", _FIX)
    return found


def _records(folder: Path) -> Iterator[tuple[Drawn, Path]]:
    """What was drawn, and where it lies; what was refused or failed is left out."""
    for path in sorted(list_folder(folder / _RECORDS)):
        if path.suffix != ".json":
            continue
        try:
            record = Drawn.model_validate_json(read_bytes(path))
        except ValidationError:
            raise InputError(path, "is no record of a generated picture", _FIX) from None
        if record.ending == "drawn":
            # A record names a file, no path: a folder may come from a stranger.
            yield record, folder / _IMAGES / Path(record.file).name


def _item(pair: Pair, maker: str, image: Path) -> StudyItem:
    """A picture to judge, with what it was meant to do."""
    meant = (
        text("target", pair.row.target or ""),
        text("explanation", pair.row.explanation or ""),
    )
    output = Output(source=maker, parts=(picture(str(image)),))
    return StudyItem(key=pair.name, language=pair.row.language, parts=meant, outputs=(output,))


def _notes(drawn: dict[str, dict[str, Path]], whole: list[Pair], lost: int) -> Iterator[str]:
    if partly := len(drawn) - len(whole):
        yield f"{count_noun(partly, 'post')} left out: not every generator has a picture of it"
    if lost:
        yield (
            f"{count_noun(lost, 'picture')} left out: gone, changed since it was drawn, or of a "
            "post that the data does not have"
        )
