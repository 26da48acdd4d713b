"""What a study keeps. Answers, reviews, messages and events are only added to; of several answers
of one task to one question the last holds."""

from __future__ import annotations

from typing import Any

from pydantic import JsonValue
from sqlalchemy import JSON, Float, ForeignKey, Index, Integer, String, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

APPENDED = ("answers", "reviews", "messages", "events", "specifications")
"""The tables whose rows are never changed: the database itself refuses."""


class Base(DeclarativeBase):
    """Times are seconds since 1970, in UTC."""

    type_annotation_map = {float: Float(53), dict[str, Any]: JSON, list[Any]: JSON}  # noqa: RUF012


class SettingRow(Base):
    """A fact about the whole study: the secret that orders are drawn with, when it was closed."""

    __tablename__ = "settings"

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[str] = mapped_column(Text)


class SpecificationRow(Base):
    """The study as it is written down; every change is a new version."""

    __tablename__ = "specifications"

    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    text: Mapped[str] = mapped_column(Text)
    at: Mapped[float]


class ItemRow(Base):
    """An item. `content` is the item itself with its sealed parts; `place` is drawn at random."""

    __tablename__ = "items"

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(Text)
    language: Mapped[str] = mapped_column(String(8))
    kind: Mapped[str] = mapped_column(String(16))
    content: Mapped[dict[str, Any]]
    later: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """By stage the item as it is from there on, where what people drew becomes part of it."""
    place: Mapped[int]
    team: Mapped[int | None]
    batch: Mapped[int | None] = mapped_column(ForeignKey("batches.id"))


class BatchRow(Base):
    """Items of a team that are released together: waiting, open, answered, accepted."""

    __tablename__ = "batches"

    id: Mapped[int] = mapped_column(primary_key=True)
    team: Mapped[int]
    number: Mapped[int]
    state: Mapped[str] = mapped_column(String(16))
    checked: Mapped[list[Any]]
    """The items that a lead looks at."""


class PersonRow(Base):
    """Somebody who takes part. Only hashes of invitations and passwords are kept."""

    __tablename__ = "people"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(80), unique=True)
    role: Mapped[str] = mapped_column(String(16))
    team: Mapped[int | None]
    languages: Mapped[list[Any]]
    """Of items that the person reads; all where none is named."""
    language: Mapped[str] = mapped_column(String(8))
    """Of pages."""
    password: Mapped[str | None] = mapped_column(Text)
    invitation: Mapped[str | None] = mapped_column(String(64), unique=True)
    outside: Mapped[str | None] = mapped_column(String(64), unique=True)
    """The hash of the name that a recruiting platform gives."""
    parameters: Mapped[dict[str, Any]]
    code: Mapped[str] = mapped_column(String(32))
    invited_at: Mapped[float]
    joined_at: Mapped[float | None]
    consented_at: Mapped[float | None]
    practised_at: Mapped[float | None]
    withdrew_at: Mapped[float | None]
    left_out: Mapped[bool] = mapped_column(default=False)
    """Whether somebody who withdrew wants their answers left out."""
    revoked_at: Mapped[float | None]


class SessionRow(Base):
    """A browser that is signed in."""

    __tablename__ = "sessions"

    token: Mapped[str] = mapped_column(String(64), primary_key=True)
    """Its hash."""
    person: Mapped[int] = mapped_column(ForeignKey("people.id"))
    csrf: Mapped[str] = mapped_column(String(64))
    began_at: Mapped[float]
    ends_at: Mapped[float]


