"""What an operator may get wrong: each is told with the place and what to do, never as a bug."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from deadpan.base.errors import DeadpanError, NotWritten
from deadpan.studies.backup.saving import backup, restore
from deadpan.studies.making.creating import create_study, open_study
from deadpan.studies.serving import doors, joining_address, public_address
from deadpan.studies.storage import media
from deadpan.studies.storage.addresses import postgres_url
from deadpan.studies.storage.database import server_database
from deadpan.studies.storage.troubles import DatabaseGone, DatabaseTrouble
from deadpan.web.serving import LOOPBACK, open_port
from tests.cli.conftest import Finished
from tests.studies.made_study import made_items, made_lab
from tests.studies.postgres import USER
from tests.studies.study_room import a_study, explained, served

ITEMS = [explained("one", model="It is a pun."), explained("two", model="It is irony.")]
PASSWORD = "hunter2-XYZZY"


def unprivileged(*arguments: object) -> Finished:
    """Runs a command as somebody to whom the rights of files apply, which they do not to root."""
    command = [sys.executable, "-m", "deadpan", *map(str, arguments)]
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("setpriv is not installed")
        rights = "-dac_override,-dac_read_search"
        command = ["setpriv", f"--bounding-set={rights}", *command]
    found = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return Finished(found.returncode, found.stdout, " ".join(found.stderr.split()))


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A study's folder, whose rights are as before afterwards."""
    room = served(tmp_path / "study", a_study(), ITEMS)
    room.study.database.close()
    yield tmp_path / "study"
    for path in (tmp_path, tmp_path / "study", *(tmp_path / "study").glob("study.*")):
        path.chmod(0o700)


class TestRights:
    def test_a_folder_that_is_closed(self, folder: Path) -> None:
        folder.chmod(0)
        run = unprivileged("study", "status", folder)
        assert run.code == 2 and "cannot be read (Permission denied)" in run.err
        assert "Check who may read it" in run.err

    def test_a_database_that_is_only_read_is_not_served(self, folder: Path) -> None:
        for path in folder.glob("study.db*"):
            path.chmod(0o400)
        run = unprivileged("study", "serve", folder, "--port", 0)
        assert run.code == 2 and f"{folder}/study.db: the database cannot be written" in run.err

    def test_a_place_that_cannot_be_written(self, folder: Path, tmp_path: Path) -> None:
        tmp_path.chmod(0o500)
        run = unprivileged("study", "backup", folder, tmp_path / "b.tar.gz")
        assert run.code == 2 and "b.tar.gz: cannot be written (Permission denied)" in run.err

    def test_a_picture_that_cannot_be_read_is_not_called_missing(self, tmp_path: Path) -> None:
        lab = made_lab(tmp_path / "study")
        lab.study.database.close()
        (tmp_path / "study" / "media").chmod(0)
        run = unprivileged("study", "backup", tmp_path / "study", tmp_path / "b.tar.gz")
        (tmp_path / "study" / "media").chmod(0o700)
        assert run.code == 2 and "cannot be read" in run.err
        assert not (tmp_path / "b.tar.gz").exists()


def test_a_full_disk_leaves_no_item_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, *_: object) -> None:
        raise NotWritten(path, "cannot be written (No space left on device)", "Free some space.")

    items = made_items(tmp_path / "sources")
    monkeypatch.setattr(media, "write_bytes", full)
    with pytest.raises(NotWritten, match="No space left"):
        create_study(tmp_path / "study", a_study(), items)


