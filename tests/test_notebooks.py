"""The notebooks of the examples run, offline and in seconds, to the outputs that stand in them."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest

pytest.importorskip("nbclient", reason="needs nbclient, of the [test] extra")
pytest.importorskip("ipykernel", reason="needs ipykernel, of the [test] extra")
pytest.importorskip("ipywidgets", reason="needs the [notebook] extra")

from scripts.run_notebooks import FOLDER, code_cells, run_notebook, texts

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
MOST_BYTES, SECONDS = 1_500_000, 180
VARIES = "varies"
"""The tag of cells whose text is not the same whenever they run."""


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_gives_what_stands_in_it(path: Path, tmp_path: Path) -> None:
    kept = code_cells(nbformat.read(path, as_version=4))
    run = code_cells(run_notebook(path, tmp_path, SECONDS))
    for before, now in zip(kept, run, strict=True):
        assert all(output.output_type != "error" for output in now.outputs)
        assert [set(one.get("data", ())) for one in now.outputs] == [
            set(one.get("data", ())) for one in before.outputs
        ]
        if VARIES not in before.metadata.get("tags", []):
            assert texts(now) == texts(before), before.source


def test_what_is_kept_of_notebooks_is_small_and_of_no_machine() -> None:
    assert len(NOTEBOOKS) == 5
    assert sum(path.stat().st_size for path in NOTEBOOKS) < MOST_BYTES
    for path in NOTEBOOKS:
        cells = code_cells(nbformat.read(path, as_version=4))
        assert [cell.execution_count for cell in cells] == [*range(1, len(cells) + 1)]
        told = "\n".join(text for cell in cells for text in texts(cell))
        assert not re.search(r"/(home|root|tmp|Users|work)/", told)


def test_the_first_notebook_is_in_both_languages() -> None:
    cells = nbformat.read(NOTEBOOKS[0], as_version=4).cells
    for cell in (one for one in cells if one.cell_type == "markdown"):
        assert re.search("[\u4e00-\u9fff]", cell.source) and re.search("[a-z]{4}", cell.source)
