"""What can be chosen before a game: games, their options, and the rules in words."""

from __future__ import annotations

import json
import threading
from collections.abc import Hashable, Mapping
from functools import cache, lru_cache
from typing import Any, cast

from ludus.core.errors import LudusError, RulesError, UnknownName
from ludus.core.game import Game
from ludus.core.messages import LANGUAGES, look_up
from ludus.core.registry import Summary, games, make, summary, summary_of, unknown_game
from ludus.games.ludo.document.problems import Problems
from ludus.play.refusals import Refused
from ludus.play.telling import bot_title, in_short, sentence, words_of
from ludus.play.thinking import bot_names
from ludus.server.bodies import (
    BookTold,
    BotShown,
    ChoiceShown,
    ExamplesShown,
    GameInFull,
    GameOnBoard,
    GameShown,
    Judged,
    OptionShown,
    RuleTold,
    SectionTold,
)
from ludus.server.views import board_of, scene_of

PACKAGE = "ludus.server"


@cache
def known_games() -> tuple[str, ...]:
    """The names of all games; a client may name no file."""
    return tuple(games())


# what `make` takes beside options; code that is installed here is not for clients to choose
NO_OPTIONS = ("players", "source", "plugins")


def settled(
    name: str,
    players: int | list[str] | None = None,
    options: Mapping[str, Any] | None = None,
    document: str | None = None,
) -> Game:
    """The game that somebody chose, by name or by a document; Refused with the reason where there is none."""
    if document is None and name not in known_games():
        raise Refused("unknown_game", what=unknown_game(name[:40], known_games()))
    if options and set(NO_OPTIONS) & set(options):
        raise Refused("bad_game", what=f"options: {', '.join(NO_OPTIONS)} are no options of the rules")
    try:
        source = name if document is None else read_document(document)
        return make(source, players=players, **dict(options or {}))
    except UnknownName as error:
        raise Refused("unknown_game", what=str(error)) from None
    except RulesError as error:
        raise Refused("bad_game", what=Problems("", "", error=error)) from None
    except (LudusError, TypeError, ValueError, RecursionError, OverflowError) as error:
        raise Refused("bad_game", what=str(error)[:300]) from None


def read_document(text: str) -> dict[str, Any]:
    """A rule set of somebody's own, as data: it extends nothing but what is shipped, and nothing in it is ever run."""
    from ludus.games.ludo.document.loading import parse

    return parse(text, "document")


def for_table(
    name: str, players: int | list[str] | None, options: Mapping[str, Any], document: str | None = None
) -> Game:
    """A settled game for a new table, made once, since many choose the same. One thread may use it: the server's."""
    return _settled_once(name, json.dumps([players, options], sort_keys=True), document)


@lru_cache(maxsize=64)
def _settled_once(name: str, choice: str, document: str | None) -> Game:
    players, options = json.loads(choice)
    return settled(name, players, options, document)


def shown_choice(
    name: str, players: int | list[str] | None, options: Mapping[str, Any], document: str | None, lang: str
) -> ChoiceShown:
    """The board and the rules that a choice of players and options gives."""
    game = settled(name, players, options, document)
    plain = settled(name, document=document) if options else game
    return {
        **short(game, lang),
        "scene": board_of(game, lang),
        "view": scene_of(game.start(), lang),
        "options": options_of(game, lang, plain),
        "rules": rule_book(game, lang),
        **judged(game, document, lang),
    }


# whoever asks while the list is being made waits for it, and does not make it again
_listing = threading.Lock()


def listed(lang: str) -> list[GameShown]:
    """Every game in short."""
    with _listing:
        return _listed(lang)


@lru_cache(maxsize=64)
def _listed(lang: str) -> list[GameShown]:
    return [with_words(summary(name, lang), lang) for name in known_games()]


@cache
def shipped(name: str) -> Game:
    """A game as it is shipped."""
    return settled(name)


def prepare() -> None:
    """Say what there is, and lay out every game, before somebody asks."""
    for lang in LANGUAGES:
        listed(lang)
    for name in known_games():
        shipped(name)


