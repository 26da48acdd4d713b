"""Credentials taken out of whatever is kept or printed: servers echo them."""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Iterable
from html import escape
from urllib.parse import quote, quote_plus, urlsplit, urlunsplit

REDACTED = "[redacted]"
_NAME = re.compile(r"API_?KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|(?:^|_)KEY$", re.I)
_LONG_PIECE = 12
_SHORTEST = 8
"""What is shorter is a word such as `none` or `EMPTY`, and no credential."""
_USUAL = re.compile(
    r"\b(?:sk-[A-Za-z0-9_-]{16,200}|AIza[A-Za-z0-9_-]{30,50}|hf_[A-Za-z0-9]{20,80})"
    r"|\bBearer\s{1,4}[A-Za-z0-9._~+/=-]{8,400}",
)


def environment_secrets() -> list[str]:
    """The values of environment variables that are named like credentials."""
    return [
        value.strip()
        for name, value in os.environ.items()
        if _NAME.search(name) and len(value.strip()) >= _SHORTEST
    ]


class Redactor:
    """Replaces known credentials, and what looks like one, by `[redacted]`."""

    def __init__(self, known: Iterable[str | None] = ()) -> None:
        given = [*(one for one in known if one), *environment_secrets()]
        forms = {form for one in given if len(one) >= _SHORTEST for form in _forms(one)}
        longest_first = sorted(forms, key=len, reverse=True)
        patterns = [*map(re.escape, longest_first), *(p for one in given for p in _pieces(one))]
        self._known = re.compile("|".join(patterns), re.I) if forms else None

    def __call__(self, text: str) -> str:
        """The text without credentials."""
        if self._known is not None:
            text = self._known.sub(REDACTED, text)
        return _USUAL.sub(REDACTED, text)

    def known_only(self, text: str) -> str:
        """The text without known credentials: for replies, where other words are a model's own."""
        return self._known.sub(REDACTED, text) if self._known is not None else text


def _forms(secret: str) -> set[str]:
    """A credential as it is, and in addresses, JSON, HTML, hexadecimal, base64 and an authorisation
    without a user."""
    data = secret.encode()
    encoded = [base64.b64encode(one).decode() for one in (data, b":" + data)]
    escaped = {quote(secret, safe=""), quote_plus(secret), json.dumps(secret)[1:-1], escape(secret)}
    return {secret, data.hex(), *escaped, *encoded, *(one.rstrip("=") for one in encoded)}


def _pieces(secret: str) -> list[str]:
    """Patterns for a long credential that was cut at its beginning or its end."""
    most = len(secret) * 3 // 5
    if most < _LONG_PIECE:
        return []
    first, last = re.escape(secret[:most]), re.escape(secret[-most:])
    return [rf"{first}[\w.~+/=-]{{0,100}}", rf"[\w.~+/=-]{{0,100}}{last}"]


def without_credentials(address: str) -> str:
    """An address without user name, password and query."""
    parts = urlsplit(address)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))
