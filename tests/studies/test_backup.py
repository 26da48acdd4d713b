"""Backups: everything comes back, from either database into either; what is damaged does not."""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import random
import tarfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import zstandard
from pydantic import JsonValue
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError

from deadpan.base.errors import DeadpanError, InputError
from deadpan.core.study.items import StudyItem
from deadpan.core.study.specification import Study
from deadpan.core.study.stages import Question
from deadpan.studies.backup import archiving
from deadpan.studies.backup.archiving import Manifest
from deadpan.studies.backup.saving import backup, restore
from deadpan.studies.backup.table_rows import saved_tables
from deadpan.studies.making.creating import create_study, open_study
from deadpan.studies.people.accounts import check_password
from deadpan.studies.results.export_files import export_tables
from deadpan.studies.results.gathering import gather
from deadpan.studies.storage.media import media_path
from deadpan.studies.storage.opened import COPY, OpenStudy
from deadpan.studies.storage.tables import APPENDED, AnswerRow, SessionRow
from tests.studies.made_study import PASSWORD, made_items, made_lab, made_stage
from tests.studies.robots import PASSWORD as ROBOT_PASSWORD
from tests.studies.robots import everybody, room_of, work_together


def worked_study(folder: Path, database: str = "") -> OpenStudy:
    """A study that two people have answered, with odd words."""
    study = Study(name="made-study", title={"en": "Made"}, stages=(made_stage(),))
    room = room_of(folder, study, made_items(folder.parent / "sources"), database)

    def odd(question: Question, item: StudyItem, draw: random.Random) -> JsonValue:
        return "“Ça—讽刺 😹” \\ \" \n<b>'; DROP" if question.name == "why" else None

    with everybody(room.joined("Ann O'Neil"), room.joined("贝贝")) as people:
        work_together(people, odd)
    return room.study


def contents(study: OpenStudy) -> dict[str, list[dict[str, Any]]]:
    """Every row of every table that a backup has; each copy of a study has another name."""
    with study.database.engine.connect() as connection:
        found = {
            table.name: [
                dict(row)
                for row in connection.execute(
                    select(table).order_by(*table.primary_key.columns)
                ).mappings()
            ]
            for table in saved_tables()
        }
    copy = next(one for one in found["settings"] if one["name"] == COPY)
    copy["value"] = ""
    return found


def require_append_only(study: OpenStudy) -> None:
    """Raises where a row of what is only added to could be changed."""
    for table in APPENDED:
        rows = contents(study)[table]
        for change in (f"DELETE FROM {table}", f"UPDATE {table} SET at = 1"):
            if rows:
                with pytest.raises(DBAPIError, match="only added to"), study.database.write() as s:
                    s.execute(text(change))


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> str:
    found: str = request.getfixturevalue("postgres_url") if request.param != "sqlite" else ""
    return found


@pytest.mark.parametrize("suffix", [".tar.zst", ".tar.gz"])
def test_a_study_moves_to_the_other_database_and_back(
    tmp_path: Path, postgres_url: str, suffix: str
) -> None:
    first = worked_study(tmp_path / "study")
    before = contents(first)
    assert len(before["answers"]) >= 8 and before["media"] and before["events"]
    made = backup(tmp_path / "study", tmp_path / f"one{suffix}")
    assert made.rows == sum(map(len, before.values())) and not made.missing

    there = restore(tmp_path / f"one{suffix}", tmp_path / "there", postgres_url).opened
    assert not there.database.is_sqlite and contents(there) == before
    backup(tmp_path / "there", tmp_path / f"two{suffix}", postgres_url)
    back = restore(tmp_path / f"two{suffix}", tmp_path / "back").opened
    assert back.database.is_sqlite and contents(back) == before
    for study in (there, back):
        require_append_only(study)
        assert export_tables(gather(study)) == export_tables(gather(first))
    media = sorted(path.relative_to(tmp_path / "study") for path in media_of(tmp_path / "study"))
    assert media == sorted(path.relative_to(tmp_path / "back") for path in media_of(back.folder))


def media_of(folder: Path) -> list[Path]:
    return [path for path in (folder / "media").rglob("*") if path.is_file()]


