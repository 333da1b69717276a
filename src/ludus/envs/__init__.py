"""Environments for learning: PettingZoo, Gymnasium, batches of games, OpenSpiel; one adapter each for every game.

Nothing of PettingZoo, Gymnasium or OpenSpiel is imported before it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ludus.core.errors import LudusError

if TYPE_CHECKING:
    from ludus.envs import generals_v0, ludo_v0
    from ludus.envs.batch import VectorGames, vector

__all__ = ["VectorGames", "generals_v0", "ludo_v0", "register", "vector"]

# which extra brings a package that an environment needs
_EXTRAS = {
    "gymnasium": "gymnasium",
    "pettingzoo": "pettingzoo",
    "pygame": "gymnasium",
    "pyspiel": "openspiel",
    "resvg_py": "gymnasium",
    "stable_baselines3": "sb3",
}
_NAMES = {"vector": "ludus.envs.batch", "VectorGames": "ludus.envs.batch"}


def __getattr__(name: str) -> Any:
    import importlib

    if name in _NAMES:
        return getattr(importlib.import_module(_NAMES[name]), name)
    if name in ("ludo_v0", "generals_v0"):
        return importlib.import_module(f"ludus.envs.{name}")
    raise AttributeError(f"module 'ludus.envs' has no attribute {name!r}")


class MissingExtra(LudusError, ImportError):
    """A package that an environment needs is not installed."""


def needs(error: ModuleNotFoundError) -> Exception:
    """What to install, where a package of an extra is missing; the error itself where it is another one."""
    package = (error.name or "").partition(".")[0]
    if package not in _EXTRAS:
        return error
    return MissingExtra(f"{package} is not installed: pip install 'ludus[{_EXTRAS[package]}]'")


def register() -> None:
    """Put every game into the registries of those of Gymnasium and PettingZoo that are installed."""
    from importlib.util import find_spec

    if find_spec("gymnasium"):
        from ludus.envs.single import register_gymnasium

        register_gymnasium()
    if find_spec("pettingzoo"):
        from ludus.envs.aec import register_pettingzoo

        register_pettingzoo()
