"""Names that no list holds, and what stands around them: found, kept apart from ordinary words."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from deadpan.collecting.anonymise.doubts import Doubts
from deadpan.collecting.anonymise.patterns import Kind
from deadpan.collecting.anonymise.records import Record, clean_record
from deadpan.collecting.anonymise.text import Decide, Named, follow_suggestion, keep

REPLACED = [
    ("my friend Jorvel said so", "my friend [name 1] said so"),
    ("Dr. Quillaker says rest", "Dr. [name 1] says rest"),
    ("Hi Tamsel, sorry", "Hi [name 1], sorry"),
    ("so tired. — Brisdra", "so tired. — [name 1]"),
    ("best regards, Oswyn Pelling", "best regards, [name 1]"),
    ("Zavosha's idea, ask Zavosha", "[name 1]'s idea, ask [name 1]"),
    ("Oswyn Pelling left; pelling never liked me", "[name 1] left; [name 1] never liked me"),
    ("my brother kelvash roasts me", "my brother [name 1] roasts me"),
    ("Hi Mark, you up?", "Hi [name 1], you up?"),
    ("I was texting Kelvin at noon", "I was texting [name 1] at noon"),
    ("12 Larkmoor Road, Apt 4 please", "[address] please"),
    ("22 baker street", "[address]"),
    ("my insta is moody_tofu3", "my insta is [account]"),
    ("add walrus#1234", "add [account]"),
    ("the car with plate KLM-4821", "the car with plate [plate]"),
    ("parked by AB12 CDE", "parked by [plate]"),
    ("she works at Brightfen Labs now", "she works at [organisation] now"),
    ("I go to Ravenmoor High School", "I go to [organisation]"),
    ("I cried last Tuesday", "I cried [time]"),
    ("see you Friday night", "see you [time]"),
    ("GRETA LINDQVIST IS MY BOSS", "[name 1] IS MY BOSS"),
    ("Kestrel Ng mained it", "[name 1] mained it"),
    ("Wren Achterberg is late", "[name 1] is late"),
    ("Rose Okafor texted me", "[name 1] texted me"),
    ("单老板请客", "[姓名1]请客"),
    ("我叫逄博，多指教", "我叫[姓名1]，多指教"),
    ("我儿子叫胖墩儿", "我儿子叫[姓名1]"),
    ("闻人月考上了研究生", "[姓名1]考上了研究生"),
    ("我以前在清濛一中读书", "我以前在[单位]读书"),
    ("老家枫林镇的", "老家[地址]的"),
    ("微信加她：jingyi_oy88", "微信加她：[账号]"),
    ("我们搬到翠湖区香樟苑3栋了", "我们搬到[地址]了"),
    ("岑禾又迟到了", "[姓名1]又迟到了"),
    ("同事何珞媛又升职了", "同事[姓名1]又升职了"),
    ("老岑，帮我带饭", "[姓名1]，帮我带饭"),
    ("滕总让我改第八版", "[姓名1]让我改第八版"),
    ("我和阿栩都是打工人", "我和[姓名1]都是打工人"),
    ("欧阳知夏笑我", "[姓名1]笑我"),
    ("他妈妈姓苗，巨凶", "他妈妈姓[姓名1]，巨凶"),
    ("我家住梧桐路12号3栋501室", "我家住[地址]"),
    ("寄到嘉禾市望江区柳荫巷7号就行", "寄到[地址]就行"),
    ("小红书搜moody_tofu3", "小红书搜[账号]"),
    ("那辆京A·12345又堵门", "那辆[车牌]又堵门"),
    ("我是云溪大学毕业的", "我是[单位]毕业的"),
    ("在鹿鸣科技有限公司上班", "在[单位]上班"),
    ("上周五我还在改方案", "[时间]我还在改方案"),
    ("昨天下午三点见", "[时间]见"),
]

CODES = [
    ("my iban is GB29 NWBK 6016 1331 9268 19 ok", "my iban is [number] ok"),
    ("IE29AIBK93115212345678", "[number]"),
    ("sort code 20-44-91", "sort code [number]"),
    ("NI number QQ 12 34 56 C", "NI number [number]"),
    ("licence MORGA657054SM9IJ", "licence [number]"),
    ("mac 00:1B:44:11:3A:B7 ok", "mac [number] ok"),
    ("fe80::1ff:fe23:4567:890a and 2001:db8:85a3::8a2e:370:7334", "[number] and [number]"),
    ("at 51.5074, -0.1278 rn", "at [address] rn"),
    ("51°30'26\"N 0°7'39\"W", "[address]"),
    ("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "[account]"),
    ("pin 4821 dont tell", "pin [number] dont tell"),
    ("ring oh seven seven double four one two three nine six", "ring [phone]"),
]

ASKED = [
    ("20-44-91 is it", "20-44-91"),
    ("use a7Xk29Qp", "a7Xk29Qp"),
    ("Juniper is my therapist", "Juniper"),
    ("Juniper Vale said no", "Juniper Vale"),
    ("my boss is Linden and he sucks", "Linden"),
    ("WE ALL NEED TAVROSH", "TAVROSH"),
]

KEPT = [
    "one two three four five six seven eight nine ten",
    "iphone15 and covid19 and 2000years",
    "GOOD MORNING EVERYONE I HATE IT",
    "我叫外卖了",
    "儿子叫我起床",
    "小镇做题家",
    "Will you stop",
    "Mark my words, I will fail",
    "May I cry now",
    "In December I become a blanket",
    "I ate a Snickers and watched Netflix",
    "Thank God it's Friday",
    "Sir, this is a Wendy's",
    "Ohhh noooo Yikes",
    "I work at a bank",
    "university is expensive crying",
    "my insta is private",
    "yesterday was worse",
    "5 people on Main street energy",
    "高兴得像个傻子",
    "小心点，别又摔了",
    "白天睡觉晚上emo",
    "老师今天没点我名",
    "和老师说我病了",
    "这张图笑死我",
    "周末又在加班",
    "王者荣耀连跪十把",
    "阿姨我不想努力了",
    "大学四年学会了点外卖",
    "公司又发通知了",
    "小区门口的保安",
    "段子都没我惨",
    "老天给我关了门",
]


def cleaned(text: str, doubts: Doubts | None = None) -> object:
    return clean_record({"text": text}, lambda text: None, doubts or Doubts()).record["text"]


def asked_about(text: str, speakers: Sequence[str] = ()) -> list[str]:
    asked: list[str] = []

    class Listing:
        def at(self, file: str, place: str, text: str) -> Decide:
            def decide(kind: Kind, found: str, shown: str, likely: bool = True) -> str | None:
                asked.append(found)
                return follow_suggestion(kind, found, shown, likely)

            return decide

        def named(self, file: str, place: str) -> Named:
            return lambda found, shown: shown

    record: Record = {"speakers": [*speakers], "text": text}
    clean_record(record, lambda text: None, Doubts(decisions=Listing()))
    return asked


@pytest.mark.parametrize(("text", "expected"), REPLACED)
def test_people_are_found(text: str, expected: str) -> None:
    assert cleaned(text) == expected
    assert cleaned(expected) == expected


@pytest.mark.parametrize(("text", "expected"), CODES)
def test_codes_whose_form_is_plain_go(text: str, expected: str) -> None:
    assert cleaned(text) == expected


@pytest.mark.parametrize(("text", "expected"), ASKED)
def test_what_stays_is_asked_about(text: str, expected: str) -> None:
    asked = asked_about(text)
    assert cleaned(text) == text and expected in asked


def test_pet_names_are_asked_about_and_stay() -> None:
    assert asked_about("我带糖糖和果果") == ["糖糖", "果果"]
    assert cleaned("慢慢来，天天在家，哈哈哈哈") == "慢慢来，天天在家，哈哈哈哈"
    assert asked_about("慢慢来，天天在家，哈哈哈哈") == []


def test_a_speakers_nickname_is_asked_about() -> None:
    assert "mags" in asked_about("hey mags, you up?", ["Matilda Roe"])
    assert asked_about("thanks a lot", ["Theodora"]) == []


@pytest.mark.parametrize("text", KEPT)
def test_ordinary_words_stay(text: str) -> None:
    assert cleaned(text) == text


def test_a_person_has_one_number_in_all_texts_of_a_record() -> None:
    record = {"a": "my friend Jorvel cried", "b": "poor jorvel, and my sister Tamsel too"}
    assert clean_record(record, lambda text: None).record == {
        "a": "my friend [name 1] cried",
        "b": "poor [name 1], and my sister [name 2] too",
    }


def test_two_nicknames_of_one_person_both_go() -> None:
    """老吴 is a form of 吴师傅, and 吴师傅 one of 老吴."""
    record = {"a": "吴师傅说水管要换", "b": "问问老吴多少钱", "c": "师傅，这里停"}
    assert clean_record(record, lambda text: None).record == {
        "a": "[姓名1]说水管要换",
        "b": "问问[姓名1]多少钱",
        "c": "师傅，这里停",
    }


def test_what_is_not_sure_is_for_others_to_decide() -> None:
    asked = []

    class Kept:
        def at(self, file: str, place: str, text: str) -> Decide:
            def decide(kind: str, found: str, shown: str, likely: bool = True) -> None:
                asked.append((place, kind, found, shown))

            return decide  # type: ignore[return-value]

        def named(self, file: str, place: str) -> Named:
            return lambda found, shown: shown

    text = "my friend Jorvel works at Brightfen Labs"
    assert cleaned(text, Doubts(decisions=Kept())) == "my friend [name 1] works at Brightfen Labs"
    assert asked[0] == ("text", "organisation", "Brightfen Labs", "[organisation]")
    assert keep("name", "x", "y") is None


@pytest.mark.parametrize("unit", ["aB", "王", "阿", "云溪大学", "Jorvel said ", "路12号"])
def test_long_odd_texts_take_little_time(unit: str) -> None:
    cleaned(unit * (20_000 // len(unit)))
