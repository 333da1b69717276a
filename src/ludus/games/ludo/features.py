"""What the features of Ludo mean: a name for each number, and which of them speak of one thing."""

from __future__ import annotations

from collections.abc import Iterator

from ludus.games.ludo import kernel_features as k

MATE, MOST_SEATS = k.MATE, k.MOST_SEATS
SEATS = (*(f"seat {number}" for number in range(k.MOST_SEATS)), "the teammate")
TURN_NAMES = {
    k.DECIDES: "somebody decides", k.IN_A_ROW: "one six in a row", k.IN_A_ROW + 1: "two sixes in a row",
    k.IN_A_ROW + 2: "more sixes in a row", k.ATTEMPTS: "one failed attempt", k.ATTEMPTS + 1: "two failed attempts",
    k.ATTEMPTS + 2: "more failed attempts", k.ANOTHER: "another roll if something is played",
    k.ANOTHER + 1: "another roll", k.UNBLOCKED: "the duty to unblock is done", k.TIME: "turns / limit",
    k.PLACED: "players that are done / players", k.DECK_LEFT: "cards left / all", k.ROLLING_OFF: "who begins is open",
    k.WAITS_OTHER: "other tokens that wait",
}  # fmt: skip
FLAG_NAMES = (
    "likely to have a move", "likely to come home", "likely to come out", "steps to go / all", "its way home is open",
    "change 1 holds", "change 2 holds", "change 3 holds", "change 4 holds", "turns to miss / 4",
    "points / points to win", "captures / most counted", "pieces lost / most counted", "place / players",
    "frozen pieces / 4",
    "sixes in a row, kept / 3", "enemies 7 to 12 behind / 4", "enemies 7 to 12 ahead / 4",
)  # fmt: skip

# what people call some of a seat's features
THEMES: dict[str, range] = {
    "danger": range(k.DANGER, k.ATTACK),
    "attack": range(k.ATTACK, k.SAFE),
    "safe": range(k.SAFE, k.STACKED),
    "stacked": range(k.STACKED, k.YARD),
    "out": range(k.YARD, k.HOME),
    "home": range(k.HOME, k.HELD),
    "race": range(k.RACE, k.RACE + 1),
    "moves": range(k.MOVES, k.MOVES + 1),
    "hunted": range(k.CHASED, k.CHASED + 1),
}
RIVAL_THEMES = {"rival_danger": THEMES["danger"], "rival_race": THEMES["race"]}


def feature_names() -> list[str]:
    """The meaning of each feature, in order; `seat 0` is the one that looks, the others follow in order of play."""
    turn = [TURN_NAMES.get(number, f"token {number - k.WAITS} waits") for number in range(k.TURN_SIZE)]
    return turn + [f"{seat}: {name}" for seat in SEATS for name in _block()]


def _block() -> Iterator[str]:
    for place in range(k.PLACES):
        yield f"pieces with {_steps(place)} steps to go"
    for quarter in range(k.QUARTERS):
        for level in range(k.DANGERS):
            yield f"pieces in quarter {quarter + 1} of the way, in danger of level {level + 1}"
    for what in ("likely to capture one", "pieces nobody next captures", "pieces beside another"):
        for quarter in range(k.QUARTERS):
            yield f"{what} in quarter {quarter + 1}"
    for what, most in (("in the yard", k.MOST_COUNTED), ("home", k.MOST_COUNTED), ("held", k.MOST_HELD)):
        for count in range(most + 1):
            yield f"{count} pieces {what}"
    yield from FLAG_NAMES


def _steps(place: int) -> str:
    if place < k.FINE:
        return str(place)
    if place < k.COARSE:
        first = k.FINE + 4 * (place - k.FINE)
        return f"{first} to {first + 3}"
    first = k.FINE + 4 * (k.COARSE - k.FINE) + 16 * (place - k.COARSE)
    return f"{first} to {first + 15}"


def themes(block: int, rivals: list[int]) -> dict[str, dict[int, float]]:
    """The features of a seat by what they speak of, and some of its rivals': blocks as numbers in the layout."""
    own = {name: {_first(block) + number: _meant(number) for number in numbers} for name, numbers in THEMES.items()}
    for name, numbers in RIVAL_THEMES.items():
        own[name] = {_first(rival) + number: _meant(number) for rival in rivals for number in numbers}
    return own


def _meant(number: int) -> float:
    """How much a feature of a block stands for: pieces in the yard and at home are counted by which one is 1."""
    if k.YARD <= number < k.HELD:
        return float(number - (k.YARD if number < k.HOME else k.HOME))
    return 1.0


def _first(block: int) -> int:
    return k.TURN_SIZE + min(block, k.MATE) * k.BLOCK_SIZE
