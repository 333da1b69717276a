"""Evidence that a game gives by being played: where a lone piece gets, a capture in a position, games that end.

Everything here asks the game itself, through positions and moves; nothing is read off the document.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ludus.core.errors import InvalidPosition
from ludus.core.game import Game
from ludus.core.messages import Message
from ludus.core.position import Move, Position
from ludus.core.seeds import fold_seed
from ludus.games.ludo.board.graphs import discover

MOST_PLACES = 2_000  # places a lone piece is followed to
MOST_PLIES = 20_000  # plies of one random game
MOST_SEARCHED = 4_000  # plies of random games searched for a capture
GAMES = 4  # random games that must end
MOST_TRIES = 2_000  # set-up positions tried for a capture

Place = int | str


@dataclass(frozen=True)
class Step:
    """A lone piece's move: from where, with which roll, by which move, to where."""

    origin: Place
    roll: str
    move: str
    target: Place


@dataclass(frozen=True)
class MoveInWords(Message):
    """A move that tells what it does in whatever language it is asked in."""

    move: Any = None

    def text(self, lang: str = "en") -> str:
        """What the move does."""
        return str(self.move.describe(lang))


@dataclass(frozen=True)
class CaptureProof:
    """A position, the roll in it (none where cards are held), and a move that captures."""

    position: dict[str, Any]
    roll: str
    move: str
    captures: tuple[tuple[str, Place], ...]
    described: MoveInWords

    def to_dict(self) -> dict[str, Any]:
        """The proof as plain data: game.position(position).play(roll).play(move) captures."""
        captured = [{"colour": colour, "tile": tile} for colour, tile in self.captures]
        return {"position": self.position, "roll": self.roll, "move": self.move, "captures": captured}


def set_up(game: Game, turn: str, **places: Place) -> dict[str, Any]:
    """Plain data: at most one piece of each colour named, every other piece on its start."""
    count = game.rules.board.pieces
    pieces = {
        colour: [*([places[colour]] if colour in places else []), *["start"] * (count - (colour in places))]
        for colour in game.players
    }
    return {"pieces": pieces, "turn": turn}


def flagged(data: dict[str, Any], game: Game) -> dict[str, Any]:
    """The same position after everybody has captured once, where the rules count that (Z10)."""
    return data | ({"captured": list(game.players)} if game.rules.asks_for_capture else {})


def decisions(position: Position) -> Iterator[tuple[str, Position]]:
    """(roll, position) of every roll that leaves something to decide; where none does, saved ones with one more."""
    rolled = {roll: position.play(roll) for roll in position.outcomes()}
    found = [(roll, after) for roll, after in rolled.items() if is_decision(after)]
    if any(after.moves() != () and str(after.moves()[0]) != "pass" for _, after in found):
        yield from found
        return
    for roll, after in rolled.items():
        if after.to_move == "chance" and "kept" in after.to_dict():
            yield from ((roll, last) for last in map(after.play, after.outcomes()) if is_decision(last))


def at_decisions(game: Game, data: dict[str, Any]) -> Iterator[tuple[str, Position]]:
    """(roll, position) of a set-up position after every roll; where cards are held, with each card in hand."""
    if not holds_cards(game):
        yield from decisions(game.position(data))
        return
    for card in game.rules.chance.cards:
        held = game.position(data | {"hands": {data["turn"]: [card.name]}})
        if is_decision(held):
            yield f"card:{card.name}", held


def holds_cards(game: Game) -> bool:
    """Whether cards are dealt to hands: then what can be played is no roll."""
    return str(game.rules.chance.hold).startswith("hand")


def is_decision(position: Position) -> bool:
    """Whether somebody decides."""
    return position.to_move not in ("chance", None)


def steps_from(game: Game, colour: str, place: Place) -> Iterator[Step]:
    """Where a lone piece of a colour gets in one move, from one place."""
    data = flagged(set_up(game, colour, **({} if place == "start" else {colour: place})), game)
    try:
        found = list(at_decisions(game, data))
    except InvalidPosition:
        return
    for roll, rolled in found:
        before = places_of(rolled, colour)
        for move in rolled.moves():
            for target in places_of(rolled.play(move), colour) - before:
                yield Step(place, roll, str(move), target)


def places_of(position: Position, colour: str) -> set[Place]:
    """Where a colour's pieces stand."""
    return set(position.to_dict()["pieces"][colour])


def explore(game: Game, colour: str, deep: bool = False) -> Iterator[Step]:
    """A step to every place that a lone piece of a colour can get to: near ones first, or straight on (`deep`)."""
    first: Place = "start"
    return discover(first, lambda place: steps_from(game, colour, place), lambda step: step.target, MOST_PLACES, deep)


