"""Records: what is written can be read, replayed and continued; what is damaged is named with its line."""

from __future__ import annotations

import json
import os
import random
import stat
import time
from pathlib import Path
from typing import Any

import pytest

import ludus
from ludus import LudusError, Record, RecordError
from ludus.core import record as module
from ludus.core.record import Seat, chained, drawn_outcome

GAMES = ludus.games()


def random_record(name: str = "pettingzoo", plies: int = 100_000, seed: int = 5, **options: Any) -> Record:
    """A record of random play, whole or of so many plies."""
    record = Record.start(ludus.make(name, **options), seed=seed)
    rng = random.Random(seed)
    while record.position.to_move is not None and len(record) < plies:
        if record.position.to_move == "chance":
            record.roll()
        else:
            record.play(rng.choice(record.position.moves()))
    return record


def relinked(lines: list[dict[str, Any]]) -> str:
    """Lines with a chain of digests that fits: what a careful forger writes."""
    link, written = "", []
    for data in lines:
        plain = {key: value for key, value in data.items() if key != "h"}
        link = chained(link, plain)
        written.append(json.dumps({**plain, "h": link}) + "\n")
    return "".join(written)


def parsed(record: Record) -> list[dict[str, Any]]:
    return [json.loads(line) for line in record.dumps().splitlines()]


@pytest.fixture(scope="module")
def finished() -> Record:
    return random_record(players=2)


@pytest.mark.parametrize("name", GAMES)
def test_a_record_reads_back_as_it_was(name: str) -> None:
    record = random_record(name)
    again = Record.loads(record.dumps())
    assert again.dumps() == record.dumps()
    assert again.events == record.events
    assert list(again.positions()) == list(record.positions())
    assert again.result == record.result is not None
    assert record.verify() is record


@pytest.mark.parametrize("name", GAMES)
def test_its_rolls_are_those_of_the_position(name: str) -> None:
    record = Record.start(ludus.make(name), seed=11)
    for _ in range(200):
        position = record.position
        if position.to_move is None:
            break
        if position.to_move == "chance":
            assert position.play(drawn_outcome(position)) == position.roll()
            assert record.roll() == position.roll()
        else:
            record.play(position.moves()[0])


def test_a_replay_needs_no_generator(monkeypatch: pytest.MonkeyPatch) -> None:
    text = random_record("french").dumps()
    monkeypatch.setattr("ludus.core.game.stream", None)
    monkeypatch.setattr(ludus.Position, "roll", None)
    assert Record.loads(text).result is not None


def test_an_unfinished_game_goes_on_exactly() -> None:
    whole = random_record("french", seed=3)
    part = Record.loads(random_record("french", plies=40, seed=3).dumps())
    assert part.result is None
    for event in whole.events[40:]:
        if event.is_chance:
            part.roll()
        else:
            part.play(event.text)
    assert part.dumps() == whole.dumps()


def test_header_and_lines_say_what_the_format_says(finished: Record) -> None:
    header, first, *_, last = parsed(finished)
    assert header["format"] == "ludus-record"
    assert header["version"] == 1
    assert header["engine"] == ludus.__version__
    assert header["document"] == finished.game.document()
    assert header["digest"] == finished.game.digest
    assert header["rules_version"] == 1
    assert header["seats"] == {c: {"name": c, "kind": "unknown"} for c in ("green", "blue")}
    assert header["seed"] == 5
    assert "start" not in header
    assert first.keys() == {"n", "by", "chance", "h"}
    assert (first["n"], first["by"]) == (1, "chance")
    assert last["result"] == finished.result


def test_seats_have_names_and_kinds() -> None:
    game = ludus.make("star", players=2)
    record = Record.start(game, seats={"green": Seat("Ann", "person"), "blue": "random"})
    assert Record.loads(record.dumps()).seats == {
        "green": Seat("Ann", "person"),
        "blue": Seat("blue", "random"),
    }
    with pytest.raises(LudusError, match="no player 'red'"):
        Record.start(game, seats={"red": "person"})
    with pytest.raises(LudusError, match="seats: green"):
        Record.start(game, seats={"green": "two\nlines"})


