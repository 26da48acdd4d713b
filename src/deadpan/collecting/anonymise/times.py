"""Dates and times of day in chats, English and Chinese; bare years, months and days stay."""

from __future__ import annotations

from deadpan.collecting.anonymise.kinds import Pattern, pattern_of

_N = r"[\d零〇一二三四五六七八九十两]"
_HOUR = r"(?:[01]?\d|2[0-4])"
_HAN_HOUR = r"(?:[01]?\d|2[0-4]|二?十[一二三四五六七八九]?|[零一两二三四五六七八九])"
_CLOCK = (
    r"(?<![\d:.])(?:(?:上午|下午|中午|晚上|凌晨|早上"
    rf"|[ap]m)\s?)?{_HOUR}(?:\s:\s|:)[0-5]\d(?:(?:\s:\s|:)[0-5]\d(?:[.,]\d{{1,6}})?)?"
    r"(?![\d:])(?:\s?(?:[ap]\.?m\b\.?|z\b|utc|gmt|[+-]\d\d:?\d\d))?"
)
_PERIOD = (
    "上午|下午|凌晨|清晨|早上|早晨|中午|正午|傍晚|晚上|夜里|夜晚|半夜|深夜|午夜"
    "|今早|今晚|昨晚|明早|明晚|昨夜|今夜|前晚|早|晚"
)
_DAY = (
    r"yesterday|today|tomorrow|tonight|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat"
    r"(?:ur)?|sun)(?:day)?"
    r"|昨天|今天|明天|前天|后天|(?:周|星期|礼拜)[一二三四五六日天]"
)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|(?-i:Mar(?:ch)?|MAR(?:CH)?)|apr(?:il)?|(?-i:May"
    r"|MAY)|june?|july?"
    r"|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_ORDINAL = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_YEAR = r"(?:19|20)\d\d"
_ISO = rf"{_YEAR}\s?([-/._])\s?(?:0?[1-9]|1[0-2])\s?\1\s?(?:0?[1-9]|[12]\d|3[01])(?!\d)"
_THEN = rf"(?:\s{{0,2}}[,，]?\s{{0,2}}(?:t|at\s)?\s?{_CLOCK})?"
TIMES: tuple[Pattern, ...] = (
    pattern_of(
        "time",
        rf"(?<!\d)\[?{_ISO}(?:[-_ t]{_HOUR}[-_.]?[0-5]\d[-_.]?[0-5]\d(?!\d))?(?:\s{{0,2}}"
        rf"(?:{_DAY}))?{_THEN}\]?",
    ),
    pattern_of(
        "time",
        rf"(?<!\d){_YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[-_ t]?(?:[01]\d"
        r"|2[0-3])[0-5]\d(?:[0-5]\d)?)?(?!\d)",
    ),
    pattern_of(
        "time",
        r"(?<![\d/.-])\[?(?:0?[1-9]|[12]\d|3[01])([-/.])(?:0?[1-9]|[12]\d|3[01])\1"
        rf"(?:{_YEAR}|\d\d)(?![\d/-]|\.\d){_THEN}\]?",
    ),
    pattern_of(
        "time",
        r"(?<![\d/.-])\[?(?:0?[1-9]|1[0-2])[-/.](?:0?[1-9]|[12]\d"
        rf"|3[01])[,\s]\s?{_CLOCK}\]?",
    ),
    pattern_of(
        "time",
        rf"\[?(?:(?:{_YEAR}|\d\d|[零〇一二三四五六七八九]{{2,4}})\s?年\s?)?(?<!\d)"
        r"(?:1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])\s?月\s?(?:[12]\d|3[01]"
        r"|0?[1-9]|二?十[一二三四五六七八九]?|三十一?|廿[一二三四五六七八九]?"
        rf"|初?[一二三四五六七八九])(?![\d个])\s?[日号]?(?:\s?\(?(?:{_DAY})\)?)?(?:\s?"
        rf"(?:{_PERIOD}))?(?:\s?{_HAN_HOUR}\s?[点时:](?:\s?(?:{_N}{{1,3}}分?|半|整|钟"
        r"|[一三]刻))?(?:\s?:?\s?[0-5]\d秒?)?)?\]?",
    ),
    pattern_of(
        "time",
        rf"(?<![a-z])(?:(?:{_DAY}),?\s)?{_MONTH}\s?{_ORDINAL}(?![\d:]|\s?(?:%"
        rf"|[ap]\.?m\b))(?:,?\s{{1,2}}{_YEAR}(?!\d))?{_THEN}",
    ),
    pattern_of(
        "time",
        rf"(?<![a-z\d.,])(?:(?:{_DAY}),?\s)?{_ORDINAL}(?:\s(?:of\s)?|-){_MONTH}(?![a-z])"
        rf"(?:[,-]?\s{{0,2}}{_YEAR}(?!\d))?{_THEN}",
    ),
    pattern_of("time", rf"(?<![a-z]){_MONTH},?\s{_YEAR}(?!\d)"),
    pattern_of("time", rf"\[?(?:(?<![a-z])(?:{_DAY})(?:\s?at)?[,\s]{{0,2}})?{_CLOCK}\]?"),
    pattern_of(
        "time", r"(?<![\d.:$])(?:0?[1-9]|1[0-2])(?:[.:][0-5]\d)?\s?[ap]\.?m(?![a-z0-9'])\.?"
    ),
    pattern_of("time", r"(?<![\d.])(?:0?[1-9]|1\d|2[0-4])\s?o['’]?\s?clock\b"),
    pattern_of(
        "time",
        rf"(?:(?:{_DAY})\s?)?(?:{_PERIOD})\s?(?:的)?\s?{_HAN_HOUR}\s?(?:点"
        rf"(?![都也儿点不没])|时(?!候|间))(?:\s?(?:{_N}{{1,3}}分?|半|整|钟|多|左右"
        r"|[一三]刻))?",
    ),
    pattern_of(
        "time",
        rf"(?<!\d){_HAN_HOUR}\s?点\s?(?:[0-5]?\d分?(?!\d|个)|半(?![个点])|整|钟|[一三]刻"
        r"|[一二三四五]?十[一二三四五六七八九]?分?)",
    ),
    pattern_of(
        "time",
        rf"(?<!\d)(?:{_HOUR}|[两三四五六七八九]|十[一二]?)点"
        r"(?=[上下][班课]|起床|睡|见|之?前|之?后|左右|多|开会|开始|了)",
    ),
)
