"""What tests of the server share: data bases, and guests who remember what they were told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from server.cluster import Cluster

# for a test that hangs: scripts that start a server again and again take their time on a busy machine
LONGEST = 1500


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that start real server processes have more time."""
    for item in items:
        if item.path == Path(__file__).with_name("test_serve.py"):
            item.add_marker(pytest.mark.timeout(LONGEST))


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
