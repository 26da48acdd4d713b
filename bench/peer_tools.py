"""The tools that `peers.py` runs: their folders, their commands, and where their results lie."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
PEERS = HERE / "peers"
ROOT = HERE.parent


@dataclass(frozen=True)
class Setting:
    """Where a tool finds the questions and the server, and how much at once it may ask."""

    venvs: Path
    data: Path
    address: str
    connections: int

    def python(self, name: str, *command: str) -> list[str]:
        """A command of a tool's own environment."""
        return [str(self.venvs / name / "bin" / "python"), *command]


@dataclass(frozen=True)
class Tool:
    """`prepare` lays out a work folder, `command` is what is typed in it, `right` counts the right
    answers among the results that it has left there."""

    title: str
    prepare: Callable[[Path, Setting], dict[str, str]]
    command: Callable[[Setting], list[str]]
    right: Callable[[Path], int]


def _deadpan_folder(folder: Path, setting: Setting) -> dict[str, str]:
    site = folder / "site"
    shutil.copytree(PEERS / "deadpan" / "squares", site / "squares")
    information = site / "squares-1.0.dist-info"
    information.mkdir()
    shutil.copy(PEERS / "deadpan" / "entry_points.txt", information)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: squares\nVersion: 1.0\n")
    path = os.pathsep.join([str(ROOT / "src"), str(site)])
    own = {"PYTHONPATH": path, "DEADPAN_CACHE": str(folder / "cache")}
    return {**own, "STANDIN_BASE_URL": setting.address, "STANDIN_API_KEY": "none"}


def _deadpan(setting: Setting) -> list[str]:
    asked = ["squares", "--model", "openai-api/standin/m", "--json", "scores.json", "--groups"]
    calls = ["--max-connections", str(setting.connections), "--data", str(setting.data)]
    return [sys.executable, "-m", "deadpan", "run", *asked, *calls]


def _deadpan_right(folder: Path) -> int:
    rows = json.loads((folder / "scores.json").read_text())["rows"]
    row = next(row for row in rows if row["group"] == "all")
    return round(row["value"] * row["n"])


def _inspect_folder(folder: Path, setting: Setting) -> dict[str, str]:
    shutil.copy(PEERS / "inspect" / "squares.py", folder)
    return {"STANDIN_BASE_URL": setting.address, "STANDIN_API_KEY": "none"}


def _inspect(setting: Setting) -> list[str]:
    asked = ["squares.py", "--model", "openai-api/standin/m", "--log-dir", "logs"]
    calls = ["--max-connections", str(setting.connections), "--display", "plain"]
    return [str(setting.venvs / "inspect" / "bin" / "inspect"), "eval-set", *asked, *calls]


def _inspect_right(folder: Path) -> int:
    from inspect_ai.log import list_eval_logs, read_eval_log

    found = [0]
    for path in list_eval_logs(str(folder / "logs")):
        log = read_eval_log(path, header_only=True)
        for score in log.results.scores if log.results else ():
            found.append(round(score.metrics["accuracy"].value * (score.scored_samples or 0)))
    return max(found)


def _lmms_folder(folder: Path, setting: Setting) -> dict[str, str]:
    shutil.copytree(PEERS / "lmms", folder / "tasks")
    (folder / "items.jsonl").symlink_to(setting.data / "items.jsonl")
    return {"OPENAI_API_KEY": "none", "HF_HOME": str(folder / "huggingface")}


def _lmms(setting: Setting) -> list[str]:
    model = f"model=m,base_url={setting.address},num_concurrent={setting.connections}"
    more = f",adaptive_max_concurrency={setting.connections}"
    asked = ["--model", "openai", "--model_args", model + more, "--tasks", "squares"]
    kept = ["--include_path", "tasks", "--use_cache", "cache", "--output_path", "out"]
    return setting.python("lmms", "-m", "lmms_eval", *asked, *kept, "--log_samples")


def _lmms_right(folder: Path) -> int:
    path = max((folder / "out").rglob("*_samples_squares.jsonl"))
    return round(sum(json.loads(line)["accuracy"] for line in path.open()))


def _vlmeval_folder(folder: Path, setting: Setting) -> dict[str, str]:
    (folder / "LMUData").mkdir()
    (folder / "LMUData" / "SQUARES.tsv").symlink_to(setting.data / "squares.tsv")
    return {"LMUData": str(folder / "LMUData")}


def _vlmeval(setting: Setting) -> list[str]:
    asked = ["--data", "SQUARES", "--model", "m", "--base-url", setting.address, "--key", "none"]
    calls = ["--api-nproc", str(setting.connections), "--judge", "exact_matching", "--reuse"]
    return setting.python("vlmeval", "-m", "vlmeval.run", *asked, *calls)


def _vlmeval_right(folder: Path) -> int:
    path = max((folder / "outputs").rglob("*SQUARES*_acc.csv"), key=lambda one: one.stat().st_mtime)
    names, values = (line.split(",") for line in path.read_text().replace('"', "").split()[:2])
    known = dict(zip(names, values, strict=True))
    asked = sum(1 for _ in (folder / "LMUData" / "SQUARES.tsv").open()) - 1
    return round(float(known["Overall"]) * asked)


def _helm_folder(folder: Path, setting: Setting) -> dict[str, str]:
    for name in ("squares_helm.py", "model_deployments.yaml", "model_metadata.yaml"):
        text = (PEERS / "helm" / name).read_text().replace("ADDRESS", setting.address)
        path = folder / name if name.endswith(".py") else folder / "local" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return {}


def _helm(setting: Setting) -> list[str]:
    asked = ["--run-entries", "squares:size=all,model=standin/m", "--suite", "squares"]
    calls = ["--num-threads", str(setting.connections), "--max-eval-instances", "1000000"]
    own = ["--local-path", "local", "--plugins", "./squares_helm.py"]
    return [str(setting.venvs / "helm" / "bin" / "helm-run"), *asked, *calls, *own]


def _helm_right(folder: Path) -> int:
    path = next((folder / "benchmark_output").rglob("per_instance_stats.json"))
    stats = [stat for one in json.loads(path.read_text()) for stat in one["stats"]]
    return round(sum(one["sum"] for one in stats if one["name"]["name"] == "exact_match"))


TOOLS = {
    "deadpan": Tool("deadpan run", _deadpan_folder, _deadpan, _deadpan_right),
    "inspect": Tool("inspect eval-set", _inspect_folder, _inspect, _inspect_right),
    "lmms": Tool("lmms-eval --use_cache", _lmms_folder, _lmms, _lmms_right),
    "vlmeval": Tool("VLMEvalKit --reuse", _vlmeval_folder, _vlmeval, _vlmeval_right),
    "helm": Tool("helm-run", _helm_folder, _helm, _helm_right),
}
