"""The observation vector of Generals: what each index means (G31). The kernel writes it (observe_api)."""

from __future__ import annotations

from ludus.games.generals.board import CELLS, cell_name


def layout() -> list[str]:
    """The meaning of each index, in order; cells count row by row from a10, for both roles alike."""
    cells = [cell_name(cell) for cell in range(CELLS)]
    names = [f"own unit on {name}" for name in cells]
    names += [f"the other side's unit on {name}" for name in cells]
    names += [f"{name}: the unit that entered and converts, or that attacks" for name in cells]
    names += [
        "the observer is the attacker",
        "the observer is the defender",
        "it is the observer's turn",
        "it is the attacker's turn",
        "a player decides (0: chance, or the game is over)",
        "a roll or its use is next",
        "the toss is due",
        "the winner of the toss chooses",
        "a conversion is to be chosen",
        "an interception is to be drawn",
    ]
    names += [f"the die shows {face}" for face in range(1, 7)]
    names += [
        "hits on the General / 3",
        "the attacker has garrisoned",
        "the defender has garrisoned",
        "the General has struck",
        "turns since progress / quiet_limit (at most 1)",
        "turns / turn_limit (at most 1)",
    ]
    return names
