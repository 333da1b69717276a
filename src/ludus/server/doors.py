"""Who may come in: origins, hosts, addresses, sizes. What is refused here never reaches a table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

HOST = re.compile(r"(?:\[(?P<bracketed>[^\]]+)\]|(?P<plain>[^:\[\]]+))(?::\d+)?")
LOOPBACK = ("127.0.0.1", "localhost", "::1")

HEADERS = {
    "content-security-policy": (
        "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
        "connect-src 'self' ws: wss:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
}


@dataclass(frozen=True)
class Doors:
    """`origins` are further origins that may talk to the server; `hosts` the names it answers to, all if empty."""

    origins: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()

    def opens(self, headers: Mapping[str, str]) -> bool:
        """Whether a request comes from the server's own pages, or from no browser at all."""
        host = headers.get("host", "")
        if self.hosts and name_of(host) not in self.hosts:
            return False  # a foreign name that was made to point here
        origin = headers.get("origin")
        if origin is None or origin in self.origins:
            return True
        # as texts: what a browser sends is scheme and host, and whatever else comes is not ours
        return origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")


def name_of(host: str) -> str:
    """The name in a Host header, without its port; '' where it is none."""
    found = HOST.fullmatch(host.lower())
    return (found["bracketed"] or found["plain"]) if found else ""


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    return host in LOOPBACK or host.startswith("127.")
