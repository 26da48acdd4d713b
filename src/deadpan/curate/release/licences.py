"""A licence as each place wants it said: an address for Croissant, a key for a data-set card."""

from __future__ import annotations

import re
from collections.abc import Sequence

from deadpan.curate.release.material import NOT_STATED

_SPDX = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+-]*")
_CARD_KEYS = frozenset(
    {
        *("apache-2.0", "mit", "cc0-1.0", "cc-by-2.0", "cc-by-3.0", "cc-by-4.0", "cc-by-sa-3.0"),
        *("cc-by-sa-4.0", "cc-by-nc-3.0", "cc-by-nc-4.0", "cc-by-nd-4.0", "cc-by-nc-nd-4.0"),
        *("cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0", "cdla-permissive-2.0", "cdla-sharing-1.0"),
        *("odc-by", "odbl", "pddl", "gpl-3.0", "unlicense"),
    }
)
"""The licences that data-set cards have a key for."""
_OTHER_KEYS = {"odc-by-1.0": "odc-by", "odbl-1.0": "odbl", "pddl-1.0": "pddl"}


def is_stated(licence: str) -> bool:
    """Whether a licence was stated at all."""
    return bool(licence.strip()) and licence.strip() != NOT_STATED


def licence_address(licence: str) -> str | None:
    """The address of a licence: itself where it is one, that of its SPDX name, else its words; None
    where none was stated."""
    said = licence.strip()
    if not is_stated(said):
        return None
    if "://" in said or not _SPDX.fullmatch(said):
        return said
    return f"https://spdx.org/licenses/{said}.html"


def card_licence(licence: str, shown: Sequence[str] = ()) -> dict[str, str]:
    """The licence as the heading of a data-set card says it: by its key, or as another with its
    name or address; `mixed` where something that is shown is under another."""
    said = licence.strip()
    if is_stated(said) and any(one.strip().lower() != said.lower() for one in shown):
        return {"license": "other", "license_name": "mixed", "license_link": "DATASHEET.md"}
    if not is_stated(said):
        return {"license": "unknown"}
    key = _OTHER_KEYS.get(said.lower(), said.lower())
    if key in _CARD_KEYS:
        return {"license": key}
    if said.startswith(("https://", "http://")):
        return {"license": "other", "license_name": "see-link", "license_link": said}
    return {"license": "other", "license_name": said}
