"""Plug-ins: rules in Python that run where the caller allows them, and nowhere else."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import ludus
from ludus.cli import main
from ludus.core.conformance import ConformanceError, check_twins
from ludus.core.game import Game
from ludus.core.position import Position
from ludus.core.random import stream
from ludus.core.seeds import fold_seed
from ludus.games.ludo import plugins

MERCY = str(Path(__file__).parents[3] / "examples" / "mercy.py")


def mercy(**options) -> ludus.Game:
    return ludus.make("strict", players=2, plugins=[MERCY], **options)


def at(game, green, blue, dice=()):
    return game.position({"pieces": {"green": green, "blue": blue}, "turn": "green", "dice": list(dice)})


def played(game, seed=1):
    """A whole random game as a record."""
    record, rng = ludus.Record.start(game, seed=seed), random.Random(seed)
    while record.position.to_move is not None:
        if record.position.to_move == "chance":
            record.roll()
        else:
            record.play(rng.choice(record.position.moves()))
    return record


YARD = ["start"] * 4


def test_outcomes_have_the_weights_of_the_plug_in():
    assert at(mercy(), YARD, YARD).outcomes()["6"] == pytest.approx(3 / 8)
    assert at(mercy(), [3, *YARD[1:]], YARD).outcomes()["6"] == pytest.approx(1 / 6)


def test_moves_that_a_plug_in_forbids_are_not_legal():
    position = at(mercy(), [10, 20, "start", "start"], [12, *YARD[1:]], [2])
    assert [str(move) for move in position.moves()] == ["20+2"]
    assert position.mask().sum() == 1
    with pytest.raises(ludus.IllegalMove) as caught:
        position.play("10+2")
    assert "mercy" in str(caught.value)
    forced = at(mercy(), [10, "start", "start", "start"], [12, *YARD[1:]], [2])
    assert [str(move) for move in forced.moves()] == ["10+2"]


def test_a_plug_in_changes_what_a_move_leads_to():
    after = at(mercy(), ["end:4", *YARD[1:]], YARD, [1]).play("end:4+1")
    assert after.to_dict()["pieces"]["green"] == ["finish", 0, "start", "start"]


def test_a_record_needs_the_plug_in_again(tmp_path):
    record = played(mercy())
    record.verify()
    path = tmp_path / "game.jsonl"
    record.save(path)
    with pytest.raises(ludus.RecordError, match="mercy"):
        ludus.Record.load(path)
    assert ludus.Record.load(path, plugins=[MERCY]).result == record.result
    assert main(["replay", str(path), "--json"]) == 2
    assert main(["replay", str(path), "--json", "--plugin", MERCY]) == 0


def test_a_document_alone_runs_no_code(tmp_path):
    evil = tmp_path / "evil.py"
    evil.write_text("raise SystemExit('it ran')")
    for name in ("evil", str(evil), "../evil.py"):
        with pytest.raises(ludus.LudusError) as caught:
            ludus.make({"extends": "strict", "name": "mine", "plugins": [name]})
        assert "it ran" not in str(caught.value)
    with pytest.raises(ludus.LudusError, match="need the plug-in 'mercy'"):
        ludus.make({"extends": "strict", "name": "mine", "plugins": ["mercy"]})
    game = ludus.make({"extends": "strict", "name": "mine", "plugins": ["mercy"]}, plugins=[MERCY])
    assert game.rules.plugins == ("mercy",)


def test_an_installed_plug_in_is_found_by_name(monkeypatch):
    point = SimpleNamespace(name="nothing", load=lambda: SimpleNamespace(name="nothing", allows=lambda *_: True))
    monkeypatch.setattr(plugins, "entry_points", lambda **_: [point])
    assert ludus.make("strict", plugins=["nothing"]).rules.plugins == ("nothing",)
    with pytest.raises(ludus.UnknownName, match="did you mean 'nothing'"):
        ludus.make("strict", plugins=["nothin"])


@pytest.mark.parametrize(
    ("hook", "what"),
    [
        ("outcomes", lambda *_: 1 / 0),
        ("outcomes", lambda *_: {"7": 1}),
        ("outcomes", lambda *_: {"6": -1}),
        ("allows", lambda *_: {}["x"]),
        ("after_move", lambda *_: {"pieces": 5}),
    ],
)
def test_a_mistake_in_a_plug_in_is_one_line(hook, what):
    game = ludus.make("strict", players=2, plugins=[SimpleNamespace(name="broken", **{hook: what})])
    with pytest.raises(ludus.LudusError) as caught:
        at(game, YARD, YARD).play("6").play("out")
    assert "broken" in str(caught.value)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("plugin", ["no/such/file.py", object(), 5, ""])
def test_what_is_no_plug_in(plugin):
    with pytest.raises(ludus.LudusError):
        ludus.make("strict", plugins=[plugin])


def test_random_games_keep_to_the_plug_in():
    game = mercy()
    games = game.playouts(3, seed=2)
    assert games.finished.all()
    assert (game.playouts(3, seed=2).plies == games.plies).all()
    assert not game.compile().engine.fast
    with pytest.raises(ConformanceError):
        check_twins(_cheating(), plies=50)


def _cheating():
    """A plug-in that forgets what it said: the kit finds it."""
    count = [0]

    def allows(position, move):
        count[0] += 1
        return count[0] % 3 != 0 or str(move) == "pass"

    return ludus.make("strict", players=2, plugins=[SimpleNamespace(name="moody", allows=allows)])


@pytest.mark.parametrize("name", ["greedy", "heuristic", "expectimax:depth=1", "mcts:simulations=20"])
def test_bots_choose_among_what_a_plug_in_leaves(name):
    data = {"pieces": {"green": [3, 9, 20, "start"], "blue": [40, 41, 50, "start"]}, "turn": "green", "dice": [2]}
    free = ludus.make("strict", players=2, plugins=[SimpleNamespace(name="nothing", allows=lambda *_: True)])
    bot = ludus.bot(name, seed=1)
    scores = {str(found.move): found.score for found in bot.explain(free.position(data))}
    best = str(bot.choose(free.position(data)))
    assert len(scores) == 3
    bans = SimpleNamespace(name="bans", allows=lambda position, move: str(move) != best)
    position = ludus.make("strict", players=2, plugins=[bans]).position(data)
    chosen = str(bot.choose(position))
    del scores[best]
    assert scores[chosen] == max(scores.values())
    assert {str(found.move): found.score for found in bot.explain(position)} == scores


def test_games_between_bots_keep_to_the_plug_in_and_ask_the_bots():
    game, names = mercy(), ["first", "greedy"]
    played = game.playouts(2, seed=3, bots=names)
    for number in range(2):
        position = game.start(seed=stream(fold_seed(3), number))
        while position.to_move is not None:
            bot = ludus.bot(names[game.players.index(position.turn)])
            position = position.roll() if position.to_move == "chance" else position.play(bot.choose(position))
        assert played.plies[number] == position.ply
        assert position.result[game.players[played.winner[number]]] == 1
    with pytest.raises(ludus.LudusError, match="bots: 2, one for each"):
        game.playouts(1, bots=["first"])


def test_batches_refuse_what_they_can_t_play():
    with pytest.raises(ludus.LudusError, match="strict has rules in Python"):
        ludus.envs.vector(mercy(), 2)


# ---------------------------------------------------------------- set up, after a roll, state, options, sentences


class Toll:
    """Every roll of some value is counted for the player; the third costs the furthest piece its place."""

    name = "toll"
    STATE = 4

    def __init__(self, value: int = 1) -> None:
        self.value = value

    def configured(self, options: dict[str, Any]) -> Toll:
        return Toll(int(options["value"]))

    def set_up(self, position: Position) -> dict[str, Any]:
        data = position.to_dict()
        data["pieces"]["green"] = [0, *data["pieces"]["green"][1:]]
        return data

    def after_roll(self, before: Position, roll: str, after: Position) -> dict[str, Any] | None:
        if roll != str(self.value):
            return None
        data = after.to_dict()
        seat = after.game.players.index(before.turn)
        state = list(data.get("state", [0] * 4))
        state[seat] += 1
        return data | {"state": state}

    def rules(self, lang: str) -> list[str]:
        return [f"Un {self.value} est compté." if lang == "fr" else f"A {self.value} is counted."]


def toll(**document: Any) -> Game:
    rules = {"name": "toll-road", "extends": "maedn", "plugins": ["toll"], **document}
    return ludus.make(rules, plugins=[Toll()])


def test_a_plug_in_sets_the_game_up() -> None:
    assert toll().start(1).to_dict()["pieces"]["green"] == [0, "start", "start", "start"]


def test_a_plug_in_acts_after_a_roll_and_keeps_numbers() -> None:
    game = toll()
    rolled = game.start(1).play("1")
    assert rolled.to_dict()["state"] == [1, 0, 0, 0]
    played = rolled.play("0+1")
    assert played.to_dict()["state"] == [1, 0, 0, 0]
    assert game.position(played.to_dict()) == played
    assert "state" not in game.start(1).play("2").to_dict()


def test_a_document_gives_a_plug_in_its_options() -> None:
    game = toll(plugin_options={"toll": {"value": 2}})
    assert "state" not in game.start(1).play("1").to_dict()
    assert game.start(1).play("2").to_dict()["state"] == [1, 0, 0, 0]


def test_a_plug_in_speaks_in_the_rule_book_in_both_languages() -> None:
    from ludus.games.ludo.rulebook import rulebook

    assert rulebook(toll(), "en")[-1].sentences == ("A 1 is counted.",)
    assert rulebook(toll(), "fr")[-1].sentences == ("Un 1 est compté.",)


def test_what_a_plug_in_can_not_have_is_said_in_a_line() -> None:
    with pytest.raises(ludus.LudusError, match="no plug-in 'tol'"):
        toll(plugin_options={"tol": {"value": 2}})
    with pytest.raises(ludus.LudusError, match="configured: KeyError"):
        toll(plugin_options={"toll": {}})
    with pytest.raises(ludus.LudusError, match="state: a list of 4 numbers"):
        toll().position({**toll().start(1).to_dict(), "state": [1]})


def test_a_whole_game_of_it_is_plain_data_at_every_ply() -> None:
    game = toll()
    position = game.start(3)
    for _ in range(120):
        position = position.roll() if position.to_move == "chance" else position.play(position.moves()[0])
        assert game.position(position.to_dict()) == position
    assert sum(position.to_dict()["state"]) > 0


class Storm:
    """A move of its own, 'anchor': who plays it stays and has the next roll; an outcome of its own, 'storm'."""

    name = "storm"
    MOVES = ("anchor",)
    OUTCOMES = ("storm",)

    def moves(self, position: Position) -> dict[str, Any]:
        data = position.to_dict()
        if "start" not in data["pieces"][position.turn]:
            return {}
        return {"anchor": {key: value for key, value in data.items() if key != "dice"}}

    def outcomes(self, position: Position, weights: dict[str, int]) -> dict[str, int]:
        return weights | {"storm": 2}

    def after_roll(self, before: Position, roll: str, after: Position) -> dict[str, Any] | None:
        if roll != "storm":
            return None
        data = before.to_dict()
        pieces = dict.fromkeys(data["pieces"], YARD)
        return data | {"pieces": pieces, "turn": "blue" if before.turn == "green" else "green"}


def stormy(**more: Any) -> ludus.Game:
    rules = {"name": "stormy", "extends": "strict", "turn": {"first": "seat"}, "plugins": ["storm"], **more}
    return ludus.make(rules, players=2, plugins=[Storm()])


def test_a_plug_in_adds_a_move():
    game = stormy()
    position = at(game, [10, *YARD[1:]], YARD, [2])
    assert [str(move) for move in position.moves()] == ["10+2", "anchor"]
    assert (game.num_actions, position.action("anchor")) == (ludus.make("strict").num_actions + 1, game.num_actions - 1)
    assert [action for action, legal in enumerate(position.mask()) if legal] == [0, game.num_actions - 1]
    after = position.play("anchor")
    assert (after.turn, after.to_move, after.to_dict()["pieces"]) == ("green", "chance", position.to_dict()["pieces"])
    assert position.moves()[1].describe("fr") == "anchor"
    assert position.move(game.num_actions - 1) == position.moves()[1]
    assert game.action_ranges()[-1] == (str(game.num_actions - 1), "anchor")


def test_an_added_move_that_cannot_be_played_is_refused_by_its_plug_in():
    position = at(stormy(), [10, 20, 30, 40], YARD, [2])
    with pytest.raises(ludus.IllegalMove, match="storm"):
        position.play("anchor")
    with pytest.raises(ludus.IllegalMove, match="storm"):
        position.move(position.game.num_actions - 1)


def test_a_plug_in_adds_an_outcome():
    position = at(stormy(), [10, *YARD[1:]], [12, *YARD[1:]])
    assert position.outcomes()["storm"] == pytest.approx(2 / 8)
    after = position.play("storm")
    assert (after.to_dict()["pieces"]["blue"], after.turn, after.to_move) == (YARD, "blue", "chance")
    assert position.events("storm") == ()


def test_games_with_added_moves_and_outcomes_are_recorded_and_replayed():
    game = stormy(win={"turn_limit": 60})
    record = played(game, seed=4)
    texts = [event.text for event in record.events]
    assert {"anchor", "storm"} <= set(texts)
    again = ludus.Record.start(game, seed=4)
    for text in texts:
        again.play(text)
    assert again.position == record.position


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"MOVES": ("Out!",)}, "MOVES: small words of its own"),
        ({"MOVES": ("pass",)}, "MOVES: small words of its own"),
        ({"OUTCOMES": 7}, "OUTCOMES: small words of its own"),
        ({"moves": lambda self, position: {"leap": {}}}, "moves: plain data by the names of MOVES"),
        ({"moves": lambda self, position: {"anchor": {"pieces": 3}}}, "plug-in storm: moves: "),
        ({"after_roll": lambda self, before, roll, after: None}, "'storm' must lead to a position"),
    ],
)
def test_additions_that_cannot_be_are_one_line(changed, words):
    wrong = type("Wrong", (Storm,), changed)()
    rules = {"name": "w", "extends": "strict", "plugins": ["storm"]}

    def both():
        game = ludus.make(rules, players=2, plugins=[wrong])
        at(game, [10, *YARD[1:]], YARD).play("storm")
        at(game, [10, *YARD[1:]], YARD, [2]).moves()

    with pytest.raises(ludus.LudusError) as refused:
        both()
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)
