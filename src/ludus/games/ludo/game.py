"""A Ludo game: one rule set, its seats, and the answers that the core asks of every game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from typing import Any, NamedTuple

from ludus.core.engine import Engine, Row, twin_of
from ludus.core.errors import IllegalMove, LudusError, RulesError, quoted, suggestion
from ludus.core.game import Game, Move, Position
from ludus.core.messages import Message, look_up
from ludus.core.scene import Recent
from ludus.games.ludo import kernel as k
from ludus.games.ludo import notation, observe, positions
from ludus.games.ludo.board.quick_board import Board, compile_board, steps
from ludus.games.ludo.document import loading as documents
from ludus.games.ludo.document.contradictions import contradictions, general_features
from ludus.games.ludo.document.rules import COLOURS, RuleSet

KERNEL = "ludus.games.ludo.kernel"
PACKAGE = "ludus.games.ludo"
DRAWN = 512  # what is kept of what was drawn last

Place = int | str


class Capture(NamedTuple):
    """A captured piece: its colour and the tile it stood on."""

    colour: str
    tile: int


@dataclass(frozen=True)
class LudoMove:
    """The facts of a move."""

    notation: str
    kind: str
    colour: str
    origin: Place | None
    target: Place | None
    dice: tuple[int, ...]
    path: tuple[Place, ...]
    captures: tuple[Capture, ...]
    finishes: bool
    pieces: int = 1
    lost: int = 0
    sent_home: bool = False
    jumps: bool = False
    bounces: bool = False
    swaps: tuple[Capture, ...] = ()


def seats(rules: RuleSet, players: int | Iterable[str] | None) -> tuple[int, ...]:
    """The arms that are played, in order of play."""
    size = rules.board.seats
    colours = COLOURS[:size]
    if players is None:
        return tuple(range(size))
    if isinstance(players, bool | str):
        raise LudusError(f"players: a number or a list of colours, not {quoted(players)}")
    if isinstance(players, int):
        if not 2 <= players <= size:
            raise LudusError(f"players: {rules.name} takes 2 to {size} players, not {players}")
        if players == 2 and rules.modes.seating == "adjacent":
            return (0, 1)
        return tuple(range(0, size, size // players)) if size % players == 0 else tuple(range(players))
    if not isinstance(players, Iterable):
        raise LudusError(f"players: a number or a list of colours, not {quoted(players)}")
    names = list(islice(players, len(COLOURS) + 1))
    for name in names:
        if name not in colours:
            shown = repr(name)[:40]
            hint = suggestion(str(name)[:40], colours)
            raise LudusError(f"players: unknown colour {shown}{hint}; there are {', '.join(colours)}")
    if len(set(names)) != len(names) or not 2 <= len(names) <= size:
        raise LudusError(f"players: 2 to {size} different colours, not {', '.join(map(str, names)) or 'none'}")
    return tuple(sorted(colours.index(name) for name in names))


class LudoGame(Game):
    """A rule set with its seats."""

    bot_kernels = ("ludus.games.ludo.kernel_bots", "ludus.games.ludo.kernel_reading")

    def __init__(self, rules: RuleSet, arms: tuple[int, ...]) -> None:
        if rules.modes.mode == "teams" and len(arms) != 4:
            raise RulesError(f'modes.mode = "teams" needs four players, not {len(arms)} (Z22)')
        self._rules, self.arms = rules, arms
        self.name = rules.name
        self.players = tuple(COLOURS[arm] for arm in arms)
        self.board: Board = compile_board(rules, arms)
        self.engine = Engine(twin_of(KERNEL), self.board.tables, self.board.scratch_size)
        self.num_actions = self.board.field(k.A_PASS) + 1
        self.moves_at = self.board.field(k.S_MOVES)
        self.set_number = {counts: number for number, counts in enumerate(self.board.sets)}
        self._weights = {",".join(map(str, dice)): weight for weight, dice in self.board.outcomes}

    @property
    def rules(self) -> RuleSet:
        """The validated rule set, read-only."""
        return self._rules

    @property
    def player_counts(self) -> tuple[int, ...]:
        """From two to the arms of the board; teams are two pairs (Z22)."""
        return (4,) if self._rules.modes.mode == "teams" else tuple(range(2, self._rules.board.seats + 1))

    def document(self) -> dict[str, Any]:
        """Rules and seats as plain data."""
        return {"family": "ludo", "rules": self._rules.model_dump(mode="json"), "players": list(self.players)}

    def start_row(self) -> list[int]:
        """All pieces in their yards; the first seat rolls, or all roll off."""
        row = [0] * self.board.field(k.ROW_SIZE)
        row[k.STAGE] = k.CHANCE
        for at in range(self.num_players * self._rules.board.pieces):
            row[k.PIECE_0 + at] = self.board.field(k.START)
        if self._rules.turn.first == "roll_off":
            row[k.ROLLOFF_IN] = (1 << self.num_players) - 1
        return row

    def row_of(self, data: Mapping[str, Any]) -> list[int]:
        """Plain data → row."""
        return positions.Reader(self.board, self.players, data).read()

    def to_dict(self, row: Row) -> dict[str, Any]:
        """Row → plain data."""
        return positions.to_dict(self.board, self.players, plain(row))

    def key(self, row: Row) -> tuple[Any, ...]:
        """What makes two positions equal."""
        return positions.key(self.board, plain(row))

    def chance_weights(self, row: Row) -> dict[str, int]:
        """The rolls and their weights."""
        return self._weights

    def rule_of_chance(self, row: Row, text: str) -> str | None:
        """The rule by which the dice are rolled before anything is played."""
        return self._rules.cites.get("roll_due")

    def title(self, lang: str = "en") -> str:
        """The rule set's name for people; the shipped ones have it in every language."""
        return look_up(PACKAGE, f"title.{self.name}", lang) or self._rules.title or self.name

    def source(self, lang: str = "en") -> str:
        """Where the rules come from."""
        return look_up(PACKAGE, f"source.{self.name}", lang) or self._rules.source

    def hints(self, row: Row, lang: str) -> list[str]:
        """The duty to unblock, and why a stack in the way is free of it (F33, F36, F37)."""
        return [say(key, lang, "hint", tile=tile) for tile, key in duties(self, plain(row))]

    def outcome_name(self, text: str) -> str:
        """Dice larger first; any order is accepted."""
        dice = super().outcome_name(text).split(",")
        return ",".join(sorted(dice, reverse=True))

    def masked_actions(self, row: Row) -> list[int]:
        """Every legal action: each piece that stands where a listed one does."""
        engine = self.engine
        count = len(self.legal_actions(row))
        mask = [0] * self.num_actions
        k.mark_legal(plain(row), self.board.tables, engine.scratch, count, mask, 0)
        return [action for action, is_legal in enumerate(mask) if is_legal]

    def checked_action(self, position: Position, action: int) -> int:
        """The lowest action id of the same move."""
        row, tables, pieces = plain(position.row), self.board.tables, self._rules.board.pieces
        legal = self.legal_actions(row)
        if action in legal:
            return action
        end = tables[k.A_OUT] if tables[k.POOLED] else pieces
        if action < end:
            seat = k.mover(row, tables)
            node = row[k.slot(tables, seat, action % pieces)]
            for other in range(action - action % pieces, action):
                same = row[k.slot(tables, seat, other % pieces)] == node
                if same and other in legal and not k.is_frozen(row, action % pieces):
                    return other
        raise self.why_not(row, action)

    def parse(self, position: Position, text: str) -> int:
        """Notation → action id."""
        row = plain(position.row)
        action = notation.Parser(self, position, text).action()
        if action in self.legal_actions(row):
            return action
        raise self.why_not(row, action)

    def why_not(self, row: list[int], action: int) -> IllegalMove:
        """The error that says why an action is not legal."""
        engine = self.engine
        code = int(engine.kernel.why_api(engine.view(row), engine.tables, engine.scratch, action))
        name = notation.REASONS.get(code, "no_such_move")
        values = {
            "faces": self.faces_in_words(),
            "dice": self._dice_in_words(action),
            "count": self._block_size(action),
        }
        if name == "no_such_move":
            values["text"] = str(action)
        return IllegalMove(Message(PACKAGE, name, values), self._rules.cites.get(name))

    def faces_in_words(self) -> Message:
        """The faces that bring a piece out, as 'a 6' or 'a 1 or a 6'."""
        faces = sorted(self._rules.start.leave_on)
        return Message(
            PACKAGE, f"faces_{min(len(faces), 2)}", {"first": faces[0], "all": ", ".join(map(str, faces))}, "words"
        )

    def _dice_in_words(self, action: int) -> str:
        tables = self.board.tables
        if not tables[k.POOLED] or action >= tables[k.A_BUY] or tables[k.A_OUT] <= action < tables[k.A_OUT_ON]:
            return "6"
        number = action // tables[k.PIECES] if action < tables[k.A_OUT] else action - tables[k.A_OUT_ON]
        return "+".join(map(str, notation.dice_of_set(self.board.sets[number])))

    def _block_size(self, action: int) -> int:
        return action - self.board.field(k.A_SPECIAL) + 2

    def result_of(self, row: Row) -> dict[str, float]:
        """+1 to the winners and -1 to the others; zero-sum, or by place, where the rules say so."""
        tables = self.board.tables
        return {player: k.prize(row, tables, [], seat) for seat, player in enumerate(self.players)}

    def action_ranges(self) -> list[tuple[str, str]]:
        """The blocks of the action space (decision 009)."""
        return observe.action_blocks(self.board.tables, sorted(self._rules.start.leave_on))

    @cached_property
    def observation_names(self) -> list[str]:
        """What each index of an observation means."""
        return observe.layout(self.board.tables, self.players)

    def observe(self, row: Row, seat: int) -> Any:
        """float32[len(observation_names)] in [0, 1]."""
        import numpy as np

        engine = self.engine
        out = np.zeros(len(self.observation_names), dtype=np.float32)
        engine.kernel.observe_api(engine.view(row), engine.tables, engine.scratch, seat, out)
        return out

    def detail(self, position: Position, action: int) -> LudoMove:
        """The facts of a legal move, found by playing it on a copy."""
        row = plain(position.row)
        engine = self.engine
        after = engine.copy(row)
        engine.kernel.apply_api(after, engine.tables, engine.scratch, action)
        return describe_facts(self, row, plain(after), int(engine.scratch[k.LANDED]), action)

    def describe(self, move: Move, lang: str) -> str:
        """A move in words: 'sweeps, captures yellow on 25, loses 5'."""
        return in_words(move.detail, lang, self._rules.movement.combined_move == "sweep")

    def draw_text(self, position: Position, colour: bool, lang: str = "en") -> str:
        """The board for a terminal."""
        from ludus.games.ludo.picture import terminal

        return terminal.draw(self, position, colour, lang)

    def draw_svg(self, position: Position, **options: Any) -> str:
        """The board as SVG."""
        from ludus.games.ludo.picture import svg as draw

        return draw.svg(self, position, **options)

    def scene(self, lang: str = "en") -> dict[str, Any]:
        """The board as plain data."""
        from ludus.games.ludo.picture import scene

        return dict(scene.of_game(self, lang))

    @cached_property
    def drawn(self) -> Recent:
        """What was drawn last of this game's positions."""
        return Recent(DRAWN)

    def scene_at(self, position: Position, lang: str) -> dict[str, Any]:
        """A position as plain data."""
        from ludus.games.ludo.picture import scene

        return dict(scene.of_position(self, position, lang))

    def tries(self, position: Position, player: str, place: str) -> list[str | int]:
        """Each die with the piece on a place: out of the yard, back from a captor, or on."""
        prefix, where = "" if player == position.turn else f"{player}:", place.rpartition("/")[2]
        if where in ("start", "finish") or where.startswith("held"):
            word = {"start": "out", "finish": "finish+1"}.get(where, "buy")
            return [prefix + word]
        dice = sorted(set(position.to_dict().get("dice", ())), reverse=True)
        return [f"{prefix}{where}+{die}" for die in dice]

    def __reduce__(self) -> tuple[Any, ...]:
        return (LudoGame, (self._rules, self.board.arms))


