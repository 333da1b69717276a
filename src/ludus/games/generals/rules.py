"""The rule set of Generals, typed: each option once, with its default, range, meaning and rule ids."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ludus.core.errors import RulesError, suggestion


def option(default: Any, meaning: str, rules: str = "", **limits: Any) -> Any:
    """One option: its default, what it means, the rule ids it speaks of, and its limits."""
    extra: dict[str, Any] = {"rules": rules.split()}
    return Field(default, description=meaning, json_schema_extra=extra, **limits)


class RuleSet(BaseModel):
    """A whole rule set: read-only, unknown keys refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: str = Field("generals", description="the rule set's name", pattern=r"^[a-z][a-z0-9-]{0,39}$")
    version: int = Field(1, description="raised whenever the rules change", ge=1)
    title: str = Field("Generals", description="the name for people", max_length=80)
    source: str = Field(
        "Attacker against defender around a General (rule book G1-G36).",
        description="where the rules come from",
        max_length=400,
    )
    directions: Literal[4, 8] = option(4, "ways a unit moves and attacks: straight ones, or diagonals too", "G9 G17")
    toss: bool = option(
        False,
        "roles: settled, or the winner of a toss between white and black chooses attacker or defender",
        "G6",
    )
    quiet_limit: int = option(
        100,
        "turns in a row without capture, attack, conversion or special move that make a draw; 0: none, and a game "
        "may not end without turn_limit",
        "G22",
        ge=0,
        le=10_000,
    )
    turn_limit: int = option(
        1_000,
        "turns in all that make a draw; 0: none, and a game may not end without quiet_limit",
        "G22",
        ge=0,
        le=30_000,
    )

    @property
    def may_not_end(self) -> bool:
        """Whether no limit ends a game in which nothing happens; progress itself runs out of units (G22)."""
        return self.quiet_limit == 0 and self.turn_limit == 0


def validate(document: Mapping[str, Any]) -> RuleSet:
    """Plain data → rule set; one clear line for the first thing that is wrong."""
    try:
        return RuleSet.model_validate(dict(document))
    except ValidationError as error:
        raise RulesError(f"generals: {first_error(error)}") from None


def first_error(error: ValidationError) -> str:
    """What, where, and what would be right."""
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        return f"unknown option {place!r}{suggestion(place, RuleSet.model_fields)}"
    given = repr(first.get("input"))
    shown = given if len(given) <= 60 else given[:57] + "…"
    return f"{place}: {first['msg'][0].lower()}{first['msg'][1:]}, not {shown}"
