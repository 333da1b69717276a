"""How strong the bots are that play by nets, written to docs/strength.md: `--help` says how.

One bot in one seat (or team) against another in all others, every seat equally often, each seating with the same dice.
What was measured is kept in a file beside this script, with a digest of the weights: only what has changed is measured
anew, and an interrupted run goes on.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from train_shipped import PLANNED, planned_game

import ludus
from ludus.bots.net_files import ANY, SHIPPED, Net, net_for, rules_digest, shipped_name
from ludus.bots.values import DEPTHS
from ludus.cli.bench import learning
from ludus.core.game import Game
from ludus.games.ludo.document.drawing import drawn_game
from ludus.training.anchors import even_share, has_teams, share_won, shares_by_seat
from ludus.training.school import PLAYING, School, Syllabus

PAGE = Path(__file__).parent.parent / "docs" / "strength.md"
KEPT = Path(__file__).with_suffix(".jsonl")
HELD_OUT_SHELF = ("fia", "tides")  # `any` was not trained on them, nor on documents of this seed
HELD_OUT_SEED = 2
TUNED = ("fia", "unseen-1", "unseen-7")
TUNED_RATE = 0.0125
TUNED_SECONDS = 120.0
ROLES = (("td2", "heuristic"), ("td2", "mcts"), ("mcts", "mcts"))  # in Generals
ROLE_GAMES, ROLE_GAMES_OF_SEARCH = 1000, 60
SLOW = {"expectimax": 4000, "mcts": 400}  # games against bots that take their time

Line = dict[str, Any]


def interval(share: float, games: int) -> str:
    """A share of games with its 95% interval (Wilson)."""
    z = 1.96
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return f"{100 * share:.1f} ({100 * max(0.0, middle - half):.1f}–{100 * (middle + half):.1f})"


def digest_of(net: Net) -> str:
    """What tells one net from another."""
    return hashlib.sha256(net.weights.tobytes()).hexdigest()[:12]


@dataclass(frozen=True)
class Pairing:
    """One bot against another, so many games of it."""

    section: str
    game: Game
    bot: str
    against: str
    games: int
    weights: str | None = None
    by_role: bool = False

    @property
    def key(self) -> Line:
        """What the line in the file must say to be about this."""
        other = self.against.partition("weights=")[2]
        return {
            "section": self.section, "game": self.game.name, "teams": has_teams(self.game),
            "players": self.game.num_players, "bot": self.bot, "against": self.against, "games": self.games,
            "net": digest_of(net) if (net := self.net) else "", "rules": rules_digest(self.game)[:12],
            **({"other": digest_of(net_for(self.game, other))} if other else {}),
        }  # fmt: skip

    @property
    def net(self) -> Net | None:
        """What the bot plays by, where it is a net."""
        return net_for(self.game, self.weights) if self.bot in DEPTHS else None

    def measured(self) -> Line:
        """The line."""
        began = time.process_time()
        shares = shares_by_seat(self.game, self.net or self.bot, self.against, self.games, DEPTHS.get(self.bot, 1))
        found = {
            "won": interval(sum(shares) / len(shares), self.games),
            "even": f"{100 * even_share(self.game):.0f}",
            "seconds": round(time.process_time() - began, 1),
        }
        each = self.games // len(shares)
        roles = {role: interval(share, each) for role, share in zip(self.game.players, shares, strict=True)}
        return self.key | found | (roles if self.by_role else {})


def main_pairings(games: int) -> Iterator[Pairing]:
    """The rule set of the goals, with four and with two."""
    four, two = ludus.make("pettingzoo"), ludus.make("pettingzoo", players=2)
    for bot, against in (("td", "random"), ("td", "heuristic"), ("td2", "heuristic"), ("td2", "td")):
        yield Pairing("main", four, bot, against, games)
    for bot, against in (("td", "random"), ("td", "heuristic"), ("td", "expectimax"), ("td", "mcts")):
        yield Pairing("main", two, bot, against, SLOW.get(against, games))


def role_pairings(of_search: int) -> Iterator[Pairing]:
    """Generals, by role; games with bots that search take their time."""
    for bot, against in ROLES:
        games = of_search if against in SLOW else ROLE_GAMES
        yield Pairing("roles", ludus.make("generals"), bot, against, games, by_role=True)


def shipped_game(file: Path) -> Game:
    """The game that weights are shipped for."""
    name, teams, _ = file.stem.partition("-4-teams")
    if teams:
        return ludus.make(name, players=4, modes={"mode": "teams"})
    name, _, players = file.stem.rpartition("-")
    return ludus.make(name) if name == "generals" else ludus.make(name, players=int(players))


def shipped_pairings(games: int) -> Iterator[Pairing]:
    """Every other game that has weights of its own."""
    for file in sorted(SHIPPED.glob("*.safetensors")):
        if file.stem.startswith(f"{ANY}-") or file.stem in ("pettingzoo-2", "pettingzoo-4", "generals-2"):
            continue
        game = shipped_game(file)
        yield Pairing("shipped", game, "td", "heuristic", games)
        yield Pairing("shipped", game, "td", f"td:weights={ANY}", games)


def unshipped_pairings(games: int) -> Iterator[Pairing]:
    """`any` where a net was planned and is not shipped."""
    for rules, players, options, _ in PLANNED:
        game = planned_game(rules, players, options)
        if rules not in HELD_OUT_SHELF and not (SHIPPED / f"{shipped_name(game)}.safetensors").exists():
            yield Pairing("by any", game, "td", "heuristic", games, ANY)


def held_out(name: str) -> Game:
    """A rule set or a document that `any` was not trained on, by name."""
    if name in HELD_OUT_SHELF:
        return ludus.make(name)
    return drawn_game(random.Random(f"{HELD_OUT_SEED}/{name.removeprefix('unseen-')}"), name)


def unseen_pairings(games: int, documents: int) -> Iterator[Pairing]:
    """`any` on rule sets and documents that it was not trained on, as it is."""
    for name in (*HELD_OUT_SHELF, *(f"unseen-{number}" for number in range(documents))):
        yield Pairing("unseen", held_out(name), "td", "heuristic", games, ANY)


def tuned_key(name: str, games: int) -> Line:
    """What the line about fine-tuning on a game says of itself."""
    net = digest_of(net_for(held_out(name), ANY))
    return {"section": "tuned", "game": name, "seconds": TUNED_SECONDS, "games": games, "net": net}


def tuned_line(name: str, games: int) -> Line:
    """`any` as it is, after two minutes of fine-tuning, and a net of the game's own after as many."""
    game = held_out(name)
    start = net_for(game, ANY)
    won = {"any": share_won(game, start, "heuristic", games)}
    for key, school in (
        ("tuned", School([game], 1, Syllabus(units=start.units, rate=TUNED_RATE), start)),
        ("own", School([game], 1, Syllabus())),
    ):
        began = time.process_time()
        while time.process_time() - began < TUNED_SECONDS:
            school.lesson(PLAYING)
        won[key] = share_won(game, school.playing_net(), "heuristic", games)
    shown = {key: interval(share, games) for key, share in won.items()}
    return tuned_key(name, games) | shown | {"of own": f"{100 * won['tuned'] / won['own']:.0f}"}


