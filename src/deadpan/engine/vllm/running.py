"""Models that vLLM holds: one thread each, which takes questions while others are answered.

`LLM.chat` returns when the last answer of its list is there: one long answer would hold up all that
could follow, and one question that is too long makes it raise for the whole list. So each question
is enqueued by itself, and the engine is stepped: it takes new ones after every step.
"""

from __future__ import annotations

import atexit
import importlib
import json
import threading
import time
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from pydantic import BaseModel

from deadpan.base.errors import DeadpanError
from deadpan.engine.calls import Generated
from deadpan.engine.requests import Message, Sampling
from deadpan.engine.vllm.chats import (
    ChatForm,
    chat_form,
    most_tokens,
    sampling_params,
    template_settings,
)
from deadpan.engine.vllm.library import ModelLost, library, revision_of

_ADDING_SECONDS = 0.1
"""How long questions are added before answers are looked for."""
_STOPS = frozenset({"stop", "length"})


@dataclass(frozen=True)
class Wanted:
    """A model as it is to be loaded: the base of an adapter, with room for it."""

    base: str
    weights: str
    arguments: str = "{}"
    """What `LLM` is given, as JSON."""
    adapter_rank: int = 0
    adapts_vision: bool = False

    def serves(self, other: Wanted) -> bool:
        """Whether what is loaded so answers for the other too. Who names no arguments takes the
        model as it is loaded."""
        return (
            self.weights == other.weights
            and other.arguments in ("{}", self.arguments)
            and self.adapter_rank >= other.adapter_rank
            and self.adapts_vision >= other.adapts_vision
        )


@dataclass(frozen=True, eq=False)
class Job:
    """One question that waits for its answer."""

    messages: tuple[Message, ...]
    sampling: Sampling
    schema: type[BaseModel] | None
    adapter: Path | None
    future: Future[Generated] = field(default_factory=Future)
    began: float = field(default_factory=time.monotonic)


class Runner:
    """One model in vLLM; loaded when it is first asked, by the thread that alone speaks to it."""

    def __init__(self, wanted: Wanted) -> None:
        self.wanted, self.users = wanted, 0
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._running: dict[str, tuple[str, Job]] = {}
        self._adapters: dict[Path, Any] = {}
        self._lost: ModelLost | None = None
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    def submit(self, job: Job) -> Future[Generated]:
        """The answer, once it is there."""
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="vllm", daemon=True)
                self._thread.start()
        self._jobs.put(job)
        if self._lost is not None:
            _fail(job, self._lost)
        return job.future

    @property
    def is_lost(self) -> bool:
        """Whether it answers no more."""
        return self._lost is not None

    @property
    def is_started(self) -> bool:
        """Whether it was ever asked."""
        return self._thread is not None

    def close(self) -> None:
        """Ends the model's engine; what is still running is not answered."""
        if self._thread is not None:
            self._jobs.put(None)
            self._thread.join()

    def _work(self) -> None:
        llm = None
        try:
            vllm, llm = self._load()
            form = chat_form(llm.get_tokenizer())
            penalty = llm.get_default_sampling_params().repetition_penalty
            while self._take(vllm, llm, form, penalty):
                for output in llm.llm_engine.step():
                    self._finish(output)
                self._drop_cancelled(llm)
            self._lost = ModelLost(f"{self.wanted.base}: the run ended before this was answered")
        except ModelLost as error:
            self._lost = error
        except Exception as error:  # whatever ends vLLM's engine ends all questions put to it
            what = " ".join(f"{type(error).__name__}: {error}".split())
            kept = "What was answered is kept: run the same command again"
            self._lost = ModelLost(f"{self.wanted.base}: vLLM's engine ended ({what}). {kept}.")
        finally:
            self._fail_all()
            if llm is not None:
                llm.llm_engine.engine_core.shutdown()

    def _load(self) -> tuple[Any, Any]:
        """The library and the model; whatever keeps it from being loaded is told."""
        _close_idle(self)
        arguments = json.loads(self.wanted.arguments)
        if self.wanted.adapter_rank:
            room = {"enable_lora": True, "max_lora_rank": self.wanted.adapter_rank}
            if self.wanted.adapts_vision:
                room["enable_tower_connector_lora"] = True
            arguments = {**room, **arguments}
        if not Path(self.wanted.base).is_dir():
            arguments["revision"] = revision_of(self.wanted.base)
        try:
            vllm = library()
            return vllm, vllm.LLM(model=self.wanted.base, **arguments)
        except ModelLost:
            raise
        except Exception as error:  # a wrong argument, no GPU, too little memory, an unknown model
            what = " ".join(f"{type(error).__name__}: {error}".split())[:500]
            fix = "-M NAME=VALUE sets its arguments, such as -M gpu_memory_utilization=0.8"
            said = f"{self.wanted.base}: vLLM cannot load it ({what}); {fix}"
            raise ModelLost(f"{said}, or leave out --engine vllm.") from error

    def _take(self, vllm: Any, llm: Any, form: ChatForm, penalty: float) -> bool:
        """Adds questions that wait, for a while; waits for one where none is being answered. False
        once it is closed."""
        until = time.monotonic() + _ADDING_SECONDS
        while not self._running or time.monotonic() < until:
            try:
                job = self._jobs.get(block=not self._running)
            except Empty:
                break
            if job is None:
                return False
            if not job.future.cancelled():
                self._add(vllm, llm, job, form, penalty)
        return True

    def _add(self, vllm: Any, llm: Any, job: Job, form: ChatForm, penalty: float) -> None:
        """Enqueues a question; one that vLLM turns down fails alone."""
        dead = importlib.import_module("vllm.v1.engine.exceptions").EngineDeadError
        try:
            (number,) = llm.enqueue_chat(
                [form.chat(job.messages)],
                sampling_params(vllm, job.sampling, job.schema, penalty),
                use_tqdm=False,
                lora_request=self._adapter(job.adapter),
                chat_template_kwargs=template_settings(job.sampling),
            )
        except dead:
            _fail(job, self._lost or DeadpanError("vLLM's engine ended"))
            raise
        except Exception as error:  # whatever it raises over one question is that one's failure
            _fail(job, error)
        else:
            # Outputs are known by the number alone; what follows it keeps requests apart inside.
            self._running[number.partition("-")[0]] = (number, job)

    def _adapter(self, folder: Path | None) -> Any:
        """An adapter as vLLM is asked for it, under a number of its own."""
        if folder is None:
            return None
        if folder not in self._adapters:
            request = importlib.import_module("vllm.lora.request").LoRARequest
            number = len(self._adapters) + 1
            name = f"{folder.name}-{number}"
            self._adapters[folder] = request(
                lora_name=name, lora_int_id=number, lora_path=str(folder)
            )
        return self._adapters[folder]

    def _finish(self, output: Any) -> None:
        if not output.finished or output.request_id not in self._running:
            return
        _, job = self._running.pop(output.request_id)
        with suppress(InvalidStateError):  # nobody waits for it any more
            job.future.set_result(_generated(output, job))

    def _drop_cancelled(self, llm: Any) -> None:
        gone = [key for key, (_, job) in self._running.items() if job.future.cancelled()]
        if gone:
            llm.llm_engine.abort_request([self._running.pop(key)[0] for key in gone], internal=True)

    def _fail_all(self) -> None:
        lost = self._lost or ModelLost(f"{self.wanted.base}: vLLM's engine ended")
        for _, job in self._running.values():
            _fail(job, lost)
        self._running.clear()
        with suppress(Empty):
            while True:
                if job_left := self._jobs.get_nowait():
                    _fail(job_left, lost)


