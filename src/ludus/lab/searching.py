"""A rule set that is as somebody wants it, near one that there is: Optuna proposes documents, the laboratory measures.

Proposals come and are judged a few at a time, always as many: a seed finds the same whatever the number of workers.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ludus.arena.journal import Journal
from ludus.core.errors import LudusError, quoted
from ludus.core.fleet import Workers
from ludus.core.game import Game
from ludus.core.record import engine_version
from ludus.core.seeds import fold_seed
from ludus.lab.laboratory import Lab, lab
from ludus.lab.parts import SHORT
from ludus.lab.targets import Target, kinds_for, targets_of

AT_ONCE = 4
FIRST_LOOK = 200  # games by which a proposal is judged at first
FINALISTS = 5  # that are looked at with all games
PER_CHANGE = 0.01  # how much worse an option that differs makes a document: it is to be near
IMPOSSIBLE = 100.0

# what people change about a Ludo; an option that a rule set can't have is passed by
USUAL: dict[str, list[Any]] = {
    "board.pieces": [1, 2, 3, 4], "chance.dice": [1, 2], "start.leave_on": [[6], [1, 6], [5, 6], [4, 5, 6]],
    "turn.attempts": [1, 3], "turn.again_on": [[], ["six"], ["six", "capture"], ["six", "capture", "finish"]],
    "turn.sixes_limit": [0, 3], "capture.duty": [False, True], "capture.before_home": [False, True],
    "capture.captured_to": ["start", "back"], "block.stops": ["none", "opponents", "all"],
    "safe.entry": ["open", "owner_shares"], "finish.rule": ["exact", "overshoot", "bounce"],
    "win.needed": [0, 1, 2, 3],
}  # fmt: skip

Axes = Mapping[str, Sequence[Any]]
Change = dict[str, Any]
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Found:
    """The nearest document: what it changes, whether it fits, and figures beside those that it began from."""

    base: str
    targets: tuple[Target, ...]
    changes: Change
    fits: bool
    lab: Lab

    def toml(self, name: str, extends: str, options: Change | None = None) -> str:
        """The document; options: what the one it began from was given beside its file."""
        lines = [f"# {target.text}: {self._measured(target)}" for target in self.targets]
        lines += [f"name = {json.dumps(name)}", f"extends = {json.dumps(extends)}"]
        groups: dict[str, list[str]] = {}
        for key, value in {**(options or {}), **self.changes}.items():
            group, _, option = key.rpartition(".")
            groups.setdefault(group, []).append(f"{option} = {json.dumps(value)}")
        lines += groups.pop("", [])
        for group, values in groups.items():
            lines += ["", f"[{group}]", *values]
        return "\n".join(lines) + "\n"

    def _measured(self, target: Target) -> str:
        figure = self.lab.measured[-1][1].figures.get(target.key)
        return "not measured" if figure is None else f"{figure.value:.3g} (n={figure.n})"

    def nearest(self) -> str:
        """What the best one had, in a line."""
        return "; ".join(f"{target.key} {self._measured(target)}, wanted {target.text}" for target in self.targets)


def search(  # noqa: PLR0913  (each is said by name)
    make_variant: Callable[[Change], Game],
    target: str,
    axes: Axes | None = None,
    *,
    games: int = 2_000,
    trials: int = 48,
    seed: int = 0,
    workers: Workers | None = None,
    journal: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Found:
    """Look for the document nearest to a rule set that hits a target; make_variant({}) is the rule set itself.

    journal: a file from which an interrupted search goes on.
    """
    targets = targets_of(target)
    hunt = _Hunt(make_variant, targets, axes or USUAL, seed, workers)
    base = make_variant({})
    with SearchJournal(hunt.scores, journal, hunt.settings(base)) as kept:
        hunt.propose(trials, kept, lambda done: progress and progress(done, trials + 1))
    best, measured = hunt.decide(base, games)
    if progress is not None:
        progress(trials + 1, trials + 1)
    figures = measured.measured[-1][1].figures
    fits = all(one.miss(figures.get(one.key)) == 0 for one in targets)
    return Found(base.name, targets, best, fits, measured)


class TargetScores:
    """How far each change that was looked at is from the target: what a journal is read into."""

    def __init__(self) -> None:
        self.of: dict[str, float] = {}

    def add(self, line: Mapping[str, Any]) -> bool:
        """Take a line over, once; False where it makes no sense."""
        change, score = line.get("change"), line.get("score")
        if not isinstance(change, dict) or not isinstance(score, int | float) or json.dumps(change) in self.of:
            return False
        self.of[json.dumps(change)] = float(score)
        return True


class SearchJournal(Journal):
    """The journal of a search."""

    format, version = "ludus-search", 1
    work, another, task = "a search", "another search", "search"


class _Hunt:
    """The proposals so far."""

    def __init__(
        self, make_variant: Callable[[Change], Game], targets: tuple[Target, ...], axes: Axes, seed: int, workers: Any
    ) -> None:
        self._make, self._targets, self._workers = make_variant, targets, workers
        self._seed = fold_seed(seed)
        base = make_variant({})
        _check_seats(targets, base)
        self._plain = {key: _value_in(base, key) for key in axes}
        self._refused = ""  # why a change made no rule set
        self._axes = {key: values for key, values in axes.items() if self._can_vary(key, values)}
        if axes is not USUAL and len(self._axes) < len(axes):
            (key, *_) = (key for key in axes if key not in self._axes)
            raise LudusError(f"--vary {key}: {self._refused or f'{base.name} has this value alone'}")
        if not self._axes:
            raise LudusError(f"--target: nothing of {base.name} can be changed here; say what with --vary")
        self._kinds = kinds_for(targets)
        self.scores = TargetScores()
        self._known = self.scores.of

    def settings(self, base: Game) -> dict[str, Any]:
        """What makes a search this one."""
        return {
            "rule_set": base.digest, "targets": [one.text.strip() for one in self._targets], "axes": self._axes,
            "seed": self._seed, "engine": engine_version(),
        }  # fmt: skip

    def _can_vary(self, key: str, values: Sequence[Any]) -> bool:
        """Whether a rule set takes any value of an option but its own."""
        return any(self._game({key: value}) is not None for value in values if value != self._plain[key])

    def _game(self, change: Change) -> Game | None:
        try:
            game = self._make(change)
            game.ask_for_limit()
        except LudusError as error:
            self._refused = str(error)
            return None
        return game

    def propose(self, trials: int, kept: Journal, tell: Callable[[int], Any]) -> None:
        """Let the sampler learn what comes nearer."""
        optuna = _optuna()
        sampler = optuna.samplers.TPESampler(seed=self._seed & 0xFFFFFFFF, constant_liar=True)
        study = optuna.create_study(sampler=sampler)
        study.enqueue_trial({key: json.dumps(self._plain[key]) for key in self._axes})
        for first in range(0, trials, AT_ONCE):
            asked = [study.ask() for _ in range(min(AT_ONCE, trials - first))]
            changes = [self._changed(trial) for trial in asked]
            new = {json.dumps(one): one for one in changes if json.dumps(one) not in self._known}
            for change, score in self._judged(list(new.values())):
                kept.add({"change": change, "score": score})
            for trial, change in zip(asked, changes, strict=True):
                study.tell(trial, self._known[json.dumps(change)])
            tell(first + len(asked))

    def _changed(self, trial: Any) -> Change:
        """What a proposal changes."""
        chosen = {
            key: json.loads(trial.suggest_categorical(key, self._texts(key, values)))
            for key, values in self._axes.items()
        }
        return {key: value for key, value in chosen.items() if value != self._plain[key]}

    def _texts(self, key: str, values: Sequence[Any]) -> list[str]:
        return list(dict.fromkeys(json.dumps(value) for value in [self._plain[key], *values]))

    def _judged(self, changes: Sequence[Change]) -> list[tuple[Change, float]]:
        """Documents measured a little: how far each is from the target."""
        made = [(change, self._game(change)) for change in changes]
        possible = [(change, game) for change, game in made if game is not None]
        found = [(change, IMPOSSIBLE) for change, game in made if game is None]
        if not possible:
            return found
        measured = self._measured([game for _, game in possible], FIRST_LOOK)
        for (change, _), (_, one) in zip(possible, measured.measured, strict=True):
            missed = sum(target.miss(one.figures.get(target.key)) for target in self._targets)
            found.append((change, missed + PER_CHANGE * len(change)))
        return found

    def _measured(self, games: Sequence[Game], count: int) -> Lab:
        return lab(games, count, self._seed, depth=SHORT, workers=self._workers, kinds=self._kinds)

    def decide(self, base: Game, games: int) -> tuple[Change, Lab]:
        """The best of the best ones, looked at with all games: what it changes, and its figures beside the first's."""
        best = [json.loads(text) for text in sorted(self._known, key=lambda text: self._known[text])[:FINALISTS]]
        made = [self._game(change) for change in best]
        finalists = [(change, game) for change, game in zip(best, made, strict=True) if game is not None]
        if not finalists:
            raise LudusError(f"--target: no document near {base.name} is a rule set that machines can play")
        measured = self._measured([base, *(game for _, game in finalists)], games)
        scores = [
            sum(target.miss(one.figures.get(target.key)) for target in self._targets) + PER_CHANGE * len(change)
            for (change, _), (_, one) in zip(finalists, measured.measured[1:], strict=True)
        ]
        at = scores.index(min(scores))
        both = [measured.measured[0], ("found", measured.measured[1 + at][1])]
        return finalists[at][0], Lab(both, measured.scope, self._seed)


def _check_seats(targets: Sequence[Target], base: Game) -> None:
    """A seat that is aimed at must be one of the game's."""
    for one in targets:
        head, _, rest = one.key.partition(".")
        if head == "seat" and rest not in base.players:
            raise LudusError(f"--target: no seat {quoted(rest)} in {base.name}; there are {', '.join(base.players)}")


def _value_in(game: Game, key: str) -> Any:
    """The value of an option in a game's rules."""
    group, _, name = key.rpartition(".")
    holder = getattr(game.rules, group, None) if group else game.rules
    value = getattr(holder, name, None)
    return list(value) if isinstance(value, tuple) else value


def _optuna() -> Any:
    try:
        import optuna
    except ImportError:
        raise LudusError("--target needs Optuna: pip install 'ludus[search]'") from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    return optuna
