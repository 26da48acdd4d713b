"""Whether vLLM has every class, method, argument and attribute that the engine uses, by its source.

    python bench/vllm_calls.py FOLDER [--write FILE]

FOLDER holds vLLM's package folder `vllm`, as an unpacked wheel does; nothing of it is imported.
Prints what is missing, and ends with 1 where anything is. FILE gets the names of all arguments, by
which the tests' stand-in is held to the real ones.
"""

from __future__ import annotations

import argparse
import ast
import json
from collections.abc import Iterator
from pathlib import Path

OURS = Path(__file__).parent.parent / "src/deadpan/engine/vllm"
CALLS = {
    "LLM": ("entrypoints/llm.py", "LLM", "__init__"),
    "enqueue_chat": ("entrypoints/llm.py", "LLM", "enqueue_chat"),
    "get_tokenizer": ("entrypoints/llm.py", "LLM", "get_tokenizer"),
    "get_default_sampling_params": ("entrypoints/llm.py", "LLM", "get_default_sampling_params"),
    "step": ("v1/engine/llm_engine.py", "LLMEngine", "step"),
    "abort_request": ("v1/engine/llm_engine.py", "LLMEngine", "abort_request"),
    "shutdown": ("v1/engine/core_client.py", "EngineCoreClient", "shutdown"),
    "SamplingParams": ("sampling_params.py", "SamplingParams", ""),
    "StructuredOutputsParams": ("sampling_params.py", "StructuredOutputsParams", ""),
    "request": ("lora/request.py", "LoRARequest", ""),
}
"""What our source calls by these names; a class without a method is made from its fields."""
IN_DICTIONARIES = {
    "LLM": ("revision", "enable_lora", "max_lora_rank", "enable_tower_connector_lora"),
    "SamplingParams": ("temperature", "top_p", "max_tokens", "seed", "repetition_penalty"),
}
"""Arguments that our source gives in a dictionary."""
ATTRIBUTES = {
    ("outputs.py", "RequestOutput"): (
        *("request_id", "finished", "outputs", "prompt_token_ids", "num_cached_tokens"),
    ),
    ("outputs.py", "CompletionOutput"): ("text", "token_ids", "finish_reason"),
    ("v1/engine/llm_engine.py", "LLMEngine"): ("engine_core",),
    ("entrypoints/llm.py", "LLM"): ("llm_engine",),
    ("v1/engine/exceptions.py", "EngineDeadError"): (),
}
"""What is read of vLLM's objects."""


def class_of(root: Path, path: str, name: str) -> ast.ClassDef | None:
    """A class in a file of vLLM's; None where there is none."""
    file = root / path
    if not file.is_file():
        return None
    nodes = ast.walk(ast.parse(file.read_text("utf-8")))
    return next((one for one in nodes if isinstance(one, ast.ClassDef) and one.name == name), None)


def fields(made: ast.ClassDef) -> list[str]:
    """The annotated fields of a class, which it is made from."""
    lines = (one for one in made.body if isinstance(one, ast.AnnAssign))
    return [one.target.id for one in lines if isinstance(one.target, ast.Name)]


def attributes(made: ast.ClassDef) -> set[str]:
    """The fields of a class, and what its methods set on it."""
    nodes = (one for one in ast.walk(made) if isinstance(one, ast.Attribute))
    own = (one for one in nodes if isinstance(one.value, ast.Name) and one.value.id == "self")
    return {*fields(made), *(one.attr for one in own if isinstance(one.ctx, ast.Store))}


def parameters(root: Path, path: str, name: str, method: str) -> list[str] | None:
    """The names of a method's arguments, of a class's fields without a method; those of EngineArgs
    too where it hands on all that it is given. None where there is no such thing."""
    made = class_of(root, path, name)
    if made is None or not method:
        return None if made is None else fields(made)
    functions = (one for one in made.body if isinstance(one, ast.FunctionDef))
    found = next((one for one in functions if one.name == method), None)
    if found is None:
        return None
    given = found.args
    named = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)][1:]
    if given.kwarg is None:
        return named
    engine = class_of(root, "engine/arg_utils.py", "EngineArgs")
    return [*named, *(one for one in fields(engine) if one not in named)] if engine else named


def our_calls() -> Iterator[tuple[str, str]]:
    """Every named argument of every call of vLLM's in our source: (what is called, argument)."""
    for path in sorted(OURS.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if called in CALLS:
                yield called, ""
                yield from ((called, one.arg) for one in node.keywords if one.arg is not None)
    for called, names in IN_DICTIONARIES.items():
        yield from ((called, name) for name in names)


def missing(root: Path) -> list[str]:
    """What we use and vLLM has not."""
    known = {called: parameters(root, *where) for called, where in CALLS.items()}
    lacking = [f"{called}: there is no such thing" for called in known if known[called] is None]
    used = dict.fromkeys(our_calls())
    lacking += [f"{one}: our source has no such call" for one in set(CALLS) - {c for c, _ in used}]
    for called, argument in used:
        names = known[called]
        if argument and names is not None and argument not in names:
            lacking.append(f"{called}({argument}=…): there is no such argument")
    for (path, name), wanted in ATTRIBUTES.items():
        made = class_of(root, path, name)
        if made is None:
            lacking.append(f"{name}: there is no such class in {path}")
            continue
        has = attributes(made)
        lacking += [f"{name}.{one}: there is no such attribute" for one in wanted if one not in has]
    return lacking


def main() -> int:
    """Checks, prints, and writes what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    root = given.folder / "vllm"
    lacking = missing(root)
    for line in lacking:
        print(line)
    used = set(our_calls())
    things = len({called for called, _ in used}), sum(bool(name) for _, name in used)
    read = sum(map(len, ATTRIBUTES.values()))
    print(f"{things[0]} calls, {things[1]} arguments, {read} attributes: {len(lacking)} missing")
    if given.write:
        names = {called: parameters(root, *where) for called, where in CALLS.items()}
        given.write.write_text(json.dumps(names, indent=1) + "\n", "utf-8")
    return 1 if lacking else 0


if __name__ == "__main__":
    raise SystemExit(main())
