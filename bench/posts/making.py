"""Plans posts by seed, and writes them: `posts.jsonl`, `images/` and `truth.jsonl`."""

from __future__ import annotations

import bisect
import io
import itertools
import json
import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from .copies import COPIES, Drawn, copied
from .defects import BROKEN, SHAPES, advert, branded, broken_bytes, misshapen, with_contact
from .jokes import SLURS, Joke, caption, new_joke, one_word_changed
from .pages import page, template

SHARES = {
    "copy": 0.42,
    "original": 0.27,
    "one word changed": 0.11,
    "recaptioned": 0.05,
    "same words": 0.04,
    "other panel": 0.03,
    "other caption": 0.02,
    "defect": 0.06,
}
"""How often each kind of post is planted."""


@dataclass(frozen=True)
class PlantedPost:
    """A post and its truth: posts of one joke are duplicates, those of a template share a
    picture."""

    id: str
    joke: str
    template: str
    kind: str
    """`original`, a kind of copy, `chain`, or how it differs from the post that it was made of."""
    of: str = ""
    defect: str = ""
    text: str = ""
    language: str = "en"
    images: tuple[str, ...] = ()
    recipe: Recipe | None = field(default=None, repr=False)

    @property
    def wording(self) -> str:
        """What its pictures say, whatever they show."""
        jokes = (self.recipe.joke, self.recipe.second) if self.recipe else ()
        return "\n".join(part for joke in jokes if joke for part in joke.parts)

    @property
    def truth(self) -> dict[str, object]:
        """Its line of the truth."""
        known = asdict(replace(self, recipe=None))
        wanted = ("id", "joke", "template", "kind", "of", "defect")
        return {name: known[name] for name in wanted}


@dataclass(frozen=True)
class Recipe:
    """All that a post's pictures are drawn from."""

    seed: int
    template: int
    joke: Joke
    second: Joke | None = None
    """Of the other picture, where there are two."""
    other_panel: int = 0
    publisher: int = -1
    contact: bool = False
    copies: tuple[str, ...] = ()
    copy_seed: str = ""
    defect: str = ""


def planned_posts(count: int, seed: int) -> list[PlantedPost]:
    """The posts to be drawn, none of them drawn yet; a longer plan begins like a shorter one of
    as many templates."""
    planner = _Planner(count, seed)
    return [planner.next_post() for _ in range(count)]


