"""`ludus.lab`: rule sets side by side."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludus.arena.journal import Journal
from ludus.bots import bot
from ludus.core.errors import LudusError, quoted, suggestion
from ludus.core.fleet import Workers, checked_workers
from ludus.core.game import Game
from ludus.core.record import engine_version
from ludus.core.registry import make
from ludus.core.seeds import fold_seed
from ludus.core.shards import WHOLE, Shard
from ludus.core.whole_file import write_whole
from ludus.lab.measuring import Measured
from ludus.lab.parts import DEPTHS, FULL, Part, Scope
from ludus.lab.staff import worked

MOST_RULE_SETS = 64
Progress = Callable[[int, int], None]


class Lab:
    """What was measured: `tables[rule set][figure]` as plain data, `text`, `html`."""

    def __init__(self, measured: Sequence[tuple[str, Measured]], scope: Scope, seed: int) -> None:
        self.measured, self.scope, self.seed = list(measured), scope, seed

    @property
    def games(self) -> int:
        """How many games of each rule set were played in full."""
        return self.scope.games

    @property
    def tables(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Per rule set and figure: value, low, high, n."""
        return {name: {key: figure.data() for key, figure in one.figures.items()} for name, one in self.measured}

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "games": self.games, "seed": self.seed, "depth": self.scope.depth,
            "levels": {name: one.level for name, one in self.measured}, "tables": self.tables,
        }  # fmt: skip

    def text(self, lang: str = "en") -> str:
        """For a terminal."""
        from ludus.lab.sheets import as_text

        return as_text(self, lang)

    def html(self, path: str | os.PathLike[str] | None = None, lang: str = "en") -> str:
        """One page that needs nothing else; written to `path` where one is given."""
        from ludus.lab.sheets import as_page

        page = as_page(self, lang)
        if path is not None:
            try:
                write_whole(Path(path), page.encode())
            except OSError as error:
                raise LudusError(f"lab: {path} can't be written: {error.strerror}") from None
        return page

    def __str__(self) -> str:
        return self.text()


def lab(  # noqa: PLR0913  (each is said by name)
    rule_sets: Iterable[Any] | Game | str,
    games: int = 10_000,
    seed: int = 0,
    names: Sequence[str] | None = None,
    progress: Progress | None = None,
    *,
    depth: str = FULL,
    level: str = "",
    workers: Workers | None = None,
    journal: str | os.PathLike[str] | None = None,
    kinds: Sequence[str] = (),
) -> Lab:
    """Measure rule sets: the same seed gives the same figures, whatever the number of workers (docs/lab.md).

    depth: 'full', or 'short' without what takes long · level: who plays as equals; the strongest quick bot ·
    workers: processes, or a Ray cluster; one for each core · journal: a file from which an interrupted laboratory
    goes on · kinds: of work (lab/parts.py); all of the depth.
    """
    plan = Programme.of(rule_sets, games, seed, names, Scope(games, depth, level, tuple(kinds)))
    return plan.measured(_worked(plan, WHOLE, workers, journal, progress))


