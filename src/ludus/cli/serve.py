"""`ludus serve`: games in the browser."""

from __future__ import annotations

import argparse
import contextlib
import io
import ipaddress
import os
import re
import socket
import sys
import threading
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import Any

from ludus.cli.lines import say
from ludus.core.errors import LudusError
from ludus.core.messages import language

DEFAULT_FILE = "ludus.db"
ADDRESS = re.compile(r"(?=.)(https?://[A-Za-z0-9.\-\[\]:]+)?(/[A-Za-z0-9._~\-/]*)?")
# the thread of the store wakes up after each sync: people wait while it waits for the loop's thread, by default 5 ms
SWITCH_SECONDS = 0.0005


def add_parser(commands: Any) -> None:
    """The arguments of `ludus serve`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "serve", help="play in the browser", description="Serve games to browsers, and keep them in a data base."
    )
    parser.add_argument("--port", type=int, default=8000, help="8000 if left out; 0 takes a free one")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on; this machine only if left out")
    parser.add_argument(
        "--lan", action="store_true", help="listen on the home network, and show the address as a QR code"
    )
    parser.add_argument("--public", action="store_true", help="allow an address that other machines can reach")
    parser.add_argument(
        "--db", metavar="FILE|URL", help=f"a file, or postgresql://…; {DEFAULT_FILE} in your data folder"
    )
    parser.add_argument("--open", action="store_true", help="open the address in a browser")
    parser.add_argument("--origin", action="append", default=[], help="a further origin whose pages may connect")
    parser.add_argument(
        "--name", action="append", default=[], help="a further name under which people reach the server"
    )
    parser.add_argument(
        "--address-limit", type=float, metavar="N", help="requests a second from one address; 0 is no limit"
    )
    parser.add_argument(
        "--keep-days", type=int, default=365, metavar="N", help="delete tables unused for so many days; 0 is never"
    )
    parser.add_argument("--archive", metavar="FOLDER", help="write the records of games there before they are deleted")
    parser.add_argument("--log", choices=["text", "json"], default="text", help="how it logs, on standard error; text")
    _add_cluster(parser)
    parser.set_defaults(run=run)


def _add_cluster(parser: argparse.ArgumentParser) -> None:
    """What servers need who are not alone."""
    parser.add_argument(
        "--cluster", action="store_true", help="serve together with others on one PostgreSQL: each has its own tables"
    )
    parser.add_argument(
        "--address", metavar="URL",
        help="in a cluster: where people reach this server; behind a proxy, a path; where it listens if left out",
    )  # fmt: skip
    parser.add_argument(
        "--lease", type=float, default=10.0, metavar="SECONDS",
        help="in a cluster: after so long a server that is silent has no tables any more; 10",
    )  # fmt: skip
    parser.add_argument(
        "--metrics-for", action="append", default=[], metavar="ADDRESS",
        help="an address or network that may read /metrics, besides this machine",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Serve until interrupted."""
    from ludus.server.doors import is_loopback

    at_home = _home_address() if arguments.lan else None
    if at_home:
        arguments.host = at_home
    elif not is_loopback(arguments.host) and not arguments.public:
        raise LudusError(f"serve: {arguments.host} can be reached by other machines; say --public if that is meant")
    if not 0 <= arguments.port <= 65535:
        raise LudusError(f"serve: a port is a number from 0 to 65535, not {arguments.port}")
    if arguments.keep_days < 0:
        raise LudusError(f"serve: --keep-days is a number of days, or 0 for ever, not {arguments.keep_days}")
    if arguments.archive is not None and not os.path.isdir(arguments.archive):
        raise LudusError(f"serve: --archive: {arguments.archive} is no folder")
    _check_cluster(arguments)
    listener = _listener(arguments.host, arguments.port)
    address = _address(arguments.host, listener.getsockname()[1])
    app = _app(arguments, address)
    print(say("serving", language(None), address=address), flush=True)
    if at_home:
        print(say("party", language(None)), _as_code(address), sep="\n", flush=True)
    if arguments.open:
        threading.Timer(0.5, webbrowser.open, (address,)).start()
    _serve(app, listener)
    return 0