def _fail(job: Job, error: Exception) -> None:
    with suppress(InvalidStateError):
        job.future.set_exception(error)


def _generated(output: Any, job: Job) -> Generated:
    """An output of vLLM as a reply. An answer may end where the model's context does."""
    made = output.outputs[0]
    written, reason = len(made.token_ids), made.finish_reason
    cut = "max_tokens" if written >= most_tokens(job.sampling) else "model_length"
    return Generated(
        text=made.text.strip(),
        reasoning=None,
        stop="stop" if reason == "stop" else cut,
        error=None if reason in _STOPS else f"vLLM ended the answer: {reason}",
        served_model=None,
        input_tokens=len(output.prompt_token_ids or ()),
        output_tokens=written,
        cached_tokens=output.num_cached_tokens,
        seconds=round(time.monotonic() - job.began, 3),
    )


_runners: list[Runner] = []
_lock = threading.Lock()


def acquire(wanted: Wanted) -> Runner:
    """A runner of the model: one that is there already, whoever uses it, else a new one."""
    with _lock:
        usable = (one for one in _runners if not one.is_lost and one.wanted.serves(wanted))
        found = next(usable, None)
        if found is None:
            found = Runner(wanted)
            _runners.append(found)
        found.users += 1
        return found


def release(runner: Runner) -> None:
    """One user less. The model stays loaded, for the judge that may come, until another one is
    loaded or the process ends."""
    with _lock:
        runner.users -= 1
        if not runner.users and not runner.is_started and runner in _runners:
            _runners.remove(runner)


def _close_idle(but: Runner) -> None:
    with _lock:
        idle = [one for one in _runners if not one.users and one is not but]
        _runners[:] = [one for one in _runners if one not in idle]
    for one in idle:
        one.close()


@atexit.register
def close_all() -> None:
    """Ends every model."""
    with _lock:
        every, _runners[:] = list(_runners), []
    for one in every:
        one.close()
