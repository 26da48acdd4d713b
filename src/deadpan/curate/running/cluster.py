"""A Ray cluster for Daft: connected to, its nodes asked whether they can do the work."""

from __future__ import annotations

from pathlib import Path

from deadpan.base.errors import DeadpanError
from deadpan.curate.running.batches import Runner
from deadpan.engine.ray.cluster import connect, survey, working_nodes


def cluster_runner(address: str, posts: Path, work: Path) -> Runner:
    """The nodes of a cluster (`local` for one of this machine) as a runner; raises where one of
    them lacks this Deadpan, or does not see the folders of posts and work, which is made."""
    work.mkdir(parents=True, exist_ok=True)
    folders = (posts, work)
    try:
        ray = connect(None if address == "local" else address)
        nodes = working_nodes(ray)
        sees = survey(ray, nodes, [str(folder.resolve()) for folder in folders])
    except DeadpanError as error:
        raise DeadpanError(str(error).replace("--ray-address", "--ray")) from error
    if not sees:
        named = " and ".join(map(str, folders))
        raise DeadpanError(
            f"--ray {address}: not every node sees {named}; put them on a file system that all "
            "nodes share, at the same path"
        )
    return Runner(max(1, int(sum(node.cpus for node in nodes))), address)
