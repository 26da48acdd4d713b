"""What an answer says to a yes-or-no question in English or Chinese: yes, no, or nothing clear.

An answer says it by a plain yes or no that is a clause of its own, by a statement about the thing
asked for ("is not sarcastic", 没有讽刺) or by its name as the first sentence. All of it counts,
but what stands after "final answer" (最终答案) counts alone. One that says both, neither or only
"perhaps" is unparseable: nothing is guessed.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property

from deadpan.base.compatibility import compatibility_form
from deadpan.parsing.labelled import either
from deadpan.parsing.replies import Unparseable
from deadpan.parsing.script import simplify

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
_HEDGE = (
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
__HEDGED_ANSWER = re.compile(
    rf"(?:(?:or\s+|或者?|还是)(?:{_HEDGE}\s*)?|(?:也|又)?{_HEDGE}\s*){_SAID}"
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

_TURN = (
    r"(?:\b(?:but|yet|however|though|actually|in fact)\b"
    r"|但|却|其实|实则|实际|事实上|然而|不过|而是)"
)
_QUOTED = re.compile(r"[\"“「『]([^\"“”「」『』\n]{4,200})(?:[\"”」』]|$)", re.M)
_ASIDE = r"(?:perhaps|maybe|possibly|at first|alone|on its own|by itself)"
_GESTURE = r"(?:smile|smirk|grin|face|look|expression|表情|微笑|笑容|笑|脸|眼神)"

_NOT = (
    r"(?:not|no|never|cannot|without|lacks?|lacking|neither|nor|free of|free from|rather than"
    r"|instead of|absence of|devoid of|\w+n't|nothing|far from|hardly|barely|scarcely|unlikely"
    r"|fail(?:s|ed)? to|anything but|opposite of|zero|more\s+(?:[\w-]+\s+){1,3}than)"
)
_NOT_NEGATING = (
    r"(?!\s+(?:only|just|merely|simply|solely|without|unlike|uncommon|doubt|question|but|short of))"
)
_BETWEEN = r"(?:\s+(?!but\b|and\b|yet\b|it\b|is\b)[\w-]+){0,6}?\s+"
_STATES = (
    r"(?:is|are|was|be|being|'s|'re|seems?|appears?|contains?|has|have|uses?|using|conveys?"
    r"|expresses|employs?|shows?|carries|reads as|there is|there's|as|through|with|sounds)"
)
_FEW = r"(?:\s+(?!not\b|no\b|whether\b|if\b|whatever\b|about\b|little\b|less\b)[\w-]+){0,4}?\s+"
_THINKS = r"(?:think|believe|say|see|find|feel|consider|call|regard|suggest|mean|imply|indicate)"
_UNSURE = (
    r"(?:hard|difficult|impossible|unclear|uncertain|unsure|doubtful|questionable|debatable"
    r"|ambiguous|wrong to|a stretch to|not (?:clear|sure|certain|obvious)"
    r"|(?<!no )(?<!without )(?<!without a )doubt)"
)
_TWICE = (
    r"(?:not?|never|nobody|nothing|cannot|hardly|\w+n't)\s+"
    r"(?:(?!and\b|or\b|nor\b|but\b|only\b|just\b)\w+\s+){0,5}?"
    r"(?:not?|without|lack\w*|devoid|free of|deny|help|non|fail|\w+n't|be(?: any)? more)\b"
)
_FILLING = (
    r"(?:有|是|含有?|包含|存在|具有|具备|带有?|任何|明显的?|什么|直接的?|表现出?|体现出?|构成|属于|算是?"
    r"|使用|运用|采用|看到|看出|出|到|一[种个则篇条组幅张]|在|意图|刻意|真正|实际上?|图文|其中|了|的|这|为|用了?|在于|想|要|意在|旨在"
    r"|强烈|典型|明确|十分|非常|很|比较|清晰|所谓|意味|成分|色彩|能够?|可以?|应当?|该|会|太|宜|被|视|看作|看成|认为|觉得|说"
    r"|称|作|当作|归|它|那|篇|条|张|图片?|帖子?|内容|来|进行|反语|反话|夸张|修辞|手法|以|足以|谓|得上|达到|表达|传达)"
)
_CHINESE_NOT = (
    r"(?:(?<!未尝)(?<!何尝)(?<!不得)(?<!不能)(?<!不可)(?<!不可谓)"
    r"不(?!仅|只|单|光|无|得不|能不|可不|禁|但|愧|难|可否认|可谓不|妨|论|少|同|过|由)|没(?!错|想到)"
    r"|(?<!不)无(?!疑|情|论|不|奈|非|形|语|聊)|非(?!常|但|要|得|议)|未(?!尝|必|来|免)|缺乏|缺少|排除"
    r"|[谈算称说]不上|毫无|并非|绝非|而非|而不是|与其说)"
)
_CHINESE_UNSURE = (
    r"(?:(?<!不)(?:很难|难以|难)(?:说|算|称|看|判断|认定|认为|确定|断定)|难说|不好说|未必|不一定|不见得"
    r"|不确定|无法(?:确定|判断|断定)|不清楚|不可谓不"
    r"|(?:没有?人|无人|谁|难道|不能|不可)[^,。;:!?\n]{0,12}?(?:不是|不算|不含|没有|并非))"
)
_CHINESE_STATES = (
    r"(?:是|有|含|包含|存在|具有|具备|带|属于|构成|运用|使用|采用|体现|表达|充满|意在|旨在|用来|借以|进行|以此|从而|达到"
    r"|检测到|识别到|通过|形成|产生|为|很|非常|十分|极具|颇具|不无)"
)
_CLAUSE = re.compile(
    r"[.,;:!?。、\n()]|\b(?:but|yet|and|so|because|while|although|however|instead)\b"
    r"|而是|而$|但|却|反而|其实|所以|因此"
)
_NEGATES = re.compile(
    rf"\b{_NOT}\b{_NOT_NEGATING}|不(?:能(?!不)|可以|应|会|是|算|宜|该|必|认为|觉得|足以|构成|属于|带|含|存在|具)"
    r"|没有|未能|无法|并非|难以"
)
_UNTOLD = r"(?:hard to (?:tell|say)|not sure|unsure|unclear|不确定|很难说|不好说|难以判断)"
_SENTENCE = re.compile(r"[^.!?。\n]+[.!?。\n]?|[.!?。\n]")
_REACH = 120
"""How far back a clause is looked at, in characters."""


@dataclass(frozen=True)
class Stance:
    """What is asked for, by the words that name it in both languages, and what its opposite is
    stated by, as patterns."""

    english: str
    chinese: str
    opposite: str

    @cached_property
    def _word(self) -> str:
        return rf"(?:\b(?:{self.english})|(?:{self.chinese}))"

    @cached_property
    def _named(self) -> re.Pattern[str]:
        return re.compile(self._word)

    def _without_questions(self, text: str) -> str:
        """The text without whole questions about the thing, said again or left open."""
        return "".join(
            " " if sentence.endswith("?") and self._named.search(sentence) else sentence
            for sentence in _SENTENCE.findall(text)
        )

    @cached_property
    def _open(self) -> re.Pattern[str]:
        """Mentions that say nothing: whether it is, 是否讽刺, hard to say, perhaps, not without."""
        e, c, word = self.english, self.chinese, self._word
        return re.compile(
            rf"{_HEDGE}\s*,?(?:(?!{_TURN})[^.,;:!?。\n]){{0,60}}?{word}(?:\s+or\s+not(?:\s+{word})?)?"
            rf"|{word}[^.,;:!?。\n]{{0,15}},?\s*{_ASIDE}"
            rf"|{word}\s*的?{_GESTURE}"
            rf"|\bwhether\b[^.,;:\n]{{0,40}}?\b(?:{e})(?:\s+or\s+not)?"
            rf"|\bif\b[^.;!?\n]{{0,80}}?\b(?:{e})|(?:如果|假如|倘若|若)[^。;!?\n]{{0,30}}?(?:{c})"
            rf"|\b(?:{e})\s+or\s+not\b(?:\s+(?:{e}))?"
            rf"|\b{_UNSURE}\b[^.,;:\n]{{0,40}}?\b(?:{e})"
            rf"|\b{_TWICE}[^.,;:\n]{{0,30}}?\b(?:{e})"
            rf"|(?:是否|是不是|有没有|有无|含不含)[^，。；：:！\n]{{0,8}}?(?:{c})|(?:{c})与否"
            rf"|(?:{c})(?:意味|效果|意图|手法|成分|色彩)?[并都也]?(?:不(?![是仅无只但已])|没|未|无)"
            rf"|{_CHINESE_UNSURE}[^,。;:!\n]{{0,10}}?(?:{c})"
            rf"|{_CHINESE_NOT}{_FILLING}{{0,4}}{_CHINESE_NOT}{_FILLING}{{0,4}}(?:{c})"
        )

    @cached_property
    def _denied(self) -> re.Pattern[str]:
        e, c = self.english, self.chinese
        return re.compile(
            rf"\b(?:non|un)-?\s?(?:{e})|\b(?:{e})[-\s]free\b"
            rf"|\b{_NOT}{_NOT_NEGATING}(?:{_BETWEEN}|\s+)(?:{e})"
            rf"|\b(?:not|cannot|never|\w+n't)\s+{_THINKS}\b[^.,;:\n]{{0,40}}?\b(?:{e})"
            rf"|\b(?:nothing|none|neither)\b{_NOT_NEGATING}(?!\s+(?:other|less|except))"
            rf"[^.,;:!?\n]{{0,60}}?\b(?:{e})"
            rf"|\btoo\s+\w+\s+to\s+(?:be|count as)\s+(?:{e})"
            rf"|\b(?:{e})\s+(?:(?:is|was)\s+)?(?:absent|not (?:there|present|intended|detected))"
            rf"|{_CHINESE_NOT}{_FILLING}{{0,8}}(?:{c})"
        )

    @cached_property
    def _stated(self) -> re.Pattern[str]:
        e, c = self.english, self.chinese
        return re.compile(
            rf"\b{_STATES}(?:{_FEW}|\s+)(?:{e})"
            rf"|\b(?:{e})\s+(?:(?:is|was)\s+)?(?:detected|present|found|identified|intended)"
            rf"|{_CHINESE_STATES}{_FILLING}{{0,6}}(?:{c})|(?:{c})(?:了|着|的是|效果|意味|意图|手法)"
        )

    @cached_property
    def _taken_back(self) -> re.Pattern[str]:
        """A statement that its own sentence turns against: "…, but is sincere", 但我认为不是."""
        return re.compile(
            rf"{self._word}[^.!?。\n]{{0,80}}?{_TURN}[^.!?。\n]{{0,60}}?"
            rf"(?:{self.opposite}|{_UNTOLD}|(?:\bnot|n't|不是|没有|并非)(?=\s*(?:[.,;!?。\n]|$)))"
        )

    @cached_property
    def _alone(self) -> re.Pattern[str]:
        return re.compile(
            rf"\W*(?:\d[.)、]\s*)?(?:(?:clearly|very)\s+)?{self._word}的?(?:\W*$|\s*[.!。\n])"
        )

    def _is_stated(self, left: str) -> bool:
        """Whether the thing is the first sentence or is stated in a clause that negates nothing."""
        if self._alone.match(left):
            return True
        for found in self._stated.finditer(left):
            clause = _CLAUSE.split(left[max(0, found.start() - _REACH) : found.start()])[-1]
            if not _NEGATES.search(clause):
                return True
        return False

    def says(self, text: str) -> bool:
        """Whether it says yes; an answer that says both or nothing clear raises Unparseable."""
        plain = self._unquoted(text)
        if not plain:
            raise Unparseable("expected yes or no (是 or 否); there is nothing")
        answer = self._without_questions(_final_word(plain))
        left = self._open.sub(" ", answer)
        stated = self._taken_back.sub(" ", self._denied.sub(" ", left))
        said = plain_answers(answer)
        said |= {False} if self._denied.search(left) else set()
        said |= {True} if self._is_stated(stated) else set()
        if len(said) > 1:
            raise Unparseable("it says both yes and no")
        if not said:
            raise Unparseable("expected yes or no (是 or 否); it says neither clearly")
        return said.pop()

    def _unquoted(self, text: str) -> str:
        """The plain text without what it quotes, unless that names the thing or is all there is."""
        whole = normalize_text(text)
        left = _QUOTED.sub(lambda one: one[0] if self._named.search(one[1]) else " ", whole)
        return _strip_marks(left) or _strip_marks(whole)


def plain_answers(text: str) -> set[bool]:
    """What a text says by a plain yes or no that is a clause of its own; a hedged one is both."""
    answer = _strip_marks(normalize_text(text))
    first = answer.split("\n")[0].strip(" .!。")
    said = {_WHOLE[first]} if first in _WHOLE else set()
    said |= {one["yes"] is not None for one in _CONCLUDES.finditer(answer)}
    for clause in map(str.strip, _EDGE.split(answer)):
        if found := _ANSWER.fullmatch(clause):
            said.add(found["yes"] is not None)
        elif __HEDGED_ANSWER.fullmatch(clause):
            said |= {True, False}
    return said


def _final_word(answer: str) -> str:
    """What stands after the last "final answer"; all of it where nothing does."""
    *_, last = _FINALLY.split(answer)
    return last if re.search(r"\w", last) else answer


def normalize_text(text: str) -> str:
    """The text in lower case and compatibility form, in simplified characters, without emoji."""
    plain = compatibility_form(text).casefold().replace("’", "'")
    kept = (" " if unicodedata.category(sign) in _EMOJI else sign for sign in plain)
    return simplify("".join(kept))


def _strip_marks(text: str) -> str:
    """The text without the marks of Markdown, TeX and HTML, and without quotation marks."""
    text = re.sub(r"<[^<>\n]{1,30}>", "\n", re.sub(r"\\[a-z]{1,12}\{|[{}$]", " ", text))
    return re.sub(r"[*_`#>\"“”「」『』\\]+", "", text).strip(" \n")


SARCASM = Stance(
    r"sarcas\w*",
    "讽刺|反讽|嘲讽|讥讽",
    opposite=r"(?:\b(?:is|are|was|as|be)|'s)\s+(?:\w+\s+){0,3}?(?:sincere|genuine|earnest|heartfelt)\b"
    r"|[是为于][^,。]{0,6}?(?:真心|真诚|真情|诚恳|由衷|真挚|善意)",
)
METAPHOR = Stance(
    r"metaphor\w*",
    "隐喻|比喻|暗喻",
    opposite=r"(?:\b(?:is|are|was|as|be)|'s)\s+(?:\w+\s+){0,3}?literal\b|[是为][^,。]{0,6}?(?:字面|写实)",
)
