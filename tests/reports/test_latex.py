"""LaTeX fragments, compiled: they are \\input as they are, and no letter is below 6 pt."""

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from deadpan.core.score import ScoringOptions
from deadpan.reports import Section, rename_models, report_text
from deadpan.reports.documents import latex_fragment
from deadpan.reports.section import Intervals
from tests.reports.toy import MODELS, Toy, sure, toy_published, toy_table

PREAMBLE = r"""\documentclass[10pt]{article}
\usepackage{booktabs,graphicx,textcomp}
\newcommand{\fitted}[1]{\sbox0{#1}\typeout{WIDTH \the\wd0 \the\linewidth}\usebox0}
\begin{document}
\input{fragment}
\end{document}
"""
"""Tells how wide each table is before it is fitted to the page."""


def compile_fragment(text: str, folder: Path, program: str = "pdflatex") -> str:
    """What LaTeX says; an error fails."""
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed (apt-get install texlive-latex-recommended)")
    (folder / "fragment.tex").write_text(text, "utf-8")
    (folder / "paper.tex").write_text(PREAMBLE, "utf-8")
    command = [program, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape"]
    for _ in range(2):
        done = subprocess.run(
            [*command, "paper.tex"], cwd=folder, capture_output=True, check=False, timeout=120
        )
    said = done.stdout.decode("utf-8", "replace")
    assert done.returncode == 0, said[-3000:]
    return said


def scales(said: str) -> list[float]:
    """How far each table would be scaled down."""
    widths = re.findall(r"WIDTH ([\d.]+)pt ?([\d.]+)pt", said)
    return [min(1.0, float(line) / float(own)) for own, line in widths]


@pytest.mark.parametrize("intervals", ["brackets", "pm", "none"])
def test_fragments_compile_and_can_be_read(
    section: Section, intervals: Intervals, tmp_path: Path
) -> None:
    chosen = replace(sure(section), only=("2", "3"), intervals=intervals)
    said = compile_fragment(report_text([chosen], ".tex"), tmp_path)
    found = scales(said)
    smallest = 6 if intervals == "brackets" else 7
    assert found and smallest * min(found) >= 6
    assert "too large" not in said and "undefined" not in said.lower()


def test_many_models_in_a_wide_table_fit_the_page(section: Section, tmp_path: Path) -> None:
    models = [f"vendor/model-of-some-length-{n}" for n in range(14)]
    table = toy_table(tmp_path, 12, models)
    toy = Toy()
    scores = toy.score(table, ScoringOptions())
    many = sure(Section(toy, table, scores, toy_published(), only=("2",)))
    said = compile_fragment(report_text([many], ".tex"), tmp_path)
    assert 6 * min(scales(said)) >= 6 and "too large" not in said


def test_a_hundred_tables_one_after_another_compile(section: Section, tmp_path: Path) -> None:
    """Without a page between them LaTeX would hold all of them, until it gives up."""
    text = latex_fragment(sure(section), None, "Ours\n\\undefined")
    count = text.count("\\begin{table}")
    said = compile_fragment(text * (120 // count + 1), tmp_path)
    assert "Output written" in said
    held = text.replace("\\clearpage", "") * (120 // count + 1)
    with pytest.raises(AssertionError, match="dead cycles"):
        compile_fragment(held, tmp_path)


@pytest.mark.parametrize("program", ["pdflatex", "xelatex"])
def test_hostile_names_compile(section: Section, program: str, tmp_path: Path) -> None:
    names = {
        model: f"{model} \\input{{/etc/passwd}} %$#_^~& \"'<>|[]` {n}"
        for n, model in enumerate(MODELS)
    }
    renamed = rename_models(sure(section), names)
    chosen = replace(
        renamed, columns=("presence/f1", "Pun"), headings={"Pun": "$x_1 & \\\\ [2pt] %"}
    )
    said = compile_fragment(report_text([chosen], ".tex"), tmp_path, program)
    assert "Missing character" not in said


def chinese_report(section: Section, folder: Path) -> str:
    """What xelatex says of a whole report whose models have Chinese names."""
    if shutil.which("xelatex") is None:
        pytest.skip("xelatex is not installed (apt-get install texlive-xetex)")
    renamed = rename_models(section, {name: f"通义千问{n}號" for n, name in enumerate(MODELS)})
    (folder / "report.tex").write_text(report_text([renamed], ".tex"), "utf-8")
    command = ["xelatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape"]
    done = subprocess.run(
        [*command, "report.tex"], cwd=folder, capture_output=True, check=False, timeout=300
    )
    return done.stdout.decode("utf-8", "replace")


def test_a_report_with_chinese_compiles_with_ctex_or_a_font_of_the_machine(
    section: Section, tmp_path: Path
) -> None:
    said = chinese_report(section, tmp_path)
    if "nor a Chinese font is installed" in said:
        pytest.skip("no Chinese font is installed (apt-get install fonts-noto-cjk)")
    assert "Output written" in said and "Missing character" not in said, said[-3000:]


def test_a_report_with_chinese_says_what_to_install_where_there_is_no_font(
    section: Section, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "fonts.conf").write_text("<fontconfig></fontconfig>")
    monkeypatch.setenv("FONTCONFIG_FILE", str(tmp_path / "fonts.conf"))
    said = chinese_report(section, tmp_path)
    if "(ctex.sty" in said or "/ctex.sty" in said:
        pytest.skip("ctex is installed")
    assert "Install texlive-lang-chinese (Debian, Ubuntu)" in said, said[-3000:]
