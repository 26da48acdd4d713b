"""Texts of posts without what leads to people; what makes a joke, such as an hour, stays."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deadpan.collecting.anonymise.doubts import Doubts
from deadpan.collecting.anonymise.finding import Text, clean_text, find_names
from deadpan.collecting.anonymise.names import Names
from deadpan.collecting.anonymise.patterns import PLACEHOLDER, Kind, patterns, plain_key, words
from deadpan.collecting.anonymise.text import Decide, Named, follow_suggestion, language_of
from deadpan.core.curation import Post
from deadpan.core.questions import Language

_RUNS = re.compile(f"((?:{PLACEHOLDER.pattern})+)")
_TIMES = ("[time]", f"[{words().chinese['time']}]")


class _Public:
    """What becomes of doubtful places in a text that was public: who employs or teaches somebody
    is no secret there, and often the joke."""

    def at(self, file: str, place: str, text: str) -> Decide:
        def decide(kind: Kind, found: str, shown: str, likely: bool = True) -> str | None:
            return None if kind == "organisation" else follow_suggestion(kind, found, shown, likely)

        return decide

    def named(self, file: str, place: str) -> Named:
        return lambda found, shown: shown


_DOUBTS = Doubts(decisions=_Public())


def anonymous(post: Post) -> Post:
    """The post with placeholders for people, numbers and addresses in its texts, each person with
    one number in all of them; fields that tell who wrote it, or when, are gone."""
    keys = words()
    telling = keys.id_keys | keys.dropped_keys | keys.name_keys
    kept = {name: one for name, one in post.attributes.items() if plain_key(name) not in telling}
    texts = [post.text, post.transcript, *(turn.text for turn in post.turns), *kept.values()]
    together = "\n".join(texts)
    language: Language = post.language or language_of(together)
    numbers = [
        int(one) for found in PLACEHOLDER.findall(together) for one in re.findall(r"\d+", found)
    ]
    own = [Text(str(place), text) for place, text in enumerate(texts) if text]
    names = find_names(own, (), max(numbers, default=0) + 1, language, _DOUBTS)
    text, transcript, *others = (_cleaned(one, names, language) for one in texts)
    turns = tuple(
        turn.model_copy(update={"text": said})
        for turn, said in zip(post.turns, others[: len(post.turns)], strict=True)
    )
    attributes = dict(zip(kept, others[len(post.turns) :], strict=True))
    return post.changed(text=text, transcript=transcript, turns=turns, attributes=attributes)


def _cleaned(text: str, names: Names, language: Language) -> str:
    if not text:
        return ""
    cleaned = clean_text(Text("", text), names, language, _DOUBTS).text
    if not any(time in cleaned for time in _TIMES):
        return cleaned
    restored = _with_times(text, cleaned)
    # Where the parts were not told apart rightly, more would come back than times.
    again = clean_text(Text("", restored), names, language, _DOUBTS).text
    return restored if again == cleaned else cleaned


def _with_times(before: str, after: str) -> str:
    """The cleaned text with the times that stood in the given one; as it is where that cannot be
    told."""
    parts = _RUNS.split(after)
    place, shown = len(parts[0]), [parts[0]]
    for number, (marks, text) in enumerate(zip(parts[1::2], parts[2::2], strict=True), 1):
        is_last = 2 * number == len(parts) - 1
        end = len(before) - len(text) if is_last else before.find(text, place + 1)
        if end < place:
            return after
        shown += [_run_with_times(before[place:end], PLACEHOLDER.findall(marks)), text]
        place = end + len(text)
    return "".join(shown)


def _run_with_times(gone: str, marks: Sequence[str]) -> str:
    """Placeholders that follow each other, those of times as the text had them that they stand
    for."""
    if len(marks) == 1:
        return gone if marks[0] in _TIMES else marks[0]
    place, shown = 0, list(marks)
    for number, mark in enumerate(marks):
        if mark in _TIMES:
            found = (one.expression.search(gone, place) for one in patterns("moments", "times"))
            spans = [(match.start(), -match.end()) for match in found if match]
            if spans:
                start, end = min(spans)
                shown[number], place = gone[start:-end], -end
    return "".join(shown)
