"""A phrase that prose names: "The post mocks people who …", 这条帖子讽刺的是…的人, or a line that
is one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from deadpan.parsing.declared import PATTERNS as GRAMMAR
from deadpan.parsing.patterns import Patterns
from deadpan.parsing.replies import Unparseable
from deadpan.parsing.script import simplify

_SENTENCE = re.compile(r"(?:[^.!?。！？\n;；]|\.(?=\w))+[.!?。！？;；]*")
_MOST = 400
"""Sentences that are looked at."""
_LONGEST = 600
"""Characters of a sentence."""


class Phrases:
    """Finds the phrase by a benchmark's patterns: `sentences` that name it as the group `target`,
    and ends, hedged, denied, contrast, describes, question, reason and placeholder."""

    def __init__(self, texts: Mapping[str, str | Sequence[str]]) -> None:
        self._patterns = Patterns(texts)
        self._sentences = [
            re.compile("(?i)" + self._patterns.fill(one)) for one in texts["sentences"]
        ]

    def named(self, text: str) -> str | None:
        """The phrase that a text's sentences name; None for none, several that differ raise. What
        stands behind a correction counts alone."""
        *drafts, corrected = GRAMMAR["correction"].split(simplify(text))
        if drafts and (found := self._in_sentences(text[-len(corrected) :] if corrected else "")):
            return found
        return self._in_sentences(text)

    def _in_sentences(self, text: str) -> str | None:
        found: list[str] = []
        concluded: list[str] = []
        for sentence in _SENTENCE.findall(text)[:_MOST]:
            sentence = self._unhedged(sentence[:_LONGEST])
            plain = simplify(sentence)
            if self._patterns["question"].search(plain) or self._patterns["hedged"].search(plain):
                continue
            if (phrase := self._in_sentence(sentence, plain)) is not None:
                found.append(phrase)
                if GRAMMAR["concluding"].match(plain):
                    concluded.append(phrase)
        found = concluded or found
        if len({one.casefold() for one in found}) > 1:
            raise Unparseable(f"it names {len(set(found))} that differ")
        return found[0] if found else None

    def _unhedged(self, sentence: str) -> str:
        """A sentence, or of one that hedges and then turns ("could be …, but …") what follows."""
        plain = simplify(sentence)
        turn = next(reversed([*GRAMMAR["turn"].finditer(plain)]), None)
        if turn and self._patterns["hedged"].search(plain, 0, turn.start()):
            return sentence[turn.end() :]
        return sentence

    def _in_sentence(self, sentence: str, plain: str) -> str | None:
        for one in (found for pattern in self._sentences for found in pattern.finditer(plain)):
            if self._patterns["denied"].search(plain[: one.start("target")][-30:]):
                continue
            if (phrase := self.trimmed(sentence[slice(*one.span("target"))])) is not None:
                return phrase
        return None

    def trimmed(self, phrase: str) -> str | None:
        """The phrase up to where its sentence goes on, without signs around it; "not A but B" is
        B."""
        plain = simplify(phrase.strip())
        phrase = phrase.strip()
        if contrast := self._patterns["contrast"].match(plain):
            name = "target" if contrast["target"] else "other"
            phrase = phrase[contrast.start(name) :]
        end = self._patterns["ends"].search(simplify(phrase))
        kept = self._cut(phrase[: end.start()] if end else phrase)
        return kept if re.search(r"[^\W_]", kept) else None

    def _cut(self, phrase: str) -> str:
        """The phrase without words that only lead to it, particles and brackets behind it, and
        signs around."""
        kept = unquoted(phrase)
        lead = self._patterns["lead"].match(simplify(kept))
        kept = kept[lead.end() :] if lead else kept
        tail = self._patterns["tail"].search(simplify(kept))
        return unquoted(kept[: tail.start()] if tail and tail.start() else kept)

    def bare(self, line: str) -> str | None:
        """The phrase that a line is, or opens with before it closes the reply; None for a sentence
        about the material, a question, a hedge or a placeholder."""
        sentences = [one for one in _SENTENCE.findall(line) if re.search(r"\w", one)]
        if not sentences:
            return None
        first, *rest = sentences
        plain = simplify(first).strip()
        if any(not GRAMMAR["closing_line"].match(simplify(one).strip()) for one in rest):
            return None
        for unwanted in ("describes", "hedged", "question"):
            if self._patterns[unwanted].search(plain):
                return None
        first = re.sub(r"\A\s*(?:\d{1,2}[.)、]|[-•*])\s+(?=\S)", "", first)
        if contrast := self._patterns["contrast"].match(simplify(first.strip())):
            first = first.strip()[contrast.start("target" if contrast["target"] else "other") :]
        reason = self._patterns["reason"].search(simplify(first))
        kept = self._cut(first[: reason.start()] if reason and reason.start() else first)
        if self._patterns["placeholder"].fullmatch(simplify(kept)) or self._patterns[
            "placeholder"
        ].fullmatch(plain):
            return None
        return kept or None


def unquoted(text: str) -> str:
    """The text without signs around it; quotation marks that belong to its inside stay."""
    text = re.sub(r"\*+|`+", "", text).strip(" \t\r\n*_`.。,，;；:：!！~～")
    for opening, closing in (
        ('"', '"'),
        ("“", "”"),
        ("「", "」"),
        ("『", "』"),
        ("'", "'"),
        ("‘", "’"),
    ):
        if (
            len(text) > 1
            and text[0] == opening
            and text[-1] == closing
            and not {opening, closing} & set(text[1:-1])
        ):
            return text[1:-1].strip(" .。")
    return text
