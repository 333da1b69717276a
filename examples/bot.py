"""A bot for ludus in plain Python: captures where it can, else takes any move. It needs nothing but Python.

Try it:  ludus arena pettingzoo "exec:python examples/bot.py" random --games 40
"""

import json
import random
import sys


def choose(message, rng):
    """The number of a move: prefer moves that capture something."""
    capturing = [move["number"] for move in message["moves"] if move["captures"]]
    return rng.choice(capturing or [move["number"] for move in message["moves"]])


def main():
    rng = random.Random(0)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            answer = {"type": "hello", "protocol": 1, "name": "capturing bot"}
        elif message["type"] == "game":  # a new game: the rules, the seats, and a seed to be reproducible
            rng = random.Random(message["seed"])
            continue
        elif message["type"] == "move":
            answer = {"id": message["id"], "move": choose(message, rng)}
        else:  # the game is over
            continue
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
