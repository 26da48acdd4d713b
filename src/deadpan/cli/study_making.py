"""`deadpan study`: studies made, drafted, changed, saved and brought back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from pydantic import BaseModel

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError, meant
from deadpan.cli.json_output import json_text
from deadpan.cli.output import counting_bar, say, warn
from deadpan.cli.study_options import (
    DatabaseOption,
    File,
    Folder,
    app,
    opened_study,
    require_studies,
)
from deadpan.cli.tables import plain_table, print_table


@app.command("list")
def list_templates() -> None:
    """The studies of the five papers that can be made, and what each is made from."""
    require_studies()
    from deadpan.studies.making.catalogue import templates

    table = plain_table("study", "from", "what people do")
    for benchmark, template in templates():
        about = template.about or template.title.get("en", "")
        table.add_row(f"{benchmark.name}/{template.name}", template.source, about)
    print_table(table)


@app.command()
def schema(of: Annotated[str, typer.Argument()] = "study") -> None:
    """Print the JSON schema of a study, or of an item, for an editor to check files with."""
    from deadpan.core.study.items import StudyItem
    from deadpan.core.study.schema import editor_schema
    from deadpan.core.study.specification import Study

    known: dict[str, type[BaseModel]] = {"study": Study, "items": StudyItem}
    if of not in known:
        raise DeadpanError(f"{of}: expected study or items{meant(of, known)}")
    typer.echo(json_text(editor_schema(known[of])))


@app.command()
def create(
    template: str,
    from_: Annotated[list[Path] | None, typer.Option("--from", readable=False)] = None,
    out: Annotated[Path | None, typer.Option(readable=False)] = None,
    data: Path | None = None,
    set_: Annotated[list[str] | None, typer.Option("--set")] = None,
    seed: int = 0,
    name: str = "",
    judge: str | None = None,
    recruit: str = "",
    files_anywhere: Annotated[bool, typer.Option("--files-anywhere")] = False,
    database: DatabaseOption = "",
) -> None:
    """Make a study in a folder: of a benchmark's data, of models' answers, or one of your own.

    TEMPLATE is one that `deadpan study list` shows, or a YAML file of your own, whose items are a
    file of JSON lines, with the files that they name beside it. `--set ?` lists what can be chosen.
    """
    require_studies()
    from deadpan.core.study.least_people import least_people_words
    from deadpan.core.study.translation import untranslated_notes
    from deadpan.studies.making.catalogue import make_study, recruited, renamed
    from deadpan.studies.making.creating import create_study

    settings = {}
    for one in set_ or ():
        key, equals, value = one.partition("=")
        if not equals:
            _print_options(template)
            return
        settings[key] = value
    found = make_study(template, from_ or (), data, settings, seed, files_anywhere, judge)
    made = recruited(renamed(found, name), recruit)
    folder = out or Path(made.study.name)
    with counting_bar("files", at_once=True) as bar:
        done = 0

        def progress() -> None:
            nonlocal done
            done += 1
            bar(done, len(made.items))

        created = create_study(folder, made.study, made.items, database, progress)
    for line in [*made.notes, *created.notes, *untranslated_notes(made.study)]:
        warn(line)
    for line in made.study.silent:
        say(f"the paper leaves open: {line}", "dim")
    every = count_noun(len(made.items), "item")
    of = f"{created.items} of " if created.left_out else ""
    say(f"made {folder}: {of}{every}")
    if not made.study.recruiting:
        say(f"it takes at least {least_people_words(made.study)}")
    say(f"next: deadpan study invite {folder} NAME --role rater; deadpan study serve {folder}")
    if recruiting := made.study.recruiting:
        say(f"the platform's link: https://HOST{recruiting.link}")
        say(f"the completion code: {recruiting.code or 'each person has one of their own'}")
    if created.left_out:
        for line in created.left_out[:20]:
            warn(line)
        many = f"{len(created.left_out)} of {every} left out"
        warn(f"warning: {many}: their files cannot be shown; mend them and make the study anew")
        raise typer.Exit(1)


def _print_options(template: str) -> None:
    from deadpan.studies.making.catalogue import find_template

    _, found = find_template(template)
    table = plain_table("--set", "default", "what", "in the paper")
    for option in found.options:
        values = f" ({', '.join(option.values)})" if option.values else ""
        table.add_row(option.name, option.default, option.about + values, option.paper)
    print_table(table)


@app.command()
def draft(
    study: Folder,
    model: Annotated[str, typer.Option()],
    limit: int | None = None,
    database: DatabaseOption = "",
) -> None:
    """Let a model answer first, for people to accept or correct; before anybody has begun."""
    opened = opened_study(study, database)
    from deadpan.studies.models.drafting import draft_study

    with counting_bar("drafts", at_once=True) as bar:
        done = 0

        def progress() -> None:
            nonlocal done
            done += 1
            bar(done, max(done, limit or 0))

        found = draft_study(opened, model, limit=limit, progress=progress)
    for name, many in found.refused.items():
        warn(f"{name}: {count_noun(many, 'draft')} left out that the question does not take")
    for item, why in list(found.failed.items())[:20]:
        warn(f"{item}: no draft ({why})")
    before = f", {found.known} had one before" if found.known else ""
    drafted = f"{count_noun(found.answers, 'answer')} of {count_noun(found.items, 'item')}"
    say(f"drafted {drafted}{before}")
    if found.failed:
        lacking = count_noun(len(found.failed), "item")
        warn(f"{lacking} without a draft: the same command tries again")


@app.command()
def update(study: Folder, file: File, database: DatabaseOption = "") -> None:
    """Take over a changed study.yaml as a new version; what was answered stays as it was asked.

    Words can change at any time: titles, help, guidelines, consent, pay, minutes. Questions,
    options and rules can until the first person begins; a file that changes them later is refused.
    """
    opened = opened_study(study, database)
    from deadpan.core.study.translation import untranslated_notes
    from deadpan.studies.lead.updating import update_study

    found = update_study(opened, file)
    for line in untranslated_notes(opened.study):
        warn(line)
    for one in found.changes:
        say(f"changed {one}")
    say(f"{opened.study.name} is at version {found.version}")


@app.command()
def backup(study: Folder, file: Path, database: DatabaseOption = "") -> None:
    """Save a study, which may be running, in one file: FILE.tar.zst or FILE.tar.gz."""
    require_studies()
    from deadpan.studies.backup.saving import backup as save

    found = save(study, file, database)
    for name in found.missing:
        warn(f"{name}: missing from the study's files")
    saved = f"{count_noun(found.rows, 'row')} and {count_noun(found.files, 'file')}"
    say(f"saved {saved} in {found.path}")


@app.command()
def restore(
    file: File,
    study: Folder,
    any_size: Annotated[bool, typer.Option("--any-size")] = False,
    database: DatabaseOption = "",
) -> None:
    """Bring a study back from a backup, into an empty folder; from SQLite to PostgreSQL too.

    One that is more than a hundred times as large unpacked is refused without --any-size.
    """
    require_studies()
    from deadpan.studies.backup.saving import restore as bring_back

    found = bring_back(file, study, database, any_size)
    say(f"restored {found.opened.study.name} in {study}")
