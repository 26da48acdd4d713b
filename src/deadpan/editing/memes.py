"""An editor run over the memes: each has its plan already, the rewritten caption and the edit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from deadpan.base.errors import InputError
from deadpan.benchmarks.merbench.layout import folder_of, original
from deadpan.benchmarks.merbench.predictions import answer
from deadpan.benchmarks.merbench.records import Meme
from deadpan.core.benchmark import EditRun, Predictions
from deadpan.core.dataset import Dataset
from deadpan.core.editor import Editor
from deadpan.core.questions import Reply
from deadpan.editing.reappraise.meme import Wish
from deadpan.editing.reappraise.plan import Described, Origin, Plan, Proposed
from deadpan.editing.reappraise.run import Done, Reappraisal
from deadpan.editing.reappraise.sources import Places, places
from deadpan.media.looked import looked_at

ANNOTATION = "MER-Bench"
"""Who made the stages of these plans."""


def edited_memes(
    dataset: Dataset[Meme], editor: Editor, edits: EditRun, tasks: Sequence[str]
) -> Predictions:
    """What the editor made of each meme; one that it could not edit failed, one that its provider
    would not edit is refused. What an earlier run made is taken as it is."""
    sources = {original(folder_of(dataset), meme): meme for meme in dataset.records}
    plans: dict[Path, Plan] = {}
    replies: dict[str, Reply] = {}
    for source, meme in sources.items():
        try:
            plans[source] = plan_of(meme, source)
        except InputError as error:
            replies[meme.id] = Reply(error=str(error))
    results = places(list(plans), edits.folder)
    run = Reappraisal(editor, Wish(), results, plans=plans, at_once=edits.at_once)
    for done in run.run(lambda _: edits.made()):
        replies[sources[done.source].id] = _reply(done, results[done.source])
    return Predictions(dict.fromkeys(tasks, replies))


def plan_of(meme: Meme, source: Path) -> Plan:
    """The meme's annotation as a plan; a picture that is not there, or texts that no plan can
    hold, raise InputError."""
    looked = looked_at(source)
    if looked is None or looked.problem is not None:
        what = looked.problem if looked and looked.problem else "there is no such picture"
        raise InputError(source, what, "Put the source pictures into Original/.")
    captions = (meme.caption,) if meme.caption.strip() else ()
    try:
        return Plan(
            source=Origin(file=source.name, sha256=looked.sha256),
            language=meme.language,
            status="planned",
            described=Described(
                emotion=meme.det_emo, description=meme.img_desc, captions=captions, by=ANNOTATION
            ),
            proposed=Proposed(
                target=meme.tgt_emo,
                captions=(meme.new_caption,),
                specification=meme.spec,
                by=ANNOTATION,
            ),
        )
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(map(str, first["loc"]))
        raise InputError(meme.id, f"{field}: {first['msg']}", "Edit this meme by hand.") from None


def _reply(done: Done, place: Places) -> Reply:
    if done.ending == "edited":
        looked = looked_at(place.edited)
        return answer(str(place.edited), looked.sha256 if looked else "")
    if done.ending == "refused":
        return Reply(text="", stop="content_filter")
    return Reply(error=done.reason or done.ending)
