"""What can't hold together in a rule set, in the words of rules."""

from __future__ import annotations

from collections.abc import Iterator

from ludus.core.errors import quoted, suggestion
from ludus.games.ludo.board.chance import MOST_OUTCOMES, outcome_count, outcomes_of
from ludus.games.ludo.board.topology import Topology
from ludus.games.ludo.document.rules import GROUPS, RuleSet
from ludus.games.ludo.document.soundness import unsound

# what stays as it was when the game began
FIXED = {
    "board": tuple(GROUPS["board"].model_fields),
    "chance": ("device", "dice", "use", "cards", "replacement", "pool"),
    "start": ("go_on", "exit_block", "enter"),
    "movement": ("combined_move", "forced_combination", "may_move", "branch"),
    "capture": ("captured_to", "before_home", "freezes"),
    "block": ("unblock_duty",),
    "finish": ("places",),
    "turn": ("first",),
    "win": tuple(GROUPS["win"].model_fields),
    "modes": tuple(GROUPS["modes"].model_fields),
}


def value_at(rules: RuleSet, place: str) -> object:
    """The value of an option by its dotted name."""
    group, _, key = place.partition(".")
    return getattr(getattr(rules, group), key)


def contradictions(rules: RuleSet) -> str | None:
    """The first thing that can't hold together, in words, or None."""
    for find in (_first_plain, _first_unsound, _not_allowed, _bad_change):
        words = find(rules)
        if words:
            return words
    return None


def _first_plain(rules: RuleSet) -> str | None:
    """The first pair of options that can't hold together, in words, or None."""
    board, length = rules.board, rules.path_length
    several = rules.tokens_in_a_roll > 1
    one_way_out = len(rules.start.leave_on) == 1
    generated = board.shape != "graph"
    checks = [
        (generated and board.shape == "cross" and board.end_path == 0, 'board.end_path = 0 needs board.shape = "ring"'),
        (
            generated and length % board.seats != 0,
            f"board.path = {length} does not divide by board.seats = {board.seats}",
        ),
        (generated and rules.arm <= board.skipped + 1, f"board.path = {length} is too short for {board.seats} seats"),
        (generated and length > 240, f"board.path = {length} is longer than 240 tiles"),
        (
            generated and any(t >= rules.arm for t in rules.safe.tiles),
            f"safe.tiles count from an entry tile, so they are below {rules.arm}",
        ),
        (
            generated and any(t >= rules.arm for t in rules.movement.stars),
            f"movement.stars count from an entry tile, so they are below {rules.arm}",
        ),
        (bool(set(rules.safe.tiles) & set(rules.movement.stars)), "safe.tiles and movement.stars share a tile"),
        (
            rules.chance.pool != "one_roll" and not several,
            'chance.pool = "double_six" needs chance.dice = 2 or more, played one by one: '
            "one die has no double six (F5)",
        ),
        (
            rules.movement.combined_move != "none" and not several,
            "movement.combined_move needs chance.dice = 2 or more, played one by one: one can't be combined (F20)",
        ),
        (
            rules.movement.combined_move != "none" and rules.finish.rule != "exact",
            'movement.combined_move needs finish.rule = "exact": several dice as one move come home exactly (F25)',
        ),
        (
            rules.movement.combined_move != "none" and rules.capture.by in ("passing", "sweep"),
            'movement.combined_move needs capture.by = "landing" or "none": '
            'what a combined move takes on its way is said by combined_move = "sweep" (F21)',
        ),
        (
            rules.start.go_on != "never" and rules.start.enter != "entry",
            'start.go_on needs start.enter = "entry": a piece comes out there and goes on from there (F30)',
        ),
        (
            rules.movement.forced_combination and rules.movement.combined_move == "none",
            "movement.forced_combination needs movement.combined_move",
        ),
        (
            rules.start.go_on != "never" and rules.movement.combined_move == "none",
            "start.go_on needs movement.combined_move",
        ),
        (
            rules.start.exit_block == "special" and rules.capture.captured_to != "held",
            'start.exit_block = "special" needs capture.captured_to = "held"',
        ),
        (
            rules.start.exit_block == "special" and rules.block.stops == "none",
            'start.exit_block = "special" needs block.stops',
        ),
        (rules.block.unblock_duty and rules.block.stops == "none", "block.unblock_duty needs block.stops"),
        (rules.turn.sixes_limit == 1, "turn.sixes_limit = 1 would forbid every 6; take 0 for never, or 2 and more"),
        (
            rules.finish.places == "end_path" and board.end_path < board.pieces,
            'finish.places = "end_path" needs an end-path tile for each piece',
        ),
        (
            rules.finish.places == "end_path" and rules.movement.share_own,
            'finish.places = "end_path" needs movement.share_own = false',
        ),
        (
            rules.finish.places == "end_path" and rules.finish.rule != "exact",
            'finish.places = "end_path" needs finish.rule = "exact"',
        ),
        (
            rules.finish.places == "end_path" and bool(rules.movement.stars),
            'finish.places = "end_path" has no finish for movement.stars to jump to',
        ),
        (not rules.movement.share_own and rules.block.stops != "none", "block.stops needs movement.share_own = true"),
        (rules.win.play_on and rules.modes.mode == "teams", 'win.play_on needs modes.mode = "ffa"'),
        (
            rules.modes.mode == "teams" and board.seats not in (4, 6, 8),
            'modes.mode = "teams" needs board.seats = 4, 6 or 8',
        ),
        (rules.modes.mode == "teams" and board.pieces > 7, 'modes.mode = "teams" needs board.pieces of at most 7'),
        (len(set(rules.start.leave_on)) < len(rules.start.leave_on), "start.leave_on names a face twice"),
        (len(set(rules.safe.tiles)) < len(rules.safe.tiles), "safe.tiles names a tile twice"),
        (len(set(rules.movement.stars)) < len(rules.movement.stars), "movement.stars names a tile twice"),
        (len(set(rules.turn.again_on)) < len(rules.turn.again_on), "turn.again_on names a reason twice"),
        (
            rules.start.go_on != "never" and not one_way_out,
            "start.go_on needs one face in start.leave_on: 'out+3' does not say which die brings the piece out (F30)",
        ),
        (
            rules.start.exit_block == "special" and not (one_way_out and several),
            'start.exit_block = "special" needs one face in start.leave_on and several dice: '
            "it takes as many of that face as pieces come out (F15)",
        ),
        (
            rules.turn.sixes_row == "across_turns" and rules.turn.sixes_limit == 0,
            'turn.sixes_row = "across_turns" needs turn.sixes_limit',
        ),
    ]
    return next((words for broken, words in checks if broken), None)