class ProgressRow(Base):
    """How far an item is in a stage: open, discussing, third, settled, discarded, returned,
    disputed. `claims` counts the people who have it or had it."""

    __tablename__ = "progress"
    __table_args__ = (
        UniqueConstraint("item", "stage"),
        Index("progress_open", "stage", "state", "claims"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    item: Mapped[int] = mapped_column(ForeignKey("items.id"))
    stage: Mapped[str] = mapped_column(String(64))
    state: Mapped[str] = mapped_column(String(16))
    claims: Mapped[int] = mapped_column(Integer, default=0)
    result: Mapped[dict[str, Any]]
    reason: Mapped[str] = mapped_column(Text, default="")
    at: Mapped[float]


class TaskRow(Base):
    """What one person has to do about an item in a stage: open, submitted, accepted, skipped,
    released, left out.
    `token` is its name in addresses; `subject` the task that a review is about."""

    __tablename__ = "tasks"
    __table_args__ = (
        UniqueConstraint("item", "stage", "person", "kind", "round", "subject"),
        Index("tasks_of_person", "person", "state"),
        Index("tasks_of_item", "item", "stage"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    token: Mapped[str] = mapped_column(String(32), unique=True)
    item: Mapped[int] = mapped_column(ForeignKey("items.id"))
    stage: Mapped[str] = mapped_column(String(64))
    person: Mapped[int] = mapped_column(ForeignKey("people.id"))
    kind: Mapped[str] = mapped_column(String(16))
    round: Mapped[int] = mapped_column(default=1)
    subject: Mapped[int] = mapped_column(default=0)
    state: Mapped[str] = mapped_column(String(16))
    note: Mapped[str] = mapped_column(Text, default="")
    """Why it was skipped, or sent back."""
    opened_at: Mapped[float]
    """When its person got it, or was last shown it after it had come back to them."""
    ended_at: Mapped[float | None]
    """Since when its person is not at it: they are done, or were not shown it since it came back;
    None while they are."""
    seconds: Mapped[float | None]
    """How long they worked on it, without waiting."""


class AnswerRow(Base):
    """One answer, as it was saved. `key` is the request's own, so that none counts twice."""

    __tablename__ = "answers"
    __table_args__ = (UniqueConstraint("task", "key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    task: Mapped[int] = mapped_column(ForeignKey("tasks.id"))
    question: Mapped[str] = mapped_column(String(64))
    value: Mapped[JsonValue] = mapped_column(JSON, nullable=True)
    origin: Mapped[str] = mapped_column(String(16))
    """person, draft (accepted), adopted (from another), undone."""
    undoes: Mapped[int | None]
    version: Mapped[int]
    key: Mapped[str] = mapped_column(String(64))
    at: Mapped[float]


class ReviewRow(Base):
    """A reviewer's decision on a task's words."""

    __tablename__ = "reviews"

    id: Mapped[int] = mapped_column(primary_key=True)
    task: Mapped[int] = mapped_column(ForeignKey("tasks.id"), index=True)
    person: Mapped[int] = mapped_column(ForeignKey("people.id"))
    points: Mapped[list[Any]]
    comment: Mapped[str] = mapped_column(Text)
    accepted: Mapped[bool]
    at: Mapped[float]


class MessageRow(Base):
    """What was said about an item in a discussion, or by a model that was asked; `model` is empty
    where a person said it."""

    __tablename__ = "messages"
    __table_args__ = (Index("messages_of_item", "item", "stage"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    item: Mapped[int] = mapped_column(ForeignKey("items.id"))
    stage: Mapped[str] = mapped_column(String(64))
    person: Mapped[int] = mapped_column(ForeignKey("people.id"))
    model: Mapped[str] = mapped_column(Text, default="")
    text: Mapped[str] = mapped_column(Text)
    at: Mapped[float]


class EventRow(Base):
    """The audit trail: who did what, when."""

    __tablename__ = "events"

    id: Mapped[int] = mapped_column(primary_key=True)
    person: Mapped[int | None] = mapped_column(ForeignKey("people.id"))
    what: Mapped[str] = mapped_column(String(32))
    about: Mapped[dict[str, Any]]
    at: Mapped[float]


class AttemptRow(Base):
    """A failed attempt to sign in or to join: by what name, hashed, and from where."""

    __tablename__ = "attempts"
    __table_args__ = (Index("attempts_of_subject", "subject", "at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    subject: Mapped[str] = mapped_column(String(64))
    at: Mapped[float]


class MediaRow(Base):
    """A file that the study keeps, by its checksum."""

    __tablename__ = "media"

    checksum: Mapped[str] = mapped_column(String(64), primary_key=True)
    type: Mapped[str] = mapped_column(String(32))
    width: Mapped[int | None]
    height: Mapped[int | None]
