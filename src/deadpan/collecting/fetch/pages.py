"""The main picture of an HTML page, found by the rules of its source, which are validated data."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import httpx
import soupsieve
from bs4 import BeautifulSoup
from bs4.exceptions import ParserRejectedMarkup
from pydantic import AfterValidator, Field, ValidationError, model_validator

from deadpan.base.errors import InputError
from deadpan.base.files import read_bytes
from deadpan.collecting.fetch.exchange import printable, web_url
from deadpan.collecting.fetch.records import FetchError, ItemError, Strict

TIGHT_COMMA = re.compile(r"(\s[\d.]+[wx]),")
SIZE = re.compile(r"(\d+(?:\.\d+)?)([wx])")


def _compiles(compiler: Callable[[str], object], what: str) -> AfterValidator:
    def check(text: str) -> str:
        try:
            compiler(text)
        except (re.error, soupsieve.SelectorSyntaxError) as error:
            raise ValueError(f"expected {what}: {str(error).splitlines()[0]}") from None
        return text

    return AfterValidator(check)


Expression = Annotated[str, _compiles(re.compile, "a regular expression")]


class ImageRule(Strict):
    """Where a page keeps its picture: elements, attributes in order (one whose name ends in
    `srcset` gives the picture of the size wanted, else its largest), and which URLs count."""

    select: Annotated[str, _compiles(soupsieve.compile, "a CSS selector")]
    attributes: tuple[str, ...] = Field(default=("src",), min_length=1)
    require: Expression | None = None
    exclude: Expression | None = None

    def accepts(self, url: str) -> bool:
        """Whether a URL fits `require` and not `exclude`, both without regard to case."""
        wanted = self.require is None or re.search(self.require, url, re.IGNORECASE)
        unwanted = self.exclude and re.search(self.exclude, url, re.IGNORECASE)
        return bool(wanted and not unwanted)


class Source(Strict):
    """One site: its hosts, the id prefixes of its items, and its rules in order."""

    name: str = Field(min_length=1)
    hosts: tuple[str, ...] = ()
    id_prefixes: tuple[str, ...] = ()
    note: str | None = None
    page: Expression | None = None  # the address of a comic's page; its groups tell comics apart
    rules: tuple[ImageRule, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _can_match(self) -> Source:
        if not self.hosts and not self.id_prefixes:
            raise ValueError("expected at least one of hosts and id_prefixes")
        return self

    def same_comic(self, asked: str, reached: str) -> bool:
        """Whether a redirect still leads to the comic asked for, as far as `page` can tell."""
        if not self.page or asked == reached or not (before := re.search(self.page, asked)):
            return True
        after = re.search(self.page, reached)
        return after is not None and before.groups() == after.groups()


class SourceRules(Strict):
    """All sources of a benchmark, and the file they came from."""

    sources: tuple[Source, ...] = ()
    origin: Path = Path("sources.json")

    def source_for(self, item_id: str, host: str) -> Source | None:
        """The first source with this host, or else the first with a prefix of this id."""
        by_host = [source for source in self.sources if host in source.hosts]
        by_id = [source for source in self.sources if item_id.startswith(source.id_prefixes)]
        return next(iter(by_host + by_id), None)


def load_rules(path: Path) -> SourceRules:
    """The rules in a JSON file; `FetchError` names the file and every bad field."""
    try:
        rules = SourceRules.model_validate_json(read_bytes(path))
    except InputError as error:
        raise FetchError(f"{path}: {error.what}; expected a JSON file") from error
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(str(part) for part in found['loc']) or 'file'}: {found['msg']}"
            f" (got {str(found['input'])[:80]!r})"
            for found in error.errors()
        )
        raise FetchError(f"{path}: {problems}; correct the file") from None
    return rules.model_copy(update={"origin": path})


@dataclass(frozen=True)
class Page:
    """An HTML page as it came, and the address it finally came from."""

    url: httpx.URL
    body: bytes
    charset: str | None = None


def main_image(
    page: Page, item_id: str, asked: httpx.URL, rules: SourceRules, width: int | None = None
) -> httpx.URL:
    """The address of the page's picture by the first rule that fits; else `ItemError` no_rule. Of
    several sizes it is the one nearest to `width`, else the largest. A page that is not the one
    asked for, as sites give in place of a removed comic, is `gone`."""
    where = f"{item_id} {printable(page.url)}"
    source = rules.source_for(item_id, page.url.host)
    if source is None:
        raise ItemError(
            "no_rule",
            f"{where}: an HTML page, and no source has the host {page.url.host} or a prefix of "
            f"this id; add one in {rules.origin}",
        )
    if not source.same_comic(str(asked), str(page.url)):
        what = f"leads to {printable(page.url)}, not to this comic"
        raise ItemError("gone", f"{item_id} {printable(asked)}: {what}")
    # HTML lets "--!>" end a comment; html.parser of Python 3.11 reads on to the next "-->".
    body = page.body.replace(b"--!>", b"-->")
    try:
        soup = BeautifulSoup(body, "html.parser", from_encoding=page.charset)
    except ParserRejectedMarkup as error:
        raise ItemError("no_rule", f"{where}: not readable as HTML: {error}") from error
    tag = soup.select_one("base[href]")
    base = page.url if tag is None else _join(page.url, str(tag["href"])) or page.url
    for rule in source.rules:
        for url in _candidates(soup, rule, base, width):
            if rule.accepts(str(url)):
                return url
    raise ItemError(
        "no_rule",
        f"{where}: none of the {len(source.rules)} rules of source {source.name!r} finds a "
        f"picture in this page; look at the page and add a rule in {rules.origin}",
    )


def pick_in_srcset(srcset: str, width: int | None = None) -> str | None:
    """The URL of the picture in a srcset that is nearest to a width, of densities that of 1x; of
    the largest without a width; None when it lists none."""
    found: list[tuple[bool, float, str]] = []
    url, size = "", "1x"
    for token in [*TIGHT_COMMA.sub(r"\1, ", srcset).split(), ","]:
        if not url:
            url = token.strip(",")
        else:
            size = token.rstrip(",") or size
        if url and token.endswith(","):
            # A width counts before a density, and what is neither is a density of 1.
            match = SIZE.fullmatch(size)
            number, unit = match.groups() if match else ("1", "x")
            found.append((unit == "w", float(number), url))
            url, size = "", "1x"
    if not found:
        return None
    if width is None:
        return max(found, key=lambda one: one[:2])[2]
    widths = [one for one in found if one[0] and one[1] > 0]
    wanted = width if widths else 1
    # What is as far above as another is below goes first: nothing of it is lost.
    return min(
        widths or found, key=lambda one: (abs(math.log(max(one[1], 1e-9) / wanted)), -one[1])
    )[2]


def _candidates(
    soup: BeautifulSoup, rule: ImageRule, base: httpx.URL, width: int | None
) -> Iterator[httpx.URL]:
    """The web addresses that the rule's elements and attributes give, in order."""
    for element in soup.select(rule.select):
        for attribute in rule.attributes:
            value = element.get(attribute)
            if not isinstance(value, str) or not value.strip():
                continue
            several = attribute.endswith("srcset")
            text = pick_in_srcset(value, width) if several else value.strip()
            if text and (url := _join(base, text)) is not None:
                yield url


def _join(base: httpx.URL, text: str) -> httpx.URL | None:
    """The absolute web address; None for data:, javascript: and whatever else is no such."""
    try:
        return web_url(str(base.join(text.strip()))).copy_with(fragment=None)
    except (httpx.InvalidURL, ValueError, ItemError):
        return None
