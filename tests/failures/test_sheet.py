"""The page on which people label failures, and the plot of what they found."""

import json
import re
from pathlib import Path

import pytest
from PIL import Image

from deadpan.base.errors import InputError
from deadpan.failures.cases import Case
from deadpan.failures.criteria import FailureTypes, shipped_criteria
from deadpan.failures.figure import failure_plot, failures_addition, write_plot
from deadpan.failures.labels import Label, Sampled, label_of
from deadpan.failures.sheet import sheet_page

CRITERIA = shipped_criteria()


def a_case(folder: Path | None = None, **changes: object) -> Sampled:
    picture = None
    if folder is not None:
        picture = str(folder / "meme.png")
        Image.new("RGB", (8, 8), "red").save(picture)
    facts: dict[str, object] = {
        "table": "0",
        "benchmark": "janusmm",
        "task": "reasoning",
        "model": "m",
        "item": "i1",
        "epoch": 1,
        "language": "en",
        "outcome": "answered",
        "question": "What is meant?",
        "gold": "He mocks himself.",
        "answer": "He praises his boss.",
        "thoughts": "First I look.",
        "details": {"words in the picture": "ME", "answer (recognition)": "Praise."},
        "picture": picture,
        "why": "recognition right, but meteor 3.0 below 9.0 (q0.25)",
        "wrong": "own,badly_explained=meteor:q0.25",
    }
    return Sampled.model_validate({**facts, **changes})


def rows_in(page: str) -> dict[str, object]:
    found = re.search(r'<script type="application/json" id="rows">(.*?)</script>', page, re.S)
    assert found is not None
    return json.loads(found[1])  # type: ignore[no-any-return]


def test_the_page_shows_everything_and_holds_the_rows(tmp_path: Path) -> None:
    case = a_case(tmp_path)
    page = sheet_page([case], "type", CRITERIA, "people.jsonl", [tmp_path])
    assert "data:image/webp;base64," in page
    for text in ("ME", "He mocks himself.", "First I look.\n\nHe praises his boss.", "Praise."):
        assert text in page
    assert "meteor 3.0 below 9.0" in page and "badly_explained=meteor:q0.25" in page
    assert all(f'<option value="{name}">' in page for name in CRITERIA.names)
    assert rows_in(page) == {
        "rows": [case.model_dump(mode="json")],
        "field": "type",
        "file": "people.jsonl",
    }


def test_a_picture_of_another_folder_is_not_taken(tmp_path: Path) -> None:
    page = sheet_page([a_case(tmp_path)], "type", CRITERIA, "p.jsonl")
    assert "data:image" not in page and "is not in a folder named with --pictures" in page


def test_hostile_words_stay_words(tmp_path: Path) -> None:
    nasty = "</script><script>alert(1)</script>\u202e{{ x }}"
    page = sheet_page([a_case(answer=nasty, model=nasty)], "type", CRITERIA, "p.jsonl")
    assert "<script>alert" not in page and "⟦U+202E⟧" in page
    assert rows_in(page)["rows"][0]["answer"] == nasty  # type: ignore[index]
    assert "default-src &#39;none&#39;" in page


def test_chinese_sheets_have_chinese_types() -> None:
    page = sheet_page([a_case(language="zh")], "type", CRITERIA, "p.jsonl")
    assert "注意偏差" in page and "attention bias" not in page


def test_the_model_sees_picture_words_and_whole_answer(tmp_path: Path) -> None:
    case = a_case(tmp_path)
    judge = FailureTypes(CRITERIA, (tmp_path,))
    brief = judge.brief(case)
    assert [picture.path for picture in brief.pictures] == [case.picture]
    prompt = judge.question(brief)
    assert "words in the picture: ME" in prompt and "answer (recognition): Praise." in prompt
    assert "<<<\nFirst I look.\n\nHe praises his boss.\n>>>" in prompt


def test_a_blind_judge_and_a_foreign_picture(tmp_path: Path) -> None:
    """A table of somebody else cannot make a file of yours go to a provider."""
    case = a_case(tmp_path)
    blind = FailureTypes(CRITERIA, None)
    assert blind.brief(case).pictures == FailureTypes(CRITERIA).brief(case).pictures == ()
    assert blind.identity == f"{FailureTypes(CRITERIA).identity}.blind"
    (tmp_path / "meme.png").unlink()
    assert FailureTypes(CRITERIA, (tmp_path,)).brief(case).pictures == ()


def labels(*types: str, model: str = "m") -> list[Label]:
    made = []
    for number, kind in enumerate(types):
        case = Case.model_validate(
            a_case(item=f"{model}{number}", model=model).model_dump(exclude={"type", "note"})
        )
        made.append(label_of(case, status="labelled", type=kind, by="people"))
    return made


def test_the_plot_has_a_bar_for_each_model_in_parts_that_sum_to_one(tmp_path: Path) -> None:
    found = [*labels("AH", "AH", "KD", "SM"), *labels("AB", model="n")]
    plot = failure_plot(found, CRITERIA)
    marks = [mark for rows in plot.spec["datasets"].values() for mark in rows]
    parts = {(mark["model"], mark["part"]): mark["end"] - mark["start"] for mark in marks}
    assert parts["m", "AH affective hallucination"] == pytest.approx(0.5)
    assert parts["n", "AB attention bias"] == 1.0
    assert sum(share for (model, _), share in parts.items() if model == "m") == pytest.approx(1)
    assert "meteor of the explanation in the lowest 25%" in plot.caption
    for suffix, start in ((".svg", b"<svg"), (".png", b"\x89PNG"), (".html", b"\n<!DOCTYPE")):
        path = tmp_path / f"types{suffix}"
        write_plot(plot, path)
        assert path.read_bytes().startswith((start, start.strip()))
    with pytest.raises(InputError, match=r"Expected one of \.svg, \.png, \.html"):
        write_plot(plot, tmp_path / "types.pdf")


def test_the_rule_is_in_the_signature_and_the_report() -> None:
    addition = failures_addition(labels("AH"), CRITERIA)
    assert all(
        "|wrong:own,badly_explained=meteor:q0.25|" in one.signature for one in addition.scores
    )
    (plot,) = addition.plots
    assert plot.title == "Why models fail"
