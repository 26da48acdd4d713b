"""The base of pages: one head, only its own scripts, text that stays text."""

import base64
import hashlib
import json

import pytest

from deadpan.web.pages import asset, embedded_json, page, script_policy, templates


def test_only_the_scripts_that_came_with_a_page_may_run() -> None:
    script = "document.title = '讽刺'"
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = script_policy([script])
    assert f"script-src 'sha256-{digest}';" in policy and "default-src 'none'" in policy
    assert "script-src 'none';" in script_policy([])


@pytest.mark.parametrize("nasty", ["</script><script>alert(1)</script>", "<!--", "a&b\u2028c"])
def test_json_cannot_end_the_element_it_stands_in(nasty: str) -> None:
    text = embedded_json({"text": nasty})
    assert not any(one in text for one in "<>&\u2028")
    assert json.loads(text) == {"text": nasty}


@pytest.mark.parametrize("package", ["deadpan.reports", "deadpan.failures"])
def test_every_package_has_the_same_head(package: str) -> None:
    head = templates(package, autoescape=True).get_template("head.html")
    text = head.render(title="<b>", policy="p", style="")
    assert '<meta name="viewport" content="width=device-width' in text and "&lt;b&gt;" in text
    assert "Content-Security-Policy" in text and "no-referrer" in text


def test_a_page_has_its_style_and_nothing_to_fetch() -> None:
    style = asset("deadpan.reports", "report.css")
    text = page("deadpan.reports", "data.html", "<i>", style, plots=[])
    assert style in text and "<i>" not in text and "<script" not in text
    shouted = page("deadpan.reports", "data.html", "data", "", shown=str.upper, plots=[])
    assert "<bdi>DATA</bdi>" in shouted
