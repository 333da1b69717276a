"""Guided fuzzing: each target for a while, in a process of its own, from what is kept in `corpus`.

    python tests/fuzz/campaign.py --seconds 600 [--target NAME]

What finds new ways through the code is kept there as small files, sixty at most; what breaks something ends a target's
turn and is written into `found`. Once mended it belongs in `corpus`, under a name that begins with `broke`: it stays.
Bounds: 2 s for each input, 500 MB beyond what the imports take.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[1] / "src")]
HANG, MEMORY, LONGEST = 2.0, 500, 4096  # seconds of processor time, megabytes, bytes
STUCK = 60  # seconds of the clock
KEPT, SMALL = 60, 1024  # files of each target that are kept, and how large they are at most
# kernels are read again as source: they stay as they are
SOURCE = HERE.parents[1] / "src"
COMPILED = [".".join(file.relative_to(SOURCE).with_suffix("").parts) for file in SOURCE.rglob("*kernel*/**/*.py")]
COMPILED += [".".join(file.relative_to(SOURCE).with_suffix("").parts) for file in SOURCE.rglob("*kernel*.py")]
BROKE = "broke"  # what the name begins with of a file that once broke something: it stays
BASE = 400  # megabytes that Python, NumPy and the fuzzer's own counters take


def run_one(name: str, corpus: Path, seconds: int, found: Path) -> None:
    """In a process of its own: never comes back."""
    import atheris

    with atheris.instrument_imports(include=["ludus"], exclude=COMPILED):
        from fuzz.targets import TARGETS, fed, seeds

        for number, data in enumerate(seeds()[name]):
            (corpus / f"seed-{number}").write_bytes(data)
    target = TARGETS[name]
    options = [
        f"-max_total_time={seconds}", f"-timeout={STUCK}", f"-rss_limit_mb={BASE + MEMORY}", f"-max_len={LONGEST}",
        f"-artifact_prefix={found}/{name}-", "-print_final_stats=1", "-verbosity=1",
    ]  # fmt: skip
    atheris.Setup([sys.argv[0], *options, str(corpus)], lambda data: in_time(lambda: fed(target, data)))
    atheris.Fuzz()


def in_time(work: Callable[[], None]) -> None:
    """Work that may take so much of a processor, however busy the machine is."""
    before = time.process_time()
    work()
    if time.process_time() - before > HANG:
        raise TimeoutError(f"took more than {HANG} s of processor time")


def campaign(name: str, seconds: int) -> dict[str, int | str]:
    """One target; the figures."""
    kept, found = HERE / "corpus" / name, HERE / "found"
    kept.mkdir(parents=True, exist_ok=True)
    found.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        for file in kept.iterdir():
            (Path(work) / file.name).write_bytes(file.read_bytes())
        command = [sys.executable, __file__, "--run", name, "--seconds", str(seconds), "--corpus", work]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            keep(Path(work), kept)
    numbers = dict(re.findall(r"stat::(\w+):\s+(\d+)", done.stderr))
    cover = re.findall(r"cov: (\d+)", done.stderr)
    if done.returncode:
        print(done.stderr[-3000:], file=sys.stderr)
    return {
        "target": name, "seconds": seconds, "inputs": int(numbers.get("number_of_executed_units", 0)),
        "places covered": int(cover[-1]) if cover else 0, "peak MB": int(numbers.get("peak_rss_mb", 0)),
        "slowest s": int(numbers.get("slowest_unit_time_sec", 0)), "broken": done.returncode,
    }  # fmt: skip


def keep(work: Path, kept: Path) -> None:
    """The smallest of what was found, so many as are kept, beside whatever once broke something."""
    files = sorted(
        (file for file in work.iterdir() if file.stat().st_size <= SMALL and not file.name.startswith(BROKE)),
        key=lambda one: one.stat().st_size,
    )
    for file in kept.iterdir():
        if not file.name.startswith(BROKE):
            file.unlink()
    for file in files[:: max(1, len(files) // KEPT)][:KEPT]:
        (kept / file.name[:16]).write_bytes(file.read_bytes())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--target", help="this one alone")
    parser.add_argument("--run", help=argparse.SUPPRESS)
    parser.add_argument("--corpus", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        run_one(arguments.run, Path(arguments.corpus), arguments.seconds, HERE / "found")
    from fuzz.targets import TARGETS

    broken = 0
    for name in [arguments.target] if arguments.target else TARGETS:
        figures = campaign(name, arguments.seconds)
        print(json.dumps(figures), flush=True)
        broken += bool(figures["broken"])
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
