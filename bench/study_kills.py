"""kill -9 of a study's server while raters answer: what was lost, or is there twice.

Every answer and submission that the server acknowledged is looked for in the database afterwards;
what came to no answer is asked again under the same key, as the pages do. On PostgreSQL the cluster
is the bench's own, in a temporary folder, with its syncing on.

    python bench/study_kills.py [--kills 100] [--raters 16] [--databases sqlite,postgresql]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.studies.killing import kill_often  # noqa: E402
from tests.studies.postgres import durable_url  # noqa: E402


def main() -> None:
    """Prints the account of each database."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--raters", type=int, default=16)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--databases", default="sqlite,postgresql")
    options = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f}; {options.raters} raters without pauses", flush=True)
    for kind in options.databases.split(","):
        with tempfile.TemporaryDirectory() as folder, durable_url(kind) as database:
            found = kill_often(Path(folder), options.kills, options.raters, database, options.seed)
        print(f"{kind}: {found.line}", flush=True)
        for one in found.wrong[:10]:
            print(f"  {one}")


if __name__ == "__main__":
    main()
