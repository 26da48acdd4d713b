"""Jokes put together from word lists, so that thousands differ, many of them in one word only."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace

PATTERNS = {
    "en": (
        ("when {who} {asks} {thing}", "and {whom} already {did} {other}"),
        ("nobody:", "absolutely nobody:", "{who} at {hour}: where is {thing}"),
        ("me explaining {thing} to {whom}", "{whom2}: {reply}"),
        ("{who} said {reply}", "so I {did} {thing}"),
        ("how {who} looks at {thing}", "after {count} {units} without {other}"),
        ("{count} {units} of {work}", "all for {thing}"),
        ("my {feeling} when {who} {asks} {thing}",),
        ("they said {work} would be fun", "it was {thing} with {other}"),
        ("{who}: {reply}", "{whom}: not before {hour}"),
    ),
    "zh": (
        ("当{who}{asks}{thing}的时候", "{whom}已经{did}{other}了"),
        ("{who}说好的{thing}呢", "结果只有{other}"),
        ("我给{whom}解释{thing}", "{whom2}：{reply}"),
        ("{who}：{reply}", "我：先{did}{thing}再说"),
        ("{work}{count}{units}", "就为了{thing}"),
        ("{who}看{thing}的眼神", "因为{count}{units}没见过{other}"),
        ("别人的{thing}", "{who}的{other}"),
        ("{hour}的{who}", "还在{did}{thing}"),
        ("说是{work}", "其实是陪{whom}{did}{other}"),
    ),
}
_PEOPLE = {
    "en": "my boss|my cat|my brain|the printer|grandma|my dog|the intern|my landlord|the teacher|"
    "my bank|the waiter|my neighbour|the doctor|our manager|my fridge|the new guy|my mother|"
    "the robot|my plant|the driver",
    "zh": "老板|我的猫|我的大脑|打印机|外婆|我的狗|实习生|房东|老师|银行|服务员|邻居|医生|经理|"
    "冰箱|新同事|妈妈|机器人|甲方|司机",
}
_THINGS = {
    "en": "the report|a raise|the last pizza|free coffee|my weekend|the password|a small favour|"
    "the budget|a second screen|the old chair|my sandwich|the holiday|a new keyboard|the blue pen|"
    "some silence|the group chat|a meeting|the umbrella|my charger|the deadline|a refund|"
    "the last cookie|the red button|a birthday cake",
    "zh": "周报|加薪|最后一块披萨|免费咖啡|周末|密码|小忙|预算|第二块屏幕|旧椅子|三明治|"
    "年假|新键盘|蓝色的笔|安静|群聊|会议|雨伞|充电器|截止日期|退款|最后一块饼干|红色按钮|生日蛋糕",
}
WORDS: dict[str, dict[str, list[str]]] = {
    language: {
        slot: text[language].split("|")
        for slot, text in {
            "who": _PEOPLE,
            "whom": _PEOPLE,
            "whom2": _PEOPLE,
            "thing": _THINGS,
            "other": _THINGS,
            "asks": {
                "en": "asks for|finds|forgets|steals|wants|deletes|hides|explains|sells|drops",
                "zh": "要|找到|忘了|偷走|想要|删掉|藏起|解释|卖掉|弄丢",
            },
            "did": {
                "en": "ate|cancelled|printed|burned|bought|lost|fixed|painted|mailed|broke",
                "zh": "吃掉|取消|打印|烧掉|买下|弄丢|修好|粉刷|寄走|摔坏",
            },
            "reply": {
                "en": "sounds like a plan|that is not my job|try turning it off|ask me tomorrow|"
                "we are a family here|no worries at all|it works on mine|let us circle back",
                "zh": "听起来不错|这不归我管|重启一下试试|明天再问|我们是一家人|完全没问题|"
                "我这里能用|回头再聊",
            },
            "work": {
                "en": "overtime|team building|a diet|homework|cleaning|jogging|studying|gardening",
                "zh": "加班|团建|减肥|写作业|打扫|跑步|学习|种花",
            },
            "hour": {
                "en": "3 am|midnight|noon|6 am|dawn|lunch time|10 pm|5 pm",
                "zh": "凌晨三点|半夜|中午|清晨六点|黎明|午饭时间|晚上十点|下午五点",
            },
            "count": {"en": "two|three|nine|forty|seven|twelve", "zh": "两|三|九|四十|七|十二"},
            "units": {"en": "days|weeks|hours|years|minutes", "zh": "天|个星期|小时|年|分钟"},
            "feeling": {
                "en": "face|mood|soul|last nerve|inner child|left eye",
                "zh": "脸|心情|灵魂|神经|童心|左眼",
            },
        }.items()
    }
    for language in ("en", "zh")
}
SLURS = {"en": ("numbskull", "nincompoop"), "zh": ("蠢货", "笨蛋")}
"""Mild words that stand for slurs, to be found by them."""
CAPTIONS = {
    "en": "{who} and {thing}, a story in one picture|found this while looking for {thing}|"
    "this is exactly {who} on a Monday with {thing}|never ask {who} about {thing} again",
    "zh": "{who}和{thing}的故事都在这张图里了|找{thing}的时候翻到了这张图|"
    "这不就是周一的{who}和{thing}吗|以后别再跟{who}提{thing}了",
}


@dataclass(frozen=True)
class Joke:
    """A pattern and what stands in its slots."""

    language: str
    pattern: int
    fills: tuple[tuple[str, str], ...]
    slur: str = ""

    @property
    def parts(self) -> tuple[str, ...]:
        """Its captions, from top to bottom."""
        fills = dict(self.fills)
        made = [one.format(**fills) for one in PATTERNS[self.language][self.pattern]]
        if self.slur:
            made[-1] += (" " if self.language == "en" else "") + self.slur
        return tuple(made)


def new_joke(draw: random.Random, language: str) -> Joke:
    """A joke drawn at random."""
    pattern = draw.randrange(len(PATTERNS[language]))
    slots = re.findall(r"\{(\w+)\}", " ".join(PATTERNS[language][pattern]))
    fills = tuple((slot, draw.choice(WORDS[language][slot])) for slot in dict.fromkeys(slots))
    return Joke(language, pattern, fills)


def one_word_changed(draw: random.Random, joke: Joke) -> Joke:
    """The joke with another filling of one slot."""
    place = draw.randrange(len(joke.fills))
    slot, old = joke.fills[place]
    new = draw.choice([word for word in WORDS[joke.language][slot] if word != old])
    return replace(joke, fills=(*joke.fills[:place], (slot, new), *joke.fills[place + 1 :]))


def caption(draw: random.Random, language: str) -> str:
    """What a poster writes beside a picture."""
    pattern = draw.choice(CAPTIONS[language].split("|"))
    return pattern.format(**{one: draw.choice(WORDS[language][one]) for one in ("who", "thing")})
