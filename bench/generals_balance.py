"""What random play says of the balance of the two roles in Generals (G32), for 4 and 8 directions.

usage: python bench/generals_balance.py [--games N] [--seed N] [--write]

Prints a Markdown table; --write puts it into docs/generals.md, between the marks there.
"""

from __future__ import annotations

import argparse
import re
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

import ludus

PAGE = Path(__file__).parents[1] / "docs" / "generals.md"
BEGIN, END = "<!-- bench/generals_balance.py --write -->", "<!-- end -->"
GAMES, SEED = 200_000, 1


def interval(count: int, total: int, z: float = 1.959964) -> tuple[float, float]:
    """Wilson's 95% interval of a share."""
    share = count / total
    centre = (share + z * z / (2 * total)) / (1 + z * z / total)
    spread = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return centre - spread, centre + spread


def share(count: int, total: int) -> str:
    """A share with its interval, in per cent."""
    low, high = interval(count, total)
    return f"{100 * count / total:.2f}% ({100 * low:.2f}–{100 * high:.2f})"


def mean(values: Any) -> str:
    """A mean with its 95% interval."""
    spread = 1.959964 * float(values.std(ddof=1)) / sqrt(len(values))
    digits = 1 if spread >= 0.1 else 2 if spread >= 0.01 else 3
    return f"{values.mean():.{digits}f} ± {spread:.{digits}f}"


def column(games: Any) -> dict[str, str]:
    """One game's figures, row by row."""
    total, endings = len(games), games.endings()
    low, middle, high = (int(value) for value in np.percentile(games.turns, [5, 50, 95]))
    return {
        "attacker wins: three hits": share(endings["hits"], total),
        "defender wins: no attacker left": share(endings["exhaustion"], total),
        "draw: 100 turns without progress": share(endings["quiet"], total),
        "draw: 1,000 turns": share(endings["turns"], total),
        "turns": mean(games.turns),
        "turns, 5% · median · 95%": f"{low} · {middle} · {high}",
        "decisions": mean(games.moves),
        "chance events, rerolls included": mean(games.plies - games.moves),
        "units killed by landing on them": mean(games.captures),
        "hits on the General": mean(games.hits),
        "attacks intercepted": mean(games.interceptions),
        "units converted": mean(games.conversions),
    }


def table(games: int, seed: int) -> str:
    """The table, for 4 and 8 directions."""
    columns = {ways: column(ludus.make("generals", directions=ways).playouts(games, seed=seed)) for ways in (4, 8)}
    lines = [
        f"{games:,} games of random play for each, seed {seed}; 95% intervals.",
        "",
        "| | 4 directions | 8 directions |",
        "|---|---|---|",
        *(f"| {name} | {figure} | {columns[8][name]} |" for name, figure in columns[4].items()),
    ]
    return "\n".join(lines)


def with_table(page: str, words: str) -> str:
    """A page with the words between its marks."""
    pattern = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.DOTALL)
    return pattern.sub(f"{BEGIN}\n{words}\n{END}", page)


def main() -> None:
    """Print the table, or write it into the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--write", action="store_true", help="put the table into docs/generals.md")
    arguments = parser.parse_args()
    words = table(arguments.games, arguments.seed)
    if arguments.write:
        PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), words), encoding="utf-8")
    else:
        print(words)


if __name__ == "__main__":
    main()
