"""The plain yes and no in an answer, in English and Chinese."""

from __future__ import annotations

import re
import unicodedata

from deadpan.base.compatibility import compatibility_form
from deadpan.parsing.labelled import either
from deadpan.parsing.simplified import simplified

_YES = (
    *("yes", "yeah", "yep", "true", "it is", "it does", "是", "是的", "对", "对的", "有", "有的"),
    *("存在", "肯定的"),
)
_NO = (
    *("no", "nope", "not", "false", "not at all", "not really", "it is not", "it isn't"),
    *("it does not", "it doesn't", "否", "不", "不是", "不是的", "没有", "无", "并非", "并不是"),
    *("不存在", "非", "否定的", "不算"),
)
_WHOLE = {
    **dict.fromkeys(("1", "y", "present", "detected"), True),
    **dict.fromkeys(("0", "n", "none", "absent", "not present", "not detected"), False),
}
"""What is a yes or a no as the whole first line of an answer only."""
HEDGE = (
    r"(?:\b(?:might|may|could|can (?:also )?be|maybe|perhaps|possibly|potentially|arguably|alone"
    r"|would (?:not |also |then )?(?:be|seem|read|look|sound)|at first|on the surface|superficially"
    r"|(?:on its|on their) own|by itself|(?:some|others|many|people|one)(?: people| viewers)?"
    r" (?:will |would )?(?:see|say|think|find|call|read|feel|consider|take)s?)\b"
    r"|(?<!很)(?<!极)(?<!最有)可能|也许|或许|乍看|乍一看|初看|看似|貌似|表面|单看|字面上"
    r"|(?:文字|文本|图片|画面)本身|有人|有些人|有的人|某些人|别人|可以?(?:被)?(?:理解|解读)[为成])"
)
"""Words that leave open what they stand before."""
_LEAD = (
    r"(?:(?:so|well|therefore|hence|thus|then|but|and|actually|definitely|certainly|clearly"
    r"|probably|likely|absolutely|indeed|overall)\s+"
    r"|(?:the|my)\s+answer\s+(?:is|would be|must be)\s+"
    r"|(?:i|we)(?:'d| would)?\s+(?:say|answer|think|choose)\s+(?:that\s+)?|(?:it's|it is)\s+a\s+"
    r"|(?:所以|因此|那么|但是?|而|其实|实际上|应该|也|绝对|当然|显然|肯定"
    r"|我(?:认为|觉得|选择?|会说)|我?的?(?:答案|回答|结论|判断)(?:应该|应)?[是为])\s*)"
)
_SAID = rf"'?(?:(?P<yes>{either(_YES)})|(?P<no>{either(_NO)}))'?"
_ANSWER = re.compile(rf"{_LEAD}{{0,4}}{_SAID}(?:\s+(?:because|since|it|this)\b.*)?", re.S)
_HEDGED_ANSWER = re.compile(
    rf"(?:(?:or\s+|或者?|还是)(?:{HEDGE}\s*)?|(?:也|又)?{HEDGE}\s*){_SAID}"
    r"|(?:yes and no|no and yes|既是又不是|是也不是)"
)
_CONCLUDES = re.compile(rf"(?:\banswer (?:is|would be|must be)\s+|答案[是为]){_SAID}(?!\s*[\w/])")
_EDGE = re.compile(r"[.,;:!?。、~()\n=|→]+|\s-+\s|[–—]+|(?<![\w'])[a-d1-9](?=[.)])")
_FINALLY = re.compile(
    r"\bfinal (?:answer|verdict|judge?ment|decision|conclusion)\b\W*(?:(?:is|would be)\b)?"
    r"|最[终后]的?(?:答案|回答|判断|结论|结果|决定)[是为]?"
)
_EMOJI = frozenset({"So", "Sk", "Cf", "Mn", "Cs"})
"""Kinds of characters that only decorate."""


def plain_answers(text: str) -> set[bool]:
    """What a text says by a plain yes or no that is a clause of its own; a hedged one is both."""
    answer = unmarked(folded(text))
    first = answer.split("\n")[0].strip(" .!。")
    said = {_WHOLE[first]} if first in _WHOLE else set()
    said |= {one["yes"] is not None for one in _CONCLUDES.finditer(answer)}
    for clause in map(str.strip, _EDGE.split(answer)):
        if found := _ANSWER.fullmatch(clause):
            said.add(found["yes"] is not None)
        elif _HEDGED_ANSWER.fullmatch(clause):
            said |= {True, False}
    return said


def final_word(answer: str) -> str:
    """What stands after the last "final answer"; all of it where nothing does."""
    *_, last = _FINALLY.split(answer)
    return last if re.search(r"\w", last) else answer


def folded(text: str) -> str:
    """The text in lower case and compatibility form, in simplified characters, without emoji."""
    plain = compatibility_form(text).casefold().replace("’", "'")
    kept = (" " if unicodedata.category(sign) in _EMOJI else sign for sign in plain)
    return simplified("".join(kept))


def unmarked(text: str) -> str:
    """The text without the marks of Markdown, TeX and HTML, and without quotation marks."""
    text = re.sub(r"<[^<>\n]{1,30}>", "\n", re.sub(r"\\[a-z]{1,12}\{|[{}$]", " ", text))
    return re.sub(r"[*_`#>\"“”「」『』\\]+", "", text).strip(" \n")
