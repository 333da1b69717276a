"""The conformance kit: the laws that every game keeps, asked of every position that random play meets.

`check_game(game)` is all a new game has to call. A law is a small function that calls `need`; the first one
broken is a ConformanceError that names law, game and position, as plain data, so that it can be set up again.
"""

from __future__ import annotations

import copy
import json
import math
import pickle
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from ludus.core.errors import IllegalMove, InvalidPosition, LudusError
from ludus.core.game import Game
from ludus.core.playouts import Playouts
from ludus.core.position import Move, Position
from ludus.core.random import below, stream
from ludus.core.registry import from_document
from ludus.core.seeds import fold_seed
from ludus.core.watching import ConformanceError, guarded, need

SELDOM = 997  # laws that are slow, or hardly depend on the position, are asked at two of so many
REFUSALS = 4  # illegal actions that are tried at every position
NOT_MOVES: tuple[Any, ...] = ("", "nonsense", "12+", "\x00", None, 3, ["pass"])
NOT_ACTIONS: tuple[Any, ...] = (True, 1.5, "0", None)
NOT_SEEDS: tuple[Any, ...] = (1.5, True, "7", None)
NOT_POSITIONS: tuple[Any, ...] = ({}, [], None, "start", {"nonsense": 1})
FACTS = ("colour", "origin", "target", "dice", "path", "captures", "finishes")


def check_game(game: Game, *, plies: int = 2_000, seed: int = 0, specialised: bool = True) -> None:
    """Hold a game against every law over `plies` plies of random play, compiled for it or for all games."""
    fast, slow = twins(game, specialised)
    for game_law in GAME_LAWS:
        _ask(game_law, fast, slow, seed)
    rng = random.Random(seed)
    for number, pos in enumerate(random_positions(fast, plies, seed)):
        before = _snapshot(pos)
        for law in POSITION_LAWS + (SELDOM_LAWS if number % SELDOM < 2 else ()):
            _ask(law, pos, slow, rng)
        if _snapshot(pos) != before:
            raise ConformanceError(f"{_where(pos)}: nothing changes a position: it was {before[1]}")


def check_twins(game: Game, *, plies: int = 10_000, seed: int = 0) -> None:
    """Hold the kernel compiled for a game against the interpreted one and the one for all games, ply by ply."""
    fast, slow = twins(game)
    general, _ = twins(game, specialised=False)
    rng = random.Random(seed)
    for other in (general, slow):
        _ask(the_forms_play_alike, fast, other, seed)
    for pos in random_positions(fast, plies, seed):
        for other in (general, slow):
            _ask(the_twins_agree, pos, other, rng)
            _ask(the_twins_see_alike, pos, other, rng)


def twins(game: Game, specialised: bool = True) -> tuple[Game, Game]:
    """The game compiled, for itself or for all games, and the same interpreted."""
    fast = copy.copy(game).compile(specialised)
    return fast, fast.interpreted()


def random_positions(game: Game, plies: int, seed: int) -> Iterator[Position]:
    """`plies` positions of random games, one after the other, their last positions included."""
    rng = random.Random(f"{game.name} {seed}")
    number = 0
    pos = game.start(seed)
    for _ in range(plies):
        yield pos
        if pos.to_move is None:
            number += 1
            pos = game.start(seed + number)
        else:
            pos = pos.roll() if pos.to_move == "chance" else pos.play(rng.choice(pos.moves()))


def _ask(law: Callable[..., None], subject: Game | Position, *more: Any) -> None:
    try:
        law(subject, *more)
    except ConformanceError as broken:
        raise ConformanceError(f"{_where(subject)}: {_name(law)}: {broken}") from None
    except Exception as error:
        raise ConformanceError(f"{_where(subject)}: {_name(law)}: {type(error).__name__}: {error}") from error


def _name(law: Callable[..., None]) -> str:
    return law.__name__.replace("_", " ")


def _where(subject: Game | Position) -> str:
    if isinstance(subject, Game):
        return f"{subject.name} with {subject.num_players} players"
    return f"{_where(subject.game)}, seed {subject.seed}, ply {subject.ply}, {subject.to_dict()}"


def _snapshot(pos: Position) -> tuple[list[int], dict[str, Any], int, list[str]]:
    return _numbers(pos), pos.to_dict(), hash(pos), [str(move) for move in pos.moves()]


