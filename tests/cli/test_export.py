"""`deadpan export`: records, cards and logs of a store, some of it, and what is said of sharing."""

import json
from pathlib import Path

from tests.cli.conftest import Deadpan

RANDOM = ("--model", "baseline/random", "--limit", "8", "-q")


def test_records_of_what_is_wanted(deadpan: Deadpan, mixed_store: Path, tmp_path: Path) -> None:
    out = tmp_path / "records"
    export = ("export", "every-eval-ever", mixed_store, "--out", out, "--organization", "Me")
    mixed = deadpan(*export)
    assert mixed.code == 2 and "--latest" in mixed.err
    done = deadpan(*export, "--latest", "--task", "style", "--benchmark", "pixelhumor")
    assert done.code == 0, done.err
    (path,) = out.rglob("*.json")
    assert path.parent == out / "data" / "pixelhumor" / "baseline" / "random"
    found = json.loads(path.read_text("utf-8"))
    assert {one["evaluation_name"] for one in found["evaluation_results"]} == {"pixelhumor/style"}
    assert found["source_metadata"]["evaluator_relationship"] == "other"
    named = deadpan(*export, "--latest", "--id", "baseline/random=my/model")
    assert named.code == 0 and (out / "data" / "cfms" / "my" / "model").is_dir()
    assert deadpan(*export, "--latest", "--id", "nonsense").code == 2
    assert deadpan(*export[:-2]).code == 2


def test_a_card_is_not_written_over_somebody_elses(
    deadpan: Deadpan, mixed_store: Path, tmp_path: Path
) -> None:
    out = tmp_path / "README.md"
    export = ("export", "model-card", mixed_store, "--latest", "--model", "baseline/random")
    out.write_text("# My model\n")
    refused = deadpan(*export, "--out", out)
    assert refused.code == 2 and "not made by this command" in refused.err
    assert out.read_text() == "# My model\n"
    own = tmp_path / "card.md"
    for _ in range(2):
        assert deadpan(*export, "--out", own).code == 0
    assert own.read_text().startswith("---\nmodel-index:")
    assert "deadpan run pixelhumor/presence,style --model baseline/random --limit 6" in (
        own.read_text()
    )
    assert "--temperature 1" in own.read_text()
    unknown = deadpan(*export[:-1], "nobody", "--out", own)
    assert unknown.code == 2 and "there are results of baseline/random" in unknown.err
    assert deadpan(*export, "--out", tmp_path / "card.txt").code == 2


def test_inspect_logs_of_what_is_wanted(
    deadpan: Deadpan, mixed_store: Path, tmp_path: Path
) -> None:
    counts = {}
    for name, more in {
        "all": (),
        "one": ("--benchmark", "cfms", "--latest"),
        "task": ("--task", "style"),
    }.items():
        assert deadpan("export", "inspect", mixed_store, "--out", tmp_path / name, *more).code == 0
        counts[name] = len(list((tmp_path / name).glob("*.eval")))
    assert counts == {"all": 4, "one": 1, "task": 1}
    odd = deadpan("export", "inspect", mixed_store, "--out", tmp_path / "x", "--task", "stile")
    assert odd.code == 2 and "did you mean style" in odd.err


def test_columns_names_and_intervals_of_a_report(
    deadpan: Deadpan, mixed_store: Path, tmp_path: Path
) -> None:
    out, names = tmp_path / "t.tex", tmp_path / "names.csv"
    names.write_text("column,name\npresence/f1,Gets it\n")
    report = ("report", mixed_store, "--benchmark", "pixelhumor", "--columns", "presence/f1")
    assert deadpan(*report, "--names", names, "--intervals", "pm", "--out", out).code == 0
    text = out.read_text("utf-8")
    assert "Gets it" in text and r"\sides{" in text and "documentclass" not in text
    odd = deadpan(*report[:-1], "presence/f11", "--out", out)
    assert odd.code == 2 and "--columns presence/f11: no such column" in odd.err
