"""Whether data that came over the wire is what a type says: to the field, with nothing beside it."""

from __future__ import annotations

import types
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict


def misfits(value: Any, kind: Any, place: str = "") -> list[str]:
    """What does not fit, by place; [] where all does."""
    origin, parts = get_origin(kind), get_args(kind)
    if kind is Any:
        return []
    if origin is NotRequired:
        return misfits(value, parts[0], place)
    if origin in (Union, types.UnionType):
        found = [misfits(value, part, place) for part in parts]
        return [] if [] in found else min(found, key=len)
    if origin is Literal:
        return [] if value in parts else [f"{place}: {value!r} is none of {parts}"]
    if is_typeddict(kind):
        return _of_fields(value, kind, place)
    if origin is list:
        return _wrong(value, list, place) or [
            w for n, one in enumerate(value) for w in misfits(one, parts[0], f"{place}[{n}]")
        ]
    if origin is dict:
        return _wrong(value, dict, place) or [
            w for key, one in value.items() for w in misfits(one, parts[1], f"{place}.{key}")
        ]
    return _wrong(value, type(None) if kind is None else kind, place)


def _of_fields(value: Any, kind: Any, place: str) -> list[str]:
    if not isinstance(value, dict):
        return _wrong(value, dict, place)
    hints = get_type_hints(kind, include_extras=True)
    # annotations are texts until now, so the class itself does not know which fields may be missing
    needed = [name for name, hint in hints.items() if get_origin(hint) is not NotRequired]
    missing = [f"{place}.{name} is missing" for name in needed if name not in value]
    strange = [f"{place}.{name} is in no document" for name in value if name not in hints]
    inner = [w for name, one in value.items() if name in hints for w in misfits(one, hints[name], f"{place}.{name}")]
    return [*missing, *strange, *inner]


def _wrong(value: Any, kind: Any, place: str) -> list[str]:
    fits = isinstance(value, int | float) if kind is float else isinstance(value, kind)
    is_truth = isinstance(value, bool) and kind is not bool
    return [] if fits and not is_truth else [f"{place}: {value!r} is no {kind.__name__}"]
