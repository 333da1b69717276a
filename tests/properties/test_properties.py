"""Laws that hold in any position, set up at random: what play could reach is a small part of them."""

from __future__ import annotations

import copy
import json
import random
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from variants import VARIANTS, make

import ludus
from ludus.core.conformance import POSITION_LAWS, guarded, the_twins_see_and_refuse_alike, twins
from ludus.games.ludo.game import LudoGame

from .strategies import Data, asking, ludo_data, rolloff_data

QUICK = ("pettingzoo", "pettingzoo-teams", "strict-dice", "star", "maedn", "french")
LUDO = [
    *QUICK, "pettingzoo-3", "pettingzoo-opponents-exact", "strict", "strict-3-corners",
    "strict-dice-2-corners", "star-2", "star-3-from-square", "star-exact-play-on", "star-overshoot",
    "maedn-attempts", "french-3", "french-jump", "eight-seats", "six-seats-star",
    "six-seats-french", "three-seats-out-on-three",
]  # fmt: skip
FULL = [variant for variant in LUDO if "players" not in VARIANTS[variant][1]]  # every seat is taken

_games: dict[str, tuple[LudoGame, LudoGame]] = {}


def pair(variant: str) -> tuple[LudoGame, LudoGame]:
    """The game of a variant, compiled, and interpreted with its indices watched."""
    if variant not in _games:
        fast, slow = twins(make(variant))
        _games[variant] = (fast, guarded(slow))  # type: ignore[assignment]
    return _games[variant]


def each(variants: list[str]) -> Any:
    """A test for each variant; the less usual ones are slow."""
    marks = {variant: () if variant in QUICK else pytest.mark.slow for variant in variants}
    return pytest.mark.parametrize("variant", [pytest.param(v, marks=marks[v]) for v in variants])


def position(data: st.DataObject, variant: str) -> tuple[ludus.Position, Data]:
    """A position of a variant, and the data it was set up from."""
    game, _ = pair(variant)
    drawn = data.draw(ludo_data(game))
    return game.position(drawn), drawn


@each(LUDO)
@asking
@given(data=st.data())
def test_the_laws_of_the_kit(variant: str, data: st.DataObject) -> None:
    """Mask, notation, plain data, observations, and compiled against interpreted."""
    pos, _ = position(data, variant)
    slow, rng = pair(variant)[1], random.Random(0)
    for law in POSITION_LAWS:
        law(pos, slow, rng)
    if pos.game.num_actions < 50:
        the_twins_see_and_refuse_alike(pos, slow, rng)


@each(LUDO)
@asking
@given(data=st.data())
def test_set_up_data_come_back(variant: str, data: st.DataObject) -> None:
    pos, drawn = position(data, variant)
    found = pos.to_dict()
    assert found["pieces"] == drawn["pieces"], "list order is kept"
    assert found["turn"] == drawn["turn"]
    assert sorted(found.get("dice", [])) == sorted(drawn.get("dice", []))
    for key in ("captured", "places", "kept"):
        assert found.get(key, []) == drawn.get(key, [])


@each([variant for variant in LUDO if VARIANTS[variant][0] == "strict"])
@asking
@given(data=st.data())
def test_the_laws_of_the_kit_in_a_roll_off(variant: str, data: st.DataObject) -> None:
    game, slow = pair(variant)
    pos = game.position(data.draw(rolloff_data(game)))
    for law in POSITION_LAWS:
        law(pos, slow, random.Random(0))


@each(LUDO)
@asking
@given(data=st.data())
def test_pieces_are_conserved(variant: str, data: st.DataObject) -> None:
    """Only the colour that moves goes anywhere, but for those it captures; and all stay on the board."""
    pos, _ = position(data, variant)
    for move in pos.moves():
        after = pos.play(move)
        assert pos.game.position(after.to_dict()) == after
        gone = 0
        for colour, before in pos.to_dict()["pieces"].items():
            now = after.to_dict()["pieces"][colour]
            assert len(now) == len(before)
            if colour == move.colour:
                continue
            changed = [(a, b) for a, b in zip(before, now, strict=True) if a != b]
            assert all(isinstance(a, int) and b in ("start", f"held:{move.colour}") for a, b in changed)
            gone += len(changed)
        assert gone == len(move.captures)


