"""Analysis: the sum is exact, luck and errors are what they are called, marks come from quantiles."""

from __future__ import annotations

import html.parser
import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from variants import VARIANTS, make

import ludus
from analysis.conftest import USUAL, Nonsense, played
from ludus import Analysis, Record
from ludus.analysis.analysing import AnalysedDecision, AnalysedRoll
from ludus.analysis.reasons import reasons
from ludus.analysis.reference import ERRORS, LUCKY, Usual, parting, quantile, usual_of
from ludus.analysis.saying import turning_told
from ludus.analysis.sight import OnePlyDeeper, values_for

QUICK = ["star", "generals", "deck"]


def check_sum(analysis: Analysis) -> None:
    for player in analysis.players:
        parts = analysis.start, analysis.luck, analysis.skill, analysis.residual
        assert sum(part[player] for part in parts) == pytest.approx(analysis.result[player], abs=1e-9)
    assert sum(analysis.result.values()) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.usefixtures("usual")
@pytest.mark.parametrize("variant", QUICK)
def test_it_adds_up(variant: str) -> None:
    record = played(make(variant), 3, 150)
    check_sum(ludus.analyse(record, by=Nonsense()))


@pytest.mark.slow
@pytest.mark.usefixtures("usual")
@pytest.mark.parametrize("variant", [variant for variant in VARIANTS if variant not in QUICK])
def test_it_adds_up_in_every_variant(variant: str) -> None:
    check_sum(ludus.analyse(played(make(variant), 4, 150), by=Nonsense()))


@pytest.mark.usefixtures("usual")
@pytest.mark.parametrize("variant", ["star", "french-2", "generals"])
def test_luck_and_error_are_what_positions_say(variant: str) -> None:
    """Against the plain statement over positions: every outcome by its chance, every move by its value."""
    record, value = played(make(variant), 5, 60), Nonsense()
    game = record.game

    def worth(position: ludus.Position) -> np.ndarray:
        return value.values(game, [list(position.row)])[0]

    for event in ludus.analyse(record, by=value).events:
        before, seat = record.at(event.n - 1), game.players.index(record.at(event.n - 1).turn)
        after = worth(record.at(event.n))
        assert list(event.after.values()) == pytest.approx(after)
        if isinstance(event, AnalysedRoll):
            average = sum(chance * worth(before.play(outcome)) for outcome, chance in before.outcomes().items())
            assert list(event.before.values()) == pytest.approx(average)
            assert event.luck == pytest.approx(after[seat] - average[seat])
            assert event.mark == ("lucky" if event.luck >= 0.1 else "unlucky" if event.luck <= -0.1 else "")
        else:
            best = max((worth(before.play(move)) for move in before.moves()), key=lambda shares: shares[seat])
            assert event.error == pytest.approx(best[seat] - after[seat])
            assert event.harm[event.by] == pytest.approx(event.error)
            assert sum(event.harm.values()) == pytest.approx(0.0)
            assert len(event.moves) == len(before.moves())
            assert event.forced == (len(before.moves()) == 1)


@pytest.mark.usefixtures("usual")
def test_two_plies_look_at_every_next_roll() -> None:
    record, value = played(ludus.make("star", players=2), 6, 40), Nonsense()
    deeper = ludus.analyse(record, by=value, plies=2)
    check_sum(deeper)
    decision = next(d for d in deeper.decisions if record.at(d.n).to_move == "chance")
    after = record.at(decision.n)
    rolled = [(chance, after.play(outcome)) for outcome, chance in after.outcomes().items()]
    expected = sum(chance * value.values(record.game, [list(p.row)])[0] for chance, p in rolled)
    assert list(decision.after.values()) == pytest.approx(expected)


def test_two_plies_play_the_best_move_first() -> None:
    game, value = ludus.make("star", players=2), Nonsense()
    pieces = {"green": [12, 30, 4, 20], "blue": [35, 40, 45, "start"]}
    position = game.position({"pieces": pieces, "turn": "green", "dice": [3]})
    best = max((position.play(m) for m in position.moves()), key=lambda p: value.values(game, [list(p.row)])[0][0])
    deeper = OnePlyDeeper(game, value)
    assert deeper.values(game, [list(position.row)])[0] == pytest.approx(deeper.values(game, [list(best.row)])[0])


