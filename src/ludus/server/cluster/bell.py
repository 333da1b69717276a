"""What other processes of a cluster tell: a thread that listens to PostgreSQL's notifications."""

from __future__ import annotations

import threading
from collections.abc import Callable

from sqlalchemy.exc import SQLAlchemyError

from ludus.server.cluster.leases import CHANNEL
from ludus.server.database import engine_for

PATIENCE = 1.0  # seconds until it looks whether it is to end, and between two tries to connect

Heard = Callable[[str | None], None]


class Bell(threading.Thread):
    """Calls `heard` with what is told, in this thread; with None where something may have been missed."""

    def __init__(self, url: str, heard: Heard) -> None:
        super().__init__(name="ludus-bell", daemon=True)
        self._url = url
        self._heard = heard
        self._ended = threading.Event()

    def run(self) -> None:
        """Until it is told to end; a data base that goes away comes back."""
        from psycopg import Error

        engine = engine_for(self._url).execution_options(isolation_level="AUTOCOMMIT")
        while not self._ended.is_set():
            try:
                with engine.connect() as connection:
                    connection.exec_driver_sql(f"LISTEN {CHANNEL}")
                    self._heard(None)
                    line = connection.connection.driver_connection
                    while line is not None and not self._ended.is_set():
                        for told in line.notifies(timeout=PATIENCE):
                            self._heard(told.payload)
            except (SQLAlchemyError, Error):
                engine.dispose()
                self._ended.wait(PATIENCE)
        engine.dispose()

    def end(self) -> None:
        """No more is heard; the thread ends by itself."""
        self._ended.set()
