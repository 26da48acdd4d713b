"""Hashtags that tell what a benchmark asks for, taken out of what posts say."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from deadpan.core.curation import Post
from deadpan.curate.collect.keywords import chosen_words, known_lists, word_form
from deadpan.curate.schema import Keywords
from deadpan.parsing.script import normalize_text

_SIGNS = "#＃﹟"
_HASHTAG = re.compile(rf"[{_SIGNS}]([\w'’-]+)(?:\[[^\]\n]{{1,8}}\]|\s?超话)?")
_WORD = re.compile(r"[\w'’-]+")
_EMPTY = re.compile(r"[(（\[【「『“\"]\s*[)）\]】」』”\"]")
_BLANKS = re.compile(r"[ \t]{2,}")
_TELLING = 5
"""So many Latin letters of a label tell it within a longer tag, as in #sarcasmalert; two
ideographs do."""


@dataclass(frozen=True)
class LabelTags:
    """Tags that are one of some words, and tags that hold one of others."""

    equal: frozenset[str] = frozenset()
    within: tuple[str, ...] = ()

    def without(self, text: str) -> str:
        """The text without such tags: #word, #word#, #word[…]#, and what is left of brackets and
        blanks around them."""
        parts, place, last = [], 0, 0
        while match := _HASHTAG.search(text, place):
            place = match.end()
            if self._tells(match[1]):
                parts.append(text[last : match.start()])
                place = last = self._end(text, match)
        if not parts:
            return text
        return _BLANKS.sub(" ", _EMPTY.sub("", "".join((*parts, text[last:])))).strip()

    def stripped(self, post: Post) -> Post:
        """The post without them in its text and in what was answered."""
        turns = tuple(one.model_copy(update={"text": self.without(one.text)}) for one in post.turns)
        return post.changed(
            text=self.without(post.text),
            turns=tuple(one for one in turns if one.text or one.shares_media),
        )

    def _tells(self, tag: str) -> bool:
        form = word_form(normalize_text(tag))
        return form in self.equal or any(word in form for word in self.within)

    def _end(self, text: str, match: re.Match[str]) -> int:
        """Where a tag ends: behind the sign that closes it, if that does not open the next."""
        end = match.end()
        if text[end : end + 1] not in tuple(_SIGNS):
            return end
        after = _WORD.match(text, end + 1)
        opens = after and (match[1].isascii() or self._tells(after[0]))
        return end if opens else end + 1


def label_tags(keywords: Keywords) -> LabelTags:
    """The tags that are the words that are searched by, or tell the labels of benchmarks; none
    where the file keeps them."""
    if keywords.tags == "keep":
        return LabelTags()
    labels = set(_forms(known_lists()["labels"].words))
    within = (one for one in labels if len(one) >= (_TELLING if one.isascii() else 2))
    return LabelTags(frozenset({*_forms(chosen_words(keywords)), *labels}), tuple(sorted(within)))


def _forms(words: Iterable[str]) -> Iterable[str]:
    return (word_form(normalize_text(word)) for word in words)
