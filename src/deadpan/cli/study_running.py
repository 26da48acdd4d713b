"""`deadpan study`: people invited and served, and what they said."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError
from deadpan.cli.json_output import JsonOption, write_document, write_json
from deadpan.cli.output import console, plain_table, print_scores, say, warn
from deadpan.cli.study_options import (
    DatabaseOption,
    Folder,
    app,
    opened_study,
    require_studies,
)
from deadpan.core.metric import Metric
from deadpan.web.serving import LOOPBACK, is_loopback, open_port


@app.command()
def invite(
    study: Folder,
    name: list[str],
    role: str | None = None,
    team: int | None = None,
    language: list[str] | None = None,
    url: str = "",
    port: int = 8765,
    database: DatabaseOption = "",
) -> None:
    """Invite people: prints a link for each, which is shown once and works once.

    A name that is known already gets a new link in place of the old one, or of a lost password;
    role, team and languages stay.
    """
    opened = opened_study(study, database)
    from deadpan.studies.lead.inviting import invite_people

    where = url.rstrip("/") or f"http://{LOOPBACK}:{port}"
    for who, token in invite_people(opened, name, role, team, language or (), warn):
        typer.echo(f"{who}\t{where}/join/{token}")


@app.command()
def serve(
    study: Folder,
    host: str = LOOPBACK,
    port: int = 8765,
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
        say("Ctrl-C ends it; every answer is saved as it comes in.")
        serve_study(opened, listening, found, model, behind_proxy)


@app.command()
def status(study: Folder, json: JsonOption = None, database: DatabaseOption = "") -> None:
    """How far a study is: items by stage and state, and what everybody has done."""
    opened = opened_study(study, database)
    from deadpan.studies.results.status import study_status

    found = study_status(opened)
    write_document(json, found)
    say(
        f"{opened.study.name}: {count_noun(found.items, 'item')}, "
        f"{count_noun(found.answers, 'answer')} submitted "
        f"({count_noun(found.saved, 'change')} saved){', closed' if found.is_closed else ''}"
    )
    for stage, states in found.stages.items():
        listed = ", ".join(f"{many} {state}" for state, many in states.items()) or "nothing yet"
        say(f"  {stage}: {listed}")
    table = plain_table("who", "role", "team", "state", numbers=("done", "open", "skipped", "s"))
    for one in found.people:
        seconds = "" if one.seconds is None else f"{one.seconds:.0f}"
        team = "" if one.team is None else str(one.team)
        counts = (str(one.done), str(one.open), str(one.skipped), seconds)
        table.add_row(one.name, one.role, team, one.state, *counts)
    if found.people:
        console.print(table)


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
    from deadpan.studies.making.catalogue import own_writer
    from deadpan.studies.results.export_files import write_export
    from deadpan.studies.results.gathering import gather

    folder = out or study / "export"
    for path in write_export(gather(opened, names), folder, format, own_writer(opened.study)):
        say(f"wrote {path}")


@app.command()
def agreement(
    study: Folder,
    groups: Annotated[bool, typer.Option("--groups")] = False,
    json: JsonOption = None,
    database: DatabaseOption = "",
) -> None:
    """How far people agree, question by question; with --groups per rater, pair and batch."""
    opened = opened_study(study, database)
    from deadpan.studies.results.agreeing import study_agreement
    from deadpan.studies.results.export_files import waiting_words
    from deadpan.studies.results.gathering import gather

    found = gather(opened)
    scores = study_agreement(found, groups or json is not None)
    if not scores:
        why = "no answer counts yet" if found.waiting else "nobody has answered"
        raise DeadpanError(f"nothing can be compared yet: {why}{waiting_words(found)}")
    named = opened.study.benchmark
    write_json(json, {named or opened.study.name: scores}, None if named else Metric)
    shown = scores if groups else [one for one in scores if one.group == "all"]
    print_scores(shown, groups=groups)


@app.command()
def close(study: Folder, database: DatabaseOption = "") -> None:
    """Close a study: nothing can be answered any more. `deadpan study reopen` undoes it."""
    opened = opened_study(study, database)
    from deadpan.studies.lead.inviting import set_closed

    set_closed(opened, True)
    say(f"{opened.study.name} is closed")


@app.command()
def reopen(study: Folder, database: DatabaseOption = "") -> None:
    """Let people answer again."""
    opened = opened_study(study, database)
    from deadpan.studies.lead.inviting import set_closed

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

    from deadpan.studies.demo import demo_study, needs_answers
    from deadpan.studies.making.creating import require_free
    from deadpan.studies.serving import address, doors, serve_study
    from deadpan.studies.storage.media import private_folder

    about_answers = needs_answers(template)
    folder = out or Path(tempfile.mkdtemp(prefix="deadpan-study-"))
    require_free(folder)
    with open_port(LOOPBACK, port) as listening:
        found = doors(LOOPBACK, listening.getsockname()[1])
        say(f"making {template} in {folder} …")
        private_folder(folder)
        sources = _baseline_answers(template, folder) if about_answers else []
        opened, links = demo_study(template, folder, sources)
        for who, token in links:
            say(f"{who}: {address(found)}/join/{token}")
        say("Open each link in a private window of its own to be several people at once.")
        say(f"Ctrl-C ends it; `deadpan study serve {folder}` goes on.")
        first = f"{address(found)}/join/{links[0][1]}"
        serve_study(opened, listening, found, begin=lambda: _open(first) if browser else None)


def _baseline_answers(template: str, folder: Path) -> list[Path]:
    """What the embedded baselines answer, where a study is about answers."""
    from deadpan.api import evaluate

    store = folder / "answers"
    for model in ("baseline/majority", "baseline/random"):
        evaluate(template.partition("/")[0], model=model, store=store, progress=False)
    return [store]


def _open(where: str) -> None:
    import webbrowser

    if not webbrowser.open(where):
        say("no browser could be opened: open the address yourself")
