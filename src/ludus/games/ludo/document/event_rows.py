"""What follows what: the rows of [[on]], and those that the options are short forms of.

`rows_of` gives all rows of a rule set. The board compiles them: what needs neither a condition nor a choice of pieces
becomes a column of the outcomes, the tiles or the options; the others are a table that the kernel goes through.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from ludus.games.ludo.document.reaction_options import On
from ludus.games.ludo.document.rules import RuleSet

if TYPE_CHECKING:
    from ludus.games.ludo.board.chance import Outcome

ROLLED = ("roll", "again_roll", "all_alike", "double", "triple")  # events that are what came up


def rows_of(rules: RuleSet) -> tuple[On, ...]:
    """Every row of a rule set, short forms first."""
    return (*short_forms(rules), *rules.on)


def row(event: Any, do: Any, **more: Any) -> On:
    """A row that an option stands for; options have been validated."""
    return On.model_construct(event=event, do=do, **more)


def short_forms(rules: RuleSet) -> list[On]:
    """The rows that options stand for."""
    turn, squares = rules.turn, rules.squares
    by_value = (
        ((6,) if "six" in turn.again_on else (), "again"), (turn.again_values, "again"), (turn.lose_on, "lose"),
        (turn.skip_on, "skip"), (turn.reverse_on, "reverse"),
    )  # fmt: skip
    by_tile = (
        (squares.roll_again, "again"), (squares.miss_turn, "skip"), (squares.turn_round, "reverse"),
        (squares.send_home, "home"),
    )  # fmt: skip
    bonuses = (("capture", rules.capture.capture_bonus), ("home", rules.finish.finish_bonus))
    rows = [row("roll", do, values=values) for values, do in by_value if values]
    rows += [row("all_alike", "again")] if "doubles" in turn.again_on else []
    rows += [row("landing", do, tiles=tiles) for tiles, do in by_tile if tiles]
    rows += [row("capture", "again")] if "capture" in turn.again_on else []
    rows += [row("home", "again")] if "finish" in turn.again_on else []
    rows += [row(event, "token", token=str(tiles)) for event, tiles in bonuses if tiles]
    rows += [row("again_roll", "lose", nth=rules.sixes_limit)] if rules.sixes_limit else []
    return rows


# what the columns of outcomes, tiles and options can say
IN_COLUMNS = {
    *((event, do) for event in ROLLED for do in ("again", "lose", "skip", "skip_next", "reverse")),
    *(("landing", do) for do in ("again", "skip", "reverse", "home")),
    ("capture", "again"), ("home", "again"),
}  # fmt: skip


def is_plain(row: On) -> bool:
    """Whether a row always does the same, whatever the position: then it is a column and no row of the table."""
    return not row.when and row.nth == 0 and row.piece == "moved" and (row.event, row.do) in IN_COLUMNS


class Rows:
    """The rows of one bank of rules, asked about what can come up."""

    def __init__(self, rules: RuleSet) -> None:
        self.all = rows_of(rules)
        self.plain = [row for row in self.all if is_plain(row)]
        # the short forms of bonuses and of a limit to rolls in a row are options of the bank
        self.told = [row for row in rules.on if not is_plain(row) and row.event != "start"]

    def shows(self, row: On, outcome: Outcome) -> bool:
        """Whether what came up is what a row asks for."""
        if row.event == "roll":
            return not row.values or bool(set(row.values) & set(outcome.values))
        if row.event == "again_roll":
            return outcome.then != "again" and self.does(outcome, "again")
        if row.event == "all_alike":
            return outcome.doubles
        if row.event not in ("double", "triple"):
            return False
        least = 3 if row.event == "triple" else 2
        alike = {value for value, times in Counter(outcome.values).items() if times >= least}
        return bool(alike & set(row.values) if row.values else alike)

    def does(self, outcome: Outcome, what: str) -> bool:
        """Whether an outcome by itself does something: gives another roll, loses the turn …"""
        if outcome.then == what:
            return True
        asked = [row for row in self.plain if row.do == what and row.event not in ("again_roll", "landing")]
        return any(self.shows(row, outcome) for row in asked)

    def counts(self, outcome: Outcome) -> bool:
        """Whether an outcome is one of those that are counted in a row (Z18)."""
        return any(self.shows(row, outcome) for row in self.all if row.nth)

    def follows(self, event: str, do: str) -> bool:
        """Whether something always follows an event."""
        return any(row.event == event and row.do == do for row in self.plain)

    def tiles_that(self, do: str) -> list[Any]:
        """The tiles that do something to whoever lands there."""
        return [tile for row in self.plain if row.event == "landing" and row.do == do for tile in row.tiles]
