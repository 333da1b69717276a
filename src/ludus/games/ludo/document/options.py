"""The options of a rule-set document, group by group: each once, with its default, range, meaning and rule ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from ludus.core.game import MOST_SEATS
from ludus.games.ludo.document.conditions import COUNTED, Condition, condition

TileOffset = Annotated[int, Field(ge=0, strict=True)]
# a tile of the path by its number, or by its name; "end:2" and "finish" are a colour's own
TileName = Annotated[int, Field(ge=0, le=999, strict=True)] | Annotated[str, Field(pattern=r"^[a-z][a-z0-9_:-]{0,23}$")]
Distance = Annotated[int, Field(ge=-60, le=60, strict=True)]
Weight = Annotated[int, Field(ge=1, le=1000, strict=True)]
TOKENS = Field(strict=False, min_length=1, max_length=24)
PUBLIC_BOOKS = "SL"
Chain = Annotated[str, Field(max_length=2000)]


class ReadOnly(dict[str, Any]):
    """A mapping that stays as it was made."""

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise TypeError("a rule set is read-only")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return (ReadOnly, (dict(self),))


def option(default: Any, meaning: str, rules: str = "", **limits: Any) -> Any:
    """One option: its default, what it means, the rule ids it speaks of, and its limits.

    Users see those of Strict and Loose Ludo: ids of the books of single games tell users of others nothing.
    """
    ids: list[Any] = [rule for rule in rules.split() if rule[0] in PUBLIC_BOOKS]
    if "default_factory" in limits:
        return Field(description=meaning, json_schema_extra={"rules": ids}, **limits)
    return Field(default, description=meaning, json_schema_extra={"rules": ids}, **limits)


def with_while(meaning: str) -> Callable[[dict[str, Any]], None]:
    """Adds to a JSON Schema the key `while`, which is read into others."""

    def extend(schema: dict[str, Any]) -> None:
        texts = [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]
        schema["properties"]["while"] = {"description": meaning, "anyOf": texts}
        schema["required"] = [key for key in schema.get("required", []) if key != "when"]

    return extend


class Group(BaseModel):
    """A group of options: read-only, unknown keys refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Board(Group):
    """The shared path, the private end paths, and how many sit around them."""

    shape: Literal["cross", "ring", "graph"] = option(
        "cross", "a cross with an arm for each seat, a ring, or nothing but the tiles that board.paths name", "L6 L21"
    )
    seats: int = option(4, "arms of the cross: the most that can play", "S2 L4", ge=2, le=MOST_SEATS)
    pieces: int = option(4, "pieces of each colour", "S6 L8", ge=1, le=15)
    end_path: int = option(5, "tiles of an end path, the finish not counted", "Z2 S45 T1 F1", ge=0, le=12)
    corners: bool = option(False, "an extra path tile at each inner corner", "S53")
    path: int | None = option(
        None, "tiles of the shared path; left out: (2 × end_path + 3) per arm, one more with corners", "Z2 S52", ge=8
    )
    skipped: int = option(
        1,
        "path tiles between where a colour turns into its end path and its own entry tile; -1: on that tile itself, "
        "when it comes there again and if it likes",
        "Z4 S39",
        ge=-1,
        le=30,
    )
    travel: Literal["clockwise", "anticlockwise"] = option(
        "clockwise", "which way round pieces travel on a cross or a ring", "S26 L29"
    )
    paths: tuple[Chain, ...] = option(
        (),
        "chains of tiles, 'a > b > c', '1..20 > 1', 'g1..g4': ways beside those of the shape; 'green: 20 > finish' is "
        "green's",
        "L6 L21 L26",
        max_length=200,
        strict=False,
    )
    same: tuple[Chain, ...] = option(
        (),
        "tiles that are one square under two names because ways lead over it twice, 'back1..back7 = out7..out1': "
        "whoever stands on either meets there, and they are drawn as one",
        "L21 L28",
        max_length=60,
        strict=False,
    )
    jumps: tuple[Chain, ...] = option(
        (),
        "one-way jumps, '7 > 30': a piece that lands on the first goes on to the second",
        "L21 L28",
        max_length=100,
        strict=False,
    )
    map: str = option(
        "",
        "the board as people know it: lines of tile names, a full stop for an empty cell; what is not drawn lies "
        "evenly between what is; 'finish', 'green:start' and 'green:end:0' may be drawn too",
        "L21",
        max_length=8000,
    )


