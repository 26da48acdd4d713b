"""Models by vLLM on the GPUs of a cluster: Ray's own processor loads them and asks."""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from deadpan.base.errors import DeadpanError
from deadpan.engine.answers import Answer, shown_json
from deadpan.engine.calls import now
from deadpan.engine.local.adapters import is_adapter
from deadpan.engine.local.provider import LOCAL
from deadpan.engine.ray import library
from deadpan.engine.ray.blocks import Told, enter
from deadpan.engine.ray.cluster import Crew, Node
from deadpan.engine.ray.jobs import Job, sent
from deadpan.engine.ray.worker import BLOCK, TOLD
from deadpan.engine.requests import Image, Message, Request, Sampling, prepare

ENGINE = "engine"
"""The argument (`-M engine=vllm`) that asks for vLLM in the place of transformers."""
SERVER = "vllm"
"""What tells these answers from those of transformers."""
_BATCH = 64
_MOST_TOKENS = 512
"""How long an answer may be where nobody says."""
_QUESTION = "question"
_ERROR = "__inference_error__"
"""Ray's column for why a row failed."""


@dataclass(frozen=True)
class VllmSource:
    """A model that Ray's processor loads: a folder or a hub's name, and vLLM's own arguments."""

    source: str
    identity: str
    arguments: Mapping[str, JsonValue]
    folder: str

    @property
    def gpus(self) -> int:
        """How many GPUs one copy of the model takes."""
        sizes = [self.arguments.get(f"{kind}_parallel_size", 1) for kind in ("tensor", "pipeline")]
        return int(str(sizes[0])) * int(str(sizes[1]))

    def config(self, copies: int) -> Any:
        """Ray's configuration of the processor: it renders chats and pictures, vLLM tokenizes."""
        return library("ray.data.llm").vLLMEngineProcessorConfig(
            model_source=self.source,
            engine_kwargs=dict(self.arguments),
            concurrency=copies,
            batch_size=_BATCH,
            should_continue_on_error=True,
            log_engine_metrics=False,
            prepare_multimodal_stage={"enabled": True},
            chat_template_stage={"enabled": True},
            tokenize_stage={"enabled": False},
            detokenize_stage={"enabled": False},
        )

    def job(
        self, ray: Any, nodes: Sequence[Node], requests: Mapping[str, Request], sees: bool
    ) -> Job:
        """The job that asks these requests; a cluster without enough GPUs raises."""
        copies = int(sum(node.gpus for node in nodes)) // self.gpus
        if copies < 1:
            raise DeadpanError(
                f"-M {ENGINE}=vllm: {self.source} takes {self.gpus} GPUs, and the cluster has "
                f"{sum(node.gpus for node in nodes):g}"
            )
        processor = library("ray.data.llm").build_processor(
            self.config(copies), preprocess=question_of, postprocess=self.answer_row
        )
        rows = sent(ray, requests, _BATCH, sees).flat_map(self.rows)
        team = Crew(copies, {"num_gpus": float(self.gpus)}, 1, _BATCH, 1)
        return Job(ray, processor(rows), team, told_of)

    def rows(self, row: dict[str, Any]) -> list[dict[str, Any]]:
        """A block's questions as rows of Ray's processor; what cannot be shown is left out, and is
        told as lost. The answer in it is an object, which Arrow cannot take: Ray passes the whole
        on as it is, and the parts of messages stay lists where templates want lists."""
        enter(self.folder)
        _, block = pickle.loads(row[BLOCK])
        made = (self._row(key, one) for key, one in block.items())
        return [{_QUESTION: one} for one in made if one is not None]

    def _row(self, key: str, request: Request) -> dict[str, Any] | None:
        try:
            prepared = prepare((*request.turns, *request.conversation), None)
            messages = [_chat(message) for message in prepared.messages]
        except DeadpanError:
            return None
        sent_answer = Answer(
            key,
            self.identity,
            SERVER,
            "",
            images=prepared.images,
            schema=request.schema is not None,
            max_tokens=request.sampling.max_tokens or _MOST_TOKENS,
            shown=shown_json(prepared.shown),
        )
        return {
            "answer": sent_answer,
            "messages": messages,
            "sampling_params": sampling_params(request),
        }

    def answer_row(self, row: dict[str, Any]) -> dict[str, Any]:
        """What came of a row. Ray does not tell why an answer ended: one of all the tokens that it
        may have was cut off."""
        asked: Answer = row["answer"]
        made = int(row["num_generated_tokens"])
        answer = replace(
            asked,
            text=str(row["generated_text"]).strip(),
            stop="max_tokens" if made >= (asked.max_tokens or 0) else "stop",
            input_tokens=int(row["num_input_tokens"]),
            output_tokens=made,
            seconds=round(float(row["time_taken_llm"]), 3),
            finished=now(),
        )
        return {TOLD: Told((answer,))}


def told_of(row: Mapping[str, Any]) -> Told:
    """What a row of the processor tells; one that failed is an answer with vLLM's error."""
    if why := row.get(_ERROR):
        asked: Answer = row["answer"]
        return Told((replace(asked, error=str(why)[:500], finished=now()),))
    told: Told = row[TOLD]
    return told


def question_of(row: dict[str, Any]) -> dict[str, Any]:
    """The columns of Ray's processor, taken out of the row."""
    made: dict[str, Any] = row.pop(_QUESTION)
    return made


def vllm_source(name: str, identity: str, sampling: Sampling, folder: str) -> VllmSource | None:
    """The model where vLLM is asked for; None where it is not. An adapter raises."""
    arguments = dict(sampling.model_args)
    if arguments.pop(ENGINE, None) != "vllm":
        return None
    source = name.removeprefix(LOCAL)
    place = Path(source).expanduser()
    if is_adapter(place):
        raise DeadpanError(
            f"{name}: adapters are not run by vLLM on Ray: merge it first, or leave out "
            f"-M {ENGINE}=vllm"
        )
    return VllmSource(
        str(place.resolve()) if place.is_dir() else source, identity, arguments, folder
    )


def sampling_params(request: Request) -> dict[str, JsonValue]:
    """The settings of one question as vLLM has them: the likeliest words where no temperature is
    named, as transformers has it. Every row has the same keys."""
    sampling, schema = request.sampling, request.schema
    form = json.dumps(schema.model_json_schema()) if schema is not None else None
    return {
        "temperature": sampling.temperature or 0.0,
        "top_p": 1.0 if sampling.top_p is None else sampling.top_p,
        "max_tokens": sampling.max_tokens or _MOST_TOKENS,
        "seed": sampling.seed,
        "structured_outputs": {"json": form} if form is not None else None,
        **sampling.extra_body,
    }


def _chat(message: Message) -> dict[str, Any]:
    """A message in OpenAI's form."""
    parts: list[dict[str, Any]] = []
    for part in message.contents:
        if isinstance(part, str):
            parts.append({"type": "text", "text": part})
        elif isinstance(part, Image):
            parts.append({"type": "image_url", "image_url": {"url": part.address}})
        else:
            raise DeadpanError("local/… takes text and pictures only, not video")
    return {"role": message.role, "content": parts}
