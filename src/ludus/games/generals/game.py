"""Generals as a game: one rule set, its players, and the answers that the core asks of every game."""

from __future__ import annotations

import json
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from ludus.core.engine import Engine, Row, twin_of
from ludus.core.errors import IllegalMove, LudusError, RulesError, UnknownName, suggestion
from ludus.core.events import Event, TellingGame
from ludus.core.messages import Message, look_up
from ludus.core.playouts import Playouts
from ludus.core.position import Move, Position
from ludus.games.generals import features, moves, notation, observe, positions
from ludus.games.generals import kernel as k
from ludus.games.generals.board import CELLS, COLOURS, MOAT, ROLES, cell_name, cell_number, tables_of
from ludus.games.generals.moves import ENDINGS, GeneralsMove
from ludus.games.generals.rules import RuleSet, validate

KERNEL = "ludus.games.generals.kernel"
NAME = "generals"
NO_RULES = {"name", "version", "title", "source"}  # of a document: what changes no game


@cache
def net_of_search() -> tuple[int, ...]:
    """The weights of value.json, the attacker's and then the defender's."""
    found = json.loads(Path(__file__).with_name("value.json").read_text(encoding="utf-8"))
    return (*found["attacker"], *found["defender"])


class GeneralsPosition(Position):
    """A position, which knows roles as well as players (G32)."""

    __slots__ = ()
    game: GeneralsGame

    @property
    def roles(self) -> dict[str, str] | None:
        """Each player's role; None until they are chosen."""
        return positions.roles_of(self._row, self.game.players)

    @property
    def result_by_role(self) -> dict[str, float] | None:
        """None while the game goes on, else what each role got."""
        result, roles = self.result, self.roles
        if result is None or roles is None:
            return None
        return {role: result[player] for role in ROLES for player in result if roles[player] == role}

    @property
    def ending(self) -> str | None:
        """How the game ended: 'hits', 'exhaustion', 'quiet' or 'turns'; None while it goes on (G20-G22)."""
        return ENDINGS[self.game.ending_of(self._row)] if self.result is not None else None

    def hints(self, lang: str = "en") -> list[str]:
        """The special moves that are possible here, each explained in a sentence."""
        return moves.hints(self.game, plain(self._row), lang)


@dataclass(frozen=True)
class GeneralsPlayouts(Playouts):
    """Playouts that tell the roles apart (G32): the attacker's seat, how a game ended, and what befell units."""

    ending: Any
    attacker: Any
    hits: Any
    interceptions: Any
    conversions: Any

    def wins_by_role(self) -> dict[str, int]:
        """Games won by the attacker and by the defender, and draws."""
        won = self.winner >= 0
        attacker = int((won & (self.winner == self.attacker)).sum())
        return {
            "attacker": attacker,
            "defender": int(won.sum()) - attacker,
            "draw": int((self.finished & ~won).sum()),
        }

    def endings(self) -> dict[str, int]:
        """How the games ended; games that were cut off are in none."""
        return {name: int((self.finished & (self.ending == code)).sum()) for code, name in ENDINGS.items()}


