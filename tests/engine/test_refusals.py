"""Errors of providers that take fewer images, or no schema; wordings as providers use them."""

import pytest

from deadpan.engine.endpoints import Limits, fewer_images, fewer_tokens, refuses_schema


@pytest.mark.parametrize(
    ("message", "fewer"),
    [
        ("At most 4 image(s) may be provided in one request.", 4),
        ("You set image=1 (or defaulted to 1), but passed 8 image items in the same prompt; "
         "at most 1 is allowed", 1),
        ("Too many images in request. Max is 5.", 5),
        ("messages: too many images and documents: 8 > 6", 6),
        ("This model supports up to 3 images", 3),
        ("Error code: 400 - {'error': {'message': 'Number of images exceeds the limit'}}", 4),
        ("图片数量超过上限 limit 2", 2),
        ("Only one image is supported.", 1),
        ("At most 1 image is supported", 1),
        ("max 6 images, each up to 5 MB", 6),
    ],
)  # fmt: skip
def test_a_limit_on_the_number_of_images_is_read(message: str, fewer: int) -> None:
    assert fewer_images(message, shown=8) == fewer


@pytest.mark.parametrize(
    "message",
    [
        "image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes",
        "images exceed the maximum resolution of 4 pixels",
        "This model's maximum context length is 8 tokens, images included",
        "Invalid API key",
        "rate limit reached",
        "Rate limit: images per minute: limit 5",
        "image exceeds 5 MB: at most 5 MB",
    ],
)
def test_other_errors_are_left_alone(message: str) -> None:
    assert fewer_images(message, shown=8) is None


def test_one_image_cannot_become_fewer() -> None:
    assert fewer_images("At most 1 image(s) may be provided", shown=1) is None


def test_a_refused_schema_is_seen() -> None:
    assert refuses_schema("Invalid parameter: 'response_format' of type 'json_schema'")
    assert not refuses_schema("Too many images")


def test_what_was_learnt_is_kept_and_other_errors_pass() -> None:
    limits = Limits()
    assert limits.learn("'response_format' is not supported", 8, schema=True, tokens=None)
    assert (limits.schema, limits.images, limits.tokens) == (False, None, None)
    assert limits.learn("At most 4 images", 8, schema=False, tokens=None)
    assert limits.learn("At most 2 images", 4, schema=False, tokens=None)
    assert limits.learn("At most 4 images", 8, schema=False, tokens=None)
    assert limits.images == 2
    assert not limits.learn("no such model", 2, schema=False, tokens=512)
    assert not limits.learn("'response_format' is not supported", 2, schema=False, tokens=512)
    assert limits.learn("max_tokens is too large: at most 4096", 2, schema=False, tokens=8192)
    assert limits.learn("max_tokens is too large: at most 1024", 2, schema=False, tokens=8192)
    assert limits.learn("max_tokens is too large: at most 4096", 2, schema=False, tokens=8192)
    assert (limits.schema, limits.images, limits.tokens) == (False, 2, 1024)


@pytest.mark.parametrize(
    ("message", "fewer"),
    [
        ("max_tokens is too large: 8704. This model supports at most 4096 completion tokens", 4096),
        ("This model's maximum context length is 4096 tokens. However, you requested 9000 tokens "
         "(296 in the messages, 8704 in the completion)", 3800),
        ("'max_tokens' or 'max_completion_tokens' is too large: 8704. This model's maximum context "
         "length is 2048 tokens and your request has 1000 input tokens", 1048),
        ("max_output_tokens must be less than the allowed", 4352),
    ],
)  # fmt: skip
def test_a_limit_on_tokens_is_read(message: str, fewer: int) -> None:
    assert fewer_tokens(message, asked=8704) == fewer


@pytest.mark.parametrize(
    "message",
    [
        "Rate limit reached: max_tokens per minute exceeded",
        "At most 4 images",
        "Invalid API key",
        "the request is too large",
    ],
)
def test_other_errors_do_not_shorten_replies(message: str) -> None:
    assert fewer_tokens(message, asked=8704) is None
