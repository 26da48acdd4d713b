"""Chinese replies that decline, in both scripts, and answers that only speak of declining."""

from __future__ import annotations

import pytest

from deadpan.core.questions import Reply
from deadpan.parsing.replies import Unparseable, grade_reply, is_refusal

DECLINED = [
    "你好，我无法给到相关内容。",
    "对不起，我还没有学会如何思考这类问题，我擅长数学、代码、逻辑类的题目，欢迎与我交流。",
    "作为一个人工智能语言模型，我还没学习如何回答这个问题，"
    "您可以向我问一些其它的问题，我会尽力帮您解决的。",
    "我尚未掌握如何处理此类请求。",
    "不好意思，这个问题我回答不了。",
    "不好意思，這個問題我回答不了。",
    "我回答不了这个问题，请见谅。",
    "这道题我做不了。",
    "这张图我看不了，请换一张。",
    "根据相关法律法规，该内容无法展示。",
    "根據相關法律法規，該內容無法展示。",
    "由于平台政策，部分内容暂不显示。",
    "很抱歉，該內容可能違反我們的使用政策。",
    "您的请求违反了我们的内容政策。",
    "抱歉，图片中有敏感内容。",
    "抱歉，圖片中有敏感內容。",
    "对不起，该帖子可能涉及政治敏感话题，请谅解。",
    "恕我无法回答。",
    "恕我無法回答。",
    "抱歉，恕难从命。",
    "I'm sorry, 我不能回答。",
    "Sorry，这个问题我无法回答。",
    "抱歉，I cannot help with this request.",
    "这超出了我的能力范围。",
    "這個問題超出了我的能力範圍，請諒解。",
    "这张图片我无法查看，请重新上传。",
    "這張圖片我無法查看，請重新上傳。",
    "图片无法显示，请重新上传。",
    "您的图片无法正常加载。",
]
ANSWERED = [
    "他说他无法回答老板的问题，这是自嘲",
    "发帖人说这超出了我的能力范围，其实是在自嘲。",
    "这超出了他的能力范围，是自嘲。",
    "这张图片里的人无法回答老板的问题，这是自嘲。",
    "這張圖片裡的人回答不了老闆的問題，這是自嘲。",
    "这个问题他回答不了，只好装傻。",
    "图片无法显示出作者的真实心情，只能靠文字。",
    "图片无法显示，页面上只剩一个叉，讽刺网速太慢。",
    "恕我直言，这是在讽刺老板。",
    "该内容违反常识，所以好笑。",
    "帖子违反了交通规定，讽刺司机。",
    "图片中有敏感内容，被打了马赛克，这是讽刺审查。",
    "对不起，图片里的老板有暴力倾向，讽刺职场。",
    "小明还没有学会如何回答问题，这是笑点。",
    "我还没有学会如何与自己和解，所以发了这张图。",
    "根据公司规定，员工不能公开工资，帖子讽刺的是公司。",
    "无法理解的老板",
    "看不懂的说明书",
    "回答不了问题的客服",
    "the joke is that the AI says it cannot answer",
    "The joke: 抱歉，我不能回答 is what the robot says to its owner.",
]


@pytest.mark.parametrize("text", DECLINED)
def test_what_declines_is_refused(text: str) -> None:
    def nothing(_: str) -> None:
        raise Unparseable("no answer")

    assert grade_reply(Reply(text=text), nothing).outcome == "refused"


@pytest.mark.parametrize("text", ANSWERED)
def test_what_speaks_of_declining_is_an_answer(text: str) -> None:
    assert not is_refusal(text)


@pytest.mark.parametrize(
    "text", ["图片无法显示，请重新上传。", "圖片無法載入。", "您的图片无法加载。"]
)
def test_a_picture_that_is_not_there_is_said_to_lack(text: str) -> None:
    grade = grade_reply(Reply(text=text), lambda _: None)
    assert grade.reason == "the reply says that it does not have the picture or video"
