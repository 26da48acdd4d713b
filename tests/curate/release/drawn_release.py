"""Posts about offices and cats, in both languages, and what a release of them is made from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image
from pydantic import JsonValue

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks.cfms import CFMS
from deadpan.core.curation import (
    Building,
    Drafted,
    Interview,
    Post,
    PostMedia,
    ReleasedFiles,
    Round,
)
from deadpan.core.dataset import Dataset
from deadpan.curate.release import Material
from deadpan.curate.schema import Curation
from deadpan.curate.splitting import split_rows

HOSTILE = '=HYPERLINK("http://x") | <script>alert(1)</script> [a](b) 讽刺'
SHARES = {"train": 0.6, "validation": 0.2, "test": 0.2}
GOLD = {"target": "a boss", "target_type": "others", "explanation": "It says the opposite."}
REASONS = [
    ("collect", "no keyword", ""),
    ("open", "not a picture", "PNG ends early"),
    ("purify", "too small", "120×80"),
    ("purify", "contact", "call 13812345678"),
    ("purify", "水印", "面积 0.08"),
    ("deduplicate", "copy", "of 0215004265c9"),
    ("people", "discarded", HOSTILE),
]
Row = Mapping[str, JsonValue]


async def _draft(post: Post, ask: Interview, media: Path, rounds: int) -> Drafted:
    raise DeadpanError("nobody is asked here")


def _candidates(posts: Sequence[Post], media: Path) -> Dataset[Any]:
    raise DeadpanError("nobody is asked here")


def cfms_row(post: Post, settled: Row) -> dict[str, JsonValue]:
    """A line of pairs.jsonl."""
    sarcastic = bool(settled["sarcastic"])
    gold: dict[str, JsonValue] = {key: value if sarcastic else None for key, value in GOLD.items()}
    told: dict[str, JsonValue] = {"text": post.text, "ocr_text": "", "language": post.language}
    image = f"images/{post.media[0].file}"
    named: dict[str, JsonValue] = {"id": post.id, "image": image, "media_file": post.media[0].file}
    return {**named, **told, "sarcastic": sarcastic, **gold, "metaphor": None}


def _files(rows: Sequence[Row]) -> ReleasedFiles:
    images = {str(row["image"]): str(row["media_file"]) for row in rows}
    own = ({name: value for name, value in row.items() if name != "media_file"} for row in rows)
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in own)
    return ReleasedFiles({"pairs.jsonl": lines}, images)


BUILDING = Building(
    media="picture",
    steps=("look",),
    draft=_draft,
    candidates=_candidates,
    template="annotation",
    rows=cfms_row,
    files=_files,
    strata=("language", "sarcastic"),
    splits=SHARES,
)


def posts_in(media: Path, kept: int = 30, dropped: int = 21) -> list[Post]:
    """Posts with pictures in a folder; every sixth has a template that others have too."""
    media.mkdir(parents=True, exist_ok=True)
    rng, found = Random(0), []
    for number in range(kept + dropped):
        name = f"p{number:03}"
        Image.new("RGB", (8, 8), (rng.randrange(256), number * 4 % 256, 9)).save(
            media / f"{name}.png"
        )
        digest = hashlib.sha256((media / f"{name}.png").read_bytes()).hexdigest()
        url = f"https://example.org/{name}.png"
        picture = PostMedia(given=name, url=url, file=f"{name}.png", sha256=digest)
        post = Post(
            id=name,
            source="weibo" if number % 3 else "mood",
            where=f"/home/somebody/raw/posts.jsonl:{number + 1}",
            text=HOSTILE if number == 0 else ("老板真体贴" if number % 3 else "What a boss"),
            language="zh" if number % 3 else "en",
            media=(picture,),
            url=f"https://example.org/{name}" if number else HOSTILE,
            licence="" if number % 2 else "CC-BY-4.0",
            group=f"template {number % 4}" if number % 6 == 0 else "",
        )
        post = post.flagged("open", "face", "one face") if number % 5 == 0 else post
        if number >= kept:
            post = post.dropped(*REASONS[number % len(REASONS)])  # type: ignore[arg-type]
        found.append(post)
    return found


CONFIGURATION: dict[str, Any] = {
    "name": "office-cats",
    "title": "Office cats 办公室的猫",
    "benchmark": "cfms",
    "collect": [
        {"name": "weibo", "path": "raw", "kind": "table", "licence": "not stated by the site"},
        {"name": "mood", "path": "mood", "kind": "folder"},
    ],
    "draft": {"model": "openai/gpt-x", "rounds": 3},
    "people": {},
    "release": {
        "licence": "CC-BY-4.0",
        "description": "Posts on offices, sarcastic and not.",
        "creators": [{"name": "A Lab", "url": "https://example.org", "email": "a@example.org"}],
        "date": "2026-01-31",
        "use_cases": ["evaluation"],
        "limitations": ["two sources", "drawn pictures"],
        "citation": "A Lab: Office cats",
    },
}


def material_in(work: Path, **release: Any) -> Material:
    """What a release is made from, with options of `release:` on top."""
    said = {**CONFIGURATION, "release": {**CONFIGURATION["release"], **release}}
    posts = posts_in(work / "media")
    kept = [post for post in posts if post.drop is None]
    rows = [cfms_row(post, {"sarcastic": number % 2 == 0}) for number, post in enumerate(kept)]
    groups = {post.id: post.group or post.id for post in posts}
    splits = split_rows(rows, groups, SHARES, BUILDING.strata, 0)
    rounds = {post.id: [Round(number=1, written={}, verdict="pass")] for post in kept}
    return Material(
        curation=Curation.model_validate(said),
        text="name: office-cats\nbenchmark: cfms\n",
        benchmark=CFMS,
        rows=[{**row, "split": splits.of[str(row["id"])]} for row in rows],
        posts=posts,
        splits=splits,
        media=work / "media",
        yields={"look": 40, "write": 31},
        rounds=rounds,
        study="# Office study: datasheet\n\n- items: 31\n\n## People\n\nTwo <b>people</b>.\n",
    )
