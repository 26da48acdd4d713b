"""Posts from exported chats: with consent only, and without names."""

from __future__ import annotations

from pathlib import Path

import pytest

from deadpan.base.errors import InputError
from deadpan.core.curation import Post
from deadpan.curate.collect import collect_posts
from deadpan.curate.schema import Curation
from tests.curate.small_pictures import encoded, scene

CHAT = """[2024/3/1 20:01:02] 张伟: 今天又加班到十点
[2024/3/1 20:02:02] 李娜Lina: 张伟你还好吗
[2024/3/1 20:03:02] 张伟: <attached: 张伟.png>
[2024/3/1 20:03:30] 张伟: 我就是个小丑
[2024/3/1 20:04:02] 李娜Lina: 抱抱你 打我电话13800138000
[2024/3/2 21:00:00] 李娜Lina: 在吗
[2024/3/2 21:01:00] 张伟: 在
[2024/3/3 21:00:00] 王五: <attached: b.png>
[2024/3/3 21:01:00] 张伟: 哈哈
"""
CONSENT = "participant,signed,date\n张伟,yes,2024-01-01\n李娜LINA,是,\n王五,no,\n"


def collected(base: Path, consent: str | None = "consent.csv") -> list[Post]:
    listed = [{"name": "chats", "path": "chats", "kind": "chats", "consent": consent}]
    said = {"name": "m", "benchmark": "janusmm", "collect": listed}
    return list(collect_posts(Curation.model_validate(said), base, base / "work"))


@pytest.fixture
def base(tmp_path: Path) -> Path:
    folder = tmp_path / "chats"
    folder.mkdir()
    (folder / "与张伟的聊天.txt").write_text(CHAT, "utf-8")
    for name in ("张伟.png", "b.png"):
        (folder / name).write_bytes(encoded(scene(1, (200, 200))))
    (folder / "notes.bin").write_bytes(b"\0\1\2")
    (tmp_path / "consent.csv").write_text(CONSENT, "utf-8")
    return tmp_path


def test_conversations_with_something_shared_become_posts(base: Path) -> None:
    posts = collected(base)
    assert [post.drop.reason if post.drop else "" for post in posts] == [
        "broken file", "", "no media", "no consent",
    ]  # fmt: skip
    shared = posts[1]
    assert shared.language == "zh" and shared.where == "chats: chat 1, message 1"
    assert [one.given for one in shared.media] == ["chats/张伟.png"]
    assert [(turn.speaker, turn.shares_media) for turn in shared.turns] == [
        ("sender", False), ("receiver", False), ("sender", True), ("sender", False),
        ("receiver", False),
    ]  # fmt: skip
    assert shared.turns[3].text == "我就是个小丑"
    told = "".join(turn.text for turn in shared.turns)
    assert "[电话]" in told and "138" not in told


def test_names_never_enter_a_post(base: Path) -> None:
    for post in collected(base):
        bare = post.changed(media=())
        assert not any(name in bare.model_dump_json() for name in ("张伟", "李娜", "Lina", "王五"))


def test_chats_without_a_list_of_those_who_signed_raise(base: Path) -> None:
    with pytest.raises(InputError, match="consent"):
        collected(base, None)
    (base / "consent.csv").write_text("participant,signed\n张伟,perhaps\n", "utf-8")
    with pytest.raises(InputError, match="expected yes or no"):
        collected(base)


def test_who_is_listed_twice_signed_only_where_each_line_says_so(base: Path) -> None:
    (base / "consent.csv").write_text(CONSENT + "张伟,withdrawn,\n", "utf-8")
    assert all(post.drop for post in collected(base))
