"""The mini-sets' own datasheets: made of the data that is there, and valid."""

import json

import pytest

from deadpan.benchmarks import BUILT_IN, find
from deadpan.curate.release.croissant import require_valid
from minisets.release import LICENCE, PLOT, SHEETS, sheet_of, texts_of


@pytest.mark.parametrize("name", BUILT_IN)
def test_files_are_those_that_the_data_gives(name: str) -> None:
    folder = find(name).folder
    for file, text in texts_of(sheet_of(name)).items():
        again = "python -m minisets.release"
        assert (folder / file).read_text(encoding="utf-8") == text, f"{file}: run {again}"
    assert (folder / PLOT).read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize("name", BUILT_IN)
def test_they_are_valid_and_say_whose_they_are(name: str) -> None:
    path = find(name).folder / "croissant.json"
    require_valid(path)
    described = json.loads(path.read_text(encoding="utf-8"))
    assert described["license"] == f"https://spdx.org/licenses/{LICENCE}.html"
    assert described["rai:dataCollection"].startswith("Drawn by this project's own code")
    names = {one["@id"] for one in described["distribution"]}
    used = [part for one in described["recordSet"] for part in _files(one["field"])]
    assert used and set(used) <= names


def _files(fields: list[dict]) -> list[str]:
    own = [one["source"]["fileObject"]["@id"] for one in fields if "source" in one]
    return own + [name for one in fields for name in _files(one.get("subField", []))]


@pytest.mark.parametrize(
    ("name", "records", "many"),
    [
        ("cfms", "data/pairs", 124),
        ("janusmm", "data/memes", None),
        ("merbench", "data/index_final", 28),
        ("pixelhumor", "data/metadata", 35),
        ("vimu", "data/metadata/vimu_oe", 35),
    ],
)
def test_the_official_library_reads_their_records(
    name: str, records: str, many: int | None
) -> None:
    mlcroissant = pytest.importorskip("mlcroissant", reason="needs the extra [curate]")
    benchmark = find(name)
    rows = list(mlcroissant.Dataset(jsonld=benchmark.folder / "croissant.json").records(records))
    assert len(rows) == (many or len(benchmark.read(None).records))
    assert all(any(value not in (None, b"", []) for value in row.values()) for row in rows)


def test_every_mini_set_has_a_sheet_once() -> None:
    assert sorted(one.benchmark for one in SHEETS) == sorted(BUILT_IN)
