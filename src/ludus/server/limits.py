"""How much anybody may ask of the server."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache

MESSAGE_BYTES = 4096
KNOWN_ADDRESSES = 10_000
HOUSEHOLD = 64  # bits of an IPv6 address that a provider gives; whoever has them has all addresses that begin so


@dataclass(frozen=True)
class Limits:
    """Rates are per second, with a burst; 0 is no limit."""

    socket_rate: float = 20.0
    socket_burst: float = 40.0
    address_rate: float = 100.0
    address_burst: float = 400.0
    phrase_rate: float = 0.5  # what somebody says at a table
    phrase_burst: float = 5.0
    code_rate: float = 0.2  # short invitations that an address tries
    code_burst: float = 30.0
    invitation_seconds: float = 86_400.0  # until a short invitation expires
    sockets_per_address: int = 64
    seats_per_address: int = 8  # at public tables, taken without an invite
    stranger_seconds: float = 600.0  # that others wait there for somebody who is away or does not play
    connections_per_address: int = 96
    connection_rate: float = 20.0  # new connections of an address
    connection_burst: float = 200.0
    connections: int = 8192  # of all addresses, and always fewer than the system has descriptors for
    control_rate: float = 50.0  # pings, pongs and parts of messages
    control_burst: float = 500.0
    outbox_bytes: int = 1 << 20
    bad_messages: int = 5
    hello_seconds: float = 30.0
    request_seconds: float = 20.0  # for all of a request, and for a client that takes nothing of an answer
    linger_seconds: float = 5.0  # until a connection that was closed is cut
    record_bytes: int = 1 << 20
    body_bytes: int = 64 << 10
    tables_in_memory: int = 2_000
    idle_seconds: float = 300.0  # until a table that nobody looks at leaves memory


@lru_cache(maxsize=1024)
def household(host: str) -> str:
    """Whose limits hold for somebody: an address, or of IPv6 the network that one connection has to itself."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address) or address.is_loopback or address.is_link_local:
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    rest = 128 - HOUSEHOLD
    return f"{ipaddress.IPv6Address(int(address) >> rest << rest)}/{HOUSEHOLD}"


class Bucket:
    """Lets through `burst` at once and `rate` a second."""

    __slots__ = ("burst", "level", "rate", "then")

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self.level = burst
        self.then = time.monotonic()

    def take(self, amount: float = 1.0) -> bool:
        """Whether there is room for this now."""
        if self.rate <= 0:
            return True
        now = time.monotonic()
        self.level = min(self.burst, self.level + (now - self.then) * self.rate)
        self.then = now
        if self.level < amount:
            return False
        self.level -= amount
        return True


class Held:
    """How many of something each address holds, and all together; 0 is no limit."""

    def __init__(self, most: int, in_all: int = 0) -> None:
        self.most = most
        self.in_all = in_all
        self.total = 0
        self._counts: dict[str, int] = {}

    def take(self, address: str) -> bool:
        """Count one more, if the address may have it."""
        if 0 < self.most <= self.count(address) or 0 < self.in_all <= self.total:
            return False
        self.total += 1
        self._counts[address] = self.count(address) + 1
        return True

    def count(self, address: str) -> int:
        """How many it holds."""
        return self._counts.get(address, 0)

    def let_go(self, address: str) -> None:
        """One less."""
        self.total -= address in self._counts
        count = self._counts.pop(address, 0) - 1
        if count > 0:
            self._counts[address] = count


class Buckets:
    """A bucket for each address; those longest unseen are forgotten."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str, amount: float = 1.0) -> bool:
        """Whether the address has room for this now."""
        bucket = self._buckets.pop(address, None) or Bucket(self.rate, self.burst)
        self._buckets[address] = bucket
        if len(self._buckets) > KNOWN_ADDRESSES:
            self._buckets.popitem(last=False)
        return bucket.take(amount)


class Addresses:
    """What each address has asked for, which invitations it tried, and which sockets it holds."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._asked = Buckets(limits.address_rate, limits.address_burst)
        self.codes = Buckets(limits.code_rate, limits.code_burst)
        self.sockets = Held(limits.sockets_per_address)

    def take(self, address: str, amount: float = 1.0) -> bool:
        """Whether the address may ask for this now."""
        return self._asked.take(address, amount)
