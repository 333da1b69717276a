"""`ludus rules`: list rule sets, show one as a rule book, check, compare and begin them, and print their schema."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.cli.arguments import add_game_options, add_language, game_from, options_from, players_from, print_json
from ludus.cli.lines import in_short, player_name, source_of, title_of
from ludus.core.errors import LudusError, RulesError
from ludus.core.game import MOST_SEATS, Game
from ludus.core.messages import Message, language, look_up
from ludus.core.registry import games, make
from ludus.core.whole_file import write_new

if TYPE_CHECKING:
    from ludus.games.ludo.rulebook.findings import Finding
    from ludus.games.ludo.rulebook.verdict import Report

BAD_INPUT = 2  # exit code
MOST_SHOWN = 50  # characters of a value in the table of options


def add_parser(commands: Any) -> None:
    """The arguments of `ludus rules`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "rules",
        help="list, show, check, compare and begin rule sets",
        description="List, show, check, compare and begin rule sets.",
    )
    tasks = parser.add_subparsers(dest="task", metavar="list|show|check|diff|new|schema", required=True)
    for add in (_add_list, _add_show, _add_check, _add_diff, _add_new, _add_schema):
        add(tasks)


def _add_list(tasks: Any) -> None:
    listing = tasks.add_parser("list", help="the names, with titles and how many play")
    _json_and_language(listing)
    listing.set_defaults(run=list_games)


def _add_show(tasks: Any) -> None:
    showing = tasks.add_parser("show", help="the rule book in plain sentences")
    showing.add_argument("name", metavar="NAME", help="a name of `ludus rules list`, or a rule-set file")
    add_game_options(showing)
    showing.add_argument("--options", action="store_true", help="the table of options instead, with their meanings")
    showing.add_argument("--changed", action="store_true", help="only options that differ from their default")
    _json_and_language(showing, "print the document and the rule book; with --options the document alone")
    showing.set_defaults(run=show)


def _add_check(tasks: Any) -> None:
    checking = tasks.add_parser("check", help="Strict Ludo, Loose Ludo or not Ludo, rule by rule")
    checking.add_argument("name", metavar="FILE_OR_NAME", help="a rule-set file, or a name of `ludus rules list`")
    add_game_options(checking)
    checking.add_argument("--broken", action="store_true", help="only the rules that are broken")
    _json_and_language(checking)
    checking.set_defaults(run=check_rules)


def _add_diff(tasks: Any) -> None:
    comparing = tasks.add_parser("diff", help="how two rule sets differ, in words")
    comparing.add_argument("one", metavar="A", help="a name or a rule-set file")
    comparing.add_argument("other", metavar="B", help="another one")
    _json_and_language(comparing)
    comparing.set_defaults(run=diff)


def _add_new(tasks: Any) -> None:
    beginning = tasks.add_parser("new", help="a commented document to start from")
    beginning.add_argument("--from", dest="base", metavar="NAME", default="classic", help="what it begins from")
    beginning.add_argument("--all", action="store_true", help="every option with its default, to be changed")
    beginning.add_argument("--out", metavar="FILE", help="write it there instead of printing it")
    add_language(beginning)
    beginning.set_defaults(run=new)


def _add_schema(tasks: Any) -> None:
    schema = tasks.add_parser("schema", help="the JSON Schema of a rule-set file")
    schema.add_argument("name", metavar="NAME", nargs="?", help="of this game's family; Ludo if left out")
    schema.add_argument("--json", action="store_true", help="the schema is JSON in any case")
    schema.set_defaults(run=print_schema)


def _json_and_language(parser: argparse.ArgumentParser, what: str = "print data") -> None:
    parser.add_argument("--json", action="store_true", help=what)
    add_language(parser)


def list_games(arguments: argparse.Namespace) -> int:
    """`ludus rules list`."""
    lang = language(arguments.lang)
    made = [make(name) for name in games()]
    rows: list[dict[str, Any]] = [
        {"name": game.name, "title": title_of(game, lang), "players": numbers_of_players(game)} for game in made
    ]
    if arguments.json:
        print_json(rows)
        return 0
    width = max(len(row["name"]) for row in rows)
    for row in rows:
        print(f"{row['name']:<{width}}  {_range(row['players']):<4}  {row['title']}")
    return 0


