"""Every game as an OpenSpiel game written in Python, with explicit chance: `pyspiel.load_game("ludus_french")`.

A state's history is the numbers of its actions and chance outcomes, so OpenSpiel's own serialization replays it.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ludus.envs import needs

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise needs(error) from None

from ludus.core.errors import LudusError, quoted
from ludus.core.game import Game
from ludus.core.position import Position
from ludus.core.registry import games, make
from ludus.envs.underway import compiled_for_play

PREFIX = "ludus_"
# modes that are options in ludus; OpenSpiel tells games apart by name
MODES: dict[str, tuple[str, dict[str, Any]]] = {
    "pettingzoo_teams": ("pettingzoo", {"mode": "teams"}),
    "generals_toss": ("generals", {"toss": True}),
}
NO_OPTIONS = ("name", "version", "title", "source", "cites", "allowed", "plugins", "changes", "board")
MOST_PLIES = 1_000_000  # Ludo has no last move by rule; OpenSpiel wants a bound


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A ludus game for OpenSpiel; a subclass for each names its rules."""

    source: str
    options: ClassVar[dict[str, Any]]
    game_type: Any

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        given = {key: value for key, value in params.items() if key not in ("players", "rules")}
        players, source = int(params.get("players", 0)), params.get("rules") or self.source
        self.ludus = compiled_for_play(make(source, players=players or None, **(self.options | given)))
        self.ludus.ask_for_limit()
        name = self.game_type.short_name.removeprefix(PREFIX)
        super().__init__(game_type(name, self.ludus), game_info(self.ludus), params)

    def new_initial_state(self, state: Any = None) -> SpielState:
        """The first position."""
        if state is not None:
            raise LudusError(f"OpenSpiel states of ludus start at the beginning, not from {quoted(state)}")
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What players see; everything is public."""
        return Observer(self.ludus, params)

    def num_players(self) -> int:
        """How many play."""
        return self.ludus.num_players


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position and the way there."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.position: Position = game.ludus.start()

    def current_player(self) -> int:
        """A seat, chance or the end."""
        who = self.position.to_move
        if who is None:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if who == "chance" else self.position.game.seat_of(who)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.to_move is None

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(move.action_id for move in self.position.moves())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Outcome numbers with their probabilities."""
        return list(enumerate(self.position.outcomes().values()))

    def _apply_action(self, action: int) -> None:
        if self.position.to_move == "chance":
            self.position = self.position.play(list(self.position.outcomes())[action])
        else:
            self.position = self.position.play(self.position.move(action))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return list(self.position.outcomes())[action]
        return str(self.position.move(action))

    def returns(self) -> list[float]:
        """What each seat got; zeros while the game goes on."""
        result = self.position.result
        return list(result.values()) if result else [0.0] * self.position.game.num_players

    def __str__(self) -> str:
        return repr(self.position.to_dict())


class Observer:
    """`Position.observation` as OpenSpiel's observer."""

    def __init__(self, game: Game, params: Any = None) -> None:
        if params:
            raise LudusError(f"observers of ludus games take no parameters, not {quoted(params)}")
        self.tensor = np.zeros(len(game.observation_names), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a seat sees."""
        position = state.position
        self.tensor[:] = position.observation(position.game.players[player])

    def string_from(self, state: SpielState, player: int) -> str:
        """The position as text."""
        return str(state)


def game_info(game: Game) -> Any:
    """The facts that OpenSpiel wants to know of a game."""
    worst, best = utilities(game)
    return pyspiel.GameInfo(
        num_distinct_actions=game.num_actions,
        max_chance_outcomes=most_outcomes(game),
        num_players=game.num_players,
        min_utility=worst,
        max_utility=best,
        utility_sum=0.0 if is_zero_sum(game) else None,
        max_game_length=MOST_PLIES,
    )


def is_zero_sum(game: Game) -> bool:
    """Whether what the players get always adds up to 0.

    Generals (G32), two players of a Ludo, two teams of it, and every Ludo by the option win.returns.
    """
    document = game.document()
    rules = document.get("rules", {})  # a family of an installed package may have none
    if document["family"] != "ludo":
        return bool(document["family"] == "generals")
    sides = 2 if rules["modes"]["mode"] == "teams" and game.num_players == 4 else game.num_players
    return bool(sides == 2 or rules["win"]["returns"] == "zero_sum")


def utilities(game: Game) -> tuple[float, float]:
    """The least and the most that a player can get (Z21, T15: one from each loser where the rules say so)."""
    wins = game.document().get("rules", {}).get("win", {})
    return -1.0, float(game.num_players - 1) if wins.get("returns") == "zero_sum" else 1.0


def most_outcomes(game: Game) -> int:
    """The most outcomes that chance has: the dice of the first roll, or (G18) twelve defenders in the moat."""
    return max(len(game.start().outcomes()), 12)


def game_type(name: str, game: Game) -> Any:
    """OpenSpiel's type of a game."""
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=PREFIX + name,
        long_name=game.title(),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=utility.ZERO_SUM if is_zero_sum(game) else utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(game.player_counts),
        min_num_players=min(game.player_counts),
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": 0, "rules": "", **options_of(game)},
    )


def options_of(game: Game) -> dict[str, bool | int | str]:
    """The options of the rules that are one value each, by the names that `ludus.make` takes, as they are set."""
    groups = {key: value for key, value in game.document().get("rules", {}).items() if key not in NO_OPTIONS}
    found = {key: value for key, value in groups.items() if isinstance(value, bool | int | str)}
    for group, options in groups.items():
        for key, value in options.items() if isinstance(options, dict) else ():
            if isinstance(value, bool | int | str):
                others = [
                    name for name, other in groups.items() if name != group and isinstance(other, dict) and key in other
                ]
                found[f"{group}.{key}" if others or key in groups else key] = value
    return found


def register_openspiel() -> list[str]:
    """Register every game, and its other modes; returns OpenSpiel's names of them."""
    known = set(pyspiel.registered_names())
    sources: dict[str, tuple[str, dict[str, Any]]] = {name: (name, {}) for name in games()} | MODES
    for name, (source, options) in sources.items():
        if PREFIX + name not in known:
            kind = game_type(name, make(source, **options))
            facts = {"source": source, "options": options, "game_type": kind}
            pyspiel.register_game(kind, type(f"Spiel_{name}", (SpielGame,), facts))
    return [PREFIX + name for name in sources]


register_openspiel()
