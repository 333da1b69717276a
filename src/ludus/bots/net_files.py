"""Nets that value positions: their weights in memory and in files, and which one plays a game."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from ludus.bots.bot import BotError
from ludus.core.errors import LudusError, quoted
from ludus.core.flat import flat, has_numpy, zeros
from ludus.core.game import Game
from ludus.core.tensor_file import read_tensors, write_tensors
from ludus.core.twin import twin_of

FORMAT = "ludus-net"
FEATURES_VERSION = 1  # raised when a feature gets another meaning: older weights are then refused
ANY = "any"
SHIPPED = Path(__file__).parent / "weights"
PLAIN_FEATURES = "ludus.core.kernels.plain_features"
MOST_UNITS, MOST_OUTPUTS = 1024, 16
# what a rule set says of itself and not of the game
WORDS = ("name", "version", "title", "source", "cites", "allowed", "plugins")


def feature_kernels(game: Game) -> tuple[str, ...]:
    """The kernel modules that describe a game's positions."""
    return game.feature_kernels or (PLAIN_FEATURES,)


def feature_total(game: Game) -> int:
    """How many features a position of a game has."""
    twin = twin_of("ludus.core.kernels.features", (*feature_kernels(game), game.engine.twin.name))
    return int(twin.interpreted.feature_count(list(game.engine.tables)))


def family_of(game: Game) -> str:
    """What nets of a game can be used for: all games with these features."""
    return feature_kernels(game)[0]


def options_of(game: Game) -> dict[str, float]:
    """The rules of a game as numbers by name: what an option says, or how much of it there is."""
    found = {f"players={game.num_players}": 1.0}
    dumped = game.rules.model_dump(mode="json", exclude=set(WORDS)) if hasattr(game.rules, "model_dump") else {}
    for group, options in dumped.items():
        for key, value in options.items() if isinstance(options, dict) else [("", options)]:
            found |= _as_numbers(f"{group}.{key}".rstrip("."), value)
    return found


def _as_numbers(name: str, value: Any) -> dict[str, float]:
    if isinstance(value, bool):
        return {name: 1.0} if value else {}
    if isinstance(value, int | float):
        return {name: max(-2.0, min(2.0, value / 10))} if value else {}
    if isinstance(value, str):
        return {f"{name}={value[:24]}": 1.0}
    if isinstance(value, list) and value:
        plain = {f"{name}[{one}]": 1.0 for one in value if isinstance(one, int | str) and len(str(one)) <= 12}
        return plain | {f"{name}#": min(2.0, len(value) / 10)}
    return {}


