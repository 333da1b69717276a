"""The generator: the same everywhere and for ever, and as good as dice need it."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import ludus
from ludus.core import random as generator
from ludus.core.compiling.program import Compiled, Program
from ludus.core.random import SEED_BITS, WORD, below, draw, scramble, stream
from ludus.core.seeds import fold_seed, pick

from . import generator_kernel

compiled: Any = Compiled(Program((generator_kernel.__name__,)))


def filled(loop: str, *numbers: int, count: int) -> Any:
    """What a compiled loop fills an array with."""
    out = np.empty(count, np.int64)
    getattr(compiled, loop)(*numbers, out)
    return out


# ---------------------------------------------------------------- for ever


def test_known_answers() -> None:
    """Recorded games and seeds depend on these: they never change."""
    assert [scramble(x) for x in (0, 1, 0xDEADBEEF, WORD)] == [0, 0xF3097E76, 0xA32D7E67, 0x43612CD4]
    assert stream(0, 0) == 7962477629653926756
    assert stream(1, 0) == 3215937713800394374
    assert stream(0, 1) == 9184620920309770176
    assert stream(7, 123_456_789_012) == 651974882137348021
    assert stream(SEED_BITS, 1) == 4912924428049649827
    words = [337804709, 1591126662, 3646156235, 3386222336, 3239514386, 3130735824]
    assert [draw(stream(1, 2), counter) for counter in range(6)] == words
    rolls = [2, 2, 5, 3, 4, 6, 5, 2, 6, 1, 4, 5, 5, 3, 1, 6, 4, 2, 1, 4, 2, 1, 3, 1]
    assert [1 + below(stream(7, 0), counter, 6) for counter in range(24)] == rolls


def test_known_playouts() -> None:
    games = ludus.make("strict", players=2).playouts(5, seed=1)
    assert games.plies.tolist() == [316, 418, 344, 550, 300]


# ---------------------------------------------------------------- everywhere


def odd_numbers(count: int, bits: int) -> list[int]:
    """Numbers of all sizes up to so many bits, the ends included."""
    rng = random.Random(bits)
    edges = [0, 1, 2, WORD - 1, WORD, WORD + 1, (1 << bits) - 1]
    return [e for e in edges if e >> bits == 0] + [rng.getrandbits(rng.randint(1, bits)) for _ in range(count)]


def test_the_twins_draw_alike() -> None:
    seeds, games, counters = odd_numbers(60, 63), odd_numbers(60, 40), odd_numbers(60, 31)
    for word in odd_numbers(1_000, 32):
        assert compiled.scramble_api(word) == scramble(word)
    for seed in seeds:
        for game in games:
            assert compiled.stream_api(seed, game) == stream(seed, game)
    for key in seeds:
        for counter in counters:
            assert compiled.draw_api(key, counter) == draw(key, counter)
            assert compiled.below_api(key, counter, 36) == below(key, counter, 36)


def test_nothing_leaves_its_range() -> None:
    """No intermediate product may leave 63 bits; what comes out has 63 or 32, or is below n."""
    assert WORD * max(generator.ROUND_1, generator.ROUND_2, generator.ROUND_3, generator.WEYL) <= SEED_BITS
    for seed in odd_numbers(200, 63):
        key = stream(seed, seed & WORD)
        assert 0 <= key <= SEED_BITS
        assert 0 <= draw(key, 5) <= WORD
        assert 0 <= below(key, 5, 36) < 36
        assert 0 <= below(key, 5, 2**31 - 1) < 2**31 - 1
        assert below(key, 5, 1) == 0


def test_scramble_is_a_bijection_that_spreads() -> None:
    rng = random.Random(1)
    words = rng.sample(range(1 << 32), 20_000)
    assert len({scramble(word) for word in words}) == len(words)
    for bit in range(32):
        flipped = sum((scramble(w) ^ scramble(w ^ (1 << bit))).bit_count() for w in words[:2_000]) / 2_000
        assert 15 < flipped < 17, f"input bit {bit} moves {flipped} output bits"


# ---------------------------------------------------------------- as good as dice need it


def surprise(samples: list[Any], cells: int) -> float:
    """How far from uniform: the chi-squares of all samples together, in standard deviations."""
    total = 0.0
    for sample in samples:
        counts = np.bincount(sample, minlength=cells)
        assert len(counts) == cells
        expected = len(sample) / cells
        total += float(((counts - expected) ** 2 / expected).sum())
    freedom = len(samples) * (cells - 1)
    return float((total - freedom) / np.sqrt(2 * freedom))


@pytest.mark.parametrize("faces", [2, 3, 6, 21, 36, 100])
def test_uniform_over_counters(faces: int) -> None:
    samples = [filled("along_counters_api", stream(seed, 0), faces, count=20_000) for seed in range(100)]
    assert abs(surprise(samples, faces)) < 4


@pytest.mark.parametrize("faces", [2, 6, 36])
def test_uniform_over_games(faces: int) -> None:
    samples = [
        filled("along_games_api", seed, counter, faces, count=20_000) for seed in (0, 1, 99) for counter in range(30)
    ]
    assert abs(surprise(samples, faces)) < 4


@pytest.mark.parametrize("faces", [2, 6, 36])
def test_uniform_over_seeds(faces: int) -> None:
    samples = [
        filled("along_seeds_api", game, counter, faces, count=20_000) for game in (0, 1, 99) for counter in range(30)
    ]
    assert abs(surprise(samples, faces)) < 4


@pytest.mark.parametrize("lag", [1, 2, 3, 4, 6, 8, 64])
def test_pairs_of_rolls(lag: int) -> None:
    """A roll says nothing of the next ones (a player's own come every four, six or eight plies)."""
    rolls = [filled("along_counters_api", stream(seed, 3), 6, count=20_000 + lag) for seed in range(60)]
    # pairs that do not overlap, so that they count as independent
    pairs = [(6 * r[:-lag] + r[lag:])[np.arange(len(r) - lag) // lag % 2 == 0] for r in rolls]
    assert abs(surprise(pairs, 36)) < 4


def test_triples_of_rolls() -> None:
    rolls = [filled("along_counters_api", stream(seed, 4), 6, count=30_000).reshape(-1, 3) for seed in range(60)]
    assert abs(surprise([r @ np.array([36, 6, 1]) for r in rolls], 216)) < 4


@pytest.mark.parametrize("loop", ["along_games_api", "along_seeds_api"])
def test_neighbours_have_nothing_in_common(loop: str) -> None:
    """Game g and game g + 1, seed s and seed s + 1: the same ply of both, and the next ply of the other."""
    for step in (0, 1):
        here = [filled(loop, 5, counter, 6, count=20_001) for counter in range(40)]
        there = [filled(loop, 5, counter + step, 6, count=20_001) for counter in range(40)]
        pairs = [6 * a[0:-1:2] + b[1::2] for a, b in zip(here, there, strict=True)]
        assert abs(surprise(pairs, 36)) < 4


def test_every_bit_is_fair() -> None:
    words = np.concatenate([filled("draws_api", stream(seed, 0), count=20_000) for seed in range(50)])
    samples = [(words >> bit) & 1 for bit in range(32)]
    assert abs(surprise(samples, 2)) < 4


def test_streams_are_distinct() -> None:
    for seed in (0, 1, 12_345_678_901_234, SEED_BITS):
        assert len(np.unique(filled("keys_api", seed, count=200_000))) == 200_000
    small = np.concatenate([filled("keys_api", seed, count=500) for seed in range(400)])
    assert len(np.unique(small)) == 200_000


def test_streams_do_not_overlap() -> None:
    """No stream is another one some draws later: values in common are as rare as chance has them."""
    words = np.concatenate([filled("draws_api", stream(0, game), count=1_000) for game in range(200)])
    twice = len(words) - len(np.unique(words))
    assert twice < 12, "200,000 words of 32 bits have about 4.7 pairs in common"


# ---------------------------------------------------------------- seeds


def test_small_seeds_stay_distinct() -> None:
    numbers = [*range(-1_000, 1_000), 2**63, 2**63 + 1, 2**64, 2**100, -(2**63), -(2**64) - 1]
    folded = [fold_seed(number) for number in numbers]
    assert all(0 <= seed <= SEED_BITS for seed in folded)
    assert len(set(folded[:2_000])) == 2_000
    assert fold_seed(7) == fold_seed(np.int64(7)) == 7


@pytest.mark.parametrize("bad", [1.0, True, "1", None, [1]])
def test_a_seed_is_an_integer(bad: Any) -> None:
    with pytest.raises(ludus.LudusError, match="a seed is an integer"):
        fold_seed(bad)


def test_pick_follows_the_weights() -> None:
    rng = random.Random(1)
    counts = Counter(pick(rng, [1, 0, 2, 3]) for _ in range(60_000))
    assert counts[1] == 0
    for index, share in ((0, 10_000), (2, 20_000), (3, 30_000)):
        assert abs(counts[index] - share) < 500


class Always:
    """A source that always says the same."""

    def __init__(self, value: float) -> None:
        self.value = value

    def random(self) -> float:
        """The value."""
        return self.value


def test_pick_at_the_ends() -> None:
    assert pick(Always(0.0), [1, 1, 1]) == 0
    assert pick(Always(1 - 2**-53), [1, 1, 1]) == 2
    assert pick(Always(np.float32(1.0)), [1, 1, 1]) == 2, "a float32 source may round up to 1"


def test_rolls_follow_their_chances() -> None:
    """Rolling from a position's own stream, from random.Random and from NumPy: the two dice of French Ludo."""
    game = ludus.make("french")
    chances = game.start().outcomes()
    names = {str(game.start().play(name).to_dict()): name for name in chances}
    sources: list[Any] = [None, random.Random(3), np.random.default_rng(3)]
    for source in sources:
        rolled = Counter(names[str(game.start(seed).roll(source).to_dict())] for seed in range(7_200))
        square = sum((rolled[name] - 7_200 * p) ** 2 / (7_200 * p) for name, p in chances.items())
        assert square < 52.4, "chi-square with 20 degrees of freedom: once in 10,000"
