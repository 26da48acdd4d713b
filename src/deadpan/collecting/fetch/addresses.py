"""URLs: checked, keyed by host, and made fit to print."""

from __future__ import annotations

import re

import httpx

from deadpan.collecting.fetch.errors import ItemError

DEFAULT_PORTS = {"http": 80, "https": 443}
HOST_NAME = re.compile(
    rb"(?=.{1,253}\Z)(?:[\w-]{1,63}\.)*[\w-]{1,63}\.?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*"
)
SECRET = re.compile(
    r"(?<=[?&])([^=&]*(?:token|secret|password|signature|sig|key|auth)[^=&]*)=[^&]*", re.IGNORECASE
)


def web_url(text: str) -> httpx.URL:
    """The parsed URL; anything but an http or https address with a host is an `ItemError`."""
    try:
        url = httpx.URL(text.strip())
    except (httpx.InvalidURL, ValueError) as error:
        raise ItemError("refused", f"{text[:200]!r}: not a URL: {error}; correct it") from None
    if url.scheme not in DEFAULT_PORTS or not HOST_NAME.fullmatch(url.raw_host):
        raise ItemError(
            "refused", f"{shown(url)[:200]!r}: expected an http:// or https:// address with a host"
        )
    if url.port is not None and url.port not in range(1, 1 << 16):
        raise ItemError("refused", f"{shown(url)[:200]!r}: there is no port {url.port}")
    return url


def host_key(url: httpx.URL) -> str:
    """`host:port`, the default port of the scheme filled in."""
    return f"{url.host}:{url.port or DEFAULT_PORTS[url.scheme]}"


def shown(url: httpx.URL) -> str:
    """The URL for messages and manifests: without credentials or secret query values."""
    try:
        plain = str(url.copy_with(userinfo=b"", fragment=None))
    except httpx.InvalidURL:  # such as //name@//path, which cannot be written without the name
        plain = f"{url.scheme}://{url.host}…"
    return SECRET.sub(r"\1=***", plain)
