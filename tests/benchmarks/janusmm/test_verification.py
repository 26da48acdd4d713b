"""What `data verify` reports of a folder."""

from pathlib import Path

from deadpan.benchmarks.janusmm.records import anomalies
from tests.benchmarks.janusmm.meme_folder import Row, chinese_row, plain_row, row, write


def kinds(folder: Path, rows: list[Row], images: bool = True) -> dict[str, str]:
    return {one.kind: one.where for one in anomalies(write(folder, rows, images))}


def turn(speaker: str, text: str, shares: bool = False) -> dict[str, object]:
    return {"speaker": speaker, "text": text, "shares_meme": shares}


def test_a_sound_folder_has_nothing_to_report(tmp_path: Path) -> None:
    assert kinds(tmp_path, [row(), chinese_row(), plain_row()]) == {}


def test_dialogues(tmp_path: Path) -> None:
    rows = [
        row("empty", dialogue=[]),
        row("unshared", dialogue=[turn("sender", "hi")]),
        row("twice", dialogue=[turn("sender", "a", True), turn("sender", "b", True)]),
        row("other", dialogue=[turn("other", "look", True)]),
        row("silent", dialogue=[turn("sender", "", True), turn("receiver", " ")]),
    ]
    assert kinds(tmp_path, rows) == {
        "empty dialogue": "empty dialogue",
        "meme not shared": "unshared dialogue",
        "meme shared twice": "twice dialogue",
        "shared by another": "other dialogue",
        "empty turn": "silent dialogue.1",
    }


def test_gold(tmp_path: Path) -> None:
    rows = [
        row("wordless", text=""),
        row("wordy", emotion="very sad"),
        row("unanswered", receiver_reply=None),
        row("plain", self_deprecating=False),
        row("given", dialogue=[turn("sender", "a", True), turn("receiver", "The bed won again!")]),
    ]
    assert kinds(tmp_path, rows) == {
        "no words": "wordless text",
        "not one word": "wordy emotion",
        "no reply": "unanswered receiver_reply",
        "unused reasoning": "plain",
        "gold in the dialogue": "given receiver_reply",
    }


def test_images(tmp_path: Path) -> None:
    folder = write(tmp_path, [row("a"), row("b"), row("c"), row("d", image="images/a.png")])
    (folder / "images/b.png").unlink()
    (folder / "images/c.png").write_bytes(b"no picture")
    found = {one.kind: one.where for one in anomalies(folder)}
    assert found == {
        "image used twice": "d image",
        "missing image": "b image",
        "unusable image": "c image",
    }


def test_a_folder_without_images_says_so_once(tmp_path: Path) -> None:
    assert kinds(tmp_path, [row("a"), row("b")], images=False) == {"no images": "memes.jsonl"}
