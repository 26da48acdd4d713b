"""The picture of an HTML page, by the shipped rules of each source and by rules made here."""

import json
from importlib.resources import as_file, files
from pathlib import Path

import httpx
import pytest

from deadpan.collecting.fetch import (
    FetchItem,
    FetchSettings,
    SourceRules,
    fetch,
    load_rules,
)
from deadpan.collecting.fetch.pages import Page, main_image, pick_in_srcset
from deadpan.collecting.fetch.records import FetchError, ItemError

from .loopback import Mapped, Reply, Site, html, png

LOGO = '<img src="/img/logo.png" alt="logo"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">'
PAGES = [
    (
        "xkcd_1",
        "https://xkcd.com/1/",
        '<div id="masthead"><img src="/s/0b7742.png"></div><div id="comic">\n'
        '<img src="//imgs.xkcd.com/comics/a_b_(1).jpg" title="x &amp; y" '
        'srcset="//imgs.xkcd.com/comics/a_b_(1)_2x.jpg 2x"/></div>',
        "https://imgs.xkcd.com/comics/a_b_(1).jpg",
    ),
    (
        "xkcd_1608",
        "https://xkcd.com/1608/",
        '<meta property="og:image" content="https://imgs.xkcd.com/comics/hover_2x.png">'
        '<div id="comic"><canvas></canvas></div><img src="/s/0b7742.png">',
        "https://imgs.xkcd.com/comics/hover_2x.png",
    ),
    (
        "smbc_2",
        "https://www.smbc-comics.com/comic/2009-08-20",
        '<img src="/images/moblogo.png"><div id="cc-comicbody">'
        '<img title="hover" src="https://www.smbc-comics.com/comics/20090820.gif" id="cc-comic">'
        '</div><div id="aftercomic"><img src="https://www.smbc-comics.com/comics/0after.gif"></div>',
        "https://www.smbc-comics.com/comics/20090820.gif",
    ),
    (
        "phdcomics_7",
        "https://phdcomics.com/comics/archive.php?comicid=7",
        "<!-- ad --!><table><tr><td><img src=images/prev_button.gif border=0>"
        "<img id=comic name=comic src=http://www.phdcomics.com/comics/archive/phd1.gif border=0>",
        "http://www.phdcomics.com/comics/archive/phd1.gif",
    ),
    (
        "phdcomics_12",
        "https://phdcomics.com/comics/archive.php?comicid=12",
        '<img id=comic2 src="archive/phd102797s.gif?a=1&amp;b=2">',
        "https://phdcomics.com/comics/archive/phd102797s.gif?a=1&b=2",
    ),
    (
        "explosm_5",
        "https://explosm.net/comics/31699",
        '<meta property="og:image" content="https://explosm.net/share/logo-social.png">'
        + LOGO
        + '<div class="MainComic__ComicImage-sc-6d2e05-2 kOxbHA"><span>'
        '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">'
        '<noscript><img srcSet="/_next/image?url=x&amp;w=1080 1x" '
        'src="https://static.explosm.net/2007/07/31000000/strip.png"></noscript></span></div>',
        "https://static.explosm.net/2007/07/31000000/strip.png",
    ),
    (
        "explosm_6",
        "https://explosm.net/comics/cheating-2",
        LOGO + '<meta property="og:image" content="https://files.explosm.net/comics/Kris/c.png"/>',
        "https://files.explosm.net/comics/Kris/c.png",
    ),
    (
        "garfield_5",
        "https://www.gocomics.com/garfield/2010/01/05",
        '<picture class="item-comic-image"><img class="lazyload img-fluid" '
        'srcset="https://assets.gocomics.com/assets/transparent-3eb1.png" '
        'data-srcset="https://assets.amuniversal.com/f00d 900w, '
        'https://assets.amuniversal.com/small 320w" src="/placeholder.png"></picture>',
        "https://assets.amuniversal.com/f00d",
    ),
    (
        "peanuts_5324",
        "https://www.gocomics.com/peanuts/2024/07/29",
        '<meta property="og:image" content="https://www.gocomics.com/GC_Social_FB_Generic.png">'
        '<img class="Badge" src="/badge.png"><img class="Comic_comic__image__6e_Fw old" '
        'src="https://featureassets.gocomics.com/assets/yesterday">'
        '<img fetchpriority="high" class="Comic_comic__image__6e_Fw" src="https://featureassets.'
        'gocomics.com/assets/a1b2?optimizer=image&amp;width=900&amp;quality=85">',
        "https://featureassets.gocomics.com/assets/a1b2?optimizer=image&width=900&quality=85",
    ),
    (
        "they_can_talk_1",
        "https://theycantalk.com/post/759826356839301120/perseverance",
        '<img src="https://64.media.tumblr.com/avatar_1234_128.pnj"><article><div class="npf_row">'
        '<figure class="tmblr-full" data-npf=\'{"type":"image"}\'><img src="https://64.media.tumblr'
        '.com/k/s640x960/a.jpg" srcset="https://64.media.tumblr.com/k/s640x960/a.jpg 640w, '
        'https://64.media.tumblr.com/k/s1280x1920/b.jpg 1080w"></figure></div></article>',
        "https://64.media.tumblr.com/k/s1280x1920/b.jpg",
    ),
    (
        "they_can_talk_426",
        "https://theycantalk.com/post/125709721735/an-ocean-sunset",
        '<meta property="og:image" content="https://64.media.tumblr.com/9f/tumblr_n_1280.png">'
        '<img class="avatar" src="https://64.media.tumblr.com/avatar_1234_128.pnj">',
        "https://64.media.tumblr.com/9f/tumblr_n_1280.png",
    ),
]


