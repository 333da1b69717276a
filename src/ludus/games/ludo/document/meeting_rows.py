"""Meetings: what happens where a piece passes or lands on a tile with others, as an ordered table of rows.

`rows_of` gives the whole table of a rule set: the document's own rows first, then those that the options
`share_own`, `block`, `safe`, `capture` and `finish.passing` are short forms of. The first row that fits a colour's
pieces on a tile says what happens with them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from ludus.games.ludo.document.options import Group, TileName, option

if TYPE_CHECKING:
    from ludus.games.ludo.document.rules import RuleSet

# kinds of tiles that a row may name beside tiles themselves
AREAS = ("all", "path", "safe", "unsafe", "entry", "lane")
ABSOLUTE = re.compile(r"(\d{1,2})(\+)?")
RELATIVE = ("more", "as_many", "fewer")

Passing = bool | Literal["stops_before", "stops_there", "captures"]
Landing = Literal["capture", "share", "closed", "home", "swap", "stops_before", "joins", "may_join"]


class Meeting(Group):
    """What happens where a piece passes or lands on others; the first row that fits is the one that holds."""

    who: Literal[
        "own", "mate", "side", "enemy", "owner", "any",
        "green", "yellow", "blue", "red", "purple", "orange", "black", "white", "pink", "brown", "teal", "lime",
    ] = option(
        "enemy",
        "whose pieces are met: own, a mate's, either of these (side), an enemy's, an enemy's on a tile of its own "
        "(owner), anybody's, or one colour's",
        "L28 L31 L33",
    )  # fmt: skip
    count: Annotated[str, Field(pattern=r"^([1-9]\d?\+?|more|as_many|fewer)$")] = option(
        "1+", "how many are met: '1', '2', '2+' …; or more, as_many or fewer than those that come", "L28 L33"
    )
    of: Literal["colour", "side"] = option("colour", "what is counted: the pieces of one colour, or of one side", "L28")
    tiles: (
        Literal["all", "path", "safe", "unsafe", "entry", "lane"]
        | Annotated[tuple[TileName, ...], Field(min_length=1, max_length=240, strict=False)]
    ) = option(
        "all",
        "where: all tiles, those of the path, the safe ones, the others, entry tiles, end paths, or tiles by name",
        "L28 L33",
    )
    coming: Literal["any", "out", "out_to_own", "along", "jump"] = option(
        "any",
        "how the piece comes that meets them: out of its yard, out to where one of its own stands, along its way, by a "
        "jump, or anyhow",
        "L26 L33",
    )
    passing: Passing = option(
        True,
        "a piece may pass them, or not; or it stops before them, stops there, or captures them on its way",
        "L28 L33",
    )
    landing: Landing = option(
        "capture",
        "a piece that lands captures them, shares the tile, may not land, goes home itself, changes places, "
        "stops before them, joins them and travels with them from then on, or may go on with or without them",
        "L28 L31 L33",
    )

    broken_by: int = option(
        0,
        "with passing = false and landing = 'closed': from right behind, so many dice of this value in one turn, one "
        "for each of them and one more, capture them; 0: nothing does",
        "L33",
        ge=0,
        le=60,
    )

    @property
    def is_relative(self) -> bool:
        """Whether those who are met are compared with those who come."""
        return self.count in RELATIVE

    @property
    def highest(self) -> int:
        """The number of pieces from which on the row makes no difference between numbers."""
        match = ABSOLUTE.fullmatch(self.count)
        return 0 if match is None else int(match[1]) + (match[2] is None)

    def counts(self, there: int, coming: int) -> bool:
        """Whether a number of pieces fits, met by a number that come."""
        match = ABSOLUTE.fullmatch(self.count)
        if match is None:
            return {"more": there > coming, "as_many": there == coming, "fewer": there < coming}[self.count]
        return there >= int(match[1]) if match[2] else there == int(match[1])


def rows_of(rules: RuleSet) -> list[Meeting]:
    """Every row that holds in a rule set, in their order; the last ones fit whatever is left."""
    return [*rules.meeting, *_blocks(rules), *_safe(rules), *_captures(rules), *_own(rules)]


def _blocks(rules: RuleSet) -> list[Meeting]:
    """Two or more of a side (Z6, Z7, F13)."""
    if rules.block.stops == "none":
        return []
    who: Literal["any", "enemy"] = "any" if rules.block.stops == "all" else "enemy"
    tiles: Literal["path", "unsafe"] = "path" if rules.block.on_safe else "unsafe"
    return [Meeting(who=who, count="2+", of="side", tiles=tiles, passing=False, landing="closed")]


def _safe(rules: RuleSet) -> list[Meeting]:
    """Safe tiles, and entry tiles that protect their owner (Z5, T5, T6, S36)."""
    rows = [Meeting(tiles="safe", landing="home" if rules.safe.landing == "punished" else "share")]
    if rules.safe.entry != "open":
        rows.append(Meeting(who="owner", landing="home" if rules.safe.entry == "owner_punishes" else "share"))
    return rows


def _captures(rules: RuleSet) -> list[Meeting]:
    """Enemies without protection (S35, T8, F21, L33)."""
    if rules.capture.by == "none":
        return [Meeting(landing="share")]
    by: dict[str, Passing] = {"landing": True, "passing": "captures", "sweep": "stops_there"}
    stack = [Meeting(count="2+", landing="home")] if rules.capture.stack == "punishes" else []
    return [*stack, Meeting(passing=by[rules.capture.by])]


def _own(rules: RuleSet) -> list[Meeting]:
    """Pieces of the own colour and side (S34, S44)."""
    landing: Literal["share", "closed"] = "share" if rules.movement.share_own else "closed"
    rows = [Meeting(who="mate", landing="share")]
    if not rules.finish.passing or rules.finish.places == "end_path":
        at_home: Literal["share", "closed"] = "closed" if rules.finish.places == "end_path" else landing
        rows.append(Meeting(who="own", tiles="lane", passing=rules.finish.passing, landing=at_home))
    return [*rows, Meeting(who="own", landing=landing)]
