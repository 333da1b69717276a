"""The options of a row of [[on]]: something that happens, and what follows."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ludus.games.ludo.document.options import Distance, Group, TileName, option


class On(Group):
    """Something that happens, and what follows."""

    event: Literal[
        "start", "roll", "double", "triple", "all_alike", "again_roll", "landing", "capture", "home", "all_home",
        "no_move", "missed_capture",
    ] = option(
        ...,
        "what happens: the game begins, a roll, two or three dice alike, all alike, a roll that gives another, a piece "
        "lands on tiles, captures, comes home, all are home, nothing can be played, a possible capture was not made",
        "L18",
    )  # fmt: skip
    values: tuple[Distance, ...] = option(
        (),
        "with event = 'roll', 'double' or 'triple': the values that count; left out: all",
        "L18",
        max_length=36,
        strict=False,
    )
    nth: int = option(0, "the how manieth such roll in a row in one turn; 0: each", "Z18 L18", ge=0, le=9)
    tiles: tuple[TileName, ...] = option((), "with event = 'landing': the tiles", "L28", max_length=240, strict=False)
    do: Literal[
        "again", "lose", "skip", "skip_next", "reverse", "out", "home", "token", "move", "swap", "stake", "new_round",
    ] = option(
        ...,
        "what follows: another roll, the turn is lost, the player or the next one misses a turn, the order of play "
        "turns round, pieces come out, a piece goes back to its yard, a token to be played, a piece moves on by "
        "itself or changes places with the opponents' piece that is furthest on the path, points are paid, or all "
        "pieces go back and a new round begins",
        "L18",
    )  # fmt: skip
    amount: int = option(
        1,
        "how many pieces come out, or tokens are given; how far a piece moves, backward below 0; how many points the "
        "player pays each opponent, below 0: gets from each",
        "L24 L18",
        ge=-60,
        le=60,
    )
    onto: tuple[Annotated[int, Field(ge=1, le=400, strict=True)], ...] = option(
        (),
        "with event = 'start': the tiles of each colour's way on which its pieces begin, the entry tile is 1",
        "L23 L26",
        max_length=15,
        strict=False,
    )
    token: str = option(
        "",
        "with do = 'token': a distance, 'out', 'swap' or 'finish'",
        "L18",
        pattern=r"^(-?[0-9]{1,2}|out|swap|finish)?$",
    )
    piece: Literal["moved", "last_moved", "furthest", "foremost", "hindmost", "all", "unsafe", "could_have"] = option(
        "moved",
        "with do = 'home', 'move' or 'swap': the piece that moved, the one moved last in this turn, the furthest on "
        "the path, the foremost there or on the end path, the hindmost on the path, all on the path, all there "
        "but on safe tiles, or the one that could have captured",
        "L28",
    )
    when: tuple[Annotated[str, Field(max_length=60)], ...] = option(
        (), "conditions that must be met: 'yard empty', 'captures >= 2'", "L2", max_length=4, strict=False
    )
