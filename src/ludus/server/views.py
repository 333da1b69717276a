"""What clients are shown of a table: the view of a position, the steps that led to it, the seats."""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, cast

from pydantic_core import to_json

from ludus.core.errors import IllegalMove
from ludus.core.game import Game
from ludus.core.position import Position
from ludus.core.scene import EventScene, GameScene, MoveScene, PositionScene, follow, scene_of_events
from ludus.play.facts import Fact
from ludus.play.refusals import Refused
from ludus.play.seats import PublicSeat
from ludus.play.table import Table
from ludus.play.telling import (
    bot_title,
    chance_in_words,
    move_in_words,
    player_name,
    rolls_of_turn,
    sentence,
    winners_of,
    winners_told,
    words_of,
)
from ludus.server.answers import DiceShown, Ending, PublicTable, StepLine, StepMessage, TableView, WhyNot
from ludus.server.aside import aside
from ludus.server.timekeeper import ClockShown

LOG_LENGTH = 30
KNOWN_SCENES = 64

Eyes = frozenset[str]  # the players whose hands somebody may see


def encode(message: Mapping[str, Any], **ready: str) -> str:
    """A message as it goes over the wire; `ready` are fields that are encoded already."""
    text = to_json(message).decode()
    fields = "".join(f',"{name}":{value}' for name, value in ready.items())
    return f"{text[:-1]}{fields}}}" if ready else text


@dataclass
class Happening:
    """A fact together with what was on the table when it happened."""

    fact: Fact
    before: Position
    after: Position
    ply: int


def is_laid_out(game: Game) -> bool:
    """Whether tiles and ways have to find their places on the page first: seconds, where a ring takes a moment."""
    board: Any = getattr(game.rules, "board", None)
    return board is not None and (board.shape == "graph" or bool(board.paths))


def board_of(game: Game, lang: str) -> GameScene:
    """The scene of a game."""
    return cast(GameScene, game.scene(lang))


def scene_of(position: Position, lang: str) -> PositionScene:
    """The scene of a position, to change at will."""
    return cast(PositionScene, dict(position.scene(lang)))


def learn_layouts(layouts: list[Any]) -> None:
    """Know where a worker laid the tiles of a board."""
    from ludus.games.ludo.picture.layout import learn

    learn(layouts)


class Draughtsman(Protocol):
    """Who tries elsewhere whether a board can be drawn."""

    async def text(self, whose: str, task: str, *given: Any) -> str:
        """What a task gives, in JSON; Refused where it takes too much."""


def events_of(step: Happening) -> list[EventScene]:
    """What a roll or a move did, one thing after the other."""
    is_played = step.fact.kind in ("roll", "move")
    return scene_of_events(step.before.events(step.fact.text)) if is_played else []


class Scenes:
    """The boards of games in words, each made once: tables of one rule set share them."""

    def __init__(self, elsewhere: Draughtsman | None = None) -> None:
        self._known: OrderedDict[tuple[str, str], str] = OrderedDict()
        self._elsewhere = elsewhere
        self._drawing: dict[tuple[str, str], asyncio.Lock] = {}

    async def prepare(self, game: Game, lang: str, whose: str) -> None:
        """Draw a board that takes long: elsewhere, where it can be given up, and never in the loop."""
        key = (game.digest, lang)
        if key in self._known or self._elsewhere is None or not is_laid_out(game):
            return
        async with self._drawing.setdefault(key, asyncio.Lock()):
            if key not in self._known:
                drawn = json.loads(await self._elsewhere.text(whose, "board", game.document(), lang))
                learn_layouts(drawn["layouts"])
                self._keep(key, encode(drawn["scene"]))
                await aside(game.start().scene, lang)
        self._drawing.pop(key, None)

    def of(self, game: Game, lang: str) -> str:
        """The scene of a game, ready for the wire: it is long and always the same."""
        key = (game.digest, lang)
        if key not in self._known:
            self._keep(key, encode(board_of(game, lang)))
        return self._known[key]

    def _keep(self, key: tuple[str, str], scene: str) -> None:
        self._known[key] = scene
        if len(self._known) > KNOWN_SCENES:
            self._known.popitem(last=False)


