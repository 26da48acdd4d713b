"""kill -9 in the middle of a folder, then the same again: nothing finished is paid for twice."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from PIL import Image

from deadpan.editing.reappraise.plan import read_plan
from tests.editing.loopback_images import image_service, openai_reply, picture
from tests.editing.reappraise.stand_ins import planner, write_memes
from tests.model_server import ModelServer

MEMES = 16
AT_ONCE = 2
SCRIPT = f"""
import sys
from pathlib import Path
from deadpan.editing.image_services import OpenAIImages
from deadpan.engine.calls import CallOptions
from deadpan.engine.run import simple_asker
from deadpan.editing.reappraise import Wish
from deadpan.editing.reappraise import Reappraisal
from deadpan.editing.reappraise.sources import found_sources, places
memes, out = map(Path, sys.argv[1:])
editor = OpenAIImages.from_environment("painter")
calls = CallOptions(max_connections={AT_ONCE})
asker = simple_asker("openai-api/loopback/planner", out.parent / "answers", calls)
results = places(found_sources(memes), out)
done = Reappraisal(editor, Wish(), results, asker, at_once={AT_ONCE}).run()
assert all(one.ending == "edited" for one in done), done
"""


def test_a_killed_run_continues(tmp_path: Path) -> None:
    memes, out = write_memes(tmp_path / "memes", MEMES), tmp_path / "out"
    command = [sys.executable, "-c", SCRIPT, str(memes), str(out)]
    with ModelServer(planner, delay=0.05) as server, image_service() as painter:
        painter.replies = [openai_reply(picture((64, 48)))]
        env = {
            **os.environ,
            **server.environment,
            "OPENAI_BASE_URL": painter.base,
            "DEADPAN_CACHE": str(tmp_path / "cache"),
        }
        process = subprocess.Popen(command, env=env, start_new_session=True)
        deadline = time.monotonic() + 90
        while len(painter.requests) < MEMES // 2 and time.monotonic() < deadline:
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert MEMES // 2 <= len(painter.requests) < MEMES, "killed in mid-run"
        _no_half_files(out)

        subprocess.run(command, env=env, check=True, timeout=120)
        assert 2 * MEMES <= server.total <= 2 * MEMES + AT_ONCE
        assert MEMES <= len(painter.requests) <= MEMES + AT_ONCE
        assert max(server.calls.values()) <= 2
        plans = [read_plan(path) for path in sorted((out / "plans").glob("[!.]*.json"))]
        assert [plan.status for plan in plans] == ["edited"] * MEMES
        _no_half_files(out)

        before = (server.total, len(painter.requests))
        subprocess.run(command, env=env, check=True, timeout=120)
        assert (server.total, len(painter.requests)) == before, "a finished run pays for nothing"


def _no_half_files(out: Path) -> None:
    """Every picture and plan that has its name is whole."""
    for path in out.glob("*/[!.]*"):
        if path.suffix == ".json":
            read_plan(path)
        else:
            with Image.open(path) as image:
                image.load()
