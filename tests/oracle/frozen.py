"""What Ludo did on the day its traces were frozen, ply by ply, and how today's code differs from it.

Two kernels, a quick and a general one, played Ludo that day (commit 56a8686); the traces hold what whichever played a
variant did, and, as `disputed`, where the other one did something else. One kernel took the place of both; what it does
otherwise by intent is named in frozen_differences.py, everything else is a fault.

A trace is `traces/<variant>.jsonl.xz`: a header, then chains of plies. A chain begins at the start of a game or at a
set-up position; a ply holds everything that people can see of a position whatever the code behind it looks like, and
what was played there. After a difference the next ply begins at the frozen position again, so that one fault is told
once.

    PYTHONPATH=src:tests .venv/bin/python tests/oracle/frozen.py [variant ...] [--plies N] [--first-difference]
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from loose_documents import FEATURES, document
from variants import VARIANTS, make

import ludus
from oracle import frozen_differences as differ

FOLDER = Path(__file__).parent / "traces"
Data = dict[str, Any]

# rule sets that only the traces are kept of: odd companies of options that no whole-game test plays
ALSO: dict[str, tuple[str, Data]] = {
    "star-teams": ("star", {"mode": "teams"}),
    "star-ranks-of-six": ("star", {"seats": 6, "play_on": True, "finish": "bounce_from_square"}),
    "maedn-teams": ("maedn", {"mode": "teams"}),
    "strict-dice-teams": ("strict", {"dice": 2, "mode": "teams"}),
    "strict-play-on": ("strict", {"play_on": True, "block": "opponents"}),
    "french-teams": ("french", {"mode": "teams"}),
    "french-plain": ("french", {"exit_block": "closed", "go_on": "never", "freezes": False, "unblock_duty": False}),
    "french-to-start": ("french", {"exit_block": "closed", "captured_to": "start", "forced_combination": False}),
    "pettingzoo-turn-limit": ("pettingzoo", {"turn_limit": 500}),
    "pettingzoo-bounce-attempts": ("pettingzoo", {"finish": "bounce", "attempts": 3, "captured_to": "start"}),
}
LOOSE = "loose-"  # before the name of a small document of one feature

# what a move shows besides its notation; `moved` is what each of its action ids moves
MOVE_FIELDS = ("colour", "origin", "target", "dice", "path", "captures", "finishes", "en", "fr")
SIDED = "disputed, as the other kernel"  # the two kernels of that day disagreed, and no difference of ours is named
SEED = "roll of the seed"


# rule sets that have grown since, as they were that day
THEN: dict[str, dict[str, Any]] = {
    **{name: {"meeting": []} for name in ("yut", "petits-chevaux")},
    "parchis": {"on": [], "duties": [], "compulsory": True, "tokens": {}, "six_without_move": "ends_turn"},
    "fia": {"meeting": [], "tokens": {}, "leave_on": [1, 6]},
    "uckers": {"meeting": [], "block.stops": "opponents", "block.on_safe": True},
}


# rule sets that are others now: pieces of pachisi go down the middle of their own arm first
REPLACED: dict[str, dict[str, Any]] = {
    "pachisi": {
        "name": "pachisi",
        "board": {"path": 68, "end_path": 7, "skipped": 0},
        "chance": {"device": "cowries", "dice": 6, "throws": [25, 10, 2, 3, 4, 5, 6]},
        "start": {"leave_on": [6, 10, 25]},
        "safe": {"tiles": [3, 12, 16]},
        "finish": {"rule": "exact"},
        "turn": {"first": "roll_off", "direction": "clockwise", "again_values": [6, 10, 25], "may_pass": True},
        "win": {"turn_limit": 800},
        "modes": {"mode": "teams"},
    },
}


FROZEN = 100  # traces that the two old kernels left; what came later has none


def names() -> list[str]:
    """Every rule set with a trace."""
    listed = [name for name in VARIANTS if not name.startswith("generals")]
    every = [*listed, *ALSO, *(LOOSE + feature for feature in FEATURES)]
    return [name for name in every if path(name).exists()]


def game_of(name: str) -> ludus.Game:
    """The game of a trace."""
    if name in REPLACED:
        return ludus.make(REPLACED[name])
    if name in THEN:
        return ludus.make(name, **THEN[name])
    if name in VARIANTS:
        return make(name)
    if name in ALSO:
        rules, options = ALSO[name]
        return ludus.make(rules, **options)
    return ludus.make(document(name.removeprefix(LOOSE)))


# --- what is seen of a position -------------------------------------------------------------------------------------


def plain(value: Any) -> Any:
    """The value as JSON brings it back."""
    return json.loads(json.dumps(value))


def seen(position: ludus.Position) -> Data:
    """Everything of a position but masks and refusals."""
    found: Data = {"at": position.to_dict(), "to_move": position.to_move, "turn": position.turn}
    if position.result is not None:
        found["result"] = position.result
    if position.to_move == "chance":
        found["outcomes"] = {name: round(chance, 12) for name, chance in position.outcomes().items()}
    moves = {str(move): _facts(move) for move in position.moves()}
    if moves:
        found["moves"] = moves
    # how many points everybody has is told since; the old kernels told it nowhere
    hints = [[one for one in position.hints(lang) if not one.startswith("points")] for lang in ("en", "fr")]
    if any(hints):
        found["hints"] = hints
    return plain(found)


def _facts(move: ludus.Move) -> list[Any]:
    captures = [list(taken) for taken in move.captures]
    facts = [move.colour, move.origin, move.target, list(move.dice), list(move.path), captures, move.finishes]
    return [*facts, move.describe("en"), move.describe("fr")]


def moved(position: ludus.Position) -> dict[str, list[list[str]]]:
    """By notation: for each action id that the mask allows, the pieces ('green 2') that it moves of its colour."""
    before, found = position.to_dict()["pieces"], {}
    for action in position.mask().nonzero()[0].tolist():
        move = position.move(action)
        after = position.after(action).to_dict()["pieces"]
        own = [f"{move.colour} {n}" for n, place in enumerate(before[move.colour]) if after[move.colour][n] != place]
        found.setdefault(str(move), []).append(own)
    return {text: sorted(pieces) for text, pieces in found.items()}


def answer(position: ludus.Position, text: str) -> list[Any]:
    """What a try at a move or a roll is answered by: [its own notation], or [code, rule, English text]."""
    try:
        if position.to_move not in (None, "chance"):
            return [str(position.move(position.action(text)))]
        position.play(text)
    except ludus.IllegalMove as error:
        return [error.code, error.rule, error.reason]
    return [text]


def refusal(game: ludus.Game, data: Data) -> list[Any] | None:
    """Why set-up data is no position, [rule, English text], or None where it is one."""
    try:
        game.position(data)
    except ludus.InvalidPosition as error:
        return [error.rule, error.reason]
    return None


# --- files ----------------------------------------------------------------------------------------------------------


@dataclass
class Chain:
    """Plies that follow each other: `start` is a seed, the data of a set-up position, or None for a game's start."""

    number: int
    start: int | Data | None
    refused: list[Any] | None
    plies: list[Data]