class TestAddresses:
    @pytest.mark.parametrize("port", [-1, 65_536, 70_000])
    def test_a_port_that_is_none(self, port: int) -> None:
        with pytest.raises(DeadpanError, match=f"--port {port}: expected 0 to 65535"):
            open_port(LOOPBACK, port)
        with pytest.raises(DeadpanError, match=f"--port {port}: expected 1 to 65535"):
            joining_address("", port)

    def test_a_port_that_is_taken(self) -> None:
        with socket.create_server((LOOPBACK, 0)) as taken:
            port = taken.getsockname()[1]
            with pytest.raises(DeadpanError, match=f"--port {port}: another program"):
                open_port(LOOPBACK, port)

    @pytest.mark.parametrize("host", ["", " ", "http://x", "\udcff", "a b", "192.0.2.1", "x\0y"])
    def test_a_host_that_is_none_of_this_machine(self, host: str) -> None:
        with pytest.raises(DeadpanError, match=r"--host.*address of this machine"):
            open_port(host, 0)

    def test_a_host_in_brackets(self) -> None:
        try:
            listening = open_port("[::1]", 0)
        except DeadpanError:
            pytest.skip("no IPv6 here")
        listening.close()
        assert "http://[::1]:80" in doors("::1", 80).origins

    @pytest.mark.parametrize(
        "url",
        [
            *("example.org", "ftp://x", "https://", "https://a/b", "https://a b", "https://x?y"),
            *("https://x:99999", "https://me@x", "https://*", "https://<b>", "https://..", "x:y"),
            *("https://-x", "http://[::1", f"https://{'a' * 300}", "https://[zz]"),
        ],
    )
    def test_an_address_that_is_none(self, url: str) -> None:
        with pytest.raises(DeadpanError, match="expected https://HOST"):
            public_address(url)
        with pytest.raises(DeadpanError, match="expected https://HOST"):
            joining_address(url, 8765)

    @pytest.mark.parametrize(
        ("url", "origin"),
        [
            ("https://Study.Example.org/", "https://study.example.org"),
            ("https://ä.example", "https://xn--4ca.example"),
            ("https://例子.example:443", "https://xn--fsqu00a.example"),
            ("http://[::1]:8080", "http://[::1]:8080"),
            ("https://a_b.example", "https://a_b.example"),
        ],
    )
    def test_an_address_as_browsers_say_it(self, url: str, origin: str) -> None:
        assert public_address(url) == origin


class TestPostgresAddresses:
    @pytest.mark.parametrize(
        "address",
        [
            *("studies", "postgresql:", "postgresql://", "mysql://u@h/d", "sqlite:///x.db"),
            *("postgresql+asyncpg://u@h/d", "postgresql://u@h:99999/d", "postgresql://u@h/"),
            f"postgresql://user:{PASSWORD}@more@host/studies",
            f"postgresql://user:a@{PASSWORD}/b:c#d%e@host/studies",
            f"postgresql://user:{PASSWORD}/studies",
            f"postgresql://user:{PASSWORD}?x@host/studies",
            "postgresql://user@[::1/studies",
        ],
    )
    def test_what_is_none_is_told_without_any_of_it(self, address: str) -> None:
        with pytest.raises(DeadpanError, match="--database: ") as told:
            postgres_url(address)
        assert PASSWORD not in str(told.value) and "more" not in str(told.value).split("@")[-1]

    def test_a_percent_encoded_password(self) -> None:
        found = postgres_url("postgres://u:p%40ss%2Fw%3Ao%23r%25d@host:5433/studies")
        assert found.password == "p@ss/w:o#r%d" and found.host == "host" and found.port == 5433

    def test_a_server_that_is_not_there(self, tmp_path: Path) -> None:
        address = f"postgresql://u:{PASSWORD}@127.0.0.1:1/studies"
        with pytest.raises(DatabaseGone, match=r"u@127.0.0.1:1/studies.*start the server") as told:
            create_study(tmp_path / "study", a_study(), ITEMS, address)
        assert PASSWORD not in str(told.value)

    def test_an_unknown_database(self, postgres_url: str, tmp_path: Path) -> None:
        address = postgres_url.replace("/studies_", "/nosuch_")
        with pytest.raises(DatabaseTrouble, match=r"does not exist.*createdb"):
            create_study(tmp_path / "study", a_study(), ITEMS, address)

    def test_an_unknown_option(self, postgres_url: str, tmp_path: Path) -> None:
        with pytest.raises(DatabaseTrouble, match=r"nosuch.*behind its"):
            create_study(tmp_path / "study", a_study(), ITEMS, f"{postgres_url}&nosuch=1")

    def test_a_role_without_the_right_to_make_schemas(
        self, postgres_url: str, tmp_path: Path
    ) -> None:
        role = f"weak_{os.getpid()}"
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute(f"CREATE ROLE {role} LOGIN")
            weak = postgres_url.replace(f"{USER}@", f"{role}@")
            with pytest.raises(DatabaseTrouble, match=f'GRANT CREATE ON .* TO "{role}"'):
                create_study(tmp_path / "study", a_study(), ITEMS, weak)
            # Who may not make a schema can be given one.
            connection.execute(f'CREATE SCHEMA "made" AUTHORIZATION {role}')
            made = create_study(tmp_path / "study", a_study(), ITEMS, weak)
            made.opened.database.close()
            connection.execute(f"DROP OWNED BY {role}; DROP ROLE {role}")

    def test_another_database_than_the_studys(self, postgres_url: str, tmp_path: Path) -> None:
        created = create_study(tmp_path / "study", a_study(), ITEMS, postgres_url)
        created.opened.database.close()
        elsewhere = postgres_url.partition("?")
        other = f"{elsewhere[0].rpartition('/')[0]}/postgres?{elsewhere[2]}"
        with pytest.raises(DeadpanError, match="holds no study called made"):
            open_study(tmp_path / "study", other)


