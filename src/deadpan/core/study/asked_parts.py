"""Whether items have what a study names: the parts that it shows, and those that its questions
cannot be answered without."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from deadpan.base.errors import meant
from deadpan.core.study.items import StudyItem
from deadpan.core.study.specification import Study
from deadpan.core.study.stages import Stage


def unknown_parts(study: Study, items: Iterable[StudyItem]) -> Iterator[str]:
    """What a study says of parts that no item has."""
    items = list(items)
    own = list(dict.fromkeys(part.name for item in items for part in item.parts))
    made = (part.name for item in items for output in item.outputs for part in output.parts)
    shown = list(dict.fromkeys([*own, *made]))
    for stage in study.stages:
        named = [("shows", name, shown) for name in stage.shows]
        for question in stage.questions:
            parts = [*question.selects_from, question.draws_on, question.corrects]
            named += [(f"{question.name} is about", name, own) for name in parts if name]
        for what, name, known in named:
            if name not in known:
                among = f"one of {', '.join(known)}" if known else "items with parts"
                expected = f"expected {among}{meant(name, known)}"
                yield f"stage {stage.name}: {what} {name}, a part that no item has; {expected}"


def lacking(study: Study, item: StudyItem) -> Iterator[str]:
    """What a question needs that is asked about an item, and the item lacks. Panels that an earlier
    stage has drawn are there."""
    has_drawn = False
    for stage in study.stages:
        if stage in _asked_in(study, item):
            panels = item.panels or int(has_drawn)
            shown = item.model_copy(update={"panels": panels})
            parts = [one for one in item.parts if not stage.shows or one.name in stage.shows]
            for question in stage.questions:
                if lacks := question.lacks(shown, parts):
                    yield f"{question.name} {lacks}"
        has_drawn = has_drawn or any(question.draws_on for question in stage.questions)


def _asked_in(study: Study, item: StudyItem) -> tuple[Stage, ...]:
    """The stages in which an item is asked about."""
    if item.kind == "practice":
        return study.practised
    return study.stages[:1] if item.kind == "check" else study.stages
