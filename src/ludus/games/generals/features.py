"""What the features of Generals mean: a name for each number, and which of them speak of one thing."""

from __future__ import annotations

from ludus.games.generals import kernel_bots as b
from ludus.games.generals import kernel_features as k

ROLES = ("attacker", "defender")
BESIDE, NEAR = 2, 4  # zones beside the General, and those within two cells
HEAD = (
    "the roles are open", "somebody decides", "a conversion is to be chosen", "an interception is to be drawn",
    "turns since progress / limit", "turns / limit", "", "",
)  # fmt: skip
SEEN_FIRST = (
    "ALWAYS", "ATTACKERS", "DEFENDERS", "TWO_ATTACKERS", "FOUR_ATTACKERS", "TWO_DEFENDERS", "UNGUARDED",
    "GUARDED_TWICE", "ONE_HIT", "TWO_HITS", "A_GARRISON_LEFT", "D_GARRISON_LEFT", "STRIKE_LEFT", "QUIETNESS",
)  # fmt: skip
SEEN_LAST = (
    "HOME_LEFT", "HOME_RIGHT", "AT_HOME", "HITS_OPEN", "LINES_OPEN", "HITS_ONE_GUARD", "HITS_GUARDED", "LINES_GUARDED",
    "A_KILLS", "D_KILLS", "D_CONVERTS", "D_ENTERS", "A_THREATENED", "D_THREATENED", "GUARDS_THREATENED", "AHEAD",
    "LAST_HIT_OPEN", "OPEN_ENTERS",
)  # fmt: skip


def feature_names() -> list[str]:
    """The meaning of each feature, in order: a half for each role that looks."""
    names = []
    for role in ROLES:
        names += [f"to the {role}: {name or 'nothing'}" for name in HEAD]
        names += [f"to the {role}: {side} on cell {cell} or its mirror image" for side in ROLES for cell in range(50)]
        names += [f"to the {role}: {seen_name(number)} / 4" for number in range(b.FEATURES)]
        names += [f"to the {role}: the unit that converts or attacks is on cell {cell}" for cell in range(50)]
    return names


def seen_name(number: int) -> str:
    """What the bots of Generals call a number that they see (kernel_bots.look_over)."""
    if number < b.A_ZONE:
        return SEEN_FIRST[number].lower().replace("_", " ")
    if number < b.D_ZONE + b.ZONES:
        side = number >= b.D_ZONE
        return f"{ROLES[side]}s in zone {number - (b.D_ZONE if side else b.A_ZONE)}"
    return SEEN_LAST[number - b.D_ZONE - b.ZONES].lower().replace("_", " ")


def themes(looks: int, decides: int) -> dict[str, dict[int, float]]:
    """The features by what they speak of to whom decides; both are roles, 0 the attacker."""
    own, other = (b.ATTACKERS, b.DEFENDERS) if decides == 0 else (b.DEFENDERS, b.ATTACKERS)
    threatened = (b.A_THREATENED, b.D_THREATENED)
    found = {
        "material": (own,),
        "rival_material": (other,),
        "hits": (b.HITS_OPEN, b.HITS_ONE_GUARD, b.HITS_GUARDED),
        "threatened": (threatened[decides],),
        "rival_threatened": (threatened[1 - decides],),
        "guards": range(b.D_ZONE, b.D_ZONE + BESIDE),
        "near": range(b.A_ZONE, b.A_ZONE + NEAR),
    }
    first = looks * k.HALF_SIZE + k.SEEN
    return {name: {first + number: 1.0 for number in numbers} for name, numbers in found.items()}