def way_home(game: Game, colour: str) -> list[str] | None:
    """The rolls and moves that bring a lone piece of a colour home: '6 out', '4 0+4' …; None where there are none."""
    arrived: dict[Place, Step] = {}
    for step in explore(game, colour, deep=True):
        arrived[step.target] = step
        if is_home(game, step.target):
            return way_to(arrived, step.target)
    return None


def is_home(game: Game, place: Place) -> bool:
    """Whether a place is one of a finish: `finish`, or an end-path tile where these are the places."""
    return place == "finish" or (game.rules.finish.places == "end_path" and str(place).startswith("end:"))


def way_to(arrived: dict[Place, Step], place: Place) -> list[str]:
    """The rolls and moves that lead from the start to a place."""
    way: list[str] = []
    while place in arrived:
        step = arrived[place]
        way.append(f"{step.roll} {step.move}")
        place = step.origin
    return way[::-1]


def capture_by_setup(game: Game) -> CaptureProof | None:
    """A capture in a position with two pieces on the board: an enemy where a lone piece can get to."""
    tries = 0
    for mover in game.players:
        for step in explore(game, mover):
            for enemy in (colour for colour in game.players if colour != mover):
                proof = captures_at(game, mover, enemy, step)
                tries += 1
                if proof is not None or tries > MOST_TRIES:
                    return proof
    return None


def captures_at(game: Game, mover: str, enemy: str, step: Step) -> CaptureProof | None:
    """The step again, with an enemy on its target: whether it captures."""
    pieces = {enemy: step.target} | ({} if step.origin == "start" else {mover: step.origin})
    data = set_up(game, mover, **pieces)
    try:
        position = dict(at_decisions(game, data)).get(step.roll) if holds_cards(game) else game.position(data)
    except InvalidPosition:
        return None
    roll = "" if holds_cards(game) else step.roll
    if position is None or (roll and roll not in position.outcomes()):
        return None
    rolled = position.play(roll) if roll else position
    for move in rolled.moves():
        if takes(move, enemy):
            return shown(position, roll, move)
    return None


def takes(move: Move, enemy: str) -> bool:
    """Whether a move captures a piece of a colour."""
    return any(taken.colour == enemy for taken in move.captures)


def shown(position: Position, roll: str, move: Move) -> CaptureProof:
    """The proof for people and programs."""
    captures = tuple((taken.colour, taken.tile) for taken in move.captures)
    return CaptureProof(position.to_dict(), roll, str(move), captures, MoveInWords("", "", move=move))


def capture_by_play(game: Game, plies: int = MOST_SEARCHED) -> CaptureProof | None:
    """A capture found in random games, one after the other."""
    before, position, seed = None, game.start(), 0
    for _ in range(plies):
        if position.to_move is None:
            seed += 1
            before, position = None, game.start(seed=seed)
        elif position.to_move == "chance":
            before, position = position, position.roll()
        else:
            moves = position.moves()
            taking = next((move for move in moves if move.captures), None)
            if taking is not None and before is not None:
                return shown(before, roll_between(before, position), taking)
            before, position = None, position.play(moves[position.ply * 7919 % len(moves)])
    return None


def roll_between(before: Position, after: Position) -> str:
    """The outcome that led from one position to the next."""
    return next((roll for roll in before.outcomes() if before.play(roll) == after), "")


def find_capture(game: Game) -> CaptureProof | None:
    """A capture: set up if that is possible, else met in play (L33)."""
    return capture_by_setup(game) or capture_by_play(game)


@dataclass(frozen=True)
class Endings:
    """Random games played to their end: how many of how many, and the plies of the longest."""

    games: int
    ended: int
    longest: int

    def to_dict(self) -> dict[str, int]:
        """The count as plain data."""
        return {"games": self.games, "ended": self.ended, "longest_in_plies": self.longest, "bound": MOST_PLIES}


def play_to_the_end(game: Game, games: int = GAMES, bound: int = MOST_PLIES) -> Endings:
    """Random games, each followed for at most `bound` plies (L20), on the interpreted kernel: nobody waits."""
    if game.rules.plugins:
        played = game.playouts(games, seed=1, max_plies=bound)
        return Endings(games, int(played.finished.sum()), int(played.plies.max()))
    engine = game.interpreted().engine
    columns = game.playouts_class.columns()
    out = [0] * (games * columns)
    start = list(game.start_row())
    engine.kernel.playouts(start, start.copy(), engine.tables, engine.scratch, fold_seed(1), 0, games, bound, out)
    plies, finished = (out[at::columns] for at in (columns - 2, columns - 1))
    return Endings(games, sum(map(bool, finished)), max(plies))
