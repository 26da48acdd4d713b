"""What `--help` says stands in one file: of every option, and of nothing else."""

from typing import Any

from deadpan.cli import COMMANDS, WORDS, load_command
from tests.cli.conftest import Deadpan


def commands() -> dict[str, Any]:
    found = {}
    for name in COMMANDS:
        command = load_command(name)
        below = getattr(command, "commands", {})
        found |= {f"{name} {sub}": below[sub] for sub in below} or {name: command}
    return found


def test_every_option_is_explained() -> None:
    for name, command in commands().items():
        for one in command.params:
            hidden = getattr(one, "hidden", False)
            assert hidden or one.help, f"help.toml: no word of {name} {one.name}"


def test_every_word_is_of_an_option() -> None:
    taken = {name: {one.name for one in command.params} for name, command in commands().items()}
    shared = WORDS["shared"].keys() - set().union(*taken.values())
    assert not shared
    for name in WORDS.keys() - {"commands", "shared"}:
        assert not WORDS[name].keys() - taken[name], name


def test_flags_show_no_type_and_completion_is_offered_once(deadpan: Deadpan) -> None:
    for path in ([], ["run"], *([name] for name in ("data", "export", "failures", "resources"))):
        said = deadpan(*path, "--help").out
        assert "--help" in said and "bool" not in said.casefold(), path
        assert ("--install-completion" in said) == (not path), path
