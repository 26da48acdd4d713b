"""Links, e-mails, files, accounts and mentions in chats, English and Chinese."""

from __future__ import annotations

from deadpan.collecting.anonymise.kinds import Pattern, pattern_of

_STOP = r"\s<>\"'“”‘’，。！？；：、…（）【】《》「」『』\ufffc"
_WIDE_DOMAINS = (
    "com|net|org|edu|gov|info|biz|cn|io|ai|app|dev|xyz|top|tv|cc|vip|club|site|shop"
    "|online|store"
    "|link|live|blog|wiki|ink|fun|uk|de|fr|es|nl|ru|jp|kr|tw|hk|sg|au|ca|eu|br|ch"
    "|pl|se|fi|dk|ie"
    "|nz|gg|gl|ly|fm|pw|im|moe|art|icu|wang|ltd|中国|公司|网络"
)
# Endings that are also words, so that a missing blank after a full stop makes no link.
_WORD_DOMAINS = "me|so|is|it|in|to|at|no|be|us|my|do|am|as|id|pro|one|pub|gd|gs|page|cloud"
_LABEL = r"[0-9a-z\u00c0-\u024f](?:[0-9a-z_\u00c0-\u024f-]{0,61}[0-9a-z\u00c0-\u024f])?"
_TAIL = r"(?::\d{2,5})?(?:[/?#][^" + _STOP + r"\u3400-\u9fff]*)?"
_EDGE = r"(?<![0-9a-z@._-])"
_ENDED = r"(?<![.,!?;:)\]])"
_MAIL = r"[0-9a-z\u00c0-\u024f._%+-]{1,64}"
_MAIL_ENDINGS = "com|cn|net|org|edu|io|me"
_MEDIA_ENDINGS = (
    "png|jpe?g|gif|webp|bmp|heic|avif|mp4|mov|avi|mkv|mp3|m4a|amr|silk|pdf|docx?"
    "|xlsx?|pptx?|zip|rar|apk"
)

LINKS: tuple[Pattern, ...] = (
    pattern_of("file", r"data:[\w/+.-]{0,60};base64,[0-9a-z+/=_-]*"),
    pattern_of(
        "email", r"(?<![0-9a-z._%+-])" + _MAIL + rf"@(?:{_LABEL}\.){{1,4}}[a-z]{{2,18}}(?![0-9a-z])"
    ),
    pattern_of(
        "email",
        r"(?<![0-9a-z._%+-])"
        + _MAIL
        + rf"\s?@\s?(?:{_LABEL}\s?[.。]\s?){{1,4}}(?:{_MAIL_ENDINGS})(?![0-9a-z])",
    ),
    pattern_of(
        "email",
        r"(?<![0-9a-z._%+-])"
        + _MAIL
        + rf"(?:\s?(?:\(at\)|\[at\]|\{{at\}}|艾特)\s?{_LABEL}\s?(?:\(dot\)|\[dot\]"
        rf"|\{{dot\}}|dot|点|\.)|\sat\s{_LABEL}\s(?:dot|点)|#{_LABEL}\.)\s?"
        rf"(?:{_MAIL_ENDINGS})(?![0-9a-z])",
    ),
    pattern_of(
        "link", r"(?<![a-z])[a-z][a-z0-9+.-]{1,20}://[^" + _STOP + r"\u3400-\u9fff]+" + _ENDED
    ),
    pattern_of("link", r"(?<![0-9a-z.])www\d?\.[^" + _STOP + r"\u3400-\u9fff]+" + _ENDED),
    pattern_of(
        "file",
        rf"(?<![0-9a-z_])(?:[\u3400-\u9fff]{{1,8}}[0-9a-z_.%+~/\\-]{{0,120}}"
        rf"|[0-9a-z_.%+~/\\-]{{1,120}})\.(?:{_MEDIA_ENDINGS})(?![0-9a-z])",
    ),
    pattern_of(
        "link",
        _EDGE + rf"(?:{_LABEL}[.。]){{1,5}}(?:{_WIDE_DOMAINS})(?![0-9a-z_@-])" + _TAIL + _ENDED,
    ),
    pattern_of(
        "link",
        _EDGE + rf"(?:{_LABEL}\.){{1,5}}(?:{_WORD_DOMAINS}|[a-z]{{2,8}})"
        rf"(?::\d{{2,5}})?/[0-9a-z][^" + _STOP + r"\u3400-\u9fff]*" + _ENDED,
    ),
    pattern_of(
        "link",
        r"(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)"
        r"(?![\d.])(?::\d{2,5})?",
    ),
    pattern_of(
        "link", r"[\u3400-\u9fff]{1,10}\.(?:com|cn|net|org|中国|公司|网络)(?![0-9a-z])" + _TAIL
    ),
    pattern_of("link", r"[¥$€£₤](?=[0-9a-z]*\d)(?=[0-9a-z]*[a-z])[0-9a-z]{8,16}[¥$€£₤]"),
)