def numbers_of_players(game: Game) -> list[int]:
    """How many can play a game."""
    if is_ludo(game):
        return list(game.player_counts)
    return [number for number in range(1, MOST_SEATS + 1) if _takes(game.name, number)]


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
    game = game_from(arguments.name, arguments.players, arguments.option, arguments.plugin)
    wants_options = arguments.options or arguments.changed
    if arguments.json:
        book = {} if wants_options else {"rulebook": [section.to_dict() for section in book_of(game, lang)]}
        print_json(game.document() | book)
    elif wants_options:
        print(rules_text(game, lang, only_changed=arguments.changed))
    else:
        print(rules_in_force(game, lang))
    return 0


def rules_in_force(game: Game, lang: str) -> str:
    """The rule book where the game has one, else how the game goes in short and the table of its options."""
    if book_of(game, lang):
        return book_text(game, lang)
    short = [bulleted(line) for line in in_short(game, lang)]
    return "\n".join([rules_text(game, lang), *([""] if short else []), *short])


def bulleted(sentence: str) -> str:
    """A sentence of a rule book, as wide as the terminal."""
    return textwrap.fill(sentence, _width(), initial_indent="- ", subsequent_indent="  ")


def is_ludo(game: Game) -> bool:
    """Whether a game has a Ludo rule set."""
    return game.document().get("family") == "ludo"


def book_of(game: Game, lang: str) -> list[Any]:
    """The sections of a game's rule book; none where its family has no such book."""
    if not is_ludo(game):
        return []
    from ludus.games.ludo.rulebook import rulebook

    return list(rulebook(game, lang))


def book_text(game: Game, lang: str) -> str:
    """A rule book for people."""
    lines = [f"{title_of(game, lang)} ({game.name})", *textwrap.wrap(source_of(game, lang), _width())]
    lines.append(_say("seated", lang, players=", ".join(player_name(player, lang) for player in game.players)))
    for section in book_of(game, lang):
        lines += ["", section.title.upper()]
        lines += [bulleted(sentence) for sentence in section.sentences]
    return "\n".join(lines)


def check_rules(arguments: argparse.Namespace) -> int:
    """`ludus rules check FILE_OR_NAME`: 0 for Ludo, 1 for what is not, or not what its name promises."""
    from ludus.games.ludo.rulebook.verdict import check

    lang = language(arguments.lang)
    _only_ludo(arguments.name)
    options = options_from(arguments.option)
    try:
        report = check(arguments.name, players_from(arguments.players), options, arguments.plugin)
    except RulesError as error:
        return print_problems(error, arguments.name, lang, arguments.json)
    if arguments.json:
        print_json(report.to_dict(lang))
    else:
        print(report_text(report, lang, only_broken=arguments.broken))
    return 0 if report.passed else 1


def print_problems(error: RulesError, name: str, lang: str, as_json: bool) -> int:
    """Everything that is wrong with a document, each in a line of its own."""
    from ludus.games.ludo.document.problems import explained

    problems = explained(error, lang)
    if as_json:
        print_json({"name": name, "problems": problems})
    elif len(problems) == 1:
        print(f"ludus: {problems[0] if str(error) == problems[0] else f'{name}: {problems[0]}'}", file=sys.stderr)
    else:
        lines = [f"- {problem}" for problem in problems]
        print(f"ludus: {_say('problems', lang, name=name, count=len(problems))}", *lines, sep="\n", file=sys.stderr)
    return BAD_INPUT


def _only_ludo(name: str) -> None:
    """Other games have no rule-set document that Strict and Loose Ludo could judge."""
    from ludus.games.ludo.document.loading import shipped

    if name in games() and name not in shipped():
        raise LudusError(f"{name} is not a Ludo rule set: there is nothing to check or compare")


def report_text(report: Report, lang: str, only_broken: bool = False) -> str:
    """What was found, for people: every rule on its own, the verdict last."""
    lines: list[str] = []
    for book in ("S", "L"):
        found = [f for f in report.findings if f.rule.startswith(book) and (not only_broken or f.status == "broken")]
        if found:
            lines += [_say(f"book_{book}", lang), *(line for f in found for line in _finding_lines(f, lang)), ""]
    counts = {book: len(report.broken(book)) for book in ("S", "L")}
    name = report.rules.name
    lines.append(_say("verdict", lang, name=name, verdict=report.verdict_in_words(lang)))
    lines.append(_say("counts", lang, strict=53 - counts["S"], loose=37 - counts["L"]))
    lines += [line for warning in report.warnings(lang) for line in textwrap.wrap(warning, _width())]
    if not report.keeps_its_name:
        lines.append(_say("promise", lang, name=name, rules=", ".join(f.rule for f in report.broken("S"))))
    return "\n".join(lines)