def test_a_set_up_position_is_in_the_header() -> None:
    game = ludus.make("pettingzoo", players=2)
    pieces = {"green": ["start", 12, 12, "start"], "blue": [30, "start", "start", "start"]}
    position = game.position({"pieces": pieces, "turn": "blue", "dice": [4]})
    record = Record.start(game, position=position, seed=9)
    record.play("30+4")
    again = Record.loads(record.dumps())
    assert again.at(0) == position
    assert again.position == position.play("30+4")
    assert again.header()["start"] == position.to_dict()
    with pytest.raises(LudusError, match="the position is one of"):
        Record.start(ludus.make("star"), position=position)


def test_events_by_number(finished: Record) -> None:
    assert finished.event(1) == finished.events[0]
    assert finished.event(len(finished)) == finished.events[-1]
    for number in (0, len(finished) + 1, True, "1"):
        with pytest.raises(LudusError, match=f"the record has events 1 to {len(finished)}"):
            finished.event(number)  # type: ignore[arg-type]


def test_what_was_played_elsewhere_can_be_followed(finished: Record) -> None:
    again = Record.start(finished.game, finished.seats, finished.seed, finished.at(0))
    for event in finished.events:
        again.follow(event.text, finished.at(event.n))
    assert again.dumps() == finished.dumps()


def test_play_takes_moves_notations_and_outcomes_and_writes_them_canonically() -> None:
    record = Record.start(ludus.make("french", players=2))
    record.play(" 3, 6")
    record.play(record.position.moves()[0])
    assert [event.text for event in record.events] == ["6,3", "out+3"]
    before = record.dumps()
    with pytest.raises(ludus.IllegalMove):
        record.play("9,9")
    assert record.dumps() == before


def test_undo_takes_the_last_event_back() -> None:
    record = random_record("star", plies=20)
    positions = list(record.positions())
    assert record.undo().n == 20
    assert record.position == positions[19]
    empty = Record.start(ludus.make("star"))
    with pytest.raises(LudusError, match="no event"):
        empty.undo()


@pytest.mark.parametrize("n", [-1, 21, True, "3", None])
def test_a_place_outside_is_refused(n: Any) -> None:
    with pytest.raises(LudusError, match="events 1 to 20"):
        random_record("star", plies=20).at(n)


def test_saving_is_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, finished: Record) -> None:
    path = tmp_path / "game.jsonl"
    random_record(plies=10).save(path)
    old = path.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(RecordError, match=r"game\.jsonl: can't be written: No space left"):
        finished.save(path)
    assert path.read_bytes() == old
    assert os.listdir(tmp_path) == ["game.jsonl"]
    monkeypatch.undo()
    finished.save(path)
    assert path.read_text() == finished.dumps()
    assert os.listdir(tmp_path) == ["game.jsonl"]


def test_a_saved_file_has_the_usual_mode_and_keeps_one_it_had(tmp_path: Path, finished: Record) -> None:
    path, plain = tmp_path / "game.jsonl", tmp_path / "plain"
    plain.write_text("")
    finished.save(path)
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    path.chmod(0o640)
    finished.save(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_saving_follows_links_and_leaves_devices_alone(tmp_path: Path, finished: Record) -> None:
    real, link = tmp_path / "real.jsonl", tmp_path / "link.jsonl"
    link.symlink_to(real)
    finished.save(link)
    assert link.is_symlink()
    assert real.read_text() == finished.dumps()
    for place in ("/dev/null", str(tmp_path), str(tmp_path / "no" / "folder.jsonl")):
        with pytest.raises(RecordError, match="can't be written"):
            finished.save(place)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"nothing\.jsonl: can't be read: No such file"):
        Record.load(tmp_path / "nothing.jsonl")


# ---------------------------------------------------------------- damage


def damaged(text: str, line: int, old: str, new: str) -> str:
    lines = text.splitlines(keepends=True)
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new, 1)
    return "".join(lines)


def test_every_flipped_character_is_found_with_its_line() -> None:
    text = random_record("star", plies=12).dumps()
    rng = random.Random(1)
    for _ in range(400):
        at = rng.randrange(len(text))
        other = rng.choice([c for c in '0123456789abc"{}:,x' if c != text[at]])
        broken = text[:at] + other + text[at + 1 :]
        line = text.count("\n", 0, at) + 1
        with pytest.raises(RecordError) as caught:
            Record.loads(broken, where="game.jsonl")
        if text[at] != "\n":
            assert str(caught.value).startswith(f"game.jsonl, line {line}: "), caught.value


@pytest.mark.parametrize("line", [2, 7, 13])
def test_a_lost_line_is_found(line: int) -> None:
    lines = random_record("star", plies=13).dumps().splitlines(keepends=True)
    del lines[line - 1]
    with pytest.raises(RecordError, match=f"record, line {line}: edited, damaged or out of place"):
        Record.loads("".join(lines))


