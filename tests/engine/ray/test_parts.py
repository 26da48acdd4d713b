"""What needs no cluster: who works how, what travels, and what is refused."""

import pickle
import subprocess
import sys
from importlib.util import find_spec
from typing import Any

import pytest

from deadpan.base.errors import DeadpanError, MissingExtra
from deadpan.engine import ray as ours
from deadpan.engine.calls import CallOptions
from deadpan.engine.opening import open_engine
from deadpan.engine.ray.blocks import UnsentPart, blocks_of, build_block
from deadpan.engine.ray.cluster import Node, connect, crew
from deadpan.engine.requests import (
    Built,
    Image,
    ImageBytes,
    Request,
    Sampling,
    Text,
    Turn,
    prepare,
)

REASON = "needs the [ray] extra"
SECRET = "sk-not-a-real-one-123456"


def nodes(*gpus: float) -> list[Node]:
    return [Node(str(number), f"node{number}", 4.0, one) for number, one in enumerate(gpus)]


@pytest.mark.parametrize(
    ("model", "most", "questions", "where", "workers", "connections"),
    [
        ("openai/x", 10, 10_000, nodes(0, 0), 2, 5),
        ("openai/x", 256, 10_000, nodes(0, 0), 8, 32),
        ("openai/x", 1, 10_000, nodes(0, 0), 1, 1),
        ("openai/x", 256, 9, nodes(0, 0), 5, 32),
        ("local/x", 10, 10_000, nodes(0, 0, 0), 3, 1),
        ("local/x", 10, 10_000, nodes(2, 1), 3, 1),
        ("local/x", 10, 9, nodes(8), 2, 1),
    ],
)
def test_no_more_calls_at_once_than_were_allowed(
    model: str, most: int, questions: int, where: list[Node], workers: int, connections: int
) -> None:
    team = crew(model, CallOptions(most), questions, where)
    assert (team.workers, team.connections) == (workers, connections)
    if not model.startswith("local/"):
        assert team.workers * team.connections <= most
    assert team.workers * team.block < questions + team.block
    assert ("num_gpus" in team.resources) == (model == "local/x" and where[0].gpus > 0)


class Clip:
    """A part of four frames."""

    identity = "clip"
    shows_media = True

    def build(self, most_images: int | None) -> Built:
        frame = Image(b"frame", "image/png")
        return Built((frame,) * min(4, most_images or 4), (), 4)


class Torn:
    """A part that cannot be opened."""

    identity = "torn"
    shows_media = True

    def build(self, most_images: int | None) -> Built:
        raise DeadpanError("torn.png: cannot be read")


def request(*parts: Any) -> Request:
    sampling = Sampling(model_args={"api_key": SECRET, "size": 3})
    return Request("toy", (Turn("user", parts),), sampling)


def test_blocks_hold_no_key_and_pictures_once() -> None:
    picture = ImageBytes(Image(b"x" * 100_000, "image/png"))
    asked = {str(number): request(picture, Text(f"q{number}")) for number in range(20)}
    blocks = list(blocks_of(asked, 8))
    assert [len(block) for block in blocks] == [8, 8, 4]
    sent = pickle.dumps(build_block(blocks[0]))
    assert SECRET.encode() not in sent
    assert len(sent) < 120_000
    assert pickle.loads(sent)["0"].sampling.model_args == {"size": 3}


def test_what_was_built_elsewhere_is_shown_whole_or_not_at_all() -> None:
    block = build_block({"clip": request(Clip()), "torn": request(Torn())})
    assert prepare(block["clip"].turns, None).images == 4
    with pytest.raises(DeadpanError, match="takes 2 pictures, and 4 frames were sent"):
        prepare(block["clip"].turns, 2)
    assert isinstance(block["torn"].turns[0].parts[0], UnsentPart)
    with pytest.raises(DeadpanError, match=r"torn\.png"):
        prepare(block["torn"].turns, None)


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ours, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"--engine ray needs the \[ray\] extra"):
        open_engine("baseline/random", Sampling(), CallOptions(engine="ray"))
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra):
        ours.library()


def test_addresses_that_cannot_work_are_told_at_once() -> None:
    with pytest.raises(DeadpanError, match=r"Ray Client are not taken\. Run the command on a node"):
        connect("ray://127.0.0.1:10001")
    ray = pytest.importorskip("ray", reason="needs the [ray] extra")
    ray.shutdown()  # of a test that ran before in this process
    with pytest.raises(DeadpanError, match="no cluster answers"):
        connect("127.0.0.1:1")


def test_what_ray_says_of_its_workers_does_not_stand_among_the_scores() -> None:
    if find_spec("ray") is None:
        pytest.skip(REASON)
    died = "{'lines': ['A worker died'], 'pid': 'raylet', 'is_err': False}"
    said = f"library('ray._private.worker').print_to_stdstream({died}, ignore_prefix=False)"
    command = f"from deadpan.engine.ray import library; {said}; print('scores')"
    ended = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (0, "scores\n"), ended.stderr


def test_a_cluster_of_this_machine_outlives_the_loop_that_started_it() -> None:
    """A run's questions and its judge's are asked in loops of their own, one after the other."""
    if find_spec("ray") is None:
        pytest.skip(REASON)
    command = (
        "import asyncio; from deadpan.engine.ray.cluster import connect\n"
        "async def started(): return await asyncio.to_thread(connect, 'local')\n"
        "ray = asyncio.run(started())\n"
        "print(ray.get(ray.remote(lambda: 'alive').remote(), timeout=100))"
    )
    ended = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (0, "alive\n"), ended.stderr
