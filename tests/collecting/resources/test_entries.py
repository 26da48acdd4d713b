"""The catalogue: every entry is complete, and no file of it leaves its folder."""

import pytest
from pydantic import ValidationError

from deadpan.base.errors import InputError
from deadpan.base.resources import catalogue, find
from deadpan.base.resources.entries import Hub, Resource, Wheel
from tests.collecting.resources.conftest import ENCODER, WORDS

NAMES = {
    *("nrc", "ntusd", "hownet", "dutir", "cilin", "minilm"),
    *("bert-base-uncased", "bert-base-chinese", "bart-large-cnn"),
    *("bge-small-zh", "faster-whisper-small"),
}


def test_names_are_those_promised() -> None:
    names = [resource.name for resource in catalogue()]
    assert set(names) == NAMES and len(names) == len(NAMES)


@pytest.mark.parametrize("resource", catalogue(), ids=lambda resource: resource.name)
def test_wheels_have_checksums_and_hub_models_a_commit(resource: Resource) -> None:
    assert resource.purpose and resource.licence and resource.origin.startswith("http")
    if isinstance(resource.source, Wheel):
        assert resource.files and resource.checksum and resource.size
        assert (len(resource.files) == 1) == (resource.shape == "file")
    else:
        assert isinstance(resource.source, Hub)
        assert len(resource.source.revision) == 40 and resource.checksum is None
        assert resource.source.needs and resource.source.revision.startswith(resource.version)


def test_find_says_what_there_is() -> None:
    assert find("nrc").source.kind == "wheel"
    with pytest.raises(InputError, match=r"no such resource.*nrc, ntusd"):
        find("nothing")


@pytest.mark.parametrize("name", ["../x", "/etc/passwd", "a/../../b", "c:\\x", "a\\b", "./a"])
def test_a_file_that_leaves_its_folder_is_refused(name: str) -> None:
    told = WORDS.model_dump(mode="json")
    told["files"] = {name: told["files"]["words.json"]}
    with pytest.raises(ValidationError, match="inside"):
        Resource.model_validate(told)


def test_the_checksum_of_a_folder_depends_on_every_file() -> None:
    fewer = ENCODER.model_copy(update={"files": dict(list(ENCODER.files.items())[:1])})
    assert ENCODER.checksum != fewer.checksum
    assert WORDS.checksum == WORDS.files["words.json"].sha256
