"""L14: nobody makes the service connect into a network, however an address is written: one filter for all."""

from ipaddress import ip_address

import pytest

from gendei import addresses
from gendei.addresses import may_reach, networks_of
from gendei.providers import zapi_media

REFUSED = [
    "fec0::1",  # site-local, deprecated
    "feff:ffff::1",
    "fe80::1",
    "fc00::1",
    "fdff::1",
    "::",
    "::1",
    "::7f00:1",  # IPv4-compatible, deprecated
    "::808:808",
    "::ffff:127.0.0.1",  # mapped
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::7f00:1",  # NAT64
    "64:ff9b::a00:1",
    "64:ff9b:1::808:808",  # NAT64 of a network's own
    "2002:7f00:1::",  # 6to4
    "2002:808:808::1",
    "2001:0:4136:e378:8000:63bf:f5ff:fffe",  # Teredo of 10.0.0.1
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",  # Teredo of a public address
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "3fff::1",
    "100::1",
    "5f00::1",
    "ff02::1",
    "ff0e::1",
    "0.0.0.0",  # noqa: S104  an address like the others
    "0.1.2.3",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "169.254.169.254",
    "172.31.0.1",
    "192.0.0.8",
    "192.0.0.9",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.1.1.1",
    "240.0.0.1",
    "255.255.255.255",
]
REACHED = ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "2001:4860:4860::8888", "::ffff:8.8.8.8", "64:ff9b::808:808"]


@pytest.mark.parametrize("address", REFUSED)
def test_what_is_not_of_the_public_internet_is_refused_by_every_filter(address: str):
    assert not addresses.is_public(ip_address(address))
    assert not may_reach(ip_address(address), ())
    assert not zapi_media.is_public(address)


@pytest.mark.parametrize("address", REACHED)
def test_the_public_internet_is_reached_by_every_filter(address: str):
    assert may_reach(ip_address(address), ())
    assert zapi_media.is_public(address)


@pytest.mark.parametrize("text", ["fe80::1%eth0", "2606:4700::1111%eth0", "localhost", "", "1"])
def test_what_is_no_plain_address_is_refused(text: str):
    assert not zapi_media.is_public(text)


def test_a_network_that_the_operator_names_is_reached_also_where_it_is_mapped():
    private = networks_of("10.1.0.0/16, fec0::/64")
    reached = [
        may_reach(ip_address(text), private) for text in ("10.1.0.1", "::ffff:10.1.0.1", "fec0::1", "fec0:0:0:1::1")
    ]
    assert reached == [True, True, True, False]
