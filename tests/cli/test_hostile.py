"""Captions, ids and replies that try to be something else, from the data folder to the page."""

import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from tests.cli.conftest import Deadpan
from tests.cli.data_folder import change, edit, small_folder, write
from tests.model_server import ModelServer

IMG = "<img src=x onerror=alert(1)>"
SCRIPT = "</script><script>alert(2)</script>"
TEMPLATE = "{{7*7}}"
ATTACK = f"{IMG}{SCRIPT}{TEMPLATE}"
MODEL = f"openai-api/loopback/{IMG}{TEMPLATE}"
TASKS = "pixelhumor/presence,modality,interpretation,panel_text"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Comics with attacks as id, source, text, address, explanation and label; one unpictured."""
    folder = small_folder(tmp_path / "data", pictures=True)
    names = {"deadpan_1": f"{IMG}_{TEMPLATE}", "deadpan_2": f"{SCRIPT}_2"}
    for path in folder.glob("*.csv"):
        edit(
            path,
            lambda rows: [r.update(comic_id=names.get(r["comic_id"], r["comic_id"])) for r in rows],
        )
    (folder / "images" / "deadpan_1.png").rename(folder / "images" / f"{names['deadpan_1']}.png")
    (folder / "images" / "deadpan_3.png").unlink()
    change(folder / "full_label.csv", text=f"1: {ATTACK}", comic_url=f"javascript:{ATTACK}")
    write(
        folder / "human_explanation.csv",
        [{"comic_id": names["deadpan_1"], "explanation": ATTACK}],
    )
    edit(
        folder / "full_label.csv",
        lambda rows: rows.append({**rows[2], "Q4": f"['{IMG}']", "comic_id": f"{TEMPLATE}_4"}),
    )
    return folder


def check_page(text: str) -> None:
    """Nothing of the attacks is an element, an attribute or an evaluated template."""
    assert IMG not in text and SCRIPT not in text
    page = BeautifulSoup(text, "html.parser")
    for element in page.find_all(True):
        assert not [name for name in element.attrs if name.startswith("on")]
        assert not str(element.get("href", "")).startswith("javascript:")
    assert all(str(image.get("src", "data:")).startswith("data:") for image in page.find_all("img"))
    for script in page.find_all("script"):
        runs = script.get("type") != "application/json"
        assert not (runs and re.search(r"alert\([12]\)", script.string or ""))
    assert TEMPLATE in text, "and is shown as it is"


def test_nothing_hostile_reaches_the_page_unescaped(
    deadpan: Deadpan, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = tmp_path / "logs"
    with ModelServer(lambda picture, prompt: f"Yes {ATTACK}") as server:
        server.offer(monkeypatch)
        ran = deadpan("run", TASKS, "--model", MODEL, "--data", folder, "--store", logs)
    assert ran.code == 1, "a question failed"
    assert f"{MODEL} presence: 1/2 answered, 1 failed" in ran.out
    for suffix in (".html", ".md", ".tex", ".csv", ".json"):
        assert deadpan("report", logs, "--out", tmp_path / f"report{suffix}").code == 0
    check_page((tmp_path / "report.html").read_text("utf-8"))
    markdown = (tmp_path / "report.md").read_text("utf-8")
    assert IMG not in markdown and "<script>" not in markdown


def test_verify_prints_it_as_it_is(deadpan: Deadpan, folder: Path) -> None:
    result = deadpan("data", "verify", "pixelhumor", "--data", folder)
    assert result.code == 0
    assert f'got "{IMG}"; expected one of Text, Visual, Both, NA' in result.out
    assert f'got "{SCRIPT}_2"; expected source_number' in result.out