_TAKEN = r"(?P<it>[a-z][-_0-9a-z]{4,30}|\d{5,12})(?![0-9a-z])"
_TAKEN_NUMBERED = r"(?P<it>(?=[-_0-9a-z]*[\d_])[a-z_][-_0-9a-z]{4,30}|\d{5,12})(?![0-9a-z])"
_WECHAT = r"(?:微信|薇信|威信|v信|wechat|weixin|(?<![a-z])[wv]x(?![a-z])|加v|加微)"
_SERVICES = (
    r"(?<![a-z])(?:telegram|tg|insta(?:gram)?|ig|snap(?:chat)?|skype|line|kik"
    r"|discord|steam|tiktok"
    r"|twitter|facebook|fb|psn|小红书|抖音|快手|微博|b站|豆瓣|支付宝|alipay|paypal|venmo)"
)
ACCOUNTS: tuple[Pattern, ...] = (
    pattern_of(
        "number",
        r"(?:提取码|访问码|密码|password|passcode)\s{0,2}[:=是]\s{0,2}"
        r"(?P<it>[0-9a-z_!@#$%^&*.-]{3,30})",
    ),
    pattern_of("account", r"(?<![0-9a-z])wxid_[0-9a-z]{4,40}"),
    pattern_of(
        "account", _WECHAT + r"\s?(?:号码?|id|账号)\s{0,3}(?:是|为|is|[:=])?\s{0,3}" + _TAKEN
    ),
    pattern_of("account", _WECHAT + r"\s{0,3}(?:是|为|[:=])\s{0,3}" + _TAKEN),
    pattern_of("account", _WECHAT + r"\s{0,3}(?:is|me at)?\s{0,3}" + _TAKEN_NUMBERED),
    pattern_of(
        "account",
        r"(?<![a-z])(?:qq|扣扣|q|企鹅)\s?(?:群|号|号码|群号|id|number)?\s{0,3}(?:是|为"
        r"|is|[:=])?\s{0,3}(?P<it>[1-9]\d{4,11})(?!\d)",
    ),
    pattern_of("account", _SERVICES + r"\s?(?:id|uid|号)\s{0,3}(?P<it>\d{5,12})(?!\d)"),
    pattern_of(
        "account",
        _SERVICES + r"\s?(?:id|号|账号|account|name|username|handle|用户名|昵称|[:=]"
        r"|\s){0,3}\s?[:=]\s{0,3}@?(?P<it>[0-9a-z][-_.0-9a-z]{2,30})(?![0-9a-z])",
    ),
    pattern_of(
        "account",
        r"(?:用户名|账号|帐号|username|user\s?name|user\s?id|account id|userid"
        r"|uid)\s{0,3}[:=]\s{0,3}(?P<it>[0-9a-z][-_.0-9a-z]{2,40})(?![0-9a-z])",
    ),
    pattern_of(
        "account",
        r"(?:微信|wechat|微博|抖音|小红书)?(?:用户名|昵称|网名"
        r"|nickname)\s{0,3}[:=是]\s{0,3}"
        r"(?P<it>[0-9a-z\u3400-\u9fff][-_.0-9a-z\u3400-\u9fff]{1,20})",
    ),
)

HANDLES = pattern_of(
    "handle",
    r"(?<![0-9a-z._])@(?P<body>\{[^}\n]{1,40}\}|(?=[0-9_.-]*[^\W\d_]|\d{4})[^\W_]"
    r"(?:[\w.·-]{0,38}\w)?|_[\w.]*[a-z0-9][\w.]*)"
    r"|<[@!]{1,2}&?(?P<code>[0-9a-z]{5,24})>"
    r"|(?<![0-9a-z/])/?u/(?P<reddit>[0-9a-z_-]{3,20})(?![0-9a-z/])",
)
BASE64 = pattern_of("file", r"[0-9a-z+/_-]{160,}={0,2}")