def rules_digest(game: Game) -> str:
    """A digest of what a game's rules say beyond the defaults: an option that is added later changes none of them."""
    rules = game.rules
    said = rules.model_dump(mode="json", exclude=set(WORDS), exclude_defaults=True) if rules is not None else {}
    text = json.dumps([family_of(game), said, list(game.players)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass
class Net:
    """Weights as a kernel reads them (kernels/net.py), options apart: they enter through the units' thresholds."""

    units: int
    inputs: int
    outputs: int
    weights: Any  # float32[units × (1 + inputs + outputs) + outputs]
    options: dict[str, Any] = field(default_factory=dict)  # name → float32[units]
    meta: dict[str, str] = field(default_factory=dict)
    name: str = "net"

    @property
    def is_for_all(self) -> bool:
        """Whether it plays every game of its family."""
        return self.meta.get("game") == ANY

    @property
    def shape(self) -> Any:
        """int64[3]: units, inputs, outputs."""
        return flat([self.units, self.inputs, self.outputs], "int64")

    def for_game(self, game: Game) -> Any:
        """The weights with what the rules add to the thresholds."""
        weights = self.weights[:] if not has_numpy() else self.weights.copy()
        for name, amount in options_of(game).items() if self.options else ():
            if name in self.options and not has_numpy():
                for unit, more in enumerate(self.options[name]):
                    weights[unit] += more * amount
            elif name in self.options:
                weights[: self.units] += self.options[name] * weights.dtype.type(amount)
        return weights


def new_net(game: Game, units: int, seed: int, outputs: int = 0) -> Net:
    """A net that knows nothing: small random weights."""
    import numpy as np

    rng = np.random.default_rng(seed)
    inputs, outputs = feature_total(game), outputs or game.num_players
    weights = np.zeros(units * (1 + inputs + outputs) + outputs, dtype=np.float32)
    weights[: units * (1 + inputs)] = rng.normal(0.0, 0.1, units * (1 + inputs))
    weights[units * (1 + inputs) : -outputs] = rng.normal(0.0, 0.1, units * outputs)
    return Net(units, inputs, outputs, weights, {}, stamp(game))


def stamp(game: Game) -> dict[str, str]:
    """What a file says of the game that its weights are for."""
    return {
        "format": FORMAT,
        "family": family_of(game),
        "features": str(FEATURES_VERSION),
        "game": game.name,
        "players": ",".join(game.players),
        "digest": rules_digest(game),
    }


# ---------------------------------------------------------------- files


def save_net(path: Path, net: Net, more: dict[str, Any] | None = None, half: bool = False) -> None:
    """Write a net; `half`: in half precision, for shipping. Inputs that were never met (weights as drawn) stay in."""
    import numpy as np

    kind = np.float16 if half else np.float32
    units, inputs = net.units, net.inputs
    rows = net.weights[units : units * (1 + inputs)].reshape(inputs, units)
    used = np.flatnonzero(np.abs(rows).max(axis=1) > 0)
    tensors = {
        "thresholds": net.weights[:units],
        "which": used.astype(np.int32),
        "inputs": rows[used].astype(kind),
        "outputs": net.weights[units * (1 + inputs) : -net.outputs].reshape(net.outputs, units),
        "output_thresholds": net.weights[-net.outputs :],
        **({"options": np.array(list(net.options.values()), dtype=np.float32)} if net.options else {}),
        **(more or {}),
    }
    meta = net.meta | {"options": json.dumps(list(net.options)), "count": str(inputs)}
    write_tensors(path, tensors, meta)


def load_net(path: Path) -> Net:
    """A net from a file; BotError in a sentence where the file is damaged, foreign or of other features."""
    try:
        tensors, meta = read_tensors(path)
    except LudusError as error:
        raise BotError(f"weights {error}") from None
    if meta.get("format") != FORMAT:
        raise BotError(f"weights {path}: not weights of ludus: nothing in the file says so")
    if meta.get("features") != str(FEATURES_VERSION):
        raise BotError(
            f"weights {path}: made for features version {meta.get('features')}, this is {FEATURES_VERSION}: train again"
        )
    try:
        return (_net_of if has_numpy() else _plain_net_of)(tensors, meta, path.stem)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise BotError(f"weights {path}: damaged: {error}") from None


def _plain_net_of(tensors: dict[str, Any], meta: dict[str, str], name: str) -> Net:
    """The same without NumPy, from flat arrays: what is shipped, which nobody can have damaged."""
    units, outputs, inputs = len(tensors["thresholds"]), len(tensors["output_thresholds"]), int(meta["count"])
    whole = zeros(inputs * units, "float32")
    for number, at in enumerate(tensors["which"]):
        whole[at * units : (at + 1) * units] = tensors["inputs"][number * units : (number + 1) * units]
    weights = tensors["thresholds"] + whole + tensors["outputs"] + tensors["output_thresholds"]
    names = json.loads(meta.get("options", "[]"))
    rows = tensors.get("options", ())
    options = {one: rows[number * units : (number + 1) * units] for number, one in enumerate(names)}
    return Net(units, inputs, outputs, weights, options, meta, name)


def _net_of(tensors: dict[str, Any], meta: dict[str, str], name: str) -> Net:
    import numpy as np

    thresholds, which, rows = tensors["thresholds"], tensors["which"], tensors["inputs"]
    out, last = tensors["outputs"], tensors["output_thresholds"]
    units, outputs, inputs = len(thresholds), len(last), int(meta["count"])
    if not 4 <= units <= MOST_UNITS or units % 4 or not 2 <= outputs <= MOST_OUTPUTS or not 0 < inputs <= 100_000:
        raise ValueError(f"{units} units, {inputs} inputs and {outputs} outputs are no net")
    shapes = (thresholds.shape, which.shape, rows.shape, out.shape, last.shape)
    if shapes != ((units,), (len(which),), (len(which), units), (outputs, units), (outputs,)):
        raise ValueError("its parts do not fit each other")
    if len(which) and not 0 <= which.min() <= which.max() < inputs:
        raise ValueError("it names inputs that there are not")
    names = json.loads(meta.get("options", "[]"))
    if not isinstance(names, list) or (names and tensors["options"].shape != (len(names), units)):
        raise ValueError("its options do not fit it")
    options = dict(zip(names, tensors["options"], strict=True)) if names else {}
    whole = np.zeros((inputs, units), dtype=np.float32)
    whole[which] = rows
    weights = np.concatenate([np.ravel(part).astype(np.float32) for part in (thresholds, whole, out, last)])
    if not np.isfinite(weights).all() or not all(np.isfinite(row).all() for row in options.values()):
        raise ValueError("some of its numbers are none")
    return Net(units, inputs, outputs, weights, options, meta, name)


# ---------------------------------------------------------------- which net plays a game


def shipped_name(game: Game) -> str:
    """The name of the weights that are shipped for a game: rule set, players, teams."""
    modes = getattr(game.rules, "modes", None)
    teams = "-teams" if modes is not None and modes.mode == "teams" else ""
    return f"{game.name}-{game.num_players}{teams}"


def net_for(game: Game, weights: str | None = None) -> Net:
    """The net that values a game's positions: a file, `any`, or where nothing is said the best that is shipped."""
    if weights is None:
        path = SHIPPED / f"{shipped_name(game)}.safetensors"
        if path.is_file():
            net = kept_net(path)
            if net.meta.get("digest") == rules_digest(game):
                return net
        return net_for(game, ANY)
    if not isinstance(weights, str):
        raise BotError(f"weights are a file or {ANY!r}, not {quoted(weights)}")
    if weights == ANY:
        path = SHIPPED / f"any-{family_of(game).split('.')[-2]}.safetensors"
        if not path.is_file():
            raise BotError(f"no weights are shipped for {game.name}: ludus train {game.name}, then td:weights=FILE")
        return checked_net(kept_net(path), game, path)
    path = Path(weights).expanduser()
    return checked_net(kept_net(path), game, path)


def checked_net(net: Net, game: Game, path: Path) -> Net:
    """The net, where it is for this game."""
    if net.meta.get("family") != family_of(game) or net.inputs != feature_total(game):
        raise BotError(f"weights {path}: of {net.meta.get('game', 'another game')}, which {game.name} is no kin of")
    if net.outputs < game.num_players:
        raise BotError(f"weights {path}: for at most {net.outputs} players, not {game.num_players}")
    if not net.is_for_all and net.meta.get("digest") != rules_digest(game):
        players = net.meta.get("players", "")
        raise BotError(
            f"weights {path}: trained for {net.meta.get('game')} with {players}, by other rules than this game's; "
            f"write weights=any, or train {game.name}"
        )
    return net


def kept_net(path: Path) -> Net:
    """A net from a file, read once as long as the file does not change."""
    try:
        changed = path.stat().st_mtime_ns
    except OSError as error:
        raise BotError(f"weights {path}: can't be read: {error.strerror}") from None
    return _kept(path, changed)


@lru_cache(maxsize=32)
def _kept(path: Path, changed: int) -> Net:
    return load_net(path)
