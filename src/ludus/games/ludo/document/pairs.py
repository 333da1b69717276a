"""Pairs of options that can't hold together, chapter by chapter: whether they do it here, and what to say then."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ludus.games.ludo.board.chance import MOST_OUTCOMES, outcome_count, outcomes_of
from ludus.games.ludo.board.topology import Topology
from ludus.games.ludo.document.rules import COLOURS, RuleSet

_WAY_BACK = re.compile(r"\[\s*with\s+-")
Checks = Iterator[tuple[bool, str]]


def _generated_board(rules: RuleSet) -> Checks:
    """The path of a cross or a ring, and what is counted along it."""
    board, length = rules.board, rules.path_length
    generated = board.shape != "graph"
    yield (
        generated and board.shape == "cross" and board.end_path == 0,
        'board.end_path = 0 needs board.shape = "ring"',
    )
    yield (
        generated and length % board.seats != 0,
        f"board.path = {length} does not divide by board.seats = {board.seats}",
    )
    yield (generated and rules.arm <= board.skipped + 1, f"board.path = {length} is too short for {board.seats} seats")
    yield (generated and length > 240, f"board.path = {length} is longer than 240 tiles")
    yield (
        generated and any(t >= rules.arm for t in rules.safe.tiles),
        f"safe.tiles count from an entry tile, so they are below {rules.arm}",
    )
    yield (
        generated and any(t >= rules.arm for t in rules.movement.stars),
        f"movement.stars count from an entry tile, so they are below {rules.arm}",
    )
    yield (bool(set(rules.safe.tiles) & set(rules.movement.stars)), "safe.tiles and movement.stars share a tile")


def _several_dice(rules: RuleSet) -> Checks:
    """Moves with several dice."""
    several = rules.tokens_in_a_roll > 1
    yield (
        rules.chance.pool != "one_roll" and not several,
        'chance.pool = "double_six" needs chance.dice = 2 or more, played one by one: one die has no double six',
    )
    yield (
        rules.movement.combined_move != "none" and not several,
        "movement.combined_move needs chance.dice = 2 or more, played one by one: one can't be combined",
    )
    yield (
        rules.movement.combined_move != "none" and rules.finish.rule != "exact",
        'movement.combined_move needs finish.rule = "exact": several dice as one move come home exactly',
    )
    yield (
        rules.movement.combined_move != "none" and rules.capture.by in ("passing", "sweep"),
        'movement.combined_move needs capture.by = "landing" or "none": '
        'what a combined move takes on its way is said by combined_move = "sweep"',
    )
    yield (
        rules.start.go_on != "never" and rules.start.enter != "entry",
        'start.go_on needs start.enter = "entry": a piece comes out there and goes on from there',
    )
    yield (
        rules.movement.forced_combination and rules.movement.combined_move == "none",
        "movement.forced_combination needs movement.combined_move",
    )
    yield (
        rules.start.go_on != "never" and rules.movement.combined_move == "none",
        "start.go_on needs movement.combined_move",
    )


def _blocks(rules: RuleSet) -> Checks:
    """Blocks, and who has to do with them."""
    yield (
        rules.start.exit_block == "special" and rules.capture.captured_to != "held",
        'start.exit_block = "special" needs capture.captured_to = "held"',
    )
    yield (
        rules.start.exit_block == "special" and rules.block.stops == "none",
        'start.exit_block = "special" needs block.stops',
    )
    yield (rules.block.unblock_duty and rules.block.stops == "none", "block.unblock_duty needs block.stops")
    yield (not rules.movement.share_own and rules.block.stops != "none", "block.stops needs movement.share_own = true")
    yield (
        not rules.block.moves_on and not (rules.movement.share_own and rules.movement.combined_move == "none"),
        'block.moves_on = false needs movement.share_own = true and movement.combined_move = "none"',
    )


def _places_on_the_end_path(rules: RuleSet) -> Checks:
    """The end path as the finish."""
    board = rules.board
    yield (
        rules.finish.places == "end_path" and board.end_path < board.pieces,
        'finish.places = "end_path" needs an end-path tile for each piece',
    )
    yield (
        rules.finish.places == "end_path" and rules.finish.rule != "exact",
        'finish.places = "end_path" needs finish.rule = "exact"',
    )
    yield (
        rules.finish.places == "end_path" and bool(rules.movement.stars),
        'finish.places = "end_path" has no finish for movement.stars to jump to',
    )


def _teams(rules: RuleSet) -> Checks:
    """Teams."""
    board = rules.board
    yield (rules.win.play_on and rules.modes.mode == "teams", 'win.play_on needs modes.mode = "ffa"')
    yield (
        rules.modes.mode == "teams" and (board.seats % 2 == 1 or board.seats < 4),
        'modes.mode = "teams" needs board.seats = 4, 6, 8, 10 or 12',
    )
    yield (rules.modes.mode == "teams" and board.pieces > 7, 'modes.mode = "teams" needs board.pieces of at most 7')


def _controls(rules: RuleSet) -> Checks:
    """One player with several colours."""
    controls = rules.players.controls
    if not controls:
        return
    colours = COLOURS[: rules.board.seats]
    named = [colour for player in controls for colour in player]
    yield (
        sorted(named) != sorted(colours) or any(len(player) != 2 for player in controls),
        f"players.controls shares out every colour of the board once, two to each player: {', '.join(colours)}",
    )
    yield rules.modes.mode != "teams", 'players.controls needs modes.mode = "teams", or nothing said of it'
    yield (
        rules.movement.may_move == "all",
        'players.controls says whose pieces a player moves: movement.may_move = "team", or "own" where a colour\'s '
        "turn is its own",
    )
    yield (
        rules.chance.hold.startswith("hand"),
        'players.controls: a player with two colours would have two hands; chance.hold = "roll" or "turn"',
    )


def _said_twice(rules: RuleSet) -> Checks:
    """Lists that name something twice."""
    yield (len(set(rules.start.leave_on)) < len(rules.start.leave_on), "start.leave_on names a face twice")
    yield (len(set(rules.safe.tiles)) < len(rules.safe.tiles), "safe.tiles names a tile twice")
    yield (len(set(rules.movement.stars)) < len(rules.movement.stars), "movement.stars names a tile twice")
    yield (len(set(rules.turn.again_on)) < len(rules.turn.again_on), "turn.again_on names a reason twice")


def _ways_out(rules: RuleSet) -> Checks:
    """What brings a piece out, and the rolls in a row."""
    several = rules.tokens_in_a_roll > 1
    one_way_out = len(rules.start.leave_on) == 1
    yield (
        rules.start.go_on != "never" and not one_way_out,
        "start.go_on needs one face in start.leave_on: 'out+3' does not say which die brings the piece out",
    )
    yield (
        rules.start.exit_block == "special" and not (one_way_out and several),
        'start.exit_block = "special" needs one face in start.leave_on and several dice: '
        "it takes as many of that face as pieces come out",
    )
    yield (rules.turn.sixes_limit == 1, "turn.sixes_limit = 1 would forbid every 6; take 0 for never, or 2 and more")
    yield (
        rules.turn.sixes_row == "across_turns" and rules.turn.sixes_limit == 0,
        'turn.sixes_row = "across_turns" needs turn.sixes_limit',
    )


def _device(rules: RuleSet) -> Checks:
    """The device of chance."""
    chance = rules.chance
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
    yield (
        chance.marked is not None and not (shells and chance.dice > 1),
        'chance.marked needs chance.device = "cowries" or "sticks", and several of them',
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
    yield (
        len(set(chance.faces)) < len(chance.faces) and not chance.weights and chance.device == "spinner",
        ("chance.faces names a sector twice: use chance.weights"),
    )


def _graph(rules: RuleSet) -> Checks:
    """A board of own making, and the end path."""
    board = rules.board
    yield board.shape == "graph" and not board.paths, 'board.shape = "graph" needs board.paths'
    yield (
        rules.movement.backward == "round" and any(_WAY_BACK.search(chain) for chain in board.paths),
        "board.paths names ways back: movement.backward stays 'to_entry'",
    )
    for field, tiles in (("safe.tiles", rules.safe.tiles), ("movement.stars", rules.movement.stars)):
        yield (
            board.shape == "graph" and tiles != (),
            f"{field} counts from entry tiles, which a graph has not: use names",
        )
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


def _movement(rules: RuleSet) -> Checks:
    """Moves on boards whose ways part, and of whose pieces."""
    board = rules.board
    if rules.movement.combined_move != "none" and (board.paths or board.shape != "graph"):
        yield (
            Topology(rules).has_branches,
            "movement.combined_move needs a board whose ways do not part: '12+5+3' does not say which way",
        )
    yield (
        rules.movement.may_move == "team" and rules.modes.mode != "teams",
        ('movement.may_move = "team" needs modes.mode = "teams"'),
    )


JOINING = ("joins", "may_join")


def _meetings(rules: RuleSet) -> Checks:
    """What rows of meetings can't say, or can't say beside other options."""
    combined = rules.movement.combined_move != "none"
    for number, row in enumerate(rules.meeting):
        where = f"meeting.{number}"
        held_up = row.passing is not True or row.landing == "stops_before"
        yield (
            combined and (held_up or row.landing in (*JOINING, "swap") or row.is_relative),
            f"{where}: movement.combined_move has only rows that leave passing free and capture, share, close or send "
            "home by a number",
        )
        joins = row.landing in JOINING
        yield joins and row.who not in ("own", "side"), f"{where}: only own pieces are joined (L31)"
        yield (
            joins and row.count != "1+",
            f'{where}: landing = "{row.landing}" needs count = "1+": pieces together travel as one, however many (L31)',
        )
        yield row.landing == "swap" and row.who != "enemy", f'{where}: landing = "swap" needs who = "enemy" (L28)'
        strikes_own = row.who in ("own", "mate", "side", "any") and (row.landing == "capture")
        yield (
            row.passing == "captures" and row.who in ("own", "mate", "side", "any"),
            f"{where}: nobody captures pieces of the own side in passing (L33)",
        )
        yield (
            strikes_own and (combined or rules.capture.duty or "capture" in " ".join(rules.turn.duties)),
            f"{where}: where own pieces go home too, nobody has to capture, and moves are not combined (L33)",
        )
        yield (
            strikes_own and rules.capture.captured_to == "held",
            f'{where}: own pieces that are met go home: capture.captured_to = "start" (L33)',
        )
    yield (
        combined and rules.asks_for_capture and not rules.capture.before_home,
        "board.paths: [captured] and movement.combined_move do not go together",
    )


def _challenges(rules: RuleSet) -> Checks:
    """Rows of meetings whose pieces are challenged from behind."""
    values = {row.broken_by for row in rules.meeting if row.broken_by}
    yield len(values) > 1, "meeting: broken_by is one value for all rows (L33)"
    for number, row in enumerate(rules.meeting):
        stops = row.passing is False and row.landing == "closed" and row.who not in ("own", "mate", "side")
        alone = rules.movement.combined_move == "none" and row.broken_by in rules.chance.faces
        yield (
            row.broken_by > 0 and not (stops and alone),
            f"meeting.{number}: broken_by needs a value that is rolled, others that are closed to passing and landing, "
            'and movement.combined_move = "none" (L33)',
        )


def _aim(rules: RuleSet) -> Checks:
    """How the game is won."""
    board, win = rules.board, rules.win
    stakes = any(row.do == "stake" for row in rules.on)
    yield win.purse >= win.score > 0, "win.purse: who begins with win.score points has won (L20)"
    yield win.purse > 0 and win.score == 0, 'win.purse needs win.condition = "score"'
    yield (win.condition == "score") != (win.score > 0), 'win.condition = "score" and win.score go together (L20)'
    yield (
        win.condition == "score" and not (win.home_points or win.capture_points or stakes),
        ("win.score can't be reached: win.home_points and win.capture_points are 0 (L20)"),
    )
    yield win.needed > board.pieces, f"win.needed = {win.needed} is more than board.pieces = {board.pieces} (L20)"
    yield win.condition != "home" and win.play_on, 'win.play_on needs win.condition = "home"'
    yield win.condition != "home" and rules.modes.mode == "teams", 'modes.mode = "teams" needs win.condition = "home"'
    yield win.ranks > 0 and not win.play_on, "win.ranks needs win.play_on"
    yield win.ranks >= board.seats, f"win.ranks = {win.ranks} are more than can be played for"


CHAPTERS = (
    _generated_board, _several_dice, _blocks, _places_on_the_end_path, _teams, _controls, _said_twice, _ways_out,
    _device, _graph, _movement, _meetings, _challenges, _aim,
)  # fmt: skip


def pairs(rules: RuleSet) -> list[str]:
    """Every pair of options that can't hold together, in words."""
    return [words for chapter in CHAPTERS for broken, words in chapter(rules) if broken]


def first_pair(rules: RuleSet) -> str | None:
    """The first pair of options that can't hold together, in words, or None."""
    return next(iter(pairs(rules)), None)


def steps_never_rolled(rules: RuleSet) -> list[int]:
    """The steps of the stairs onto which no roll leads."""
    if outcome_count(rules) > MOST_OUTCOMES:
        return []
    rolled = {distance for outcome in outcomes_of(rules) for kind in outcome.kinds for distance in kind.distances}
    return sorted(set(range(1, rules.board.end_path + 1)) - rolled)
