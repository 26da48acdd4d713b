"""The tools that `peers_annotating.py` runs: how each is started, and what a rater's page asks."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import requests

HERE = Path(__file__).resolve().parent
SOURCES = ("maker-alpha", "maker-beta")
RATERS = ("ann@example.org", "bo@example.org")
TOKEN = "0123456789abcdef0123456789abcdef01234567"
PASSWORD = "not-a-secret"


@dataclass
class Rated:
    """What one tool took, in milliseconds, and what it sent."""

    pages: list[float] = field(default_factory=list)
    saves: list[float] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)

    def ask(
        self,
        times: list[float] | None,
        browser: requests.Session,
        method: str,
        url: str,
        **more: Any,
    ) -> requests.Response:
        """The answer to a request, with its time where it is wanted."""
        began = time.perf_counter()
        found = browser.request(method, url, **more)
        if times is not None:
            times.append(1000 * (time.perf_counter() - began))
        assert found.status_code < 400, f"{found.status_code} {found.text[:300]}"
        self.sent.append(found.text)
        return found


def rows(items: int) -> Iterator[tuple[str, str, str, str]]:
    """Name, question, answer and source of each item."""
    for number in range(items):
        question = f"What is funny in picture {number // 2}?"
        answer = f"The cat of answer {number} looks away."
        yield f"item-{number}", question, answer, SOURCES[number % 2]


class Deadpan:
    """`deadpan study`."""

    def __init__(self, venvs: Path, folder: Path, items: int, port: int) -> None:
        self.folder, self.port = folder, port
        with (folder / "items.jsonl").open("w") as stream:
            for name, question, answer, source in rows(items):
                part = {"name": "answer", "kind": "text", "text": answer}
                line = {
                    "key": name,
                    "parts": [{"name": "question", "kind": "text", "text": question}],
                    "outputs": [{"source": source, "parts": [part]}],
                }
                stream.write(json.dumps(line) + "\n")
        deadpan = [sys.executable, "-m", "deadpan", "study"]
        made = [*deadpan, "create", str(HERE / "peers" / "study" / "fits.yaml")]
        subprocess.run(
            [*made, "--from", "items.jsonl", "--out", "study"],
            cwd=folder,
            check=True,
            capture_output=True,
        )
        invited = [*deadpan, "invite", "study", *RATERS, "--role", "rater", "--port", str(port)]
        said = subprocess.run(invited, cwd=folder, capture_output=True, text=True, check=False)
        self.links = re.findall(r"/join/\S+", said.stdout)
        assert len(self.links) == 2, said.stdout + said.stderr
        self.command = [*deadpan, "serve", "study", "--port", str(port)]
        self.env: dict[str, str] = {}

    def rate(self, address: str, name: str, items: int, rated: Rated) -> None:
        """One rater's way through so many items."""
        browser = requests.Session()
        browser.headers["Origin"] = address
        joined = address + self.links[RATERS.index(name)]
        told = {"username": name, "password": PASSWORD, "again": PASSWORD, "language": "en"}
        page = browser.post(joined, data={**told, "csrf": ""})
        fragment = {"HX-Request": "true"}
        for _ in range(items):
            task = page.url
            shown = rated.ask(rated.pages, browser, "GET", task)
            told = {"csrf": _hidden(shown.text)["csrf"], "seen": "open"}
            answer = {**told, "key": os.urandom(12).hex(), "value": "4"}
            rated.ask(
                rated.saves, browser, "POST", f"{task}/answer/fits", data=answer, headers=fragment
            )
            rated.ask(None, browser, "POST", f"{task}/submit", data=told, headers=fragment)
            page = browser.get(address + "/work")


