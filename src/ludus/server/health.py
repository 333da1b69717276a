"""How the server is, for those who run it: alive, ready, and in figures, which only this machine reads unless told."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse
from sqlalchemy import literal, select

from ludus.core.errors import LudusError
from ludus.play.refusals import Refused
from ludus.server.doors import is_loopback, name_of

if TYPE_CHECKING:
    from ludus.server.app import House

router = APIRouter(include_in_schema=False)

PATIENCE = 2.0  # seconds for the data base to answer
FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")


@router.get("/healthz")
async def healthz() -> PlainTextResponse:
    """Whether the process answers at all."""
    return PlainTextResponse("ok\n")


@router.get("/readyz")
async def readyz(request: Request) -> JSONResponse:
    """Whether it takes requests: the data base answers, and it is not closing down."""
    why = await why_not_ready(request.app.state.house)
    return JSONResponse({"ready": why is None, **({"why": why} if why else {})}, 503 if why else 200)


async def why_not_ready(house: House) -> str | None:
    """What keeps the server from taking requests."""
    if house.membership is not None and house.membership.is_leaving:
        return "closing"
    try:
        async with asyncio.timeout(PATIENCE):
            await house.store.ask(lambda connection: connection.scalar(select(literal(1))))
    except (LudusError, TimeoutError):
        return "store"
    if house.membership is not None and not house.membership.is_ready:
        return "cluster"
    return None


@router.get("/metrics")
async def metrics(request: Request) -> PlainTextResponse:
    """Counters and gauges for Prometheus."""
    house: House = request.app.state.house
    peer = request.client.host if request.client else ""
    if not may_read(peer, request.headers, house.watchers):
        raise Refused("forbidden")
    return PlainTextResponse(house.metrics.text(counted(house)), media_type="text/plain; version=0.0.4")


def may_read(peer: str, headers: Mapping[str, str], watchers: tuple[str, ...]) -> bool:
    """Whether somebody may see the figures: who asks on this machine and for nobody else, or from an address named."""
    if any(name in headers for name in FORWARDED):
        return False  # a proxy on this machine asks for somebody else
    try:
        address = ipaddress.ip_address(peer)
    except ValueError:
        return False
    if any(address in ipaddress.ip_network(watcher, strict=False) for watcher in watchers):
        return True
    return address.is_loopback and is_loopback(name_of(headers.get("host", "")))


def counted(house: House) -> dict[str, Any]:
    """What the parts of the house know."""
    store, hall, membership = house.store, house.hall, house.membership
    told: dict[str, Any] = {
        **hall.counted(), "commits_total": store.commits, "facts_total": store.facts,
        "store_failures_total": store.failures, "ready": 1,
    }  # fmt: skip
    if membership is not None:
        leases = membership.leases
        told |= {
            "ready": int(membership.is_ready), "leases": len(leases.epochs),
            "leases_taken_total": leases.taken_over, "fenced_writes_total": leases.fenced,
        }  # fmt: skip
    return told