def _numbers(pos: Position) -> list[int]:
    return [int(value) for value in pos.row]


def refusal(question: Callable[[], object], what: str) -> IllegalMove:
    """The IllegalMove that a question must raise, with words that people can read."""
    try:
        question()
    except IllegalMove as error:
        need(isinstance(error.code, str) and error.code != "", f"{what} is refused without a code")
        for words in (error.reason, error.explain("en"), error.explain("fr")):
            need(words != "" and "{" not in words, f"{what} is refused with the words {words!r}")
        return error
    raise ConformanceError(f"{what} is not refused")


# ---------------------------------------------------------------- every position


def somebody_acts_until_the_end(pos: Position, slow: Game, rng: random.Random) -> None:
    """`to_move` is the player in turn, chance, or nobody: then and only then there is a result."""
    need(pos.turn in pos.game.players, f"turn is {pos.turn!r}")
    need(pos.to_move in (pos.turn, "chance", None), f"to_move is {pos.to_move!r} in {pos.turn}'s turn")
    need((pos.result is None) == (pos.to_move is not None), f"to_move {pos.to_move!r}, result {pos.result}")


def results_name_every_player(pos: Position, slow: Game, rng: random.Random) -> None:
    """At the end every player has a finite reward, and nothing can be played."""
    if pos.result is None:
        return
    need(tuple(pos.result) == pos.game.players, f"result {pos.result} of {pos.game.players}")
    rewards = pos.result.values()
    need(all(isinstance(r, float) and math.isfinite(r) for r in rewards), f"rewards {pos.result}")
    refusal(lambda: pos.play("pass"), "a move after the end")


def chance_has_outcomes(pos: Position, slow: Game, rng: random.Random) -> None:
    """At chance the outcomes sum to 1, each can be played, and a roll is one of them."""
    chances = pos.outcomes()
    if pos.to_move != "chance":
        need(chances == {}, f"outcomes {chances} where no roll is due")
        refusal(pos.roll, "a roll that is not due")
        return
    need(len(chances) > 0 and all(p > 0 for p in chances.values()), f"outcomes {chances}")
    need(math.isclose(sum(chances.values()), 1.0), f"outcomes sum to {sum(chances.values())}")
    after = [pos.play(outcome) for outcome in chances]
    need(pos.roll() in after, "the roll is none of the outcomes")
    refusal(lambda: pos.play("no such outcome"), "an unknown outcome")


def rolls_come_again(pos: Position, slow: Game, rng: random.Random) -> None:
    """The position's own stream, and a source that is handed in, give the same roll twice."""
    if pos.to_move == "chance":
        need(_numbers(pos.roll()) == _numbers(pos.roll()), "the position's own stream rolls differently")
        number = rng.randrange(1 << 30)
        first, second = (pos.roll(random.Random(number)) for _ in range(2))
        need(_numbers(first) == _numbers(second), "random.Random with one seed rolls differently")


def decisions_have_moves(pos: Position, slow: Game, rng: random.Random) -> None:
    """Where a player decides there are moves, different in notation; elsewhere there are none."""
    names = [str(move) for move in pos.moves()]
    need((len(names) > 0) == (pos.to_move == pos.turn), f"moves {names} where {pos.to_move} acts")
    need(len(set(names)) == len(names), f"moves {names} have one notation twice")


def the_mask_is_the_legal_set(pos: Position, slow: Game, rng: random.Random) -> None:
    """Masked actions are the moves, a move's own action is its lowest, and every other action is refused."""
    mask = pos.mask()
    need(str(mask.dtype) == "bool" and mask.shape == (pos.game.num_actions,), f"mask: {mask.dtype}{mask.shape}")
    masked = [int(action) for action in mask.nonzero()[0]]
    lowest: dict[str, int] = {}
    for action in masked:
        lowest.setdefault(str(pos.move(action)), action)
    need(lowest == {str(m): pos.action(m) for m in pos.moves()}, f"mask {lowest}, moves {pos.moves()}")
    others = sorted(set(range(pos.game.num_actions)) - set(masked))
    for action in rng.sample(others, min(REFUSALS, len(others))):
        refusal(partial(pos.move, action), f"action {action}")


