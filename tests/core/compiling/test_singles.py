"""Numbers of 32 bits, and loops on wide registers: compiled as interpreted, bit for bit."""

from __future__ import annotations

import numpy as np

from .writing import Workshop

SOURCE = """
    from ludus.core.compiling.singles import single

    VECTORS = True

    def mix_api(a: Float32s, b: Float32s, out: Float32s, by: float) -> None:
        for at in range(len(out)):
            out[at] = single(a[at] * b[at]) + single(single(by) * a[at])

    def rounded_api(number: float) -> float:
        return single(number)
"""


def test_rounding_to_32_bits(workshop: Workshop) -> None:
    interpreted, compiled = workshop.twins(SOURCE)
    for number in (0.1, 1 / 3, -2.5e-20, 1e38, 3.0, 16777217.0):
        assert compiled.rounded_api(number) == interpreted.rounded_api(number) == float(np.float32(number))
    assert compiled.rounded_api(0.1) != 0.1


def test_loops_on_wide_registers_give_the_same_bits(workshop: Workshop) -> None:
    interpreted, compiled = workshop.twins(SOURCE)
    rng = np.random.default_rng(1)
    for length in (0, 1, 7, 64, 131):
        a, b = (rng.normal(0, 1, length).astype(np.float32) for _ in range(2))
        slow, fast = np.zeros(length, np.float32), np.zeros(length, np.float32)
        interpreted.mix_api(a, b, slow, 0.1)
        compiled.mix_api(a, b, fast, 0.1)
        np.testing.assert_array_equal(slow, fast)
        by = np.float32(0.1) * a
        np.testing.assert_array_equal(fast, (a * b) + by)
