"""A study that is served inside of a test, and people who are signed in to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from starlette.responses import Response
from starlette.testclient import TestClient

from deadpan.studies.app import study_app
from deadpan.studies.pages.rendering import renderer
from deadpan.studies.pages.request_context import Doors, Reception
from deadpan.studies.people import accounts
from deadpan.studies.storage.opened import OpenStudy
from deadpan.studies.storage.tables import PersonRow
from deadpan.studies.work.assignment import Queues

PORT = 8000
ORIGIN = f"http://testserver:{PORT}"


@dataclass(frozen=True)
class Browser:
    """Somebody's browser: it keeps their cookie, and sends what their pages' forms hold."""

    client: TestClient
    csrf: str

    def get(self, path: str) -> Response:
        """A page; where it leads elsewhere, that one."""
        return self.client.get(path)

    def post(self, path: str, follow: bool = True, **fields: Any) -> Response:
        """What comes of a form."""
        data = {"csrf": self.csrf, **fields}
        return self.client.post(path, data=data, follow_redirects=follow)


@dataclass(frozen=True)
class Served:
    """A study that is served."""

    study: OpenStudy
    reception: Reception
    app: Any

    @classmethod
    def of(cls, study: OpenStudy, url: str = "") -> Served:
        doors = Doors(PORT, frozenset({"testserver"}), url)
        reception = Reception(study, doors, renderer(study.study), Queues())
        return cls(study, reception, study_app(reception))

    def browser(self, name: str = "") -> Browser:
        """A browser in which somebody is signed in; nobody where no name is given."""
        client = TestClient(self.app, base_url=ORIGIN, headers={"Origin": ORIGIN})
        if not name:
            return Browser(client, "")
        with self.study.database.write() as session:
            query = select(PersonRow).where(PersonRow.name == name)
            found = accounts.sign_in(session, self.study, session.scalars(query).one())
        client.cookies.set(self.reception.doors.cookie, found.token)
        return Browser(client, found.csrf)

    def rows(self, *queries: Any) -> list[Any]:
        """What the database holds."""
        with self.study.database.read() as session:
            return [row for query in queries for row in session.scalars(query)]