def notation_comes_back(pos: Position, slow: Game, rng: random.Random) -> None:
    """A move, its notation and its action id are three names of one thing."""
    for move in pos.moves():
        text, after = str(move), pos.play(move)
        need(pos.play(text) == after, f"{text} as text leads elsewhere")
        need(pos.action(text) == pos.action(move), f"{text} as text has another action")
        need(pos.move(pos.action(move)) == move, f"{text} has the action of {pos.move(pos.action(move))}")
        need(after.ply == pos.ply + 1 and after.seed == pos.seed, f"{text} loses the stream")


def plain_data_comes_back(pos: Position, slow: Game, rng: random.Random) -> None:
    """A position made from `to_dict` (through JSON) is equal, hashes alike, and offers the same moves."""
    data = pos.to_dict()
    need(json.loads(json.dumps(data)) == data, "to_dict is not plain data")
    again = pos.game.position(data)
    back = again.to_dict()
    need(again == pos and pos == again, f"it comes back as {back}")
    need(hash(again) == hash(pos), "it comes back equal, but hashes differently")
    need(back == data, f"it comes back as {back}")
    need((again.to_move, again.turn, again.result) == (pos.to_move, pos.turn, pos.result), "others act in it")
    need(sorted(map(str, again.moves())) == sorted(map(str, pos.moves())), f"its moves are {again.moves()}")
    for move in pos.moves():
        need(again.play(move) == pos.play(move), f"{move} leads elsewhere")


def observations_fit(pos: Position, slow: Game, rng: random.Random) -> None:
    """Every player sees a float32 vector in [0, 1], all of one length."""
    lengths = set()
    for player in pos.game.players:
        seen = pos.observation(player)
        need(str(seen.dtype) == "float32" and seen.ndim == 1, f"{player} sees {seen.dtype}{seen.shape}")
        need(bool((seen >= 0).all() and (seen <= 1).all()), f"{player} sees {seen.min()} to {seen.max()}")
        lengths.add(len(seen))
    need(len(lengths) == 1, f"observations of lengths {sorted(lengths)}")


# ---------------------------------------------------------------- the forms of a kernel


def the_twins_agree(pos: Position, slow: Game, rng: random.Random) -> None:
    """In every form of the kernel: the same moves, mask, rolls, outcomes, and positions after each of them."""
    other = type(pos)(slow, _numbers(pos), pos.seed, pos.ply)
    need(_actions(pos) == _actions(other), f"{_form(pos)} {_actions(pos)}, {_form(other)} {_actions(other)}")
    if pos.to_move == "chance":
        _same(pos.roll(), other.roll(), "a roll")
    for name in pos.outcomes():
        _same(pos.play(name), other.play(name), name)
    for action in _actions(pos):
        _same(pos.after(action), other.after(action), f"action {action}")
    need(bool((pos.mask() == other.mask()).all()), "the masks differ")


def the_twins_see_and_refuse_alike(pos: Position, slow: Game, rng: random.Random) -> None:
    """In every form of the kernel: the same observations, and the same reason for every illegal action."""
    the_twins_see_alike(pos, slow, rng)
    other = type(pos)(slow, _numbers(pos), pos.seed, pos.ply)
    mask = pos.mask()
    for action in range(pos.game.num_actions):
        if not mask[action]:
            first = refusal(partial(pos.move, action), f"action {action}")
            second = refusal(partial(other.move, action), f"action {action}")
            need(
                first.code == second.code,
                f"action {action}: {_form(pos)} {first.code}, {_form(other)} {second.code}",
            )


def the_twins_see_alike(pos: Position, slow: Game, rng: random.Random) -> None:
    """In every form of the kernel: the same observations."""
    other = type(pos)(slow, _numbers(pos), pos.seed, pos.ply)
    for player in pos.game.players:
        need(bool((pos.observation(player) == other.observation(player)).all()), f"{player} sees two things")


def the_forms_play_alike(game: Game, other: Game, seed: int) -> None:
    """Playouts are the same games in every form of the kernel."""
    need(_columns(game.playouts(2, seed)) == _columns(other.playouts(2, seed)), "the forms play differently")


def _form(pos: Position) -> str:
    engine = pos.game.engine
    if not engine.fast:
        return "interpreted"
    return "compiled for all games" if engine.kernel is engine.entries.compiled() else "compiled"


def _actions(pos: Position) -> list[int]:
    return [move.action_id for move in pos.moves()]


