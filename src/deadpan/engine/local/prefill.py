"""Prompts read by a model: what several of them begin with, pictures and all, is read once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from transformers.cache_utils import Cache

from deadpan.engine.local.lanes import Lane, RoomyLayer, Row, fail
from deadpan.engine.local.numbers import no_numbers, without_numbers
from deadpan.engine.local.prompts import EncodedPrompt
from deadpan.engine.local.sampling import Chooser

_SHORTEST_PREFIX = 16
"""Fewer tokens are not worth reading apart."""
_BEGINNING = 32
"""Prompts without pictures that have so many first tokens in common are read together."""


@dataclass(frozen=True, eq=False)
class Group:
    """Rows whose prompts begin with the same tokens and the same pictures."""

    rows: tuple[Row, ...]
    prompts: tuple[EncodedPrompt, ...]
    shared: int
    """How many tokens they have in common; each row has at least one more."""

    @property
    def shapes(self) -> tuple[Any, ...]:
        """What pictures must have in common to be read in one batch."""
        return tuple((name, one.shape[1:]) for name, one in self.prompts[0].pictures.items())


def grouped(rows: Iterable[Row]) -> list[Group]:
    """The rows by what they begin with. A row alone shares all but its last token with nobody: its
    picture is read before it all the same."""
    found: dict[tuple[Any, ...], list[tuple[Row, EncodedPrompt]]] = {}
    for row in rows:
        one = row.encoded.followed_by(row.made) if row.made else row.encoded
        begins = one.ids[: one.pictures_end or _BEGINNING]
        found.setdefault((one.shown, begins), []).append((row, one))
    made = []
    for pairs in found.values():
        own, prompts = zip(*pairs, strict=True)
        shared = min(_common(prompts[0].ids, one.ids) for one in prompts)
        shared = min(shared, min(map(len, prompts)) - 1)
        if shared < _SHORTEST_PREFIX and not prompts[0].pictures:
            shared = 0
        made.append(Group(own, prompts, shared))
    return made


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """How many first tokens are the same."""
    least, most = 0, min(len(one), len(other))
    if one[:most] == other[:most]:
        return most
    while least < most:  # by halves: tuples compare fast
        middle = (least + most + 1) // 2
        if one[:middle] == other[:middle]:
            least = middle
        else:
            most = middle - 1
    return least


def batches(groups: Sequence[Group], most_tokens: int) -> list[list[Group]]:
    """The groups in batches of about so many tokens, those of like length and pictures together."""
    ordered = sorted(groups, key=lambda one: (str(one.shapes), one.shared))
    made: list[list[Group]] = []
    for group in ordered:
        last = made[-1] if made else []
        longest = max((group.shared, *(one.shared for one in last)))
        fits = (len(last) + 1) * longest <= most_tokens
        if last and fits and last[0].shapes == group.shapes:
            last.append(group)
        else:
            made.append([group])
    return made


class Reader:
    """Reads prompts with one model."""

    def __init__(self, network: Any, pad: int, kinds: int, penalty: float) -> None:
        self.network = network
        self._pad, self.kinds, self.penalty = pad, kinds, penalty

    def read(self, groups: Sequence[Group], most_tokens: int) -> list[Lane]:
        """The rows of groups of like pictures, each with the first token of its answer: lanes of
        rows of like length, of which about so many tokens are read at once."""
        found = self.first_logits(groups, most_tokens)
        return [self._begin(lane, logits) for lane, logits in found]

    def first_logits(
        self, groups: Sequence[Group], most_tokens: int
    ) -> list[tuple[Lane, torch.Tensor]]:
        """The same, each lane with how likely every token is to be the first of each answer."""
        prefix = self._read_shared(groups) if any(one.shared for one in groups) else None
        rows = [
            (place, row, prompt, group.shared)
            for place, group in enumerate(groups)
            for row, prompt in zip(group.rows, group.prompts, strict=True)
        ]
        rows.sort(key=lambda one: len(one[2]) - one[3])
        lanes = []
        while rows:
            count = _fitting([len(prompt) - shared for _, _, prompt, shared in rows], most_tokens)
            lanes.append(self._read_rest(prefix, rows[:count]))
            del rows[:count]
        return lanes

    def _read_shared(self, groups: Sequence[Group]) -> Cache:
        """What the model keeps of the beginning of each group. Shorter ones are filled up behind,
        where no token of theirs looks."""
        firsts = [group.prompts[0] for group in groups]
        longest = max(group.shared for group in groups)
        spans = [(one, 0, group.shared) for one, group in zip(firsts, groups, strict=True)]
        cache = Cache(layer_class_to_replicate=RoomyLayer)
        pictures = {
            name: torch.cat([one.pictures[name] for one in firsts]).to(self.network.device)
            for name in firsts[0].pictures
        }
        self.network(
            **self._tokens(spans, longest, behind=True),
            **pictures,
            past_key_values=cache,
            use_cache=True,
            logits_to_keep=1,
        )
        return cache

    def _read_rest(
        self,
        prefix: Cache | None,
        rows: Sequence[tuple[int, Row, EncodedPrompt, int]],
    ) -> tuple[Lane, torch.Tensor]:
        """Rows with what only they have."""
        device = self.network.device
        places = torch.tensor([place for place, _, _, _ in rows], device=device)
        shared = torch.tensor([own for _, _, _, own in rows], device=device)
        longest = max(len(prompt) - own for _, _, prompt, own in rows)
        before = 0 if prefix is None else prefix.get_seq_length()
        cache = Cache(layer_class_to_replicate=RoomyLayer)
        if prefix is not None:
            room = before + longest
            cache = Cache(layers=[one.select(places, room) for one in prefix.layers])
        lengths = torch.tensor([len(prompt) - own for _, _, prompt, own in rows], device=device)
        place = torch.arange(longest, device=device)
        mine = place >= (longest - lengths)[:, None]
        mask = torch.cat([torch.arange(before, device=device) < shared[:, None], mine], dim=1)
        # What fills up looks at itself, or there would be nothing to weigh.
        sees = torch.cat([place.new_zeros(longest, before) > 0, place[:, None] == place], dim=1)
        after = torch.cat([place.new_ones(longest, before) > 0, place[:, None] >= place], dim=1)
        spans = [(prompt, own, len(prompt)) for _, _, prompt, own in rows]
        made = self.network(
            **self._tokens(spans, longest, behind=False),
            attention_mask=((mask[:, None] & after) | sees)[:, None],
            past_key_values=cache,
            use_cache=True,
            logits_to_keep=1,
        )
        prompts = [prompt for _, _, prompt, _ in rows]
        following = torch.tensor([one.next_position for one in prompts], device=device)
        seen = self._seen(prompts, made.logits.shape[-1])
        own = [row for _, row, _, _ in rows]
        return Lane(own, cache, mask, following, following, seen), made.logits[:, -1]

    def _begin(self, lane: Lane, logits: torch.Tensor) -> Lane:
        """The lane with first tokens; rows that come to no numbers fail."""
        for place in without_numbers(logits).nonzero()[:, 0].tolist():
            fail(lane.rows[place].future, no_numbers(self.network))
        lane.last = chooser_of(lane.rows, self.penalty).choose(logits, lane.seen)
        if lane.seen is not None:
            lane.seen.scatter_(1, lane.last[:, None], True)
        return lane

    def _tokens(
        self, spans: Sequence[tuple[EncodedPrompt, int, int]], longest: int, behind: bool
    ) -> dict[str, torch.Tensor]:
        """The tokens of parts of prompts with their positions, filled up to one length."""
        ids = torch.full((len(spans), longest), self._pad)
        positions = torch.zeros(self.kinds, len(spans), longest, dtype=torch.long)
        others = {
            name: values.new_zeros(len(spans), longest)
            for name, values in spans[0][0].sequences.items()
        }
        for row, (prompt, start, end) in enumerate(spans):
            length = end - start
            at = slice(0, length) if behind else slice(longest - length, longest)
            ids[row, at] = torch.tensor(prompt.ids[start:end], dtype=torch.long)
            positions[:, row, at] = prompt.positions[:, start:end]
            for name, values in others.items():
                values[row, at] = prompt.sequences[name][start:end]
        where = positions[0] if self.kinds == 1 else positions
        made = {"input_ids": ids, "position_ids": where, **others}
        return {name: values.to(self.network.device) for name, values in made.items()}

    def _seen(self, prompts: Sequence[EncodedPrompt], size: int) -> torch.Tensor | None:
        """The tokens that the prompts hold, where the model minds repetitions."""
        if self.penalty == 1.0:
            return None
        seen = torch.zeros(len(prompts), size, dtype=torch.bool)
        for row, prompt in enumerate(prompts):
            seen[row, list(set(prompt.ids))] = True
        return seen.to(self.network.device)


def chooser_of(rows: Sequence[Row], penalty: float) -> Chooser:
    """How these rows choose."""
    return Chooser(tuple(row.prompt for row in rows), tuple(row.draw for row in rows), penalty)


def _fitting(lengths: Sequence[int], most_tokens: int) -> int:
    """How many of the first rows, the shortest in front, can be read at once."""
    count = 1
    while count < len(lengths) and (count + 1) * lengths[count] <= most_tokens:
        count += 1
    return count
