"""Parquet files of others: nothing beside them runs, and damaged ones are told."""

from pathlib import Path

import polars as pl
import pytest

from deadpan.base.errors import InputError
from deadpan.core.parquet import read_parquet


def test_python_files_beside_a_table_do_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder of a stranger's may hold a `re.py` next to its table."""
    table = tmp_path / "table.parquet"
    pl.DataFrame({"model": ["m"]}).write_parquet(table)
    for name in ("re", "random", "inspect", "resource", "polars"):
        (tmp_path / f"{name}.py").write_text("open('ran', 'w').close()", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert read_parquet(table)["model"].to_list() == ["m"]
    assert not (tmp_path / "ran").exists()


def test_a_damaged_one_is_told(tmp_path: Path) -> None:
    table = tmp_path / "table.parquet"
    table.write_bytes(b"PAR1 and nothing more")
    with pytest.raises(InputError, match="is not a results table"):
        read_parquet(table)
