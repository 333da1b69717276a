"""The options of a row of [[on]]: something that happens, and what follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, model_validator

from ludus.games.ludo.document.options import Distance, Group, TileName, option, with_while


class On(Group):
    """Something that happens, and what follows."""

    model_config = ConfigDict(json_schema_extra=with_while("conditions that must be met at that moment"))

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
    when: tuple[Annotated[str, Field(max_length=66)], ...] = option(
        (),
        "conditions that must have been met: 'yard empty', 'captures >= 2'; those under `while`, or 'while yard empty' "
        "here, must be met at that moment",
        "L2",
        max_length=4,
        strict=False,
    )

    @model_validator(mode="before")
    @classmethod
    def _in_full(cls, row: Any) -> Any:
        """`while = […]` says with its conditions that they must be met just then; one condition needs no list."""
        if not isinstance(row, Mapping):
            return row
        texts = {key: [row[key]] if isinstance(row[key], str) else row[key] for key in ("when", "while") if key in row}
        if not all(isinstance(each, list | tuple) for each in texts.values()):
            return row
        living = [f"while {text}" if isinstance(text, str) else text for text in texts.pop("while", ())]
        rest = {key: value for key, value in row.items() if key != "while"}
        return rest | ({"when": [*texts.get("when", ()), *living]} if "when" in texts or living else {})