def speed_key() -> Line:
    """What the line about speed says of itself."""
    return {"section": "speed", "game": "pettingzoo, 4 players", "games": 0}


def speed_line() -> Line:
    """Positions learnt a second on one core, and what a decision takes, by processor time."""
    found = learning(5.0)
    minutes = next(entry[3] for entry in PLANNED if entry[:3] == ("pettingzoo", 4, {}))
    return speed_key() | {
        "learnt": f"{found['positions_per_second']:,}", "decision": f"{found['td_us']:.1f}", "minutes": f"{minutes:g}",
    }  # fmt: skip


class Kept:
    """The lines that were measured."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def find(self, key: Line) -> Line | None:
        """The line about this, of as many games or more."""
        rest = {name: value for name, value in key.items() if name != "games"}
        fits = (line for line in self.lines if rest.items() <= line.items() and line["games"] >= key["games"])
        return next(fits, None)

    def add(self, line: Line) -> None:
        """Keep one more."""
        print(json.dumps(line), flush=True)
        self.lines.append(line)
        with self.path.open("a") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")

    def only(self, found: Iterable[Line]) -> None:
        """Forget every other line: of weights that are gone."""
        self.path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in found))


def table(rows: list[Line], columns: dict[str, str]) -> str:
    """Rows as a table of Markdown."""
    lines = ["| " + " | ".join(columns.values()) + " |", "|" + "---|" * len(columns)]
    return "\n".join(lines + ["| " + " | ".join(str(row[key]) for key in columns) + " |" for row in rows])


PAIRING = {
    "shown": "game", "players": "players", "bot": "bot", "against": "all others", "games": "games",
    "won": "won, % (95%)", "even": "even, %",
}  # fmt: skip
BY_ROLE = {
    "bot": "bot", "against": "against", "games": "games", "won": "points, % (95%)", "attacker": "as attacker",
    "defender": "as defender",
}  # fmt: skip
TUNING = {
    "game": "game", "any": "`any` as it is", "tuned": "fine-tuned", "own": "a net of its own",
    "of own": "fine-tuned, % of a net of its own",
}  # fmt: skip
SPEED = {
    "game": "game", "learnt": "positions learnt a second, 128 units", "minutes": "minutes of the net that is shipped",
    "decision": "microseconds of a `td` decision",
}  # fmt: skip
EXACT = {
    "game": "game", "positions": "positions", "first": "the first mover wins, %", "bot": "bot",
    "exploitability": "exploitability, points",
}  # fmt: skip

HEAD = """# How strong the bots are

