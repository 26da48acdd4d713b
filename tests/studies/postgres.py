"""A PostgreSQL cluster of the tests' own: in a temporary folder, run by an ordinary user, reached
by a socket in that folder and by nothing else."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

USER = "deadpan"
_USERS = ("postgres", "nobody")
_MADE = ("-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
_SETTINGS = {
    "listen_addresses": "",
    "max_connections": "200",
    "fsync": "off",
    "unix_socket_permissions": "0700",
}
_SECONDS = 60


def programs() -> Path | None:
    """The folder of PostgreSQL's programs; None where it is not installed."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    found = shutil.which("initdb")
    if debian:
        return debian[-1].parent
    return Path(found).parent if found else None


def server_user() -> str | None:
    """Who runs it: we ourselves, or somebody else where we are root, whom it refuses."""
    if os.geteuid() != 0:
        return None
    for name in _USERS:
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            continue
    pytest.fail("no ordinary user to run PostgreSQL as")


@contextmanager
def cluster(bin_folder: Path, settings: dict[str, str] | None = None) -> Iterator[Path]:
    """A running cluster's folder, in which its socket lies; it is gone afterwards."""
    # Not pytest's folder: names of sockets are short, and other users must get there.
    folder, owner = Path(tempfile.mkdtemp(prefix="dp-pg-", dir="/tmp")), server_user()
    server: subprocess.Popen[bytes] | None = None
    try:
        if owner is not None:
            shutil.chown(folder, owner)
        data, log = folder / "data", folder / "log"
        made = subprocess.run(
            [bin_folder / "initdb", "-D", data, *_MADE],
            user=owner,
            cwd=folder,
            capture_output=True,
            text=True,
        )
        assert made.returncode == 0, made.stderr
        options = {**_SETTINGS, "unix_socket_directories": str(folder), **(settings or {})}
        arguments = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        with log.open("wb") as stream:
            server = subprocess.Popen(
                [bin_folder / "postgres", "-D", data, *arguments],
                user=owner,
                cwd=folder,
                stdout=stream,
                stderr=stream,
            )
        _await(folder, server, log)
        yield folder
    finally:
        if server is not None and server.poll() is None:
            server.send_signal(signal.SIGINT)  # ends it at once, and cleanly
            server.wait(_SECONDS)
        shutil.rmtree(folder, ignore_errors=True)


def _await(folder: Path, server: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + _SECONDS
    while True:
        try:
            psycopg.connect(host=str(folder), user=USER, dbname="postgres").close()
            return
        except psycopg.OperationalError:
            if server.poll() is not None or time.monotonic() > until:
                raise AssertionError(log.read_text(errors="replace")) from None
            time.sleep(0.05)


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[Path]:
    """A cluster for this run; skips where PostgreSQL is not installed."""
    found = programs()
    if found is None:
        if os.environ.get("DEADPAN_HEAVY_TESTS"):
            pytest.fail("PostgreSQL is not installed: apt-get install postgresql")
        pytest.skip("PostgreSQL is not installed")
    with cluster(found) as folder:
        yield folder


@pytest.fixture
def postgres_url(postgres_cluster: Path) -> Iterator[str]:
    """The address of a database of the test's own."""
    name = f"studies_{secrets.token_hex(4)}"
    with psycopg.connect(
        host=str(postgres_cluster), user=USER, dbname="postgres", autocommit=True
    ) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield f"postgresql://{USER}@/{name}?host={postgres_cluster}"
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def durable_url(kind: str) -> Iterator[str]:
    """The address of a database whose commits are on the disk, for measurements: of PostgreSQL in a
    cluster of its own, or none for SQLite's file."""
    if kind == "sqlite":
        yield ""
        return
    found = programs()
    if found is None:
        raise SystemExit("PostgreSQL is not installed: apt-get install postgresql")
    with cluster(found, {"fsync": "on", "synchronous_commit": "on"}) as folder:
        yield f"postgresql://{USER}@/postgres?host={folder}"
