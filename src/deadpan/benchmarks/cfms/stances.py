"""What an answer says to a yes-or-no question in English or Chinese: yes, no, or nothing clear.

An answer says it by a plain yes or no, by a statement about the thing asked for ("is not
sarcastic", 没有讽刺) or, where it is short, by naming the thing. One that says both, or neither, is
unparseable: nothing is guessed.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property

from deadpan.labelled import either
from deadpan.replies import Unparseable

_YES = ("yes", "yeah", "yep", "y", "true", "1", "是", "是的", "对", "对的", "有", "有的", "存在")
_NO = ("no", "nope", "n", "false", "0", "否", "不", "不是", "没有", "无", "并非", "不存在", "非")
_SET_OFF = r"(?=\s*(?:$|[.,;:!?。，；：！？、~…()（）\n-]))"
_OPENS = re.compile(rf"\W*(?:(?P<yes>{either(_YES)})|(?P<no>{either(_NO)})){_SET_OFF}")
_BOTH = re.compile(
    r"\b(?:yes|true)\b[^.。\n]{0,12}\b(?:no|false)\b(?!\s+\w)"
    r"|\b(?:no|false)\b[^.。\n]{0,12}\b(?:yes|true)\b(?!\s+\w)"
    r"|(?<![\w一-鿿])是(?:的)?[\s/或、和,，]{1,3}(?:又?也?)(?:或)?(?:否|不是)"
    r"|(?<![\w一-鿿])有[\s/或、]{1,3}(?:无|没有)"
    r"|可能(?:是|有|存在)[^。；\n]{0,12}?可能(?:不是|没有|不存在)"
)
_SHORT = 32
"""The most characters of an answer that is nothing but the thing's name."""

_NOT = (
    r"(?:not|no|never|without|lacks?|lacking|neither|nor|free of|rather than|instead of|absence of"
    r"|devoid of|\w+n't|nothing)"
)
_NOT_NEGATING = r"(?!\s+(?:only|just|merely|simply|solely|without|unlike|uncommon|doubt|question))"
_BETWEEN = r"(?:\s+(?!but\b|and\b|yet\b|it\b|is\b)[\w-]+){0,4}?\s+"
_STATES = (
    r"(?:is|are|was|be|being|'s|'re|seems?|appears?|contains?|has|have|uses?|using|conveys?"
    r"|expresses|employs?|shows?|carries|reads as|there is|there's|as|through|with|sounds)"
)
_FEW = r"(?:\s+(?!not\b|no\b|whether\b|if\b|whatever\b)[\w-]+){0,4}?\s+"
_FILLING = (
    r"(?:有|是|含有?|包含|存在|具有|具备|带有?|任何|明显的?|什么|直接的?|表现出?|体现出?|构成|属于|算是?"
    r"|使用|运用|采用|看到|看出|出|到|一种|一个|在|意图|刻意|真正|实际上?|图文|其中|了|的|这|为|用了?|在于|想|要|意在|旨在"
    r"|强烈|典型|明确|十分|非常|很|比较|清晰|所谓|意味|成分|色彩)"
)
_CHINESE_NOT = (
    r"(?:(?<!未尝)(?<!何尝)不(?!仅|只|单|光|无|得不|禁|但|愧|难|可否认|妨|论|少|同|过|由)|没(?!错|想到)|(?<!不)无(?!疑|情|论|不|奈|非|形|语|聊)"
    r"|非(?!常|但|要|得|议)|未(?!尝|必|来|免)|缺乏|缺少|排除|谈不上|毫无|并非|绝非|而非|而不是)"
)
_CHINESE_STATES = (
    r"(?:是|有|含|包含|存在|具有|具备|带|属于|构成|运用|使用|采用|体现|表达|充满|意在|旨在|用来|借以|进行|以此|从而|达到"
    r"|通过|形成|产生|为|很|非常|十分|极具|颇具)"
)


@dataclass(frozen=True)
class Stance:
    """What is asked for, by the words that name it in both languages, as patterns."""

    english: str
    chinese: str

    @cached_property
    def _word(self) -> str:
        return rf"(?:\b(?:{self.english})|(?:{self.chinese}))"

    @cached_property
    def _asked(self) -> re.Pattern[str]:
        """Mentions that only ask: whether it is, 是否讽刺, yes or no."""
        e, c = self.english, self.chinese
        return re.compile(
            rf"\b(?:whether|if)\b[^.,;:\n]{{0,40}}?\b(?:{e})(?:\s+or\s+not)?"
            rf"|\b(?:{e})\s+or\s+not\b(?!\s+(?:{e}))"
            rf"|\b(?:may|might|could|can)\s+or\s+\w+\s+not\b[^.\n]{{0,30}}?\b(?:{e})"
            rf"|\bis (?:it|this|the post)\s+(?:{e})\s*\?"
            rf"|(?:是否|是不是|有没有|有无|含不含)[^，。；：:！\n]{{0,8}}?(?:{c})|(?:{c})与否"
        )

    @cached_property
    def _denied(self) -> re.Pattern[str]:
        e, c = self.english, self.chinese
        return re.compile(
            rf"\b(?:non|un)-?\s?(?:{e})"
            rf"|\b{_NOT}{_NOT_NEGATING}(?:{_BETWEEN}|\s+)(?:{e})"
            rf"|\b(?:{e})\w*\s+(?:is|are)\s+(?:absent|not (?:there|present|used|intended))"
            rf"|{_CHINESE_NOT}{_FILLING}{{0,6}}(?:{c})"
        )

    @cached_property
    def _stated(self) -> re.Pattern[str]:
        e, c = self.english, self.chinese
        return re.compile(
            rf"(?<!would )\b{_STATES}(?:{_FEW}|\s+)(?:{e})"
            rf"|{_CHINESE_STATES}{_FILLING}{{0,6}}(?:{c})|(?:{c})(?:了|着|的是|效果|意味|意图|手法)"
        )

    @cached_property
    def _named(self) -> re.Pattern[str]:
        return re.compile(self._word)

    def says(self, text: str) -> bool:
        """Whether it says yes; an answer that says both or nothing clear raises Unparseable."""
        plain = _plain(text)
        if not plain:
            raise Unparseable("expected yes or no (是 or 否); there is nothing")
        opening = _OPENS.match(plain)
        left = self._asked.sub(" ", plain)
        denied = self._denied.search(left) is not None
        left = self._denied.sub(" ", left)
        named = len(plain) <= _SHORT and self._named.search(left) is not None
        stated = named or self._stated.search(left) is not None
        yes = stated or bool(opening and opening["yes"])
        no = denied or bool(opening and opening["no"])
        if (yes and no) or _BOTH.search(plain):
            raise Unparseable("it says both yes and no")
        if not yes and not no:
            raise Unparseable("expected yes or no (是 or 否); it says neither clearly")
        return yes


def _plain(text: str) -> str:
    """The text in lower case and compatibility form, without Markdown marks."""
    folded = unicodedata.normalize("NFKC", text[:20_000]).casefold().replace("’", "'")
    return re.sub(r"[*_`#>\"“”]+", "", folded).strip()


SARCASM = Stance(r"sarcas\w*", "讽刺|反讽|嘲讽|讥讽")
METAPHOR = Stance(r"metaphor\w*", "隐喻|比喻|暗喻")
