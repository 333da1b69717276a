"""Loose Ludo, rule by rule (L1–L37): what the search over the document found, and what playing it shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ludus.core.game import Game
from ludus.core.messages import Message
from ludus.games.ludo.board import reachable
from ludus.games.ludo.document.rules import RuleSet
from ludus.games.ludo.rulebook import proofs
from ludus.games.ludo.rulebook.findings import BROKEN, HOLDS, Finding
from ludus.games.ludo.rulebook.prose import sentences_of
from ludus.games.ludo.rulebook.strict import needs_fewer

# rules that leave something open, with the option that says what is done here: any document keeps them
PERMITS = {
    "L2": "changes", "L4": "board.seats", "L8": "board.pieces", "L9": "movement.may_move", "L16": "chance.weights",
    "L17": "turn.first", "L18": "turn.again_on", "L20": "win.turn_limit", "L21": "board.shape", "L24": "start.leave_on",
    "L28": ":moving", "L29": "chance.faces", "L31": "movement.share_own", "L36": "finish.rule",
}  # fmt: skip
# rules that every game of ludus keeps, with the option that says how
SHOWN = {"L13": "win.condition", "L14": "chance.device", "L37": "finish.places"}


@dataclass(frozen=True)
class OptionInWords(Message):
    """What an option of a rule set says, in whatever language it is asked in."""

    rules: Any = None

    def text(self, lang: str = "en") -> str:
        """The option's sentences."""
        return " ".join(sentences_of(self.rules, self.key, lang))


def loose_findings(rules: RuleSet, game: Game | None, refused: Finding | None) -> list[Finding]:
    """L1 to L37: for a document that can't be played (`game` is None) without the evidence of play."""
    broken = {fault.rule: Finding(fault.rule, BROKEN, fault.option, fault.reason, fault.values)
              for fault in reversed(list(reachable.faults(rules)))}  # fmt: skip
    if refused is not None:
        broken.setdefault(refused.rule, refused)
    shown = {} if game is None else evidence(rules, game)
    found = []
    for number in range(1, 38):
        rule = f"L{number}"
        found.append(broken.get(rule) or shown.get(rule) or plain(rule, rules))
    return found


def plain(rule: str, rules: RuleSet) -> Finding:
    """A rule that holds by what every game of ludus is, or because it permits anything."""
    option = PERMITS.get(rule) or SHOWN.get(rule)
    if option is None:
        return Finding(rule, HOLDS, reason="always")
    reason = "permits" if rule in PERMITS else "here"
    if rule == "L13" and not won_by_all_home(rules):
        reason = "by_L20"
    return Finding(rule, HOLDS, reason=reason, values={"here": OptionInWords("", option, rules=rules)})


def won_by_all_home(rules: RuleSet) -> bool:
    """Whether it takes all pieces on the finish to win (L13), and nothing else does."""
    return rules.win.condition == "home" and not needs_fewer(rules) and not rules.win.turn_limit


def evidence(rules: RuleSet, game: Game) -> dict[str, Finding]:
    """The rules that are shown by search and by play."""
    checks: tuple[Callable[[RuleSet, Game], Finding], ...] = (
        randomness, common_tile, leaving, coming_home, ending, capturing,
    )  # fmt: skip
    found = {finding.rule: finding for finding in (check(rules, game) for check in checks)}
    capture = found["L33"]
    if capture.status == HOLDS:
        found["L32"] = Finding("L32", HOLDS, reason="see_capture")
    return found


def randomness(rules: RuleSet, game: Game) -> Finding:
    """L15: more than one outcome, none of them certain."""
    outcomes = game.position(proofs.set_up(game, game.players[0])).outcomes()
    likely = max(outcomes, key=lambda name: outcomes[name])
    values = {"count": len(outcomes), "likely": likely, "chance": f"{100 * outcomes[likely]:.1f} %"}
    proof = {"outcomes": {name: round(chance, 6) for name, chance in outcomes.items()}}
    if len(outcomes) < 2:
        return Finding("L15", BROKEN, reachable.option_of_chance(rules), "not_random")
    return Finding("L15", HOLDS, reason="random", values=values, proof=proof)


def common_tile(rules: RuleSet, game: Game) -> Finding:
    """L22: the tiles that the search found for everybody."""
    search = reachable.Search(rules)
    tiles = [search.board.name(node) for node in sorted(search.shared_by_all())]
    values = {"count": len(tiles), "tile": tiles[0] if tiles else ""}
    return Finding("L22", HOLDS, reason="common_tiles", values=values, proof={"tiles": tiles})


def leaving(rules: RuleSet, game: Game) -> Finding:
    """L25: for every colour a roll and a move out of the start."""
    ways = {}
    for colour in game.players:
        step = next(proofs.steps_from(game, colour, "start"), None)
        if step is None:
            return Finding("L25", BROKEN, "start.leave_on", "nobody_leaves")
        ways[colour] = {"roll": step.roll, "move": step.move, "tile": step.target}
    first = ways[game.players[0]]
    return Finding("L25", HOLDS, reason="leaves", values={"roll": first["roll"], "tile": first["tile"]}, proof=ways)


def coming_home(rules: RuleSet, game: Game) -> Finding:
    """L27: the rolls and moves that bring a lone piece home, for one colour where all have the same way."""
    colours = game.players[:1] if reachable.is_symmetric(rules) else game.players
    found = {colour: proofs.way_home(game, colour) for colour in colours}
    ways = {colour: way for colour, way in found.items() if way}
    if len(ways) < len(colours):  # a lone piece can't show it: others have to help, the search says that they can
        return Finding("L27", HOLDS, reason="home_by_search")
    moves = max(len(way) for way in ways.values())
    return Finding("L27", HOLDS, reason="home", values={"moves": moves}, proof=ways)


def ending(rules: RuleSet, game: Game) -> Finding:
    """L20: what random games showed; a game that can go on for ever is Ludo too."""
    if game.may_not_end:
        return Finding("L20", HOLDS, reason="may_not_end", values={"why": game.may_not_end})
    ends = proofs.play_to_the_end(game)
    values = {"games": ends.games, "ended": ends.ended, "longest": ends.longest, "limit": rules.win.turn_limit}
    reason = "ends" if ends.ended == ends.games else "ends_sometimes"
    return Finding("L20", HOLDS, reason=reason, values=values, proof=ends.to_dict())


def capturing(rules: RuleSet, game: Game) -> Finding:
    """L33: a position and a move that captures."""
    proof = proofs.find_capture(game)
    if proof is None:
        return Finding("L33", BROKEN, "capture.by", "no_capture_found")
    values = {"roll": proof.roll or "–", "move": proof.move, "words": proof.described}
    return Finding("L33", HOLDS, reason="captures", values=values, proof=proof.to_dict())
