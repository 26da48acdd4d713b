"""Valid files spoilt at random: bytes, lines, JSON values and keys, CSV columns and cells."""

from __future__ import annotations

import csv
import io
import json
from random import Random
from typing import Any

HOSTILE: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 7, 2**31, 2**63, -(2**64), 10**300, 1.5, -0.0, 1e308),
    *("", " ", "\n", "x", "NA", "None", "nan", "[]", "['Yes']", "{}", "en", "zh", "测试", "🙂"),
    *("\u202e", "\ud83d", "\x00", "../../etc/passwd", "/etc/passwd", "C:\\x", "a/b", "=1+1", "|"),
    *("0.png", "x" * 300, "好" * 300, "9" * 5000, "a\r\nb", '"', "'", ",", "[" * 300),
    *([], {}, [[]], [None], [1, "a"], ["Yes", "No"], {"": None}, {"id": 1}, [{}], ["A", "Z"]),
)
RAW = ("NaN", "Infinity", "-Infinity", "1e999", "9" * 5000, "[" * 3000, '{"a":' * 3000, '"\\ud800"')
BYTES = (b"\0", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"\r", b"\n", b'"', b"\\", b"{", b"]", b",")


def spoilt(data: bytes, suffix: str, random: Random) -> bytes:
    """The file's bytes after one to three random changes that suit its format."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        ways = [_bytes, _lines, _encoding]
        if suffix in (".json", ".jsonl"):
            ways += [_json_value] * 6 + [_json_text] * 2
        elif suffix == ".csv":
            ways += [_csv] * 6
        elif suffix == ".parquet":
            ways = [_bytes]
        data = random.choice(ways)(data, random)
    return data


def _bytes(data: bytes, random: Random) -> bytes:
    at = random.randrange(len(data) + 1)
    match random.randrange(5):
        case 0:
            return data[:at]
        case 1:
            return data[:at] + random.choice(BYTES) + data[at:]
        case 2:
            return data[:at] + data[at + random.randrange(1, 50) :]
        case 3:
            flipped = bytearray(data)
            for _ in range(random.randrange(1, 9)):
                if flipped:
                    flipped[random.randrange(len(flipped))] ^= 1 << random.randrange(8)
            return bytes(flipped)
        case _:
            piece = data[at : at + random.randrange(1, 2000)]
            return data[:at] + piece * random.randrange(2, 20) + data[at:]


def _lines(data: bytes, random: Random) -> bytes:
    lines = data.split(b"\n")
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    match random.randrange(4):
        case 0:
            del lines[one]
        case 1:
            lines.insert(other, lines[one])
        case 2:
            lines[one], lines[other] = lines[other], lines[one]
        case _:
            lines[one] = lines[one] * 2
    return b"\n".join(lines)


def _encoding(data: bytes, random: Random) -> bytes:
    text = data.decode("utf-8", "replace")
    match random.randrange(6):
        case 0:
            return text.encode("utf-16")
        case 1:
            return text.encode("gb18030", "replace")
        case 2:
            return b"\xef\xbb\xbf" + data
        case 3:
            return data.replace(b"\n", b"\r\n")
        case 4:
            return data.replace(b"\n", b"\r")
        case _:
            return text.encode("latin-1", "replace")


def _json_value(data: bytes, random: Random) -> bytes:
    """One value replaced, or a key removed, renamed or added, anywhere in the document or a line;
    strings that are JSON themselves are gone into as well."""
    lines = data.split(b"\n")
    at = random.randrange(len(lines))
    for whole in (False, True):
        try:
            value = json.loads(data if whole else lines[at])
        except (ValueError, RecursionError):
            continue
        text = json.dumps(_changed(value, random), ensure_ascii=random.random() < 0.7)
        made = text.encode("utf-8", "replace")
        return made if whole else b"\n".join([*lines[:at], made, *lines[at + 1 :]])
    return data


def _changed(value: Any, random: Random, depth: int = 0) -> Any:
    inner = depth == 0 or random.random() < 0.75
    if isinstance(value, str) and value[:1] in ("[", "{") and inner:
        try:
            return json.dumps(_changed(json.loads(value), random, depth + 1))
        except (ValueError, RecursionError):
            return value
    if isinstance(value, dict) and value and inner:
        key = random.choice(list(value))
        match random.randrange(6):
            case 0:
                return {name: one for name, one in value.items() if name != key}
            case 1:
                return {(f"{name}x" if name == key else name): one for name, one in value.items()}
            case 2:
                return {**value, random.choice(["x", "id", "", "extra", key + " "]): 1}
        return {**value, key: _changed(value[key], random, depth + 1)}
    if isinstance(value, list) and value and inner:
        at = random.randrange(len(value))
        match random.randrange(5):
            case 0:
                return value[:at] + value[at + 1 :]
            case 1:
                return [*value, value[at]]
        return [*value[:at], _changed(value[at], random, depth + 1), *value[at + 1 :]]
    return random.choice(HOSTILE)


def _json_text(data: bytes, random: Random) -> bytes:
    """What a JSON writer would not write: a key twice, numbers that are none, bottomless nests."""
    places = [at for at, byte in enumerate(data) if byte in b"{:"]
    if not places:
        return data
    at = random.choice(places) + 1
    if data[at - 1 : at] == b"{":
        end = data.find(b":", at)
        return data[:at] + data[at:end] + b": 1, " + data[at:] if end > 0 else data
    return data[:at] + random.choice(RAW).encode() + b"," + data[at:]


def _csv(data: bytes, random: Random) -> bytes:
    """A column dropped, doubled or renamed, a cell replaced, a row made shorter or longer."""
    try:
        rows = list(csv.reader(io.StringIO(data.decode("utf-8"), newline="")))
    except (ValueError, csv.Error):
        return data
    if not rows or not rows[0]:
        return data
    column, row = random.randrange(len(rows[0])), random.choice(rows)
    hostile = random.choice(HOSTILE)
    match random.randrange(7):
        case 0:
            rows = [cells[:column] + cells[column + 1 :] for cells in rows]
        case 1:
            rows = [[*cells, *cells[column : column + 1]] for cells in rows]
        case 2:
            rows[0][column] += "x"
        case 3:
            row.append("more")
        case 4:
            del row[-1:]
        case _:
            if column < len(row):
                row[column] = hostile if isinstance(hostile, str) else json.dumps(hostile)
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().encode("utf-8", "replace")
