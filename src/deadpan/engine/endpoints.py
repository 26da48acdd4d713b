"""Endpoints: a first short question, what they refuse, and the credentials that they echo."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Literal
from urllib.parse import quote, quote_plus, urlsplit, urlunsplit
from urllib.request import getproxies

from deadpan.base.errors import DeadpanError
from deadpan.base.files import read_text
from deadpan.engine.calls import BatchEngine, CallError, Engine
from deadpan.engine.requests import Image, Message, Sampling, Video

Kind = Literal["text", "image"]
_WRONG_KEY = "the key is not accepted"
_FINAL = {401: _WRONG_KEY, 403: _WRONG_KEY, 404: "no such model, or no such address"}
_CHAT_ALONE = (
    "openai/… asks OpenAI's newer interface: a server that speaks chat completions alone is named "
    "openai-api/NAME/…, with NAME_BASE_URL and NAME_API_KEY"
)
_CONNECT_SECONDS = 5
_ANSWER_SECONDS = 30
_CUT_SECONDS = (1.0, 3.0)
"""How long is waited before a first question whose connection was cut is put again."""
_SIDE = 64
QUESTION = "This is a test of the connection. Reply with the single word OK."
"""What is asked first of every endpoint."""
_REFUSALS = {
    name: re.compile(pattern, re.I)
    for name, pattern in tomllib.loads(read_text(Path(__file__).with_name("refusals.toml"))).items()
}
"""How providers word what they refuse, in patterns."""
_WORDS = {"one": "1", "a single": "1", "two": "2", "three": "3", "four": "4", "five": "5"}
_LEAST_TOKENS = 16
_LONGEST_MESSAGE = 4000

REDACTED = "[redacted]"
_NAME = re.compile(r"API_?KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|(?:^|_)KEY$", re.I)
_NOTHING = r"(?!)"
_LONG_PIECE = 12
_MOST_LEFT = 100
_REST = re.compile(rf"[\w.~+/=-]{{0,{_MOST_LEFT}}}")
"""What is left of a credential beside a piece that is known, as far as it is taken for that."""
_SHORTEST = 8
"""What is shorter is a word such as `none` or `EMPTY`, and no credential."""
_USUAL = re.compile(
    r"\b(?:sk-[A-Za-z0-9_-]{16,200}|AIza[A-Za-z0-9_-]{30,50}|hf_[A-Za-z0-9]{20,80})"
    r"|\bBearer\s{1,4}[A-Za-z0-9._~+/=-]{8,400}",
)


async def probe(
    engine: Engine, sampling: Sampling, kind: Kind, option: str = "--model"
) -> str | None:
    """Asks once, with the kind of content that is to follow. Raises where no question can succeed:
    no connection, a wrong key, an unknown model, no vision. What may pass is returned as a warning;
    None where all is well, or where there is no server to try."""
    if engine.is_local:
        return None
    name = f"{option} {engine.name}"
    where = f" at {engine.server}" if engine.server else ""
    if why := await engine.reaches(_CONNECT_SECONDS):
        raise DeadpanError(
            f"{name}: no server answers{where} ({why}). Start it, or mend the address."
        )
    contents = (*((_picture(),) if kind == "image" else ()), QUESTION)
    waits = iter(_CUT_SECONDS)
    while True:
        try:
            await asyncio.wait_for(_first_answer(engine, contents, sampling), _ANSWER_SECONDS)
            return None
        except TimeoutError:
            return f"{engine.name} has not answered a first short question in {_ANSWER_SECONDS} s"
        except DeadpanError:
            raise
        except Exception as error:  # whatever a provider raises tells about the endpoint
            failed = engine.describe(error)
        wait = next(waits, None) if failed.unreachable else None
        if wait is None:
            return _verdict(failed, name, where, kind, sampling)
        await asyncio.sleep(wait)


async def _first_answer(
    engine: Engine, contents: Sequence[str | Image | Video], sampling: Sampling
) -> None:
    first = [Message("user", tuple(contents))]
    if isinstance(engine, BatchEngine):
        await engine.generate_now(first, sampling)
    else:
        await engine.generate(first, sampling, None)


def _verdict(
    failed: CallError, name: str, where: str, kind: Kind, sampling: Sampling
) -> str | None:
    """Raises for what would fail every time; else what to warn of."""
    said = failed.message
    if failed.status in _FINAL:
        is_chat_alone = failed.status == 404 and where and " openai/" in name
        hint = f". {_CHAT_ALONE}" if is_chat_alone else ""
        raise DeadpanError(f"{name}: {_FINAL[failed.status]}{where}: {said}{hint}")
    if failed.unreachable:
        proxies = ", ".join(sorted(f"${one.upper()}_PROXY" for one in getproxies()))
        hint = f". Calls go through a proxy ({proxies}): check it." if proxies else ""
        raise DeadpanError(f"{name}: no server answers{where}: {said}{hint}")
    if failed.status is None and _says("page", said):
        raise DeadpanError(
            f"{name}: what answers{where} does not speak OpenAI's protocol: {said}. Mend the "
            "address: its port, and its path, which often ends in /v1."
        )
    if failed.status in (400, 415, 422):
        if refuses_schema(said) or fewer_tokens(said, sampling.max_tokens or 0) is not None:
            return None  # the asker asks for less by itself
        if kind == "image" and _says("vision", said):
            raise DeadpanError(
                f"{name}: it takes no pictures{where}: {said}. Name a model with vision, or ask "
                "without pictures: --variant text-only."
            )
        raise DeadpanError(f"{name}: the first question was turned down{where}: {said}")
    return f"{name.partition(' ')[2]}: a first short question failed: {said}"


def _picture() -> Image:
    """A small plain picture."""
    from PIL import Image as Pillow

    stream = BytesIO()
    Pillow.new("RGB", (_SIDE, _SIDE), (250, 210, 80)).save(stream, "PNG")
    return Image(stream.getvalue(), "image/png")


def _says(what: str, message: str) -> bool:
    return _REFUSALS[what].search(message) is not None


def fewer_images(message: str, shown: int) -> int | None:
    """How many images to show after an error that limits their number: the largest number that it
    names below what was shown; without one, half. None for other errors."""
    limits_images = _says("images", message) and _says("too_many", message)
    if shown < 2 or not limits_images or _says("rate", message):
        return None
    for word, digit in _WORDS.items():
        message = re.sub(rf"\b{word}\b", digit, message, flags=re.I)
    named = [int(digits) for digits in _REFUSALS["count"].findall(message)]
    if below := [number for number in named if 0 < number < shown]:
        return max(below)
    vague = _says("several_images", message) and not _says("size", message)
    return shown // 2 if vague else None


def refuses_schema(message: str) -> bool:
    """Whether an error says that replies cannot be held to a schema."""
    return _says("schema", message)


def fewer_tokens(message: str, asked: int) -> int | None:
    """How many tokens a reply may take after an error that limits them: what the question leaves of
    the context where both are told, else the largest number that is named below what was asked for,
    or half. None for other errors."""
    limits_tokens = _says("tokens", message) and _says("too_long", message)
    if not limits_tokens or _says("rate", message):
        return None
    fewer = asked // 2
    if context := _REFUSALS["context"].search(message):
        given = map(_whole, _REFUSALS["given"].findall(message))
        left = [_whole(context[1]) - tokens for tokens in given]
        if room := [tokens for tokens in left if 0 < tokens < asked]:
            return min(room)
    else:
        named = map(_whole, _REFUSALS["number"].findall(message))
        fewer = max((one for one in named if _LEAST_TOKENS <= one < asked), default=fewer)
    return fewer if fewer >= _LEAST_TOKENS else None


def _whole(digits: str) -> int:
    return int(digits.replace(",", ""))


@dataclass
class Limits:
    """What a provider turned out to take: so many images, a schema or none, replies so long."""

    images: int | None = None
    schema: bool = True
    tokens: int | None = None
    last_tokens: int | None = None
    """What the last question that was too long has room for."""

    def learn(self, message: str, images: int, schema: bool, tokens: int | None) -> bool:
        """Whether an error says that less would be taken than was sent, which is then known."""
        message = message[:_LONGEST_MESSAGE]
        if schema and refuses_schema(message):
            self.schema = False
            return True
        fewer = fewer_images(message, images)
        if fewer is not None:
            self.images = min(fewer, self.images or fewer)
            return True
        shorter = fewer_tokens(message, tokens) if tokens else None
        self.last_tokens = shorter
        # One question that is much longer than the others must not cut all their replies short.
        usual = not _says("context", message) or (shorter or 0) >= (self.tokens or 0) / 2
        if shorter is not None and usual:
            self.tokens = min(shorter, self.tokens or shorter)
        return shorter is not None


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
        longest_first = [re.escape(one) for one in sorted(forms, key=len, reverse=True)]
        pieces = [both for one in given if (both := _pieces(one))]
        heads = [rf"{re.escape(head)}{_REST.pattern}" for head, _ in pieces]
        tails = [re.escape(tail) for _, tail in pieces]
        self._known = re.compile("|".join([*longest_first, *heads]) or _NOTHING, re.I)
        self._tails = re.compile("|".join(tails) or _NOTHING, re.I)
        self._traces = {
            one.casefold() for one in (*forms, *(end for both in pieces for end in both))
        }

    def __call__(self, text: str) -> str:
        return _USUAL.sub(REDACTED, self.redact_known(text))

    def redact_known(self, text: str) -> str:
        """The text without known credentials: for replies, where other words are a model's own."""
        # Patterns take seconds for a reply of megabytes, looking for words does not.
        folded = text.casefold()
        if not any(one in folded for one in self._traces):
            return text
        return self._without_tails(self._known.sub(REDACTED, text))

    def _without_tails(self, text: str) -> str:
        """The text without credentials that were cut at their beginning, and what is left of it."""
        kept, begin = [], 0
        for found in self._tails.finditer(text):
            near = text[max(begin, found.start() - _MOST_LEFT) : found.start()]
            left = _REST.match(near[::-1])
            kept += [text[begin : found.start() - (left.end() if left else 0)], REDACTED]
            begin = found.end()
        return "".join([*kept, text[begin:]])


def _forms(secret: str) -> set[str]:
    """A credential as it is, and in addresses, JSON, HTML, hexadecimal, base64 and an authorisation
    without a user."""
    data = secret.encode()
    encoded = [base64.b64encode(one).decode() for one in (data, b":" + data)]
    escaped = {quote(secret, safe=""), quote_plus(secret), json.dumps(secret)[1:-1], escape(secret)}
    return {secret, data.hex(), *escaped, *encoded, *(one.rstrip("=") for one in encoded)}


def _pieces(secret: str) -> tuple[str, str] | None:
    """What is left at least of a long credential that is cut at its end or its beginning, so that
    it is known by it. A shorter piece may be a word or a path, and what it lacks cannot be guessed.
    """
    least = len(secret) * 3 // 5
    return (secret[:least], secret[-least:]) if least >= _LONG_PIECE else None


def without_credentials(address: str) -> str:
    """An address without user name, password and query."""
    parts = urlsplit(address)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))