@pytest.fixture(scope="module")
def shipped() -> SourceRules:
    """The rules that come with the PixelHumor benchmark."""
    with as_file(files("deadpan.benchmarks.pixelhumor") / "sources.json") as path:
        return load_rules(path)


def rules_of(*rules: dict[str, object]) -> SourceRules:
    source = {"name": "s", "id_prefixes": ["s_"], "rules": rules}
    return SourceRules.model_validate({"sources": [source]})


def found(text: str, rules: SourceRules, url: str = "http://127.0.0.1/dir/page") -> str:
    address = httpx.URL(url)
    return str(main_image(Page(address, text.encode()), "s_1", address, rules))


@pytest.mark.parametrize(("item_id", "url", "page", "image"), PAGES)
def test_each_source(
    site: Site,
    tmp_path: Path,
    quick: FetchSettings,
    shipped: SourceRules,
    item_id: str,
    url: str,
    page: str,
    image: str,
) -> None:
    for address, reply in ((url, html(page)), (image, png())):
        parsed = httpx.URL(address)
        site.put(parsed.host + parsed.raw_path.decode(), reply)
    settings = quick.model_copy(update={"transport": Mapped(site)})
    record = fetch([FetchItem(id=item_id, url=url)], tmp_path, shipped, settings).records[0]
    assert (record.status, record.error) == ("done", None)
    assert record.image_url == image
    assert site.requests[-1].headers["Referer"] == url
    # The same page on another host is recognised by the prefix of the id.
    elsewhere = httpx.URL("http://127.0.0.1:1").join(httpx.URL(url).raw_path.decode())
    parsed_page = Page(elsewhere, page.encode())
    assert main_image(parsed_page, item_id, elsewhere, shipped).path == httpx.URL(image).path


@pytest.mark.parametrize(
    ("srcset", "width", "picked"),
    [
        ("s.jpg 600w, m.jpg 900w, l.jpg 2800w", 900, "m.jpg"),
        ("s.jpg 600w, m.jpg 900w, l.jpg 2800w", 1190, "m.jpg"),
        ("s.jpg 600w, m.jpg 900w, l.jpg 2800w", 2500, "l.jpg"),
        ("s.jpg 600w, m.jpg 900w, l.jpg 2800w", None, "l.jpg"),
        ("s.jpg 450w, l.jpg 1800w", 900, "l.jpg"),
        ("a.png, a_2x.png 2x", 740, "a.png"),
        ("a.png, a_2x.png 2x", None, "a_2x.png"),
        ("a_2x.png 2x", 740, "a_2x.png"),
        ("", 740, None),
    ],
)
def test_of_several_sizes_the_annotators_is_taken(
    srcset: str, width: int | None, picked: str | None
) -> None:
    assert pick_in_srcset(srcset, width) == picked


def test_the_width_wanted_reaches_the_page(
    site: Site, tmp_path: Path, quick: FetchSettings
) -> None:
    small, large = site.put("/small.png", png(1)), site.put("/large.png", png(2))
    url = site.put("/page", html(f'<img srcset="{small} 900w, {large} 1800w">'))
    rules = rules_of({"select": "img", "attributes": ["srcset"]})
    items = [FetchItem(id="s_1", url=url, width=905), FetchItem(id="s_2", url=url)]
    records = fetch(items, tmp_path, rules, quick).records
    assert [record.image_url for record in records] == [small, large]


@pytest.mark.parametrize(
    ("asked", "reached", "same"),
    [
        ("https://www.gocomics.com/garfield/2010/01/05", "/garfield/2010/01/05/", True),
        ("https://www.gocomics.com/garfield/2010/01/05", "/garfield/2026/11/15", False),
        ("https://www.gocomics.com/garfield/2010/01/05", "/garfield", False),
        ("https://explosm.net/comics/31699", "/comics/some-title", True),
        ("https://explosm.net/comics/31699", "/comics/latest", False),
        ("https://explosm.net/comics/31699", "/", False),
        ("https://theycantalk.com/post/12/a", "/post/12", True),
        ("https://xkcd.com/404/", "/405/", False),
        ("https://www.smbc-comics.com/comic/2009-08-20", "/comic/a-title", True),
        ("https://phdcomics.com/comics/archive.php?comicid=7", "/comics.php?f=7", False),
    ],
)
def test_a_redirect_to_another_comic_is_gone(
    shipped: SourceRules, asked: str, reached: str, same: bool
) -> None:
    before = httpx.URL(asked)
    source = shipped.source_for("", before.host)
    assert source is not None
    assert source.same_comic(asked, str(before.join(reached))) is same
    if not same:
        with pytest.raises(ItemError, match="not to this comic") as caught:
            main_image(Page(before.join(reached), b""), "x", before, shipped)
        assert caught.value.status == "gone"


