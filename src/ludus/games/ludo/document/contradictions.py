"""What can't hold together in a rule set, in the words of rules."""

from __future__ import annotations

from ludus.core.errors import quoted, suggestion
from ludus.games.ludo.board.maps import map_fault
from ludus.games.ludo.board.topology import Topology
from ludus.games.ludo.document.pairs import first_pair, pairs
from ludus.games.ludo.document.problems import problem_of
from ludus.games.ludo.document.row_checks import bad_condition, bad_duty, bad_rows
from ludus.games.ludo.document.rules import GROUPS, MOST_CONDITIONS, RuleSet
from ludus.games.ludo.document.soundness import unsound
from ludus.games.ludo.document.tokens import bad_hands, bad_tokens

# what stays as it was when the game began
FIXED = {
    "board": tuple(GROUPS["board"].model_fields),
    "chance": ("device", "dice", "use", "cards", "replacement", "pool", "hold"),
    "start": ("go_on", "exit_block", "enter"),
    "movement": ("combined_move", "forced_combination", "may_move", "branch"),
    "capture": ("captured_to", "before_home", "freezes"),
    "block": ("unblock_duty", "moves_on"),
    "finish": ("places",),
    "turn": ("first",),
    "win": tuple(GROUPS["win"].model_fields),
    "modes": tuple(GROUPS["modes"].model_fields),
    "players": tuple(GROUPS["players"].model_fields),
}


def value_at(rules: RuleSet, place: str) -> object:
    """The value of an option by its dotted name."""
    group, _, key = place.partition(".")
    return getattr(getattr(rules, group), key)


def contradictions(rules: RuleSet) -> str | None:
    """The first thing that can't hold together, in words, or None."""
    return next(iter(all_contradictions(rules)), None)


def all_contradictions(rules: RuleSet) -> list[str]:
    """Everything that can't hold together, in words; the deeper questions only where nothing simpler is wrong."""
    found = pairs(rules) + [words for find in (bad_hands, bad_tokens, bad_duty, _not_allowed) if (words := find(rules))]
    found += bad_rows(rules)
    for find in (unsound, _bad_map, _bad_change):
        if not found and (words := find(rules)):
            found.append(words)
    return list(dict.fromkeys(found))


def _bad_map(rules: RuleSet) -> str | None:
    return map_fault(Topology(rules)) if rules.board.map else None


def _not_allowed(rules: RuleSet) -> str | None:
    """The first option whose value the rule set itself excludes."""
    for name, values in rules.allowed.items():
        place = place_of(name)
        if place is None:
            known = [key for model in GROUPS.values() for key in model.model_fields]
            return f"allowed: unknown option {quoted(name)}{suggestion(str(name)[:40], known)}"
        value = value_at(rules, place)
        plain = [tuple(v) if isinstance(v, list) else v for v in values]
        if plain and not any(type(v) is type(value) and v == value for v in plain):
            return f"{place}: these rules allow {' or '.join(str(v) for v in values)}, not {quoted(value)}"
    return None


def place_of(name: str) -> str | None:
    """The dotted name of an option, from that or from its own name alone."""
    group, _, key = name.partition(".")
    if key:
        return name if group in GROUPS and key in GROUPS[group].model_fields else None
    return next((f"{group}.{name}" for group, model in GROUPS.items() if name in model.model_fields), None)


def bad_bank(rules: RuleSet) -> str | None:
    """The first value that an option can't change to, or None."""
    from pydantic import ValidationError

    try:
        _ = rules.banks
    except ValidationError as error:
        return f"changes: {problem_of(error.errors(include_url=False)[0])} (L2)"
    return None


def _bad_change(rules: RuleSet) -> str | None:
    """The first change that can't be made, or that leads to rules which contradict each other."""
    for number, change in enumerate(rules.changes):
        where = f"changes.{number}"
        if (change.when == "tile") != (change.tile is not None):
            return f'{where}: when = "tile" and tile go together (L2)'
        words = bad_condition(rules, change, where)
        if words:
            return words
        for place in change.set:
            if place_of(place) != place:
                return f"{where}.set: options have dotted names such as 'block.stops', not {quoted(place)}"
            group, _, key = place.partition(".")
            if key in FIXED.get(group, ()):
                return f"{where}.set: {place} can't change during the game (L2)"
    if len(rules.all_changes) > MOST_CONDITIONS:
        return (
            f"changes: {len(rules.all_changes)} changes and conditions of guards are more than {MOST_CONDITIONS} (L2)"
        )
    names = [change.name or f"change {number + 1}" for number, change in enumerate(rules.all_changes)]
    if len(set(names)) < len(names):
        return "changes: two have the same name (L2)"
    words = bad_bank(rules)
    if words:
        return words
    for bits, bank in enumerate(rules.banks[1:], start=1):
        words = first_pair(bank) or bad_tokens(bank) or bad_duty(bank) or unsound(bank)
        if words:
            held = ", ".join(name for number, name in enumerate(names) if bits >> number & 1)
            return f"changes: once {held} holds: {words} (L2)"
    return None
