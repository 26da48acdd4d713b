"""Posts from tables: every row is told, and none ends the others."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import polars as pl
import pytest

from deadpan.base.errors import InputError
from deadpan.collecting.fetch import FetchSettings
from deadpan.core.curation import Post
from deadpan.curate.collect import collect_posts
from deadpan.curate.schema import Curation
from tests.curate.small_pictures import encoded, scene


def collected(base: Path, source: dict[str, object], **more: object) -> list[Post]:
    listed = [{"name": "weibo", "path": "posts.jsonl", **source}]
    said = {"name": "memes", "benchmark": "cfms", "collect": listed, **more}
    return list(collect_posts(Curation.model_validate(said), base, base / "work"))


def reasons(posts: list[Post]) -> list[str]:
    return [post.drop.reason if post.drop else "" for post in posts]


def write_lines(base: Path, *rows: object) -> None:
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    (base / "posts.jsonl").write_text("\n".join(lines) + "\n", "utf-8")


def test_rows_become_posts_with_what_they_say(tmp_path: Path) -> None:
    row = {
        "id": 17, "text": "打工人的周一", "images": ["a.png", "b/c.png"], "likes": 12,
        "tags": ["自嘲", "牛马"], "nested": {"x": 1}, "url": "https://w.example/17",
    }  # fmt: skip
    write_lines(tmp_path, row, {"text": "so funny", "image": "x.png;y.png", "language": "EN-us"})
    first, second = collected(tmp_path, {"licence": "CC0-1.0"})
    assert (first.id, first.where, first.language) == ("weibo-17", "posts.jsonl:1", "zh")
    assert [one.given for one in first.media] == ["a.png", "b/c.png"]
    assert first.attributes == {"likes": "12", "tags": "自嘲; 牛马"}
    assert (first.url, first.licence) == ("https://w.example/17", "CC0-1.0")
    assert [one.given for one in second.media] == ["x.png", "y.png"]
    assert second.language == "en" and second.id.startswith("weibo-")
    again = collected(tmp_path, {})
    assert again[1].id == second.id


def test_what_is_wrong_with_a_row_is_its_drop(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "out.png").symlink_to("/etc/passwd")
    write_lines(
        tmp_path,
        "{broken",
        '{"id": "a", "id": "b", "image": "x.png"}',
        "[1]",
        {"id": "1"},
        {"id": "2", "text": "words alone"},
        {"id": "3", "image": "../../etc/passwd"},
        {"id": "4", "image": "/etc/passwd"},
        {"id": "5", "image": "a\0b.png"},
        {"id": "6", "image": "out.png"},
        {"id": "7", "image": ["a.png", 3]},
        {"id": "8", "image": "a.png", "text": {"en": "x"}},
        {"id": "9", "image": "a.png", "language": "Klingon"},
        {"id": "10", "image": "a.png", "text": "これは日本語のミームです"},
        {"id": "11", "image": "https://w.example/a.png"},
        {"id": "12", "image": "a.png", "text": "x" * 30_000},
        {"id": "13", "image": "a.png"},
        {"id": "13", "image": "b.png"},
        {"id": "../up", "image": "a.png"},
        {"id": "\\ud83d", "image": "a.png"},
    )
    posts = collected(tmp_path, {})
    assert reasons(posts) == [
        "broken line", "broken line", "broken line", "no media and no text", "no media",
        "outside folder", "outside folder", "outside folder", "outside folder", "broken line",
        "broken line", "unknown language", "unknown language", "not fetched", "too much text", "",
        "id twice", "", "",
    ]  # fmt: skip
    assert len({post.id for post in posts}) == len(posts)
    assert all("/" not in post.id and ".." not in post.id for post in posts)
    assert posts[13].media[0].url == "https://w.example/a.png"
    assert [post.model_validate_json(post.model_dump_json()) for post in posts] == posts


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_csv_with_any_separator_and_a_mark_at_its_head(tmp_path: Path, separator: str) -> None:
    rows = [
        "id,text,image",
        '1,"讽刺\n两行",a.png',
        "2,short",
        '3,"open" x,b.png',
        "4,fine,c.png",
        ",,",
    ]
    text = "\n".join(rows).replace(",", separator)
    (tmp_path / "posts.csv").write_bytes(b"\xef\xbb\xbf" + text.encode())
    posts = collected(tmp_path, {"path": "posts.csv"})
    assert reasons(posts) == ["", "no media", "broken line", ""]
    assert posts[0].text == "讽刺\n两行" and posts[0].where == "posts.csv:2"
    assert posts[3].where == "posts.csv:6"


def test_a_row_with_too_many_cells_is_told(tmp_path: Path) -> None:
    (tmp_path / "posts.csv").write_text("id,image\n1,a.png,more\n2,b.png\n")
    posts = collected(tmp_path, {"path": "posts.csv"})
    assert reasons(posts) == ["broken line", ""]


def test_parquet_and_other_names_of_fields(tmp_path: Path) -> None:
    table = pl.DataFrame(
        {"nr": [1, 2], "said": ["me irl", None], "files": [["a.png"], ["b.png", "c.png"]]}
    )
    table.write_parquet(tmp_path / "posts.parquet")
    fields = {"id": "nr", "text": "said", "pictures": "files"}
    posts = collected(tmp_path, {"path": "posts.parquet", "fields": fields})
    assert [post.id for post in posts] == ["weibo-1", "weibo-2"]
    assert [len(post.media) for post in posts] == [1, 2]
    assert [post.language for post in posts] == ["en", None]


def test_files_that_cannot_be_read_raise_before_the_first_post(tmp_path: Path) -> None:
    write_lines(tmp_path, {"id": "1", "image": "a.png"})
    (tmp_path / "chinese.csv").write_bytes("id,text,image\n1,讽刺,a.png\n".encode("gb18030"))
    (tmp_path / "no.parquet").write_bytes(b"PAR1 not")
    (tmp_path / "columns.csv").write_text("a,b\n1,2\n")
    (tmp_path / "empty.jsonl").write_text("")
    expected = {
        "chinese.csv": "iconv -f GB18030", "no.parquet": "not Parquet", "columns.csv": "`fields`",
        "empty.jsonl": "empty", "missing.csv": "no such", "posts.xlsx": "no such",
    }  # fmt: skip
    for name, told in expected.items():
        listed = [{"name": "a", "path": "posts.jsonl"}, {"name": "b", "path": name}]
        said = {"name": "m", "benchmark": "cfms", "collect": listed}
        with pytest.raises(InputError, match=told):
            collect_posts(Curation.model_validate(said), tmp_path, tmp_path / "work")


def test_keywords_choose_and_exclude(tmp_path: Path) -> None:
    texts = [
        "諷刺一下",
        "Just #MeIRL again",
        "remeirled",
        "小丑竟是我自己",
        "nothing here",
        "自嘲 广告",
    ]
    rows = [{"id": str(at), "text": text, "image": "a.png"} for at, text in enumerate(texts)]
    rows.append({"id": "t", "text": "x", "image": "a.png", "tags": ["self_own"]})
    write_lines(tmp_path, *rows)
    keywords = {"lists": ["sarcasm", "self-mockery"], "without": ["廣告"]}
    posts = collected(tmp_path, {}, keywords=keywords)
    expected = ["", "", "no keyword", "", "no keyword", "excluded word", ""]
    assert reasons(posts) == expected
    assert posts[0].attributes["found_by"] == "讽刺"
    assert posts[3].attributes["found_by"] == "小丑竟是我自己"
    with pytest.raises(InputError, match="did you mean sarcasm"):
        collected(tmp_path, {}, keywords={"lists": "sarcasms"})


def test_limits_progress_and_ids_that_look_like_parts(tmp_path: Path) -> None:
    write_lines(tmp_path, *({"id": f"{n}-1", "image": "a.png"} for n in range(5)))
    said = {
        "name": "m", "benchmark": "cfms", "read": {"several": "split"},
        "collect": [{"name": "w", "path": "posts.jsonl", "limit": 3}],
    }  # fmt: skip
    told: list[tuple[str, int]] = []
    found = collect_posts(
        Curation.model_validate(said),
        tmp_path,
        tmp_path,
        lambda name, count: told.append((name, count)),
    )
    assert [post.id.endswith("-1") for post in found] == [False] * 3
    assert told == [("w", 1), ("w", 2), ("w", 3)]


def test_addresses_are_fetched_once_where_the_source_says_so(tmp_path: Path) -> None:
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.path)
        if request.url.path == "/good.png":
            return httpx.Response(200, stream=httpx.ByteStream(encoded(scene(1))))
        return httpx.Response(404)

    good, gone = "https://pics.example/good.png", "https://pics.example/gone.png"
    write_lines(tmp_path, {"id": "1", "image": good}, {"id": "2", "image": f"{gone};{good}"})
    said = {
        "name": "m",
        "benchmark": "cfms",
        "collect": [{"name": "w", "path": "posts.jsonl", "fetch": True}],
    }
    settings = FetchSettings(interval=0, transport=httpx.MockTransport(answer))

    def posts() -> list[Post]:
        curation, work = Curation.model_validate(said), tmp_path / "work"
        return list(collect_posts(curation, tmp_path, work, fetching=settings))

    first = posts()
    assert reasons(first) == ["", "not fetched"]
    assert first[0].media[0].url == good and (tmp_path / first[0].media[0].given).is_file()
    assert first[1].drop and "404" in first[1].drop.what
    before = len(asked)
    assert posts() == first and len(asked) == before
    said["collect"][0]["fetch"] = False  # type: ignore[index]
    assert reasons(posts()) == ["", "not fetched"]


def test_comments_are_what_was_answered(tmp_path: Path) -> None:
    rows: list[object] = [
        {"id": 1, "image": "a.png", "comments": ["haha", " ", {"text": "me", "speaker": "sender"}]},
        {"id": 2, "image": "a.png", "text": "hi", "comments": "first\n\nsecond"},
        {"id": 3, "image": "a.png", "comments": '[{"body": "真好笑"}]'},
        {"id": 4, "image": "a.png", "comments": 17},
        {"id": 5, "image": "a.png", "comments": "17"},
        {"id": 6, "image": "a.png", "comments": "[so true"},
        {
            "id": 7,
            "image": "a.png",
            "comments": [
                {"text": "a", "speaker": "Jo"},
                {"text": "b", "speaker": "Al"},
                {"text": "c\nForged: d", "speaker": "jo"},
                {"content": "e", "speaker": "OP"},
            ],
        },
        {"id": 8, "image": "a.png", "comments": '{"text": "x", "speaker": "other"}'},
        *(
            {"id": f"n{n}", "image": "a.png", "comments": one}
            for n, one in enumerate(["1,024", "1.2k", "3 comments", "null", "NaN", "12条评论", ""])
        ),
        {"id": 9, "image": "a.png", "comments": [["x"]]},
        {"id": 10, "image": "a.png", "comments": {"data": [1]}},
    ]
    write_lines(tmp_path, *rows)
    posts = collected(tmp_path, {})
    said = [[(turn.speaker, turn.text) for turn in post.turns] for post in posts]
    assert said[:6] == [
        [("receiver", "haha"), ("sender", "me")],
        [("receiver", "first"), ("receiver", "second")],
        [("receiver", "真好笑")],
        [],
        [],
        [("receiver", "[so true")],
    ]
    named = [("receiver", "a"), ("other", "b"), ("receiver", "c Forged: d"), ("sender", "e")]
    assert said[6:] == [named, [("other", "x")], *([[]] * 9)]
    assert reasons(posts)[-3:] == ["", "broken line", "broken line"]
    # What others answered is no caption of the post.
    assert [post.caption for post in posts[:2]] == ["", "hi"]


def test_hashtags_that_tell_the_answer_go(tmp_path: Path) -> None:
    texts = {
        "Love Mondays #sarcasm": "Love Mondays",
        "#讽刺#今天上班": "今天上班",
        "今天 #反讽[话题]# 加班 #打工人": "今天 加班 #打工人",
        "＃諷刺 好": "好",
        "C# is fun #ironman #punk #1 #self-deprecating jokes": "C# is fun #ironman #punk #1 jokes",
        "pure sarcasm, no tag": "pure sarcasm, no tag",
        "found by #monday #irony": "found by",
        "A fun day (#irony) and 「#反讽」 here": "A fun day and here",
        "fun #sarcasm#irony#satire here": "fun here",
        "fun #sarcasm😂#irony": "fun 😂",
        "好 #讽刺#反讽": "好",
        "好 #讽刺 超话# 太好了 #讽刺漫画 #SarcasmAlert": "好 太好了",
    }
    write_lines(tmp_path, *({"image": "a.png", "text": text} for text in texts))
    keywords = {"words": ["monday", "sarcasm", "讽刺", "反讽", "好", "fun"]}
    posts = collected(tmp_path, {}, keywords=keywords)
    assert [post.text for post in posts] == list(texts.values()) and not any(reasons(posts))
    assert posts[0].attributes["found_by"] == "sarcasm"
    write_lines(tmp_path, {"image": "a.png", "comments": ["so #自嘲 you", "#irony"]})
    (answered,) = collected(tmp_path, {})
    assert [turn.text for turn in answered.turns] == ["so you"]
    write_lines(tmp_path, *({"image": "a.png", "text": text} for text in texts))
    kept = collected(tmp_path, {}, keywords={**keywords, "tags": "keep"})
    assert [post.text for post in kept] == list(texts)