def _first_unsound(rules: RuleSet) -> str | None:
    """What can't hold together in a device, a board or a way to win, or why the rules are no game."""
    return next((words for broken, words in _checks(rules) if broken), None) or unsound(rules)


def _checks(rules: RuleSet) -> Iterator[tuple[bool, str]]:
    chance, board, win = rules.chance, rules.board, rules.win
    shells = chance.device in ("cowries", "sticks")
    yield bool(chance.cards) != (chance.device == "cards"), 'chance.cards and chance.device = "cards" go together (L14)'
    yield (
        not chance.replacement and chance.device != "cards",
        'chance.replacement = false needs chance.device = "cards"',
    )
    yield bool(chance.throws) and not shells, 'chance.throws needs chance.device = "cowries" or "sticks"'
    yield (
        bool(chance.throws) and len(chance.throws) != chance.dice + 1,
        (f"chance.throws needs {chance.dice + 1} values, for 0 to {chance.dice} that lie up"),
    )
    sides = 2 if shells else len(chance.faces)
    yield (
        bool(chance.weights) and len(chance.weights) != sides,
        f"chance.weights needs {sides} values, one for each face",
    )
    yield (
        chance.device in ("cards", "spinner") and chance.dice != 1,
        f'chance.device = "{chance.device}" needs chance.dice = 1',
    )
    yield chance.use == "sum" and chance.dice == 1, "chance.use needs chance.dice of 2 and more"
    yield len({card.name for card in chance.cards}) < len(chance.cards), "chance.cards names a card twice"
    for card in chance.cards:
        both = card.distance != 0 and card.effect != "none"
        yield both, f"chance.cards: {card.name} has a distance and an effect: one of them"
        yield (
            card.moves != "own" and card.distance == 0,
            f"chance.cards: {card.name} moves a piece, so it needs a distance",
        )
    yield board.shape == "graph" and not board.paths, 'board.shape = "graph" needs board.paths'
    for field in ("safe.tiles", "movement.stars") if board.shape == "graph" else ():
        yield value_at(rules, field) != (), f"{field} counts from entry tiles, which a graph has not: use names"
    stairs = rules.finish.rule == "stairs"
    yield stairs and (board.shape == "graph" or board.end_path == 0), 'finish.rule = "stairs" needs end paths'
    missing = steps_never_rolled(rules) if stairs else []
    yield bool(missing), f'finish.rule = "stairs": nothing rolled is worth {missing}, which these steps need (L27)'
    yield (
        board.shape == "graph" and rules.finish.places == "end_path",
        ('finish.places = "end_path" needs a cross or a ring'),
    )
    yield (
        not rules.finish.passing and (board.shape == "graph" or board.end_path == 0),
        "finish.passing = false needs end paths: a cross or a ring with board.end_path",
    )
    if rules.movement.combined_move != "none" and (board.paths or board.shape != "graph"):
        yield (
            Topology(rules).has_branches,
            "movement.combined_move needs a board whose ways do not part: '12+5+3' does not say which way (F20)",
        )
    yield board.shape == "graph" and rules.capture.before_home, "capture.before_home needs a cross or a ring"
    yield (
        rules.movement.may_move == "team" and rules.modes.mode != "teams",
        ('movement.may_move = "team" needs modes.mode = "teams"'),
    )
    yield (win.condition == "score") != (win.score > 0), 'win.condition = "score" and win.score go together (L20)'
    yield (
        win.condition == "score" and win.home_points == 0 and win.capture_points == 0,
        ("win.score can't be reached: win.home_points and win.capture_points are 0 (L20)"),
    )
    yield win.needed > board.pieces, f"win.needed = {win.needed} is more than board.pieces = {board.pieces} (L20)"
    yield win.condition != "home" and win.play_on, 'win.play_on needs win.condition = "home"'
    yield win.condition != "home" and rules.modes.mode == "teams", 'modes.mode = "teams" needs win.condition = "home"'
    yield win.ranks > 0 and not win.play_on, "win.ranks needs win.play_on"
    yield win.ranks >= board.seats, f"win.ranks = {win.ranks} are more than can be played for"
    yield (
        len(set(chance.faces)) < len(chance.faces) and not chance.weights and chance.device == "spinner",
        ("chance.faces names a sector twice: use chance.weights"),
    )


