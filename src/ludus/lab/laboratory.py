"""`ludus.lab`: rule sets side by side."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from ludus.core.errors import LudusError, quoted
from ludus.core.game import Game
from ludus.core.registry import make
from ludus.core.seeds import fold_seed
from ludus.core.whole_file import write_whole
from ludus.lab.measuring import Measured

MOST_RULE_SETS = 64
Progress = Callable[[str, int, int], None]


class Lab:
    """What was measured: `tables[rule set][figure]` as plain data, `text`, `html`."""

    def __init__(self, measured: Sequence[tuple[str, Measured]], games: int, seed: int) -> None:
        self.measured, self.games, self.seed = list(measured), games, seed

    @property
    def tables(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Per rule set and figure: value, low, high, n."""
        return {name: {key: figure.data() for key, figure in one.figures.items()} for name, one in self.measured}

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {"games": self.games, "seed": self.seed, "tables": self.tables}

    def text(self, lang: str = "en") -> str:
        """For a terminal."""
        from ludus.lab.sheets import as_text

        return as_text(self, lang)

    def html(self, path: str | os.PathLike[str] | None = None, lang: str = "en") -> str:
        """One page that needs nothing else; written to `path` where one is given."""
        from ludus.lab.sheets import as_page

        page = as_page(self, lang)
        if path is not None:
            try:
                write_whole(Path(path), page.encode())
            except OSError as error:
                raise LudusError(f"lab: {path} can't be written: {error.strerror}") from None
        return page

    def __str__(self) -> str:
        return self.text()


def lab(
    rule_sets: Iterable[Any] | Game | str,
    games: int = 10_000,
    seed: int = 0,
    names: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> Lab:
    """Measure rule sets: the same seed gives the same figures."""
    given = [rule_sets] if isinstance(rule_sets, Game | str | dict) else list(rule_sets)
    if not 0 < len(given) <= MOST_RULE_SETS:
        raise LudusError(f"lab: from 1 to {MOST_RULE_SETS} rule sets, not {len(given)}")
    if isinstance(games, bool) or not isinstance(games, int) or not 10 <= games <= 10_000_000:
        raise LudusError(f"lab: games is a whole number from 10 to 10,000,000, not {quoted(games)}")
    found: list[tuple[str, Measured]] = []
    for number, one in enumerate(given):
        game = one if isinstance(one, Game) else make(one)
        game.ask_for_limit()
        name = names[number] if names else _name(game, [known for known, _ in found])
        found.append((name, Measured(game, games, fold_seed(seed), _telling(progress, name))))
    return Lab(found, games, seed)


def _telling(progress: Progress | None, name: str) -> Callable[[int, int], None] | None:
    if progress is None:
        return None
    return lambda done, of: progress(name, done, of)


def _name(game: Game, taken: Sequence[str]) -> str:
    """A name for each rule set; equal ones are numbered."""
    label = game.name
    return label if label not in taken else f"{label} ({sum(one.startswith(label) for one in taken) + 1})"