class GeneralsGame(TellingGame):
    """Generals with its options settled."""

    position_class = GeneralsPosition
    playouts_class = GeneralsPlayouts
    bot_kernels = ("ludus.games.generals.kernel_bots",)
    feature_kernels = ("ludus.games.generals.kernel_features",)
    limit_to_set = "turn_limit = 400"

    def __init__(self, rules: RuleSet) -> None:
        super().__init__(rules.name, COLOURS if rules.toss else ROLES)
        self._rules = rules
        self.tables = tables_of(rules)
        self.num_actions = self.tables[k.A_PASS] + 1
        self.moves_at = k.S_MOVES
        self.events_at, self.event_size = k.S_EVENTS, k.EVENT_SIZE
        self.scratch_size = k.S_MOVES + self.num_actions
        self.engine = Engine(twin_of(KERNEL), self.tables, self.scratch_size)

    def bot_tables(self) -> tuple[int, ...]:
        """The net that search values positions by (kernel_bots.promise)."""
        return net_of_search()

    @property
    def feature_names(self) -> list[str]:
        """What each feature means."""
        return features.feature_names()

    def feature_themes(self, row: Row, looks: int, decides: int) -> dict[str, dict[int, float]]:
        """Which features speak of what to the one who decides; none while the roles are open."""
        if row[k.ATTACKER] < 0:
            return {}
        return features.themes(k.role_of(row, looks), k.role_of(row, decides))

    @property
    def may_not_end(self) -> Message | None:
        """Why a game may go on for ever: both limits are off (G22)."""
        return Message(moves.PACKAGE, "no_limit", {}, "hint") if self._rules.may_not_end else None

    @property
    def rules(self) -> RuleSet:
        """The validated rule set, read-only."""
        return self._rules

    def document(self) -> dict[str, Any]:
        """Rules and players as plain data."""
        return {"family": NAME, "rules": self._rules.model_dump(mode="json"), "players": list(self.players)}

    def rules_in_short(self) -> dict[str, Any]:
        """Rules without titles and without options at their defaults."""
        told = self._rules.model_dump(mode="json", exclude_defaults=True, exclude=NO_RULES)
        return {"family": NAME, "rules": told}

    # ------------------------------------------------------------ rows

    def start_row(self) -> list[int]:
        """All units in their garrisons."""
        return positions.start_row(self._rules.toss)

    def geometry(self) -> dict[str, Any]:
        """The cells that are more than field: General, moat, and each role's garrisons (G1-G4)."""
        kinds = {"general": "G", "moat": "o", "attacker": "AB", "defender": "CD"}
        cells = {
            name: [cell_name(cell) for cell in range(CELLS) if k.KINDS[cell] in letters]
            for name, letters in kinds.items()
        }
        garrisons = {role: cells.pop(role) for role in ROLES}
        return {"columns": "abcdefghij", "rows": 10, **cells, "garrisons": garrisons}

    def row_limits(self) -> list[tuple[int, int, int, int]]:
        """Bounds of what the kernel looks up by: phase, roles, die, cell, and ten columns a line."""
        fields = [(k.PHASE, 0, k.INTERCEPT), (k.ATTACKER, k.NOBODY, 1), (k.DIE, 0, 6), (k.HITS, 0, k.GENERAL_FALLS)]
        lines = (k.UNITS, k.ROW_SIZE, 0, (1 << k.WIDTH) - 1)
        return [*((at, at + 1, least, most) for at, least, most in [*fields, (k.CELL, 0, CELLS - 1)]), lines]

    def row_of(self, data: Mapping[str, Any]) -> list[int]:
        """Plain data → row."""
        return positions.Reader(self._rules, self.tables, self.scratch_size, data).read()

    def to_dict(self, row: Row) -> dict[str, Any]:
        """Row → plain data."""
        return positions.to_dict(self._rules, plain(row))

    def key(self, row: Row) -> tuple[Any, ...]:
        """Two positions are equal when their rows are."""
        return tuple(plain(row))

    def chance_weights(self, row: Row) -> dict[str, int]:
        """Rolls, the toss, or the defenders in the moat; all equally likely (G30)."""
        if row[k.PHASE] == k.TOSS:
            return {f"toss:{player}": 1 for player in self.players}
        if row[k.PHASE] == k.INTERCEPT:
            return {f"intercept:{cell_name(c)}": 1 for c in MOAT if positions.has_unit(row, k.DEFENDS, c)}
        return {str(face): 1 for face in range(1, 7)}

    def result_of(self, row: Row) -> dict[str, float]:
        """+1 and -1, or 0 for each (G22, G32)."""
        engine = self.engine
        winner = engine.kernel.winner_api(engine.view(row), engine.tables, engine.scratch)
        return {
            player: 0.0 if winner < 0 else 1.0 if winner == seat else -1.0 for seat, player in enumerate(self.players)
        }

    def rule_of_chance(self, row: Row, text: str) -> str | None:
        """The rule by which chance comes first: that of the special move tried, of an interception, or of the die."""
        special = {"*": "G25", "=": "G27"}.get(text.strip()[:1]) or ("G23" if ">" in text else None)
        phase = row[k.PHASE]
        return special or {k.INTERCEPT: "G18", k.TOSS: "G6"}.get(int(phase), "G8")

    def title(self, lang: str = "en") -> str:
        """The game's name for people."""
        return self._rules.title

    def source(self, lang: str = "en") -> str:
        """Where the rules come from."""
        return look_up(notation.PACKAGE, "source.generals", lang) or self._rules.source

    def ending_of(self, row: Row) -> int:
        """How the game ends here, as the kernel's code."""
        engine = self.engine
        return int(engine.kernel.ending_api(engine.view(row), engine.tables, engine.scratch))

    def action_ranges(self) -> list[tuple[str, str]]:
        """The blocks of the action space (G29)."""
        return observe.action_blocks(self.tables)

    @cached_property
    def observation_names(self) -> list[str]:
        """What each index of an observation means."""
        return observe.layout()

    def observe(self, row: Row, seat: int) -> Any:
        """float32[len(observation_names)] in [0, 1]."""
        import numpy as np

        engine = self.engine
        out = np.zeros(len(self.observation_names), dtype=np.float32)
        engine.kernel.observe_api(engine.view(row), engine.tables, engine.scratch, seat, out)
        return out

    # ------------------------------------------------------------ moves

    def masked_actions(self, row: Row) -> list[int]:
        """Every legal action: each is a move of its own."""
        return self.legal_actions(row)

    def checked_action(self, position: Position, action: int) -> int:
        """The action, if it is legal."""
        row = plain(position.row)
        engine = self.engine
        code = int(engine.kernel.why_api(engine.view(row), engine.tables, engine.scratch, action))
        if code != k.LEGAL:
            raise self.why_not(row, action, code)
        return action

    def parse(self, position: Position, text: str) -> int:
        """Notation → action id."""
        return self.checked_action(position, notation.Parser(self.tables, plain(position.row), text).action())

    def why_not(self, row: list[int], action: int, code: int) -> IllegalMove:
        """The error that says why an action is not legal."""
        return notation.refuse(notation.REASONS[code], **notation.reason_values(self.tables, row, action))

    def event_of(self, told: Sequence[int]) -> Event:
        """An event by the names of players, cells and endings."""
        return moves.event(self, moves.Told(*told))

    def detail(self, position: Position, action: int) -> GeneralsMove:
        """The facts of a legal move, as the kernel tells them when it is tried."""
        row = plain(position.row)
        return moves.facts(self, row, action, [moves.Told(*one) for one in self.told_at(position, action)])

    def describe(self, move: Move, lang: str) -> str:
        """A move in words: 'moves to a6, kills the defender there'."""
        return moves.in_words(move.detail, lang)

    # ------------------------------------------------------------ pictures

    def draw_text(self, position: Position, colour: bool, lang: str = "en", eyes: Collection[str] | None = None) -> str:
        """The board for a terminal: nobody hides anything."""
        from ludus.games.generals import terminal

        return terminal.draw(self, position, colour, lang)

    def draw_svg(self, position: Position, **options: Any) -> str:
        """The board as SVG."""
        from ludus.games.generals import draw

        return draw.svg(self, position, **options)

    def scene(self, lang: str = "en") -> dict[str, Any]:
        """The board as plain data."""
        from ludus.games.generals import scene

        return dict(scene.of_game(self, lang))

    def scene_at(self, position: Position, lang: str) -> dict[str, Any]:
        """A position as plain data."""
        from ludus.games.generals import scene

        return dict(scene.of_position(self, position, lang))

    def tries(self, position: Position, player: str, place: str) -> list[str | int]:
        """The unit on a cell in every direction."""
        cell = cell_number(place)
        return [] if cell is None else [100 * way + cell for way in range(self.rules.directions)]

    def __reduce__(self) -> tuple[Any, ...]:
        return (GeneralsGame, (self._rules,))


