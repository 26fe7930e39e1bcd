"""Which addresses of the network we connect to."""

import re
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address
Networks = tuple[IPv4Network | IPv6Network, ...]

_NAT64 = IPv6Network("64:ff9b::/96")
"""RFC 6052: the last 32 bits are an IPv4 address."""
_GLOBAL_UNICAST = IPv6Network("2000::/3")
"""All that IANA has given out for the public internet (RFC 4291, section 2.4). Outside of it are loopback, link-local
and unique local addresses, the site-local ones that RFC 3879 deprecated (fec0::/10), multicast, and IPv4-compatible
ones."""
_NOT_PUBLIC = (
    IPv6Network("2001::/23"),  # protocol assignments: Teredo, which hides an IPv4 address, ORCHID, benchmarking
    IPv6Network("2001:db8::/32"),  # documentation
    IPv6Network("2002::/16"),  # 6to4 (RFC 7526), which hides an IPv4 address
    IPv6Network("3fff::/20"),  # documentation
    IPv4Network("192.0.0.0/24"),  # protocol assignments
    IPv4Network("192.88.99.0/24"),  # relays of 6to4
)
"""Of IANA's special-purpose registries, also what Python's `is_global` allows or has come to know late."""
LOCAL_NAME = "localhost"


_SERVICE = re.compile(r"(https://[^\s/@]+|http://(127\.0\.0\.1|localhost)(:[0-9]{1,5})?)(/\S*)?")


def is_service(url: str) -> bool:
    """Whether `url` is where what patients say may be sent: by https, or to this machine."""
    return _SERVICE.fullmatch(url) is not None


def networks_of(text: str) -> Networks:
    """The networks of "10.1.2.0/24, 127.0.0.1"; ValueError where one of them is none."""
    return tuple(ip_network(network.strip()) for network in text.split(",") if network.strip())


def is_public(address: Address) -> bool:
    """Whether `address` is a host of the public internet. An IPv4 address that is mapped into an IPv6 one, or reached
    by NAT64, counts as itself; what hides one in a tunnel (6to4, Teredo) is never public."""
    inner = _inner(address)
    if any(inner in network for network in _NOT_PUBLIC):
        return False
    if isinstance(inner, IPv6Address):
        return inner in _GLOBAL_UNICAST and inner.is_global
    return inner.is_global and not (inner.is_multicast or inner.is_reserved or inner.is_unspecified)


def may_reach(address: Address, private: Networks, *, plain: bool = False) -> bool:
    """Whether to connect to `address`: it is public, or in one of the networks that the operator names in `private`.
    plain: without TLS, which goes to those networks alone."""
    inner = _inner(address)
    return any(inner in network for network in private) or (is_public(address) and not plain)


def literal(host: str) -> Address | None:
    """The address that a host of a URL is written as ("127.0.0.1", "[::1]", or "localhost"); None for a name."""
    if host.casefold().rstrip(".") == LOCAL_NAME:
        return IPv4Address("127.0.0.1")
    try:
        return ip_address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return None


def _inner(address: Address) -> Address:
    """The IPv4 address that an IPv6 one stands for by mapping or NAT64; else the address."""
    if isinstance(address, IPv4Address):
        return address
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address