def lab_share(  # noqa: PLR0913  (as `lab`)
    rule_sets: Iterable[Any],
    shard: Shard,
    journal: str | os.PathLike[str],
    *,
    games: int = 10_000,
    seed: int = 0,
    names: Sequence[str] | None = None,
    depth: str = FULL,
    level: str = "",
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> int:
    """Do one share of a laboratory's work, into a journal of its own; how many parts that were (docs/scale.md)."""
    plan = Programme.of(rule_sets, games, seed, names, Scope(games, depth, level))
    _worked(plan, shard, workers, journal, progress)
    return len(shard.share(len(plan.parts())))


@dataclass(frozen=True)
class Programme:
    """What a laboratory is to measure."""

    games: list[Game]
    names: list[str]
    scope: Scope
    seed: int

    @classmethod
    def of(cls, rule_sets: Any, games: Any, seed: int, names: Sequence[str] | None, scope: Scope) -> Programme:
        """The plan, if it makes sense."""
        given = [rule_sets] if isinstance(rule_sets, Game | str | dict) else list(rule_sets)
        made = _checked(given, games, scope)
        return cls(made, list(names or _names(made)), scope, seed)

    def parts(self) -> list[tuple[int, Part]]:
        """All the work: which rule set, and what of it."""
        return [(at, part) for at, game in enumerate(self.games) for part in self.scope.parts(game)]

    def has(self, findings: Findings, at: int, part: Part) -> bool:
        """Whether a part is done, of this rule set or of one that is the same."""
        return any(part in findings.found[same] for same in self._like(at))

    def by_rule_set(self, findings: Findings) -> list[dict[Part, Any]]:
        """What was found of each; what was found of one holds for all that are the same."""
        each = []
        for at in range(len(self.games)):
            own: dict[Part, Any] = {}
            for same in self._like(at):
                own |= findings.found[same]
            each.append(own)
        return each

    def _like(self, at: int) -> list[int]:
        return [same for same, game in enumerate(self.games) if game.digest == self.games[at].digest]

    def measured(self, found: Sequence[dict[Part, Any]]) -> Lab:
        """The figures, from what every part gave."""
        each = [Measured(game, self.scope, parts) for game, parts in zip(self.games, found, strict=True)]
        return Lab(list(zip(self.names, each, strict=True)), self.scope, self.seed)


def _checked(given: list[Any], games: Any, scope: Scope) -> list[Game]:
    """The games, if all of it makes sense."""
    depth, level = scope.depth, scope.level
    if not 0 < len(given) <= MOST_RULE_SETS:
        raise LudusError(f"lab: from 1 to {MOST_RULE_SETS} rule sets, not {len(given)}")
    if isinstance(games, bool) or not isinstance(games, int) or not 10 <= games <= 10_000_000:
        raise LudusError(f"lab: games is a whole number from 10 to 10,000,000, not {quoted(games)}")
    if depth not in DEPTHS:
        raise LudusError(f"lab: depth is {' or '.join(DEPTHS)}, not {quoted(depth)}{suggestion(str(depth), DEPTHS)}")
    made = [one if isinstance(one, Game) else make(one) for one in given]
    for game in made:
        game.ask_for_limit()
        if level:
            bot(level).check(game)
    return made


def _worked(
    plan: Programme, shard: Shard, workers: Workers | None, path: Any, progress: Progress | None
) -> list[dict[Part, Any]]:
    """What every part of every game gave, or those of a share; what a journal has is not done again."""
    games, seed = plan.games, fold_seed(plan.seed)
    findings = Findings(len(games))
    settings = {
        "rule_sets": [game.digest for game in games], **plan.scope._asdict(), "seed": seed, "engine": engine_version(),
    }  # fmt: skip
    if shard.of > 1:
        # whoever merges the shares has nothing but their files
        settings |= {
            "documents": [game.document() for game in games], "names": plan.names, "given_seed": plan.seed,
            "shard": [shard.number, shard.of],
        }  # fmt: skip
    tasks = plan.parts()
    own = [tasks[number] for number in shard.share(len(tasks))]
    with LabJournal(findings, path, settings) as kept:
        missing = [(at, part) for at, part in own if part not in findings.found[at]]
        places = {(games[at].digest, part): at for at, part in reversed(missing)}
        wanted = [(games[at], part) for (_, part), at in reversed(places.items())]
        _tell(progress, findings, len(own))
        for (game, part), gave in worked(wanted, seed, checked_workers(workers)):
            kept.add({"rule_set": places[game.digest, part], "part": list(part), "gave": gave})
            _tell(progress, findings, len(own))
    return plan.by_rule_set(findings)


def _tell(progress: Progress | None, findings: Findings, planned: int) -> None:
    if progress is not None:
        progress(sum(map(len, findings.found)), planned)


class Findings:
    """What was found, by rule set and part: what a journal is read into."""

    def __init__(self, rule_sets: int) -> None:
        self.found: list[dict[Part, Any]] = [{} for _ in range(rule_sets)]

    def add(self, line: Mapping[str, Any]) -> bool:
        """Take a line over, once; False where it makes no sense."""
        at, part = line.get("rule_set"), line.get("part")
        if not isinstance(at, int) or not 0 <= at < len(self.found) or "gave" not in line:
            return False
        if not isinstance(part, list) or len(part) != len(Part._fields) or Part(*part) in self.found[at]:
            return False
        self.found[at][Part(*part)] = line["gave"]
        return True


class LabJournal(Journal):
    """The journal of a laboratory."""

    format, version = "ludus-lab", 1
    work, another, task = "a laboratory", "another laboratory", "laboratory"


def _names(games: Sequence[Game]) -> list[str]:
    """A name for each rule set; equal ones are numbered."""
    found: list[str] = []
    for game in games:
        taken = sum(one == game.name or one.startswith(f"{game.name} (") for one in found)
        found.append(f"{game.name} ({taken + 1})" if taken else game.name)
    return found