def _finding_lines(found: Finding, lang: str) -> list[str]:
    """One rule: its id, what became of it, what it asks, and why."""
    status = _say({"holds": "holds", "broken": "broken"}.get(found.status, "undecided"), lang)
    mark = {"holds": " ", "broken": "x"}.get(found.status, "?")
    head = f"{mark} {found.rule:<4}{status:<13}"
    told = found.rule_in_words(lang)
    if found.status == "broken":
        told = f"{told}{_say('here', lang)} {found.why(lang)} [{found.option}]"
    elif found.reason:
        told = f"{told} ({found.why(lang)})"
    lines = textwrap.wrap(told, _width(), initial_indent=head, subsequent_indent=" " * 19)
    position = (found.proof or {}).get("position")
    if position:
        shown = json.dumps(position, ensure_ascii=False)
        lines += textwrap.wrap(
            _say("position", lang, position=shown), _width(), initial_indent=" " * 19, subsequent_indent=" " * 21
        )
    return lines


def diff(arguments: argparse.Namespace) -> int:
    """`ludus rules diff A B`."""
    from ludus.games.ludo.document.loading import load
    from ludus.games.ludo.rulebook.differences import differences

    lang = language(arguments.lang)
    for name in (arguments.one, arguments.other):
        _only_ludo(name)
    found = differences(load(arguments.one, {}), load(arguments.other, {}), lang)
    if arguments.json:
        print_json({"a": arguments.one, "b": arguments.other, "differences": [each.to_dict() for each in found]})
        return 0
    print(_say("differ" if found else "alike", lang, one=arguments.one, other=arguments.other, count=len(found)))
    width = max(len(arguments.one), len(arguments.other)) + 2
    for each in found:
        print(f"\n{each.option}")
        for name, words in zip((arguments.one, arguments.other), each.words, strict=True):
            head = f"  {name + ':':<{width}}"
            print(
                *textwrap.wrap(words or "–", _width(), initial_indent=head, subsequent_indent=" " * len(head)), sep="\n"
            )
    return 0


def new(arguments: argparse.Namespace) -> int:
    """`ludus rules new`."""
    from ludus.games.ludo.rulebook.template import name_for, new_document, short_document

    lang = language(arguments.lang)
    _only_ludo(arguments.base)

    def text(name: str = "my-ludo") -> str:
        return new_document(name, lang) if arguments.all else short_document(arguments.base, name, lang)

    if arguments.out is None:
        print(text(), end="")
        return 0
    path = Path(arguments.out)
    try:
        write_new(path, text(name_for(path.stem)).encode())
    except FileExistsError:
        raise LudusError(f"{path}: exists already and is kept as it is: choose another name") from None
    except (OSError, ValueError) as error:
        raise LudusError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    print(_say("written", lang, file=str(path)))
    return 0


def print_schema(arguments: argparse.Namespace) -> int:
    """`ludus rules schema`."""
    if arguments.name is None:
        from ludus.games.ludo.document.rules import RuleSet

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
    lines = [f"{game.name}: {title_of(game, lang)}"]
    lines += textwrap.wrap(source_of(game, lang), _width())
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
        default = field.get_default(call_default_factory=True)
        rows.append({
            "key": key,
            "value": value,
            "default": default,
            "changed": value != default,
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
    if len(head) > len(indent):  # a long value has its line to itself
        return [
            head.rstrip(),
            *textwrap.wrap(" ".join(tail), _width(), initial_indent=indent, subsequent_indent=indent),
        ]
    return textwrap.wrap(" ".join(tail), _width(), initial_indent=head.ljust(38), subsequent_indent=indent)


def _plain(value: Any) -> str:
    """A value as a document would have it, cut where it is too long for a line."""
    if value is None:
        return "–"
    text = json.dumps(value, ensure_ascii=False, default=lambda part: part.model_dump())
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…"
