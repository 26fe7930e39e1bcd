"""Which addresses of the network we connect to where somebody else names the host."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address
Networks = tuple[IPv4Network | IPv6Network, ...]

_NAT64 = IPv6Network("64:ff9b::/96")
"""RFC 6052: the last 32 bits are an IPv4 address."""
LOCAL_NAME = "localhost"


def networks_of(text: str) -> Networks:
    """The networks of "10.1.2.0/24, 127.0.0.1"; ValueError where one of them is none."""
    return tuple(ip_network(one.strip()) for one in text.split(",") if one.strip())


def may_reach(address: Address, private: Networks, *, plain: bool = False) -> bool:
    """Whether to connect to `address`: it is of the public internet, or in one of the networks that the operator names
    in `private`. plain: without TLS, which goes to those networks alone. An IPv4 address inside an IPv6 one counts as
    itself."""
    inner = _inner(address)
    if any(inner in network for network in private):
        return True
    public = inner.is_global and not (inner.is_multicast or inner.is_reserved or inner.is_unspecified)
    return public and not plain


def literal(host: str) -> Address | None:
    """The address that a host of a URL is written as ("127.0.0.1", "[::1]", or "localhost"); None for a name."""
    if host.casefold().rstrip(".") == LOCAL_NAME:
        return IPv4Address("127.0.0.1")
    try:
        return ip_address(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return None


def _inner(address: Address) -> Address:
    """The IPv4 address that stands for an IPv6 one by mapping, 6to4 or NAT64; else the address."""
    if isinstance(address, IPv4Address):
        return address
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or address
