"""Which addresses count as public, and what the environment's proxies become."""

import ssl

import pytest

from deadpan.base.http import NotPublic, check_literal, environment_proxies, is_public


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "0.0.0.0",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "100.64.0.1",
        "169.254.169.254",
        "192.0.0.1",
        "198.18.0.1",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "::127.0.0.1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fe80::1%eth0",
        "ff02::1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "2002:7f00:1::",
        "2002:a9fe:a9fe::1",
        "2001:db8::1",
    ],
)
def test_addresses_that_are_not_public(address: str) -> None:
    assert not is_public(address)
    with pytest.raises(NotPublic, match="private, local or reserved"):
        check_literal(address)


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "64:ff9b::101:101", "::ffff:1.1.1.1"]
)
def test_public_addresses(address: str) -> None:
    assert is_public(address)
    check_literal(address)


def test_a_name_is_no_literal() -> None:
    check_literal("localhost")


def test_proxies_of_the_environment_stay_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    context = ssl.create_default_context()
    assert environment_proxies(context) == {}
    monkeypatch.setenv("http_proxy", "proxy.test:3128")
    monkeypatch.setenv("no_proxy", "example.com, 10.0.0.1,::1,localhost,http://a.test")
    mounts = environment_proxies(context)
    assert mounts.pop("http://") is not None
    assert mounts == dict.fromkeys(
        ["all://*example.com", "all://10.0.0.1", "all://[::1]", "all://localhost", "http://a.test"]
    )
    monkeypatch.setenv("no_proxy", "*")
    assert environment_proxies(context) == {}
