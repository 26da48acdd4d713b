"""What a lead does with the whole study: downloads, closing, guidelines."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest
from sqlalchemy import select

from deadpan.core.study.files import read_study
from deadpan.studies.storage.tables import AnswerRow, SpecificationRow
from tests.studies.filled import happened, main_items, plain_study, says
from tests.studies.signed_in import Served


@pytest.fixture
def served(tmp_path: Path) -> Served:
    return Served.of(plain_study(tmp_path / "study"))


def unzipped(data: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name).decode(errors="replace") for name in archive.namelist()}


def both_answer(served: Served) -> None:
    item = main_items(served.study)[0]
    says(served.study, "Ada", item)
    says(served.study, "Bo", item)


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet", "label-studio"])
def test_downloads_hold_no_names_unless_asked_for(served: Served, form: str) -> None:
    both_answer(served)
    lead = served.browser("Lena")
    reply = lead.get(f"/lead/export/{form}")
    assert reply.headers["content-type"] == "application/zip"
    assert reply.headers["content-disposition"].endswith(f'"made-up-{form}.zip"')
    files = unzipped(reply.content)
    assert "study.yaml" in files
    assert not any("Ada" in text for text in files.values())
    named = unzipped(lead.get(f"/lead/export/{form}?names=yes").content)
    if form in ("jsonl", "csv"):
        assert "rater-1" in files[f"annotations.{form}"]
        assert "Ada" in named[f"annotations.{form}"]
    told = [one.about for one in happened(served.study, "exported")]
    assert told == [{"form": form, "names": False}, {"form": form, "names": True}]


def test_people_keep_their_numbers_when_somebody_is_left_out(served: Served) -> None:
    both_answer(served)
    lead = served.browser("Lena")
    before = unzipped(lead.get("/lead/export/jsonl").content)["annotations.jsonl"]
    assert {"rater-1", "rater-2"} == {json.loads(line)["annotator"] for line in before.splitlines()}
    served.browser("Ada").post("/withdraw", answers="leave_out")
    after = unzipped(lead.get("/lead/export/jsonl").content)["annotations.jsonl"]
    assert {json.loads(line)["annotator"] for line in after.splitlines()} == {"rater-2"}


def test_nothing_to_download_is_said(served: Served) -> None:
    reply = served.browser("Lena").get("/lead/export/csv")
    assert reply.status_code == 400
    assert "nothing to export" in reply.text


def test_the_audit_trail_names_nobody_unless_asked_for(served: Served) -> None:
    both_answer(served)
    lead = served.browser("Lena")
    reply = lead.get("/lead/events")
    lines = [json.loads(line) for line in reply.text.splitlines()]
    assert "Ada" not in reply.text and "Lena" not in reply.text
    assert [one["person"] for one in lines if one["what"] == "submitted"] == ["rater-1", "rater-2"]
    assert lines[-1]["what"] == "exported" and lines[-1]["person"] == "lead-1"
    assert '"Ada"' in lead.get("/lead/events?names=yes").text


def test_a_closed_study_takes_no_answers_until_it_is_opened(served: Served) -> None:
    lead, ada = served.browser("Lena"), served.browser("Ada")
    task = ada.get("/work").url.path
    assert "closed" in lead.post("/lead/close").text
    assert ada.post(f"{task}/answer/understood", value="yes").status_code == 404
    assert "The study is closed" in ada.get("/work").text
    lead.post("/lead/close")  # a second time changes nothing
    lead.post("/lead/open")
    assert ada.post(f"{task}/answer/understood", value="yes").status_code == 204
    assert [len(happened(served.study, what)) for what in ("closed", "opened")] == [1, 1]


def test_new_guidelines_are_a_new_version_that_everybody_sees(served: Served) -> None:
    lead, ada = served.browser("Lena"), served.browser("Ada")
    task = ada.get("/work").url.path
    ada.post(f"{task}/answer/understood", value="yes")
    text = "# How to annotate\r\n\r\nRead **all** panels <script>twice</script>."
    reply = lead.post("/lead/guidelines", en=text, zh="# 如何标注\n\n请看两遍。")
    assert reply.url.path == "/lead/guidelines"
    assert "Version 2" in reply.text and "in force" in reply.text
    assert "&lt;script&gt;twice" in reply.text and "<script>twice" not in reply.text
    assert 'class="removed"' in reply.text  # what the first version said of sound effects
    page = ada.get("/guidelines").text
    assert "&lt;script&gt;twice&lt;/script&gt;." in page and "Version 2" in page
    ada.post(f"{task}/answer/sound", value="adds")
    assert served.rows(select(AnswerRow.version).order_by(AnswerRow.id)) == [1, 2]
    assert served.rows(select(SpecificationRow.version)) == [1, 2]
    kept = read_study(served.study.folder / "study.yaml")
    assert kept.guidelines["zh"] == "# 如何标注\n\n请看两遍。"
    assert kept == served.study.study
    assert happened(served.study, "changed")[0].person == 1


def test_the_same_guidelines_are_no_new_version(served: Served) -> None:
    lead, words = served.browser("Lena"), served.study.study.guidelines
    assert lead.post("/lead/guidelines", **words).status_code == 404
    assert lead.post("/lead/guidelines", en="x" * 60_001).status_code == 404
    assert served.rows(select(SpecificationRow.version)) == [1]


def test_guidelines_can_be_taken_away_in_a_language(served: Served) -> None:
    served.browser("Lena").post("/lead/guidelines", zh="")
    assert list(served.study.study.guidelines) == ["en"]
