"""A process that has imported everything, and forks for each call of a program of `programs.py`:
starting Python a few hundred times would take longer than what the pages do.

`python -m tests.docs.forking SOCKET` is the process. It gets a folder, the environment, the
arguments and the three streams of each call, and gives back what the call ended with.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import traceback
from pathlib import Path

CALLER = """\
#!{python} -SE
import array, json, os, socket, sys
place = socket.socket(socket.AF_UNIX)
place.connect({socket!r})
arguments = [{name!r}, *sys.argv[1:]]
call = {{"folder": os.getcwd(), "environment": dict(os.environ), "arguments": arguments}}
sent = json.dumps(call).encode()
streams = array.array("i", [0, 1, 2])
place.sendmsg([len(sent).to_bytes(8, "big")], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, streams)])
place.sendall(sent)
sys.exit(place.recv(1)[0])
"""
"""A program that has its call made there."""


def serve(path: Path) -> None:
    """Answers calls, each in a process of its own, until it is ended."""
    from deadpan.cli import COMMANDS, load_command

    for name in COMMANDS:
        load_command(name)
    import deadpan.campaigns.choosing
    import deadpan.engine.run
    import deadpan.reports  # noqa: F401

    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()
        print("ready", flush=True)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        while True:
            caller, _ = listening.accept()
            if os.fork() == 0:
                listening.close()
                _answer(caller)
            caller.close()
            _reap()


def _reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def _answer(caller: socket.socket) -> None:
    """Forks once more, and tells the caller what came of it."""
    head, streams, _, _ = socket.recv_fds(caller, 8, 3)
    size, said = int.from_bytes(head, "big"), b""
    while len(said) < size:
        said += caller.recv(size - len(said))
    call = json.loads(said)
    child = os.fork()
    if child == 0:
        _become(call, streams)
    for one in streams:
        os.close(one)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    caller.sendall(bytes([code if code >= 0 else 128 - code]))
    os._exit(0)


def _become(call: dict[str, object], streams: list[int]) -> None:
    """The program of that name, with its arguments, in its folder."""
    from tests.docs.programs import run

    for to, one in enumerate(streams):
        os.dup2(one, to)
    os.chdir(str(call["folder"]))
    os.environ.clear()
    os.environ.update(call["environment"])  # type: ignore[arg-type,call-overload]
    sys.path += [one for one in os.environ["PYTHONPATH"].split(os.pathsep) if one not in sys.path]
    code: object = 0
    try:
        run(call["arguments"])  # type: ignore[arg-type]
    except SystemExit as ended:
        code = ended.code or 0
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 1)


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
