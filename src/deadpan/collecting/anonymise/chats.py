"""A chat as an export has it → records of its conversations, its people A, B, … in all of them."""

from __future__ import annotations

from collections import Counter

from pydantic import JsonValue

from deadpan.collecting.anonymise.doubts import Doubts
from deadpan.collecting.anonymise.exports import read_export
from deadpan.collecting.anonymise.finding import Text, clean_text, find_names
from deadpan.collecting.anonymise.messages import Said, conversations
from deadpan.collecting.anonymise.names import Names
from deadpan.collecting.anonymise.patterns import Language
from deadpan.collecting.anonymise.records import (
    CleanLines,
    NewName,
    Record,
    Replaced,
)
from deadpan.collecting.anonymise.sources import Problem, Source
from deadpan.collecting.anonymise.text import language_of


def clean_chat(source: Source, data: bytes, new_name: NewName, doubts: Doubts) -> CleanLines:
    """A record for each conversation of the chat: turns with speaker and text, times left out.
    Messages that say nothing, and files that are not there, are left out and counted."""
    try:
        chat = read_export(data)
    except (ValueError, RecursionError) as error:
        what, fix = f"is no chat that can be read ({error})", "Export it again, or take it out."
        return CleanLines(problems=[Problem(where=source.shown, what=what, fix=fix)])
    texts = [Text(f"message {number}", one.text) for number, one in enumerate(chat.messages, 1)]
    language = language_of("\n".join(text.value for text in texts))
    speakers = [one.speaker for one in chat.messages]
    # Letters that are speakers already would be mistaken for pseudonyms.
    lettered = not any(len(one.strip()) == 1 and one.strip().isascii() for one in speakers)
    names = find_names(texts, speakers, 1, language, doubts, lettered)
    result = CleanLines(passed_over=chat.passed_over)
    place = 0
    for part in conversations(chat.messages):
        counts: Counter[tuple[str, str]] = Counter()
        turns: list[JsonValue] = []
        for said in part:
            text = texts[place]
            place += 1
            turn = _turn(said, text, names, language, new_name, doubts, counts)
            if len(turn) > 1:
                turns.append(turn)
        result.read += 1
        where = f"{source.shown}:{texts[place - len(part)].place.split()[1]}"
        if turns:
            result.records.append({"language": language, "dialogue": turns})
            result.replaced += [
                Replaced(where=where, field=field, kind=kind, count=count)
                for (field, kind), count in (+counts).items()
            ]
        else:
            what, fix = "the conversation says nothing", "It was left out."
            result.problems.append(Problem(where=where, what=what, fix=fix))
    return result


def _turn(
    said: Said,
    text: Text,
    names: Names,
    language: Language,
    new_name: NewName,
    doubts: Doubts,
    counts: Counter[tuple[str, str]],
) -> Record:
    number = names.number(said.speaker)
    turn: Record = {
        "speaker": said.speaker if number is None else names.pseudonym(number, language)
    }
    counts["dialogue.speaker", "name"] += number is not None
    counts["dialogue.time", "field"] += bool(said.time)
    cleaned = clean_text(text, names, language, doubts)
    if cleaned.text.strip():
        turn["text"] = cleaned.text
    for kind, count in cleaned.replaced.items():
        counts["dialogue.text", kind] += count
    files = [renamed for one in said.files if (renamed := new_name(one))]
    counts["dialogue.image", "file name"] += len(files)
    counts["dialogue.image", "file left out"] += len(said.files) - len(files)
    if files:
        turn["image" if len(files) == 1 else "images"] = files[0] if len(files) == 1 else [*files]
    return turn