Written by `bench/strength.py` from the weights that are shipped: one bot in one seat (or team) against another in all
other seats, every seat equally often, each seating with the same dice; a draw is shared. 95% intervals are Wilson's.
"""
SAID = {
    "main": ("The rule set `pettingzoo`", "", PAIRING),
    "roles": (
        "Generals, roles swapped",
        "Half of the games in each role; a draw is half a point. What `mcts` and `heuristic` get in each role against\n"
        "`heuristic` stands in [bots](bots.md#how-strong-they-are).",
        BY_ROLE,
    ),
    "shipped": (
        "Every other game with weights of its own",
        "A net is shipped where it wins more than its share against `heuristic` and against the net that plays every "
        "Ludo,\n`any`. What is not here is played by `any`.",
        PAIRING,
    ),
    "by any": (
        "Games that `any` plays",
        "`any` has learnt on these rule sets among others; no net of their own is shipped.",
        PAIRING,
    ),
    "unseen": (
        "`any`, on what it has never seen",
        "`fia` and `tides` were kept from it, and so were the documents `unseen-…`, drawn by lot (`drawing.py`, seed\n"
        f"{HELD_OUT_SEED}).",
        PAIRING,
    ),
    "tuned": (
        "Fine-tuning",
        f"Games won against `heuristic` in all other seats: by `any`, by `any` after {TUNED_SECONDS:.0f} seconds of\n"
        "one processor on the game, and by a net that began with nothing and had as long.",
        TUNING,
    ),
    "speed": ("How long it takes", "One core, by processor time.", SPEED),
    "exact": (
        "Against perfect play",
        "Solved exactly (`ludus solve`). Exploitability is what the best answer to the bot wins more than perfect play "
        "would, in points\nof a hundred, both seats together (`bench/exploited.py`).",
        EXACT,
    ),
}


def page(found: list[Line]) -> str:
    """The whole page."""
    parts = [HEAD]
    for section, (title, said, columns) in SAID.items():
        rows = [line | {"shown": _shown(line)} for line in found if line["section"] == section]
        if rows:
            after = _mean_of_four(rows) if section == "unseen" else ""
            told = (f"## {title}", said and f"{said}\n", table(rows, columns), after)
            parts.append("\n".join(filter(None, told)) + "\n")
    return "\n".join(parts)


def _mean_of_four(rows: list[Line]) -> str:
    shares = [float(row["won"].split()[0]) for row in rows if row["players"] == 4 and not row["teams"]]
    if not shares:
        return ""
    mean = sum(shares) / len(shares)
    return f"\nThe mean of the {len(shares)} games for four, each for itself: {mean:.1f}%, where 25% is even."


def _shown(line: Line) -> str:
    return f"{line['game']}, teams" if line.get("teams") else str(line["game"])


def main() -> None:
    """Measure what is missing, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sections", nargs="*", help=f"what to measure where it is missing: {', '.join(SAID)}; or none")
    parser.add_argument("--games", type=int, default=10_000, help="for the rule set of the goals")
    parser.add_argument("--few", type=int, default=2_000, help="for every other pairing")
    parser.add_argument("--of-search", type=int, default=ROLE_GAMES_OF_SEARCH, help="of Generals against mcts")
    parser.add_argument("--documents", type=int, default=14, help="documents that nobody has seen")
    parser.add_argument("--out", type=Path, default=PAGE)
    arguments = parser.parse_args()
    kept, found = Kept(KEPT), list[Line]()
    few = arguments.few
    pairings = [
        *main_pairings(arguments.games), *role_pairings(arguments.of_search), *shipped_pairings(few),
        *unshipped_pairings(few), *unseen_pairings(few, arguments.documents),
    ]  # fmt: skip
    works = [(pairing.key, pairing.measured) for pairing in pairings]
    works.append((speed_key(), speed_line))
    works += [(tuned_key(name, few), lambda name=name: tuned_line(name, few)) for name in TUNED]  # type: ignore[misc]
    for key, measured in works:
        if kept.find(key) is None and key["section"] in arguments.sections:
            kept.add(measured())
        found += filter(None, [kept.find(key)])
    found += [line for line in kept.lines if line["section"] == "exact"]
    kept.only(found)
    arguments.out.write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