@pytest.mark.usefixtures("usual")
def test_marks_words_and_moments() -> None:
    analysis = ludus.analyse(played(ludus.make("star"), 8, 300), by=Nonsense())
    for decision in analysis.decisions:
        sizes = [mark for mark, least in USUAL.marks.items() if decision.error >= least and not decision.forced]
        assert decision.mark == (sizes[-1] if sizes else "")
    moments = analysis.key_moments(6)
    assert len(moments) == 6
    assert [event.n for event in moments] == sorted(event.n for event in moments)
    assert analysis.best_roll is max(analysis.rolls, key=lambda roll: roll.luck)
    assert analysis.worst_roll is min(analysis.rolls, key=lambda roll: roll.luck)
    own = [d for d in analysis.decisions if d.by == "green" and not d.forced]
    summary = analysis.summaries["green"]
    assert summary.error == pytest.approx(sum(d.error for d in own) / len(own))
    assert summary.relative == pytest.approx(summary.error / USUAL.random_error)
    assert summary.low < summary.adjusted < summary.high
    assert summary.adjusted == pytest.approx(analysis.result["green"] - analysis.luck["green"])
    assert 0 <= summary.accuracy <= 1


@pytest.mark.usefixtures("usual")
@pytest.mark.parametrize("seed", range(4))
def test_after_the_turning_point_the_leader_is_never_behind(seed: int) -> None:
    analysis = ludus.analyse(played(ludus.make("maedn"), seed, 200), by=Nonsense())
    leader, turning = analysis.leader, analysis.turning_point
    ahead = [shares[leader] >= max(s for p, s in shares.items() if p != leader) for shares in analysis.curve]
    assert turning is not None
    assert not ahead[turning.n - 1]
    assert all(ahead[turning.n :])
    # at the table it is told without numbers that only a report explains
    told = turning_told(analysis, "en")
    assert told.startswith(f"{leader.title()} got ahead for good: {turning.by.title()} ")
    assert not {"event", "luck", "best"} & set(re.findall(r"\w+", told))


@cache
def by_net() -> Analysis:
    """A whole game by the shipped net."""
    return ludus.analyse(played(ludus.make("star", players=2), 2))


def test_a_finished_game_ends_with_its_result() -> None:
    analysis = by_net()
    check_sum(analysis)
    winner = next(player for player, prize in analysis.record.result.items() if prize > 0)
    assert analysis.result == {player: float(player == winner) for player in analysis.players}
    assert analysis.by == "td"
    assert 0.3 < analysis.start["green"] < 0.7


def test_an_unfinished_game_ends_with_its_value() -> None:
    record = played(ludus.make("star", players=2), 2, 41)
    analysis = ludus.analyse(record)
    check_sum(analysis)
    assert not analysis.finished
    assert 0 < analysis.result["green"] < 1
    assert analysis.result == pytest.approx(ludus.value(record.position), abs=1e-6)


def test_sizes_come_from_the_rule_set() -> None:
    game = ludus.make("star", players=2)
    usual = usual_of(game, values_for(game))
    assert 0 < usual.marks["?!"] < usual.marks["?"] < usual.marks["??"] < 1
    assert usual.unlucky < 0 < usual.lucky
    assert usual.marks["?!"] < usual.random_error * 3
    assert usual is usual_of(game, values_for(game)), "measured once"
    assert list(ERRORS.values()) == [0.5, 0.75, 0.9]
    assert LUCKY == 0.9


def test_quantiles_are_weighted() -> None:
    values, weights = np.array([3.0, 1.0, 2.0]), np.array([1.0, 8.0, 1.0])
    assert [quantile(values, weights, part) for part in (0.1, 0.79, 0.85, 0.95)] == [1.0, 1.0, 2.0, 3.0]


def test_a_size_lies_between_errors_and_not_on_one_of_them() -> None:
    values, weights = np.array([0.0, 1.9, 2.0, 2.1, 2.9, 4.0]), np.array([50.0, 38.5, 0.5, 1.0, 2.5, 7.5])
    assert parting(values, weights, 0.9) == pytest.approx(2.5), "the widest gap between the 88th and the 92nd"
    assert parting(np.ones(5), np.ones(5), 0.9) == 1.0
    assert parting(np.zeros(0), np.zeros(0), 0.9) == 0.0


def test_where_no_net_is_playouts_value_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludus.analysis.sight.has_net", lambda game: False)
    analysis = ludus.analyse(played(ludus.make("star", players=2), 2, 30))
    check_sum(analysis)
    assert analysis.by == "playouts:heuristic,games=3,horizon=8"
    assert "no net has been trained for these rules" in " ".join(analysis.text().split())


@pytest.mark.slow
@pytest.mark.usefixtures("usual")
def test_cards_in_hands_are_luck_and_have_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludus.analysis.playing_on.edge_of", lambda *_: 1.0)
    dealt = ludus.analyse(played(ludus.make("dog"), 2, 36))
    assert any(abs(roll.luck) > 0.001 for roll in dealt.rolls), "no net looks into hands: playouts value them"
    assert "no net knows what is held in hands" in " ".join(dealt.text().split())
    assert dealt.best_roll is not None
    card = dealt.best_roll.text.removeprefix("card:")
    assert f" draws the {card}: luck +" in " ".join(dealt.text().split())
    assert "card:" not in dealt.text("fr")


