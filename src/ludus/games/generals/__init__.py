"""Generals: attacker against defender on a 10 × 10 grid (rule book: G1-G36)."""