def test_people_go_on_where_they_were(tmp_path: Path, database: str) -> None:
    lab = made_lab(tmp_path / "study", database="")
    ann = lab.join("Ann")
    task = ann.next_task()
    ann.post(f"{task}/answer/sarcastic", value="yes")
    backup(tmp_path / "study", tmp_path / "one.tar.zst")
    ann.post(f"{task}/answer/sarcastic", value="no")

    found = restore(tmp_path / "one.tar.zst", tmp_path / "there", database).opened
    lab.study.database.close()
    with found.database.read() as session:
        assert not list(session.scalars(select(SessionRow)))  # nobody is signed in
        assert check_password(session, "Ann", PASSWORD) is not None
    lab.reception.study.database, lab.reception.study.folder = found.database, found.folder
    signed = ann.client.post("/login", data={"name": "Ann", "password": PASSWORD})
    assert signed.status_code == 200
    csrf = ann.client.get("/mine").text.partition('name="csrf" value="')[2].partition('"')[0]
    ann.csrf = csrf
    assert (
        ann.post(f"{task}/answer/why", value="new ids come after the old ones").status_code == 200
    )
    assert lab.values(task) == {"sarcastic": "yes", "why": "new ids come after the old ones"}
    assert lab.join("Bob").next_task()


def test_a_backup_is_of_one_moment_while_people_answer(tmp_path: Path, database: str) -> None:
    study = Study(name="made-study", title={"en": "Made"}, stages=(made_stage(people=None),))
    items = made_items(tmp_path / "sources")
    created = create_study(tmp_path / "study", study, items, database).opened
    stop = threading.Event()

    def answer() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            with created.database.write() as session:
                created.note(session, None, "first", number=number)
                created.note(session, None, "second", number=number)

    writer = threading.Thread(target=answer)
    writer.start()
    try:
        for number in range(5):
            backup(tmp_path / "study", tmp_path / f"{number}.tar.gz", database)
    finally:
        stop.set()
        writer.join()
    seen = []
    for number in range(5):
        found = restore(tmp_path / f"{number}.tar.gz", tmp_path / f"back{number}").opened
        what = [row["what"] for row in contents(found)["events"]]
        assert what.count("first") == what.count("second")
        seen.append(what.count("first"))
    assert seen == sorted(seen) and seen[-1] > seen[0]


def members(path: Path) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(path, "r:gz") as tar:
        for info in tar:
            stream = tar.extractfile(info)
            assert stream is not None
            yield info.name, stream.read()


def test_no_secret_and_nobody_s_session_is_in_it(tmp_path: Path) -> None:
    worked_study(tmp_path / "study")
    backup(tmp_path / "study", tmp_path / "one.tar.gz")
    found = dict(members(tmp_path / "one.tar.gz"))
    assert (tmp_path / "one.tar.gz").stat().st_mode & 0o077 == 0
    assert "tables/sessions.jsonl" not in found and "tables/attempts.jsonl" not in found
    people = [json.loads(line) for line in found["tables/people.jsonl"].splitlines()]
    assert all(one["password"].startswith("$argon2id$") for one in people)
    assert not any(ROBOT_PASSWORD.encode() in data for data in found.values())
    manifest = Manifest.model_validate_json(found["manifest.json"])
    assert set(manifest.files) | {"manifest.json"} == set(found)


def packed(path: Path, changed: dict[str, bytes | None], **more: Any) -> Path:
    """A copy of an archive with other contents; None leaves a member out."""
    out = path.with_name("changed.tar.gz")
    entries = dict(members(path)) | changed
    with tarfile.open(out, "w:gz") as tar:
        for name, data in entries.items():
            if data is not None:
                info = tarfile.TarInfo(name)
                info.size = len(data)
                for key, value in more.items() if name in changed else ():
                    setattr(info, key, value)
                    info.size = 0
                tar.addfile(info, io.BytesIO(data))
    return out