class LabelStudio:
    """Label Studio, its community edition."""

    def __init__(self, venvs: Path, folder: Path, items: int, port: int) -> None:
        self.folder, self.items = folder, items
        command = str(venvs / "label_studio" / "bin" / "label-studio")
        data = ["--data-dir", str(folder / "data"), "--internal-host", "127.0.0.1"]
        lead = ["--username", "lead@example.org", "--password", PASSWORD]
        token = ["--user-token", TOKEN, "--enable-legacy-api-token"]
        self.command = [command, "start", "-b", "-p", str(port), *data, *lead, *token]
        self.env = {
            "COLLECT_ANALYTICS": "false",
            "LABEL_STUDIO_BASE_DATA_DIR": str(folder / "data"),
        }
        self.project = 0
        self.invited = ""

    def prepare(self, address: str) -> None:
        """Makes the project by the interface of programs."""
        lead = requests.Session()
        lead.headers["Authorization"] = f"Token {TOKEN}"
        form = (HERE / "peers" / "label_studio" / "fits.xml").read_text()
        told = {"title": "fits", "label_config": form, "maximum_annotations": 2}
        self.project = lead.post(f"{address}/api/projects", json=told).json()["id"]
        tasks = [
            {"data": {"name": name, "question": question, "answer": answer, "source": source}}
            for name, question, answer, source in rows(self.items)
        ]
        lead.post(f"{address}/api/projects/{self.project}/import", json=tasks).raise_for_status()
        self.invited = lead.get(f"{address}/api/invite").json()["invite_url"]

    def rate(self, address: str, name: str, items: int, rated: Rated) -> None:
        """One rater's way through so many items."""
        if not self.project:
            self.prepare(address)
        browser = requests.Session()
        browser.headers["Referer"] = address
        url = address + "/" + self.invited.split("/", 1)[1]
        told = {**_hidden(browser.get(url).text), "email": name, "password": PASSWORD}
        browser.post(url, data={**told, "allow_newsletters": "false"}).raise_for_status()
        rated.ask(None, browser, "GET", f"{address}/projects/{self.project}/data")
        for _ in range(items):
            browser.headers["X-CSRFToken"] = browser.cookies["csrftoken"]
            following = f"{address}/api/projects/{self.project}/next"
            task = rated.ask(rated.pages, browser, "GET", following).json()["id"]
            value = {"from_name": "fits", "to_name": "answer", "type": "rating"}
            said = {"result": [{**value, "value": {"rating": 4}}], "lead_time": 1.0}
            kept = f"{address}/api/tasks/{task}/annotations/"
            rated.ask(rated.saves, browser, "POST", kept, json=said)
        rated.ask(None, browser, "GET", f"{address}/api/tasks/{task}")


class Potato:
    """Potato."""

    def __init__(self, venvs: Path, folder: Path, items: int, port: int) -> None:
        shutil.copy(HERE / "peers" / "potato" / "fits.yaml", folder / "config.yaml")
        with (folder / "items.jsonl").open("w") as stream:
            for name, question, answer, source in rows(items):
                row = {"id": name, "shown": f"{question} {answer}", "source": source}
                stream.write(json.dumps(row) + "\n")
        command = str(venvs / "potato" / "bin" / "potato")
        self.command = [command, "start", "config.yaml", "-p", str(port), "--host", "127.0.0.1"]
        self.env: dict[str, str] = {}

    def rate(self, address: str, name: str, items: int, rated: Rated) -> None:
        """One rater's way through so many items."""
        browser = requests.Session()
        browser.post(f"{address}/auth", data={"email": name, "pass": ""}).raise_for_status()
        browser.headers["X-Potato-Navigation"] = "1"
        for _ in range(items):
            page = rated.ask(rated.pages, browser, "GET", f"{address}/annotate")
            found = re.search(r'"id": "(item-\d+)"', page.text)
            assert found is not None
            said = {"instance_id": found[1], "annotations": {"fits:4": "4"}, "span_annotations": []}
            rated.ask(rated.saves, browser, "POST", f"{address}/updateinstance", json=said)
            onward = {"action": "next_instance", "instance_id": found[1]}
            rated.ask(None, browser, "POST", f"{address}/annotate", json=onward)


TOOLS = {"deadpan": Deadpan, "label_studio": LabelStudio, "potato": Potato}


def _hidden(page: str) -> dict[str, str]:
    """The hidden fields of a page's forms."""
    fields = re.findall(r'<input[^>]*type="hidden"[^>]*>', page)
    named = [
        (re.search(r'name="([^"]+)"', one), re.search(r'value="([^"]*)"', one)) for one in fields
    ]
    return {name[1]: value[1] for name, value in named if name and value}