def test_no_rule_fits(
    site: Site, tmp_path: Path, quick: FetchSettings, shipped: SourceRules
) -> None:
    url = site.put("/1/", html("<html>Just a moment...</html>"))
    record = fetch([FetchItem(id="xkcd_1", url=url)], tmp_path, shipped, quick).records[0]
    assert record.status == "no_rule"
    assert str(record.error) == (
        f"xkcd_1 {url}: none of the 2 rules of source 'xkcd' finds a picture in this page; "
        f"look at the page and add a rule in {shipped.origin}"
    )


def test_a_picture_address_that_gives_a_page(
    site: Site, tmp_path: Path, quick: FetchSettings
) -> None:
    rules = rules_of({"select": "img"})
    site.put("/x.png", html("<html>no hotlinks</html>"))
    url = site.put("/page", html("<html><img src=x.png>"))
    record = fetch([FetchItem(id="s_1", url=url)], tmp_path, rules, quick).records[0]
    assert record.status == "not_image" and record.image_url == f"{site.base}/x.png"


def test_a_picture_that_is_gone_behind_a_page(
    site: Site, tmp_path: Path, quick: FetchSettings
) -> None:
    site.put("/x.png", Reply(404))
    url = site.put("/page", html("<html><img src=x.png>"))
    rules = rules_of({"select": "img"})
    record = fetch([FetchItem(id="s_1", url=url)], tmp_path, rules, quick).records[0]
    assert record.status == "gone" and "/x.png: HTTP 404" in str(record.error)


@pytest.mark.parametrize(
    ("value", "url"),
    [
        ("a.png", "http://127.0.0.1/dir/a.png"),
        ("/a b.png?x=1&amp;y=%20", "http://127.0.0.1/a%20b.png?x=1&y=%20"),
        ("//cdn.test/a.png", "http://cdn.test/a.png"),
        ("https://cdn.test/&#97;.png#f", "https://cdn.test/a.png"),
        ("../up/a.png", "http://127.0.0.1/up/a.png"),
        ("  a.png \n", "http://127.0.0.1/dir/a.png"),
    ],
)
def test_addresses_in_attributes(value: str, url: str) -> None:
    assert found(f'<img src="{value}">', rules_of({"select": "img"})) == url


def test_rules_go_in_order_and_filter() -> None:
    text = (
        '<base href="/deep/er/"><img class=b src=logo.png><img class=b src=x.png><img id=a src="">'
    )
    first = {"select": "img#a"}
    second = {"select": "img.b", "exclude": "LOGO"}
    assert found(text, rules_of(first, second)) == "http://127.0.0.1/deep/er/x.png"
    only = {"select": "img", "require": r"logo\.png$"}
    assert found(text, rules_of(only)) == "http://127.0.0.1/deep/er/logo.png"


@pytest.mark.parametrize(
    "value", ["data:image/png;base64,AAAA", "javascript:x", "ftp://a/b.png", "http://a..b/c", ""]
)
def test_other_schemes_are_not_taken(value: str) -> None:
    with pytest.raises(ItemError, match="none of the 1 rules"):
        found(f'<img src="{value}">', rules_of({"select": "img"}))


@pytest.mark.parametrize(
    ("srcset", "largest"),
    [
        ("a.png 1x, b.png 2x", "b.png"),
        ("a.png, b.png 1.5x", "b.png"),
        ("a 100w,b 900w, c 90w", "b"),
        ("x?a=1,2 2x", "x?a=1,2"),
        ("one.png", "one.png"),
        ("big.png 640w, small.png 320w", "big.png"),
        (" , ", None),
        ("", None),
    ],
)
def test_the_largest_of_a_srcset(srcset: str, largest: str | None) -> None:
    assert pick_in_srcset(srcset) == largest


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rules": [{"select": "img["}]}, "sources.0.rules.0.select: .*expected a CSS selector"),
        ({"rules": [{"select": "img", "require": "("}]}, ".*require: .*a regular expression"),
        ({"page": "["}, "sources.0.page: .*a regular expression"),
        ({"rules": []}, "sources.0.rules: .*at least 1 item"),
        ({"hosts": [], "id_prefixes": []}, "sources.0: .*at least one of hosts and id_prefixes"),
        ({"rulez": []}, "sources.0.rulez: Extra inputs"),
    ],
)
def test_a_bad_rules_file_says_where(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    source = {"name": "s", "hosts": ["h"], "rules": [{"select": "img"}]} | change
    path = tmp_path / "sources.json"
    path.write_text(json.dumps({"sources": [source]}))
    with pytest.raises(FetchError, match=f"sources.json: {message}"):
        load_rules(path)


def test_an_unreadable_rules_file(tmp_path: Path) -> None:
    with pytest.raises(FetchError, match="no such file"):
        load_rules(tmp_path / "none.json")
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(FetchError, match=r"bad\.json: file: Invalid JSON"):
        load_rules(tmp_path / "bad.json")
