"""Exports of chats: told from other files, read into turns, speakers A, B, … throughout."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deadpan.collecting.anonymise import Options, anonymise
from deadpan.collecting.anonymise.exports import is_export, read_export
from deadpan.collecting.anonymise.messages import conversations

WHATSAPP = """[01/05/2024, 21:03:11] Messages and calls are end-to-end encrypted.
[01/05/2024, 21:03:12] Jane Roe: hey Kim
and a second line
[01/05/2024, 21:04:11] \u200eKim: lol Jane <attached: pic.jpg>
[03/05/2024, 09:00:00] Kim: <Media omitted>
[03/05/2024, 09:01:00] Jane Roe: gone
"""
ANDROID = "01/05/2024, 21:03 - Jane: hi\n01/05/2024, 21:04 - Kim: pic.jpg (file attached)\n"
WECHAT = "张三 2024-05-01 12:30:11\n李四在吗\n\n李四 2024-05-01 12:31:00\n张三我在\n"
MAILED = "—————  2024-05-01  —————\n\n张三  12:30\n\n在吗\n\n李四  12:31\n\n在\n"
COPIED = "张三:\n在吗\n\n李四:\n在\n\n张三:\n吃了吗\n\n李四:\n没\n"
QQ = "2024-05-01 12:31:00 赵六(12345678)\n在吗\n2024-05-01 12:32:00 孙七<a@qq.com>\n在\n"
CSV = (
    "localId,Type,IsSender,StrContent,StrTime,NickName,Sender\n"
    "1,1,0,在吗,2024-05-01 12:00,张三,w1\n2,1,1,在,2024-05-01 12:01,我,w2\n"
)
DISCORD = """==============================================================
Guild: Memes
Channel: general
==============================================================

[01-May-24 12:30 PM] otter#1234
nice

{Attachments}
pic.jpg

[01-May-24 12:31 PM] waffle
same otter
"""
TELEGRAM = {
    "name": "x", "type": "personal_chat", "messages": [
        {"id": 1, "type": "message", "date": "2024-05-01T10:00:00", "from": "Zed Park",
         "text": ["hi ", {"type": "bold", "text": "Kim"}]},
        {"id": 2, "type": "service", "date": "2024-05-01T10:00:00", "actor": "Zed"},
        {"id": 3, "type": "message", "date": "2024-05-01T10:01:00", "from": "Kim Doe",
         "text": "yo", "photo": "pic.jpg"},
    ]
}  # fmt: skip
DISCORD_JSON = {
    "guild": {"name": "x"}, "messages": [
        {"timestamp": "2024-05-01T10:00:00", "content": "hi",
         "author": {"name": "otter", "nickname": "Otter Lord"},
         "attachments": [{"url": "pic.jpg", "fileName": "pic.jpg"}]},
    ]
}  # fmt: skip

EXPECTED = [
    (WHATSAPP, [("Jane Roe", "hey Kim\nand a second line"), ("Kim", "lol Jane"), ("Kim", ""),
                ("Jane Roe", "gone")]),
    (ANDROID, [("Jane", "hi"), ("Kim", "")]),
    (WECHAT, [("张三", "李四在吗"), ("李四", "张三我在")]),
    (MAILED, [("张三", "在吗"), ("李四", "在")]),
    (COPIED, [("张三", "在吗"), ("李四", "在"), ("张三", "吃了吗"), ("李四", "没")]),
    (QQ, [("赵六", "在吗"), ("孙七", "在")]),
    (CSV, [("张三", "在吗"), ("我", "在")]),
    (DISCORD, [("otter#1234", "nice"), ("waffle", "same otter")]),
    (json.dumps(TELEGRAM, indent=1), [("Zed Park", "hi Kim"), ("Kim Doe", "yo")]),
    (json.dumps({"chats": {"list": [TELEGRAM]}}), [("Zed Park", "hi Kim"), ("Kim Doe", "yo")]),
    (json.dumps(DISCORD_JSON), [("Otter Lord", "hi")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), EXPECTED)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_messages_are_read(text: str, expected: list[tuple[str, str]], encoding: str) -> None:
    data = text.encode(encoding)
    assert is_export(data, whole=True)
    found = read_export(data).messages
    assert [(one.speaker, one.text.strip()) for one in found] == expected


@pytest.mark.parametrize(
    "text",
    [
        '{"text": "hi"}\n{"text": "ho"}\n',
        '{"messages": [{"from": "a", "date": "x"}]}\n{"messages": []}\n',
        "just a note\nwith lines: two\n",
        "a,b\n1,2\n",
        "",
        "Me: fine\nAlso me: not fine\n",
    ],
)
def test_other_files_are_no_chats(text: str) -> None:
    assert not is_export(text.encode(), whole=True)


def test_attachments_are_taken_out_of_texts() -> None:
    for text in (WHATSAPP, ANDROID, DISCORD, json.dumps(TELEGRAM), json.dumps(DISCORD_JSON)):
        files = [name for one in read_export(text.encode()).messages for name in one.files]
        assert files == ["pic.jpg"]


def test_silence_parts_conversations() -> None:
    parts = list(conversations(read_export(WHATSAPP.encode()).messages))
    assert [len(part) for part in parts] == [2, 2]


def test_a_broken_export_is_named_and_the_rest_written(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    (source / "wa.txt").write_text(WHATSAPP, encoding="utf-8")
    (source / "tg.json").write_text(json.dumps(TELEGRAM)[:-3], encoding="utf-8")
    before = {path.name: path.read_bytes() for path in source.iterdir()}
    report = anonymise(source, tmp_path / "out", options=Options(looks=False))
    assert {path.name: path.read_bytes() for path in source.iterdir()} == before
    assert [problem.where for problem in report.problems] == ["tg.json"]
    (path,) = (tmp_path / "out").glob("*.jsonl")
    turns = [
        (turn["speaker"], turn["text"])
        for line in path.read_text("utf-8").splitlines()
        for turn in json.loads(line)["dialogue"]
    ]
    assert sorted(turns) == [
        ("A", "gone"), ("A", "hey [name B]\nand a second line"), ("B", "lol [name A]")
    ]  # fmt: skip
    assert report.replaced_by_kind["file left out"] == 1


def test_system_lines_of_ios_are_nobodys_turns() -> None:
    text = (
        "[01/03/2024, 19:59:00] Family: \u200eMessages and calls are end-to-end encrypted.\n"
        "[01/03/2024, 19:59:10] Family: \u200eAnn created this group\n"
        "[01/03/2024, 20:00:00] Ann: hi\n"
        "\u200e[01/03/2024, 20:00:30] Ben: \u200e<attached: a.jpg>\n"
        "[01/03/2024, 20:01:00] Ben: \u200eimage omitted\n"
        "[01/03/2024, 20:02:00] Ben: yo\n"
    )
    chat = read_export(text.encode())
    assert {one.speaker for one in chat.messages} == {"Ann", "Ben"} and chat.passed_over == 2
    assert chat.messages[1].files == ("a.jpg",)
