"""The rule-set document, typed: each option once, with its default, range, meaning and rule ids."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

TileOffset = Annotated[int, Field(ge=0, strict=True)]

COLOURS = ("green", "yellow", "blue", "red", "purple", "orange", "black", "white")


class ReadOnly(dict[str, str]):
    """A mapping that stays as it was made."""

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise TypeError("a rule set is read-only")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return (ReadOnly, (dict(self),))


def option(default: Any, meaning: str, rules: str = "", **limits: Any) -> Any:
    """One option: its default, what it means, the rule ids it speaks of, and its limits."""
    ids: list[Any] = list(rules.split())
    return Field(default, description=meaning, json_schema_extra={"rules": ids}, **limits)


class Group(BaseModel):
    """A group of options: read-only, unknown keys refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Board(Group):
    """The shared path, the private end paths, and how many sit around them."""

    seats: int = option(4, "arms of the cross: the most that can play", "S2 L4", ge=2, le=8)
    pieces: int = option(4, "pieces of each colour", "S6 L8", ge=1, le=8)
    end_path: int = option(5, "tiles of an end path, the finish not counted", "Z2 S45 T1 F1", ge=1, le=12)
    corners: bool = option(False, "an extra path tile at each inner corner", "S53")
    path: int | None = option(
        None, "tiles of the shared path; left out: (2 × end_path + 3) per arm, one more with corners", "Z2 S52", ge=8
    )
    skipped: int = option(
        1, "path tiles between where a colour turns into its end path and its own entry tile", "Z4 S39", ge=0, le=3
    )


class Chance(Group):
    """What is rolled."""

    dice: int = option(1, "dice in a roll", "S13 F4", ge=1, le=2)
    pool: Literal["one_roll", "double_six"] = option(
        "one_roll",
        "the dice of a turn: one roll, or 6+6 is kept and the dice are rolled again before anything is played",
        "F5 F6",
    )


class Start(Group):
    """How pieces leave the yard."""

    leave_on: tuple[Annotated[int, Field(ge=1, le=6, strict=True)], ...] = option(
        (6,),
        "die faces that bring a piece out onto its entry tile",
        "Z3 S23 T2 F9",
        min_length=1,
        max_length=6,
        strict=False,
    )
    compulsory: bool = option(False, "a die that can bring a piece out must do so")
    clear_entry: bool = option(False, "a piece on the own entry tile must move on while others wait in the yard")
    go_on: Literal["never", "forced_alone"] = option(
        "never",
        "a piece that comes out may go on with dice left as one move, and must when no other piece can move",
        "F29 F30 F31 F32",
    )
    exit_block: Literal["closed", "special"] = option(
        "closed", "a block on the entry tile: no way out, or k sixes bring out k pieces that capture it", "F14 F15 F16"
    )


class Movement(Group):
    """How pieces move."""

    combined_move: Literal["none", "jump", "sweep"] = option(
        "none",
        "several dice as one move of one piece: not at all, as one long step, or tile by tile up to a capture",
        "S51 F20 F21 F22",
    )
    forced_combination: bool = option(False, "a lone piece must use all dice left as one move", "F26 F27 F28")
    share_own: bool = option(True, "pieces of one colour may stand on one tile", "S34 T3 F13")
    stars: tuple[TileOffset, ...] = option(
        (),
        "star tiles, counted from each entry tile: landing on one jumps to the next, from the last to the finish",
        "T3",
        strict=False,
    )


class Capture(Group):
    """What happens to a piece that is landed on."""

    stack: Literal["captured", "punishes"] = option(
        "captured",
        "two or more enemies of one colour on a tile, where they don't block: all captured, or the mover goes home",
        "S35 T8",
    )
    captured_to: Literal["start", "held"] = option(
        "start",
        "where captured pieces go: their own yard, or the captor's zone until bought back with a 6",
        "Z8 S35 F10 F11",
    )
    before_home: bool = option(
        False, "a colour turns into its end path only after its first capture", "Z10 Z11 Z12 Z13"
    )
    freezes: bool = option(False, "a piece that captured does not move again this turn", "F23 F24")


class Block(Group):
    """What two pieces of one side on one tile do."""

    stops: Literal["none", "opponents", "all"] = option(
        "none", "who can neither pass nor land on two or more pieces of one side", "Z6 Z7 S29 T9 F13"
    )
    on_safe: bool = option(False, "two pieces on a safe tile block too", "Z5 F3")
    unblock_duty: bool = option(
        False, "a block right in front of the last piece of a player with all others home must be broken up", "F33 F34"
    )


