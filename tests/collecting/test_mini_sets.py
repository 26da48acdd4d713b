"""`deadpan data mini`: the mini-sets as folders."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from deadpan.base.errors import InputError
from deadpan.benchmarks import BUILT_IN, find
from deadpan.cli import app
from deadpan.collecting.mini_sets import copy_mini_set


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_copy_is_read_as_the_mini_set_itself(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["data", "mini", name])
    assert done.exit_code == 0, done.output
    assert done.output.startswith(f"mini/{name}: ")
    benchmark = find(name)
    assert benchmark.read(tmp_path / "mini" / name).checksum == benchmark.read(None).checksum


def test_a_copy_goes_on_and_never_writes_over_what_is_there(tmp_path: Path) -> None:
    cfms = find("cfms")
    count = copy_mini_set(cfms, tmp_path)
    picture = next((tmp_path / "images").iterdir())
    picture.unlink()
    (tmp_path / "notes.txt").write_text("mine")
    assert copy_mini_set(cfms, tmp_path) == count
    assert picture.is_file()
    picture.unlink()
    (tmp_path / "pairs.jsonl").write_text("{}\n")
    with pytest.raises(InputError, match=r"pairs\.jsonl.*not the mini-set of cfms"):
        copy_mini_set(cfms, tmp_path)
    assert (tmp_path / "pairs.jsonl").read_text() == "{}\n"
    assert not picture.exists()