def test_a_place_that_is_taken_says_so_before_files_are_made(
    postgres_url: str, tmp_path: Path
) -> None:
    create_study(tmp_path / "one", a_study(), ITEMS, postgres_url).opened.database.close()
    seen: list[int] = []
    with pytest.raises(DeadpanError, match="holds a study called made already; give a new study"):
        create_study(
            tmp_path / "two", a_study(), ITEMS, postgres_url, progress=lambda: seen.append(1)
        )
    assert not seen
    database = server_database(postgres_url, "made")
    assert database.has_tables()
    database.close()


def test_a_studys_folder_says_what_it_is(tmp_path: Path) -> None:
    create_study(tmp_path / "one", a_study(), ITEMS).opened.database.close()
    place = tmp_path / "one" / "study.json"
    assert json.loads(place.read_text("utf-8"))["study"] == "made"
    place.unlink()
    (tmp_path / "one" / "study.yaml").unlink()
    with pytest.raises(DeadpanError, match=r"is there already.*Name another folder"):
        create_study(tmp_path / "one", a_study(), ITEMS)


def test_a_file_of_ones_own_is_not_overwritten(tmp_path: Path) -> None:
    own = tmp_path / "study.yaml"
    own.write_text("# with notes of mine\n", "utf-8")
    with pytest.raises(DeadpanError, match=r"study.yaml: would be overwritten"):
        create_study(tmp_path, a_study(), ITEMS)
    assert own.read_text("utf-8") == "# with notes of mine\n"


def test_a_restored_copy_is_not_taken_for_the_study(postgres_url: str, tmp_path: Path) -> None:
    elsewhere = f"copy_{os.getpid()}"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {elsewhere}")
        before, _, after = postgres_url.partition("?")
        other = f"{before.rpartition('/')[0]}/{elsewhere}?{after}"
        create_study(tmp_path / "one", a_study(), ITEMS, postgres_url).opened.database.close()
        backup(tmp_path / "one", tmp_path / "b.tar.gz", postgres_url)
        restore(tmp_path / "b.tar.gz", tmp_path / "two", other).opened.database.close()
        for folder, wrong, right in (("one", other, postgres_url), ("two", postgres_url, other)):
            with pytest.raises(DeadpanError, match="holds another copy of made"):
                open_study(tmp_path / folder, wrong)
            open_study(tmp_path / folder, right).database.close()
        connection.execute(f"DROP DATABASE {elsewhere} WITH (FORCE)")
