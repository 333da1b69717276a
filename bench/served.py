"""A server in a process of its own, for the scripts beside this one."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

SOURCE = Path(__file__).resolve().parents[1] / "src"
PATIENCE = 600.0


class Served:
    """`ludus serve` on a free port."""

    def __init__(self, db: str, *arguments: str, log: IO[bytes] | None = None) -> None:
        path = os.pathsep.join(filter(None, [str(SOURCE), os.environ.get("PYTHONPATH")]))
        words = ["serve", "--port", "0", "--db", db, "--address-limit", "0", *arguments]
        self.process = subprocess.Popen(
            self.command([sys.executable, "-m", "ludus.cli", *words]),
            stdout=subprocess.PIPE,
            stderr=log,
            env={**os.environ, "PYTHONPATH": path, "LC_ALL": "C.UTF-8"},
        )
        self.address = self._address()

    def command(self, arguments: list[str]) -> list[str]:
        """What is run."""
        return arguments

    def _address(self) -> str:
        """What the server prints when it is ready to be asked."""
        assert self.process.stdout is not None
        end = time.monotonic() + PATIENCE
        text = b""
        while b"\n" not in text:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, end - time.monotonic()))
            part = os.read(self.process.stdout.fileno(), 4096) if ready else b""
            if not part:
                self.process.kill()
                raise RuntimeError(f"the server did not start: {text!r}")
            text += part
        return next(word for word in text.decode().split() if word.startswith("http")).rstrip("/")

    def cpu_seconds(self) -> float:
        """How long the processor has worked for the server."""
        user, system = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """SIGKILL: nothing is tidied up."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self, by: signal.Signals = signal.SIGINT) -> int:
        """SIGINT, as Ctrl+C, or SIGTERM, as the system ends a service."""
        self.process.send_signal(by)
        return self.process.wait(PATIENCE)
