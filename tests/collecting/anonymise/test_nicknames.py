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
