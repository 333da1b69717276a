"""What tests of the server share: data bases, and guests who remember what they were told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from server.cluster import Cluster


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """One PostgreSQL for all tests of a worker."""
    running = Cluster().start()
    yield running
    running.stop()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty data base of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "games.db")
    running: Cluster = request.getfixturevalue("cluster")
    return running.new_database()