def plain(row: Row) -> list[int]:
    """A row as a list of Python integers."""
    values: list[int] = row if isinstance(row, list) else row.tolist()
    return values


def describe_facts(game: LudoGame, row: list[int], after: list[int], landed: int, action: int) -> LudoMove:
    """What a move did, from the rows before and after it."""
    board, tables = game.board, game.board.tables
    seat = k.mover(row, tables)
    text, colour = notation.write(game, row, action), game.players[seat]
    place = partial(positions.place_name, board, game.players)
    kind = kind_of(tables, row, seat, action)
    if kind == "pass":
        return LudoMove(text, kind, colour, None, None, (), (), (), False)
    if kind == "buy":
        held = min(n for n in row[k.slot(tables, seat, 0) : k.slot(tables, seat + 1, 0)] if n >= tables[k.HELD])
        return LudoMove(text, kind, colour, place(held), "start", (6,), (), (), False)
    captures = tuple(
        Capture(game.players[other], row[at])
        for other in range(game.num_players)
        for at in range(k.slot(tables, other, 0), k.slot(tables, other + 1, 0))
        if other != seat and row[at] < tables[k.TILES] and after[at] >= tables[k.START]
    )
    if kind == "special":
        count = action - tables[k.A_SPECIAL] + 2
        entry = board.entry(seat)
        return LudoMove(text, kind, colour, "start", entry, (6,) * count, (entry,), captures, False, count)
    origin, dice, way = _way(game, row, seat, action)
    ends_home = landed == tables[k.START]
    route = way[: way.index(landed) + 1] if landed in way and kind in ("combined", "out_and_on") else list(way)
    surplus = sum(dice) - (6 if kind == "out_and_on" else 0) - len(steps_only(route, kind))
    star = star_jump(game, row, seat, route[-1]) if route and surplus == 0 else None
    jumps = star is not None
    bounces = game.rules.finish.rule.startswith("bounce") and surplus > 0 and kind == "move"
    if star is not None or bounces:
        route.append(landed if star is None else star)
    name = [place(node) for node in route]
    lane_home = game.rules.finish.places == "end_path" and landed >= tables[k.TILES] and landed < tables[k.FINISH]
    return LudoMove(
        text, kind, colour, place(origin), place(landed), dice, tuple(name), captures,
        landed == tables[k.FINISH] or (lane_home and origin < tables[k.TILES]),
        lost=surplus if kind in ("combined", "out_and_on") and captures else 0,
        sent_home=ends_home, jumps=jumps, bounces=bounces,
    )  # fmt: skip


