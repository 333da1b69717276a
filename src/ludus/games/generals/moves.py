"""Moves and special moves in words, and the facts behind them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ludus.core.events import Event
from ludus.core.kernels.codes import DECISION, STAGE, TURN
from ludus.core.messages import Message
from ludus.games.generals import kernel as k
from ludus.games.generals import notation, positions
from ludus.games.generals.board import FIELD, GARRISON, GENERAL, MOAT, ROLES, cell_name

if TYPE_CHECKING:
    from ludus.games.generals.game import GeneralsGame

PACKAGE = "ludus.games.generals"


class TakenUnit(NamedTuple):
    """A unit that was removed: whose it was and the cell it stood on."""

    colour: str
    tile: str


@dataclass(frozen=True)
class GeneralsMove:
    """The facts of a move. `kind`: move, attack, garrison, strike, convert, role or pass."""

    notation: str
    kind: str
    colour: str
    role: str | None
    origin: str | None
    target: str | None
    dice: tuple[int, ...] = ()
    path: tuple[str, ...] = ()
    captures: tuple[TakenUnit, ...] = ()
    converts: tuple[str, ...] = ()
    finishes: bool = False
    wins: bool = False
    hits: int = 0
    guards: int = 0
    must_convert: bool = False


class Told(NamedTuple):
    """An event as the kernel writes it."""

    what: int
    seat: int
    origin: int
    target: int


# what the kernel's events are called: E_MUST_CONVERT is 'must_convert'
EVENT_NAMES = {code: name[2:].lower() for name, code in vars(k).items() if name.startswith("E_")}
ENDINGS = {k.BY_HITS: "hits", k.BY_EXHAUSTION: "exhaustion", k.BY_QUIET: "quiet", k.BY_TURNS: "turns"}
ON_CELLS = {
    k.E_MOVED, k.E_GARRISONED, k.E_ATTACKED, k.E_HIT, k.E_KILLED, k.E_STRUCK, k.E_CONVERTED, k.E_MUST_CONVERT,
    k.E_INTERCEPTED,
}  # fmt: skip


def event(game: GeneralsGame, told: Told) -> Event:
    """An event for people and programs: names instead of numbers."""
    what, colour = EVENT_NAMES[told.what], game.players[told.seat]
    if told.what in ON_CELLS:
        return Event(what, colour, origin=cell_name(told.origin), target=cell_name(told.target))
    if told.what == k.E_OVER:
        return Event(what, colour, name=ENDINGS[told.target])
    if told.what == k.E_ROLLS_AGAIN:
        return Event(what, colour, number=told.target)
    return Event(what, colour, name=ROLES[told.target] if told.what == k.E_ROLE else None)


def kind_of(tables: list[int], row: list[int], action: int) -> str:
    """What kind of move an action is."""
    if action < tables[k.A_GARRISON]:
        way, origin = divmod(action, 100)
        return "attack" if origin + row[k.DIE] * k.STRIDE[way] in GENERAL else "move"
    starts = ((k.A_STRIKE, "garrison"), (k.A_CONVERT, "strike"), (k.A_ROLE, "convert"), (k.A_PASS, "role"))
    return next((kind for field, kind in starts if action < tables[field]), "pass")


def places(tables: list[int], row: list[int], action: int) -> tuple[int | None, int | None]:
    """(origin, target) of an action; None where it has none."""
    if action < tables[k.A_GARRISON]:
        way, origin = divmod(action, 100)
        return origin, origin + row[k.DIE] * k.STRIDE[way]
    if action < tables[k.A_STRIKE]:
        unit, target = divmod(action - tables[k.A_GARRISON], len(FIELD))
        return GARRISON[k.role_of(row, row[TURN])][unit], FIELD[target]
    if action < tables[k.A_CONVERT]:
        return None, MOAT[action - tables[k.A_STRIKE]]
    if action < tables[k.A_ROLE]:
        return row[k.CELL], GARRISON[k.ATTACKS][action - tables[k.A_CONVERT]]
    return None, None


def facts(game: GeneralsGame, row: list[int], action: int, told: list[Told]) -> GeneralsMove:
    """What a legal move does, from what the kernel told when it was tried."""
    tables, by_what = game.tables, {one.what: one for one in told}
    kind = kind_of(tables, row, action)
    role = None if row[k.ATTACKER] == k.NOBODY else k.role_of(row, row[TURN])
    origin, target = places(tables, row, action)
    ending = by_what[k.E_OVER].target if k.E_OVER in by_what else k.GOES_ON
    return GeneralsMove(
        notation.write(tables, row, action),
        kind,
        game.players[row[TURN]],
        None if role is None else ROLES[role],
        None if origin is None else cell_name(origin),
        None if target is None else cell_name(target),
        dice=(row[k.DIE],) if row[k.DIE] else (),
        path=_path(kind, row, action, target),
        captures=tuple(
            TakenUnit(game.players[one.seat], cell_name(one.origin))
            for one in told
            if one.what in (k.E_KILLED, k.E_STRUCK)
        ),
        converts=tuple(cell_name(one.origin) for one in told if one.what == k.E_CONVERTED),
        wins=ending == (k.BY_HITS if role == k.ATTACKS else k.BY_EXHAUSTION),
        hits=row[k.HITS] + (k.E_HIT in by_what),
        guards=sum(positions.has_unit(row, k.DEFENDS, cell) for cell in MOAT) if kind == "attack" else 0,
        must_convert=k.E_MUST_CONVERT in by_what,
    )


def _path(kind: str, row: list[int], action: int, target: int | None) -> tuple[str, ...]:
    """The cells that a move goes over, its target last."""
    if kind in ("move", "attack"):
        way, origin = divmod(action, 100)
        return tuple(cell_name(origin + step * k.STRIDE[way]) for step in range(1, row[k.DIE] + 1))
    return (cell_name(target),) if kind == "garrison" and target is not None else ()


# ---------------------------------------------------------------- words


def say(key: str, lang: str, section: str = "does", **values: Any) -> str:
    """A phrase of the catalogue."""
    return Message(PACKAGE, key, values, section).text(lang)


def in_words(move: GeneralsMove, lang: str) -> str:
    """A move's effect as a phrase."""
    key = move.kind
    if key == "role":
        key = move.notation
    elif key == "attack":
        key = "hit" if move.guards == 0 else "intercepted" if move.guards == 1 else "intercepted_many"
    phrases = [say(key, lang, target=move.target, hits=move.hits, count=move.guards)]
    if move.kind == "move":
        phrases += [say("kills", lang, cell=c.tile) for c in move.captures]
        phrases += [say("converts", lang, cell=cell) for cell in move.converts]
        phrases += [say("must_convert", lang)] if move.must_convert else []
    return ", ".join(phrases + ([say("wins", lang)] if move.wins else []))


def hints(game: GeneralsGame, row: list[int], lang: str) -> list[str]:
    """The special moves that are possible in a position, each explained once; before the first move, what to know."""
    is_new = row[k.UNITS :] == positions.start_row(toss=False)[k.UNITS :]
    warning = [say("may_not_end", lang, "hint")] if game.rules.may_not_end and is_new else []
    if row[STAGE] != DECISION:
        return warning
    examples: dict[str, str] = {}
    for action in game.legal_actions(row):
        examples.setdefault(kind_of(game.tables, row, action), notation.write(game.tables, row, action))
    examples.pop("move", None)
    if "attack" in examples and any(positions.has_unit(row, k.DEFENDS, cell) for cell in MOAT):
        examples["attack_guarded"] = examples.pop("attack")
    left = k.GENERAL_FALLS - row[k.HITS]
    return warning + [say(kind, lang, "hint", example=example, left=left) for kind, example in examples.items()]