class Safe(Group):
    """Where pieces can't be captured."""

    tiles: tuple[TileOffset, ...] = option((), "safe tiles, counted from each entry tile", "Z5 F2 T5", strict=False)
    landing: Literal["shares", "punished"] = option(
        "shares", "landing on a safe tile with an enemy: both stay, or the one that lands goes home", "Z5 T5 F3"
    )
    entry: Literal["open", "owner_shares", "owner_punishes"] = option(
        "open",
        "an own entry tile protects its owner: not at all, by sharing it, or by sending home who lands",
        "S24 S36 T6 F2",
    )


class Finish(Group):
    """How pieces come home."""

    rule: Literal["exact", "overshoot", "bounce", "bounce_from_square"] = option(
        "exact",
        "a roll larger than needed: not legal, finishes too, bounces back from the finish, or from the old tile",
        "Z14 S43 T11 F25",
    )
    passing: bool = option(True, "pieces on an end path may pass each other", "Z16 S44")
    places: Literal["one_tile", "end_path"] = option(
        "one_tile", "home is a tile behind the end path, or the end-path tiles themselves", "S46 L37"
    )


class Turn(Group):
    """Who rolls when."""

    first: Literal["seat", "roll_off"] = option(
        "seat", "who begins: the first seat, or the highest roll", "Z20 S14 S15 S16"
    )
    again_on: tuple[Literal["six", "capture", "finish"], ...] = option(
        (), "what gives the same player another roll; reasons don't add up", "Z17 S17 T13", strict=False
    )
    sixes_limit: int = option(
        0, "this many sixes in a row: the last is not played and the turn ends; 0: never", "Z18 S17 T13", ge=0, le=9
    )
    six_without_move: Literal["ends_turn", "rolls_again"] = option(
        "ends_turn", "a 6 that can't be played: the extra roll is lost, or stays", "Z19"
    )
    attempts: int = option(1, "rolls to get out while no piece is in play", "T14", ge=1, le=9)


class Win(Group):
    """How the game ends."""

    play_on: bool = option(False, "play on for the other places after the first is home", "T15")
    returns: Literal["plain", "zero_sum"] = option(
        "plain", "what the winner gets: +1, or one from each loser; losers get -1", "Z21 Z23"
    )


class Modes(Group):
    """Sides and seats."""

    mode: Literal["ffa", "teams"] = option("ffa", "each for itself, or opposite seats as teams of two", "Z21 Z22")
    seating: Literal["opposite", "adjacent"] = option(
        "opposite", "where two players sit: across from each other or side by side", "Z1"
    )


