"""Policies, games between bots, and search, inside compiled games."""
