"""Games for browsers: rooms around the tables of `ludus.play`, a protocol, a store, and the doors to them.

The web framework and the data base are loaded by `app` and `store` alone.
"""
