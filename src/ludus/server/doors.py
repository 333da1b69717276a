"""Who may come in: origins, hosts, addresses, sizes. What is refused here never reaches a table."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass

HOST = re.compile(r"(?:\[(?P<bracketed>[^\]]+)\]|(?P<plain>[^:\[\]]+))(?::\d+)?")
LOOPBACK = ("127.0.0.1", "localhost", "::1")

HEADERS = {
    "content-security-policy": (
        "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; "
        "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
}


@dataclass(frozen=True)
class Doors:
    """`origins` are further origins that may talk to the server; `hosts` the names it answers to, all if empty.

    With `by_address` it also answers to any address in numbers: no foreign name was made to point here then.
    """

    origins: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    by_address: bool = False

    def opens(self, headers: Mapping[str, str]) -> bool:
        """Whether a request comes from the server's own pages, or from no browser at all."""
        host = headers.get("host", "")
        if self.hosts and not self._is_ours(name_of(host)):
            return False  # a foreign name that was made to point here
        origin = headers.get("origin")
        if origin is None or origin in self.origins:
            return True
        # as texts: what a browser sends is scheme and host, and whatever else comes is not ours
        return origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")

    def _is_ours(self, name: str) -> bool:
        return name in self.hosts or (self.by_address and is_address(name))


def is_address(name: str) -> bool:
    """Whether a name is an address in numbers."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def names_for(origins: tuple[str, ...]) -> tuple[str, ...]:
    """The names that a public server answers to: its machine's, and those of the origins that may talk to it."""
    own = socket.gethostname().lower()
    named = [name_of(origin.partition("://")[2]) for origin in origins]
    return (*LOOPBACK, own, own.partition(".")[0], *(name for name in named if name))


def name_of(host: str) -> str:
    """The name in a Host header, without its port; '' where it is none."""
    found = HOST.fullmatch(host.lower())
    return (found["bracketed"] or found["plain"]) if found else ""


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    return host in LOOPBACK or host.startswith("127.")