def _check_cluster(arguments: argparse.Namespace) -> None:
    if arguments.cluster and not str(arguments.db).startswith("postgresql"):
        raise LudusError("serve: --cluster needs a PostgreSQL that all servers share: --db postgresql://…")
    if arguments.address is not None and not arguments.cluster:
        raise LudusError("serve: --address is for a server of a cluster; say --cluster too")
    if arguments.address is not None and not ADDRESS.fullmatch(arguments.address):
        raise LudusError(f"serve: --address: like https://a.example, or a path like /~a, not {arguments.address}")
    if not 1 <= arguments.lease <= 600:
        raise LudusError(f"serve: --lease: seconds from 1 to 600, not {arguments.lease:g}")
    for given in arguments.metrics_for:
        try:
            ipaddress.ip_network(given, strict=False)
        except ValueError:
            raise LudusError(f"serve: --metrics-for: an address or a network like 10.0.0.0/8, not {given}") from None


def _app(arguments: argparse.Namespace, address: str) -> Any:
    try:
        from ludus.server.app import Service, create_app
        from ludus.server.cluster.leases import Leases
        from ludus.server.doors import LOOPBACK, Doors, is_loopback, names_for
        from ludus.server.limits import Limits
        from ludus.server.logs import write_logs
        from ludus.server.retention import Keeping
    except ImportError as error:
        raise LudusError(f"serve: {error.name} is not installed; pip install 'ludus[server]' brings it") from None
    limits = Limits()
    if arguments.address_limit is not None:
        rate = arguments.address_limit
        limits = Limits(address_rate=rate, address_burst=4 * rate)
        if not rate:
            limits = replace(limits, sockets_per_address=0, connections_per_address=0, connection_rate=0)
    origins = tuple(arguments.origin)
    names = tuple(name.lower() for name in arguments.name)
    if arguments.public or not (arguments.lan or is_loopback(arguments.host)):
        doors = Doors(origins, (*names_for(origins), *names), by_address=True)
    else:
        doors = Doors(origins, (*LOOPBACK, arguments.host, *names))
    archive = Path(arguments.archive) if arguments.archive else None
    keeping = Keeping(arguments.keep_days, archive=archive)
    leases = Leases((arguments.address or address).rstrip("/"), arguments.lease) if arguments.cluster else None
    write_logs(arguments.log)
    return create_app(
        arguments.db or _default_file(), limits, doors, keeping, Service(leases, tuple(arguments.metrics_for))
    )


def _home_address() -> str:
    """This machine's address on the network that it is in; nothing is sent to find it out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documents, which nobody has
        except OSError:
            raise LudusError("serve: this machine is in no network; without --lan it serves itself") from None
        return str(probe.getsockname()[0])


def _as_code(address: str) -> str:
    """An address as a QR code of blocks, two rows of it in each line."""
    try:
        import segno
    except ImportError as error:
        raise LudusError(f"serve: {error.name} is not installed; pip install 'ludus[server]' brings it") from None
    drawn = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(drawn, compact=True)
    return drawn.getvalue()


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise LudusError(f"serve: can't listen on {host} port {port}: {error.strerror}; try another --port") from None
    listener.listen(2048)
    return listener


def _address(host: str, port: int) -> str:
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/"


def _default_file() -> str:
    """Games are kept where programs of a user keep their data."""
    base = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    folder = Path(base) / "ludus"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LudusError(f"serve: {folder} can't be made: {error.strerror}; say --db FILE") from None
    return str(folder / DEFAULT_FILE)


def _serve(app: Any, listener: socket.socket) -> None:
    from ludus.server.sweeping import sweep_seldom
    from ludus.server.wire import serve

    sys.setswitchinterval(SWITCH_SECONDS)
    sweep_seldom()
    with contextlib.suppress(KeyboardInterrupt):
        serve(app, app.state.house.limits, listener)
    sys.stdout.flush()
