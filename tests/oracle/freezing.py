"""Freezes what Ludo does today into the traces that `frozen.py` compares with: games, set-up positions, refusals.

Nothing here draws but from seeds, so the same code freezes the same traces.
"""

from __future__ import annotations

import copy
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from ludus.games.ludo.opengame import OpenGame, open_game
from properties.strategies import ludo_data, rolloff_data

import ludus
from ludus.core.conformance import drawn
from ludus.core.random import stream
from ludus.games.ludo.game import LudoGame
from oracle.frozen import LOOSE, Chain, Data, answer, game_of, moved, names, plain, refusal, seen, write

# games with the rolls of their seed, games that look for what is rare, the plies of each; set-ups drawn and mixed, and
# the plies played on from each
WHOLE = {"streams": 2, "curious": 3, "plies": 400, "drawn": 120, "mixed": 160, "on": 5}
SMALL = {"streams": 1, "curious": 1, "plies": 220, "drawn": 0, "mixed": 90, "on": 4}
REFUSED = 25  # impossible positions of a variant at most
TRIES = 10  # refusals asked for at a position
ASKED_EVERY = 4  # plies from one position asked for refusals to the next


class Freezer:
    """Freezes one variant."""

    def __init__(self, name: str) -> None:
        self.name, self.game = name, game_of(name)
        self.rng = random.Random(name)
        self.rival = rival_of(self.game)
        self.met: Counter[str] = Counter()  # what moves said they do, without numbers
        self.reached: list[Data] = []
        # tiles that moves come to or over → (colour, origin, position); apart, those where pieces come out
        self.landings: dict[int | str, list[tuple[str, int | str, Data]]] = {}
        self.entries: set[int | str] = set()
        self.tokens: set[str] = {f"+{die}" for die in range(1, 7)}

    def chains(self) -> Iterator[Chain]:
        """Every chain of the variant: games and set-ups in turn, so that the first plies show some of each."""
        size = SMALL if self.name.startswith(LOOSE) else WHOLE
        games = [Chain(0, n, None, []) for n in range(size["streams"])]
        games += [Chain(0, None, None, []) for _ in range(size["curious"])]
        for number, chain in enumerate(games):
            self._play(chain, self.game.start(number), size["plies"], chain.start is not None)
        setups = [*self._refusals(), *self._setups(size)]
        self.rng.shuffle(setups)
        share = -(-len(setups) // len(games))
        order = [c for n, game in enumerate(games) for c in [game, *setups[n * share : (n + 1) * share]]]
        for number, chain in enumerate(order):
            chain.number = number
            yield chain

    def header(self) -> Data:
        """What the layouts were: information, not compared."""
        game = self.game
        return {
            "variant": self.name, "players": game.players, "actions": game.num_actions,
            "observation": len(game.observation_names), "action_ranges": game.action_ranges(),
        }  # fmt: skip

    # --- plies

    def _play(self, chain: Chain, position: ludus.Position, plies: int, streams: bool) -> None:
        for number in range(plies):
            ply = seen(position)
            self.reached.append(ply["at"])
            for facts in ply.get("moves", {}).values():
                self._note_landing(ply["at"], *facts[:5])
            chain.plies.append(ply)
            if position.to_move is None:
                return
            self._add_seldom(ply, position, number)
            ply["play"] = self._chosen(ply, position, streams)
            if self.rival:
                self._dispute(ply)
            position = position.play(ply["play"])

    def _note_landing(self, at: Data, colour: str, origin: Any, target: Any, dice: list[int], way: list[Any]) -> None:
        for tile in {target, *way[-3:]} - {None, "start", "finish"}:
            self.landings.setdefault(tile, []).append((colour, origin, at))
        self.entries |= {target} if origin == "start" else set()

    def _add_seldom(self, ply: Data, position: ludus.Position, number: int) -> None:
        moves = ply.get("moves", {})
        self.tokens |= {token for text in moves for token in re.findall(r"[+-](?:b?\d+|swap)", text)}
        crowded = len({str(p) for p in ply["at"]["pieces"][ply["turn"]]}) < len(ply["at"]["pieces"][ply["turn"]])
        if moves and (crowded or number % 5 == 0) and len(moves) < 60:
            ply["moved"] = moved(position)
        if number % ASKED_EVERY == 0 or (moves and self.rng.random() < 0.1):
            tries = self._candidates(ply)
            chosen = self.rng.sample(tries, min(TRIES if moves else 2, len(tries)))
            ply["tries"] = plain({text: answer(position, text) for text in chosen if text not in moves})

    def _chosen(self, ply: Data, position: ludus.Position, streams: bool) -> str:
        if position.to_move == "chance":
            if streams:
                return drawn(position, stream(position.seed, 0))
            names = list(ply["outcomes"])
            high = [name for name in names if "6" in name] or names
            return self.rng.choice(high if self.rng.random() < 0.25 else names)
        texts = {text: re.sub(r"\d+|[a-z]+:\d+", "#", facts[7]) for text, facts in ply["moves"].items()}
        self.met.update(set(texts.values()))
        if streams or self.rng.random() < 0.4:
            return self.rng.choice(sorted(texts))
        return min(sorted(texts), key=lambda text: self.met[texts[text]])

    def _dispute(self, ply: Data) -> None:
        """Note where the other kernel sees another thing: there the rule book decides, and no trace."""
        fault = refusal(self.rival, ply["at"])
        if fault:
            ply["disputed"] = {"at": {"refused": fault}}
            return
        position = self.rival.position(ply["at"])
        now, found = seen(position), {}
        for field in ("at", "to_move", "turn", "result", "outcomes", "hints", "moves"):
            if field == "moves" and sorted(ply.get(field, {}).items()) == sorted(now.get(field, {}).items()):
                continue
            if ply.get(field) != now.get(field):
                found[field] = now.get(field)
        tries = {text: answer(position, text) for text in ply.get("tries", {})}
        tries = {text: new for text, new in tries.items() if plain(new) != ply["tries"][text]}
        after = position.play(ply["play"]).to_dict() if ply["play"] in now.get("moves", now.get("outcomes")) else None
        if after != self.game.position(ply["at"]).play(ply["play"]).to_dict():
            found["next"] = after
        found |= {"tries": tries} if tries else {}
        if found:
            ply["disputed"] = plain(found)

    # --- tries

    def _candidates(self, ply: Data) -> list[str]:
        """Notations to try here: all own pieces with all tokens, sets of dice, words, other colours."""
        at, turn = ply["at"], ply["turn"]
        if "moves" not in ply:
            return ["out", "pass", "7", "6,6,6", "0", "1+1", "card:none", "6 ,5", "x" * 50]
        own = sorted({str(place) for place in at["pieces"][turn]})
        dice = [str(die) for die in at.get("dice", []) if isinstance(die, int)]
        sets = ["+" + "+".join(self.rng.sample(dice, n)) for n in range(2, min(len(dice), 5) + 1) for _ in range(3)]
        found = [f"{place}{token}" for place in own for token in [*sorted(self.tokens), *sets, "+6+6", "+5+1"]]
        found += ["pass", "buy", "out", "out(1)", "out(5)", "out(6)", "out+3", "out*2", "out*3", "out*9", "start+6"]
        found += [f"out{s}" for s in sets] + [f"buy({die})" for die in dice[:1]]
        for colour, places in at["pieces"].items():
            prefix = f"{colour}:"
            found += [f"{prefix}{place}+{(dice or ['3'])[0]}" for place in sorted({str(p) for p in places})]
            found += [f"{prefix}out", f"{prefix}pass", f"{own[0]}+swap>{colour}:{places[0]}"]
        found += [f"{move}>end:0" for move in list(ply["moves"])[:2]] + [f"{move}>1" for move in list(ply["moves"])[:2]]
        found += [" ".join(move.split("+")) for move in list(ply["moves"])[:1]]
        return list(dict.fromkeys([*found, "999+1", "hello", "purple:12+1", "end:9+1", "finish+1", "held+6"]))

    # --- set-ups

    def _setups(self, size: dict[str, int]) -> Iterator[Chain]:
        accepted = [data for data in self._drawn(size["drawn"]) if not refusal(self.game, data)]
        accepted += self._mixed(size["mixed"])
        for data in accepted:
            chain = Chain(0, plain(data), None, [])
            self._play(chain, self.game.position(data), size["on"], False)
            yield chain

    def _drawn(self, count: int) -> list[Data]:
        """Set-ups of the properties' strategies, where they know the rule set."""
        if not count or isinstance(self.game, OpenGame):
            return []
        found: list[Data] = []
        strategy: Any = ludo_data(self.game)
        if self.game.rules.turn.first == "roll_off":
            strategy = st.one_of(*[ludo_data(self.game)] * 9, rolloff_data(self.game))

        @seed(1)
        @settings(
            max_examples=count, deadline=None, database=None, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @given(strategy)
        def collect(data: Data) -> None:
            found.append(copy.deepcopy(data))

        collect()
        return found

    def _mixed(self, count: int) -> list[Data]:
        found: list[Data] = []
        for _ in range(count * 50):
            data = self._mixture()
            if not refusal(self.game, data):
                found.append(data)
            if len(found) == count:
                break
        return found

    def _refusals(self) -> list[Chain]:
        """Impossible positions, one or two of each text."""
        told: Counter[str] = Counter()
        found: list[Chain] = []
        for _ in range(1500):
            data = plain(self._mixture(spoilt=True))
            fault = refusal(self.game, data)
            text = re.sub(r"\d+", "#", fault[1]) if fault else ""
            told[text] += 1
            if fault and told[text] < 2 and len(found) < REFUSED:
                found.append(Chain(0, data, plain(fault), []))
        return found

    def _mixture(self, spoilt: bool = False) -> Data:
        """A reached position with a few things taken from others, and sometimes spoilt."""
        rng = self.rng
        data = self._crowded() if rng.random() < 0.5 else copy.deepcopy(rng.choice(self.reached))
        for _ in range(rng.randint(0 if rng.random() < 0.5 else 1, 2)):
            other = rng.choice(self.reached)
            rng.choice([self._take_piece, self._take_piece, self._take_key, self._meet, self._take_dice])(data, other)
        if spoilt:
            rng.choice([self._spoil_key, self._spoil_piece, self._spoil_number])(data)
        return data

    def _crowded(self) -> Data:
        """A position with pieces of any colours put where a move comes to, often an entry tile."""
        rng = self.rng
        known = self.entries & set(self.landings) if rng.random() < 0.4 else set()
        tile = rng.choice(sorted(known or self.landings, key=str))
        colour, origin, at = rng.choice(self.landings[tile])
        data = copy.deepcopy(rng.choice(self.reached) if rng.random() < 0.5 else at)
        for key in ("turn", "dice", "stage"):
            data.pop(key, None)
            data |= {key: copy.deepcopy(at[key])} if key in at else {}
        data["pieces"][colour][rng.randrange(len(data["pieces"][colour]))] = origin
        for _ in range(rng.randint(1, 4)):
            other = data["pieces"][rng.choice(list(data["pieces"]))]
            other[rng.randrange(len(other))] = tile
        return data

    def _take_piece(self, data: Data, other: Data) -> None:
        for colour, places in data["pieces"].items():
            if self.rng.random() < 0.6:
                places[self.rng.randrange(len(places))] = self.rng.choice(other["pieces"][colour])

    def _take_key(self, data: Data, other: Data) -> None:
        key = self.rng.choice([key for key in {**data, **other} if key != "pieces"])
        if key in other:
            data[key] = copy.deepcopy(other[key])
        else:
            data.pop(key)

    def _take_dice(self, data: Data, other: Data) -> None:
        for key in ("dice", "turn"):
            data.pop(key, None)
            data |= {key: copy.deepcopy(other[key])} if key in other else {}

    def _meet(self, data: Data, other: Data) -> None:
        """Put pieces onto others' tiles, one or two."""
        tiles = [p for places in data["pieces"].values() for p in places if isinstance(p, int)]
        for places in data["pieces"].values():
            if tiles and self.rng.random() < 0.6:
                for _ in range(self.rng.randint(1, 2)):
                    places[self.rng.randrange(len(places))] = self.rng.choice(tiles)

    def _spoil_key(self, data: Data) -> None:
        odd = [
            ("dice", [9]), ("dice", [6, 6, 6, 1, 1]), ("dice", "six"), ("captured", ["green"]), ("sixes", {"green": 2}),
            ("sixes", {"yellow": 9}), ("frozen", {"green": [3]}), ("kept", [6]), ("kept", [6, 6]), ("rolls", 2),
            ("rolls", 7), ("rolloff", {"in": ["green"]}), ("unblocked", True), ("places", ["green"]), ("turns", 3),
            ("turn", "pink"), ("colour", 1), ("scores", {"green": 1}), ("skips", {"green": 2}), ("reversed", True),
            ("stage", "decision"), ("stage", "lot"), ("captures", {"green": 3}), ("lost", {"green": 3}),
            ("again", True), ("deck", {}), ("changed", {"green": ["x"]}), ("pieces", []),
        ]  # fmt: skip
        key, value = self.rng.choice(odd)
        data[key] = value

    def _spoil_piece(self, data: Data) -> None:
        places = data["pieces"][self.rng.choice(list(data["pieces"]))]
        odd = [999, -1, "end:9", "end:0", "finish", "held:green", "held:pink", True, None, 1.5, "nowhere", 51, 50, 25]
        places[self.rng.randrange(len(places))] = self.rng.choice(odd)
        if self.rng.random() < 0.1:
            places.append("start")

    def _spoil_number(self, data: Data) -> None:
        numbers = [key for key, value in data.items() if isinstance(value, int | dict) and key != "pieces"]
        if numbers:
            key = self.rng.choice(numbers)
            data[key] = -1 if isinstance(data[key], int) else {"green": 99}


def rival_of(game: ludus.Game) -> ludus.Game | None:
    """The same rules on the other kernel, where that can play them: none for a pool of dice and what only one knows."""
    if isinstance(game, OpenGame) or not isinstance(game, LudoGame) or game.rules.movement.combined_move != "none":
        return None
    return open_game(game)


def main(chosen: list[str]) -> None:
    """Freeze the named variants, or all."""
    total = 0
    for name in chosen or names():
        freezer = Freezer(name)
        chains = list(freezer.chains())
        size = write(name, freezer.header(), chains)
        total += size
        plies = [ply for chain in chains for ply in chain.plies]
        disputed = Counter(field for ply in plies for field in ply.get("disputed", ()))
        refused = sum(bool(chain.refused) for chain in chains)
        print(
            f"{name}: {len(chains)} chains, {len(plies)} plies, {refused} refused, {size // 1000} kB, "
            f"{len(freezer.met)} kinds of moves, disputed {dict(disputed)}", flush=True,
        )  # fmt: skip
    print(f"{total / 1e6:.2f} MB")


if __name__ == "__main__":
    main(sys.argv[1:])