class Card(Group):
    """A card of the deck: how far a piece goes, or what else it does."""

    name: str = option(..., "the card's name", "L14", pattern=r"^[a-z0-9][a-z0-9_-]{0,19}$")
    count: int = option(1, "such cards in the deck", "L14 L16", ge=1, le=99)
    distance: Distance = option(0, "tiles that a piece moves, backward below 0; 0: none", "L28 L29")
    moves: Literal["own", "opponent", "any"] = option("own", "whose piece it moves", "L9")
    effect: Literal["none", "swap", "out"] = option(
        "none", "instead of a distance: swap an own piece with an opponent's, or bring a piece out", "L14 L24"
    )
    then: Literal["nothing", "again", "skip", "skip_next", "reverse"] = option(
        "nothing", "what follows: draw again, miss a turn, the next misses a turn, the order of play turns round", "L18"
    )


class Chance(Group):
    """What is rolled."""

    device: Literal["dice", "cowries", "sticks", "spinner", "cards"] = option(
        "dice",
        "what decides: dice, two-sided cowries or sticks of which those that lie up count, a spinner, cards",
        "L14",
    )
    dice: int = option(1, "dice in a roll; cowries or sticks in a throw", "S13 F4 L14", ge=1, le=8)
    faces: tuple[Distance, ...] = option(
        (1, 2, 3, 4, 5, 6),
        "the faces of a die, the sectors of a spinner: distances",
        "L14 L29",
        min_length=1,
        max_length=36,
        strict=False,
    )
    weights: tuple[Weight, ...] = option(
        (),
        "how likely the faces are, in their order; of cowries and sticks: down, up; left out: all alike",
        "L16",
        max_length=36,
        strict=False,
    )
    throws: tuple[Distance, ...] = option(
        (),
        "what 0, 1, 2 … cowries or sticks up are worth; left out: their number",
        "L14 L29",
        max_length=9,
        strict=False,
    )
    marked: Distance | None = option(
        None, "what one cowrie or stick up is worth where it is the marked one; left out: none is marked", "L14 L29"
    )
    use: Literal["each", "sum"] = option("each", "several dice are moves of their own, or one of their sum", "S47 L29")
    cards: tuple[Card, ...] = option((), "the deck", "L14", max_length=60, strict=False)
    replacement: bool = option(True, "a drawn card goes back at once; if not, when the deck is empty", "L14")
    pool: Literal["one_roll", "double_six"] = option(
        "one_roll",
        "the dice of a turn: one roll, or 6+6 is kept and the dice are rolled again before anything is played",
        "F5 F6",
    )
    tokens: Annotated[
        dict[Annotated[str, Field(max_length=20)], Annotated[tuple[Annotated[str, Field(max_length=40)], ...], TOKENS]],
        AfterValidator(ReadOnly),
    ] = option(
        None,
        "what comes up and the ways to play it, '6' = ['out', '6']: a value, a card's name, 'a+b=5' or 'a=b'; "
        "a distance, 'out', 'out@6' onto the sixth tile, 'out+out', 'split 7', 'swap', 'strike'; left out: its number",
        "L14 L24 L29",
        max_length=60,
        default_factory=ReadOnly,
    )
    hold: Annotated[str, Field(pattern=r"^(roll|turn|hand( [1-9]\d?){1,12})$")] = option(
        "roll",
        "where what came up waits: 'roll', it is played before the next roll; 'turn', rolls that give another are "
        "saved and played together, in any order; 'hand 6 5 4', cards are dealt to hands that only their owners see, "
        "so many in each deal, and each turn one is played",
        "L18 L29",
    )
    exchange: bool = option(False, "after a deal each gives a card of the hand to the partner, all at once", "L14")
    unplayable: Literal["fold", "discard"] = option(
        "fold", "who can play no card of the hand: throws all of them away, or one", "L14"
    )


