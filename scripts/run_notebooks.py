"""Runs the notebooks of examples/notebooks, each in a folder of its own, and keeps their outputs.

python scripts/run_notebooks.py            # all, or those that are named

What is kept is what differs between two runs only where it has to: no times, no counts of
executions. Tests run them with `run_notebook`, and hold the outputs against those that are kept.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode
from traitlets.config import Config

FOLDER = Path(__file__).parents[1] / "examples" / "notebooks"
KINDS = ("text/plain", "text/html", "image/svg+xml")
"""What is kept of an output, where it is there."""


def run_notebook(path: Path, folder: Path, seconds: int = 120) -> NotebookNode:
    """The notebook with the outputs of a run in that folder; a cell that raises does so here."""
    notebook = nbformat.read(path, as_version=4)
    for cell in code_cells(notebook):
        cell.outputs = []
    where = {"metadata": {"path": str(folder)}}
    with tempfile.TemporaryDirectory(prefix="kernel") as sockets:
        config = Config()
        if os.name == "posix":  # over files and not over ports
            config.KernelManager.transport, config.KernelManager.ip = "ipc", f"{sockets}/socket"
        client = NotebookClient(
            notebook, config=config, resources=where, timeout=seconds, record_timing=False
        )
        client.execute()
    for number, cell in enumerate(code_cells(notebook), 1):
        cell.execution_count = number
        cell.metadata.pop("execution", None)
        cell.outputs = [_kept(output, number) for output in cell.outputs]
    notebook.metadata.language_info = {"name": "python"}
    return notebook


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """The cells that are run."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def texts(cell: NotebookNode) -> list[str]:
    """What a cell printed or gave, in plain text."""
    return [
        output.text if output.output_type == "stream" else output.data.get("text/plain", "")
        for output in cell.outputs
    ]


def _kept(output: NotebookNode, number: int) -> NotebookNode:
    if output.output_type == "stream":
        return output
    output.data = {kind: output.data[kind] for kind in KINDS if kind in output.data}
    output.metadata = {}
    if output.output_type == "execute_result":
        output.execution_count = number
    return output


def main(names: list[str]) -> None:
    """Runs the notebooks of these names, or all, and writes them with their outputs."""
    for path in [FOLDER / name for name in names] or sorted(FOLDER.glob("*.ipynb")):
        with tempfile.TemporaryDirectory() as folder:
            nbformat.write(run_notebook(path, Path(folder)), path)
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