def test_what_is_damaged_or_foreign_is_refused_and_leaves_nothing(
    tmp_path: Path, postgres_url: str
) -> None:
    worked_study(tmp_path / "study")
    good = tmp_path / "one.tar.gz"
    backup(tmp_path / "study", good)
    plain = dict(members(good))
    media = next(name for name in plain if name.startswith("media/"))
    answers = plain["tables/answers.jsonl"]
    cases: list[tuple[bytes, str]] = []

    def add(path: Path, told: str) -> None:
        cases.append((path.read_bytes(), told))

    add(packed(good, {"tables/answers.jsonl": answers.replace(b"yes", b"no ")}), "checksum")
    add(packed(good, {media: b"other"}), "checksum")
    add(packed(good, {media: None}), "checksum")
    add(packed(good, {"manifest.json": None}), "no manifest")
    add(packed(good, {"manifest.json": b"{}"}), "cannot be read")
    add(packed(good, {"../evil": b"x"}), "which no backup has")
    add(packed(good, {"/etc/evil": b"x"}), "which no backup has")
    add(packed(good, {"media/../../evil": b"x"}), "which no backup has")
    add(packed(good, {"opinions/../evil": b"x"}), "which no backup has")
    link = {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"}
    add(packed(good, {"study.yaml": b""}, **link), "which no backup has")
    add(packed(good, {"opinions/a.jsonl": b""}, type=tarfile.LNKTYPE), "which no backup has")
    newer = plain["manifest.json"].replace(b'"format": 1', b'"format": 9')
    add(packed(good, {"manifest.json": newer}), "form 9")
    later = plain["manifest.json"].replace(b'"revision": "0001"', b'"revision": "9999"')
    add(packed(good, {"manifest.json": later}), "newer version of Deadpan")
    evil = plain["manifest.json"].replace(b'"study": "made-study"', b'"study": "a\\"; DROP"')
    add(packed(good, {"manifest.json": evil}), "cannot be read")
    whole = good.read_bytes()
    cases += [(whole[: len(whole) // 2], "damaged"), (b"", "damaged"), (b"PK\3\4zip", "damaged")]
    cases.append((zstandard.compress(b"no tar at all"), "damaged"))
    for number, (data, told) in enumerate(cases):
        path = tmp_path / "case.tar.gz"
        path.write_bytes(data)
        for url in ("", postgres_url):
            with pytest.raises(DeadpanError, match=told):
                restore(path, tmp_path / f"new{number}", url)
            assert not (tmp_path / f"new{number}").exists()
    assert not (tmp_path / "evil").exists() and not (tmp_path.parent / "evil").exists()
    assert restore(good, tmp_path / "after", postgres_url).opened.version == 1


def tampered(path: Path, table: str, change: Callable[[dict[str, Any]], None]) -> Path:
    """A copy of an archive in which a table's rows are others, and every checksum is right."""
    plain = dict(members(path))
    rows = [json.loads(line) for line in plain[f"tables/{table}.jsonl"].splitlines()]
    for row in rows:
        change(row)
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    manifest = json.loads(plain["manifest.json"])
    sha = hashlib.sha256(data).hexdigest()
    manifest["files"][f"tables/{table}.jsonl"] = {"size": len(data), "sha256": sha}
    changed = {f"tables/{table}.jsonl": data, "manifest.json": json.dumps(manifest).encode()}
    return packed(path, changed)


def _other_path(row: dict[str, Any]) -> None:
    row["content"]["parts"][0]["path"] = "/etc/passwd"


def _other_later(row: dict[str, Any]) -> None:
    row["later"] = {"label": {**row["content"], "parts": [{"kind": "picture", "path": "x"}]}}


TAMPERED: list[tuple[str, Callable[[dict[str, Any]], None], str]] = [
    ("media", lambda row: row.update(checksum="/etc/passwd"), "something else than its checksum"),
    ("media", lambda row: row.update(checksum="../../study.db"), "something else than its"),
    ("media", lambda row: row.update(checksum="0" * 64), "lacks the file"),
    ("media", lambda row: row.update(type="text/html"), "of the type 'text/html'"),
    ("items", _other_path, "shows a file that is not in the backup"),
    ("items", _other_later, "is none"),
    ("items", lambda row: row.update(content={"key": "x"}), "is none"),
    ("items", lambda row: row.update(content=[1]), "is none"),
    ("specifications", lambda row: row.update(text="name: [1]"), "its study"),
    ("specifications", lambda row: row.update(text=""), "holds no study"),
    ("specifications", lambda row: row.update(version="x"), "no version"),
]


def test_a_backup_that_was_tampered_with_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    worked_study(tmp_path / "study")
    good = tmp_path / "one.tar.gz"
    backup(tmp_path / "study", good)
    for table, change, told in TAMPERED:
        with pytest.raises(DeadpanError, match=told):
            restore(tampered(good, table, change), tmp_path / "back")
        assert not (tmp_path / "back").exists(), (table, told)
    assert restore(tampered(good, "items", lambda row: None), tmp_path / "back").opened


def test_what_is_no_checksum_leads_to_no_file(tmp_path: Path) -> None:
    for name in ("/etc/passwd", "../study.db", "", "A" * 64, "0" * 64 + "\n"):
        with pytest.raises(DeadpanError, match="expected a checksum"):
            media_path(tmp_path, name)


def test_an_archive_that_grows_beyond_measure_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked_study(tmp_path / "study")
    good = tmp_path / "one.tar.gz"
    backup(tmp_path / "study", good)
    grown = packed(good, {"opinions/a.jsonl": b"0" * 30_000_000})
    monkeypatch.setattr(archiving, "LEAST_BOUND", 1_000_000)
    with pytest.raises(DeadpanError, match="far larger unpacked"):
        restore(grown, tmp_path / "back")
    assert not (tmp_path / "back").exists()
    with pytest.raises(DeadpanError, match="checksum"):
        restore(grown, tmp_path / "back", any_size=True)
    assert restore(good, tmp_path / "back").opened


def test_what_cannot_be_put_in_its_place_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked_study(tmp_path / "study")
    backup(tmp_path / "study", tmp_path / "one.tar.gz")
    (tmp_path / "back").mkdir()
    renamed = Path.rename

    def failing(self: Path, target: Path) -> Path:
        if self.name == "study.json" and target.parent == tmp_path / "back":
            raise OSError(5, "Input/output error")
        return renamed(self, target)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(OSError, match="Input/output"):
        restore(tmp_path / "one.tar.gz", tmp_path / "back")
    assert not list((tmp_path / "back").iterdir())


def test_a_full_disk_is_not_the_backups_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked_study(tmp_path / "study")
    backup(tmp_path / "study", tmp_path / "one.tar.gz")

    class Full(io.FileIO):
        def write(self, data: object) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fdopen", Full)
        with pytest.raises(InputError, match=r"No space left.*the backup is as it was"):
            restore(tmp_path / "one.tar.gz", tmp_path / "back")
    assert restore(tmp_path / "one.tar.gz", tmp_path / "back").opened


@pytest.mark.parametrize("is_there", [False, True])
def test_what_is_made_or_restored_is_for_its_owner_alone(tmp_path: Path, is_there: bool) -> None:
    before = os.umask(0o022)
    try:
        for name in ("study", "back"):
            if is_there:
                (tmp_path / name).mkdir(mode=0o755)
        opened = worked_study(tmp_path / "study")
        backup(tmp_path / "study", tmp_path / "one.tar.zst")
        restore(tmp_path / "one.tar.zst", tmp_path / "back")
    finally:
        os.umask(before)
    assert (tmp_path / "one.tar.zst").stat().st_mode & 0o777 == 0o600
    for folder in (opened.folder, tmp_path / "back"):
        private = [folder, *media_of(folder), folder / "media", *folder.glob("study.db*")]
        assert len(private) >= 5
        assert not [path for path in private if path.stat().st_mode & 0o077]


def test_nothing_is_overwritten(tmp_path: Path, postgres_url: str) -> None:
    worked_study(tmp_path / "study")
    out = tmp_path / "one.tar.zst"
    backup(tmp_path / "study", out)
    with pytest.raises(DeadpanError, match="is there already"):
        backup(tmp_path / "study", out)
    with pytest.raises(DeadpanError, match=r"\.tar\.zst or \.tar\.gz"):
        backup(tmp_path / "study", tmp_path / "one.zip")
    with pytest.raises(DeadpanError, match="is not empty"):
        restore(out, tmp_path / "study")
    (tmp_path / "empty").mkdir()
    restore(out, tmp_path / "empty", postgres_url)
    with pytest.raises(DeadpanError, match="holds a study called made-study already"):
        restore(out, tmp_path / "more", postgres_url)
    assert open_study(tmp_path / "empty", postgres_url).version == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "empty",
        "one.tar.zst",
        "sources",
        "study",
    ]


def test_a_file_that_is_lost_or_damaged_is_named(tmp_path: Path) -> None:
    study = worked_study(tmp_path / "study")
    first, second = media_of(tmp_path / "study")
    first.unlink()
    second.write_bytes(b"rotten")
    made = backup(tmp_path / "study", tmp_path / "one.tar.zst")
    assert sorted(made.missing) == sorted(
        str(path.relative_to(tmp_path / "study")) for path in (first, second)
    )
    found = restore(tmp_path / "one.tar.zst", tmp_path / "back")
    assert found.manifest.missing == made.missing
    with found.opened.database.read() as session, study.database.read() as other:
        assert len(session.scalars(select(AnswerRow)).all()) == len(
            other.scalars(select(AnswerRow)).all()
        )


def test_what_models_said_comes_along(tmp_path: Path) -> None:
    worked_study(tmp_path / "study")
    store = tmp_path / "study" / "opinions"
    store.mkdir()
    (store / "store.json").write_text('{"schema": 1}')
    (store / "opinions.owl.1.000001-0000abcd.jsonl").write_text("{}\n")
    (store / "opinions.owl.1.lock").write_text("held")
    backup(tmp_path / "study", tmp_path / "one.tar.zst")
    restore(tmp_path / "one.tar.zst", tmp_path / "back")
    kept = sorted(path.name for path in (tmp_path / "back" / "opinions").iterdir())
    assert kept == ["opinions.owl.1.000001-0000abcd.jsonl", "store.json"]
