"""Imports modules one after the other and tells how each went; runs as a process of its own, which
a broken module may end.

python importing.py FOLDER MODULE…      # FOLDER is where our own package lies
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from typing import Any


def main(folder: str, *modules: str) -> None:
    """A line of JSON before each module, and one after it; what libraries print is dropped."""
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as told:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        sys.path.append(folder)
        for module in modules:
            _tell(told, module=module, begun=True)
            _tell(told, module=module, **_imported(module))
        told.flush()
        os._exit(0)  # threads and exit handlers of libraries are not waited for


def _tell(told: Any, **facts: object) -> None:
    told.write(json.dumps(facts) + "\n")
    told.flush()


def _imported(module: str) -> dict[str, object]:
    try:
        found = importlib.import_module(module)
        return {"error": None, "gpus": _gpus(found) if module == "torch" else []}
    except BaseException as error:  # SystemExit too, which some raise
        try:
            said = str(error)
        except Exception:
            said = ""
        return {"error": f"{type(error).__name__}: {said}"[:2000]}


def _gpus(torch: Any) -> list[str]:
    """The GPUs that torch can use, with their memory."""
    if not torch.cuda.is_available():
        return []
    found = [torch.cuda.get_device_properties(one) for one in range(torch.cuda.device_count())]
    return [f"{one.name}, {one.total_memory / 2**30:.0f} GiB" for one in found]


if __name__ == "__main__":
    main(*sys.argv[1:])
