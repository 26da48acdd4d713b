"""Chats as messengers and their exporters write them: WeChat, QQ, WhatsApp, Telegram, Discord."""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
from collections.abc import Iterable, Sequence

from pydantic import JsonValue

from deadpan.collecting.anonymise.messages import Chat, Said

_DATE = (
    r"(?:\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}"
    r"|\d{1,2}-[A-Z][a-z]{2}-\d{2,4})"
)
_CLOCK = (
    r"(?:(?:上午|下午|晚上|凌晨|早上|中午)\s?)?\d{1,2}:\d{2}(?::\d{2})?"
    r"(?:[\s\u202f]?[AaPp]\.?[Mm]\.?)?"
)
_STAMP = rf"(?P<time>{_DATE},?[ T\u202f]{{0,2}}{_CLOCK})"
_NAME = r"(?P<name>[^\n:：\[\]]{1,60}?)"
_INVISIBLE = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")

# A header with its text in the same line, and headers whose text follows in the next lines.
_INLINE = (
    re.compile(rf"^\[{_STAMP}\]\s{_NAME}[:：]\s?(?P<text>.*)$"),
    re.compile(rf"^{_STAMP}\s-\s{_NAME}[:：]\s?(?P<text>.*)$"),
    re.compile(rf"^{_NAME}\s?[(（]{_STAMP}[)）][:：]\s?(?P<text>.*)$"),
    re.compile(rf"^{_STAMP}\s{{1,4}}{_NAME}[:：]\s(?P<text>.+)$"),
)
_ABOVE = (
    re.compile(rf"^\[{_STAMP}\]\s(?P<name>[^\n:：]{{1,60}})$"),
    re.compile(
        rf"^{_STAMP}\s{{1,4}}['‘“\"]?(?P<name>[^\n:：'’”\"]{{1,60}}?)['’”\"]?(?:\([1-9]\d{{4,11}}\)|<[^>\n]*>)?[:：]?$"
    ),
    re.compile(rf"^{_NAME}\s{{1,4}}{_STAMP}[:：]?$"),
    re.compile(rf"^{_NAME}[:：]?\s{{1,4}}(?P<time>(?:\d{{1,2}}月\d{{1,2}}日\s)?{_CLOCK})$"),
)
# What a time stamp without a speaker begins: "Messages are encrypted", "Ann added Ben".
_SYSTEM = re.compile(rf"^\[?{_STAMP}\]?\s?(?:-\s)?(?![^\n]{{1,60}}[:：])")
# What iOS says in somebody's name, or in the group's, behind a mark that nobody types.
_SAID_BY_NOBODY = re.compile(
    r"^\S?\[[^\]\n]{6,40}\]\s[^\n:：]{1,60}[:：]\s?(?:\u200e(?!<|POLL|Location|投票|位置"
    r"|[^\n]*(?:omitted|已忽略|已省略)$)|\u200e?(?:Messages and calls are end-to-end|消息和通话均))"
)
_DAY = re.compile(rf"^\s*[—–=-]{{3,}}\s*{_DATE}\s*[—–=-]{{3,}}\s*$")
_COPIED = re.compile(r"^(?P<name>[^\n:：]{1,30})[:：]$")
_BANNER = re.compile(r"^=+\s*$|^(?:Guild|Channel|Topic|After|Before|Exported \d+ message)")
_ATTACHED = re.compile(
    r"<attached: (?P<a>[^>\n]+)>|^(?P<b>[^\n]+\.\w{2,4}) \((?:file attached|文件附件)\)$"
    r"|<附件：(?P<c>[^>\n]+)>",
    re.MULTILINE,
)
_OMITTED = re.compile(r"<Media omitted>|<省略多媒体文件>|(?:image|video|sticker|audio|GIF) omitted")
_COLUMNS = {
    "name": (
        "nickname", "remark", "昵称", "sender", "talker", "author", "from", "发送者", "发送人",
        "发言人", "用户名", "name", "user", "speaker",
    ),
    "text": (
        "strcontent", "content", "msg", "message", "text", "内容", "消息内容", "消息", "聊天内容",
    ),
    "time": ("strtime", "createtime", "date", "time", "timestamp", "时间", "日期", "发送时间"),
    "file": ("attachments", "src", "file", "image", "附件", "图片"),
    "own": ("issender", "is_sender", "是否发送"),
}  # fmt: skip
_FEWEST = 2  # headers that tell a chat from a text with a time in it