def _same(one: Position, other: Position, event: str) -> None:
    if _numbers(one) != _numbers(other):
        both = f"{_form(one)} to {one.to_dict()}, {_form(other)} to {other.to_dict()}"
        raise ConformanceError(f"{event} leads {both}")


def no_index_is_out_of_range(game: Game, slow: Game, seed: int) -> None:
    """Compiled code checks no index, so the interpreted kernel is watched over some plies."""
    watched, rng = guarded(slow), random.Random(seed)
    for pos in random_positions(watched, 60, seed):
        pos.mask()
        for player in game.players:
            pos.observation(player)
        for move in pos.moves():
            pos.play(str(move))
        for action in rng.sample(range(game.num_actions), min(REFUSALS, game.num_actions)):
            with suppress(IllegalMove):
                pos.move(action)
    watched.playouts(1, seed, max_plies=300)


# ---------------------------------------------------------------- now and then


def copies_are_equal(pos: Position, slow: Game, rng: random.Random) -> None:
    """Pickled, copied and deeply copied positions are equal, hash alike and go on alike."""
    for other in (pickle.loads(pickle.dumps(pos)), copy.copy(pos), copy.deepcopy(pos)):
        need(other == pos and hash(other) == hash(pos), f"a copy is {other.to_dict()}")
        need((other.seed, other.ply) == (pos.seed, pos.ply), "a copy loses its stream")
        need([str(m) for m in other.moves()] == [str(m) for m in pos.moves()], "a copy has other moves")
        if pos.to_move == "chance":
            need(other.roll() == pos.roll(), "a copy rolls differently")
    need(pos != object() and pos != "position", "it equals things that are no positions")


def moves_say_what_they_do(pos: Position, slow: Game, rng: random.Random) -> None:
    """Every move has its facts, words in every language, and a pickle."""
    for move in pos.moves():
        for fact in FACTS:
            need(hasattr(move.detail, fact), f"{move} has no .{fact}")
        for lang in ("en", "fr"):
            words = move.describe(lang)
            need(words != "" and "{" not in words, f"{move} is described as {words!r}")
        again: Move = pickle.loads(pickle.dumps(move))
        need(again == move and hash(again) == hash(move), f"{move} comes back from a pickle as {again}")


def nonsense_is_refused(pos: Position, slow: Game, rng: random.Random) -> None:
    """What is no move, outcome, action or player gets a clear error of the package."""
    for thing in NOT_MOVES:
        refusal(partial(pos.play, thing), f"play({thing!r})")
    for action in (-1, pos.game.num_actions, *NOT_ACTIONS):
        refusal(partial(pos.move, action), f"move({action!r})")
    raises(LudusError, lambda: pos.observation("nobody"), "the observation of a stranger")
    raises(InvalidPosition, lambda: pos.game.position({**pos.to_dict(), "nonsense": 1}), "an unknown key")


def raises(kind: type[LudusError], question: Callable[[], object], what: str) -> None:
    """Need an error of the package, with words."""
    try:
        question()
    except kind as error:
        need(str(error) != "", f"{what} is refused without a word")
        return
    raise ConformanceError(f"{what} is not refused")


# ---------------------------------------------------------------- the game as a whole


def facts_are_declared(game: Game, slow: Game, seed: int) -> None:
    """Name, players and action space are there, and every player has a seat."""
    need(isinstance(game.name, str) and game.name != "", f"name {game.name!r}")
    need(isinstance(game.players, tuple) and len(set(game.players)) >= 2, f"players {game.players!r}")
    need(len(set(game.players)) == game.num_players, f"{game.num_players} players {game.players}")
    need(game.num_actions > 0, f"{game.num_actions} actions")
    need([game.seat_of(p) for p in game.players] == list(range(game.num_players)), "seats are not in order")
    raises(LudusError, lambda: game.seat_of("nobody"), "a stranger's seat")


def documents_make_the_game_again(game: Game, slow: Game, seed: int) -> None:
    """The document is plain data and makes an equal game; so does a pickle."""
    text = json.dumps(game.document())
    for other in (
        from_document(json.loads(text)),
        pickle.loads(pickle.dumps(game)),
        copy.deepcopy(game),
        slow,
    ):
        need(other == game and hash(other) == hash(game), "a game made from its own document is another")
        need(other.players == game.players and other.num_actions == game.num_actions, "it has other players")
        need(other.start(seed) == game.start(seed), "it starts differently")


