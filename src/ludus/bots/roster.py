"""Which bots there are: the built-in ones, those of installed packages, and those in files."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ludus.bots.bot import Bot, BotError, Candidate
from ludus.core.errors import UnknownName, in_a_line, quoted, suggestion
from ludus.core.position import Move, Position
from ludus.core.registry import entry_points
from ludus.core.user_files import module_of_file

GROUP = "ludus.bots"
RANDOM = "random"
EXTERNAL = "exec:"
BUILT_IN = {
    RANDOM: "ludus.bots.uniform:RandomBot",
    "first": "ludus.bots.first:FirstBot",
    "greedy": "ludus.bots.greedy:GreedyBot",
    "heuristic": "ludus.bots.heuristic:HeuristicBot",
    "generals": "ludus.bots.generals:GeneralsBot",
    "expectimax": "ludus.bots.expectimax:ExpectimaxBot",
    "mcts": "ludus.bots.mcts:MctsBot",
    "td": "ludus.bots.td:TdBot",
    "td2": "ludus.bots.td:Td2Bot",
    "td3": "ludus.bots.td:Td3Bot",
    "rollout": "ludus.bots.rollout:RolloutBot",
    "exact": "ludus.bots.exact:ExactBot",
}
_FILE = re.compile(r"(?P<file>.+\.py):(?P<name>\w+)(?::(?P<options>.*))?", re.DOTALL)


class ForeignBot(Bot):
    """Somebody else's class with a `choose`, as a bot of ours."""

    def __init__(self, inner: Any, name: str, seed: int) -> None:
        super().__init__(seed)
        self.inner = inner
        self.name = str(getattr(inner, "name", name))
        self.keeps_state = bool(getattr(inner, "keeps_state", True))  # nobody said that it doesn't

    def choose(self, position: Position) -> Move:
        """What the class answers; `ludus.bots.ask` checks it."""
        answer: Move = self.inner.choose(position)
        return answer

    def pick(self, position: Position, moves: Sequence[Move]) -> Move:
        """The same."""
        return self.choose(position)

    def explain(self, position: Position) -> list[Candidate]:
        """Its own reasons, where it gives any."""
        explain = getattr(self.inner, "explain", None)
        return list(explain(position)) if callable(explain) else super().explain(position)

    def close(self) -> None:
        """Let it close, where it can."""
        close = getattr(self.inner, "close", None)
        if callable(close):
            close()


def bots() -> list[str]:
    """The names of all bots, those of installed packages included."""
    return [*BUILT_IN, *(point.name for point in entry_points(group=GROUP) if point.name not in BUILT_IN)]


def bot(spec: str | Bot, seed: int = 0, **options: Any) -> Bot:
    """A bot by name ('mcts'), with options ('mcts:simulations=500'), from a file ('path.py:Class'), or a command."""
    if isinstance(spec, Bot):
        return spec
    if not isinstance(spec, str):
        raise UnknownName(f"a bot is a name, path.py:Class or exec:COMMAND, not {quoted(spec)}")
    if spec.startswith(EXTERNAL):
        from ludus.bots.external import ExternalBot

        return ExternalBot(spec.removeprefix(EXTERNAL), seed=seed, **options)
    found = _FILE.fullmatch(spec.strip())
    if found:
        name, written = found["name"], found["options"] or ""
        make = _class_of_file(Path(found["file"]).expanduser(), name)
    else:
        name, _, written = (part.strip() for part in spec.partition(":"))
        make = _class_of_name(name)
    return _made(make, name, seed, _options_of(spec, written) | options)


def _class_of_name(name: str) -> Any:
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        return getattr(importlib.import_module(module), attribute)
    for point in entry_points(group=GROUP, name=name):
        try:
            return point.load()
        except (Exception, SystemExit) as error:
            raise BotError(f"bot {name}: {point.value} can't be loaded: {in_a_line(error)}") from error
    hint = f"; write {name}:Class for a class in that file" if name.endswith(".py") else suggestion(name, bots())
    raise UnknownName(f"unknown bot {quoted(name)}{hint}; there are {', '.join(bots())}")


def _class_of_file(path: Path, name: str) -> Any:
    module = module_of_file(path, "bot file", BotError)
    found = getattr(module, name, None)
    if not callable(found):
        classes = [key for key, value in vars(module).items() if inspect.isclass(value) and hasattr(value, "choose")]
        raise UnknownName(f"bot file {path} has no class {name}{suggestion(name, classes)}")
    return found


def _options_of(spec: str, text: str) -> dict[str, Any]:
    """'simulations=500,exploration=1.4' as keyword arguments."""
    options: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals or not key.isidentifier():
            raise BotError(f"bot {quoted(spec)}: write options as name=value, such as simulations=500")
        options[key] = _value(value)
    return options


def _value(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"true": True, "false": False, "none": None}.get(text.lower(), text)


def _made(make: Any, name: str, seed: int, options: dict[str, Any]) -> Bot:
    """An object of the class, with its seed and options; ours or wrapped as ours."""
    known: Mapping[str, inspect.Parameter] = {}
    with suppress(TypeError, ValueError):
        known = inspect.signature(make).parameters
    takes_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in known.values())
    for key in options:
        if key not in known and not takes_any:
            names = [word for word in known if word not in ("self", "seed")]
            there = f"; there are {', '.join(names)}" if names else "; it has none"
            raise UnknownName(f"bot {name}: unknown option {quoted(key)}{suggestion(key, names)}{there}")
    if "seed" in known or takes_any:
        options = {"seed": seed} | options
    try:
        made = make(**options)
    except BotError:
        raise
    except (Exception, SystemExit) as error:
        raise BotError(f"bot {name} can't be made: {in_a_line(error)}") from error
    if isinstance(made, Bot):
        return made
    if not callable(getattr(made, "choose", None)):
        raise BotError(f"bot {name}: a bot has a method choose(position), {type(made).__name__} has none")
    return ForeignBot(made, name, seed)
