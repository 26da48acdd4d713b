"""Chat messages with planted people: made-up names, addresses, accounts, plates, schools, employers and
times put into the lines of bench/planted/*.txt, with the spans where they stand.

    python bench/planted_chats.py before     # writes planted/before.jsonl; so does `after`
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Callable, Iterator
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


_FIRST = ("Jor", "Tam", "Bri", "Os", "Kel", "Fen", "Mar", "Zav", "Lio", "Quen", "Vel", "Har", "Dri", "Nev")
_LAST = ("vin", "elka", "sel", "wyn", "dra", "mio", "lette", "rick", "anya", "thiel", "osha", "bert", "ney")
_FAMILY = ("Crabb", "Thorn", "Ols", "Vand", "Meck", "Pell", "Straub", "Quill", "Hask", "Dorn", "Wex", "Lunt")
_FAMILY_ENDS = ("enfield", "ovsky", "erling", "aker", "hurst", "ington", "quist", "ello", "berg", "worthy")
_SURNAMES = "王李张刘陈赵周吴徐孙朱胡郭何林罗郑梁谢宋唐韩冯邓曹彭曾萧田董潘袁蔡蒋余杜苏魏吕丁沈卢姜崔钟谭汪范廖邹熊秦邱侯尹薛阎段顾郝龚邵覃岑褚翟宗滕穆裴庞樊柯阮聂焦尤辛祁"
_COMPOUND = ("欧阳", "司马", "上官", "诸葛", "慕容", "司徒", "令狐", "尉迟")
_GIVEN = "霁砚禾沐遥栩澜珞琛芮昱恺妤珩湉峤枫桐楠彤岚璟睿瑶蕙茜瀚骁翊铮钰媛嫣婧涵朔聿"
_TITLES = ("总", "老师", "阿姨", "医生", "主任", "经理", "教授", "姐", "哥", "叔叔", "律师", "师傅")
_STREETS = ("Larkmoor", "Old Mill", "Penbrook", "Jessamine", "Coldwater", "Fernhollow", "Tillman", "Ashby")
_KINDS = ("Street", "Road", "Avenue", "Lane", "St.", "Ave", "Drive", "Court", "Blvd")
_TOWNS = ("Ravenmoor", "Calderwick", "Thornby", "Eastlea", "Morwick", "Stanbrook", "Hollins")
_FIRMS = ("Brightfen", "Kestrel", "Nordhaven", "Quillby", "Umberline", "Tavish")
_TRADES = ("Logistics", "Labs", "Insurance", "Consulting", "Foods", "Media", "Software")
_CITIES = ("嘉禾市", "云溪市", "青岚市", "临漳市", "宁川市", "平远县")
_AREAS = ("望江区", "东屏区", "白鹭区", "清河区", "锦绣区")
_ROADS = ("梧桐路", "青年大街", "和风路", "柳荫巷", "文昌路", "建设北路", "滨河东路")
_PROVINCES = "京沪粤浙苏鲁川渝鄂湘皖闽"
_WORDS = ("mango", "sleepy", "noodle", "grumpy", "kumquat", "pixel", "otter", "biscuit")


class Maker:
    """Draws fillings; every one is made up."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)

    def fill(self, slot: str) -> tuple[str, str]:
        """What stands in a slot, and its kind."""
        return getattr(self, f"_{slot}")()

    def _pick(self, *lists: tuple[str, ...] | str) -> str:
        return "".join(self.draw.choice(one) for one in lists)

    def _first(self) -> tuple[str, str]:
        return self._pick(_FIRST, _LAST), "name"

    _first2 = _first

    def _first_lower(self) -> tuple[str, str]:
        return self._pick(_FIRST, _LAST).lower(), "name"

    def _last(self) -> tuple[str, str]:
        return self._pick(_FAMILY, _FAMILY_ENDS), "name"

    def _full(self) -> tuple[str, str]:
        return f"{self._first()[0]} {self._last()[0]}", "name"

    def _name(self) -> tuple[str, str]:
        return self._pick(_SURNAMES, _GIVEN, _GIVEN), "name"

    def _name2c(self) -> tuple[str, str]:
        return self._pick(_SURNAMES, _GIVEN), "name"

    def _compound(self) -> tuple[str, str]:
        return self._pick(_COMPOUND, _GIVEN, self.draw.choice(("", _GIVEN)) or ("",)), "name"

    def _nick(self) -> tuple[str, str]:
        return self._pick(("老", "小"), _SURNAMES), "name"

    def _nickA(self) -> tuple[str, str]:
        return "阿" + self._pick(_GIVEN), "name"

    def _titled(self) -> tuple[str, str]:
        return self._pick(_SURNAMES, _TITLES), "name"

    def _surname(self) -> tuple[str, str]:
        return self._pick(_SURNAMES), "name"

    def _address(self) -> tuple[str, str]:
        number = self.draw.randint(2, 988)
        if self.language == "en":
            flat = self.draw.choice(("", "", f", Apt {self.draw.randint(1, 40)}", f" #{number % 30 + 1}"))
            return f"{number} {self._pick(_STREETS)} {self._pick(_KINDS)}{flat}", "address"
        town = self._pick(_CITIES) + self._pick(_AREAS) if self.draw.random() < 0.5 else ""
        room = self.draw.choice(("", f"{number % 20 + 1}栋{number}室", f"{number % 9 + 1}号楼"))
        return f"{town}{self._pick(_ROADS)}{number}号{room}", "address"

    def _handle(self) -> tuple[str, str]:
        joined = self.draw.choice((".", "_", ""))
        return f"{self._pick(_WORDS)}{joined}{self._pick(_WORDS)}{self.draw.randint(2, 99)}", "account"

    def _discord(self) -> tuple[str, str]:
        return f"{self._pick(_WORDS)}#{self.draw.randint(1000, 9999)}", "account"

    def _qq(self) -> tuple[str, str]:
        return str(self.draw.randint(100_000_00, 999_999_999)), "account"

    def _letters(self, count: int) -> str:
        return "".join(self.draw.choice("ABCDEFGHJKLMNPRSTUVWXYZ") for _ in range(count))

    def _plate_en(self) -> tuple[str, str]:
        number = self.draw.randint(1000, 9999)
        shapes = (
            f"{self._letters(3)}-{number}", f"{number % 9 + 1}{self._letters(3)}{number % 900 + 100}",
            f"{self._letters(2)}{number % 90 + 10} {self._letters(3)}",
            f"B-{self._letters(2)} {number}",
        )  # fmt: skip
        return self.draw.choice(shapes), "plate"

    def _plate(self) -> tuple[str, str]:
        dot = self.draw.choice(("", "·"))
        number = self.draw.choice((str(self.draw.randint(10_000, 99_999)), f"{self._letters(1)}{self.draw.randint(1000, 9999)}"))
        return f"{self._pick(_PROVINCES)}{self._letters(1)}{dot}{number}", "plate"

    def _school_en(self) -> tuple[str, str]:
        town = self._pick(_TOWNS)
        shapes = (f"{town} High School", f"University of {town}", f"{town} College", f"{town} University", f"{town} Middle School")
        return self.draw.choice(shapes), "organisation"

    def _employer_en(self) -> tuple[str, str]:
        return f"{self._pick(_FIRMS)} {self._pick(_TRADES)}", "organisation"

    def _school(self) -> tuple[str, str]:
        town = self._pick(("云溪", "青岚", "宁川", "望江", "临漳"))
        end = self._pick(("大学", "师范大学", "一中", "第三中学", "理工学院", "实验小学", "职业技术学院"))
        return town + end, "organisation"

    def _employer(self) -> tuple[str, str]:
        name = self._pick(("鹿鸣", "蓝鲸云", "橙子湾", "星汉", "禾木"))
        end = self._pick(("科技", "科技有限公司", "传媒", "集团", "文化传播公司", "银行", "食品厂"))
        return name + end, "organisation"

    def _moment_en(self) -> tuple[str, str]:
        days = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
        day, part = self._pick(days), self._pick(("morning", "afternoon", "evening", "night"))
        shapes = (f"last {day}", f"next {day}", f"{day} {part}", f"last {day} {part}", f"yesterday {part}")
        return self.draw.choice(shapes), "time"

    def _moment(self) -> tuple[str, str]:
        day, hour = self._pick("一二三四五六日"), self._pick("一两三四五六七八九")
        part = self._pick(("上午", "下午", "晚上"))
        shapes = (f"上周{day}", f"下周{day}{part}", f"昨天{part}{hour}点", f"前天{part}", f"上个月{self.draw.randint(1, 28)}号", f"周{day}{part}{hour}点半")
        return self.draw.choice(shapes), "time"

    language = "en"


def messages(half: str) -> Iterator[Message]:
    """The messages of a half, each line with slots filled FILLS times."""
    maker = Maker({"before": 12, "after": 1207}[half])
    for line in (FOLDER / f"{half}.txt").read_text("utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        language, text = line.split("\t")
        maker.language = language
        for _ in range(FILLS if "{" in text else 1):
            yield _filled(language, text, maker.fill)


def _filled(language: str, text: str, fill: Callable[[str], tuple[str, str]]) -> Message:
    parts, spans, place = [], [], 0
    made: dict[str, tuple[str, str]] = {}
    for number, piece in enumerate(re.split(r"\{(\w+)\}", text)):
        if number % 2:
            # A lower-case name that stands twice is the same person.
            again = made.get(piece) if piece == "first_lower" else None
            words, kind = made[piece] = again or fill(piece)
            spans.append(Gold(place, place + len(words), kind))
            piece = words
        parts.append(piece)
        place += len(piece)
    return Message(language, "".join(parts), spans)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        rows = [json.dumps(one._asdict(), ensure_ascii=False) for one in messages(name)]
        (FOLDER / f"{name}.jsonl").write_text("\n".join(rows) + "\n", "utf-8")
        print(f"{name}: {len(rows)} messages")