def steps_never_rolled(rules: RuleSet) -> list[int]:
    """The steps of the stairs onto which no roll leads."""
    if outcome_count(rules) > MOST_OUTCOMES:
        return []
    rolled = {kind.distance for outcome in outcomes_of(rules) for kind in outcome.kinds}
    return sorted(set(range(1, rules.board.end_path + 1)) - rolled)


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


def _bad_change(rules: RuleSet) -> str | None:
    """The first change that can't be made, or that leads to rules which contradict each other."""
    from pydantic import ValidationError

    for number, change in enumerate(rules.changes):
        where = f"changes.{number}"
        if (change.when == "tile") != (change.tile is not None):
            return f'{where}: when = "tile" and tile go together (L2)'
        for place in change.set:
            if place_of(place) != place:
                return f"{where}.set: options have dotted names such as 'block.stops', not {quoted(place)}"
            group, _, key = place.partition(".")
            if key in FIXED.get(group, ()):
                return f"{where}.set: {place} can't change during the game (L2)"
    names = [change.name or f"change {number + 1}" for number, change in enumerate(rules.changes)]
    if len(set(names)) < len(names):
        return "changes: two have the same name (L2)"
    try:
        banks = rules.banks[1:]
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part)[:40] for part in first["loc"])
        return f"changes: {place}: {first['msg'][0].lower()}{first['msg'][1:]}, not {quoted(first.get('input'))} (L2)"
    for bits, bank in enumerate(banks, start=1):
        words = _first_plain(bank) or _first_unsound(bank)
        if words:
            held = ", ".join(name for number, name in enumerate(names) if bits >> number & 1)
            return f"changes: once {held} holds: {words} (L2)"
    return None
