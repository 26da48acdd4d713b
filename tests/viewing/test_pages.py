"""Every page of the app, over stores and tables of every state."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import polars as pl
import pytest
from starlette.testclient import TestClient

from deadpan.pipeline.table import read_tables
from deadpan.pipeline.table_files import write_table
from deadpan.viewing.app import View
from deadpan.viewing.queries import Query, find_answers, read_rows
from deadpan.web.guard import CSRF
from tests.viewing.conftest import a_view, signed_in

ANSWERS = 2 * 3 * 4 + 2 * 3


def _ids(client: TestClient, path: str = "/answers") -> list[str]:
    return re.findall(r'data-answer="(\w+)"', client.get(path).text)


def _count(client: TestClient, **query: str) -> int:
    found = re.search(r"of ([\d,]+)</span>", client.get("/answers", params=query).text)
    return int(found.group(1).replace(",", "")) if found else 0


def test_the_first_page_has_the_scores_of_the_report(client: TestClient, store: Path) -> None:
    import deadpan

    text = client.get("/").text
    assert "PixelHumor" in text and "CFMS" in text and "baseline/<wbr>majority" in text
    scores = deadpan.read_results(store).scores()
    chosen = scores.filter(task="presence", metric="f1", group="all", model="baseline/random").row(
        0, named=True
    )
    assert f">{chosen['value']:.3f}</a>" in text
    if chosen["low"] is not None:
        assert f"[{chosen['low']:.3f}, {chosen['high']:.3f}]" in text


def test_the_list_holds_every_answer(client: TestClient) -> None:
    assert _count(client) == ANSWERS
    assert len(set(_ids(client))) == ANSWERS


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ({"benchmark": "cfms"}, 6),
        ({"task": "style"}, 8),
        ({"model": "baseline/random"}, 18),
        ({"model": "baseline/random", "benchmark": "pixelhumor", "task": "presence"}, 4),
        ({"language": "zh"}, None),
        ({"outcome": "answered"}, None),
        ({"model": "nobody"}, 0),
        ({"text": "zzz no such words"}, 0),
        ({"text": "DEADPAN_1"}, 6),
    ],
)
def test_filters(client: TestClient, store: Path, query: dict[str, str], count: int | None) -> None:
    if count is None:
        ((name, value),) = query.items()
        count = len(read_tables([store]).filter(pl.col(name) == value))
        assert count
    assert _count(client, **query) == count


def test_right_and_wrong_of_two_models(view: View, store: Path) -> None:
    snapshot = view.watch.snapshot
    rows = read_rows(snapshot, find_answers(snapshot, Query()).places)
    verdicts = {
        (row["model"], row["benchmark"], row["task"], row["item"]): row["verdict"] for row in rows
    }
    right, wrong = "baseline/majority", "baseline/random"
    wanted = {
        key[1:]
        for key, verdict in verdicts.items()
        if key[0] == right and verdict == "right" and verdicts.get((wrong, *key[1:])) == "wrong"
    }
    found = find_answers(snapshot, Query(right=right, wrong=wrong))
    answers = read_rows(snapshot, found.places)
    assert {(row["benchmark"], row["task"], row["item"]) for row in answers} == wanted and wanted
    assert len(answers) == 2 * len(wanted)


def test_orders(view: View) -> None:
    snapshot = view.watch.snapshot

    def column(order: str, name: str) -> list[object]:
        rows = read_rows(snapshot, find_answers(snapshot, Query(order=order)).places)
        return [row[name] for row in rows if row[name] is not None]

    assert column("newest", "finished") == sorted(column("", "finished"), key=str, reverse=True)
    assert column("lowest", "score") == sorted(column("", "score"), key=float)  # type: ignore[arg-type]
    assert column("longest", "length")[0] == max(column("", "length"), key=int)  # type: ignore[call-overload]


def test_odd_addresses_are_harmless(client: TestClient) -> None:
    for query in ("page=0", "page=-1", "page=99999999999999999999", "page=x", "order=evil", "a=b"):
        assert client.get(f"/answers?{query}").status_code == 200
    assert client.get("/answers", params={"text": "(?i)[a("}).status_code == 200
    assert client.get("/answers", params={"attribute": "%00=\x00"}).status_code == 200
    assert client.get("/item?benchmark=pixelhumor&item=..%2F..%2Fetc").status_code == 404
    assert client.get("/item").status_code == 404


def test_an_item_shows_all_tasks_and_models(client: TestClient) -> None:
    text = client.get("/item", params={"benchmark": "pixelhumor", "item": "deadpan_1"}).text
    assert text.count('class="answer"') == 6
    assert "judge/lexical" in text, "what the judge said"
    assert re.search(r'src="/small/[0-9a-f]{64}"', text)
    assert 'rel="next"' in text and 'rel="prev"' not in text


def test_items_are_turned_within_the_filter(client: TestClient) -> None:
    query = {"benchmark": "pixelhumor", "item": "deadpan_4", "of": "pixelhumor", "task": "style"}
    text = client.get("/item", params=query).text
    assert "4 of 4 items" in text and 'rel="next"' not in text
    assert "item=deadpan_3" in text


def test_chinese_is_marked_as_such(client: TestClient) -> None:
    text = client.get("/answers", params={"benchmark": "cfms", "language": "zh"}).text
    assert 'lang="zh"' in text and re.search("[\u4e00-\u9fff]", text)


def test_pictures_come_by_checksum_alone(client: TestClient, tmp_path: Path) -> None:
    text = client.get("/item", params={"benchmark": "pixelhumor", "item": "deadpan_1"}).text
    (checksum,) = set(re.findall(r"/media/([0-9a-f]{64})", text))
    picture = client.get(f"/media/{checksum}")
    assert picture.headers["content-type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")
    assert client.get(f"/small/{checksum}").headers["content-type"] == "image/webp"
    for name in ("0" * 64, "..%2f..%2fetc%2fpasswd", "../../etc/passwd", "%2fetc%2fpasswd"):
        assert client.get(f"/media/{name}").status_code == 404
        assert client.get(f"/small/{name}").status_code == 404
    assert client.get("/assets/..%2fapp.py").status_code == 404


def test_a_strangers_table_shows_no_file_of_this_machine(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "secret.png"
    shutil.copy(next(Path(os.environ["DEADPAN_CACHE"]).rglob("*.png")), secret)
    table = read_tables([store]).with_columns(picture=pl.lit(str(secret)))
    write_table(table, tmp_path / "theirs.parquet")
    client = signed_in(a_view(tmp_path / "theirs.parquet"))
    text = client.get("/item", params={"benchmark": "pixelhumor", "item": "deadpan_1"}).text
    assert "is not in a folder named with --pictures" in text
    assert "/media/" not in text and str(tmp_path / "secret") not in text


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl"])
def test_tables_are_viewed_alike(store: Path, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"table{suffix}"
    write_table(read_tables([store]), path)
    client = signed_in(a_view(path))
    assert _count(client) == ANSWERS
    assert client.get("/").status_code == 200


def test_several_sources_at_once(store: Path, tmp_path: Path) -> None:
    table = read_tables([store]).with_columns(model=pl.lit("other/") + pl.col("model"))
    write_table(table, tmp_path / "other.parquet")
    view = a_view(store, tmp_path / "other.parquet")
    client = signed_in(view)
    assert _count(client) == 2 * ANSWERS
    (name,) = {one for one in _ids(client, "/answers?model=other/baseline/majority&task=style")[:1]}
    form = {"id": name, "tags": "mine", CSRF: view.access.csrf}
    assert client.post("/mark", data=form).status_code == 200
    assert (tmp_path / "other.notes.jsonl").is_file() and not (store / "notes").exists()


def test_an_empty_store_has_a_clear_page(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    client = signed_in(a_view(tmp_path / "empty"))
    assert "No answers yet" in client.get("/").text and "holds no run yet" in client.get("/").text
    assert "waiting for answers" in client.get("/").text and "0</span>" not in client.get("/").text
    assert "No answers yet" in client.get("/answers").text
    assert client.get("/report").status_code == 200
    assert client.get("/tags").status_code == 200


def test_the_report_is_there(client: TestClient) -> None:
    reply = client.get("/report")
    assert reply.status_code == 200 and "PixelHumor" in reply.text
    assert reply.headers["content-security-policy"] == "frame-ancestors 'none'"
    assert "default-src &#39;none&#39;; script-src &#39;sha256-" in reply.text


def test_the_state_is_asked_for_cheaply(client: TestClient) -> None:
    first = client.get("/state")
    again = client.get("/state", headers={"if-none-match": first.headers["etag"]})
    assert first.json()["answers"] == ANSWERS
    assert again.status_code == 304 and not again.content


def test_tags_and_notes_are_kept_and_shown(client: TestClient, view: View, store: Path) -> None:
    name = _ids(client, "/answers?task=style")[0]
    form = {"id": name, "type": "AB", "tags": "odd，很怪, odd", "note": "looks\naway"}
    back = "/answers?task=style"
    reply = client.post("/mark", data={**form, CSRF: view.access.csrf, "back": back})
    assert reply.status_code == 200 and str(reply.url).endswith(back)
    (line,) = (store / "notes" / "answers.jsonl").read_text("utf-8").splitlines()
    kept = json.loads(line)
    assert kept["tags"] == ["AB", "odd", "很怪"] and kept["note"] == "looks\naway"
    assert kept["who"] == "Ann" and kept["id"] == name
    assert _ids(client, "/answers?tag=odd") == [name]
    assert "很怪" in client.get("/tags").text
    form = {"id": name, CSRF: view.access.csrf, "type": "SM"}
    fragment = client.post("/mark", data=form, headers={"x-fragment": "1"})
    assert fragment.text.strip().startswith('<div class="marks"') and "SM" in fragment.text
    assert _ids(client, "/answers?tag=odd") == []


def test_a_form_leads_back_to_pages_of_ours_alone(client: TestClient, view: View) -> None:
    form = {"id": _ids(client)[0], "tags": "x", CSRF: view.access.csrf}
    for back in ("http://evil.example/answers", "//evil.example/item", "javascript:alert(1)", "/x"):
        reply = client.post("/mark", data={**form, "back": back}, follow_redirects=False)
        assert reply.headers["location"] == "/answers"


def test_bad_forms_are_told(client: TestClient, view: View, store: Path) -> None:
    name = _ids(client)[0]
    for form, told in (
        ({"id": "nobody"}, "not there any more"),
        ({"id": name, "tags": "x" * 70}, "70 characters; expected at most 60"),
        ({"id": name, "tags": ",".join(map(str, range(30)))}, "30 tags; expected at most 20"),
        ({"id": name, "note": "x" * 10_001}, "note"),
        ({"id": name, "type": "XX"}, 'type: got "XX"; expected one of '),
        ({"id": name, "tags": " , ", "note": "\x1b"}, "nothing to keep"),
    ):
        reply = client.post("/mark", data={**form, CSRF: view.access.csrf})
        assert reply.status_code == 400 and told in reply.text
    assert not (store / "notes").exists()


def test_types_are_offered_where_they_are_the_benchmarks_own(store: Path) -> None:
    view = a_view(store, given=False)
    client = signed_in(view)
    assert view.types_of("janusmm") and not view.types_of("cfms")
    page = client.get("/answers?benchmark=cfms").text
    assert 'name="tags"' in page and 'name="type"' not in page
    assert "--criteria" in client.get("/tags").text
    name = _ids(client, "/answers?benchmark=cfms")[0]
    form = {"id": name, "tags": "AB, odd", CSRF: view.access.csrf}
    reply = client.post("/mark", data={**form, "type": "AB"})
    assert reply.status_code == 400 and "there are none here" in reply.text
    assert client.post("/mark", data=form).status_code == 200
    assert 'value="AB, odd"' in client.get("/answers?benchmark=cfms").text, "no tag is lost"


def test_parts_are_marked_on_the_first_page(client: TestClient) -> None:
    text = client.get("/").text
    assert text.count('<span class="partly" title="answers to 4 of 35 items">‡</span>') == 6
    assert "‡ answers to 4 of 35 items." in text


def test_a_folder_that_cannot_be_written_is_told(
    client: TestClient, view: View, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write anywhere
    assert "Nothing can be kept here" in client.get("/answers").text
    form = {"id": _ids(client)[0], "tags": "x", CSRF: view.access.csrf}
    reply = client.post("/mark", data=form)
    assert reply.status_code == 400 and "cannot be written" in reply.text
    assert not (store / "notes").exists()
