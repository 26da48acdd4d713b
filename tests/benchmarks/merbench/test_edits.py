"""The released folder: what each model's folder holds, lacks, has broken or misnamed."""

from pathlib import Path

import pytest
from PIL import Image

from deadpan.base.errors import InputError
from deadpan.benchmarks.merbench.edits import folder_of, read_dataset, read_edits
from deadpan.core.units import comparable_items
from tests.benchmarks.merbench.meme_folder import folder, picture, record

RECORDS = [record(f"{number}.png") for number in range(4)]


def truncate(path: Path) -> None:
    Image.effect_noise((64, 64), 80).save(path)
    path.write_bytes(path.read_bytes()[:-500])


def test_missing_unreadable_and_wrongly_named_edits_are_told_apart(tmp_path: Path) -> None:
    data = folder(tmp_path / "data", RECORDS, ("A", "B"))
    place = data / "EditedResults" / "A"
    (place / "0.png").rename(place / "0.jpg")
    truncate(place / "1.png")
    (place / "2.png").unlink()
    picture(place / "99.png")
    (place / "notes.txt").write_text("…")
    (place / ".DS_Store").write_bytes(b"x")
    edits = read_edits(data, read_dataset(data).records)
    made = edits["A"]
    assert set(made.found) == {"0.png", "3.png"}
    assert made.missing == ("2.png",)
    assert set(made.unreadable) == {"1.png"}
    assert "truncated or broken" in made.unreadable["1.png"][1]
    assert made.renamed == ("0.jpg",)
    assert made.strays == ("99.png", "notes.txt")
    assert made.wrongly_named == ("0.jpg", "99.png", "notes.txt")
    assert made.found["0.png"].path.endswith("0.jpg")
    assert set(edits["B"].found) == {"0.png", "1.png", "2.png", "3.png"}
    assert comparable_items({name: edits[name].found for name in "AB"}) == {"0.png", "3.png"}


def test_the_exact_name_goes_first_and_of_several_others_none_is_chosen(tmp_path: Path) -> None:
    data = folder(tmp_path / "data", RECORDS[:2], ("A",))
    place = data / "EditedResults" / "A"
    picture(place / "0.webp")
    (place / "1.png").unlink()
    picture(place / "1.jpg")
    picture(place / "1.bmp")
    made = read_edits(data, read_dataset(data).records)["A"]
    assert made.found["0.png"].path.endswith("0.png")
    assert made.missing == ("1.png",)
    assert made.strays == ("0.webp", "1.bmp", "1.jpg")


def test_a_name_that_another_meme_claims_is_not_taken(tmp_path: Path) -> None:
    records = [record("0.png"), record("0.jpg")]
    data = folder(tmp_path / "data", records, ("A",))
    (data / "EditedResults/A/0.png").unlink()
    made = read_edits(data, read_dataset(data).records)["A"]
    assert made.missing == ("0.png",) and set(made.found) == {"0.jpg"}


def test_the_models_folders_may_be_given_themselves_and_chosen_from(tmp_path: Path) -> None:
    data = folder(tmp_path / "data", RECORDS[:1], ("A", "B", "C"))
    memes = read_dataset(data).records
    assert list(read_edits(data / "EditedResults", memes)) == ["A", "B", "C"]
    assert list(read_edits(data, memes, ["C", "A"])) == ["C", "A"]
    with pytest.raises(InputError, match="no folder of edited pictures by D"):
        read_edits(data, memes, ["D"])
    with pytest.raises(InputError, match="holds no model's folder"):
        read_edits(data / "EditedResults" / "A", memes)
    with pytest.raises(InputError, match="cannot be read"):
        read_edits(tmp_path / "nowhere", memes)
    with pytest.raises(ValueError, match="no models"):
        comparable_items({})


def test_a_folder_without_an_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_dataset(tmp_path)


def test_the_folder_of_a_data_set_is_known(tmp_path: Path) -> None:
    data = folder(tmp_path / "data", RECORDS[:1])
    dataset = read_dataset(data)
    assert folder_of(dataset) == data
    assert dataset.origin == str(data)
