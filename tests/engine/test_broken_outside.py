"""Packages whose benchmark cannot be used: named on standard error, and passed over by all else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.outside_package import PACKAGE

BROKEN = {
    "gone": ("import nowhere_to_be_found\n", "No module named 'nowhere_to_be_found'"),
    "leaves": ("raise SystemExit('no licence')\n", "SystemExit: no licence"),
    "nothing": ("", "has no attribute 'IT'"),
    "notone": ("IT = 3\n", "not an instance of deadpan.core.benchmark.Benchmark"),
    "itsclass": (PACKAGE + "\nIT = CoinToss\n", "it is the class CoinToss"),
    "renamed": (PACKAGE + "\nIT = COINTOSS\n", "the benchmark calls itself 'cointoss'"),
    "trapped": (
        PACKAGE
        + "\nclass Trap(CoinToss):\n    name = 'trapped'\n"
        + "    tasks = property(lambda self: 1 / 0)\nIT = Trap()\n",
        "ZeroDivisionError: division by zero",
    ),
    "untasked": (
        PACKAGE
        + "\nclass Bare(CoinToss):\n    name = 'untasked'\n    tasks = ['side']\nIT = Bare()\n",
        "tasks must be a tuple of Task",
    ),
    "unread": (
        PACKAGE
        + "\nclass Unread(CoinToss):\n    name = 'unread'\n"
        + "    def read(self, data):\n        return {}['gone']\nIT = Unread()\n",
        "",
    ),
}


def install(site: Path, package: str, name: str, code: str) -> None:
    """Puts a package with one entry point into a folder of packages."""
    module = package.replace("-", "_")
    (site / module).mkdir(parents=True)
    (site / module / "__init__.py").write_text(code)
    info = site / f"{module}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[deadpan.benchmarks]\n{name} = {module}:IT\n")


def call(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python with these packages installed beside Deadpan."""
    places = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH", "")]))
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": places},
        cwd=site,
        capture_output=True,
        text=True,
        timeout=120,
    )


DEADPAN = ("-c", "from deadpan.cli import main; main()")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    for name, (code, _) in BROKEN.items():
        install(folder, f"pack-{name}", name, code)
    install(folder, "impostor", "cfms", PACKAGE + "\nIT = COINTOSS\n")
    install(folder, "one-coin", "twins", PACKAGE + "\nIT = COINTOSS\n")
    install(folder, "other-coin", "twins", PACKAGE + "\nIT = COINTOSS\n")
    return folder


def test_the_list_goes_on_and_names_each_broken_one_once(site: Path) -> None:
    done = call(site, *DEADPAN, "list")
    assert done.returncode == 0, done.stderr
    for name, (_, reason) in BROKEN.items():
        lines = [line for line in done.stderr.splitlines() if f"benchmark {name} of" in line]
        assert len(lines) == bool(reason), done.stderr
        if reason:
            assert f"pack-{name} 1 (entry point pack_{name}:IT)" in lines[0]
            assert reason in lines[0]
    assert "benchmark cfms of impostor 1" in done.stderr
    assert "a benchmark of Deadpan has this name" in done.stderr
    assert "several packages bring a benchmark of this name" in done.stderr
    assert "Traceback" not in done.stderr
    assert "pixelhumor – " in done.stdout and "trapped – " not in done.stdout
    assert "mini-set: cannot be read: KeyError: 'gone'" in done.stdout


def test_asking_for_a_broken_one_says_why(site: Path) -> None:
    for name in ("trapped", "gone", "twins"):
        done = call(site, *DEADPAN, "data", "verify", name)
        assert done.returncode == 2
        error = next(line for line in done.stderr.splitlines() if line.startswith("error: "))
        assert f"benchmark {name} of" in error
    done = call(site, *DEADPAN, "data", "verify", "cfmz")
    assert "did you mean cfms?" in done.stderr.replace("\n", " ")


def test_runs_and_inspect_go_on(site: Path, tmp_path: Path) -> None:
    assert call(site, *DEADPAN, "--help").stderr == ""
    arguments = ("run", "cfms/identification", "--model", "baseline/majority", "--limit", "1")
    done = call(site, *DEADPAN, *arguments, "--store", str(tmp_path / "logs"))
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("benchmark trapped of") == 1
    done = call(site, "-c", "import deadpan.engine.registry as r; print(sorted(r.TASKS))")
    assert done.returncode == 0 and "cfms_identification" in done.stdout
    assert "trapped_side" not in done.stdout
