"""Posts from exported chats: conversations in which something is shared, by those who signed. Who
they are stays behind."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from deadpan.base.errors import InputError
from deadpan.base.files import list_folder
from deadpan.base.printable import without_controls
from deadpan.collecting.anonymise.doubts import Doubts
from deadpan.collecting.anonymise.exports import read_export
from deadpan.collecting.anonymise.finding import Text, clean_text, find_names
from deadpan.collecting.anonymise.messages import Said, conversations
from deadpan.collecting.anonymise.names import name_key
from deadpan.collecting.anonymise.sources import Limits, Source, Sources, found_sources
from deadpan.collecting.anonymise.text import language_of
from deadpan.core.curation import PostTurn, Speaker
from deadpan.curate.collect.consent import without_consent
from deadpan.curate.collect.raw import RawMedia, RawPost, Refused

_MOST_LETTERS = 20_000


def chat_posts(folder: Path, shown: Path, signed: frozenset[str]) -> Iterator[RawPost]:
    """A raw post for each conversation of the chats in a folder. Places name chats by number, as
    files are called after people. A folder that cannot be read raises at once."""
    list_folder(folder)
    sources = found_sources(folder, Limits())
    return _posts(sources, shown, signed)


def _posts(sources: Sources, shown: Path, signed: frozenset[str]) -> Iterator[RawPost]:
    for number, problem in enumerate(sources.problems, 1):
        where = f"{shown.as_posix()}: unusable file {number}"
        yield RawPost(where, where, refused=Refused("broken file", problem.what))
    chats = [one for one in sources.files.values() if one.kind in ("chat", "records")]
    for number, chat in enumerate(chats, 1):
        place = f"{shown.as_posix()}: chat {number}"
        if chat.kind == "records":
            what = "lines of JSON are no chat of a known messenger; name them as a table"
            yield RawPost(place, place, refused=Refused("broken chat", what))
        else:
            yield from _conversations(sources, chat, shown, place, signed)


def _conversations(
    sources: Sources, chat: Source, shown: Path, place: str, signed: frozenset[str]
) -> Iterator[RawPost]:
    try:
        messages = read_export(chat.path.read_bytes()).messages
    except OSError as error:
        what = f"cannot be read ({error.strerror})"
        yield RawPost(place, place, refused=Refused("broken chat", what))
        return
    except (ValueError, RecursionError) as error:
        what = f"is no chat that can be read ({type(error).__name__})"
        yield RawPost(place, place, refused=Refused("broken chat", what))
        return
    first = 1
    for part in conversations(messages):
        where = f"{place}, message {first}"
        first += len(part)
        content = json.dumps([[one.speaker, one.text, one.time, one.files] for one in part])
        try:
            media = _shared(sources, chat, shown, part)
            _check(part, media, signed)
            yield RawPost(where, content, media=media, turns=_turns(sources, chat, part))
        except Refused as refused:
            yield RawPost(where, content, refused=refused)


def _check(part: Sequence[Said], media: Sequence[RawMedia], signed: frozenset[str]) -> None:
    speakers = {one.speaker for one in part}
    if missing := without_consent(speakers, signed):
        raise Refused("no consent", f"{missing} of {len(speakers)} who speak did not sign")
    if not media:
        raise Refused("no media", "nothing is shared in the conversation, or its files are missing")
    if sum(len(one.text) for one in part) > _MOST_LETTERS:
        raise Refused("too much text", f"{len(part)} messages without a break")


def _shared(
    sources: Sources, chat: Source, shown: Path, part: Sequence[Said]
) -> tuple[RawMedia, ...]:
    """The pictures and videos of a conversation, each once."""
    found: dict[str, RawMedia] = {}
    for said in part:
        for file in _files(sources, chat, said):
            given = (shown / file.path.relative_to(sources.root)).as_posix()
            kind: Literal["picture", "video"] = "video" if file.kind == "mp4" else "picture"
            found.setdefault(given, RawMedia(kind, given))
    return tuple(found.values())


def _files(sources: Sources, chat: Source, said: Said) -> list[Source]:
    named = (sources.find(one, chat.path.parent) for one in said.files)
    return [one for one in named if one is not None and one.kind not in ("chat", "records")]


def _turns(sources: Sources, chat: Source, part: Sequence[Said]) -> tuple[PostTurn, ...]:
    """What is said, without names: the one who shares first is the sender, the next other one to
    speak the receiver."""
    shares = [bool(_files(sources, chat, said)) for said in part]
    at = shares.index(True)
    people = [name_key(said.speaker) for said in part]
    after = [one for one in (*people[at:], *people[:at][::-1]) if one != people[at]]
    roles: dict[str, Speaker] = {people[at]: "sender"}
    if after:
        roles[after[0]] = "receiver"
    texts = [Text(str(number), without_controls(one.text)) for number, one in enumerate(part)]
    language = language_of("\n".join(text.value for text in texts))
    doubts = Doubts()
    names = find_names(texts, [one.speaker for one in part], 1, language, doubts, lettered=True)
    turns = []
    for person, is_sharing, text in zip(people, shares, texts, strict=True):
        said = clean_text(text, names, language, doubts).text.strip()
        if said or is_sharing:
            role: Speaker = roles.get(person, "other")
            turns.append(PostTurn(speaker=role, text=said, shares_media=is_sharing))
    return tuple(turns)


def require_consent(source_name: str, path: Path | None) -> Path:
    """The path of the list of those who signed; raises where chats come without one."""
    if path is None:
        what = "chats are used with the consent of those who wrote them only"
        fix = "Name a CSV under `consent`: participant,signed and a line for each who signed."
        raise InputError(source_name, what, fix)
    return path
