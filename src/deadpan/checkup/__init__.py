"""What `deadpan doctor` looks at: what is here, what is missing, what to do about it.

A check-up has to work where nothing else does: modules here need the standard library alone, and
import what may be broken inside of a check, which is never waited for without end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from deadpan.checkup.data import data_findings, resource_findings
from deadpan.checkup.findings import Check, Finding, cleaned
from deadpan.checkup.machine import disk_findings, font_findings, program_findings
from deadpan.checkup.packages import package_findings
from deadpan.checkup.servers import key_findings, server_findings

__all__ = ["Finding", "examine", "fails"]

_SOON, _LATE, _LATEST = 15.0, 60.0, 400.0
"""Seconds that checks may take: of files, of servers, of every import."""


def examine(
    extras: Mapping[str, Sequence[str]], online: bool = False, data: Path = Path("data")
) -> list[Finding]:
    """Everything that was looked at, in order. Servers of other machines only if `online`."""
    core = Check("core", "packages", lambda: package_findings(extras), _LATEST).findings()
    if fails(core):
        # What else there is stands on these packages, and one of them may end the process.
        said = "not looked at while the core is broken"
        return cleaned([*core, Finding("machine", "the rest", "note", said)], fully=False)
    begun = [
        Check("machine", "programs", program_findings, _SOON),
        Check("machine", "fonts", font_findings, _SOON),
        Check("machine", "disk", disk_findings, _SOON),
        Check("resources", "resources", resource_findings, _SOON),
        Check("data", "data", lambda: data_findings(data), _SOON),
        Check("keys", "keys", key_findings, _SOON),
        Check("servers", "servers", lambda: server_findings(online), _LATE),
    ]
    return cleaned([*core, *(finding for check in begun for finding in check.findings())])


def fails(findings: Sequence[Finding], asked: Sequence[str] = ()) -> list[Finding]:
    """What is in the way: of the core, and of the extras that were asked for."""
    return [
        one
        for one in findings
        if one.state in ("missing", "broken")
        and (one.section == "core" or (one.section == "extras" and one.name in asked))
    ]
