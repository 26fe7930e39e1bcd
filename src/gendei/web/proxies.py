"""Whose request it is where proxies stand before the service.

Each proxy appends to X-Forwarded-For the address that it saw, so what a client wrote itself stands on the left, and the
entries of our own proxies on the right. Read from the right, the first entry that is no trusted proxy's address was
written by a trusted proxy about somebody whom it saw: the client. Nothing to the left of it is believed.

Google's front end appends the client's address for a service of Cloud Run, and connects from a link-local address; an
external Application Load Balancer appends the client's address and then its own (Google's pages "Container runtime
contract" and "External Application Load Balancer overview", X-Forwarded-For header). Both write X-Forwarded-Proto anew.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from gendei.addresses import Address, Networks, networks_of

log = logging.getLogger(__name__)
EVERY_PEER = "*"
FORWARDED = frozenset(
    (b"forwarded", b"via", b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-proto", b"x-real-ip")
)
"""Headers that proxies add to a request."""
CLOUD_RUN = ip_network("169.254.0.0/16")
"""Addresses that the front end of Cloud Run connects from."""
_TELLING = frozenset((b"forwarded", b"x-forwarded-for", b"x-forwarded-proto"))
"""Of these, what is read here."""
_PEERS = 1024
"""Peers whose parsed addresses are remembered: a proxy sends many requests."""
_SCHEMES = {"http": ("http", "ws"), "https": ("https", "wss"), "ws": ("http", "ws"), "wss": ("https", "wss")}


@dataclass(frozen=True, slots=True)
class TrustedProxies:
    """networks: of the proxies. every_peer: whoever connects is a proxy too, though no entry of its header is."""

    networks: Networks
    every_peer: bool = False

    @classmethod
    def of(cls, text: str) -> "TrustedProxies":
        """Of "10.0.0.0/8, 203.0.113.7", where "*" stands for every direct peer. ValueError for anything else."""
        parts = [part.strip() for part in text.split(",")]
        return cls(networks_of(",".join(part for part in parts if part != EVERY_PEER)), EVERY_PEER in parts)

    def includes(self, address: Address) -> bool:
        return any(address in network for network in self.networks)

    def client(self, peer: Address, forwarded: str) -> Address:
        """Return who sent a request that a trusted `peer` passed on. `forwarded`: its X-Forwarded-For. Where an entry
        is no address, the proxy that wrote it is all that is known."""
        client = peer
        for entry in reversed(forwarded.split(",")):
            found = address_of(entry)
            if found is None:
                break
            client = found
            if not self.includes(client):
                break
        return client


class UntrustedForwards(Collector):
    """Counts requests that a proxy seems to have passed on, whom nobody has named as one, and says so once in the log
    for proxies inside (of a private network) and outside."""

    def __init__(self) -> None:
        self.counts = {"inside": 0, "outside": 0}

    def saw(self, peer: Address) -> None:
        side = "outside" if peer.is_global else "inside"
        self.counts[side] += 1
        if self.counts[side] > 1:
            return
        who = "an address of the public internet" if peer.is_global else str(peer)
        log.warning(
            "a request with X-Forwarded-For came from %s, which FORWARDED_ALLOW_IPS does not name. Where that is your "
            "proxy, name its network: until then all visitors have the proxy's address and share its limits, and https "
            "is not seen. Where you have no proxy there, nothing is to be done: what the header says is not believed",
            who,
        )

    def collect(self) -> Iterator[CounterMetricFamily]:
        counted = CounterMetricFamily(
            "gendei_untrusted_forwards",
            "Requests with X-Forwarded-For from a peer that FORWARDED_ALLOW_IPS does not name.",
            labels=("peer",),
        )
        for side, count in self.counts.items():
            counted.add_metric((side,), count)
        yield counted


class BehindProxies:
    """Puts the client's address into scope["client"], and how it came into scope["scheme"], for requests and sockets.
    The outermost layer of all: whatever is below it needs to know of no proxy."""

    def __init__(self, app: ASGIApp, trusted: TrustedProxies, untrusted: UntrustedForwards) -> None:
        self._app, self._trusted, self._untrusted = app, trusted, untrusted
        self._named = lru_cache(_PEERS)(self._name)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan" and scope.get("client"):
            host, port = scope["client"]
            peer, name = self._named(host)
            if peer is not None:
                scope["client"] = (name, port)
                if not _TELLING.isdisjoint(header for header, _ in scope["headers"]):
                    scope.update(self._passed_on(scope, peer))
        await self._app(scope, receive, send)

    def _name(self, host: str) -> tuple[Address | None, str]:
        peer = address_of(host)
        return peer, str(peer)

    def _passed_on(self, scope: Scope, peer: Address) -> Scope:
        forwarded, schemes = _header(scope, b"x-forwarded-for"), _header(scope, b"x-forwarded-proto")
        if not (self._trusted.every_peer or self._trusted.includes(peer)):
            if forwarded or _header(scope, b"forwarded"):
                self._untrusted.saw(peer)
            return {}
        known: Scope = {}
        if forwarded:
            known["client"] = (str(self._trusted.client(peer, forwarded)), 0)
        if names := _SCHEMES.get(schemes.rpartition(",")[2].strip().lower()):
            known["scheme"] = names[scope["type"] == "websocket"]
        return known


def address_of(text: str) -> Address | None:
    """The address of "192.0.2.1", "192.0.2.1:80", "2001:db8::1", "[2001:db8::1]:80" or "::ffff:192.0.2.1"; None for
    anything else. An IPv4 address inside an IPv6 one is itself."""
    bare = text.strip()
    if bare.startswith("["):
        bare = bare[1:].partition("]")[0]
    elif bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        found = ip_address(bare.partition("%")[0])
    except ValueError:
        return None
    return found.ipv4_mapped or found if isinstance(found, IPv6Address) else found


def client_of(connection: HTTPConnection) -> str:
    """The address of whom a request or a socket is; "" where it has none. What is counted by address is counted by
    `network_of` it."""
    return connection.client.host if connection.client else ""


def was_forwarded(scope: Scope) -> bool:
    """Tell whether a proxy says that it passed this on."""
    return any(name in FORWARDED for name, _ in scope["headers"])


def warn_of_cloud_run(trusted: TrustedProxies) -> None:
    """Say at the start that the front end of Cloud Run is not trusted, where it is not."""
    front = IPv4Address("169.254.1.1")
    if not (trusted.every_peer or trusted.includes(front)):
        log.warning(
            "this is Cloud Run, and FORWARDED_ALLOW_IPS does not name its front end: set it to %s, or all visitors "
            "have one address and share its limits, and https is not seen",
            CLOUD_RUN,
        )


def _header(scope: Scope, name: bytes) -> str:
    """All of a header, however many lines it has."""
    return ",".join(value.decode("latin-1") for header, value in scope["headers"] if header == name)
