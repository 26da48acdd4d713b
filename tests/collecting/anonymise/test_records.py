"""Records: names by field and in texts, fields that are metadata, references."""

from __future__ import annotations

import json

import pytest

from deadpan.collecting.anonymise.records import CleanRecord, Record, RefusedRecord, clean_record

NEW = {"a.png": "0f.png", "clips/b.mp4": "1e.mp4"}


def cleaned(record: Record) -> CleanRecord:
    return clean_record(record, NEW.get)


class TestDialogue:
    def test_speakers_are_replaced_everywhere_with_one_number(self) -> None:
        result = cleaned(
            {
                "dialogue": [
                    {"speaker": "Jane Roe", "text": "hi Max, Jane here"},
                    {"speaker": "Max", "text": "hey jane!"},
                ],
                "thinking": "Jane mocks herself in front of Max.",
                "sender_reasoning": "Roe wants comfort at 12:30.",
            }
        ).record
        assert result == {
            "dialogue": [
                {"speaker": "[name 1]", "text": "hi [name 2], [name 1] here"},
                {"speaker": "[name 2]", "text": "hey [name 1]!"},
            ],
            "thinking": "[name 1] mocks herself in front of [name 2].",
            "sender_reasoning": "[name 1] wants comfort at [time].",
        }

    def test_chinese_with_english_reasoning_uses_each_language(self) -> None:
        result = cleaned(
            {
                "language": "zh",
                "dialogue": [{"speaker": "张伟", "text": "张伟今天又加班了"}],
                "thinking": "He, that is 张伟, laughs about working late every single day.",
            }
        ).record
        assert result["dialogue"] == [{"speaker": "[姓名1]", "text": "[姓名1]今天又加班了"}]
        assert result["thinking"] == (
            "He, that is [name 1], laughs about working late every single day."
        )

    def test_roles_stay(self) -> None:
        record: Record = {"dialogue": [{"speaker": "A", "text": "A cat?"}, {"speaker": "我"}]}
        assert cleaned(record).record == record

    def test_numbers_start_anew_in_every_record(self) -> None:
        for name in ("Jane", "Kurt"):
            record: Record = {"dialogue": [{"speaker": name, "text": name}]}
            assert cleaned(record).record == {
                "dialogue": [{"speaker": "[name 1]", "text": "[name 1]"}]
            }

    def test_a_second_run_adds_no_number_that_is_there(self) -> None:
        record: Record = {"text": "[name 1] met Kurt", "author": "Kurt"}
        assert cleaned(record).record == {"text": "[name 1] met [name 2]", "author": "[name 2]"}

    def test_a_long_sender_is_reasoning_not_a_name(self) -> None:
        text = "The sender laughs at himself, so that nobody else has to."
        assert cleaned({"sender": text}).record == {"sender": text}

    def test_plain_text_with_headers(self) -> None:
        record: Record = {"text": "[01/05/2024, 21:03:11] Jane Roe: so tired\nJane: same"}
        assert cleaned(record).record == {"text": "[time] [name 1]: so tired\n[name 1]: same"}


class TestFields:
    def test_a_number_too_large_for_a_float_is_replaced_like_any_large_one(self) -> None:
        result = cleaned({"n": 10**400, "small": 17, "yes": True})
        assert result.record == {"n": None, "small": 17, "yes": True}
        assert result.replaced == {("n", "number"): 1}

    def test_ids_are_random_and_metadata_fields_go(self) -> None:
        record: Record = {
            "id": "chat-17",
            "timestamp": 1714550400,
            "user_id": "u1",
            "text": "ok",
            "turn": {"id": 5, "createdAt": "x", "n": 3},
        }
        first, second = cleaned(record), cleaned(record)
        assert first.record["id"] != second.record["id"] != "chat-17"
        assert len(str(first.record["id"])) == 16
        assert {key: value for key, value in first.record.items() if key != "id"} == {
            "text": "ok",
            "turn": {"n": 3},
        }
        assert first.replaced["timestamp", "field"] == 1 and first.replaced["id", "id"] == 1

    def test_large_numbers_are_taken_out_small_ones_stay(self) -> None:
        record: Record = {
            "a": 13812345678,
            "b": 3,
            "c": 0.5,
            "d": True,
            "e": None,
            "f": 1714550400.5,
        }
        expected = {"a": None, "b": 3, "c": 0.5, "d": True, "e": None, "f": None}
        assert cleaned(record).record == expected

    def test_a_telling_field_name_is_replaced(self) -> None:
        result = cleaned({"jane@example.com": {"说": "hi"}})
        assert result.record == {"[email]": {"说": "hi"}}
        assert result.replaced["[email]", "field name"] == 1

    def test_field_names_that_become_one_are_refused(self) -> None:
        with pytest.raises(RefusedRecord, match="twice"):
            cleaned({"jane@example.com": 1, "kurt@example.com": 2})

    def test_the_report_never_holds_what_was_replaced(self) -> None:
        record: Record = {
            "dialogue": [{"speaker": "Jane Roe", "text": "call +49 170 1234567, jane@x.org"}]
        }
        told = json.dumps([*cleaned(record).replaced.elements()])
        assert all(secret not in told for secret in ("Jane", "170", "x.org"))
        assert cleaned(record).replaced == {
            ("dialogue[0].speaker", "name"): 1,
            ("dialogue[0].text", "phone"): 1,
            ("dialogue[0].text", "email"): 1,
        }


class TestReferences:
    def test_files_get_their_new_names(self) -> None:
        record: Record = {
            "image": "a.png",
            "media": ["clips/b.mp4"],
            "text": "a.png",
            "url": "a.png",
        }
        assert cleaned(record).record == {
            "image": "0f.png", "media": ["1e.mp4"], "text": "0f.png", "url": "0f.png"
        }  # fmt: skip

    def test_a_word_that_is_a_files_name_stays_a_word(self) -> None:
        result = clean_record({"text": "clip", "video": "clip"}, {"clip": "2d.mp4"}.get).record
        assert result == {"text": "clip", "video": "2d.mp4"}

    def test_a_missing_file_refuses_the_record_without_naming_it(self) -> None:
        with pytest.raises(RefusedRecord) as refused:
            cleaned({"image": "jane-secret.png"})
        assert "image refers to a file" in str(refused.value) and "jane" not in str(refused.value)

    def test_a_packed_picture_refuses_the_record(self) -> None:
        with pytest.raises(RefusedRecord, match="packed"):
            cleaned({"image": "data:image/png;base64,iVBOR"})

    def test_links_texts_and_nothing_are_no_files(self) -> None:
        record: Record = {"image": "", "images": None, "meme": "one does not simply"}
        assert cleaned(record).record == record
        assert cleaned({"image": "https://x.org/a.png"}).record == {"image": "[link]"}