class _Planner:
    def __init__(self, count: int, seed: int) -> None:
        self.seed, self.draw = seed, random.Random(f"posts {seed}")
        # A few templates have hundreds of jokes, most have one or two.
        weights = [1 / (rank + 2) for rank in range(max(4, count // 12))]
        self.reach = list(itertools.accumulate(weights))
        self.posts: list[PlantedPost] = []
        self.sources: list[PlantedPost] = []
        self.jokes: set[tuple[object, ...]] = set()

    def next_post(self) -> PlantedPost:
        kind = self.draw.choices(list(SHARES), list(SHARES.values()))[0]
        if not self.sources:
            kind = "original"
        made = self._copy() if kind == "copy" else self._other(kind)
        self.posts.append(made)
        if made.defect in ("", "publisher", "contact", "slur", "several") and made.recipe:
            self.sources.append(made)
        return made

    def _id(self) -> str:
        return f"p{len(self.posts):06}"

    def _template(self) -> int:
        return bisect.bisect(self.reach, self.draw.random() * self.reach[-1])

    def _copy(self) -> PlantedPost:
        of = self.draw.choice(self.sources)
        assert of.recipe
        kinds = (*of.recipe.copies, self.draw.choice(list(COPIES)))
        if len(kinds) > 3:
            return self._copy()
        seed = of.recipe.copy_seed + f"/{self._id()}"
        text = of.text
        if text and self.draw.random() < 0.3:
            text = text.upper() + self.draw.choice(("!!", " 😂", "…"))
        recipe = replace(of.recipe, copies=kinds, copy_seed=seed)
        kind = kinds[-1] if len(kinds) == 1 else "chain"
        return replace(
            of, id=self._id(), kind=kind, of=of.id, text=text, recipe=recipe,
            images=self._names(recipe),
        )  # fmt: skip

    def _other(self, kind: str) -> PlantedPost:
        """A post with a joke of its own."""
        for tried in itertools.count():
            of = self.draw.choice(self.sources) if self.sources else None
            if kind == "other panel" and not (of and of.recipe and _has_panels(of.recipe)):
                # Where hardly a template has panels, other words will do.
                kind = kind if tried < 50 else "recaptioned"
                continue
            recipe, text = self._recipe(kind, of)
            key = (
                recipe.template,
                recipe.joke.parts,
                recipe.second and recipe.second.parts,
                recipe.other_panel,
                text if kind == "other caption" else "",
                recipe.defect,
            )
            if key not in self.jokes:
                break
        self.jokes.add(key)
        defect = recipe.defect or (
            "publisher" if recipe.publisher >= 0 else "contact" if recipe.contact
            else "slur" if recipe.joke.slur else "several" if recipe.second else "")  # fmt: skip
        shown = "original" if kind == "defect" else kind
        return PlantedPost(
            self._id(), f"j{len(self.posts):06}", f"t{recipe.template:05}", shown,
            of.id if of and shown != "original" else "", defect, text, recipe.joke.language,
            self._names(recipe), recipe,
        )  # fmt: skip

    def _recipe(self, kind: str, of: PlantedPost | None) -> tuple[Recipe, str]:
        draw = self.draw
        language = draw.choice(("en", "zh"))
        text = caption(draw, language) if draw.random() < 0.4 else ""
        if kind in ("original", "defect") or of is None or of.recipe is None:
            recipe = Recipe(self.seed, self._template(), new_joke(draw, language))
            if kind == "defect":
                return replace(recipe, defect=draw.choice((*BROKEN, *SHAPES, "advert"))), text
            return self._adorned(recipe), text
        # Made from the post, not from its copy.
        base = replace(of.recipe, copies=(), copy_seed="", publisher=-1, contact=False)
        if kind == "other caption":
            other = caption(draw, base.joke.language)
            # Only where the first has a caption do two captions tell them apart.
            return (base, other) if of.text else (self._adorned(base), "")
        if kind == "one word changed":
            if base.second and draw.random() < 0.5:
                return replace(base, second=one_word_changed(draw, base.second)), of.text
            return replace(base, joke=one_word_changed(draw, base.joke)), of.text
        if kind == "recaptioned":
            return replace(base, joke=new_joke(draw, base.joke.language)), of.text
        if kind == "same words":
            return replace(base, template=self._template()), of.text
        return replace(base, other_panel=base.other_panel + 1), of.text

    def _adorned(self, recipe: Recipe) -> Recipe:
        """One in five has a publisher's mark, a contact, a slur or a second picture."""
        draw = self.draw
        luck, language = draw.random(), recipe.joke.language
        if luck < 0.1:
            return replace(recipe, publisher=draw.randrange(3))
        if luck < 0.13:
            return replace(recipe, contact=True)
        if luck < 0.16:
            return replace(recipe, joke=replace(recipe.joke, slur=draw.choice(SLURS[language])))
        if luck < 0.2:
            return replace(recipe, second=new_joke(draw, language))
        return recipe

    def _names(self, recipe: Recipe) -> tuple[str, ...]:
        ending = self.draw.choice(("jpg", "jpg", "jpg", "png", "webp"))
        if recipe.defect in BROKEN:
            ending = "jpg"
        return tuple(
            f"images/{self._id()}-{number}.{ending}" for number in range(2 if recipe.second else 1)
        )


def _has_panels(recipe: Recipe) -> bool:
    return template(recipe.seed, recipe.template).layout in ("strip", "grid")


def rendered(post: PlantedPost) -> list[Drawn]:
    """The pictures of a post, with the boxes of their lines."""
    recipe = post.recipe
    assert recipe
    if recipe.defect == "advert":
        return [advert(f"{recipe.seed} {post.joke}", post.language)]
    pictures = []
    for number, joke in enumerate(filter(None, (recipe.joke, recipe.second))):
        of = template(recipe.seed, recipe.template + number * 7919)
        image, lines = page(recipe.seed, of, joke.parts, recipe.other_panel)
        drawn = Drawn(image, tuple(lines))
        if recipe.publisher >= 0:
            drawn = branded(recipe.publisher, drawn)
        if recipe.contact:
            drawn = with_contact(random.Random(post.joke), drawn)
        pictures.append(_copied(recipe, drawn))
    if recipe.defect in SHAPES:
        return [misshapen(recipe.defect, one) for one in pictures]
    return pictures


def _copied(recipe: Recipe, drawn: Drawn) -> Drawn:
    """After each step of the recipe, drawn by the posts along its way."""
    steps = recipe.copy_seed.split("/")[1:]
    for step, kind in zip(steps, recipe.copies, strict=True):
        drawn = copied(step, (kind,), drawn)
    return drawn


def image_bytes(post: PlantedPost) -> Iterator[tuple[str, bytes]]:
    """The names and contents of a post's files."""
    assert post.recipe
    for name, drawn in zip(post.images, rendered(post), strict=True):
        if post.recipe.defect in BROKEN:
            yield name, broken_bytes(random.Random(post.id), post.recipe.defect, drawn.image)
            continue
        stream = io.BytesIO()
        if name.endswith("jpg"):
            low = post.recipe.copies[-1:] == ("recompressed",)
            drawn.image.save(stream, "JPEG", quality=60 if low else 88)
        elif name.endswith("png"):
            drawn.image.save(stream, "PNG", compress_level=1)
        else:
            drawn.image.save(stream, "WEBP", quality=82, method=0)
        yield name, stream.getvalue()


def make_posts(folder: Path, count: int, seed: int) -> list[PlantedPost]:
    """Draws posts into a folder, with their truth; the same for the same count and seed."""
    (folder / "images").mkdir(parents=True, exist_ok=True)
    posts = planned_posts(count, seed)
    rows, truths = [], []
    for post in posts:
        for name, data in image_bytes(post):
            (folder / name).write_bytes(data)
        row = {
            "id": post.id,
            "text": post.text,
            "images": list(post.images),
            "url": f"https://posts.example/{post.id}",
            "language": post.language,
            "licence": "CC0-1.0",
        }
        rows.append(json.dumps(row, ensure_ascii=False))
        truths.append(json.dumps(post.truth, ensure_ascii=False))
    (folder / "posts.jsonl").write_text("\n".join(rows) + "\n", "utf-8")
    (folder / "truth.jsonl").write_text("\n".join(truths) + "\n", "utf-8")
    return posts
