"""A PostgreSQL cluster of the tests' own: in a folder under /tmp, run by an ordinary user, reached by a socket file."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import psycopg

PATIENCE = 280


def programs() -> Path:
    """Where the server's programs are: Debian keeps them off the path."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    found = folders[-1] if folders else shutil.which("initdb")
    assert found, "PostgreSQL is not installed: scripts/system-packages server brings it"
    return Path(found).resolve().parent


def as_ordinary_user(command: list[str]) -> list[str]:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return command
    return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", *command]


class Cluster:
    """Started by `start`, removed by `stop`."""

    def __init__(self) -> None:
        # the path of a socket file has 107 letters at most, so not under pytest's folder
        self.folder = Path(tempfile.mkdtemp(prefix="ludus-pg-", dir="/tmp"))
        self.folder.chmod(0o711)
        self.data = self.folder / "data"
        self.databases = 0

    def start(self) -> Cluster:
        self.data.mkdir(mode=0o700)
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            for path in (self.folder, self.data):
                os.chown(path, nobody.pw_uid, nobody.pw_gid)
        self.run("initdb", "-D", str(self.data), "-U", "ludus", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        return self.resume()

    def resume(self) -> Cluster:
        options = f"-k {self.folder} -c listen_addresses='' -c max_connections=60"
        log = str(self.folder / "log")
        self.run("pg_ctl", "-D", str(self.data), "-l", log, "-o", options, "-w", "-t", str(PATIENCE), "start")
        return self

    def halt(self) -> None:
        self.run("pg_ctl", "-D", str(self.data), "-m", "immediate", "-w", "-t", str(PATIENCE), "stop")

    def stop(self) -> None:
        self.halt()
        shutil.rmtree(self.folder)

    def change_while_away(self, database: str, statement: str) -> str:
        """Let a statement change a data base that is halted, without letting anybody in; what it answers."""
        name = database.removeprefix("postgresql://ludus@/").partition("?")[0]
        self.run("postgres", "--single", "-D", str(self.data), "-j", name, text=f"{statement};\n\n")
        return (self.folder / "postgres.out").read_text()

    def run(self, program: str, *arguments: str, text: str = "") -> None:
        command = as_ordinary_user([str(programs() / program), *arguments])
        with open(self.folder / f"{program}.out", "w") as out:  # not a pipe: the server would inherit and hold it
            done = subprocess.run(
                command, cwd="/", input=text.encode(), stdout=out, stderr=out, timeout=PATIENCE * 2, check=False
            )
        assert done.returncode == 0, f"{program}: {(self.folder / f'{program}.out').read_text()[-2000:]}"

    def new_database(self) -> str:
        """The URL of an empty data base."""
        self.databases += 1
        name = f"test{self.databases}"
        with psycopg.connect(f"host={self.folder} user=ludus dbname=postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return f"postgresql://ludus@/{name}?host={self.folder}"