def path(name: str) -> Path:
    """Where a trace is kept."""
    return FOLDER / f"{name}.jsonl.xz"


def write(name: str, header: Data, chains: Iterable[Chain]) -> int:
    """Write a trace, one line a ply; returns its size in bytes."""
    lines = [header]
    for chain in chains:
        fault = {"refused": chain.refused} if chain.refused else {}
        lines.append({"chain": chain.number, "start": chain.start, **fault})
        lines += chain.plies
    text = "".join(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n" for line in lines)
    FOLDER.mkdir(exist_ok=True)
    path(name).write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
    return path(name).stat().st_size


def header(name: str) -> Data:
    """What is said of a trace's rule set."""
    with lzma.open(path(name), "rt", encoding="utf-8") as lines:
        return json.loads(next(lines))


def chains(name: str) -> Iterator[Chain]:
    """The chains of a trace, read as they are asked for."""
    chain: Chain | None = None
    with lzma.open(path(name), "rt", encoding="utf-8") as lines:
        for line in islice(lines, 1, None):
            data = json.loads(line)
            if "chain" not in data:
                chain.plies.append(data)
                continue
            if chain is not None:
                yield chain
            chain = Chain(data["chain"], data["start"], data.get("refused"), [])
    if chain is not None:
        yield chain


# --- comparing ------------------------------------------------------------------------------------------------------


class Difference(NamedTuple):
    """Something that is not as it was."""

    variant: str
    chain: int
    ply: int
    field: str
    where: str  # the move, key or try it is about
    old: Any
    new: Any
    at: Any  # the frozen position

    def __str__(self) -> str:
        about = f" [{self.where}]" if self.where else ""
        return (
            f"{self.variant} chain {self.chain} ply {self.ply}: {self.field}{about}\n"
            f"    old {_short(self.old)}\n    new {_short(self.new)}\n    at  {json.dumps(self.at)}"
        )


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 400 else text[:400] + " …"


def compare(name: str, plies: int | None = None, per_chain: int | None = None) -> Iterator[Difference | int]:
    """The differences of a variant as they are found, and after each ply a 1, for who counts them."""
    game, left = game_of(name), plies
    for chain in chains(name):
        for found in compare_chain(name, game, chain, per_chain):
            yield from found
            yield 1
            left = None if left is None else left - 1
            if left == 0:
                return


def compare_chain(name: str, game: ludus.Game, chain: Chain, most: int | None = None) -> Iterator[list[Difference]]:
    """The differences of each ply of a chain."""
    if isinstance(chain.start, dict) or chain.refused:
        now = refusal(game, chain.start)
        field = _set_up_field(name, chain.refused, now)
        if now or chain.refused:
            told = Difference(name, chain.number, 0, field, "", chain.refused, now, chain.start)
            yield [told] if now != chain.refused else []
            return
        position = game.position(chain.start)
    else:
        position = game.start(chain.start or 0)
    streams = isinstance(chain.start, int) and name not in differ.OTHER_ROLLS
    plies, elsewhere = chain.plies[:most], None
    for number, ply in enumerate(plies):
        place = (name, chain.number, number)
        if elsewhere is not None and position.to_dict() == elsewhere:
            last = plies[number - 1]
            yield [Difference(*place, SIDED, last["play"], ply["at"], elsewhere, last["at"])]
            position, streams = game.position(ply["at"]), False
        else:
            found = list(differences(game, position, ply, streams))
            if name in differ.GOAL_LANES and _tries_again_beside_its_goal(position):
                found = [
                    (differ.MENDED, *rest) if field in ("at", "turn") else (field, *rest) for field, *rest in found
                ]
            yield [Difference(*place, *_mended(name, *parts), ply["at"]) for parts in found]
        elsewhere = ply.get("disputed", {}).get("next")
        if "play" in ply and number + 1 < len(plies):
            position, streams = _next(game, position, ply, plies[number + 1], streams)


def differences(
    game: ludus.Game, position: ludus.Position, ply: Data, streams: bool
) -> Iterator[tuple[str, str, Any, Any]]:
    """(field, what of it, old, new) for each difference at a ply."""
    try:
        now = seen(position)
    except Exception as error:  # whatever it is, it is a difference, and the next ply is looked at
        yield "crash", "", "no error", repr(error)
        return
    for field in ("at", "to_move", "turn", "result", "outcomes", "hints"):
        if ply.get(field) != now.get(field):
            yield from _in_parts(field, ply.get(field), now.get(field))
    if now["at"] != ply["at"]:
        return  # another position: what follows from it is no news
    if game.position(now["at"]) != position:
        yield "plain data that comes back", "", "the same position", game.position(now["at"]).to_dict()
    yield from _moves(ply.get("moves", {}), now.get("moves", {}))
    if "moved" in ply:
        yield from _mask(ply, moved(position))
    for text, old in ply.get("tries", {}).items():
        new = answer(position, text)
        if new != old:
            yield differ.of_refused_try(text, old, new), text, old, new
    if streams and now["to_move"] == "chance" and position.roll() != position.play(ply["play"]):
        yield SEED, "", ply["play"], position.roll().to_dict()


def _tries_again_beside_its_goal(position: ludus.Position) -> bool:
    """Whether whoever has the turn tries again to get out, with pieces in the goal lane alone: in play no more."""
    data = position.to_dict()
    own = data["pieces"][data["turn"]]
    return "rolls" in data and not any(isinstance(place, int) for place in own) and any("end:" in str(p) for p in own)


def _mended(name: str, field: str, where: str, old: Any, new: Any) -> tuple[str, str, Any, Any]:
    if differ.is_told_bounce(name, field, old, new):
        return differ.BOUNCE, where, old, new
    if differ.is_told_in_sentences(field, old, new):
        return differ.SENTENCES, where, old, new
    if field in (differ.ORDER, differ.YARD) and name not in differ.OTHER_ORDER:
        return f"{field}, as it was", where, old, new
    return (differ.MENDED if (name, field, where) in differ.GUESSED else field), where, old, new


def _set_up_field(name: str, old: list[Any] | None, new: list[Any] | None) -> str:
    """What differs where set-up data is refused, or was: [rule, text] then and now."""
    if old and new:
        # with several faults, which is named first is no matter, but for the rule that it cites
        lost_its_rule = old[0] is not None and new[0] is None
        return "rule of a refusal" if lost_its_rule else differ.of_refused_set_up(old[1], new[1])
    if new and differ.LET_PASS.fullmatch(new[1]) and played_by_general_kernel(name):
        return differ.STRICTER
    return differ.KNOWN_KEY if old and old[1] == "unknown key 'again'" else "accepted position"


def played_by_general_kernel(name: str) -> bool:
    """Whether the general kernel played a rule set that day: it numbered actions by token and way."""
    return "way:" in header(name)["action_ranges"][0][1]


def _moves(old: Data, new: Data) -> Iterator[tuple[str, str, Any, Any]]:
    if set(old) != set(new):
        less, more = ([text for text in one if text not in two] for one, two in ((old, new), (new, old)))
        yield "moves", "", less or "none more", more or "none more"
    elif list(old) != list(new):
        yield differ.ORDER, "", list(old), list(new)
    for text in old:
        for n, field in enumerate(MOVE_FIELDS):
            before, after = old[text][n], new.get(text, old[text])[n]
            if before != after:
                yield field, text, before, after


def _mask(ply: Data, new: Data) -> Iterator[tuple[str, str, Any, Any]]:
    off_the_board = ("start", "held")
    for _, text, before, after in _in_parts("mask", ply["moved"], new):
        comes_out = str(ply["moves"].get(text, [0, ""])[1]).startswith(off_the_board)
        yield (differ.YARD if comes_out and before and after and before[0] in after else "mask"), text, before, after


def _in_parts(field: str, old: Any, new: Any) -> Iterator[tuple[str, str, Any, Any]]:
    """Mappings key by key, other values as a whole."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        yield field, "", old, new
        return
    for key in dict.fromkeys([*old, *new]):
        if old.get(key) != new.get(key):
            yield field, key, old.get(key), new.get(key)


def _next(
    game: ludus.Game, position: ludus.Position, ply: Data, following: Data, streams: bool
) -> tuple[ludus.Position, bool]:
    """The next position, from the frozen one where today's differs; then its rolls are no longer the seed's."""
    try:
        if position.to_dict() != ply["at"]:
            position, streams = game.position(ply["at"]), False
        return position.play(ply["play"]), streams
    except ludus.LudusError:
        return game.position(following["at"]), False


# --- the command ----------------------------------------------------------------------------------------------------


def report(name: str, plies: int | None, shown: int) -> Counter[str]:
    """Print a variant's first differences of each field and its summary line; returns the count by field."""
    counts: Counter[str] = Counter()
    begun, seen_plies = time.process_time(), 0
    for found in compare(name, plies):
        if isinstance(found, int):
            seen_plies += 1
            continue
        counts[found.field] += 1
        if counts[found.field] <= shown:
            print(found)
    told = ", ".join(f"{field} {count}" for field, count in counts.items()) or "alike"
    print(f"{name}: {seen_plies} plies, {told} ({time.process_time() - begun:.1f} s)", flush=True)
    return counts


def main(arguments: list[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Compare today's Ludo with the frozen traces.")
    parser.add_argument("variants", nargs="*", help="all of them if none is named; a name may end with *")
    parser.add_argument("--plies", type=int, help="of each variant")
    parser.add_argument("--first-difference", action="store_true", help="stop at the first that is not harmless")
    parser.add_argument("--shown", type=int, default=1, help="differences printed of each field and variant")
    parser.add_argument("--list", action="store_true", help="name the variants")
    chosen = parser.parse_args(arguments)
    wanted = [n for n in names() if not chosen.variants or any(Path(n).match(v) for v in chosen.variants)]
    if chosen.list or not wanted:
        print("\n".join(names()))
        return 2 if not wanted else 0
    if chosen.first_difference:
        return _first(wanted, chosen.plies)
    total: Counter[str] = Counter()
    for name in wanted:
        total += report(name, chosen.plies, chosen.shown)
    print("in all:", ", ".join(f"{field} {count}" for field, count in total.most_common()) or "alike")
    return int(bool(set(total) - differ.HARMLESS))


def _first(wanted: list[str], plies: int | None) -> int:
    for name in wanted:
        for found in compare(name, plies):
            if isinstance(found, Difference) and found.field not in differ.HARMLESS:
                print(found)
                return 1
    print("alike")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
