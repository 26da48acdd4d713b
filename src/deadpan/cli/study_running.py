"""`deadpan study`: people invited and served, and what they said."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError
from deadpan.benchmarks import find
from deadpan.cli.json_output import JsonOption, write_document, write_json
from deadpan.cli.output import say, warn
from deadpan.cli.score_tables import print_scores
from deadpan.cli.study_options import (
    DatabaseOption,
    Folder,
    app,
    opened_study,
    require_studies,
)
from deadpan.cli.tables import plain_table, print_table
from deadpan.metrics.chosen_scores import metric_of_ratings
from deadpan.web.serving import LOOPBACK, is_loopback, open_port

PORT = 8765


@app.command()
def invite(
    study: Folder,
    name: list[str],
    role: str | None = None,
    team: int | None = None,
    language: list[str] | None = None,
    url: str = "",
    port: int = PORT,
    again: Annotated[bool, typer.Option("--again")] = False,
    database: DatabaseOption = "",
) -> None:
    """Invite people: prints a link for each, which is shown once and works once.

    A name that is invited already gets a new link in place of the old one; role, team and
    languages stay. Who has joined gets one with --again, in place of a lost password.
    """
    opened = opened_study(study, database)
    from deadpan.studies.lead.operations import invite_people
    from deadpan.studies.serving import joining_address

    where = joining_address(url, port)
    for who, token in invite_people(opened, name, role, team, language or (), warn, again):
        typer.echo(f"{who}\t{where}/join/{token}")


@app.command()
def revoke(
    study: Folder,
    name: list[str],
    leave_out: Annotated[bool, typer.Option("--leave-out")] = False,
    database: DatabaseOption = "",
) -> None:
    """Take back invitations that are not used yet, and shut out who has joined.

    They are signed out at once, and others get what they had begun. What they answered stays,
    unless it is left out: others are then asked about items that lack people. `deadpan study
    invite` lets them in again.
    """
    opened = opened_study(study, database)
    from deadpan.studies.lead.operations import revoke_people

    for line in revoke_people(opened, name, leave_out):
        say(line)


@app.command()
def serve(
    study: Folder,
    host: str = LOOPBACK,
    port: int = PORT,
    url: str = "",
    model: str | None = None,
    behind_proxy: Annotated[bool, typer.Option("--behind-proxy")] = False,
    database: DatabaseOption = "",
) -> None:
    """Serve a study until Ctrl-C: on this machine, or with --url for people elsewhere."""
    opened = opened_study(study, database)
    from deadpan.studies.serving import address, doors, require_writable, serve_study

    require_writable(opened)
    with open_port(host, port) as listening:
        found = doors(host, listening.getsockname()[1], url)
        if not is_loopback(host) and not found.is_secure:
            warn(f"--host {host}: others can reach this without encryption; put it behind TLS")
        say(f"{opened.study.name}: {address(found, host)}")
        if not url and port != PORT:
            say(f"invite people with --port {found.port}: their links are for {PORT} otherwise")
        say("Ctrl-C ends it; every answer is saved as it comes in.")
        serve_study(opened, listening, found, model, behind_proxy)


@app.command()
def status(study: Folder, json: JsonOption = None, database: DatabaseOption = "") -> None:
    """How far a study is: items by stage and state, and what everybody has done."""
    opened = opened_study(study, database)
    from deadpan.studies.lead.staffing import people_needed
    from deadpan.studies.results.status import study_status

    found = study_status(opened)
    write_document(json, asdict(found))
    say(
        f"{opened.study.name}: {count_noun(found.items, 'item')}, "
        f"{count_noun(found.answers, 'answer')} submitted "
        f"({count_noun(found.saved, 'change')} saved){', closed' if found.is_closed else ''}"
    )
    for stage, states in found.stages.items():
        listed = ", ".join(f"{many} {state}" for state, many in states.items()) or "nothing yet"
        say(f"  {stage}: {listed}")
    if found.waiting:
        say(f"  {count_noun(found.waiting, 'answer')} to be looked at by a reviewer")
    if found.lacking:
        say(f"  items that lack people because answers were left out: {found.lacking}")
    if found.sent_away:
        many = count_noun(found.sent_away, "item")
        say(f"  {many} returned, to be made anew and reviewed in a next study: export says why")
    for lack in people_needed(opened):
        say(f"  {lack.invitation}")
    numbers = ("done", "open", "skipped", "seconds")
    table = plain_table("who", "role", "team", "state", numbers=numbers)
    for one in found.people:
        seconds = "" if one.seconds is None else f"{one.seconds:.0f}"
        team = "" if one.team is None else str(one.team)
        counts = (str(one.done), str(one.open), str(one.skipped), seconds)
        state = f"{one.state}, practice {one.practice}" if one.practice else one.state
        table.add_row(one.name, one.role, team, state, *counts)
    if found.people:
        print_table(table)


@app.command()
def export(
    study: Folder,
    out: Path | None = None,
    format: str = "jsonl",
    names: Annotated[bool, typer.Option("--names")] = False,
    database: DatabaseOption = "",
) -> None:
    """Write what came out: annotations, ratings or choices, gold, times; without names.

    The files are those that `deadpan agreement --annotations`, `ratings`, `choices`, `score
    --people` and `audit judge --people` read. Formats: jsonl, csv, parquet, label-studio.
    """
    opened = opened_study(study, database)
    from deadpan.studies.making.catalogue import own_template
    from deadpan.studies.results.export_files import left_out_notes, write_export
    from deadpan.studies.results.gathering import gather

    folder = out or study / "export"
    found, template = gather(opened, names), own_template(opened.study)
    written = write_export(found, folder, format, template)
    for path in written:
        say(f"wrote {path}")
    for note in left_out_notes(found, written, template):
        say(note)


@app.command()
def agreement(
    study: Folder,
    groups: Annotated[bool, typer.Option("--groups")] = False,
    json: JsonOption = None,
    database: DatabaseOption = "",
) -> None:
    """How far people agree, question by question; with --groups per rater, pair and batch.

    Of ratings, how far raters agree on each scale; --groups adds what they say of each source.
    """
    opened = opened_study(study, database)
    from deadpan.studies.results.agreement import (
        over_everything,
        study_agreement,
        undefined_notes,
    )
    from deadpan.studies.results.export_files import waiting_words
    from deadpan.studies.results.gathering import gather

    found = gather(opened)
    scores = study_agreement(found, groups or json is not None)
    if not scores:
        why = "no answer counts yet" if found.waiting else "nobody has answered"
        raise DeadpanError(f"nothing can be compared yet: {why}{waiting_words(found)}")
    named = opened.study.benchmark
    about = find(named).metric if named else metric_of_ratings
    write_json(json, {named or opened.study.name: scores}, about)
    shown = scores if groups else over_everything(found, scores)
    print_scores(shown, any(one.group != "all" for one in shown), about)
    for note in undefined_notes(shown):
        say(note)


@app.command()
def close(study: Folder, database: DatabaseOption = "") -> None:
    """Close a study: nothing can be answered any more. `deadpan study reopen` undoes it."""
    opened = opened_study(study, database)
    from deadpan.studies.lead.operations import set_closed

    set_closed(opened, True)
    say(f"{opened.study.name} is closed")


@app.command()
def reopen(study: Folder, database: DatabaseOption = "") -> None:
    """Let people answer again."""
    opened = opened_study(study, database)
    from deadpan.studies.lead.operations import set_closed

    set_closed(opened, False)
    say(f"{opened.study.name} is open")


@app.command()
def demo(
    template: Annotated[str, typer.Argument()] = "pixelhumor/annotation",
    out: Path | None = None,
    port: int = 0,
    browser: Annotated[bool, typer.Option("--browser/--no-browser")] = True,
) -> None:
    """Open a study on the mini-set, with an invitation for each role."""
    require_studies()
    import tempfile

    from deadpan.studies.demo import demo_study, shows_examples
    from deadpan.studies.making.creating import require_free
    from deadpan.studies.serving import address, doors, serve_study

    has_examples = shows_examples(template)
    folder = out or Path(tempfile.mkdtemp(prefix="deadpan-study-"))
    require_free(folder)
    with open_port(LOOPBACK, port) as listening:
        found = doors(LOOPBACK, listening.getsockname()[1])
        say(f"making {template} in {folder} …")
        opened, links = demo_study(template, folder)
        if has_examples:
            say("What is shown as answers was made up for the demo: it is no model's.")
        for who, token in links:
            say(f"{who}: {address(found)}/join/{token}")
        say("Open each link in a private window of its own to be several people at once.")
        say(f"Ctrl-C ends it; `deadpan study serve {folder}` goes on.")
        first = f"{address(found)}/join/{links[0][1]}"
        serve_study(opened, listening, found, begin=lambda: _open(first) if browser else None)


def _open(where: str) -> None:
    import webbrowser

    if not webbrowser.open(where):
        say("no browser could be opened: open the address yourself")
