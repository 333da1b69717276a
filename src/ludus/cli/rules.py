"""`ludus rules`: which rule sets there are, what their options say, and the schema of a rule-set file."""

from __future__ import annotations

import argparse
import json
import shutil
import textwrap
from typing import Any

from ludus.cli.options import add_game_options, add_language, game_from, print_json
from ludus.cli.telling import player_name
from ludus.core.errors import LudusError
from ludus.core.game import Game
from ludus.core.messages import Message, language, look_up
from ludus.core.registry import games, make

MOST_PLAYERS = 8


def add_parser(commands: Any) -> None:
    """The arguments of `ludus rules`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "rules", help="list and show rule sets", description="List and show rule sets, print their schema."
    )
    tasks = parser.add_subparsers(dest="task", metavar="list|show|schema", required=True)
    listing = tasks.add_parser("list", help="the names, with titles and how many play")
    listing.add_argument("--json", action="store_true", help="print data")
    add_language(listing)
    listing.set_defaults(run=list_games)
    showing = tasks.add_parser("show", help="the options of a rule set, and what they mean")
    showing.add_argument("name", metavar="NAME", help="a name of `ludus rules list`, or a rule-set file")
    add_game_options(showing)
    showing.add_argument("--changed", action="store_true", help="only options that differ from their default")
    showing.add_argument("--json", action="store_true", help="print the whole document")
    add_language(showing)
    showing.set_defaults(run=show)
    schema = tasks.add_parser("schema", help="the JSON Schema of a rule-set file")
    schema.add_argument("name", metavar="NAME", nargs="?", help="of this game's family; Ludo if left out")
    schema.add_argument("--json", action="store_true", help="the schema is JSON in any case")
    schema.set_defaults(run=print_schema)


def list_games(arguments: argparse.Namespace) -> int:
    """`ludus rules list`."""
    lang = language(arguments.lang)
    rows: list[dict[str, Any]] = [
        {"name": name, "title": make(name).title(lang), "players": numbers_of_players(name)} for name in games()
    ]
    if arguments.json:
        print_json(rows)
        return 0
    width = max(len(row["name"]) for row in rows)
    for row in rows:
        print(f"{row['name']:<{width}}  {_range(row['players']):<4}  {row['title']}")
    return 0


def numbers_of_players(name: str) -> list[int]:
    """How many can play a game."""
    return [number for number in range(1, MOST_PLAYERS + 1) if _takes(name, number)]


def _takes(name: str, players: int) -> bool:
    try:
        make(name, players=players)
    except LudusError:
        return False
    return True


def _range(numbers: list[int]) -> str:
    whole = numbers == list(range(numbers[0], numbers[-1] + 1)) and len(numbers) > 1
    return f"{numbers[0]}–{numbers[-1]}" if whole else ", ".join(map(str, numbers))


def show(arguments: argparse.Namespace) -> int:
    """`ludus rules show NAME`."""
    lang = language(arguments.lang)
    game = game_from(arguments.name, arguments.players, arguments.option)
    if arguments.json:
        print_json(game.document())
    else:
        print(rules_text(game, lang, only_changed=arguments.changed))
    return 0


def print_schema(arguments: argparse.Namespace) -> int:
    """`ludus rules schema`."""
    if arguments.name is None:
        from ludus.games.ludo.rules import RuleSet

        model: Any = RuleSet
    else:
        model = type(make(arguments.name).rules)
    if not hasattr(model, "model_json_schema"):
        raise LudusError(f"{arguments.name} has no schema: its rules are not a document of options")
    print_json(model.model_json_schema())
    return 0


def rules_text(game: Game, lang: str, only_changed: bool = False) -> str:
    """A rule set for people: its options by group, with what they mean; * marks what is not the default."""
    rules = game.rules
    lines = [f"{game.name}: {game.title(lang)}"]
    lines += textwrap.wrap(game.source(lang), _width())
    lines.append(f"{_say('players', lang)}: {', '.join(player_name(player, lang) for player in game.players)}")
    groups = _groups(rules)
    if not groups:
        document = json.dumps(game.document(), ensure_ascii=False, indent=2)
        return "\n".join([*lines, _say("no_options", lang), document])
    lines.append(_say("changed", lang))
    for name, group in groups.items():
        options = [o for o in _options(name, group, lang) if o["changed"] or not only_changed]
        if options:
            about = _meaning(rules, f"group.{name}", type(group).__doc__ or "", lang)
            lines += ["", f"{name}: {about}" if name else _say("options", lang)]
        lines += [line for option in options for line in _row(option, lang)]
    return "\n".join(lines)


def _say(key: str, lang: str, **values: object) -> str:
    return Message("ludus.cli", key, values, "rules").text(lang)


def _width() -> int:
    return max(60, shutil.get_terminal_size((100, 24)).columns)


def _groups(rules: Any) -> dict[str, Any]:
    """The groups of options of a document, the one without a name for options outside a group."""
    fields = getattr(type(rules), "model_fields", {})
    found = {name: getattr(rules, name) for name in fields}
    groups = {name: value for name, value in found.items() if hasattr(type(value), "model_fields")}
    return ({"": rules} if fields else {}) | groups


def _options(group: str, values: Any, lang: str) -> list[dict[str, Any]]:
    """What there is to say of each option of a group."""
    rows, place = [], f"{group}." if group else ""
    for key, field in type(values).model_fields.items():
        value = getattr(values, key)
        extra = field.json_schema_extra
        if not isinstance(extra, dict):  # names and titles are no options
            continue
        rows.append({
            "key": key,
            "value": value,
            "default": field.default,
            "changed": value != field.default,
            "meaning": _meaning(values, f"option.{place}{key}", field.description or "", lang),
            "rules": " ".join(extra.get("rules", [])),
        })  # fmt: skip
    return rows


def _meaning(of: Any, key: str, english: str, lang: str) -> str:
    """The meaning from the game's catalogue (option.<group>.<key>), else as the rules state it."""
    return look_up(type(of).__module__.rpartition(".")[0], key, lang) or english


def _row(option: dict[str, Any], lang: str) -> list[str]:
    """An option as lines: mark, key, value, meaning, rule ids."""
    mark = "*" if option["changed"] else " "
    head = f" {mark} {option['key']:<18} {_plain(option['value']):<14} "
    tail = [option["meaning"]]
    if option["rules"]:
        tail.append(f"({option['rules']})")
    if option["changed"]:
        tail.append(f"[{_say('default', lang, value=_plain(option['default']))}]")
    indent = " " * 38
    return textwrap.wrap(" ".join(tail), _width(), initial_indent=head.ljust(38), subsequent_indent=indent)


def _plain(value: Any) -> str:
    """A value as a document would have it."""
    return "–" if value is None else json.dumps(value, ensure_ascii=False)
