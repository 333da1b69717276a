"""A position of Generals as text for a terminal of 80 columns (G36).

A is an attacker's unit, D a defender's; G the General, ~ the moat, ' a garrison cell, . any other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ludus.core.messages import language
from ludus.games.generals import kernel as k
from ludus.games.generals.board import KIND, ROLES, SIZE
from ludus.games.generals.moves import say
from ludus.games.generals.positions import has_unit
from ludus.games.generals.status import headline

if TYPE_CHECKING:
    from ludus.core.position import Position
    from ludus.games.generals.game import GeneralsGame

SIGN = {k.FIELD: ".", k.MOAT: "~", k.GENERAL: "G"}
# of the 256 colours that terminals know: ground and ink of cells, and of units
GROUND = {k.FIELD: 230, k.MOAT: 153, k.GENERAL: 240}
GARRISON_GROUND = (223, 151)  # the attacker's, the defender's
FAINT, UNIT_INK = 246, ("1;38;5;130", "1;38;5;22")
RESET = "\x1b[0m"
COLUMNS = "    " + "".join(f" {letter} " for letter in "abcdefghij")


def draw(game: GeneralsGame, position: Position, colour: bool = False, lang: str = "en") -> str:
    """The board as text, with ANSI colours or plain, and what stands beside it."""
    beside = notes(game, position, language(lang))
    lines = [COLUMNS]
    for line in range(SIZE):
        label = f"{SIZE - line:>2}"
        cells = "".join(cell_text(position, SIZE * line + column, colour) for column in range(SIZE))
        words = beside[line] if line < len(beside) else ""
        lines.append(f" {label} {cells} {label}   {words}".rstrip())
    return "\n".join([*lines, COLUMNS]) + "\n"


def cell_text(position: Position, cell: int, colour: bool) -> str:
    """A cell, three letters wide."""
    role = next((role for role in range(2) if has_unit(position.row, role, cell)), None)
    kind = KIND[cell]
    sign = "'" if kind > k.GENERAL else SIGN[kind]
    word = f" {sign if role is None else 'AD'[role]} "
    if not colour:
        return word
    ground = GARRISON_GROUND[kind >= k.DEFENDER_LEFT] if kind > k.GENERAL else GROUND[kind]
    ink = UNIT_INK[role] if role is not None else "1;38;5;231" if kind == k.GENERAL else f"38;5;{FAINT}"
    return f"\x1b[{ink};48;5;{ground}m{word}{RESET}"


def notes(game: GeneralsGame, position: Position, lang: str) -> list[str]:
    """What is next, the General's hits, each side's units and special moves, and the signs."""
    data = position.to_dict()
    lines = [headline(game, position, lang), "", say("general", lang, "board", hits=data["hits"])]
    for letter, role in zip("AD", ROLES, strict=True):
        lines += [f"{letter} {side(data, role, lang)}", f"  {specials(data, role, lang)}"]
    lines += [counts(game, position, data, lang), ""]
    legend = (("G", "general"), ("~", "moat"), ("'", "garrison"))
    return [*lines, "   ".join(f"{sign} {say(key, lang, 'legend')}" for sign, key in legend)]


def counts(game: GeneralsGame, position: Position, data: dict[str, Any], lang: str) -> str:
    """What is counted towards the limits of turns (G22)."""
    turn, quiet = data.get("turns", 0) + (position.result is None), data.get("quiet", 0)
    told = [say("turn_count", lang, "board", turn=turn)] if game.rules.turn_limit else []
    told += [say("quiet_count", lang, "board", quiet=quiet)] if game.rules.quiet_limit else []
    return ", ".join(told) or say("no_limit", lang, "board")


def side(data: dict[str, Any], role: str, lang: str) -> str:
    """A role, its player where they are not the same, and its units."""
    count = len(data[role])
    units = say("unit" if count == 1 else "units", lang, "board", count=count)
    player = next((player for player, has in data.get("roles", {}).items() if has == role), None)
    words = {"role": say(role, lang, "board"), "units": units}
    if player is None:
        return say("side", lang, "board", **words)
    return say("side_of", lang, "board", player=say(player, lang, "board"), **words)


def specials(data: dict[str, Any], role: str, lang: str) -> str:
    """The special moves that a role has left, and those it has used."""
    spent = {"garrisoning": role in data["garrisoned"]}
    if role == "defender":
        spent["strike"] = data["struck"]
    groups = []
    for key, is_used in (("left", False), ("used", True)):
        names = [say(name, lang, "board") for name, used in spent.items() if used == is_used]
        groups += [say(key, lang, "board", what=", ".join(names))] if names else []
    return " · ".join(groups)
