"""What adjudicators do: tick whether words will do, and answer where others disagree."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import and_, exists, not_, or_, select
from sqlalchemy.orm import Session, aliased

from deadpan.base.printable import without_controls
from deadpan.core.study.stages import Review
from deadpan.studies.storage.opened import NotAllowed, OpenStudy, count, languages_read
from deadpan.studies.storage.tables import ItemRow, PersonRow, ProgressRow, ReviewRow, TaskRow
from deadpan.studies.work.answering import SENT_BACK, begin_task
from deadpan.studies.work.transitions import advance


def next_to_judge(session: Session, study: OpenStudy, person: PersonRow) -> TaskRow | None:
    """What an adjudicator has to do: words to check, then items on which others disagree."""
    return _review(session, study, person) or _third(session, study, person)


def _review(session: Session, study: OpenStudy, person: PersonRow) -> TaskRow | None:
    stages = [stage.name for stage in study.study.stages if stage.review]
    practice = study.study.practice
    subject = aliased(TaskRow)
    wanted = [and_(subject.kind == "answer", subject.stage.in_(stages))]
    if practice and practice.by_person:
        wanted.append(subject.kind == "practice")
    query = (
        select(subject)
        .join(ItemRow, ItemRow.id == subject.item)
        .where(
            or_(*wanted),
            subject.state == "submitted",
            subject.person != person.id,
            ItemRow.kind != "check",
            ~exists().where(
                TaskRow.subject == subject.id, TaskRow.kind == "review", TaskRow.state == "open"
            ),
        )
        .order_by(subject.id)
    )
    if (languages := languages_read(study, person)) is not None:
        query = query.where(ItemRow.language.in_(languages))
    found = session.scalars(query.limit(1)).first()
    if found is None:
        return None
    before = count(session, select(ReviewRow.id).where(ReviewRow.task == found.id))
    about = (found.item, found.stage, "review", before + 1, found.id)
    return begin_task(session, study, person, *about)


def _third(session: Session, study: OpenStudy, person: PersonRow) -> TaskRow | None:
    """An item on which others disagree, and of which the person does not know more than a third
    one may: a reviewer saw answers, which not every study shows."""
    seeing = [stage.name for stage in study.study.stages if stage.settling.third_sees]
    query = (
        select(ProgressRow)
        .join(ItemRow, ItemRow.id == ProgressRow.item)
        .where(
            ProgressRow.state == "third",
            ~exists().where(
                TaskRow.item == ProgressRow.item,
                TaskRow.stage == ProgressRow.stage,
                TaskRow.person == person.id,
                TaskRow.state != "released",
                not_(and_(TaskRow.kind == "review", TaskRow.stage.in_(seeing))),
            ),
            ~exists().where(
                TaskRow.item == ProgressRow.item,
                TaskRow.stage == ProgressRow.stage,
                TaskRow.kind == "third",
                TaskRow.state == "open",
            ),
        )
        .order_by(ItemRow.place)
    )
    if (languages := languages_read(study, person)) is not None:
        query = query.where(ItemRow.language.in_(languages))
    found = session.scalars(query.limit(1)).first()
    if found is None:
        return None
    return begin_task(session, study, person, found.item, found.stage, "third")


def review_of(study: OpenStudy, subject: TaskRow) -> Review | None:
    """The points by which a task's words are checked; None where a person decides by themselves, as
    in practice."""
    return study.stage(subject.stage).review if subject.kind == "answer" else None


def decide(
    session: Session,
    study: OpenStudy,
    person: PersonRow,
    task: TaskRow,
    points: Sequence[int],
    comment: str,
    accepts: bool,
) -> bool:
    """Whether the words that a review is about are accepted: where the reviewer says so, and has
    ticked enough of the points. Others go back, with what was said of them."""
    if task.kind != "review" or task.state != "open" or study.is_closed(session):
        raise NotAllowed("review_over")
    subject = session.get_one(TaskRow, task.subject, with_for_update=True, populate_existing=True)
    review = review_of(study, subject)
    ticked = sorted({at for at in points if review and 0 <= at < len(review.points)})
    accepted = accepts and (review is None or len(ticked) >= review.needed)
    words = without_controls(comment).strip()[:4_000]
    session.add(
        ReviewRow(
            task=subject.id,
            person=person.id,
            points=ticked,
            comment=words,
            accepted=accepted,
            at=study.now(),
        )
    )
    task.state, task.ended_at = "submitted", study.now()
    study.note(session, person, "accepted" if accepted else "sent back", task=subject.id)
    if subject.state != "submitted":
        return accepted
    if accepted or subject.kind == "practice":
        subject.state = "accepted"
    else:
        subject.state, subject.note = "open", words or SENT_BACK
    session.flush()
    if accepted and subject.kind == "answer":
        advance(session, study, subject.item, subject.stage)
    return accepted
