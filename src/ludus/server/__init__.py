"""Tables: the one authority over a game, for people at a terminal, in browsers, and bots.

`table` and `telling` need nothing but the core, so the terminal plays through them; the web framework and the data
base are loaded by `app` and `store` alone.
"""
