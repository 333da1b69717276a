"""Kernels written in tests, with a cache of their own."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from .writing import Workshop


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    """A folder for kernel modules that are written while tests run."""
    folder = tmp_path_factory.mktemp("written_kernels")
    sys.path.insert(0, str(folder))
    yield Workshop(folder)
    sys.path.remove(str(folder))


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What these tests compile goes nowhere else."""
    patch = pytest.MonkeyPatch()
    folder = tmp_path_factory.mktemp("cache")
    patch.setenv("LUDUS_CACHE_DIR", str(folder))
    yield folder
    patch.undo()
