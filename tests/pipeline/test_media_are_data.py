"""A changed picture is asked about again, shows in the signature, and mixes with nothing unsaid."""

import json
import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from PIL import Image
from typer.testing import CliRunner

import deadpan
from deadpan.base.errors import MixedSignatures
from deadpan.benchmarks import find
from deadpan.cli import app
from deadpan.core.signature import annotations_of, parse_signature
from deadpan.engine.reading import listed_runs

DATA = {name: find(name).folder / "data" for name in ("cfms", "pixelhumor", "merbench")}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return Path(shutil.copytree(DATA["cfms"], tmp_path / "data"))


def asked(data: Path, store: Path, **more: Any) -> deadpan.Results:
    about = {"tasks": "identification", "model": "baseline/random", "data": data, "store": store}
    return deadpan.evaluate("cfms", **{**about, **more})


def signed(results: deadpan.Results) -> str:
    (text,) = results.table["signature"].unique()
    return parse_signature(text).data


def a_picture(data: Path) -> Path:
    return Path(deadpan.load("cfms", data).questions("identification")[0].pictures[0].path)


def repaint(path: Path) -> None:
    with Image.open(path) as image:
        changed = image.convert("RGB")
    changed.putpixel((0, 0), (1, 2, 3))
    changed.save(path, "PNG")


def keys(store: Path) -> set[str]:
    return set(pl.concat(pl.read_parquet(one) for one in store.glob("runs/*.parquet"))["key"])


def test_a_changed_picture_is_another_question_and_other_data(data: Path, tmp_path: Path) -> None:
    store = tmp_path / "answers"
    first = asked(data, store)
    known = keys(store)
    assert signed(asked(data, store)) == signed(first) and keys(store) == known
    repaint(a_picture(data))
    second = asked(data, store)
    assert len(keys(store) - known) == 1
    assert annotations_of(signed(second)) == annotations_of(signed(first))
    assert signed(second) != signed(first)
    with pytest.raises(MixedSignatures, match=r"\+media:"):
        deadpan.read_results(store)
    both = deadpan.read_results(store, mix=True)
    assert len(set(both.shown["model"])) == 2
    assert {one.data for one in map(parse_signature, both.table["signature"].unique())} == {
        signed(first),
        signed(second),
    }


def test_a_part_of_the_items_is_signed_with_all_of_the_data(data: Path, tmp_path: Path) -> None:
    few = asked(data, tmp_path / "few", limit=3)
    assert signed(few) == signed(asked(data, tmp_path / "all"))
    (text,) = few.table["signature"].unique()
    total = len(deadpan.load("cfms", data).questions("identification"))
    assert parse_signature(text).part == (3, total)
    more = asked(data, tmp_path / "few", limit=5)
    assert parse_signature(more.table["signature"][0]).part == (5, total)


def test_missing_pictures_are_counted_and_make_way_once_they_are_there(
    data: Path, tmp_path: Path
) -> None:
    store, path = tmp_path / "answers", a_picture(data)
    kept = path.rename(tmp_path / "kept.png")
    first = asked(data, store)
    total = len(find("cfms").read(data).media)
    assert signed(first).endswith(f"({total - 1}/{total})")
    kept.rename(path)
    second = asked(data, store)
    assert signed(second) == signed(deadpan.read_results(store)) and "(" not in signed(second)


def test_text_alone_is_signed_by_annotations_alone(data: Path, tmp_path: Path) -> None:
    command = ["run", "cfms/identification", "--model", "baseline/random", "--data", str(data)]
    table = tmp_path / "t.parquet"
    more = ["--variant", "text-only", "--store", str(tmp_path / "a"), "--table", str(table)]
    result = CliRunner().invoke(app, [*command, *more])
    assert result.exit_code == 0, result.output
    assert signed(deadpan.read_results(table)) == find("cfms").read(data).checksum


def test_answers_from_elsewhere_are_signed_by_annotations_alone(data: Path) -> None:
    loaded = deadpan.load("cfms", data)
    answers = {one.item: "Yes" for one in loaded.questions("identification")}
    with_pictures = loaded.score(answers, task="identification")
    for path in loaded.dataset.media:
        Path(path).unlink(missing_ok=True)
    without = deadpan.load("cfms", data).score(answers, task="identification")
    assert signed(with_pictures) == signed(without) == loaded.dataset.checksum
    assert with_pictures.scores().equals(without.scores())


def test_edits_are_signed_with_their_sources(tmp_path: Path) -> None:
    data = Path(shutil.copytree(DATA["merbench"], tmp_path / "memes"))
    edits, table = tmp_path / "edits", tmp_path / "edits.parquet"
    shutil.copytree(data / "Original", edits / "copy")
    command = ["score", "merbench", "--edits", str(edits), "--data", str(data)]
    result = CliRunner().invoke(app, [*command, "--table", str(table)])
    assert result.exit_code == 0, result.output
    dataset = find("merbench").read(data)
    assert signed(deadpan.read_results(table)).startswith(f"{dataset.checksum}+media:")


@pytest.mark.parametrize("name", ["pixelhumor", "janusmm", "merbench", "cfms", "vimu"])
def test_every_benchmark_names_the_media_that_its_questions_show(name: str) -> None:
    benchmark = find(name)
    dataset = benchmark.read(None)
    named = set(dataset.media)
    assert named and all(Path(path).is_file() for path in named)
    for spec in benchmark.tasks:
        for one in benchmark.questions(dataset, spec.name, benchmark.prompts(spec.name)):
            clip = (one.clip.path, *one.clip.frames) if one.clip else ()
            assert {*(picture.path for picture in one.pictures), *clip} <= named


def test_an_older_store_is_read_and_goes_on(data: Path, tmp_path: Path) -> None:
    """Its manifests tell neither of media nor of how much there is."""
    store = tmp_path / "answers"
    asked(data, store)
    (path,) = store.glob("runs/*.parquet")
    annotations = find("cfms").read(data).checksum
    older = pl.read_parquet(path).with_columns(data=pl.lit(annotations)).drop("total")
    path.unlink()
    older.write_parquet(path.with_stem(f"{path.stem[:-8]}01234567"))  # names end in a checksum
    old = deadpan.read_results(store)
    assert signed(old) == annotations
    assert parse_signature(old.table["signature"][0]).part is None
    new = asked(data, store)
    assert signed(new) == signed(deadpan.read_results(store)) != annotations
    assert len(listed_runs([store])) == 2
    assert json.loads(new.table["gold"][0]) == json.loads(old.table["gold"][0])
