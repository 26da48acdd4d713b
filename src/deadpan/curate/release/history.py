"""How a data set came about, for its datasheet: where posts came from, what each stage dropped and
why, who labelled them, and how they were parted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pydantic import BaseModel

from deadpan.base.counting import count_noun
from deadpan.curate.release.counts import Funnel, flag_counts
from deadpan.curate.release.markdown import listed, lowered, said, table
from deadpan.curate.release.material import NOT_STATED, Material
from deadpan.curate.schema import Source
from deadpan.curate.splitting import leaks
from deadpan.reports.documents import markdown_escape

_KINDS = {
    "folder": "a folder of files",
    "table": "a table of posts",
    "chats": "chat exports of volunteers",
}


def collection(material: Material) -> Iterator[str]:
    """Where posts came from, and which were looked at."""
    curation = material.curation
    posts = Counter(post.source for post in material.posts)
    items = Counter(material.post_of(row).source for row in material.rows)
    rows = [
        (one.name, _kind(one), _fetched(one), _licence(one), posts[one.name], items[one.name])
        for one in curation.collect
    ]
    head = ["source", "what it is", "media", "licence as stated", "posts", "items"]
    yield from table(head, rows)
    words = curation.keywords
    if words.lists or words.words or words.without:
        yield f"- Kept were posts that hold a word of: {listed((*words.lists, *words.words))}"
        yield f"- Left out were posts that hold: {listed(words.without)}"
    else:
        yield "- No keywords: every post was looked at"
    yield f"- Languages that were kept: {listed(curation.languages or ('en', 'zh'))}"
    yield f"- When posts were written or collected: {NOT_STATED}"
    if any(is_consented(one) for one in curation.collect):
        yield "- Chats are of people who signed a consent; their places in files are not released"


def _kind(source: Source) -> str:
    """What a source is; of one that does not say, by what is named with it."""
    told = "chats" if source.consent else "table" if source.path.suffix else "folder"
    return _KINDS[source.kind or told]


def is_consented(source: Source) -> bool:
    """Whether a source holds what people gave with their consent, whose places stay private."""
    return source.kind == "chats" or source.consent is not None


def _fetched(source: Source) -> str:
    return "fetched from their addresses" if source.fetch else "as given"


def _licence(source: Source) -> str:
    return source.licence or NOT_STATED


def preprocessing(material: Material, funnel: Funnel, plot: str = "") -> Iterator[str]:
    """What each stage dropped and why, from all posts to the items, and what people should look
    at."""
    yield f"From {count_noun(funnel.collected, 'post')} to {count_noun(funnel.items, 'item')};"
    yield "`dropped.csv` names every post that was dropped, with its stage and reason."
    yield ""
    if plot:
        yield f"![Posts left after each stage]({plot})"
        yield ""
    yield from table(["stage", "reason", "dropped", "left"], _funnel_rows(funnel))
    total = f"{funnel.collected:,} collected"
    total += f" + {funnel.parted:,} as posts became several" if funnel.parted else ""
    yield f"{total} = {funnel.dropped:,} dropped + {funnel.items:,} released."
    yield ""
    yield "How the stages were set (`curation.yaml` is the whole configuration):"
    yield ""
    curation = material.curation
    stages: dict[str, BaseModel] = {
        "open": curation.open,
        "read": curation.read,
        "purify": curation.purify,
        "deduplicate": curation.deduplicate,
    }
    for name, options in stages.items():
        given = (f"{key} {value}" for key, value in options.model_dump(mode="json").items())
        yield f"- {name}: {markdown_escape(', '.join(given))}"
    yield from _flags(material)


def _funnel_rows(funnel: Funnel) -> Iterator[tuple[str, str, int, int]]:
    """A row for each reason, and one for a stage that dropped nothing."""
    yield "", "all posts", 0, funnel.collected
    if funnel.parted:
        yield "read", "posts with several pictures became several", 0, funnel.stages[0].came
    for one in funnel.stages:
        left = one.came
        for reason, many in one.dropped.items():
            left -= many
            yield one.stage, reason, many, left
        if not one.dropped:
            yield one.stage, "–", 0, left


def _flags(material: Material) -> Iterator[str]:
    flags = flag_counts([material.post_of(row) for row in material.rows])
    yield ""
    if not flags:
        yield "No item bears a flag."
        return
    yield "Items that bear a flag, which drops nothing and which people should look at:"
    yield ""
    yield from table(
        ["stage", "flag", "items"], [(stage, kind, many) for (stage, kind), many in flags.items()]
    )


def labelling(material: Material) -> Iterator[str]:
    """What a model drafted and what people settled."""
    drafting = material.curation.draft
    if drafting is None:
        yield "No model drafted anything."
    else:
        yield f"- Drafted by: {said(drafting.model)}"
        if drafting.validator:
            yield f"- Validated by: {said(drafting.validator)}"
        if drafting.blind:
            yield f"- Asked without seeing anything: {said(drafting.blind)}"
        yield f"- Rounds at most: {drafting.rounds}"
        yield from _drafts(material)
    yield ""
    if material.study:
        yield "People decided, in a study whose own datasheet follows."
        yield ""
        yield lowered(material.study)
    elif drafting is not None:
        yield "No people were asked: the labels are what the model drafted."
    if material.agreement:
        yield ""
        yield from (f"- {markdown_escape(line)}" for line in material.agreement)


def _drafts(material: Material) -> Iterator[str]:
    if material.yields:
        yield ""
        yield from table(["step of drafting", "posts that passed it"], material.yields.items())
    if not material.rounds:
        return
    many = Counter(
        max((one.number for one in several), default=0) for several in material.rounds.values()
    )
    verdicts = Counter(one.verdict for several in material.rounds.values() for one in several)
    yield ""
    yield from table(
        ["rounds of writing", "posts"], [(str(one), many[one]) for one in sorted(many)]
    )
    yield from table(["verdict on a round", "rounds"], sorted(verdicts.items()))


def parting(material: Material) -> Iterator[str]:
    """How items were parted, how near that came to what was wanted, and what would have leaked."""
    splits = material.splits
    grouped = {one: material.by_id[one].group or one for one in splits.of if one in material.by_id}
    sizes = Counter(grouped.values())
    together = [size for size in sizes.values() if size > 1]
    yield "Posts that share a picture, a template or their words are one group; groups stay whole."
    yield ""
    yield f"- Groups of several items: {len(together):,}, with {sum(together):,} items; the largest"
    yield f"  has {max(together, default=1):,}"
    kept = material.curation.split.by or material.building.strata
    yield f"- Kept in proportion: {listed(kept) if kept else 'nothing but sizes'}"
    yield f"- Seed: {material.curation.seed}"
    yield from (f"- {markdown_escape(note)}" for note in splits.notes)
    yield ""
    names = list(splits.sizes)
    yield from table(
        ["split", "items", "as its share comes to"],
        [(name, splits.sizes[name], splits.wanted[name]) for name in names],
    )
    if len(names) < 2:
        return
    yield from table(
        ["stratum", *map(markdown_escape, names)],
        [
            (stratum, *(counts[name] for name in names))
            for stratum, counts in splits.by_stratum.items()
        ],
    )
    yield from _leaks(material, grouped)


def _leaks(material: Material, grouped: dict[str, str]) -> Iterator[str]:
    splits = material.splits
    naive, ours = splits.naive_leaks, leaks(splits.of, grouped, splits.sizes)
    learnt = markdown_escape(naive.learnt)
    yield f"What would have leaked into {learnt} had the same items been parted at random, in"
    yield "proportion and with the same seed, without looking at groups:"
    yield ""
    rows: list[tuple[str, int, float, int]] = [
        (split, many, naive.share(split), ours.exposed.get(split, 0))
        for split, many in naive.exposed.items()
    ]
    head = ["split", f"items with a mate in {learnt}", "share of the split", "in this release"]
    yield from table(head, rows)
    yield f"Pairs of one group in two splits: {naive.pairs:,} then, {ours.pairs:,} here."
