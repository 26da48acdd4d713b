"""What friends make of the names of speakers, in both languages, and words that only look so."""

import pytest

from deadpan.collecting.anonymise.nicknames import (
    chinese_nicknames,
    english_nicknames,
    is_plain_nickname,
)
from deadpan.collecting.anonymise.records import clean_record

pytest.importorskip("jieba", reason="names in Chinese need the [text] extra")


def said(text: str, *speakers: str) -> str:
    record = {"speakers": list(speakers), "text": text}
    return str(clean_record(record, lambda name: None).record["text"])


def test_forms_of_a_name() -> None:
    assert {"伟哥", "阿伟", "小张", "老张", "张姐", "伟伟", "伟子"} <= set(
        chinese_nicknames("张伟", "张")
    )
    assert {"mike", "mikey", "mich"} <= set(english_nicknames("Michael"))
    assert "tabs" in english_nicknames("Tabitha")
    assert is_plain_nickname("小曲") and is_plain_nickname("朵朵")
    assert not is_plain_nickname("小王") and not is_plain_nickname("伟哥")


@pytest.mark.parametrize(
    ("text", "speaker", "kept"),
    [
        ("伟哥又迟到了", "张伟", "[姓名1]又迟到了"),
        ("@倩姐 救命", "刘倩倩", "@[姓名1] 救命"),
        ("浩子又在摸鱼", "周浩", "[姓名1]又在摸鱼"),
        ("朵朵把我拉黑了", "花小朵", "[姓名1]把我拉黑了"),
        ("一朵朵白云飘过", "花小朵", "一朵朵白云飘过"),
        ("我明明说过了", "李明", "我明明说过了"),
        ("Mike's couch is my therapist", "Michael Torres", "[name 1]'s couch is my therapist"),
        ("jenny im begging you", "Jennifer Wu", "[name 1] im begging you"),
        ("Tabs is typing", "Tabitha", "[name 1] is typing"),
        ("Will I ever sleep again", "William Moss", "Will I ever sleep again"),
        ("ask Will about it", "William Moss", "ask [name 1] about it"),
    ],
)
def test_nicknames_of_speakers_go(text: str, speaker: str, kept: str) -> None:
    assert said(text, speaker) == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("ship it to 10115 Berlin, thanks", "ship it to [address], thanks"),
        ("mail it to Lindenallee 14, 50668 Köln", "mail it to [address]"),
        ("my dorm room 214 leaks", "my [address] leaks"),
        ("born in April '91, already sore", "born in [time], already sore"),
        ("student id s1234567", "student id [number]"),
        ("s1234567 is me", "[number] is me"),
        ("寄到朝阳区望京SOHO，谢谢", "寄到[地址]，谢谢"),
        ("房间号1407，敲门三下", "房间号[地址]，敲门三下"),
        ("we're at Unit 4, Larkspur Business Park", "we're at [address]"),
        ("小妹考上清濛一中了", "小妹考上[单位]了"),
        ("The business park is empty", "The business park is empty"),
        ("我98年6月生的，已经秃了", "我[时间]生的，已经秃了"),
        ("小区里的猫都比我忙", "小区里的猫都比我忙"),
        ("room for improvement", "room for improvement"),
        ("50000 Subscribers and no money", "50000 Subscribers and no money"),
    ],
)
def test_places_birth_dates_and_ids(text: str, kept: str) -> None:
    assert said(text) == kept


def test_many_speakers_take_little_time() -> None:
    speakers = [f"{one}{two}{three}" for one in "王李张刘" for two in "伟芳娜" for three in "明华"]
    assert said("今天又是摸鱼的一天" * 20 + "，芳姐请客", *speakers).endswith("，[姓名3]请客")
