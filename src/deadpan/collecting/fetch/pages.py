"""The main picture of an HTML page, found by the rules of its source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import httpx
from bs4 import BeautifulSoup
from bs4.exceptions import ParserRejectedMarkup

from deadpan.collecting.fetch.addresses import shown, web_url
from deadpan.collecting.fetch.errors import ItemError
from deadpan.collecting.fetch.sources import ImageRule, SourceRules

TIGHT_COMMA = re.compile(r"(\s[\d.]+[wx]),")
SIZE = re.compile(r"(\d+(?:\.\d+)?)([wx])")


@dataclass(frozen=True)
class Page:
    """An HTML page as it came, and the address it finally came from."""

    url: httpx.URL
    body: bytes
    charset: str | None = None


def main_image(page: Page, item_id: str, asked: httpx.URL, rules: SourceRules) -> httpx.URL:
    """The address of the page's picture by the first rule that fits; else `ItemError` no_rule.

    A page that is not the one asked for, as sites give in place of a removed comic, is `gone`.
    """
    where = f"{item_id} {shown(page.url)}"
    source = rules.source_for(item_id, page.url.host)
    if source is None:
        raise ItemError(
            "no_rule",
            f"{where}: an HTML page, and no source has the host {page.url.host} or a prefix of "
            f"this id; add one in {rules.origin}",
        )
    if not source.same_comic(str(asked), str(page.url)):
        raise ItemError(
            "gone", f"{item_id} {shown(asked)}: leads to {shown(page.url)}, not to this comic"
        )
    soup = _parsed(page, where)
    base = _base(soup, page.url)
    for rule in source.rules:
        for url in _candidates(soup, rule, base):
            if rule.accepts(str(url)):
                return url
    raise ItemError(
        "no_rule",
        f"{where}: none of the {len(source.rules)} rules of source {source.name!r} finds a "
        f"picture in this page; look at the page and add a rule in {rules.origin}",
    )


def largest_in_srcset(srcset: str) -> str | None:
    """The URL of the largest picture that a srcset lists; None when it lists none."""
    found: list[tuple[bool, float, str]] = []
    url, size = "", "1x"
    for token in [*TIGHT_COMMA.sub(r"\1, ", srcset).split(), ","]:
        if not url:
            url = token.strip(",")
        else:
            size = token.rstrip(",") or size
        if url and token.endswith(","):
            found.append((*_width_or_density(size), url))
            url, size = "", "1x"
    return max(found, key=lambda one: one[:2])[2] if found else None


def _width_or_density(size: str) -> tuple[bool, float]:
    """(whether it is a width, its number); a density of 1 when it is neither."""
    match = SIZE.fullmatch(size)
    return (match[2] == "w", float(match[1])) if match else (False, 1.0)


def _parsed(page: Page, where: str) -> BeautifulSoup:
    # HTML lets "--!>" end a comment; html.parser of Python 3.11 reads on to the next "-->".
    body = page.body.replace(b"--!>", b"-->")
    try:
        return BeautifulSoup(body, "html.parser", from_encoding=page.charset)
    except ParserRejectedMarkup as error:
        raise ItemError("no_rule", f"{where}: not readable as HTML: {error}") from error


def _base(soup: BeautifulSoup, url: httpx.URL) -> httpx.URL:
    tag = soup.select_one("base[href]")
    return url if tag is None else _joined(url, str(tag["href"])) or url


def _candidates(soup: BeautifulSoup, rule: ImageRule, base: httpx.URL) -> Iterator[httpx.URL]:
    """The web addresses that the rule's elements and attributes give, in order."""
    for element in soup.select(rule.select):
        for attribute in rule.attributes:
            value = element.get(attribute)
            if not isinstance(value, str) or not value.strip():
                continue
            text = largest_in_srcset(value) if attribute.endswith("srcset") else value.strip()
            if text and (url := _joined(base, text)) is not None:
                yield url


def _joined(base: httpx.URL, text: str) -> httpx.URL | None:
    """The absolute web address; None for data:, javascript: and whatever else is no such."""
    try:
        return web_url(str(base.join(text.strip()))).copy_with(fragment=None)
    except (httpx.InvalidURL, ValueError, ItemError):
        return None