def plain(row: Row) -> list[int]:
    """A row as a list of Python integers."""
    values: list[int] = row if isinstance(row, list) else row.tolist()
    return values


def check_players(rules: RuleSet, players: int | Iterable[str] | None) -> None:
    """Two play; who they are goes with the toss."""
    names = COLOURS if rules.toss else ROLES
    if players is None or (players == 2 and not isinstance(players, bool)):
        return
    if isinstance(players, int | str) or not isinstance(players, Iterable):
        raise LudusError(f"players: Generals takes 2 players, not {players!r}")
    given = list(players)
    if sorted(map(str, given)) != sorted(names):
        wrong = next((name for name in given if name not in names), None)
        hint = suggestion(str(wrong), names) if wrong is not None else ""
        raise LudusError(f"players: {' and '.join(names)}, not {', '.join(map(str, given))}{hint}")


class GeneralsFamily:
    """How the registry finds Generals."""

    @staticmethod
    def names() -> list[str]:
        """The one rule set."""
        return [NAME]

    @staticmethod
    def make(source: Any, players: Any, options: Mapping[str, Any]) -> GeneralsGame:
        """The game by name, or from a mapping that extends it, with options overridden."""
        document: dict[str, Any] = {}
        if isinstance(source, Mapping):
            document = {key: value for key, value in source.items() if key != "extends"}
        elif source != NAME:
            raise UnknownName(f"unknown rule set {source!r}{suggestion(str(source), [NAME])}")
        rules = validate({**document, **options})
        check_players(rules, players)
        if rules.may_not_end:
            warnings.warn(
                "generals: quiet_limit and turn_limit are 0, so a game may not end; playouts stop at max_plies (G22)",
                stacklevel=3,
            )
        return GeneralsGame(rules)

    @staticmethod
    def from_document(document: Mapping[str, Any]) -> GeneralsGame:
        """The game that `document()` described."""
        rules = document.get("rules", {})
        if not isinstance(rules, Mapping):
            raise RulesError(f"rules: a mapping of options, not {rules!r}")
        game = GeneralsGame(validate(rules))
        check_players(game.rules, document.get("players"))
        return game