def decoded(data: bytes) -> str | None:
    """The text of a file in UTF-8, UTF-16 with its mark, or GB 18030; None for anything else."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encodings: tuple[str, ...] = ("utf-16",)
    else:
        encodings = ("utf-8-sig", "gb18030")
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        return None if "\x00" in text else text.replace("\r\n", "\n").replace("\r", "\n")
    return None


def is_export(head: bytes, whole: bool) -> bool:
    """Whether a file that begins so is a chat; `whole` where that is all of it."""
    cut = head if whole else head[: head.rfind(b"\n") + 1] or head
    text = decoded(cut)
    if text is None:
        return False
    if text.lstrip().startswith("{"):
        return _looks_like_json_chat(text)
    lines = text.split("\n")
    return _csv_columns(lines[0]) is not None or _is_text_chat(lines)


def _looks_like_json_chat(text: str) -> bool:
    first = text.lstrip().split("\n", 1)[0].rstrip()
    if first.endswith("}") and "\n{" in text:
        return False  # lines of JSON
    discord = re.search(r'"messages"\s*:\s*\[', text) and re.search(r'"author"\s*:\s*\{', text)
    telegram = re.search(r'"messages"\s*:\s*\[|"chats"\s*:\s*\{', text) and '"from"' in text
    return bool(discord or (telegram and re.search(r'"date(?:_unixtime)?"\s*:', text)))


def _is_text_chat(lines: Sequence[str]) -> bool:
    plain = [_INVISIBLE.sub("", line) for line in lines[:2000]]
    headed = _headers(plain)[1]
    if headed >= _FEWEST or (headed and len([line for line in plain if line.strip()]) < 4):
        return True
    copied = [found["name"] for line in plain if (found := _COPIED.match(line))]
    return len(copied) >= 4 and len(set(copied)) <= len(copied) / 2


def read_export(data: bytes) -> Chat:
    """The messages of a chat in order; a file that is none of the known ones raises ValueError."""
    text = decoded(data)
    if text is None:
        raise ValueError("is in no known encoding")
    if text.lstrip().startswith("{"):
        return _json_chat(json.loads(text))
    lines = text.split("\n")
    columns = _csv_columns(lines[0])
    return _csv_chat(text, columns) if columns else _text_chat(lines)


def _headers(lines: Sequence[str]) -> tuple[re.Pattern[str], int]:
    """The form of header that most lines have, and how many; a chat has one form throughout."""
    counts = [(sum(bool(one.match(line)) for line in lines), one) for one in (*_INLINE, *_ABOVE)]
    count, pattern = max(counts, key=lambda found: found[0])
    return pattern, count


def _text_chat(lines: Iterable[str]) -> Chat:
    messages: list[Said] = []
    passed = 0
    raw = list(lines)
    plain = [_INVISIBLE.sub("", line).rstrip() for line in raw]
    header, headed = _headers(plain)
    inside = False
    for whole, line in zip(raw, plain, strict=True):
        if headed and _SAID_BY_NOBODY.match(whole):
            passed += 1
            inside = False
            continue
        found = (header if headed else _COPIED).match(line)
        parts = found.groupdict() if found else {}
        if found:
            name = parts["name"].strip()
            messages.append(Said(name, parts.get("text") or "", parts.get("time") or ""))
            inside = True
        elif _DAY.match(line) or _BANNER.match(line) or (headed and _SYSTEM.match(line)):
            passed += 1
            inside = False
        elif inside:
            last = messages[-1]
            messages[-1] = Said(last.speaker, f"{last.text}\n{line}", last.time)
        elif line.strip():
            passed += 1
    return Chat([_with_files(one) for one in messages], passed)


def _with_files(said: Said) -> Said:
    """The message with its attachments taken out of the text."""
    text = re.sub(r"\n?\{(?:Attachments|Embed|Reactions|Stickers)\}\n", "\n\ufffc", said.text)
    text, *blocks = text.split("\ufffc")
    files = [line.strip() for block in blocks for line in block.split("\n") if line.strip()]
    for found in _ATTACHED.finditer(text):
        files.append(next(part for part in found.groups() if part))
    text = _OMITTED.sub("", _ATTACHED.sub("", text)).strip()
    return Said(said.speaker, text, said.time, tuple(files))


def _csv_columns(line: str) -> dict[str, int] | None:
    """Which column of a heading is what; None where speaker or text is not there."""
    try:
        (cells,) = csv.reader([line])
    except (csv.Error, ValueError):
        return None
    names = [cell.strip().casefold().replace(" ", "") for cell in cells]
    found: dict[str, int] = {}
    for what, known in _COLUMNS.items():
        place = next((names.index(name) for name in known if name in names), None)
        if place is not None:
            found[what] = place
    return found if len(names) > 1 and {"name", "text"} <= set(found) else None


def _csv_chat(text: str, columns: dict[str, int]) -> Chat:
    messages: list[Said] = []
    passed = 0
    rows = csv.reader(io.StringIO(text, newline=""), strict=False)
    next(rows)
    for cells in rows:

        def cell(what: str, cells: list[str] = cells) -> str:
            place = columns.get(what, len(cells))
            return cells[place].strip() if place < len(cells) else ""

        own = cell("own") in ("1", "True", "true", "是")
        if not (name := cell("name") or ("我" if own else "")) or not any(cells):
            passed += 1
            continue
        files = tuple(one.strip() for one in cell("file").split(",") if one.strip())
        messages.append(Said(name, cell("text"), cell("time"), files))
    return Chat(messages, passed)


def _json_chat(document: JsonValue) -> Chat:
    """Telegram's result.json, of one chat or all, and DiscordChatExporter's."""
    if not isinstance(document, dict):
        raise ValueError("is no JSON object")
    chats = document.get("chats")
    if isinstance(chats, dict) and isinstance(listed := chats.get("list"), list):
        parts = [_json_chat(one) for one in listed if isinstance(one, dict)]
        found = [said for part in parts for said in part.messages]
        return Chat(found, sum(part.passed_over for part in parts))
    entries = document.get("messages")
    if not isinstance(entries, list):
        raise ValueError("has no list of messages")
    messages = [said for one in entries if isinstance(one, dict) and (said := _entry(one))]
    return Chat(messages, len(entries) - len(messages))


def _entry(entry: dict[str, JsonValue]) -> Said | None:
    author = entry.get("author")
    if isinstance(author, dict):
        name = author.get("nickname") or author.get("name") or author.get("id")
        attached = entry.get("attachments")
        listed = attached if isinstance(attached, list) else []
        files = [one.get("url") or one.get("fileName") for one in listed if isinstance(one, dict)]
        text = entry.get("content")
    else:
        if entry.get("type") not in (None, "message"):
            return None
        name = entry.get("from") or entry.get("from_id")
        files = [entry.get("photo"), entry.get("file")]
        text = _telegram_text(entry.get("text"))
    if not isinstance(name, str) or not isinstance(text, str):
        return None
    time = entry.get("timestamp") or entry.get("date")
    return Said(name, text, str(time or ""), tuple(one for one in files if isinstance(one, str)))


def _telegram_text(text: JsonValue) -> JsonValue:
    if not isinstance(text, list):
        return text
    parts = [one.get("text", "") if isinstance(one, dict) else one for one in text]
    return "".join(str(part) for part in parts)