@pytest.mark.usefixtures("usual")
@pytest.mark.parametrize(
    ("rules", "by", "words"),
    [
        ({}, None, "the net of this rule set, 1 ply ahead"),
        pytest.param({"board.pieces": 3}, None, "the net for all rule sets of this kind", marks=pytest.mark.slow),
        ({}, "td:weights=any", "Values by td:weights=any, 1 ply ahead."),
        ({}, "playouts", "Values by playouts (playouts:heuristic,games=3,horizon=8), 1 ply ahead."),
    ],
)
def test_the_report_says_whose_values_it_has(rules: dict[str, object], by: str | None, words: str) -> None:
    analysis = ludus.analyse(played(ludus.make("star", players=2, **rules), 2, 12), by=by)
    assert words in " ".join(analysis.text().split())
    assert words in analysis.html()


def test_a_terminal_shows_the_luckiest_and_the_unluckiest_roll() -> None:
    analysis = by_net()
    for lang, heads in (("en", ("Luckiest roll: ", "Unluckiest roll: ")), ("fr", ("Le lancer le plus chanceux : ",))):
        text = " ".join(analysis.text(lang).split())
        assert all(head in text for head in heads)
    assert analysis.best_roll is not None
    assert f"(event {analysis.best_roll.n})" in " ".join(analysis.text().split())


class Tags(html.parser.HTMLParser):
    """Every tag with its attributes; open ones must be closed in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize(("lang", "words"), [("en", "the game explained"), ("fr", "la partie expliquée")])
def test_the_page_is_one_file_in_both_languages(tmp_path: Path, lang: str, words: str) -> None:
    path = tmp_path / "report.html"
    page = by_net().html(path, lang)
    assert path.read_text(encoding="utf-8") == page
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    assert not [a for a in tags.attributes if a[1] in ("src", "href", "srcset", "data")]
    assert "url(" not in page
    assert "@import" not in page
    assert "<script" not in page
    assert words in page
    assert page.count("<figure") == len(by_net().key_moments())
    assert "#1a9850" in page, "the best move is green"
    assert page.count('<div class="slim">') == page.count('<div class="broad">') == 2, "phones have plots of their own"
    for moment in by_net().key_moments():
        if isinstance(moment, AnalysedDecision):
            why = reasons(by_net().record.at(moment.n - 1), [moment.text, moment.best], lang)
            assert all(html.escape("; ".join(told)) in page for told in why.values())
    title = by_net().game.title(lang)
    assert page.count(f">{title}</text>") == len(by_net().key_moments()), "boards are named in the same language"


def test_data_is_plain_and_whole() -> None:
    analysis = by_net()
    data = json.loads(json.dumps(analysis.to_dict(), allow_nan=False))
    assert data["result"] == analysis.result
    assert len(data["curve"]) == len(analysis.record) + 1
    assert len(data["decisions"]) + len(data["rolls"]) == len(analysis.record)
    assert data["summaries"]["green"]["rating"] == analysis.summaries["green"].rating


@pytest.mark.parametrize(
    ("make_record", "options", "words"),
    [
        (lambda: Record.start(ludus.make("star")), {}, "the record has no event yet"),
        (lambda: 7, {}, "a record or its file, not 7"),
        (lambda: "nowhere.jsonl", {}, "can't be read"),
        (lambda: played(ludus.make("star"), 1, 4), {"plies": 3}, "plies: 1 or 2, not 3"),
        (lambda: played(ludus.make("star"), 1, 4), {"by": "tarot"}, "not 'tarot'"),
        (lambda: played(ludus.make("star"), 1, 4), {"by": "td:weights=nowhere"}, "can't be read"),
    ],
)
def test_bad_input_is_told(make_record: object, options: dict[str, object], words: str) -> None:
    with pytest.raises(ludus.LudusError, match=words) as caught:
        ludus.analyse(make_record(), **options)  # type: ignore[operator, arg-type]
    assert "\n" not in str(caught.value)


def test_a_page_that_cant_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(ludus.LudusError, match="can't be written"):
        by_net().html(tmp_path / "no" / "report.html")


def test_places_where_play_goes_on() -> None:
    game = ludus.make("star", players=3, play_on=True)
    analysis = Analysis.__new__(Analysis)
    analysis.game = game
    assert analysis.plays_on
    places = [analysis.expected_place(share) for share in (2 / 3, 1 / 3, 0.0)]
    assert places == pytest.approx([1, 2, 3])


def test_sizes_tell_marks_apart() -> None:
    usual = Usual({"?!": 0.01, "?": 0.02, "??": 0.03}, 0.1, -0.1, 0.01, 1, 1)
    assert [usual.mark_of(error) for error in (0.0, 0.01, 0.025, 0.03)] == ["", "?!", "?", "??"]
    assert [usual.luck_of(luck) for luck in (-0.2, 0.0, 0.1)] == ["unlucky", "", "lucky"]
