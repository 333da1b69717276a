"""Numbers that every kernel, and what is written over kernels, mean alike."""

from __future__ import annotations

# --- the head of every row, and what row[STAGE] says ---
STAGE, TURN = 0, 1
OVER, CHANCE, DECISION = 0, 1, 2

# --- the policies that play inside compiled games; a family's own kernel knows those from GREEDY on; from NET on
# a net looks 1, 2, 3 steps ahead ---
RANDOM, FIRST, GREEDY, HEURISTIC, OUTSIDE, NET = range(6)