def star_jump(game: LudoGame, row: list[int], seat: int, tile: int) -> int | None:
    """Where the star on a tile takes a piece that lands there and is not sent home (T3, T4), or None."""
    tables = game.board.tables
    if tile >= tables[k.TILES]:
        return None
    bank = row[tables[k.R_CAPTURED] + seat] if tables[k.BANKED] else 0
    star = tables[tables[k.T_STAR] + (bank * tables[k.PLAYERS] + seat) * tables[k.TILES] + tile]
    if star < 0:
        return None
    scratch = [0] * game.board.scratch_size
    k.scan(row, tables, scratch)
    return star if k.meets(row, tables, scratch, seat, tile) != k.PUNISHED else None


def steps_only(route: list[int], kind: str) -> list[int]:
    """The tiles of a route that cost a step: coming out onto the entry tile costs its 6 alone."""
    return route[1:] if kind == "out_and_on" else route


def kind_of(tables: list[int], row: list[int], seat: int, action: int) -> str:
    """What kind of move an action is: move, combined, out, out_and_on, buy, special or pass."""
    if action == tables[k.A_PASS]:
        return "pass"
    if not tables[k.POOLED]:
        return "out" if row[k.slot(tables, seat, action)] == tables[k.START] else "move"
    if action < tables[k.A_OUT]:
        return "move" if k.set_size(tables, action // tables[k.PIECES]) == 1 else "combined"
    if action < tables[k.A_OUT_ON]:
        return "out"
    if action < tables[k.A_BUY]:
        return "out_and_on"
    return "buy" if action < tables[k.A_SPECIAL] else "special"


def _way(game: LudoGame, row: list[int], seat: int, action: int) -> tuple[int, tuple[int, ...], list[int]]:
    """Origin, dice used, and every node that the dice reach over."""
    board, tables = game.board, game.board.tables
    entry = board.entry(seat)
    is_open = not tables[k.BANKED] or bool(row[tables[k.R_CAPTURED] + seat])
    kind = kind_of(tables, row, seat, action)
    if kind == "out":
        faces = sorted(game.rules.start.leave_on)
        face = faces[action - tables[k.A_OUT]] if tables[k.POOLED] else row[k.DIE]
        return tables[k.START], (face,), [entry]
    if kind == "out_and_on":
        dice = notation.dice_of_set(board.sets[action - tables[k.A_OUT_ON]])
        return tables[k.START], (6, *dice), [entry, *steps(board, is_open, seat, entry, sum(dice))]
    piece = action % tables[k.PIECES] if tables[k.POOLED] else action
    node = row[k.slot(tables, seat, piece)]
    dice = notation.dice_of_set(board.sets[action // tables[k.PIECES]]) if tables[k.POOLED] else (row[k.DIE],)
    return node, dice, steps(board, is_open, seat, node, sum(dice))


def say(key: str, lang: str, section: str = "does", **values: Any) -> str:
    """A phrase of the catalogue."""
    return Message(PACKAGE, key, values, section).text(lang)


def in_words(move: LudoMove, lang: str, sweeps: bool = True) -> str:
    """A move's effect as a phrase; where it goes is said once."""
    target = place_in_words(move.target, lang)
    effects = [_capture_in_words(move, taken, lang) for taken in dict.fromkeys(move.captures)]
    for key in ("bounces", "jumps", "sent_home", "finishes"):
        if getattr(move, key):
            effects.append(say(key, lang, target=place_in_words(move.path[-1], lang)))
    if move.lost:
        effects.append(say("loses", lang, count=move.lost))
    kind = "move" if move.kind == "combined" and not sweeps else move.kind
    told = move.bounces or move.jumps or move.sent_home or move.target == "finish"
    if told or any(taken.tile == move.target for taken in move.captures):
        if kind == "move":
            return ", ".join(effects)
        kind = {"combined": "combined_there", "out_and_on": "out_and_on_there"}.get(kind, kind)
    return ", ".join([say(kind, lang, target=target, count=move.pieces), *effects])


def _capture_in_words(move: LudoMove, taken: Capture, lang: str) -> str:
    count = move.captures.count(taken)
    key = "captures" if count == 1 else "captures_many"
    return say(key, lang, colour=say(taken.colour, lang, "colour"), tile=taken.tile, count=count)


def place_in_words(place: Place | None, lang: str) -> str:
    """A place for people."""
    if isinstance(place, int):
        return say("tile", lang, "place", tile=place)
    if place == "start":
        return say("the_yard", lang, "place")
    return say("the_finish", lang, "place") if place == "finish" else str(place)


def duties(game: LudoGame, row: list[int]) -> list[tuple[int, str]]:
    """(tile, what holds) of each stack right in front of another player's last piece, at the beginning of a turn."""
    tables, scratch = game.board.tables, [0] * game.board.scratch_size
    if not tables[k.DUTY] or row[k.STAGE] != k.DECISION or row[k.UNBLOCKED]:
        return []
    seat = k.mover(row, tables)
    k.scan(row, tables, scratch)
    listed = scratch[tables[k.S_MOVES] : tables[k.S_MOVES] + k.list_pool_moves(row, tables, scratch)]
    moved = {row[k.slot(tables, seat, a % tables[k.PIECES])] for a in listed if a < tables[k.A_OUT]}
    found = []
    for tile in sorted({n for n in row[k.slot(tables, seat, 0) : k.slot(tables, seat + 1, 0)] if n < tables[k.TILES]}):
        if k.stands_in_the_way(row, tables, seat, tile):
            ahead = tables[tables[k.T_ROUTE] + k.route_index(row, tables, seat, tile, 1)]
            chained = 0 <= ahead < tables[k.TILES] and k.stops_at(tables, scratch, ahead)
            found.append((tile, "must_unblock" if tile in moved else "chained" if chained else "cannot_unblock"))
    return found


def game_of(rules: RuleSet, arms: tuple[int, ...], plugins: Any = None) -> LudoGame:
    """A rule set on the kernel that plays it: the quick one, the general one, or that with plug-ins."""
    if rules.plugins or plugins:
        from ludus.games.ludo.plugins import PluggedGame, with_plugins

        return PluggedGame(*_with_arms(arms, *with_plugins(rules, plugins)))
    if not general_features(rules):
        return LudoGame(rules, arms)
    from ludus.games.ludo.opengame import OpenGame

    return OpenGame(rules, arms)


def _with_arms(
    arms: tuple[int, ...], rules: RuleSet, plugins: tuple[Any, ...]
) -> tuple[RuleSet, tuple[int, ...], tuple[Any, ...]]:
    words = contradictions(rules)
    if words:
        raise RulesError(f"{rules.name}: {words}")
    return rules, arms, plugins


class LudoFamily:
    """How the registry finds Ludo games."""

    @staticmethod
    def names() -> list[str]:
        """The shipped rule sets."""
        return documents.shipped()

    @staticmethod
    def make(source: Any, players: Any, options: Mapping[str, Any]) -> LudoGame:
        """A game from a name, a path or a mapping, with options overridden; `plugins` allows rules in Python."""
        plugins = options.get("plugins")
        rules = documents.load(source, {key: value for key, value in options.items() if key != "plugins"})
        return game_of(rules, seats(rules, players), plugins)

    @staticmethod
    def from_document(document: Mapping[str, Any], plugins: Any = None) -> LudoGame:
        """The game that `document()` described."""
        rules = documents.validate(document.get("rules", {}), "rules")
        return game_of(rules, seats(rules, document.get("players")), plugins)