class Start(Group):
    """How pieces leave the yard."""

    leave_on: tuple[Distance, ...] = option(
        (6,),
        "die faces that bring a piece out onto its entry tile",
        "Z3 S23 T2 F9 L24 L25",
        max_length=36,
        strict=False,
    )
    enter: Literal["entry", "distance"] = option(
        "entry",
        "where a piece comes out: on its entry tile, or as far on its way as was rolled, the entry tile counted",
        "S24 L24 L26",
    )
    protects: Literal["no", "until_moved"] = option(
        "no",
        "a piece that came out onto its entry tile: as any other, or nobody passes, lands, captures or exchanges it "
        "until it has moved, and it does not turn into its end path at once",
        "L26 L33",
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
    branch: Literal["anywhere", "from_rest"] = option(
        "anywhere",
        "where ways part a piece may turn off: whenever it comes by, or only when its move begins there",
        "L21 L28",
    )
    backward: Literal["to_entry", "round"] = option(
        "to_entry",
        "how far pieces go back: to their entry tile, or round the path, so that it may lie before them again; not out "
        "of a goal",
        "L28 L29",
    )
    may_move: Literal["own", "team", "all"] = option(
        "own", "whose pieces a player may move: its own, its partner's too at any time, or everybody's", "S7 L9"
    )


class Capture(Group):
    """What happens to a piece that is landed on."""

    stack: Literal["captured", "punishes"] = option(
        "captured",
        "two or more enemies of one colour on a tile, where they don't block: all captured, or the mover goes home",
        "S35 T8",
    )
    by: Literal["landing", "passing", "sweep", "none"] = option(
        "landing",
        "landing on enemies, passing them too, stopping at the first that is met, or never",
        "S35 F21 L32 L33",
    )
    captured_to: Literal["start", "held", "back"] = option(
        "start",
        "where captured pieces go: their own yard, the captor's zone until bought back, or some tiles back",
        "Z8 S35 F10 F11 L33",
    )
    tiles_back: int = option(
        5, "tiles that a captured piece goes back; before its entry tile: home", "L33", ge=1, le=60
    )
    capture_bonus: int = option(0, "a move of so many tiles for each piece captured; 0: none", "L18 L33", ge=0, le=60)
    duty: bool = option(False, "who can capture must capture", "L29")
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
    moves_on: bool = option(
        True, "two pieces that leave a tile with one roll may stand together again, on another tile", "S29 L33"
    )
    unblock_duty: bool = option(
        False, "a block right in front of the last piece of a player with all others home must be broken up", "F33 F34"
    )


class Safe(Group):
    """Where pieces can't be captured."""

    tiles: tuple[TileOffset, ...] = option((), "safe tiles, counted from each entry tile", "Z5 F2 T5", strict=False)
    at: tuple[TileName, ...] = option((), "safe tiles by number or name", "L29 L33", max_length=240, strict=False)
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

    rule: Literal["exact", "overshoot", "bounce", "bounce_from_square", "stairs"] = option(
        "exact",
        "a roll larger than needed: not legal, finishes too, bounces back from the finish, or from the old tile; "
        "or stairs: the end path is climbed step by step, each with its own number, after an exact roll to its foot",
        "Z14 S43 T11 F25 L36",
    )
    passing: bool = option(True, "pieces on an end path may pass each other", "Z16 S44")
    places: Literal["one_tile", "end_path"] = option(
        "one_tile", "home is a tile behind the end path, or the end-path tiles themselves", "S46 L37"
    )
    finish_bonus: int = option(0, "a move of so many tiles for each piece that comes home; 0: none", "L18", ge=0, le=60)


class Turn(Group):
    """Who rolls when."""

    first: Literal["seat", "roll_off", "lot"] = option(
        "seat", "who begins: the first seat, the highest roll, or who is drawn by lot", "Z20 S14 S15 S16 L17"
    )
    direction: Literal["clockwise", "anticlockwise"] = option("clockwise", "the order of play", "S26 L17")
    again_on: tuple[Literal["six", "capture", "finish", "doubles"], ...] = option(
        (), "what gives the same player another roll; reasons don't add up", "Z17 S17 T13 L18", strict=False
    )
    again_values: tuple[Distance, ...] = option(
        (), "rolled values that give another roll, beside those of again_on", "L18", max_length=36, strict=False
    )
    lose_on: tuple[Distance, ...] = option(
        (), "rolled values that end the turn unplayed", "L18", max_length=36, strict=False
    )
    skip_on: tuple[Distance, ...] = option(
        (), "rolled values after which the player misses the next turn", "L18", max_length=36, strict=False
    )
    reverse_on: tuple[Distance, ...] = option(
        (), "rolled values that turn the order of play round", "L17", max_length=36, strict=False
    )
    may_pass: bool = option(False, "a player may pass although a move is legal", "L29 L30")
    sixes_limit: int = option(
        0, "this many sixes in a row: the last is not played and the turn ends; 0: never", "Z18 S17 T13", ge=0, le=9
    )
    sixes_row: Literal["within_turn", "across_turns"] = option(
        "within_turn",
        "sixes in a row, with sixes_limit: those of one turn, or of all rolls of a colour, whatever turns lie between",
        "Z18",
    )
    six_without_move: Literal["ends_turn", "rolls_again"] = option(
        "ends_turn", "a 6 that can't be played: the extra roll is lost, or stays", "Z19"
    )
    attempts: int = option(
        1, "rolls to get out while no piece is in play; those at their goal are not", "T14", ge=1, le=9
    )
    duties: tuple[Annotated[str, Field(max_length=30)], ...] = option(
        (),
        "what must be done first where it can be, in this order, each 'on double' or 'on 6' if only then: unblock, "
        "capture, clear_entry, out, break_block (a piece off a tile with two of its own), leave_entry (whether others "
        "wait or not)",
        "L29",
        max_length=8,
        strict=False,
    )


class Squares(Group):
    """Tiles that do something to whoever lands there."""

    roll_again: tuple[TileName, ...] = option((), "tiles that give another roll", "L18", max_length=240, strict=False)
    miss_turn: tuple[TileName, ...] = option((), "tiles that cost the next turn", "L18", max_length=240, strict=False)
    turn_round: tuple[TileName, ...] = option(
        (), "tiles that turn the order of play round", "L17", max_length=240, strict=False
    )
    send_home: tuple[TileName, ...] = option(
        (), "tiles from which a piece goes back to its yard", "L28", max_length=240, strict=False
    )


class Win(Group):
    """How the game ends."""

    condition: Literal["home", "last_out", "score"] = option(
        "home",
        "bring the pieces home first; not be the last who has some left; or be the first with a score",
        "S12 L13 L20",
    )
    needed: int = option(0, "pieces that must be home; 0: all", "S12 L20", ge=0, le=15)
    ranks: int = option(0, "places that are played for with play_on; 0: all", "L20", ge=0, le=12)
    score: int = option(0, "points that win, with condition = 'score'", "L20", ge=0, le=1000)
    purse: int = option(0, "points that everybody begins with, to be staked", "L20", ge=0, le=1000)
    home_points: int = option(1, "points for a piece that comes home", "L20", ge=0, le=100)
    capture_points: int = option(0, "points for a piece captured", "L20", ge=0, le=100)
    turn_limit: int = option(
        0, "turns after which the game ends and the best so far wins; 0: none", "S19 L20", ge=0, le=10_000
    )
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


def colours_of_player(value: Any) -> Any:
    """The colours of one player: a list, or the same in a text, "green blue"."""
    return value.split() if isinstance(value, str) else value


ColoursOfPlayer = Annotated[
    tuple[str, ...], BeforeValidator(colours_of_player), Field(strict=False, max_length=MOST_SEATS)
]


class Players(Group):
    """Who plays which colours."""

    controls: tuple[ColoursOfPlayer, ...] = option(
        (),
        "the colours of each player, two each, in order of play; empty: a colour each, or partners (modes.mode)",
        "S7 L9",
        max_length=MOST_SEATS,
        strict=False,
    )


class Change(Group):
    """A rule that changes during the game."""

    model_config = ConfigDict(json_schema_extra=with_while("when = 'yard empty' and lasts = 'while' in short"))

    name: str = option("", "what the change is called", "L2", pattern=r"^[a-z0-9 _-]{0,40}$")
    when: str = option(
        ...,
        "what is counted: captures, lost, home, turns, or tile where one is reached; or a condition: 'yard empty'",
        "L2",
        max_length=60,
    )
    at_least: int = option(1, "how many", "L2", ge=1, le=10_000)
    tile: TileName | None = option(None, "the tile, with when = 'tile'", "L2")
    scope: Literal["own", "all"] = option("own", "for whom: the colour that did it, or everybody", "L2")
    lasts: Literal["for_good", "while"] = option("for_good", "from then on, or as long as the condition is met", "L2")
    set: Annotated[dict[str, Any], AfterValidator(ReadOnly)] = option(
        ...,
        "options and the values that they have from then on: 'block.stops' = 'none'",
        "L2",
        min_length=1,
        max_length=40,
    )

    @model_validator(mode="before")
    @classmethod
    def _in_full(cls, row: Any) -> Any:
        """`while = "yard empty"` is short for `when` with `lasts = "while"`."""
        if not (isinstance(row, Mapping) and "while" in row) or {"when", "lasts"} & row.keys():
            return row
        return {key: value for key, value in row.items() if key != "while"} | {"when": row["while"], "lasts": "while"}

    @property
    def condition(self) -> Condition:
        """What must be met, a tile that is reached apart: 'captures' with at_least is short for 'captures >= n'."""
        return condition(f"{self.when} >= {self.at_least}" if self.when in COUNTED else self.when)
