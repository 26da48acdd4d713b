"""Who signed that what they wrote may be used."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from deadpan.base.errors import InputError
from deadpan.base.rows import read_csv
from deadpan.collecting.anonymise.names import name_key

_YES = frozenset(
    ("yes", "y", "true", "1", "signed", "x", "✓", "√", "是", "已签", "已签署", "同意", "签了")
)
_NO = frozenset(
    ("no", "n", "false", "0", "", "unsigned", "withdrawn", "否", "未签", "未签署", "不同意", "撤回")
)


def signed_names(path: Path) -> frozenset[str]:
    """Those who signed, by what names are known by; somebody who is listed twice signed only where
    each line says so. An entry that is neither yes nor no raises."""
    table = read_csv(path, ("participant", "signed"), ",;\t")
    name_at, signed_at = (table.header.index(one) for one in ("participant", "signed"))
    signed: dict[str, bool] = {}
    for line, cells in table.rows:
        padded = [*cells, *[""] * len(table.header)]
        name, said = name_key(padded[name_at]), padded[signed_at].strip().casefold()
        if said not in _YES | _NO:
            what = f'signed: got "{said[:40]}"; expected yes or no'
            raise InputError(f"{path}:{line}", what, "Correct the line.")
        if name:
            signed[name] = signed.get(name, True) and said in _YES
    return frozenset(name for name, is_signed in signed.items() if is_signed)


def without_consent(speakers: Iterable[str], signed: frozenset[str]) -> int:
    """How many of those who speak did not sign."""
    return len({name_key(one) for one in speakers} - signed)
