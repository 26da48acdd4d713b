"""Which keys are set, by name, and which servers answer."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from deadpan.base.credentials import key_fault
from deadpan.checkup.findings import Finding, one_line, reason

KEYS = (
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "GOOGLE_API_KEY",
    "GEMINI_API_KEY",
    "MISTRAL_API_KEY",
    "GROK_API_KEY",
    "XAI_API_KEY",
    "GROQ_API_KEY",
    "DEEPSEEK_API_KEY",
    "MOONSHOT_API_KEY",
    "TOGETHER_API_KEY",
    "FIREWORKS_API_KEY",
    "OPENROUTER_API_KEY",
    "PERPLEXITY_API_KEY",
    "AZUREAI_API_KEY",
    "AZUREAI_OPENAI_API_KEY",
    "AWS_ACCESS_KEY_ID",
    "CLOUDFLARE_API_TOKEN",
    "HF_TOKEN",
)
"""Of the providers that Inspect asks, and of the hub."""
_PACKAGES = {
    "ANTHROPIC_API_KEY": ("anthropic", "anthropic"),
    "GOOGLE_API_KEY": ("google.genai", "google-genai"),
    "GEMINI_API_KEY": ("google.genai", "google-genai"),
    "MISTRAL_API_KEY": ("mistralai", "mistralai"),
    "GROQ_API_KEY": ("groq", "groq"),
    "GROK_API_KEY": ("xai_sdk", "xai-sdk"),
    "XAI_API_KEY": ("xai_sdk", "xai-sdk"),
}
"""What providers want installed beside Deadpan: the module, and its package."""
_KEY, _BASE = "_API_KEY", "_BASE_URL"
_HUB, _HUB_PATH = "https://huggingface.co", "api/models?limit=1"
_SECONDS = 5.0
_LONGEST_BODY = 256_000
_MOST_NAMED = 3


@dataclass(frozen=True)
class Server:
    """An address that is configured: by which variable, and what to ask there."""

    variable: str
    address: str
    path: str


def key_findings() -> Iterator[Finding]:
    """Which keys are set, never what they are."""
    named = sorted({*KEYS, *(one for one in os.environ if one.endswith(_KEY))} & os.environ.keys())
    empty = [one for one in named if not os.environ[one].strip()]
    given = [one for one in named if one not in empty]
    faults = {one: fault for one in given if (fault := key_fault(os.environ[one]))}
    if sound := [one for one in given if one not in faults]:
        yield Finding("keys", "set", "ok", ", ".join(sound))
    for name in empty:
        yield Finding("keys", name, "note", f"{name} is set and empty", (f"unset {name}",))
    for name in given:
        if name in faults:
            fix = (f"export {name}=…   # the key alone, as the provider shows it",)
            yield Finding("keys", name, "broken", f"{name} {faults[name]}", fix)
        module, package = _PACKAGES.get(name, ("", ""))
        if module and not _is_here(module):
            said = f"{name} is set, and the provider's package {package} is missing"
            yield Finding("keys", name, "missing", said, (f"pip install {package}",))
    if not named:
        said = "none is set; baselines and models on this machine need none"
        yield Finding("keys", "none", "note", said, ("export OPENAI_API_KEY=…",))


def _is_here(module: str) -> bool:
    with suppress(ImportError, ValueError, AttributeError):
        return find_spec(module) is not None
    return False


def server_findings(online: bool) -> Iterator[Finding]:
    """What every configured server answers: those of this machine, and the others if `online`."""
    servers = [
        Server(name, os.environ[name], "models")
        for name in sorted(os.environ)
        if name.endswith(_BASE) and os.environ[name].strip()
    ]
    hub = os.environ.get("HF_ENDPOINT", "").strip() or _HUB
    servers.append(Server("HF_ENDPOINT", hub, _HUB_PATH))
    with ThreadPoolExecutor(min(8, len(servers))) as pool:
        yield from pool.map(lambda one: _tried(one, online), servers)


def _tried(server: Server, online: bool) -> Finding:
    """What a server answers to being asked for its models, without any key."""
    name, fix = server.variable, (f"export {server.variable}=http://HOST:PORT/v1",)
    try:
        parts = urlsplit(server.address.strip())
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        return Finding("servers", name, "broken", f"{name} is no address: {reason(error)}", fix)
    if parts.scheme not in ("http", "https") or not host:
        return Finding("servers", name, "broken", f"{name} is no http or https address", fix)
    where = f"{parts.scheme}://{host}{f':{port}' if port else ''}{parts.path.rstrip('/')}"
    if not online and not _is_of_this_machine(host):
        said = f"{where}: not tried"
        return Finding("servers", name, "note", said, ("deadpan doctor --online",))
    begun = time.monotonic()
    try:
        status, body = _asked(f"{where}/{server.path}")
    except Exception as error:
        said = f"{where}: no answer ({reason(error)})"
        return Finding("servers", name, "broken", said, (f"# start it, or mend {name}",))
    took = f"{where}: answers in {(time.monotonic() - begun) * 1000:.0f} ms"
    if status == 200:
        models = _models(body) if server.path == "models" else ""
        return Finding("servers", name, "ok", f"{took}{models}")
    if status in (401, 403):
        return Finding("servers", name, "ok", f"{took}, and wants a key (status {status})")
    if status == 404 and server.path == "models":
        said = f"{took}, and lists no models (status 404): does the address lack /v1?"
        return Finding("servers", name, "note", said)
    return Finding("servers", name, "note", f"{took} with status {status}")


def _is_of_this_machine(host: str) -> bool:
    if host.rstrip(".").lower() == "localhost":
        return True
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def _asked(address: str) -> tuple[int, bytes]:
    """Status and the beginning of the body; no redirect is followed, no key sent."""
    import httpx

    ends = time.monotonic() + 2 * _SECONDS
    with (
        httpx.Client(timeout=_SECONDS, follow_redirects=False) as client,
        client.stream("GET", address) as response,
    ):
        body = b""
        for piece in response.iter_raw(16_384):
            body += piece
            if len(body) > _LONGEST_BODY or time.monotonic() > ends:
                break
        return response.status_code, body


def _models(body: bytes) -> str:
    """Which models a server names, in words; nothing where that cannot be read."""
    names: list[str] = []
    with suppress(ValueError, RecursionError, AttributeError, TypeError):
        told: dict[str, Any] = json.loads(body)
        listed = told.get("data") or told.get("models") or []
        names = [str(one.get("id") or one.get("name")) for one in listed]
    if not names:
        return "; it names no models"
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"; models: {one_line(', '.join(names[:_MOST_NAMED]))}{more}"
