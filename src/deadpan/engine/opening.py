"""An asker of a model over a store: for runs, and for whoever asks outside of one."""

from __future__ import annotations

from pathlib import Path

from deadpan.engine.asker import Asker, AskerEvents
from deadpan.engine.calls import CallOptions
from deadpan.engine.inspect_model import InspectModel
from deadpan.engine.local.provider import pictured
from deadpan.engine.protocol import Answerer
from deadpan.engine.store import AnswerStore
from deadpan.engine.task_questions import RunSettings


def open_asker(
    model: str,
    settings: RunSettings,
    events: AskerEvents | None = None,
    answerer: Answerer | None = None,
) -> Asker:
    """The asker; a model that cannot be had raises."""
    calls = settings.calls
    if answerer is not None:
        return Asker(answerer.engine, AnswerStore(settings.store), calls, events)
    name = pictured(model, shown=not settings.showing.text_only)
    engine = InspectModel(name, settings.sampling, calls.max_connections, calls.timeout)
    return Asker(engine, AnswerStore(settings.store), calls, events)


def simple_asker(model: str, store: Path, calls: CallOptions | None = None) -> Asker:
    """An asker with the usual settings."""
    return open_asker(model, RunSettings(store, calls=calls or CallOptions()))
