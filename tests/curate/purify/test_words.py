"""Ways to reach somebody, selling and slurs: found where they are, and not in jokes."""

from __future__ import annotations

import pytest

from deadpan.curate.purify.words import advert_cues, caption_contacts, contact_kinds, slurs_in


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("QQ 2849201736", "account"),
        ("扣扣群：123456789", "account"),
        ("'QQ'2849201736", "account"),
        ("微信 xiaodian_8866", "account"),
        ("WeChat: bestdeal2024", "account"),
        ("加V: laugh5588", "account"),
        ("我的加vláugh5588子了", "account"),
        ("ｖｘ：abc12345", "account"),
        ("Telegram @cheap_deals", "account"),
        ("公众号：每日笑话", "account"),
        ("tel 13800138000", "phone"),
        ("１３８－００１３－８０００", "phone"),
        ("call 415-386-0188 now", "phone"),
        ("联系電話：010-62345678", "phone"),
        ("someone@mail.example", "email"),
        ("www.cheap-shoes.example", "link"),
        ("https://t.example/abc", "link"),
    ],
)
def test_ways_to_reach_somebody(text: str, kind: str) -> None:
    assert kind in contact_kinds(text)


@pytest.mark.parametrize(
    "text",
    [
        "call me maybe", "她不回我微信", "my wechat is dead", "555-123-4567", "2019-2024",
        "amazon be like", "加我一个", "1234567", "打 110", "我的QQ农场", "me @ work", "9999999999",
        "[phone]", "1 + 1 = 11111", "button\n@dailymemes.example", "加v了吗",
    ],
)  # fmt: skip
def test_a_meme_s_own_words_reach_nobody(text: str) -> None:
    assert contact_kinds(text) == ()


def test_captions_count_what_was_taken_out_but_no_links() -> None:
    assert caption_contacts("打我[电话]") == ("phone",)
    assert caption_contacts("write to [email]") == ("email",)
    assert caption_contacts("so true https://t.example/abc [link] [name 1]") == ()


@pytest.mark.parametrize(
    "text",
    [
        "BUY 2 GET 1 FREE\norder now at shop.example\nlimited offer, 50% off today",
        "买二送一 限时特价\n下单立减 包邮到家\n扫码领取优惠券",
        "promo code inside, link in bio",
        "掃碼領券 全場包郵",
        "正品特价 ¥99 低至5折 限时抢购 私聊下单",
    ],
)
def test_adverts_have_several_cues(text: str) -> None:
    assert len(advert_cues(text)) >= 2


@pytest.mark.parametrize(
    "text",
    [
        "buy now", "BUY NOW, cry later", "call me", "free shipping? me: buys $80 of stuff",
        "双十一优惠都是骗人的", "老板发红包 我抢购", "我的钱包在直播间", "when it's on sale",
        "", "扫码",
    ],
)  # fmt: skip
def test_jokes_about_shopping_are_none(text: str) -> None:
    assert advert_cues(text) == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("you r e t a r d", "retard"),
        ("R3TARD!!", "retard"),
        ("ｒｅｔａｒｄｅｄ", "retarded"),
        ("cuuuunt", "cunt"),
        ("k.y.s", "kys"),
        ("just go kill yourself", "go kill yourself"),
        ("這個智障", "智障"),
        ("傻 逼", "傻逼"),
        ("笨*蛋", "笨蛋"),
        ("what a numbskull", "numbskull"),
    ],
)
def test_slurs_are_found_however_they_are_hidden(text: str, found: str) -> None:
    assert found in slurs_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "Scunthorpe", "flame retardant", "niggardly", "a chink in the armor", "my Maine Coon cat",
        "raccoon", "Dickens", "印度支那半岛", "一支那样的笔", "therapist", "class hit",
        "i am a clown",
        "5 7 1 3", "",
    ],
)  # fmt: skip
def test_words_that_only_hold_such_letters_are_none(text: str) -> None:
    assert slurs_in(text) == ()