class Views:
    """The views of one table, by language; pieces keep their ids from one position to the next."""

    def __init__(self, table: Table, clock: Callable[[], ClockShown | None] = lambda: None) -> None:
        self.table = table
        self._clock = clock
        self.family: str = table.game.document()["family"]
        self._shown: dict[str, list[tuple[Position, PositionScene]]] = {}
        self._pieces: tuple[Position | None, list[Any]] = (None, [])
        self.log: list[Happening] = []

    # ------------------------------------------------------------ a position

    def scene(self, position: Position, lang: str) -> PositionScene:
        """The scene of a position, with ids that follow the pieces."""
        known = self._shown.setdefault(lang, [])
        for shown, scene in known:
            if shown is position:
                return scene
        scene = scene_of(position, lang)
        self._name_pieces(position, scene)
        # the last two: a step tells of the position before it and of the one after
        self._shown[lang] = [*known[-1:], (position, scene)]
        return scene

    def _name_pieces(self, position: Position, scene: PositionScene) -> None:
        """Give pieces without numbers of their own the ids they had before; the moves follow."""
        if self.family == "ludo":
            return
        shown, before = self._pieces
        if shown is not position:
            named = follow(before, scene["pieces"]) if before else list(scene["pieces"])
            self._pieces = (position, named)
        named = self._pieces[1]
        new = {old["id"]: piece["id"] for old, piece in zip(scene["pieces"], named, strict=True)}
        scene["pieces"] = named
        scene["moves"] = [
            {
                **move,
                "pieces": [new.get(one, one) for one in move["pieces"]],
                "captures": [
                    {**taken, "piece": new.get(str(taken["piece"]), taken["piece"])} for taken in move["captures"]
                ],
            }
            for move in scene["moves"]
        ]

    def view(self, lang: str, eyes: Eyes = frozenset()) -> TableView:
        """Where the table stands now, as those may see it who play some seats."""
        table, game = self.table, self.table.game
        scene = self.scene(table.position, lang)
        hidden = game.has_secrets and not table.is_over and table.position.to_move not in eyes
        if game.has_secrets and not table.is_over:
            scene = cast(PositionScene, {**scene, "state": game.veiled(scene["state"], eyes)})
        return {
            **scene,
            "ply": table.ply,
            "version": table.version,
            "moves": [] if table.is_over or hidden else scene["moves"],
            "roll_due": scene["roll_due"] and not table.is_over,
            "headline": self.headline(lang),
            "hints": [] if table.is_over else table.position.hints(lang),
            "can_undo": table.can_undo,
            "rolls": [] if game.has_secrets else rolls_of_turn(table.record),
            "over": self.over(lang),
            "clock": self._clock(),
        }

    def headline(self, lang: str) -> str:
        """Whose turn it is and what is due, or how the game ended."""
        table = self.table
        if table.acting is None:
            over = self.over(lang)
            return over["text"] if over else words_of("replay", lang)
        key = "to_roll" if table.position.to_move == "chance" else "to_move"
        return words_of(key, lang, player=player_name(table.acting, lang))

    def over(self, lang: str) -> Ending | None:
        """How the game ended; None while it goes on."""
        table = self.table
        if table.result is None:
            return None
        who = winners_told(table.result, lang)
        gone = ", ".join(player_name(p, lang) for p, chair in table.chairs.items() if chair.resigned)
        played = table.record.result is not None
        text = words_of("over", lang, who=who) if played else words_of("resigned", lang, players=gone, who=who)
        return {
            "result": table.result,
            "winners": winners_of(table.result),
            "reason": "played" if played else "resigned",
            "text": text,
            "tally": table.tally.shown(),
        }

    # ------------------------------------------------------------ what happened

    def note(self, step: Happening) -> None:
        """Keep a step for those who come later."""
        self.log = [*self.log[1 - LOG_LENGTH :], step]

    def line(self, step: Happening, lang: str, eyes: Eyes = frozenset()) -> StepLine:
        """A step as a line of the log, as those may be told it who play some seats."""
        fact = step.fact
        text = self._told_text(step, eyes)
        return {
            "type": "step", "version": fact.version, "ply": step.ply, "by": fact.by, "kind": fact.kind,
            "text": "" if fact.kind == "sit" else text, "words": self.words(step, lang, text),
            "player": self._whose(step), "events": events_of(step),
        }  # fmt: skip

    def _told_text(self, step: Happening, eyes: Eyes) -> str:
        """What was rolled or played; while the game goes on without what only others may know."""
        if step.fact.kind not in ("roll", "move") or self.table.is_over:
            return step.fact.text
        return self.table.game.veiled_event(step.before, step.fact.text, eyes)

    def step(self, step: Happening, lang: str, eyes: Eyes = frozenset()) -> StepMessage:
        """A step as it is told to those who are here: with what was played, and the view after it."""
        message = cast(StepMessage, {**self.line(step, lang, eyes), "view": self.view(lang, eyes)})
        if step.fact.kind == "move" and self._told_text(step, eyes) == step.fact.text:
            message["move"] = self._shown_move(step, lang)
        return message

    def _does(self, step: Happening, lang: str) -> str:
        """What a move did; as it was listed, where it still is."""
        for shown, scene in self._shown.get(lang, ()):
            listed = [move for move in scene["moves"] if shown is step.before and move["move"] == step.fact.text]
            if listed and step.fact.text != "pass":
                return str(listed[0]["text"])
        return move_in_words(step.before.move(step.before.action(step.fact.text)), lang)

    def _shown_move(self, step: Happening, lang: str) -> MoveScene | None:
        """What was played, as it was listed."""
        moves = self.scene(step.before, lang)["moves"]
        return next((move for move in moves if move["move"] == step.fact.text), None)

    def _whose(self, step: Happening) -> str:
        """The player a step is about: what chance does it does to whoever's turn it is."""
        return step.before.turn if step.fact.by == "chance" else step.fact.by

    def words(self, step: Happening, lang: str, told: str) -> str:
        """A step in a sentence, as far as it may be told."""
        fact, before = step.fact, step.before
        name = player_name(self._whose(step), lang)
        if told != fact.text:
            return words_of("gets_a_card" if fact.kind == "roll" else "gives_a_card", lang, player=name)
        if fact.kind == "roll":
            return chance_in_words(before.turn, fact.text, lang)
        if fact.kind == "move":
            return words_of("plays", lang, player=name, does=self._does(step, lang))
        bot = bot_title(fact.data.get("bot", fact.text), lang)
        return words_of(fact.kind, lang, player=name, move=fact.text, bot=bot, name=fact.text)

    # ------------------------------------------------------------ the table

    def table_data(self, lang: str, online: Iterable[str]) -> PublicTable:
        """What everybody may know of the table."""
        table, present = self.table, set(online)
        return {
            "id": table.id, "game": table.game.name, "title": table.game.title(lang),
            "family": self.family, "players": list(table.game.players),
            "seats": self.seats(present), "settings": table.settings.data(), "options": table.opening.options,
            "digest": table.game.digest, "created": table.opening.created, "version": table.version,
            "replay": table.opening.replay, "over": self.over(lang), "rematch": table.rematch,
            "acting": table.acting, "notices": [words_of("seeded", lang)] if table.opening.seeded else [],
            "dice": self.dice(),
        }  # fmt: skip

    def dice(self) -> DiceShown:
        """Where the rolls come from, as far as everybody may know now."""
        fair = self.table.record.dice
        if fair is None:
            kind: Literal["seeded", "drawn"] = "seeded" if self.table.opening.seeded else "drawn"
            return {"kind": kind, "commitment": None, "secret": None, "entropies": []}
        secret = fair.secret if self.table.is_over else None
        entropies: list[list[int | str]] = [[one.after, one.player, one.word] for one in fair.entropies]
        return {"kind": "fair", "commitment": fair.commitment, "secret": secret, "entropies": entropies}

    def seats(self, online: Iterable[str]) -> list[PublicSeat]:
        """Who sits where."""
        present = set(online)
        return [chair.public(chair.bot is not None or chair.player in present) for chair in self.table.chairs.values()]

    # ------------------------------------------------------------ why not

    def why(self, piece: str | None, move: str | None, lang: str) -> tuple[list[str], list[WhyNot]]:
        """Why a piece can't move, or why a move is not legal; what it may do where it can."""
        position = self.table.position
        if self.table.is_over or position.to_move == "chance":
            raise Refused("not_now", what="over" if self.table.is_over else "roll_first")
        tried: list[str | int]
        if move is not None:
            tried, legal = [move], [str(one) for one in position.moves() if str(one) == move]
        else:
            tried, legal = self._tries(position, str(piece), lang)
        return legal, reasons(position, tried, lang)

    def _tries(self, position: Position, piece: str, lang: str) -> tuple[list[str | int], list[str]]:
        scene = self.scene(position, lang)
        found = next((one for one in scene["pieces"] if one["id"] == piece), None)
        if found is None:
            raise Refused("no_such_piece")
        legal = [move["move"] for move in scene["moves"] if piece in move["pieces"] or move["origin"] == found["place"]]
        return position.game.tries(position, found["player"], found["place"]), legal


def reasons(position: Position, tried: Iterable[str | int], lang: str) -> list[WhyNot]:
    """Why each of these is not legal; every reason once."""
    found: dict[str, WhyNot] = {}
    for one in tried:
        try:
            position.action(one) if isinstance(one, str) else position.move(one)
        except IllegalMove as error:
            words = sentence(error.explain(lang))
            found.setdefault(words, {"move": str(one), "text": words, "rule": error.rule, "code": error.code})
    return list(found.values())