def test_swapped_and_doubled_lines_are_found() -> None:
    lines = random_record("star", plies=13).dumps().splitlines(keepends=True)
    swapped = [*lines[:5], lines[6], lines[5], *lines[7:]]
    doubled = [*lines[:6], *lines[5:]]
    with pytest.raises(RecordError, match="line 6:"):
        Record.loads("".join(swapped))
    with pytest.raises(RecordError, match="line 7:"):
        Record.loads("".join(doubled))


def test_a_line_that_was_cut_off_is_named_and_can_be_left_out() -> None:
    text = random_record("star", plies=13).dumps()
    lines = text.splitlines(keepends=True)
    for cut in (1, 20, len(lines[-1]) - 2):
        broken = "".join(lines[:-1]) + lines[-1][:cut]
        with pytest.raises(RecordError, match="line 14: cut off; `recover` keeps the 13 lines"):
            Record.loads(broken)
        assert len(Record.loads(broken, recover=True)) == 12
    assert len(Record.loads(text.rstrip("\n"))) == 13
    with pytest.raises(RecordError, match="line 14: cut off"):
        Record.loads("".join(lines[:-1]) + "\0" * 50)


def test_recovery_mends_nothing_but_the_end() -> None:
    text = random_record("star", plies=13).dumps()
    with pytest.raises(RecordError, match="line 3:"):
        Record.loads(damaged(text, 3, '"n":2', '"n":3')[:-9], recover=True)
    with pytest.raises(RecordError, match="line 1:"):
        Record.loads(text[:100], recover=True)


def set_at(line: int, **values: Any) -> Any:
    """A forgery: a line with other values (None: without the key)."""

    def forge(lines: list[dict[str, Any]]) -> None:
        for key, value in values.items():
            lines[line - 1].pop(key, None)
            if value is not None:
                lines[line - 1][key] = value

    return forge


def other_rules(lines: list[dict[str, Any]]) -> None:
    lines[0]["document"]["rules"]["finish"]["rule"] = "exact"


def broken_rules(lines: list[dict[str, Any]]) -> None:
    lines[0]["document"]["rules"]["finish"]["rule"] = "teleport"


FORGERIES = {
    "another format": (set_at(1, format="pgn"), 1, "not a game record"),
    "a later version": (set_at(1, version=2), 1, "format version 2; this ludus reads version 1"),
    "no engine": (set_at(1, engine=None), 1, "engine is the version"),
    "seed of words": (set_at(1, seed="seven"), 1, "seed is a whole number"),
    "negative seed": (set_at(1, seed=-1), 1, "seed is a whole number"),
    "no document": (set_at(1, document=None), 1, "document is the whole rule set"),
    "a strange family": (set_at(1, document={"family": "chess"}), 1, "unknown game family 'chess'"),
    "rules that are no mapping": (set_at(1, document={"family": "ludo", "rules": 5}), 1, "document: "),
    "rules that are wrong": (broken_rules, 1, "document: rules: finish.rule"),
    "rules under an old digest": (other_rules, 1, "digest"),
    "another digest": (set_at(1, digest="0" * 64), 1, "digest"),
    "another name": (set_at(1, game="star"), 1, "'star' version 1 is not what"),
    "another rules version": (set_at(1, rules_version=7), 1, "version 7 is not what"),
    "a seat too few": (set_at(1, seats={"green": {"name": "a", "kind": "b"}}), 1, "seats: green, blue play"),
    "seats of numbers": (set_at(1, seats={"green": 1, "blue": 2}), 1, "seats: a name and a kind"),
    "an unknown key": (set_at(1, clock=5), 1, "unknown key 'clock'"),
    "an impossible start": (set_at(1, start={"pieces": {}}), 1, "start: "),
    "a start of letters": (set_at(1, start="abc"), 1, "start: "),
    "a wrong number": (set_at(4, n=9), 4, "event 9 where event 3 should be"),
    "a number of words": (set_at(4, n="three"), 4, "n is the number"),
    "another player": (set_at(3, by="red"), 3, "'red' can't act here: green is to act"),
    "no event": (set_at(4, chance=None), 4, "chance is a chance outcome"),
    "a strange roll": (set_at(4, chance="7"), 4, "chance '7': 7 is not an outcome here"),
    "an illegal move": (set_at(3, move="12+5"), 3, "green '12+5': green has no piece on 12"),
    "something more": (set_at(3, note="oops"), 3, "unknown key 'note'"),
    "another result": (set_at(0, result={"green": 0.5, "blue": 0.5}), 0, "but the game ended with"),
}


