"""What the commands of `deadpan study` share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deadpan.base.errors import MissingExtra

if TYPE_CHECKING:
    from deadpan.studies.storage.opened import OpenStudy

app = typer.Typer(no_args_is_help=True, add_completion=False)
Folder = Annotated[Path, typer.Argument(readable=False)]
File = Annotated[Path, typer.Argument(readable=False)]
"""What cannot be read is told by who opens it, with what to do about it."""
DatabaseOption = Annotated[str, typer.Option(envvar="DEADPAN_STUDY_DATABASE")]


def require_studies() -> None:
    """Raises where what studies need is not installed."""
    try:
        import alembic  # noqa: F401
        import argon2  # noqa: F401
        import fastapi  # noqa: F401
        import sqlalchemy  # noqa: F401
    except ImportError:
        raise MissingExtra("deadpan study", "studies") from None


def opened_study(folder: Path, database: str) -> OpenStudy:
    """The study of a folder."""
    require_studies()
    from deadpan.studies.making.creating import open_study

    return open_study(folder, database)
