"""Telephone, identity, card and other long numbers in chats; laughter and round ones stay."""

from __future__ import annotations

from deadpan.collecting.anonymise.kinds import Pattern, pattern_of

_SEPARATED = r"[ .\-–‑()·]{0,2}"
_CALL = (
    r"(?:call|phone|tel|cell|mobile|text|sms|whatsapp|number|reach|ring|dial|fax"
    r"|contact|电话|手机|号码|联系|致电|拨打|座机)"
)
NUMBERS: tuple[Pattern, ...] = (
    pattern_of(
        "number",
        r"(?<![0-9a-z])[1-9]\d{5}\s?(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d"
        r"|3[01])\s?\d{3}[\dx](?![0-9a-z])",
    ),
    pattern_of("number", r"(?<![0-9a-z])[a-z]{2}\d\d(?: ?\d{4}){3,7}(?: ?\d{1,4})?(?![0-9a-z])"),
    pattern_of("number", r"(?<![0-9a-z])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![0-9a-z])"),
    pattern_of(
        "number",
        r"(?<![0-9a-z-])(?:\d{3}-\d{2}-\d{4}|[3-6]\d{3}([ -])\d{4}\1\d{4}\1\d{3,4}"
        r"(?:\1\d{1,3})?)(?![0-9a-z-])",
    ),
    pattern_of(
        "phone",
        rf"(?<![0-9a-z+])(?!\+[1-9]\d{{0,2}}0{{5,}}(?!\d))(?:\+|00|\(\+)[1-9]\d{{0,2}}\)?"
        rf"(?:{_SEPARATED}\d){{6,13}}(?!\d)",
    ),
    pattern_of(
        "phone",
        rf"(?<![\d.])(?:\(?86\)?{_SEPARATED})?1"
        rf"(?:[3-9]\d{_SEPARATED}\d{{4}}{_SEPARATED}\d{{4}}"
        rf"|[3-9]\d{_SEPARATED}\d{{3}}{_SEPARATED}\d{{5}}"
        rf"|[3-9]\d\d{_SEPARATED}\d{{3}}{_SEPARATED}\d{{4}}|([ .-])[3-9](?:\1\d){{9}})"
        r"(?!\d)",
    ),
    pattern_of("phone", r"(?<!\d)1[3-9]\d[ -]?[*x]{3,5}[ -]?\d{3,4}(?!\d)"),
    pattern_of("phone", r"(?<![\d.-])\(?[2-9]\d\d\)?[ .-]{1,2}\d{3}[ .-]\d{4}(?![\d-])"),
    pattern_of("phone", r"(?<![\d.-])1[ .-]\(?[2-9]\d\d\)?[ .-]\d{3}[ .-]\d{4}(?![\d-])"),
    pattern_of(
        "phone",
        r"(?<![\d.-])\(?0\d{2,3}\)?[ -]?[2-9]\d{6,7}(?:\s?(?:转|ext\.?|x)\s?\d{1,5})?"
        r"(?![\d-])",
    ),
    pattern_of(
        "phone",
        r"(?<![\d.-])(?=(?:\d[ .-]?){9,11}(?![\d-]))0[1-9]\d{0,3}(?:[ .-]?\d{2,4}){2,4}"
        r"(?![\d-])",
    ),
    pattern_of("phone", r"(?<![\d.-])[48]00[ -]?\d{3}[ -]?\d{4}(?![\d-])"),
    pattern_of(
        "phone",
        rf"{_CALL}[^\d\n\ufffc]{{0,20}}(?P<it>\d{{3,4}}[ .-]?\d{{4}}(?!\d)"
        r"|\(?\d{2,4}\)?[ .-]?\d{3,4}[ .-]?\d{3,4}(?!\d)|\d{7,15}(?!\d))",
    ),
    pattern_of("phone", r"(?<![\d.-])0\d{2,3}[ -]\d{3,4}[ -]\d{4}(?![\d-])"),
    pattern_of("phone", r"[一幺妖][三四五六七八九][零〇一二三四五六七八九幺妖洞]{9}"),
    pattern_of(
        "number",
        r"(?<![0-9a-z])[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][a-z][·\s-]?"
        r"(?=[0-9a-z]*\d)[0-9a-z]{5,6}(?![0-9a-z])",
    ),
    pattern_of(
        "number",
        r"(?:护照|passport|身份证|id card|ssn|学号|工号|student id|order|订单|快递|单号"
        r"|车牌|银行卡|卡号|验证码|尾号|license)[^\d\n\ufffc]{0,12}?"
        r"(?P<it>[a-z]{0,3}\d[0-9a-z-]{3,24})(?![0-9a-z])",
    ),
    pattern_of(
        "number",
        r"(?<![\d.,])(?!([0-9])\1+(?!\d)|23+(?!\d)|6+(?!\d)|[1-9]\d{0,3}0{4,}(?!\d)"
        r"|12345678(?:9|90)?(?!\d)|(?:520|1314|666|233|88){2,}(?!\d))\d{8,}(?![\d,]\d"
        r"|\d)",
    ),
)
