"""Chat messages with planted people: made-up names, addresses, accounts, plates, schools, employers
and times put into the lines of bench/planted/*.txt, with the spans where they stand.

    python bench/planted_chats.py before     # writes planted/before.jsonl; so does `after`

What must go is drawn for a slot, {first}, or stands in the line itself, {name:Lisa}; a third column
names the speakers of the chat.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).with_name("planted")
FILLS = 2  # how often each line with a slot is filled


class Gold(NamedTuple):
    """What must go, where it stands in the text, and what it is."""

    start: int
    end: int
    kind: str


class Message(NamedTuple):
    """A message and what must go from it."""

    language: str
    text: str
    spans: list[Gold]
    speakers: list[str]


class Maker:
    """Draws fillings; every one is made up."""

    def __init__(self, half: str) -> None:
        self.draw = random.Random(
            {"before": 12, "after": 1207, "fresh": 88, "last": 5, "final": 31}.get(half, 0)
        )
        self._lists = json.loads((FOLDER / "vocabulary.json").read_text("utf-8")).get(half, {})

    def fill(self, slot: str) -> tuple[str, str]:
        """What stands in a slot, and its kind."""
        return getattr(self, f"_{slot}")()

    def _pick(self, *lists: str | Sequence[str]) -> str:
        """One of each list in a row; a text names a list of the half."""
        return "".join(self.draw.choice(self._list(one)) for one in lists)

    def _list(self, given: str | Sequence[str]) -> Sequence[str]:
        if not isinstance(given, str):
            return given
        text = self._lists[given]
        return text.split("|") if "|" in text else text.split() if " " in text else text

    def _first(self) -> tuple[str, str]:
        return self._pick("first", "last"), "name"

    _first2 = _first

    def _first_lower(self) -> tuple[str, str]:
        return self._pick("first", "last").lower(), "name"

    def _last(self) -> tuple[str, str]:
        return self._pick("family", "family_ends"), "name"

    def _full(self) -> tuple[str, str]:
        return f"{self._first()[0]} {self._last()[0]}", "name"

    def _name(self) -> tuple[str, str]:
        return self._pick("surnames", "given", "given"), "name"

    def _name2c(self) -> tuple[str, str]:
        return self._pick("surnames", "given"), "name"

    def _compound(self) -> tuple[str, str]:
        return self._pick("compound", "given", self.draw.choice((("",), "given"))), "name"

    def _nick(self) -> tuple[str, str]:
        return self._pick(("老", "小"), "surnames"), "name"

    def _nickA(self) -> tuple[str, str]:
        return "阿" + self._pick("given"), "name"

    def _titled(self) -> tuple[str, str]:
        return self._pick("surnames", "titles"), "name"

    def _surname(self) -> tuple[str, str]:
        return self._pick("surnames"), "name"

    def _address(self) -> tuple[str, str]:
        number = self.draw.randint(2, 988)
        if self.language == "en":
            flat = self.draw.choice(
                ("", "", f", Apt {self.draw.randint(1, 40)}", f" #{number % 30 + 1}")
            )
            return f"{number} {self._pick('streets')} {self._pick('street_kinds')}{flat}", "address"
        town = self._pick("cities") + self._pick("areas") if self.draw.random() < 0.5 else ""
        room = self.draw.choice(("", f"{number % 20 + 1}栋{number}室", f"{number % 9 + 1}号楼"))
        return f"{town}{self._pick('roads')}{number}号{room}", "address"

    def _handle(self) -> tuple[str, str]:
        joined = self.draw.choice((".", "_", ""))
        return (
            f"{self._pick('words')}{joined}{self._pick('words')}{self.draw.randint(2, 99)}",
            "account",
        )

    def _discord(self) -> tuple[str, str]:
        return f"{self._pick('words')}#{self.draw.randint(1000, 9999)}", "account"

    def _qq(self) -> tuple[str, str]:
        return str(self.draw.randint(100_000_00, 999_999_999)), "account"

    def _letters(self, count: int) -> str:
        return "".join(self.draw.choice("ABCDEFGHJKLMNPRSTUVWXYZ") for _ in range(count))

    def _plate_en(self) -> tuple[str, str]:
        number = self.draw.randint(1000, 9999)
        shapes = (
            f"{self._letters(3)}-{number}",
            f"{number % 9 + 1}{self._letters(3)}{number % 900 + 100}",
            f"{self._letters(2)}{number % 90 + 10} {self._letters(3)}",
            f"B-{self._letters(2)} {number}",
        )
        return self.draw.choice(shapes), "plate"

    def _plate(self) -> tuple[str, str]:
        dot = self.draw.choice(("", "·"))
        number = self.draw.choice(
            (
                str(self.draw.randint(10_000, 99_999)),
                f"{self._letters(1)}{self.draw.randint(1000, 9999)}",
            )
        )
        return f"{self._pick('provinces')}{self._letters(1)}{dot}{number}", "plate"

    def _school_en(self) -> tuple[str, str]:
        town = self._pick("towns")
        shapes = (
            f"{town} High School",
            f"University of {town}",
            f"{town} College",
            f"{town} University",
            f"{town} Middle School",
        )
        return self.draw.choice(shapes), "organisation"

    def _employer_en(self) -> tuple[str, str]:
        return f"{self._pick('firms')} {self._pick('trades')}", "organisation"

    def _school(self) -> tuple[str, str]:
        town = self._pick("schools_zh")
        end = self._pick("school_ends_zh")
        return town + end, "organisation"

    def _employer(self) -> tuple[str, str]:
        name = self._pick("firms_zh")
        end = self._pick("firm_ends_zh")
        return name + end, "organisation"

    def _moment_en(self) -> tuple[str, str]:
        days = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
        day, part = self._pick(days), self._pick(("morning", "afternoon", "evening", "night"))
        shapes = (
            f"last {day}",
            f"next {day}",
            f"{day} {part}",
            f"last {day} {part}",
            f"yesterday {part}",
        )
        return self.draw.choice(shapes), "time"

    def _moment(self) -> tuple[str, str]:
        day, hour = self._pick(list("一二三四五六日")), self._pick(list("一两三四五六七八九"))
        part = self._pick(("上午", "下午", "晚上"))
        shapes = (
            f"上周{day}",
            f"下周{day}{part}",
            f"昨天{part}{hour}点",
            f"前天{part}",
            f"上个月{self.draw.randint(1, 28)}号",
            f"周{day}{part}{hour}点半",
        )
        return self.draw.choice(shapes), "time"

    language = "en"


def messages(half: str) -> Iterator[Message]:
    """The messages of a half, each line with slots filled FILLS times."""
    maker = Maker(half)
    for line in (FOLDER / f"{half}.txt").read_text("utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        language, text, speakers = (line + "\t").split("\t")[:3]
        maker.language = language
        for _ in range(FILLS if re.search(r"\{\w+\}", text) else 1):
            filled = _filled(language, text, maker.fill)
            yield filled._replace(speakers=speakers.split(",") if speakers else [])


def _filled(language: str, text: str, fill: Callable[[str], tuple[str, str]]) -> Message:
    parts, spans, place = [], [], 0
    made: dict[str, tuple[str, str]] = {}
    for number, piece in enumerate(re.split(r"\{(\w+(?::[^}]+)?)\}", text)):
        if ":" in piece and number % 2:
            kind, piece = piece.split(":", 1)
            spans.append(Gold(place, place + len(piece), kind))
        elif number % 2:
            # A lower-case name that stands twice is the same person.
            again = made.get(piece) if piece == "first_lower" else None
            words, kind = made[piece] = again or fill(piece)
            spans.append(Gold(place, place + len(words), kind))
            piece = words
        parts.append(piece)
        place += len(piece)
    return Message(language, "".join(parts), spans, [])


if __name__ == "__main__":
    for name in sys.argv[1:]:
        rows = [json.dumps(one._asdict(), ensure_ascii=False) for one in messages(name)]
        (FOLDER / f"{name}.jsonl").write_text("\n".join(rows) + "\n", "utf-8")
        print(f"{name}: {len(rows)} messages")