@each(LUDO)
@asking
@given(data=st.data(), seed=st.integers(), choices=st.lists(st.integers(0, 10**6), max_size=80))
def test_a_replay_ends_where_the_game_did(variant: str, data: st.DataObject, seed: int, choices: list[int]) -> None:
    game, slow = pair(variant)
    drawn = data.draw(ludo_data(game)) if data.draw(st.booleans()) else None
    pos = game.position(drawn, seed) if drawn else game.start(seed)
    events: list[str] = []
    for choice in choices:
        names = [*pos.outcomes(), *map(str, pos.moves())]
        if not names:
            break
        events.append(names[choice % len(names)])
        pos = pos.play(events[-1])
    again = slow.position(drawn) if drawn else slow.start()
    for event in events:
        again = again.play(event)
    assert again == pos
    assert again.to_dict() == pos.to_dict()


@each(LUDO)
@asking
@given(data=st.data())
def test_piece_order_does_not_matter(variant: str, data: st.DataObject) -> None:
    """Pieces compare as sorted places: a permuted list is an equal position with the same moves, and seen alike.

    But for the numbers that say which piece is which.
    """
    pos, drawn = position(data, variant)
    permuted = copy.deepcopy(drawn)
    for colour, places in drawn["pieces"].items():
        permuted["pieces"][colour] = data.draw(st.permutations(places))
    other = pos.game.position(permuted)
    assert other == pos
    assert hash(other) == hash(pos)
    assert sorted(map(str, other.moves())) == sorted(map(str, pos.moves()))
    assert int(other.mask().sum()) == int(pos.mask().sum())
    for move in pos.moves():
        assert other.play(str(move)) == pos.play(move)
    unnumbered = [not name.startswith("piece ") for name in pos.game.observation_names]
    for player in pos.game.players:
        assert (other.observation(player) == pos.observation(player))[unnumbered].all()


class Turned:
    """Everything one seat on: colours, and path tiles by one arm of the board."""

    def __init__(self, game: LudoGame) -> None:
        names = game.players
        self.arm, self.length = game.rules.arm, game.rules.path_length
        self.next = {name: names[(seat + 1) % len(names)] for seat, name in enumerate(names)}

    def place(self, place: int | str) -> int | str:
        """A place, as the next seat has it."""
        if isinstance(place, int):
            return (place + self.arm) % self.length
        return f"held:{self.next[place[5:]]}" if place.startswith("held:") else place

    def data(self, data: Data) -> Data:
        """A position, as the next seat has it."""
        found = {**data, "turn": self.next[data["turn"]]}
        for key in ("pieces", "frozen"):
            if key in data:
                found[key] = {self.next[c]: [self.place(p) for p in places] for c, places in data[key].items()}
        if "sixes" in data:
            found["sixes"] = {self.next[c]: n for c, n in data["sixes"].items()}
        for key in ("captured", "places"):
            if key in data:
                found[key] = [self.next[c] for c in data[key]]
        return found

    def notation(self, text: str) -> str:
        """A move, as the next seat writes it."""
        first, colon, rest = text.partition(":")
        prefix = first if colon and first in self.next else ""
        rest = rest if prefix else text
        turned = re.sub(r"^\d+", lambda tile: str(self.place(int(tile[0]))), rest)
        return f"{self.next[prefix]}:{turned}" if prefix else turned


def buys_in_seat_order(pos: ludus.Position, drawn: Data, mover: str) -> bool:
    """F11, F16: which of two captors gives a piece back does not turn with the seats."""
    return len({place for place in drawn["pieces"][mover] if str(place).startswith("held:")}) > 1


