"""`heuristic`: priority rules, phases and risks on Ludo boards (rule book H1-H24); in Generals, its own evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from ludus.bots.bot import BotError, Candidate, reason
from ludus.bots.scored import ScoredBot
from ludus.core.engine import Row
from ludus.core.game import Game
from ludus.core.kernels.codes import HEURISTIC
from ludus.core.messages import Message
from ludus.core.position import Move, Position
from ludus.core.registry import make
from ludus.games.generals.game import GeneralsGame
from ludus.games.ludo import kernel_bots as ludo
from ludus.games.ludo.game import LudoGame

RULES = (
    "WIN_MOVE", "CAPTURE_MOVE", "FLEE_MOVE", "HOME_BASE_PROGRESS", "BLOCKADE_CLUSTER", "FORM_BLOCKADE_MOVE",
    "GET_OUT_OF_HOME", "STRATEGY",
)  # fmt: skip
PHASES = ("CRITICAL", "OPENING", "CLOSING", "MIDGAME")
START, ENTRY, PATH_END, FINISH = 0, 1, 51, 57  # squares as the agent's states count them


class HeuristicBot(ScoredBot):
    """The rule-based agent; `literal` takes H19's sentence as written, `debug_scores` keeps every choice's scores."""

    name = "heuristic"
    policy = HEURISTIC
    is_on_policy = False
    needs_replay_learning = False

    def __init__(self, seed: int = 0, literal: bool = False, debug_scores: bool = False) -> None:
        super().__init__(seed)
        self.literal = bool(literal)
        self.option = int(self.literal)
        self.debug_scores = bool(debug_scores)
        self._last: list[dict[str, Any]] = []

    # ------------------------------------------------------------ reasons (H24)

    @property
    def supports_score_debug(self) -> bool:
        """Scores can always be asked for."""
        return True

    def get_last_score_debug(self) -> list[dict[str, Any]]:
        """Each candidate of the last choice: rule, multiplier, bonuses, risk, total (with `debug_scores`)."""
        return [dict(line) for line in self._last]

    def choose(self, position: Position) -> Move:
        """The best by score (H17, H20); the scores of a forced move are kept too."""
        chosen = super().choose(position)
        self._keep_scores(position, position.moves())
        return chosen

    def choose_of(self, position: Position, moves: Sequence[Move]) -> Move:
        """The best of some legal moves."""
        chosen = moves[0] if len(moves) == 1 else self.pick(position, moves)
        self._keep_scores(position, moves)
        return chosen

    def _keep_scores(self, position: Position, moves: Sequence[Move]) -> None:
        if self.debug_scores:
            self._last = [found.detail for found in self.candidates(position) if found.move in moves]

    def candidates(self, position: Position) -> list[Candidate]:
        """The legal moves in order, with the parts of their scores."""
        is_ludo = isinstance(position.game, LudoGame)
        found = []
        for move, value, notes in self.scores(position):
            detail = {"move": str(move), "total": value}
            if is_ludo and move.action_id < position.game.num_actions - 1:
                detail |= parts(notes)
            found.append(Candidate(move, float(value), self._why(position, value, detail), detail))
        return found

    def explain(self, position: Position) -> list[Candidate]:
        """The moves by score; among equals the chosen one first."""
        if not position.moves():
            return []
        chosen = self.choose(position)
        return sorted(self.candidates(position), key=lambda found: (-found.score, found.move != chosen))

    def _why(self, position: Position, value: int, detail: Mapping[str, Any]) -> tuple[Message, ...]:
        if isinstance(position.game, GeneralsGame):
            return (reason("chance_after", percent=round(max(0.0, min(1.0, value / 1e6)) * 100)),)
        return reasons_of(detail) if "rule" in detail else (reason("only_move"),)

    # ------------------------------------------------------------ the agent's own states (H21, H22)

    def act(self, state: Any) -> int:
        """The action with the best score, from a state in the agent's squares; 0 where there is none.

        The state (a mapping or an object) has `player_pieces`, `enemy_pieces`, `dice_roll`, and `valid_moves` or
        `movable_pieces`: squares 0 start, 1 entry, 2-51 path, 52-56 end path, 57 finish, each colour's own (`star`).
        """
        by_action = offered(state)
        if not by_action:
            return 0
        position = star_position(state)
        squares = [int(s) for s in _of(state, "player_pieces")]
        origins = {squares[piece] for piece in by_action.values()}
        moves = [m for m in position.moves() if str(m) != "pass" and squares[m.action_id] in origins]
        if not moves:  # the state knows more ways to move than `star`
            return next(iter(by_action))
        chosen = squares[self.choose_of(position, moves).action_id]
        return next(action for action, piece in by_action.items() if squares[piece] == chosen)


def offered(state: Any) -> dict[int, int]:
    """The piece behind each action that a state offers (H22).

    `valid_moves` are actions, each the index of its piece in `movable_pieces`; without that, they are the pieces.
    """
    valid, movable = _numbers(state, "valid_moves"), _numbers(state, "movable_pieces")
    pieces, actions = (movable, valid) if movable else (valid or [], None)
    _check("a piece", pieces, len(_of(state, "player_pieces")))
    if actions is None:
        return dict(enumerate(pieces))
    _check("beside movable_pieces, one of valid_moves", actions, len(pieces))
    return {action: pieces[action] for action in actions}


def _numbers(state: Any, name: str) -> list[int] | None:
    given = _of(state, name)
    return None if given is None else [int(number) for number in given]


def _check(what: str, numbers: Sequence[int], count: int) -> None:
    wrong = [number for number in numbers if not 0 <= number < count]
    if wrong:
        raise BotError(f"heuristic: {what} is a number from 0 to {count - 1}, not {wrong[0]}")


def parts(notes: Row) -> dict[str, Any]:
    """What the kernel noted of a candidate, by name (H24)."""
    return {
        "rule": RULES[notes[ludo.RULE]],
        "phase": PHASES[notes[ludo.PHASE]],
        "score": ludo.RULE_SCORE[notes[ludo.RULE]],
        "multiplier": notes[ludo.TIMES_TEN] / 10,
        "bonuses": int(notes[ludo.BONUS]),
        "risk": int(notes[ludo.RISK]),
        "threatened": notes[ludo.THREAT] > 0,
        "breaks_block": bool(notes[ludo.SPLITS]),
        "replaced": bool(notes[ludo.REPLACED]),
    }


def reasons_of(detail: Mapping[str, Any]) -> tuple[Message, ...]:
    """The parts of a score in words."""
    found = [reason(detail["rule"].lower())]
    if detail["multiplier"] != 1:
        found.append(reason("times", times=f"{detail['multiplier']:g}", phase=reason(detail["phase"].lower())))
    if detail["risk"]:
        found.append(reason("risk", risk=f"{detail['risk']:,}"))
    if detail["replaced"]:
        found.append(reason("stays_threatened"))
    elif detail["breaks_block"]:
        found.append(reason("breaks_block"))
    return tuple(found)


def _of(state: Any, name: str) -> Any:
    return state.get(name) if isinstance(state, Mapping) else getattr(state, name, None)


def star_position(state: Any) -> Position:
    """An agent's state as a position of `star`: the agent is green, its enemies follow in order of play."""
    enemies = [list(pieces) for pieces in _of(state, "enemy_pieces") or ()]
    if len(enemies) > 3:
        raise BotError(f"heuristic: at most three enemies, not {len(enemies)}")
    colours = ("green", "yellow", "blue", "red")
    seats = {2: ("green", "blue"), 3: ("green", "yellow", "blue")}.get(len(enemies) + 1, colours)
    hands = [list(_of(state, "player_pieces")), *enemies, *([[START] * 4] if not enemies else [])]
    seats = seats if enemies else ("green", "blue")
    pieces = {
        colour: [_place(int(square), colours.index(colour)) for square in hand]
        for colour, hand in zip(seats, hands, strict=True)
    }
    data = {"pieces": pieces, "turn": "green", "dice": [int(_of(state, "dice_roll"))]}
    return star_that_goes_on(seats).position(data)


@cache
def star_that_goes_on(seats: tuple[str, ...]) -> Game:
    """`star` where a colour with all its pieces home does not end the game: a state may show one (H10, H15)."""
    return make("star", players=list(seats), win={"condition": "score", "score": 1_000, "turn_limit": 10_000})


def _place(square: int, arm: int) -> int | str:
    """An agent's square as a position writes it."""
    if square == START:
        return "start"
    if square == FINISH:
        return "finish"
    return (square - ENTRY + 13 * arm) % 52 if square <= PATH_END else f"end:{square - PATH_END - 1}"
