"""The words of a document as the numbers that the kernel means: each pair stands here alone."""

from __future__ import annotations

from ludus.games.ludo import kernel as k

CAPTURED_TO = {"start": k.TO_START, "held": k.TO_CAPTOR, "back": k.TO_BACK}
COMBINED = {"none": k.COMBINE_NONE, "jump": k.COMBINE_JUMP, "sweep": k.COMBINE_SWEEP}
MAY_MOVE = {"own": k.MOVE_OWN, "team": k.MOVE_TEAM, "all": k.MOVE_ALL}
WHOSE = {"own": k.OWN, "opponent": k.OTHERS, "any": k.ANY}
EFFECT = {"swap": k.SWAP, "out": k.OUT, "finish": k.CROWN}
WHEN = {
    "captures": k.BY_CAPTURES, "lost": k.BY_LOST, "home": k.BY_HOME, "turns": k.BY_TURNS, "yard": k.BY_YARD,
    "in play": k.BY_PLAY, "on path": k.BY_PATH, "holds": k.BY_HELD, "partner home": k.BY_MATE,
}  # fmt: skip
SQUARE = {
    "again": k.SQUARE_AGAIN,
    "skip": k.SQUARE_MISS,
    "reverse": k.SQUARE_ROUND,
    "home": k.SQUARE_HOME,
}