@each(FULL)
@asking
@given(data=st.data())
def test_seats_are_alike(variant: str, data: st.DataObject) -> None:
    """A position turned by one seat has the turned moves, positions after them, and observations."""
    pos, drawn = position(data, variant)
    game = pair(variant)[0]
    turned = Turned(game)
    other = game.position(turned.data(drawn))
    assert sorted(map(str, other.moves())) == sorted(turned.notation(str(move)) for move in pos.moves())
    assert other.outcomes() == pos.outcomes()
    for move in pos.moves():
        if buys_in_seat_order(pos, drawn, move.colour) and str(move)[:4] in ("buy", "out*"):
            continue
        after = other.play(turned.notation(str(move)))
        assert after == game.position(turned.data(pos.play(move).to_dict()))
        assert after.result == _turned_result(turned, pos.play(move).result)
    for outcome in pos.outcomes():
        assert other.play(outcome) == game.position(turned.data(pos.play(outcome).to_dict()))
    for player in game.players:
        assert (other.observation(turned.next[player]) == pos.observation(player)).all()


def _turned_result(turned: Turned, result: dict[str, float] | None) -> dict[str, float] | None:
    return None if result is None else {turned.next[player]: value for player, value in result.items()}


ODD_TEXT = st.one_of(
    st.text(max_size=12),
    st.text(alphabet="0123456789+:*()>,-outpasbuyendhlg ", max_size=14),
    st.from_regex(r"(blue:|green:)?(out|buy|pass|\d{1,3}|end:\d|held:red)(\+[0-7]){0,4}(\*[1-5])?", fullmatch=True),
)


@each(LUDO)
@asking
@given(data=st.data(), text=ODD_TEXT)
def test_any_text_is_a_move_or_refused(variant: str, data: st.DataObject, text: str) -> None:
    pos, _ = position(data, variant)
    before = pos.to_dict()
    refused = None
    try:
        pos.play(text)
    except ludus.IllegalMove as error:
        refused = error
    assert pos.to_dict() == before
    if refused:
        assert all(refused.explain(lang).isprintable() for lang in ("en", "fr"))
    elif pos.to_move != "chance":
        assert pos.mask()[pos.action(text)]


NUMBERS = st.one_of(st.integers(-2, 60), st.sampled_from([2**31, 2**63, -(2**70)]), st.floats())
WORDS = st.sampled_from(["start", "finish", "end:0", "end:9", "end:", "held:", "held:blue", "green", "x", "end:²", ""])
ODD_VALUE = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, WORDS),
    lambda inner: st.one_of(st.lists(inner, max_size=5), st.dictionaries(WORDS, inner, max_size=3)),
    max_leaves=6,
)
KEYS = st.sampled_from(
    [
        "pieces",
        "turn",
        "dice",
        "captured",
        "sixes",
        "frozen",
        "kept",
        "rolls",
        "rolloff",
        "unblocked",
        "places",
        "odd",
    ]
)


@each(LUDO)
@asking
@given(data=st.data(), key=KEYS, value=ODD_VALUE)
def test_any_data_are_a_position_or_refused(variant: str, data: st.DataObject, key: str, value: object) -> None:
    """One thing in a valid position replaced by something odd: refused, or a position that is sound."""
    game, slow = pair(variant)
    odd: Data = {**data.draw(ludo_data(game)), key: value}
    if key == "pieces" and data.draw(st.booleans()):
        odd = data.draw(ludo_data(game))
        colour = data.draw(st.sampled_from(game.players))
        odd["pieces"][colour][0] = value
    refused = None
    try:
        pos = game.position(odd)
    except ludus.InvalidPosition as error:
        refused = str(error)
    if refused is not None:
        assert refused.isprintable()
        return
    for law in POSITION_LAWS:
        law(pos, slow, random.Random(0))
    json.dumps(pos.to_dict())
