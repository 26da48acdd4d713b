"""How models are asked, as options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

PromptsOption = Annotated[
    Path | None, typer.Option("--prompts", help="Folder of prompts that replace ours.")
]
LimitOption = Annotated[
    int | None, typer.Option("--limit", min=1, help="Ask the first N items only.")
]
LogsOption = Annotated[Path, typer.Option("--logs", help="Where logs are kept.")]
ConnectionsOption = Annotated[
    int, typer.Option("--max-connections", min=1, help="Calls in flight at once.")
]
RetriesOption = Annotated[
    int, typer.Option("--max-retries", min=0, help="Times a failing call is tried again.")
]
TimeoutOption = Annotated[
    int, typer.Option("--timeout", min=1, help="Seconds one attempt at a call may take.")
]