def games_start_alike(game: Game, slow: Game, seed: int) -> None:
    """Seeds are no part of equality; a seed is an integer; a position is plain data that is complete."""
    first, second = game.start(seed), game.start(seed + 1)
    need(first == second and hash(first) == hash(second), "two seeds start from different positions")
    need(first.ply == 0 and first.result is None, "the first position is not a first one")
    for bad in NOT_SEEDS:
        raises(LudusError, partial(game.start, bad), f"seed {bad!r}")
    for data in NOT_POSITIONS:
        raises(InvalidPosition, partial(game.position, data), f"position {data!r}")


def seeds_give_the_same_game(game: Game, slow: Game, seed: int) -> None:
    """Two games with one seed and the same choices are the same, ply by ply."""
    first, second = ([_numbers(p) for p in random_positions(game, 500, seed)] for _ in range(2))
    need(first == second, "a game with the same seed and choices goes differently")


def playouts_come_again(game: Game, slow: Game, seed: int) -> None:
    """Playouts depend on seed and game number alone: not on the batch, nor on the twin that plays them."""
    whole = _columns(game.playouts(12, seed))
    need(_columns(game.playouts(12, seed)) == whole, "a second run differs")
    parts = [_columns(game.playouts(n, seed, first=at)) for n, at in ((5, 0), (7, 5))]
    need([a + b for a, b in zip(*parts, strict=True)] == whole, "games depend on the batch they are played in")
    need(_columns(slow.playouts(2, seed)) == [column[:2] for column in whole], "the twins play differently")
    need(_columns(game.playouts(12, seed + 1)) != whole, "another seed plays the same games")
    need(len(game.playouts(0, seed)) == 0, "no games are some")
    cut = game.playouts(3, seed, max_plies=1)
    need(
        not cut.finished.any() and (cut.winner == -1).all() and (cut.plies == 1).all(),
        "max_plies is not kept",
    )


def _columns(games: Playouts) -> list[list[int]]:
    kept = (games.winner, games.turns, games.moves, games.captures, games.plies, games.finished)
    return [[int(value) for value in column] for column in kept]


def playouts_are_random_play(game: Game, slow: Game, seed: int) -> None:
    """Ply p of game g is decided by draw p of its stream: by weight at chance, evenly among moves."""
    games = game.playouts(4, seed)
    for number in range(len(games)):
        pos, moves = _played_out(game, stream(fold_seed(seed), number))
        need(
            (pos.ply, moves) == (games.plies[number], games.moves[number]),
            f"game {number} has another length",
        )
        best = max((pos.result or {}).values())
        winner = games.winner[number]
        need(
            winner < 0 or (pos.result or {})[game.players[winner]] == best,
            f"game {number} has another winner",
        )


def _played_out(game: Game, key: int) -> tuple[Position, int]:
    pos, moves = game.start(), 0
    while pos.to_move is not None:
        if pos.to_move == "chance":
            pos = pos.play(drawn(pos, key))
            continue
        legal = pos.moves()
        pos = pos.play(legal[below(key, pos.ply, len(legal))])
        moves += 1
    return pos, moves


def drawn(pos: Position, key: int) -> str:
    """The outcome that the stream `key` gives at a chance position."""
    weights = pos.game.chance_weights(pos.row)
    point = below(key, pos.ply, sum(weights.values()))
    for name, weight in weights.items():
        point -= weight
        if point < 0:
            return name
    raise ConformanceError(f"weights {weights}")


POSITION_LAWS = (
    somebody_acts_until_the_end, results_name_every_player, chance_has_outcomes, rolls_come_again,
    decisions_have_moves, the_mask_is_the_legal_set, notation_comes_back, plain_data_comes_back,
    observations_fit, the_twins_agree,
)  # fmt: skip
SELDOM_LAWS = (the_twins_see_and_refuse_alike, copies_are_equal, moves_say_what_they_do, nonsense_is_refused)
GAME_LAWS = (
    facts_are_declared, documents_make_the_game_again, games_start_alike, seeds_give_the_same_game,
    playouts_come_again, playouts_are_random_play, no_index_is_out_of_range,
)  # fmt: skip