class RuleSet(BaseModel):
    """A whole rule set."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: str = Field(description="the rule set's name", pattern=r"^[a-z][a-z0-9-]{0,39}$")
    version: int = Field(1, description="raised whenever the rules change", ge=1, le=1_000_000)
    title: str = Field("", description="the name for people", max_length=80)
    source: str = Field("", description="where the rules come from", max_length=400)
    cites: Annotated[dict[str, str], AfterValidator(ReadOnly)] = Field(
        default_factory=ReadOnly, description="rule ids for the reasons why a move is not legal"
    )
    board: Board = Board()
    chance: Chance = Chance()
    start: Start = Start()
    movement: Movement = Movement()
    capture: Capture = Capture()
    block: Block = Block()
    safe: Safe = Safe()
    finish: Finish = Finish()
    turn: Turn = Turn()
    win: Win = Win()
    modes: Modes = Modes()

    @property
    def path_length(self) -> int:
        """Tiles of the shared path (S52)."""
        board = self.board
        return board.path or (2 * board.end_path + 3 + board.corners) * board.seats

    @property
    def sixes_limit(self) -> int:
        """Sixes in a row that end a turn; 0 where a 6 gives no other roll anyway."""
        return self.turn.sixes_limit if "six" in self.turn.again_on else 0

    @property
    def arm(self) -> int:
        """Path tiles from one entry tile to the next."""
        return self.path_length // self.board.seats

    @property
    def last_path_distance(self) -> int:
        """Distance from its entry tile of the tile where a colour turns into its end path (Z4)."""
        return self.path_length - 1 - self.board.skipped


GROUPS: dict[str, type[Group]] = {
    "board": Board, "chance": Chance, "start": Start, "movement": Movement, "capture": Capture, "block": Block,
    "safe": Safe, "finish": Finish, "turn": Turn, "win": Win, "modes": Modes,
}  # fmt: skip

# what a group's own name means when it is given a plain value: finish="exact" is finish.rule="exact"
MAIN_OPTION = {"finish": "rule", "block": "stops", "safe": "tiles"}


def contradictions(rules: RuleSet) -> str | None:
    """The first pair of options that can't hold together, in words, or None."""
    board, length = rules.board, rules.path_length
    pooled = rules.chance.dice == 2
    checks = [
        (length % board.seats != 0, f"board.path = {length} does not divide by board.seats = {board.seats}"),
        (rules.arm <= board.skipped + 1, f"board.path = {length} is too short for {board.seats} seats"),
        (length > 240, f"board.path = {length} is longer than 240 tiles"),
        (
            any(t >= rules.arm for t in rules.safe.tiles),
            f"safe.tiles count from an entry tile, so they are below {rules.arm}",
        ),
        (
            any(t >= rules.arm for t in rules.movement.stars),
            f"movement.stars count from an entry tile, so they are below {rules.arm}",
        ),
        (bool(set(rules.safe.tiles) & set(rules.movement.stars)), "safe.tiles and movement.stars share a tile"),
        (bool(rules.movement.stars) and pooled, "movement.stars needs chance.dice = 1"),
        (rules.chance.pool != "one_roll" and not pooled, "chance.pool needs chance.dice = 2"),
        (rules.movement.combined_move != "none" and not pooled, "movement.combined_move needs chance.dice = 2"),
        (
            rules.movement.forced_combination and rules.movement.combined_move == "none",
            "movement.forced_combination needs movement.combined_move",
        ),
        (
            rules.start.go_on != "never" and rules.movement.combined_move == "none",
            "start.go_on needs movement.combined_move",
        ),
        (
            rules.start.exit_block == "special" and rules.capture.captured_to != "held",
            'start.exit_block = "special" needs capture.captured_to = "held"',
        ),
        (
            rules.start.exit_block == "special" and rules.block.stops == "none",
            'start.exit_block = "special" needs block.stops',
        ),
        (rules.capture.captured_to == "held" and not pooled, 'capture.captured_to = "held" needs chance.dice = 2'),
        (rules.block.unblock_duty and rules.block.stops == "none", "block.unblock_duty needs block.stops"),
        (bool(rules.turn.again_on) and pooled, "turn.again_on needs chance.dice = 1"),
        (rules.turn.sixes_limit == 1, "turn.sixes_limit = 1 would forbid every 6; take 0 for never, or 2 and more"),
        (rules.turn.sixes_limit > 0 and pooled, "turn.sixes_limit needs chance.dice = 1"),
        (rules.turn.attempts > 1 and pooled, "turn.attempts needs chance.dice = 1"),
        (
            rules.finish.places == "end_path" and board.end_path < board.pieces,
            'finish.places = "end_path" needs an end-path tile for each piece',
        ),
        (
            rules.finish.places == "end_path" and rules.movement.share_own,
            'finish.places = "end_path" needs movement.share_own = false',
        ),
        (
            rules.finish.places == "end_path" and rules.finish.rule != "exact",
            'finish.places = "end_path" needs finish.rule = "exact"',
        ),
        (
            rules.finish.places == "end_path" and bool(rules.movement.stars),
            'finish.places = "end_path" has no finish for movement.stars to jump to',
        ),
        (not rules.movement.share_own and rules.block.stops != "none", "block.stops needs movement.share_own = true"),
        (rules.win.play_on and rules.modes.mode == "teams", 'win.play_on needs modes.mode = "ffa"'),
        (rules.modes.mode == "teams" and board.seats != 4, 'modes.mode = "teams" needs board.seats = 4'),
        (rules.modes.mode == "teams" and board.pieces > 7, 'modes.mode = "teams" needs board.pieces of at most 7'),
        (len(set(rules.start.leave_on)) < len(rules.start.leave_on), "start.leave_on names a face twice"),
        (len(set(rules.safe.tiles)) < len(rules.safe.tiles), "safe.tiles names a tile twice"),
        (len(set(rules.movement.stars)) < len(rules.movement.stars), "movement.stars names a tile twice"),
        (len(set(rules.turn.again_on)) < len(rules.turn.again_on), "turn.again_on names a reason twice"),
        (rules.start.go_on != "never" and rules.start.leave_on != (6,), "start.go_on needs start.leave_on = [6]"),
        (
            rules.capture.captured_to == "held" and rules.start.leave_on != (6,),
            'capture.captured_to = "held" needs start.leave_on = [6]',
        ),
    ]
    return next((words for broken, words in checks if broken), None)
