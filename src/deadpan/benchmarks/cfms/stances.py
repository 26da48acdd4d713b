"""What an answer says to a yes-or-no question in English or Chinese: yes, no, or nothing clear.

An answer says it by a plain yes or no, by a statement about the thing asked for ("is not
sarcastic", 没有讽刺) or by the thing's name and nothing else. One that says both, or neither, is
unparseable: nothing is guessed.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property

from deadpan.labelled import either
from deadpan.replies import Unparseable

_YES = (
    "yes",
    "yeah",
    "yep",
    "y",
    "true",
    "是",
    "是的",
    "对",
    "对的",
    "有",
    "有的",
    "存在",
    "肯定的",
)
_NO = (
    *("no", "nope", "n", "false", "否", "不", "不是", "没有", "无", "并非", "不存在", "非"),
    "否定的",
)
_SET_OFF = r"(?=\s*(?:$|[.,;:!?。，；：！？、~…()（）\n-]|(?:because|since|it|this)\b))"
_SAID = (
    rf"(?:(?P<yes>{either(_YES)}{_SET_OFF}|1(?=\W*$))|(?P<no>{either(_NO)}{_SET_OFF}|0(?=\W*$)))"
)
_BEFORE = (
    r"(?:\(?[a-d1-9][).:、]\s*|option [a-d]\W+|(?:so|well|therefore|hence)\b\W*"
    r"|(?:i|we)(?:'d| would)? (?:say|answer|think)\b\W*(?:that\s+)?(?:the answer is\b\W*)?"
    r"|我(?:认为|觉得|的答案是|的回答是)\W*)?"
)
_OPENS = re.compile(rf"\W*{_BEFORE}\W*{_SAID}")
_CONCLUDES = re.compile(
    r"(?:\banswer(?:\s+(?:is|would be|must be))?\W{1,4}|(?:答案|回答|结论)(?:应该|应)?[是为:]\W*)"
    rf"{_SAID}"
)
_ECHO = re.compile(
    r"^\W*(?:(?:yes|true)\s*(?:/|or)\s*(?:no|false)|是\s*(?:/|或|还是)\s*(?:否|不是)"
    r"|有\s*(?:/|或|还是)\s*(?:无|没有))\s*[:)\]]\s*(?=\S)"
)
"""The options said again before the answer."""

_BOTH = re.compile(
    r"\b(?:yes|true)\b[^.。\n]{0,12}\b(?:no|false)\b(?!\s+\w)"
    r"|\b(?:no|false)\b[^.。\n]{0,12}\b(?:yes|true)\b(?!\s+\w)"
    r"|\ba\W{1,3}(?:yes|是)\W{1,4}b\W{1,3}(?:no|否)|\ba\W{1,3}(?:no|否)\W{1,4}b\W{1,3}(?:yes|是)"
    r"|(?<![\w一-鿿])是(?:的)?[\s/或、和,，]{1,3}(?:又?也?)(?:或)?(?:否|不是)"
    r"|(?<![\w一-鿿])有[\s/或、]{1,3}(?:无|没有)"
    r"|可能(?:是|有|存在)[^。；\n]{0,12}?可能(?:不是|没有|不存在)"
)

_NOT = (
    r"(?:not|no|never|cannot|without|lacks?|lacking|neither|nor|free of|free from|rather than"
    r"|instead of|absence of|devoid of|\w+n't|nothing|far from|hardly|barely|scarcely|unlikely"
    r"|fail(?:s|ed)? to|anything but|opposite of|zero)"
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
    r"(?:not|never|cannot|hardly|\w+n't)\s+(?:(?!and\b|or\b|nor\b|but\b|only\b|just\b)\w+\s+){0,3}?"
    r"(?:not|without|lack\w*|devoid|free of|deny|help|non|fail)\b"
)
_FILLING = (
    r"(?:有|是|含有?|包含|存在|具有|具备|带有?|任何|明显的?|什么|直接的?|表现出?|体现出?|构成|属于|算是?"
    r"|使用|运用|采用|看到|看出|出|到|一种|一个|在|意图|刻意|真正|实际上?|图文|其中|了|的|这|为|用了?|在于|想|要|意在|旨在"
    r"|强烈|典型|明确|十分|非常|很|比较|清晰|所谓|意味|成分|色彩|能够?|可以?|应当?|该|会|太|宜|被|视|看作|看成|认为|觉得|说"
    r"|称|作|当作|归|它|那|篇|条|张|图片?|帖子?|内容|来|进行|反语|反话|夸张|修辞|手法|以|足以|谓|得上|达到|表达|传达)"
)
_CHINESE_NOT = (
    r"(?:(?<!未尝)(?<!何尝)(?<!不得)(?<!不能)(?<!不可)(?<!不可谓)"
    r"不(?!仅|只|单|光|无|得不|能不|可不|禁|但|愧|难|可否认|可谓不|妨|论|少|同|过|由)|没(?!错|想到)"
    r"|(?<!不)无(?!疑|情|论|不|奈|非|形|语|聊)|非(?!常|但|要|得|议)|未(?!尝|必|来|免)|缺乏|缺少|排除"
    r"|[谈算称说]不上|毫无|并非|绝非|而非|而不是)"
)
_CHINESE_UNSURE = (
    r"(?:(?<!不)(?:很难|难以|难)(?:说|算|称|看|判断|认定|认为|确定|断定)|难说|不好说|未必|不一定|不见得"
    r"|不确定|无法(?:确定|判断|断定)|不清楚|不可谓不)"
)
_CHINESE_STATES = (
    r"(?:是|有|含|包含|存在|具有|具备|带|属于|构成|运用|使用|采用|体现|表达|充满|意在|旨在|用来|借以|进行|以此|从而|达到"
    r"|通过|形成|产生|为|很|非常|十分|极具|颇具|不无)"
)
_CLAUSE = re.compile(
    r"[.,;:!?。、\n()]|\b(?:but|yet|and|so|because|while|although|however|instead)\b"
    r"|而是|而$|但|却|反而|其实|所以|因此"
)
_NEGATES = re.compile(
    rf"\b{_NOT}\b{_NOT_NEGATING}|不(?:能(?!不)|可以|应|会|是|算|宜|该|必|认为|觉得|足以|构成|属于|带|含|存在|具)"
    r"|没有|未能|无法|并非|难以"
)
_SENTENCE = re.compile(r"[^.!?。\n]+[.!?。\n]?|[.!?。\n]")
_REACH = 120
"""How far back a clause is looked at, in characters."""


@dataclass(frozen=True)
class Stance:
    """What is asked for, by the words that name it in both languages, as patterns."""

    english: str
    chinese: str

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
        """Mentions that say nothing: whether it is, 是否讽刺, hard to say, two negations."""
        e, c = self.english, self.chinese
        return re.compile(
            rf"\b(?:whether|if)\b[^.,;:\n]{{0,40}}?\b(?:{e})(?:\s+or\s+not)?"
            rf"|\b(?:{e})\s+or\s+not\b(?!\s+(?:{e}))"
            rf"|\b(?:may|might|could|can)\s+or\s+\w+\s+not\b[^.\n]{{0,30}}?\b(?:{e})"
            rf"|\b{_UNSURE}\b[^.,;:\n]{{0,40}}?\b(?:{e})"
            rf"|\b{_TWICE}[^.,;:\n]{{0,30}}?\b(?:{e})"
            rf"|(?:是否|是不是|有没有|有无|含不含)[^，。；：:！\n]{{0,8}}?(?:{c})|(?:{c})与否"
            rf"|(?:如果|假如|倘若|若)[^,。;:\n]{{0,12}}?(?:{c})"
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
            rf"|\b(?:nothing|none)\b{_NOT_NEGATING}(?!\s+(?:other|less|except))"
            rf"[^.,;:!?\n]{{0,60}}?\b(?:{e})"
            rf"|\btoo\s+\w+\s+to\s+(?:be|count as)\s+(?:{e})"
            rf"|\b(?:{e})\w*\s+(?:is|are)\s+(?:absent|not (?:there|present|used|intended))"
            rf"|{_CHINESE_NOT}{_FILLING}{{0,8}}(?:{c})"
        )

    @cached_property
    def _stated(self) -> re.Pattern[str]:
        e, c = self.english, self.chinese
        return re.compile(
            rf"(?<!would )\b{_STATES}(?:{_FEW}|\s+)(?:{e})"
            rf"|{_CHINESE_STATES}{_FILLING}{{0,6}}(?:{c})|(?:{c})(?:了|着|的是|效果|意味|意图|手法)"
        )

    @cached_property
    def _alone(self) -> re.Pattern[str]:
        return re.compile(rf"\W*(?:\d[.)、]\s*)?(?:(?:clearly|very)\s+)?{self._word}的?\W*")

    def _is_stated(self, left: str) -> bool:
        """Whether the thing stands alone or is stated in a clause that negates nothing."""
        if self._alone.fullmatch(left):
            return True
        for found in self._stated.finditer(left):
            clause = _CLAUSE.split(left[max(0, found.start() - _REACH) : found.start()])[-1]
            if not _NEGATES.search(clause):
                return True
        return False

    def says(self, text: str) -> bool:
        """Whether it says yes; an answer that says both or nothing clear raises Unparseable."""
        plain = _plain(text)
        if not plain:
            raise Unparseable("expected yes or no (是 or 否); there is nothing")
        answer = _ECHO.sub("", self._without_questions(plain))
        plainly = _plain_words(answer)
        left = self._open.sub(" ", answer)
        denied = self._denied.search(left) is not None
        yes = True in plainly or self._is_stated(self._denied.sub(" ", left))
        no = False in plainly or denied
        if (yes and no) or _BOTH.search(answer):
            raise Unparseable("it says both yes and no")
        if not yes and not no:
            raise Unparseable("expected yes or no (是 or 否); it says neither clearly")
        return yes


def _plain_words(answer: str) -> set[bool]:
    """What an answer says by a plain yes or no: where it opens with them, and as its conclusion."""
    found = list(_CONCLUDES.finditer(answer))
    if opening := _OPENS.match(answer):
        again = _OPENS.match(answer, opening.end())
        found += [opening, *([again] if again else [])]
    return {one["yes"] is not None for one in found}


def _plain(text: str) -> str:
    """The text in lower case and compatibility form, without Markdown marks."""
    folded = unicodedata.normalize("NFKC", text[:20_000]).casefold().replace("’", "'")
    return re.sub(r"[*_`#>\"“”]+", "", folded).strip()


SARCASM = Stance(r"sarcas\w*", "讽刺|反讽|嘲讽|讥讽")
METAPHOR = Stance(r"metaphor\w*", "隐喻|比喻|暗喻")