@pytest.mark.parametrize("case", FORGERIES)
def test_a_forgery_with_a_fitting_chain_is_refused(case: str, finished: Record) -> None:
    forge, line, words = FORGERIES[case]
    lines = parsed(finished)
    forge(lines)
    with pytest.raises(RecordError) as caught:
        Record.loads(relinked(lines), where="game.jsonl")
    assert str(caught.value).startswith(f"game.jsonl, line {line or len(lines)}: ")
    assert words in str(caught.value)


def test_a_result_too_early_and_lines_after_it_are_refused(finished: Record) -> None:
    lines = parsed(finished)
    early = [*lines[:10], lines[-1]]
    late = [*lines, lines[1]]
    after = [*lines[:-1], {"n": len(finished) + 1, "by": "chance", "chance": "6"}]
    with pytest.raises(RecordError, match="line 11: a result, but the game is not over"):
        Record.loads(relinked(early))
    with pytest.raises(RecordError, match=f"line {len(lines) + 1}: something after the result"):
        Record.loads(relinked(late))
    with pytest.raises(RecordError, match=f"line {len(lines)}: 'chance' can't act here: the game is over"):
        Record.loads(relinked(after))


def test_a_document_of_fewer_options_still_reads() -> None:
    """An option that a later version adds is not in older records; they keep their own digest."""
    lines = parsed(random_record("star", plies=10))
    del lines[0]["document"]["rules"]["modes"]
    lines[0]["digest"] = module.document_digest(lines[0]["document"])
    assert len(Record.loads(relinked(lines))) == 10


BAD_LINES = {
    "empty": ("", "empty, where a record's header should be"),
    "words": ("hello\n", "not JSON: expecting value at column 1"),
    "a number": ("5\n", "not a JSON object"),
    "nesting": ("[" * 100_000 + "\n", "nested deeper than 16"),
    "nesting in one key": ('{"a":' * 17 + "1" + "}" * 17 + "\n", "nested deeper than 16"),
    "brackets in a string": ('{"a": "' + "[" * 50 + '"}\n', "not a game record"),
    "a long line": ('{"a": "' + "x" * 300_000 + '"}\n', "longer than 256 kB"),
    "twins": ('{"a": 1, "a": 2}\n', "a key is there twice"),
    "NaN": ('{"a": NaN}\n', "NaN is no number of JSON"),
    "a huge number": ('{"a": ' + "9" * 10_000 + "}\n", "not JSON"),
    "a surrogate": ('{"a": "\\ud800"}\n', "not UTF-8"),
    "no UTF-8": ('{"a": "\udcff"}\n', "not UTF-8"),
    "another file": ('{"name": "x", "h": "y"}\n', "not a game record"),
}


@pytest.mark.parametrize("case", BAD_LINES)
def test_what_is_no_record_is_refused_at_line_1(case: str) -> None:
    text, words = BAD_LINES[case]
    with pytest.raises(RecordError) as caught:
        Record.loads(text, where="game.jsonl")
    assert str(caught.value).startswith("game.jsonl, line 1: ")
    assert words in str(caught.value)


def test_a_huge_file_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, finished: Record) -> None:
    path = tmp_path / "game.jsonl"
    finished.save(path)
    monkeypatch.setattr("ludus.core.record_reader.MAX_BYTES", 5000)
    monkeypatch.setattr(module, "MAX_BYTES", 5000)
    with pytest.raises(RecordError, match="larger than"):
        Record.load(path)
    monkeypatch.setattr(module, "MAX_LINE", 500)
    with pytest.raises(RecordError, match="a line would be longer"):
        finished.dumps()


def test_texts_made_to_explode_are_read_in_no_time() -> None:
    """Line by line as long as a line may be: what takes the square of its length takes minutes, not a second."""
    long = 2 * 130_500
    for text in (
        '"' + '\\"' * (long // 2),
        '"' * long,
        "\\" * long,
        '"\\' * (long // 2),
        "[" * long,
        '{"a":' * (long // 5),
    ):
        before = time.process_time()
        with pytest.raises(RecordError, match="line 1"):
            Record.loads(text)
        assert time.process_time() - before < 5.0, text[:4]
