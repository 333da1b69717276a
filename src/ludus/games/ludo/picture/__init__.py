"""Boards and positions to look at: geometry, SVG, terminal, scenes."""
