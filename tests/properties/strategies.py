"""Hypothesis strategies: any valid Ludo position of a rule set, crowded so that pieces meet."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from ludus.games.ludo.board.tiles import on_every_arm
from ludus.games.ludo.document.rules import RuleSet
from ludus.games.ludo.game import LudoGame

Data = dict[str, Any]
NEAR = 7  # tiles around the middle of the crowd

# the same examples every time, but for `make soak`, which looks for new ones
SOAK = bool(os.environ.get("LUDUS_SOAK"))
asking = settings(
    max_examples=2_000 if SOAK else 25,
    deadline=None,
    derandomize=not SOAK,
    suppress_health_check=list(HealthCheck),
)

booleans = st.booleans()


class Crowd:
    """Places pieces one by one and keeps to what a position may be."""

    def __init__(self, game: LudoGame, draw: st.DrawFn) -> None:
        self.game = game
        self.rules: RuleSet = game.rules
        self.draw = draw
        self.length = self.rules.path_length
        self.middle = draw(st.integers(0, self.length - 1))
        self.owners: dict[int, set[int]] = {}
        shares = self.rules.safe.landing == "shares"
        self.shared = on_every_arm(self.rules, self.rules.safe.tiles) if shares else set()
        self.kinds = ["start", "near", "near", "near", "tile", "end"]
        if self.rules.finish.places == "one_tile":
            self.kinds.append("finish")
        if self.rules.capture.captured_to == "held":
            self.kinds.append("held")

    def side(self, seat: int) -> int:
        """The side of a seat: itself or its team."""
        return seat % 2 if self.rules.modes.mode == "teams" else seat

    def takes(self, seat: int, tile: int) -> bool:
        """Whether one more piece of a seat may stand on a tile."""
        distance = (tile - self.game.board.entry(seat)) % self.length
        if distance > self.rules.last_path_distance and not self.rules.capture.before_home:
            return False
        there = self.owners.get(tile, set())
        if not self.rules.movement.share_own:
            return not there
        strangers = there - {self.side(seat)}
        return not strangers or self.rules.block.stops == "none" or tile in self.shared

    def place(self, seat: int, own: list[int | str]) -> int | str:
        """A place for the next piece of a seat."""
        kind = self.draw(st.sampled_from(self.kinds))
        if kind in ("near", "tile"):
            offset = self.draw(st.integers(0, NEAR if kind == "near" else self.length - 1))
            tile = (self.middle + offset) % self.length
            if not self.takes(seat, tile):
                return "start"
            self.owners.setdefault(tile, set()).add(self.side(seat))
            return tile
        if kind == "end":
            name = f"end:{self.draw(st.integers(0, self.rules.board.end_path - 1))}"
            return name if self.rules.movement.share_own or name not in own else "start"
        if kind == "held":
            captors = [p for p in self.game.players if p != self.game.players[seat]]
            return f"held:{self.draw(st.sampled_from(captors))}"
        return kind

    def pieces(self) -> dict[str, list[int | str]]:
        """The places of every colour, with a piece left to bring home."""
        found: dict[str, list[int | str]] = {}
        for seat, colour in enumerate(self.game.players):
            own = found[colour] = []
            for _ in range(self.rules.board.pieces):
                own.append(self.place(seat, own))
            if is_home(own) and not self._may_be_home(seat, found):
                own[0] = "start"
        return found

    def _may_be_home(self, seat: int, found: dict[str, list[int | str]]) -> bool:
        """A colour may be home while its partner is not or, playing on, while two others are not."""
        players = self.game.players
        if self.rules.modes.mode == "teams":
            return seat < 2 or not is_home(found[players[seat - 2]])
        at_home = sum(is_home(places) for places in found.values())
        return self.rules.win.play_on and at_home < len(players) - 1


def is_home(places: list[int | str]) -> bool:
    """Whether all pieces of a colour are at a finish or on an end path (enough to be careful)."""
    return all(place == "finish" or str(place).startswith("end:") for place in places)


@st.composite
def ludo_data(draw: st.DrawFn, game: LudoGame) -> Data:
    """The plain data of a valid position that is not over."""
    crowd = Crowd(game, draw)
    rules, pieces = game.rules, crowd.pieces()
    data: Data = {"pieces": pieces}
    if rules.capture.before_home:
        data["captured"] = [c for c in game.players if _has_turned(pieces[c]) or draw(booleans)]
    waiting = [c for c in game.players if not _is_placed(rules, pieces[c])]
    if rules.win.play_on:
        data["places"] = draw(st.permutations([c for c in game.players if c not in waiting]))
    turn = data["turn"] = draw(st.sampled_from(waiting))
    mover = turn
    if rules.modes.mode == "teams" and is_done(rules, pieces[turn]):
        mover = game.players[(game.players.index(turn) + 2) % 4]
    if draw(st.integers(0, 4)):
        data["dice"] = draw(dice_of(rules))
        _add_counts_with_dice(draw, rules, data, turn, mover)
    else:
        _add_counts_without_dice(draw, rules, data, turn, mover)
    return data


def is_done(rules: RuleSet, places: list[int | str]) -> bool:
    """Whether a colour has brought all its pieces home."""
    if rules.finish.places == "end_path":
        return is_home(places)
    return all(place == "finish" for place in places)


def _is_placed(rules: RuleSet, places: list[int | str]) -> bool:
    return rules.win.play_on and is_done(rules, places)


def _has_turned(places: list[int | str]) -> bool:
    return any(place == "finish" or str(place).startswith("end:") for place in places)


def in_play(places: list[int | str]) -> list[int | str]:
    """The places on path and end path."""
    return [place for place in places if isinstance(place, int) or place.startswith("end:")]


def dice_of(rules: RuleSet) -> st.SearchStrategy[list[int]]:
    """Dice that can be left: one; one or two; or sixes and at most two others (F5, F6)."""
    faces = st.integers(1, 6)
    if rules.chance.dice == 1:
        return st.lists(faces, min_size=1, max_size=1)
    if rules.chance.pool == "one_roll":
        return st.lists(faces, min_size=1, max_size=2)
    sixes = st.integers(0, 5).map(lambda n: [6] * n)
    others = st.lists(st.integers(1, 5), max_size=2)
    return st.tuples(sixes, others).map(lambda both: both[0] + both[1]).filter(bool)


def _add_counts_with_dice(draw: st.DrawFn, rules: RuleSet, data: Data, turn: str, mover: str) -> None:
    dice, playing = data["dice"], in_play(data["pieces"][mover])
    if rules.turn.sixes_limit and dice == [6]:
        data["sixes"] = {turn: draw(st.integers(1, rules.turn.sixes_limit - 1))}
    if rules.turn.attempts > 1 and not playing and dice[0] not in rules.start.leave_on:
        data["rolls"] = draw(st.integers(1, rules.turn.attempts))
    if rules.capture.freezes and playing:
        chosen = draw(st.lists(booleans, min_size=len(playing), max_size=len(playing)))
        data["frozen"] = {mover: [place for place, holds in zip(playing, chosen, strict=True) if holds]}
    if rules.block.unblock_duty and draw(booleans):
        data["unblocked"] = True


def _add_counts_without_dice(draw: st.DrawFn, rules: RuleSet, data: Data, turn: str, mover: str) -> None:
    if rules.turn.sixes_limit:
        data["sixes"] = {turn: draw(st.integers(0, rules.turn.sixes_limit - 1))}
    if rules.turn.attempts > 1 and not in_play(data["pieces"][mover]):
        data["rolls"] = draw(st.integers(0, rules.turn.attempts - 1))
    if rules.chance.pool == "double_six":
        data["kept"] = [6] * (2 * draw(st.integers(0, 2)))


@st.composite
def rolloff_data(draw: st.DrawFn, game: LudoGame) -> Data:
    """The plain data of a roll-off under way."""
    still_in = draw(st.lists(st.sampled_from(game.players), min_size=2, unique=True))
    still_in.sort(key=game.players.index)
    dice = game.rules.chance.dice
    count = draw(st.integers(0, len(still_in) - 1))
    sums = draw(st.lists(st.integers(dice, 6 * dice), min_size=count, max_size=count))
    rolled = dict(zip(still_in, sums, strict=False))
    pieces = {colour: ["start"] * game.rules.board.pieces for colour in game.players}
    return {"pieces": pieces, "turn": still_in[count], "rolloff": {"in": still_in, "rolled": rolled}}
