"""A release: what is in it, that it adds up, and that it is there whole or not at all."""

import csv
import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from PIL import Image

from deadpan.base.errors import DeadpanError, InputError
from deadpan.base.printable import out_of_cell
from deadpan.benchmarks.cfms import CFMS
from deadpan.curate.release import Material, require_own_name, write_release
from deadpan.curate.release.counts import NO_ITEM, funnel_of
from deadpan.curate.schema import Curation
from tests.curate.release.drawn_release import CONFIGURATION, HOSTILE, material_in


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def names_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_the_benchmark_reads_what_was_released(release: Path, material: Material) -> None:
    pairs = CFMS.read(release)
    assert len(pairs.everything) == len(material.rows) == 30 and not pairs.anomalies
    assert all(Path(pair.path).is_file() for pair in pairs.everything)
    assert {pair.row.split for pair in pairs.records} == {"test"}


def test_checksums_are_of_every_file_and_hold(release: Path) -> None:
    done = subprocess.run(
        ["sha256sum", "-c", "--strict", "SHA256SUMS"], cwd=release, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    listed = {line.split("  ", 1)[1] for line in (release / "SHA256SUMS").read_text().splitlines()}
    assert listed == names_in(release) - {"SHA256SUMS"}


def test_what_was_dropped_and_what_is_released_add_up(release: Path, material: Material) -> None:
    funnel = funnel_of(material)
    assert (funnel.collected, funnel.dropped, funnel.items) == (51, 21, 30)
    assert [one.came for one in funnel.stages] == [51, 48, 45, 45, 36, 33, 33, 30, 30]
    sheet = (release / "DATASHEET.md").read_text(encoding="utf-8")
    assert "51 collected = 21 dropped + 30 released." in sheet
    assert "| purify | 水印 | 3 | 36 |" in sheet
    assert len(rows_of(release / "dropped.csv")) == 21
    assert len(rows_of(release / "provenance.csv")) == 30


def test_posts_that_became_several_and_posts_of_no_item_are_counted(material: Material) -> None:
    fewer = replace(material, rows=material.rows[1:], collected=40)
    funnel = funnel_of(fewer)
    assert (funnel.collected, funnel.parted, funnel.dropped, funnel.items) == (40, 11, 22, 29)
    assert funnel.stages[-1].dropped == {NO_ITEM: 1}


def test_provenance_tells_of_each_item_and_no_folder_of_a_machine(release: Path) -> None:
    rows = rows_of(release / "provenance.csv")
    first = rows[0]
    assert out_of_cell(first["url"]) == HOSTILE and first["url"].startswith("'=")
    assert (first["where"], first["flags"]) == ("posts.jsonl:1", "open:face")
    picture = release / "images" / "p001.png"
    assert picture.is_file() and len(rows[1]["sha256"]) == 64
    assert rows[1]["licence"] == "not stated by the site" and rows[3]["licence"] == "not stated"
    by_group: dict[str, set[str]] = {}
    for row in rows:
        by_group.setdefault(row["group"] or row["id"], set()).add(row["split"])
    assert all(len(splits) == 1 for splits in by_group.values())


def test_dropped_posts_tell_why_and_no_number_of_anybody(release: Path) -> None:
    rows = rows_of(release / "dropped.csv")
    contact = next(row for row in rows if row["reason"] == "contact")
    assert contact["what"] == "call [phone]"
    copy = next(row for row in rows if row["reason"] == "copy")
    assert copy["what"] == "of 0215004265c9"
    assert all(not cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row.values())


def test_chats_given_with_consent_tell_no_place(material: Material) -> None:
    from deadpan.curate.release.tables import dropped, provenance

    chats = [{"name": "weibo", "path": "raw", "kind": "chats"}, CONFIGURATION["collect"][1]]
    private = replace(
        material, curation=Curation.model_validate({**CONFIGURATION, "collect": chats})
    )
    for text in (provenance(private), dropped(private)):
        rows = list(csv.DictReader(text.splitlines()))
        assert all(bool(row["where"]) == (row["source"] == "mood") for row in rows)


def test_hostile_text_stays_text_in_pages(material: Material) -> None:
    from deadpan.curate.release import datasheet, history

    posts = [post.changed(source=HOSTILE) for post in material.posts]
    sources = [{"name": "weibo", "path": "x", "licence": HOSTILE}]
    curation = Curation.model_validate({**CONFIGURATION, "collect": sources, "title": HOSTILE})
    bad = replace(material, posts=posts, curation=curation)
    parts = {"Collection": history.collection(bad), "Labelling": history.labelling(bad)}
    page = datasheet.datasheet(bad.about, parts)
    assert "<script>" not in page and "<b>" not in page and "[a](b)" not in page
    assert "&lt;script>" in page or "&lt;script\\>" in page
    assert "### Office study: datasheet" in page


def test_nothing_that_was_not_said_is_made_up(tmp_path: Path, drawn_nothing: None) -> None:
    silent = {**CONFIGURATION, "release": {"plugin": False}, "draft": None, "people": None}
    silent |= {"title": ""}
    bare = replace(
        material_in(tmp_path), curation=Curation.model_validate(silent), study="", yields={},
        rounds={},
    )  # fmt: skip
    write_release(bare, tmp_path / "out")
    sheet = (tmp_path / "out" / "DATASHEET.md").read_text(encoding="utf-8")
    for line in ("Who made it: not stated", "Known biases: not stated", "When: not stated"):
        assert line in sheet
    front = yaml.safe_load((tmp_path / "out" / "README.md").read_text("utf-8").split("---")[1])
    assert front["license"] == "unknown"
    described = json.loads((tmp_path / "out" / "croissant.json").read_text("utf-8"))
    assert not {"license", "datePublished", "citeAs", "creator", "rai:dataBiases"} & set(described)
    assert not (tmp_path / "out" / "plugin").exists()


def test_the_card_is_read_by_the_hub(release: Path) -> None:
    text = (release / "README.md").read_text(encoding="utf-8")
    front = yaml.safe_load(text.split("---")[1])
    # Some of the pictures that go along are under no licence that anybody stated.
    assert (front["license"], front["license_name"]) == ("other", "mixed")
    assert front["language"] == ["en", "zh"]
    assert front["size_categories"] == ["n<1K"]
    for entry in front["configs"][0]["data_files"]:
        lines = (release / entry["path"]).read_text(encoding="utf-8").splitlines()
        assert {json.loads(line)["split"] for line in lines} == {entry["split"]}
        assert "media_file" not in lines[0]
    assert "deadpan run cfms --data . --model baseline/random --judge judge/lexical" in text


def test_plots_are_pictures_and_hold_chinese(release: Path) -> None:
    for name in ("funnel", "composition"):
        with Image.open(release / "plots" / f"{name}.png") as picture:
            assert picture.width > 800 and picture.height > 300
        assert "办公室的猫" in (release / "plots" / f"{name}.svg").read_text(encoding="utf-8")


def test_addresses_go_out_in_the_place_of_pictures(tmp_path: Path, drawn_nothing: None) -> None:
    write_release(material_in(tmp_path, media="addresses", plugin=False), tmp_path / "out")
    assert not (tmp_path / "out" / "images").exists()
    rows = rows_of(tmp_path / "out" / "addresses.csv")
    assert rows[0]["file"] == "images/p000.png"
    assert rows[0]["url"] == "https://example.org/p000.png" and len(rows) == 30
    assert "not in it; where they are published is" in (tmp_path / "out/DATASHEET.md").read_text()


def test_the_same_material_gives_the_same_bytes(
    tmp_path: Path, drawn_nothing: None, material: Material
) -> None:
    once = write_release(material, tmp_path / "once")
    again = write_release(material, tmp_path / "again")
    assert [path.read_bytes() for path in once] == [path.read_bytes() for path in again]


def test_a_release_of_ours_is_replaced_and_nothing_else(
    tmp_path: Path, drawn_nothing: None
) -> None:
    material = material_in(tmp_path)
    out = tmp_path / "out"
    write_release(material, out)
    write_release(replace(material, text="name: other\n"), out)
    assert (out / "curation.yaml").read_text() == "name: other\n"
    (out / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="did not come with the release"):
        write_release(material, out)
    (out / "notes.txt").unlink()
    (out / "README.md").write_text("my own words")
    with pytest.raises(InputError, match="was changed since the release was written"):
        write_release(material, out)
    assert (out / "README.md").read_text() == "my own words"
    strange = tmp_path / "strange"
    strange.mkdir()
    (strange / "thesis.txt").write_text("mine")
    with pytest.raises(InputError, match="is no release"):
        write_release(material, strange)
    link = tmp_path / "link"
    link.symlink_to(strange)
    with pytest.raises(InputError, match="is no folder"):
        write_release(material, link)


def test_what_fails_leaves_nothing_behind(tmp_path: Path, drawn_nothing: None) -> None:
    material = material_in(tmp_path)
    before = names_in(tmp_path)
    (material.media / "p003.png").write_bytes(b"another picture")
    with pytest.raises(InputError, match="is not the file that was opened"):
        write_release(material, tmp_path / "out")
    (material.media / "p003.png").unlink()
    with pytest.raises(InputError, match="no such file"):
        write_release(material, tmp_path / "out")
    assert names_in(tmp_path) == before - {"media/p003.png"}


def test_a_name_that_leads_out_of_the_release_raises(
    tmp_path: Path, drawn_nothing: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    material = material_in(tmp_path)
    building = replace(material.building, files=lambda rows: _named("../evil.jsonl"))
    monkeypatch.setattr(CFMS, "building", building)
    with pytest.raises(InputError, match="no path inside of a release"):
        write_release(material_in(tmp_path, plugin=False), tmp_path / "out")
    assert not (tmp_path / "evil.jsonl").exists() and not (tmp_path / "out").exists()


def _named(name: str):
    from deadpan.core.curation import ReleasedFiles

    return ReleasedFiles({name: "{}\n"})


def test_a_row_of_no_post_and_a_name_of_deadpan_raise(material: Material) -> None:
    with pytest.raises(DeadpanError, match="ghost: there is no post"):
        material.post_of({"id": "ghost"})
    taken = Curation.model_validate({**CONFIGURATION, "name": "vimu"})
    with pytest.raises(InputError, match="vimu is a benchmark of Deadpan"):
        require_own_name(taken)


def test_a_label_called_source_is_not_where_posts_came_from(material: Material) -> None:
    by = {**CONFIGURATION, "split": {"by": ["language", "source"]}}
    rows = [{**row, "source": "group_chat", "language": "zh"} for row in material.rows]
    items = replace(material, rows=rows, curation=Curation.model_validate(by)).items
    assert set(items.of("source")) == {"group_chat"} and set(items.of("language")) == {"zh"}
    assert set(items.of("collected from")) == {"weibo", "mood"}


def test_one_that_fails_in_the_midst_leaves_the_release_that_was_there(
    tmp_path: Path, drawn_nothing: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    material = material_in(tmp_path, plugin=False)
    write_release(material, tmp_path / "out")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    def fails(path: Path) -> None:
        raise InputError(path, "is not valid Croissant", "")

    monkeypatch.setattr("deadpan.curate.release.writing.require_valid", fails)
    with pytest.raises(InputError, match="is not valid Croissant"):
        write_release(replace(material, text="name: other\n"), tmp_path / "out")
    assert before == {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
