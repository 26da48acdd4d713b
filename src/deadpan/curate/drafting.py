"""Posts drafted by a model through a benchmark's own protocol: every reply is kept, so that nothing
is asked twice, and what fails of one post stops no other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from deadpan.base.errors import DeadpanError, InputError
from deadpan.campaigns.known_answers import KnownAnswers
from deadpan.core.curation import Building, Drafted, Post, Round, Unusable
from deadpan.core.usage import HOW_TO_PRICE, Prices, Usage, read_prices
from deadpan.curate.interviewing import (
    BLIND,
    TASK,
    Interviewer,
    Lost,
    LostKind,
    Used,
    usage_of_steps,
)
from deadpan.curate.schema import Drafting
from deadpan.engine.asker import Asker
from deadpan.engine.budget import Budget, OverBudget, price_of
from deadpan.engine.calls import CallOptions, GaveUp
from deadpan.engine.loops import run_async
from deadpan.engine.requests import Sampling
from deadpan.engine.run import open_asker
from deadpan.engine.task_questions import RunSettings

POSTS, DRAFTED = "posts", "drafted"
"""The first and the last of the yields: how many posts there were, and how many have a draft."""
_STOPPED = "not asked about"


@dataclass(frozen=True)
class DraftedPosts:
    """The posts in their order: with a draft, dropped by the protocol, or without a draft and with
    a flag: `refused`, `truncated`, `invalid`, `unreadable` or `failed`. What failed is asked again
    by the next run; the others are not, as the model has said its word."""

    posts: tuple[Post, ...]
    rounds: Mapping[str, tuple[Round, ...]]
    """By post every round of writing and checking."""
    yields: Mapping[str, int]
    """How many posts there were, how many passed each step, and how many have a draft."""
    failed: Mapping[str, str]
    """By post why its calls failed, or that it was not asked about."""
    asked: Mapping[str, tuple[Mapping[str, str], ...]]
    """By post the answers that its draft rests on: `step`, `model`, and `key` in the store."""
    usage: tuple[Usage, ...]
    """By model and step what the drafts took, whenever it was asked."""
    stopped: str = ""
    """Why it ended before every post was asked about; empty where it did not."""


def draft_posts(
    posts: Sequence[Post],
    building: Building,
    folder: Path,
    options: Drafting,
    media: Path,
    store: Path,
    progress: Callable[[], object] = lambda: None,
    prices: Prices | None = None,
) -> DraftedPosts:
    """Has models draft every post that is not dropped, by the prompts in a benchmark's `folder`. A
    model that stops answering, or money that is spent, ends it with what was drafted kept; a model
    that cannot be had, or has no price where there is a limit, raises."""
    wanted = [post for post in posts if post.drop is None]
    work = _Work(building, folder, options, media, store, prices or read_prices(), progress)
    if wanted:
        run_async(work.run(wanted))
    return work.outcome(posts)


@dataclass
class _Work:
    """Models at work on posts."""

    building: Building
    folder: Path
    options: Drafting
    media: Path
    store: Path
    prices: Prices
    progress: Callable[[], object]
    used: list[Used] = field(default_factory=list)
    ended: dict[str, Drafted | Lost] = field(default_factory=dict)
    stopped: str = ""

    async def run(self, posts: Sequence[Post]) -> None:
        """Asks about every post, several at a time."""
        given = self.options
        names = {"writer": given.model, "validator": given.validator or given.model}
        names[BLIND] = given.blind or names["validator"]
        settings = self._settings(sorted(set(names.values())))
        async with AsyncExitStack() as stack:
            # Parts that one model has share an asker: two would lock each other out of the store.
            askers: dict[str, Asker] = {}
            for name in dict.fromkeys(names.values()):
                opened = open_asker(name, settings)
                askers[name] = await stack.enter_async_context(opened)
            by_role = {role: askers[name] for role, name in names.items()}

            async def one(post: Post) -> None:
                self.ended[post.id] = await self._drafted(post, by_role, settings.sampling)
                self.progress()

            try:
                async for _ in by_role["writer"].each(posts, one):
                    pass
            except (GaveUp, OverBudget) as error:
                self.stopped = str(error)

    def _settings(self, models: Sequence[str]) -> RunSettings:
        given = self.options
        calls = CallOptions(
            max_connections=given.max_connections,
            max_retries=given.max_retries,
            timeout=given.timeout,
            give_up=given.give_up,
            budget=self._budget(models, given.max_cost) if given.max_cost else None,
        )
        sampling = Sampling(
            temperature=given.temperature, max_tokens=given.max_tokens, seed=given.seed
        )
        return RunSettings(self.store, calls=calls, sampling=sampling)

    def _budget(self, models: Sequence[str], limit: float) -> Budget:
        """What may be spent, less what the drafts in the store cost."""
        if unknown := [name for name in models if price_of(name, self.prices) is None]:
            what = f"max_cost: no price of {', '.join(unknown)} is known"
            raise DeadpanError(f"{what}. {HOW_TO_PRICE}")
        tasks = [(self.folder.name, TASK)]
        spent, dearest = KnownAnswers(self.store).spent(tasks, models, self.prices)
        return Budget(limit, self.prices, spent, dearest)

    async def _drafted(
        self, post: Post, askers: Mapping[str, Asker], sampling: Sampling
    ) -> Drafted | Lost:
        """What the protocol makes of a post, or why it makes nothing."""
        prompts = self.folder / "curation" / "prompts"
        about = (post.id, post.written_in, self.folder.name, prompts)
        ask = Interviewer(*about, askers, sampling, self.used)
        try:
            done = await self.building.draft(post, ask, self.media, self.options.rounds)
        except Lost as lost:
            return lost
        except Unusable as error:
            kind: LostKind = "refused" if error.refused else "invalid"
            return Lost(str(error), kind).after(error.rounds, error.steps)
        except InputError as error:
            return Lost(str(error), "unreadable")
        if not isinstance(done, Drafted):
            what = f"its drafting protocol gave {type(done).__name__} of {post.id}"
            raise DeadpanError(f"{self.folder.name}: {what}; expected Drafted")
        return done

    def outcome(self, posts: Sequence[Post]) -> DraftedPosts:
        """The posts with what came of each."""
        failed: dict[str, str] = {}
        rounds: dict[str, tuple[Round, ...]] = {}
        counts = Counter[str]()
        found = []
        for post in posts:
            if post.drop is None:
                counts[POSTS] += 1
                ended = self.ended.get(post.id) or Lost(f"{_STOPPED}: {self.stopped}", "failed")
                if isinstance(ended, Lost):
                    if ended.kind == "failed":
                        failed[post.id] = str(ended)
                elif not ended.rejected:
                    counts.update([DRAFTED])
                counts.update(ended.steps)
                if ended.rounds:
                    rounds[post.id] = ended.rounds
                post = _with_draft(post, ended)
            found.append(post)
        yields = {name: counts[name] for name in (POSTS, *self.building.steps, DRAFTED)}
        used = usage_of_steps(self.used, self.prices)
        asked: dict[str, list[Mapping[str, str]]] = {}
        for one in self.used:
            about = {"step": one.step, "model": one.model, "key": one.answer.key}
            asked.setdefault(one.post, []).append(about)
        by_post = {name: tuple(asked[name]) for name in sorted(asked)}
        return DraftedPosts(tuple(found), rounds, yields, failed, by_post, used, self.stopped)


def _with_draft(post: Post, ended: Drafted | Lost) -> Post:
    """The post with what came of it in place of what an earlier draft left."""
    before = tuple(flag for flag in post.flags if flag.stage != TASK)
    bare = post.changed(draft={}, flags=before)
    if isinstance(ended, Lost):
        return bare.flagged(TASK, ended.kind, str(ended))
    if ended.rejected:
        return bare.dropped(TASK, ended.rejected, ended.what)
    return bare.changed(draft=ended.draft)