def short(game: Game, lang: str) -> GameShown:
    """A game in short."""
    return with_words(summary_of(game, lang), lang)


def with_words(told: Summary, lang: str) -> GameShown:
    """With a sentence of what it is like."""
    return {**told, "about": look_up(PACKAGE, f"about.{told['name']}", lang) or told["source"]}


@lru_cache(maxsize=128)
def on_board(name: str, lang: str) -> GameOnBoard:
    """A game with its board as it starts: what a picture needs."""
    game = shipped(name)
    return {**short(game, lang), "scene": board_of(game, lang), "view": scene_of(game.start(), lang)}


@lru_cache(maxsize=64)
def in_full(name: str, lang: str) -> GameInFull:
    """A game with its options and its board."""
    return {**on_board(name, lang), "options": options_of(shipped(name), lang)}


@lru_cache(maxsize=64)
def rules_of(name: str, lang: str) -> BookTold:
    """The rule book of a game as it is shipped, with positions that show its rules."""
    game = settled(name)
    book = rule_book(game, lang)
    return {**book, **shown_rules(game, [section.get("key", "") for section in book["sections"]], lang)}


def shown_rules(game: Game, sections: list[str], lang: str) -> ExamplesShown:
    """A small board for each section of a rule book that one can show: its scene, and positions by section."""
    if game.document()["family"] != "ludo":
        return {}
    from ludus.games.ludo.picture.examples import example_scenes

    return {"scene": board_of(game, lang), "examples": example_scenes(game, sections, lang)}  # type: ignore[arg-type]


def options_of(game: Game, lang: str, plain: Game | None = None) -> list[OptionShown]:
    """Every option of a rule set: its value, what it may be, what it means, and its value in the `plain` rule set."""
    own = groups_of((plain or game).rules)
    return [
        _option(group, key, holder, lang, _plain_value(own[group], key))
        for group, holder in groups_of(game.rules).items()
        for key, field in type(holder).model_fields.items()
        if isinstance(field.json_schema_extra, dict)  # names and titles are no options
    ]


def groups_of(rules: Any) -> dict[str, Any]:
    """The groups of options of a document, '' for options outside a group."""
    fields = getattr(type(rules), "model_fields", {})
    found = {name: getattr(rules, name) for name in fields}
    groups = {name: value for name, value in found.items() if hasattr(type(value), "model_fields")}
    return ({"": rules} if fields else {}) | groups


def _option(group: str, key: str, holder: Any, lang: str, default: Any) -> OptionShown:
    field: Any = type(holder).model_fields[key]
    name = f"{group}.{key}" if group else key
    plain = _plain_value(holder, key)
    model: Any = type(holder)
    package = type(holder).__module__.rpartition(".")[0]
    shown: dict[str, Any] = {
        "key": name, "group": group, "value": plain, "default": default,
        "meaning": look_up(package, f"option.{name}", lang) or field.description or "",
        "rules": list(field.json_schema_extra.get("rules", [])),
        **_kind(schema_of(model)["properties"][key]),
    }  # fmt: skip
    return cast(OptionShown, shown)


def _plain_value(holder: Any, key: str) -> Any:
    """An option's value as JSON has it."""
    return holder.model_dump(mode="json")[key]


@cache
def schema_of(model: Hashable) -> dict[str, Any]:
    """The JSON Schema of a group of options."""
    schema: dict[str, Any] = model.model_json_schema()  # type: ignore[attr-defined]
    return schema


def _kind(schema: Mapping[str, Any]) -> dict[str, Any]:
    """What an option may be, from its schema."""
    branch = next((one for one in schema.get("anyOf", ()) if one.get("type") != "null"), schema)
    if "enum" in branch:
        return {"kind": "enum", "choices": branch["enum"]}
    kind = {"boolean": "bool", "integer": "int", "array": "list"}.get(str(branch.get("type")), "text")
    limits = {"min": branch.get("minimum"), "max": branch.get("maximum")}
    return {"kind": kind} | {key: value for key, value in limits.items() if value is not None}


