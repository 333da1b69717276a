"""The rule-set document as a whole, and what follows from it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from ludus.core.errors import RulesError
from ludus.games.ludo.document.conditions import asked_of
from ludus.games.ludo.document.meeting_rows import Meeting
from ludus.games.ludo.document.options import (
    Block,
    Board,
    Capture,
    Chance,
    Change,
    Finish,
    Group,
    Modes,
    Movement,
    Players,
    ReadOnly,
    Safe,
    Squares,
    Start,
    Turn,
    Win,
)
from ludus.games.ludo.document.reaction_options import On

COLOURS = (
    "green", "yellow", "blue", "red", "purple", "orange", "black", "white", "pink", "brown", "teal", "lime",
)  # fmt: skip
MOST_CHANGES = 4
MOST_CONDITIONS = 6  # changes and what guards ask for, together
MOST_EVENTS = 30
MOST_MEETINGS = 40
_ASKED = re.compile(r"\[\s*(when|while)\s+([^\[\]]*?)\s*\]")
_CAPTURED = re.compile(r"\[\s*(not )?captured\s*\]")


def is_kept(text: str) -> bool:
    """Whether a row's condition has to be remembered once it was met; a text that is none is refused elsewhere."""
    try:
        asked = asked_of(text)
    except RulesError:
        return False
    return not asked.lives and not asked.stays


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
    squares: Squares = Squares()
    win: Win = Win()
    modes: Modes = Modes()
    players: Players = Players()
    meeting: tuple[Meeting, ...] = Field(
        (),
        description="what happens where pieces meet, before what the options say; the first row that fits holds (L28)",
        max_length=MOST_MEETINGS,
        strict=False,
    )
    changes: tuple[Change, ...] = Field(
        (), description="rules that change during the game (L2)", max_length=MOST_CHANGES, strict=False
    )
    on: tuple[On, ...] = Field((), description="what follows what (L18)", max_length=MOST_EVENTS, strict=False)
    allowed: Annotated[dict[str, Annotated[tuple[Any, ...], Field(strict=False)]], AfterValidator(ReadOnly)] = Field(
        default_factory=ReadOnly, description="the only values that an option may take in this rule set", strict=False
    )
    plugins: tuple[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,39}$")], ...] = Field(
        (),
        description="rules in Python that this rule set needs; whoever makes the game has to allow them",
        max_length=8,
        strict=False,
    )

    plugin_options: Annotated[
        dict[Annotated[str, Field(max_length=40)], dict[Annotated[str, Field(max_length=40)], Any]],
        AfterValidator(ReadOnly),
    ] = Field(default_factory=ReadOnly, description="what a plug-in is given, by its name", max_length=8)

    @model_validator(mode="before")
    @classmethod
    def _controls_in_full(cls, document: Any) -> Any:
        """`players.controls` is short for teams whose pieces both partners move; what is said beside it stays."""
        players = document.get("players") if isinstance(document, dict) else None
        if not (isinstance(players, Mapping) and players.get("controls")):
            return document
        full = dict(document)
        for group, key, value in (("modes", "mode", "teams"), ("movement", "may_move", "team")):
            said = full.get(group, {})
            if isinstance(said, Mapping):
                full[group] = {key: value, **said}
        return full

    @property
    def path_length(self) -> int:
        """Tiles of the shared path (S52)."""
        board = self.board
        return board.path or (2 * board.end_path + 3 + board.corners) * board.seats

    @property
    def sixes_limit(self) -> int:
        """Sixes in a row that end a turn (or what else is rolled for another roll); 0 where nothing is."""
        rolled = {"six", "doubles"} & set(self.turn.again_on) or self.turn.again_values
        return self.turn.sixes_limit if rolled else 0

    @property
    def asks_for_capture(self) -> bool:
        """Whether some way opens, or closes, with a colour's first capture (Z10, L28)."""
        return self.capture.before_home or any(_CAPTURED.search(chain) for chain in self.board.paths)

    @property
    def guard_conditions(self) -> tuple[Change, ...]:
        """What guards of ways and jumps ask of a colour, each once: changes that set nothing but these guards."""
        found: dict[tuple[str, str], Change] = {}
        for chain in (*self.board.paths, *self.board.jumps):
            for word, text in _ASKED.findall(chain):
                lasts: Literal["while", "for_good"] = "while" if word == "while" else "for_good"
                found.setdefault(
                    (word, text),
                    Change.model_construct(name=f"{word} {text}", when=text, lasts=lasts, set=ReadOnly()),
                )
        return tuple(found.values())

    @property
    def row_conditions(self) -> tuple[Change, ...]:
        """What rows of [[on]] ask to have been met once and might not be met any more, each once."""
        known = {change.name for change in self.guard_conditions}
        found: dict[str, Change] = {}
        for text in dict.fromkeys(text.removeprefix("when ") for row in self.on for text in row.when):
            if is_kept(text) and f"when {text}" not in known:
                found[text] = Change.model_construct(name=f"when {text}", when=text, lasts="for_good", set=ReadOnly())
        return tuple(found.values())

    @property
    def all_changes(self) -> tuple[Change, ...]:
        """The changes of the document, then the conditions of guards, then those of rows."""
        return (*self.changes, *self.guard_conditions, *self.row_conditions)

    @property
    def arm(self) -> int:
        """Path tiles from one entry tile to the next."""
        return self.path_length // self.board.seats

    def entry_tile(self, arm: int) -> int:
        """Where a colour's pieces come out on a cross or a ring: colours sit clockwise, whichever way pieces travel."""
        ahead = arm if self.board.travel == "clockwise" else -arm % self.board.seats
        return ahead * self.arm

    @property
    def last_path_distance(self) -> int:
        """Distance from its entry tile of the tile where a colour turns into its end path (Z4)."""
        return self.path_length - 1 - self.board.skipped

    @property
    def tokens_in_a_roll(self) -> int:
        """Moves that one roll gives."""
        chance = self.chance
        return chance.dice if chance.device == "dice" and chance.use == "each" else 1

    @property
    def banks(self) -> tuple[RuleSet, ...]:
        """The rules under every combination of changes: bank number = the sum of 2**i over the changes that hold."""
        return tuple(self._bank(bits) for bits in range(1 << len(self.all_changes)))

    def _bank(self, bits: int) -> RuleSet:
        if bits & ((1 << len(self.changes)) - 1) == 0:
            return self
        data = self.model_dump(exclude={"changes", "allowed"})
        for number, change in enumerate(self.changes):
            for place, value in change.set.items() if bits >> number & 1 else ():
                group, _, key = place.partition(".")
                data[group][key] = value
        return RuleSet.model_validate(data)


GROUPS: dict[str, type[Group]] = {
    "board": Board, "chance": Chance, "start": Start, "movement": Movement, "capture": Capture, "block": Block,
    "safe": Safe, "finish": Finish, "turn": Turn,
    "squares": Squares, "win": Win, "modes": Modes, "players": Players,
}  # fmt: skip

# what a group's own name means when it is given a plain value: finish="exact" is finish.rule="exact"
MAIN_OPTION = {"finish": "rule", "block": "stops", "safe": "tiles"}