def listed_bots(lang: str, in_page: bool = False) -> list[BotShown]:
    """The bots in words; `in_page`: those that a page can run."""
    return [
        {
            "name": name,
            "title": bot_title(name, lang),
            "text": look_up(PACKAGE, f"bot_text.{name}", lang) or "",
        }
        for name in bot_names(in_page)
    ]


def rule_book(game: Game, lang: str) -> BookTold:
    """The rules in words: in short, then the whole book, or what every option says where a family has no book."""
    book = _sentences(game, lang) if game.document()["family"] == "ludo" else _options_told(game, lang)
    sections = [section for section in (_in_short(game, lang), *book) if section["rules"]]
    return {"title": game.title(lang), "source": game.source(lang), "sections": sections}


def _sentences(game: Game, lang: str) -> list[SectionTold]:
    """The book of a Ludo game, written from its options."""
    from ludus.games.ludo.rulebook import rulebook

    said_by = options_by_sentence(game, lang)
    return [
        {"key": section.key, "title": section.title,
         "rules": [{"id": "", "text": text, "option": said_by.get(text)} for text in section.sentences]}
        for section in rulebook(game, lang)
    ]  # fmt: skip


def options_by_sentence(game: Game, lang: str) -> dict[str, str]:
    """Which option a sentence of the rule book comes from."""
    from ludus.games.ludo.rulebook.differences import all_options
    from ludus.games.ludo.rulebook.prose import sentences_of

    board = game.rules.board
    way = "board.paths" if board.shape == "graph" else "board.travel"
    moving = dict.fromkeys(sentences_of(game.rules, ":moving", lang), way)
    guards = dict.fromkeys(sentences_of(game.rules, ":guards", lang), "board.jumps" if board.jumps else "board.paths")
    return (
        moving | guards | {text: option for option in all_options() for text in sentences_of(game.rules, option, lang)}
    )


def judged(game: Game, document: str | None, lang: str) -> Judged:
    """A rule set of somebody's own: what kind of Ludo it is, which rule decides, and how it differs from its base."""
    if document is None or game.document()["family"] != "ludo":
        return {}
    from ludus.games.ludo.rulebook.differences import differences
    from ludus.games.ludo.rulebook.template import tables_of
    from ludus.games.ludo.rulebook.verdict import check

    source = read_document(document)
    base = source.get("extends") or "classic"
    report = check(source)
    decides = next(iter(report.broken("L") or report.broken("S")), None)
    known = settled(base) if base in known_games() else None
    found = differences(known.rules, game.rules, lang) if known else []
    return {
        "base": base,
        "base_title": known.title(lang) if known else base,
        "tables": tables_of(game.rules),
        "verdict": {
            "kind": report.verdict, "words": report.verdict_in_words(lang),
            "decides": {"rule": decides.rule, "text": decides.to_dict(lang).get("reason", "")} if decides else None,
        },
        "differences": [
            {"option": one.option, "value": one.values[1], "before": one.words[0], "now": one.words[1]} for one in found
        ],
    }  # fmt: skip


def _options_told(game: Game, lang: str) -> list[SectionTold]:
    """Every option with its value, by group."""
    options = options_of(game, lang)
    sections: list[SectionTold] = []
    for group, holder in groups_of(game.rules).items():
        rules: list[RuleTold] = [
            {"id": " ".join(option["rules"]), "text": f"{sentence(option['meaning'])}: {_shown(option['value'])}"}
            for option in options
            if option["group"] == group
        ]
        package = type(holder).__module__.rpartition(".")[0]
        about = look_up(package, f"group.{group}", lang) or (type(holder).__doc__ or "").strip()
        sections.append({"title": about if group else words_of("options", lang), "rules": rules})
    return sections


def _in_short(game: Game, lang: str) -> SectionTold:
    """How the game goes, for somebody who has never played it."""
    return {"title": words_of("in_short", lang), "rules": [{"id": "", "text": line} for line in in_short(game, lang)]}


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "✓" if value else "–"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "–"
    return "–" if value is None else str(value).replace("_", " ")
