"""Rule book `star`, T1-T16: expectations written from the rule book.

Places are written as the rule book counts them, in the squares of the colour that moves: 0 start, 1 entry,
2-51 path, 52-56 end path, 57 finish. Enemies on the path are written in the mover's squares too.
"""

from __future__ import annotations

import random
from functools import cache

import pytest

import ludus

COLOURS = ("green", "yellow", "blue", "red")
STARS = (5, 12, 18, 25, 31, 38, 44, 51)
GLOBES = (9, 22, 35, 48)
ENTRIES = (14, 27, 40)  # of the next, the second and the third seat, in the mover's squares
PLAIN = tuple(s for s in range(2, 51) if s not in (*STARS, *GLOBES, *ENTRIES))
HOME = [57] * 4


@cache
def _game(options):
    return ludus.make("star", **dict(options))


def make(**options):
    return _game(tuple(sorted(options.items())))


STAR = make()


def place(square, colour):
    """A square of `colour` as a position writes it."""
    if square == 0:
        return "start"
    if square < 52:
        return (square - 1 + 13 * COLOURS.index(colour)) % 52
    return "finish" if square == 57 else f"end:{square - 52}"


def square(where, colour):
    """The opposite way: a written place as a square of `colour`."""
    if isinstance(where, int):
        return (where - 13 * COLOURS.index(colour)) % 52 + 1
    return {"start": 0, "finish": 57}[where] if where in ("start", "finish") else 52 + int(where[4:])


class Board:
    """A position seen from `mover`: its own squares, and the enemies one, two and three seats further on."""

    def __init__(self, own, one=(), two=(), three=(), *, dice=None, mover="green", game=STAR, rolls=None):
        seat = COLOURS.index(mover)
        self.mover = mover
        self.enemies = [COLOURS[(seat + ahead) % 4] for ahead in (1, 2, 3)]
        named = {mover: [place(s, mover) for s in own]}
        for colour, squares in zip(self.enemies, (one, two, three), strict=True):
            named[colour] = [s if isinstance(s, str) else place(s, mover) for s in squares]
        data = {"pieces": {c: [*named[c], *["start"] * 4][:4] for c in game.players}, "turn": mover}
        data |= {"dice": [dice]} if dice else {}
        data |= {"rolls": rolls} if rolls is not None else {}
        self.pos = game.position(data)

    def moves(self):
        """The legal moves as (square, die) or words."""
        return sorted(self.short(str(m)) for m in self.pos.moves())

    def short(self, text):
        if text in ("out", "pass"):
            return text
        where, _, die = text.rpartition("+")
        return f"{square(int(where) if where.isdigit() else where, self.mover)}+{die}"

    def play(self, origin):
        """Move the piece from a square with the die."""
        die = self.pos.to_dict()["dice"][0]
        text = "out" if origin == 0 else f"{place(origin, self.mover)}+{die}"
        self.pos = self.pos.play(text)
        return self

    def own(self):
        """The mover's squares."""
        return [square(p, self.mover) for p in self.pos.to_dict()["pieces"][self.mover]]

    def enemy(self, ahead):
        """An enemy's pieces out of the yard, in the mover's squares."""
        places = self.pos.to_dict()["pieces"][self.enemies[ahead - 1]]
        return [square(p, self.mover) if isinstance(p, int) else p for p in places if p != "start"]


def land(origin, die, one=(), two=(), three=(), *, mover="green", game=STAR):
    """Move one piece from `origin` with `die`; where it is then, and the enemies that are still out."""
    board = Board([origin], one, two, three, dice=die, mover=mover, game=game).play(origin)
    return board.own()[0], board.enemy(1), board.enemy(2), board.enemy(3)


def refusal(pos, move):
    before = pos.to_dict()
    with pytest.raises(ludus.IllegalMove) as error:
        pos.play(move)
    assert pos.to_dict() == before
    return error.value


def line(pos, *plays):
    for play in plays:
        pos = pos.play(play)
    return pos


every_colour = pytest.mark.parametrize("mover", COLOURS)


# ---------------------------------------------------------------- board, coming out


@pytest.mark.rule("T1")
@pytest.mark.parametrize(
    ("players", "colours"),
    [(None, COLOURS), (4, COLOURS), (3, ("green", "yellow", "blue")), (2, ("green", "blue"))],
)
def test_two_to_four_players(players, colours):
    pos = ludus.make("star", players=players).start()
    assert pos.game.players == colours
    assert pos.to_dict() == {"pieces": {c: ["start"] * 4 for c in colours}, "turn": "green"}
    assert pos.outcomes() == {str(face): pytest.approx(1 / 6) for face in range(1, 7)}
    order = []
    for _ in range(len(colours) + 1):
        order.append(pos.turn)
        pos = line(pos, "1", "pass", "2", "pass", "3", "pass")
    assert order == [*colours, "green"]


@pytest.mark.rule("T1")
@pytest.mark.parametrize("players", [0, 1, 5])
def test_other_numbers_of_players_are_an_error(players):
    with pytest.raises(ludus.LudusError):
        ludus.make("star", players=players)


@pytest.mark.rule("T1")
@every_colour
def test_fifty_two_tiles_five_on_the_end_path_and_the_finish(mover):
    for ok in range(58):
        assert Board([ok], mover=mover).own()[0] == ok
    gap = (place(1, mover) - 1) % 52  # the tile before the own entry: the colour turns in before it
    for wrong in (gap, 52, -1, "end:5", "home"):
        pieces = {c: [wrong if c == mover else "start", "start", "start", "start"] for c in COLOURS}
        with pytest.raises(ludus.InvalidPosition):
            STAR.position({"pieces": pieces, "turn": mover})


@pytest.mark.rule("T1")
@every_colour
def test_the_way_home(mover):
    for origin, die, target in ((50, 2, 52), (50, 6, 56), (51, 1, 52), (51, 6, 57), (47, 5, 52), (52, 4, 56)):
        assert land(origin, die, mover=mover)[0] == target


@pytest.mark.rule("T2")
@every_colour
def test_only_a_six_takes_a_piece_out(mover):
    for die in range(1, 6):
        board = Board([0], dice=die, mover=mover)
        assert board.moves() == ["pass"]
        error = refusal(board.pos, "out")
        assert (error.code, error.rule) == ("needs_face", "T2")
        assert Board([20], dice=die, mover=mover).moves() == [f"20+{die}"]
    board = Board([20], dice=6, mover=mover)
    assert board.moves() == ["20+6", "out"]
    assert board.play(0).own() == [20, 1, 0, 0]
    assert board.pos.to_dict()["pieces"][mover][1] == 13 * COLOURS.index(mover)


# ---------------------------------------------------------------- stars


@pytest.mark.rule("T3")
@every_colour
@pytest.mark.parametrize("index", range(8))
def test_landing_on_a_star_jumps_to_the_next(mover, index):
    star = STARS[index]
    target = 57 if index == 7 else STARS[index + 1]
    for die in range(1, 5):
        if star - die not in STARS:
            assert land(star - die, die, mover=mover)[0] == target
    board = Board([star - 1], dice=1, mover=mover)
    (move,) = board.pos.moves()
    assert move.finishes == (index == 7)
    assert move.target == place(target, mover)


@pytest.mark.rule("T3")
def test_only_stars_jump():
    for origin in range(1, 51):
        for die in range(1, 7):
            if origin + die not in STARS:
                assert land(origin, die)[0] == origin + die


@pytest.mark.rule("T3")
def test_a_jump_never_chains():
    assert land(43, 1)[0] == 51  # not on to the finish
    assert land(4, 1)[0] == 12  # not on to 18


@pytest.mark.rule("T3")
def test_passing_or_leaving_a_star_does_not_jump():
    assert land(4, 2)[0] == 6
    assert land(5, 1)[0] == 6
    assert land(51, 3)[0] == 54
    assert land(50, 4)[0] == 54


@pytest.mark.rule("T3")
@every_colour
@pytest.mark.parametrize("tile", [1, 2, 5, 9, 12, 14, 27, 22, 51, 52, 56])
def test_own_pieces_share_any_tile(mover, tile):
    if tile == 1:
        assert Board([1, 1, 1, 0], dice=6, mover=mover).play(0).own() == [1, 1, 1, 1]
        return
    origin, die = (STARS[STARS.index(tile) - 1] - 1, 1) if tile in STARS[1:] else (tile - 1, 1)
    if tile == 5:
        return  # reached by no jump; the first star of a jump is shared in passing
    board = Board([origin, tile, tile, tile], dice=die, mover=mover).play(origin)
    assert board.own() == [tile] * 4
    assert board.pos.turn != mover


@pytest.mark.rule("T3", "T4")
def test_own_pieces_on_both_stars_change_nothing():
    board = Board([4, 5, 12, 12], dice=1).play(4)
    assert board.own() == [12, 5, 12, 12]


@pytest.mark.rule("T4")
@every_colour
@pytest.mark.parametrize("index", range(7))
def test_a_jump_captures_on_both_stars(mover, index):
    first, second = STARS[index], STARS[index + 1]
    origin = first - 1
    # ahead: which enemy can stand on which star (its own way ends at its square 51)
    for one, two in (([first], []), ([second], []), ([first, second], [])):
        assert land(origin, 1, two=one, mover=mover) == (second, [], [], [])
        assert land(origin, 1, two=one, three=two, mover=mover) == (second, [], [], [])
    assert land(origin, 1, one=[first], three=[second], mover=mover) == (second, [], [], [])
    assert land(origin, 1, one=[second], two=[first], mover=mover) == (second, [], [], [])


@pytest.mark.rule("T4")
@every_colour
@pytest.mark.parametrize("index", range(7))
def test_a_stack_on_the_first_star_sends_the_mover_to_start(mover, index):
    first, second = STARS[index], STARS[index + 1]
    assert land(first - 1, 1, one=[first] * 2, mover=mover) == (0, [first] * 2, [], [])
    # no jump, nothing captured on the second star
    assert land(first - 1, 1, one=[first] * 2, two=[second], mover=mover) == (0, [first] * 2, [second], [])
    assert land(first - 1, 1, one=[first] * 2 + [second], mover=mover) == (0, [first] * 2 + [second], [], [])
    assert land(first - 1, 1, one=[first] * 2, two=[second] * 2, mover=mover) == (
        0,
        [first] * 2,
        [second] * 2,
        [],
    )


@pytest.mark.rule("T4")
@every_colour
@pytest.mark.parametrize("index", range(7))
def test_a_stack_on_the_second_star_lets_the_first_capture_stand(mover, index):
    first, second = STARS[index], STARS[index + 1]
    assert land(first - 1, 1, two=[second] * 3, mover=mover) == (0, [], [second] * 3, [])
    assert land(first - 1, 1, one=[first], two=[second] * 2, mover=mover) == (0, [], [second] * 2, [])
    assert land(first - 1, 1, two=[second, first, second], mover=mover) == (0, [], [second] * 2, [])
    # another colour's single beside the stack is not captured either
    assert land(first - 1, 1, two=[second] * 2, three=[second], mover=mover) == (
        0,
        [],
        [second] * 2,
        [second],
    )


@pytest.mark.rule("T4", "T8")
def test_several_colours_on_a_star():
    assert land(4, 1, one=[5], two=[5], three=[12]) == (12, [], [], [])
    assert land(4, 1, one=[5, 5], two=[5]) == (0, [5, 5], [5], [])
    assert land(4, 1, one=[12], two=[12]) == (12, [], [], [])


@pytest.mark.rule("T4")
@every_colour
@pytest.mark.parametrize("die", range(1, 7))
def test_star_51_is_checked_before_the_finish(mover, die):
    origin = 51 - die
    if origin not in STARS:
        assert land(origin, die, two=[51], mover=mover) == (57, [], [], [])
        assert land(origin, die, two=[51] * 2, mover=mover) == (0, [], [51] * 2, [])


@pytest.mark.rule("T4")
def test_a_move_tells_both_captures():
    (move,) = Board([4], one=[5], two=[12], dice=1).pos.moves()
    assert sorted(tuple(c) for c in move.captures) == [("blue", 11), ("yellow", 4)]
    assert (move.origin, move.target) == (3, 11)


# ---------------------------------------------------------------- globes and entry tiles


@pytest.mark.rule("T5")
@every_colour
@pytest.mark.parametrize("globe", GLOBES)
def test_an_enemy_on_a_globe_is_safe(mover, globe):
    for enemies in ([globe], [globe] * 2, [globe] * 4):
        assert land(globe - 2, 2, one=enemies, mover=mover) == (0, enemies, [], [])
        assert land(globe - 2, 2, three=enemies, mover=mover) == (0, [], [], enemies)
    assert land(globe - 2, 2, one=[globe], two=[globe], mover=mover) == (0, [globe], [globe], [])


@pytest.mark.rule("T5")
@every_colour
@pytest.mark.parametrize("globe", GLOBES)
def test_an_empty_globe_and_one_with_own_pieces(mover, globe):
    assert land(globe - 2, 2, mover=mover)[0] == globe
    assert Board([globe - 2, globe], dice=2, mover=mover).play(globe - 2).own()[:2] == [globe, globe]
    assert land(globe - 2, 3, one=[globe], mover=mover) == (globe + 1, [globe], [], [])  # passing


@pytest.mark.rule("T5")
def test_the_mover_on_a_globe_is_safe_from_the_next_player():
    board = Board([8], three=[7], dice=1).play(8)
    pos = line(board.pos, "1", "pass", "1", "pass", "1", "pass")  # yellow
    pos = line(pos, "1", "pass", "1", "pass", "1", "pass")  # blue
    pos = line(pos, "2", "6+2")
    assert pos.to_dict()["pieces"]["red"] == ["start"] * 4
    assert pos.to_dict()["pieces"]["green"][0] == 8


@pytest.mark.rule("T6")
@every_colour
@pytest.mark.parametrize("ahead", [1, 2, 3])
def test_an_entry_tile_protects_its_owner(mover, ahead):
    entry = ENTRIES[ahead - 1]
    for count in (1, 2, 4):
        enemies = [[], [], []]
        enemies[ahead - 1] = [entry] * count
        assert land(entry - 3, 3, *enemies, mover=mover) == (0, *enemies)
        # a guest beside the owner is protected with it
        if ahead == 1:
            enemies[1] = [entry]
            assert land(entry - 3, 3, *enemies, mover=mover) == (0, *enemies)


@pytest.mark.rule("T6", "T7", "T8")
@every_colour
@pytest.mark.parametrize("ahead", [1, 2, 3])
def test_guests_on_an_entry_tile_are_not_protected(mover, ahead):
    entry = ENTRIES[ahead - 1]
    for guest in {1, 2, 3} - {ahead}:
        enemies = [[], [], []]
        enemies[guest - 1] = [entry]
        assert land(entry - 3, 3, *enemies, mover=mover) == (entry, [], [], [])
        enemies[guest - 1] = [entry] * 2
        assert land(entry - 3, 3, *enemies, mover=mover) == (0, *enemies)
    assert land(entry - 3, 3, mover=mover)[0] == entry  # an empty one


@pytest.mark.rule("T6")
@pytest.mark.parametrize("count", [1, 2])
def test_entry_tiles_of_empty_seats_are_ordinary(count):
    game = make(players=2)  # green and blue: nobody enters on tile 13
    pos = game.position(
        {
            "pieces": {"green": [10, *["start"] * 3], "blue": [13] * count + ["start"] * (4 - count)},
            "turn": "green",
            "dice": [3],
        }
    )
    after = pos.play("10+3").to_dict()["pieces"]
    assert after["green"][0] == (13 if count == 1 else "start")
    assert after["blue"].count(13) == (0 if count == 1 else 2)
    for tile in (13, 39):  # and no wall or safety for whoever stands there
        pos = game.position(
            {
                "pieces": {"green": [tile, *["start"] * 3], "blue": [tile - 2, *["start"] * 3]},
                "turn": "blue",
                "dice": [2],
            }
        )
        assert pos.play(f"{tile - 2}+2").to_dict()["pieces"]["green"] == ["start"] * 4


# ---------------------------------------------------------------- captures


@pytest.mark.rule("T7")
@pytest.mark.parametrize("target", PLAIN)
def test_a_single_enemy_on_an_ordinary_tile_is_captured(target):
    for ahead in range(3):
        if target == (13, 26, 39)[ahead]:
            continue  # that colour has turned into its end path before
        enemies = [[], [], []]
        enemies[ahead] = [target]
        assert land(target - 1, 1, *enemies) == (target, [], [], [])


@pytest.mark.rule("T7")
@every_colour
def test_captures_for_every_mover(mover):
    board = Board([6], one=[8, 30], dice=2, mover=mover)
    (move,) = board.pos.moves()
    assert [tuple(c) for c in move.captures] == [(board.enemies[0], place(8, mover))]
    assert board.play(6).enemy(1) == [30]
    assert board.own() == [8, 0, 0, 0]


@pytest.mark.rule("T8")
@pytest.mark.parametrize("target", PLAIN)
def test_two_of_one_colour_send_the_mover_to_start(target):
    for ahead in range(3):
        if target == (13, 26, 39)[ahead]:
            continue
        for count in (2, 3, 4):
            enemies = [[], [], []]
            enemies[ahead] = [target] * count
            assert land(target - 1, 1, *enemies) == (0, *enemies)


@pytest.mark.rule("T8")
@every_colour
def test_counts_are_per_colour(mover):
    assert land(6, 2, [8], [8], mover=mover) == (8, [], [], [])
    assert land(6, 2, [8], [8], [8], mover=mover) == (8, [], [], [])
    assert land(6, 2, [8, 8], [8], mover=mover) == (0, [8, 8], [8], [])
    assert land(6, 2, [8], [8], [8, 8], mover=mover) == (0, [8], [8], [8, 8])


@pytest.mark.rule("T8")
def test_a_stack_of_the_mover_does_not_protect_the_enemy():
    assert Board([6, 7, 7], two=[8], dice=1).play(7).enemy(2) == []


@pytest.mark.rule("T9")
@pytest.mark.parametrize("wall", [7, 9, 12, 14, 15])
@pytest.mark.parametrize("count", [2, 4])
def test_nothing_blocks_passage(wall, count):
    origin = wall - 1
    for die in range(2, 6):
        one = [wall] * count
        assert Board([origin], one, dice=die).moves() == [f"{origin}+{die}"]
        if origin + die not in STARS:
            assert land(origin, die, one) == (origin + die, one, [], [])
    own = Board([origin, wall, wall, wall], dice=2)
    assert own.moves() == sorted([f"{origin}+2", f"{wall}+2"])


@pytest.mark.rule("T9", "T3")
def test_a_jump_passes_over_everything():
    assert land(4, 1, one=[9, 9, 10, 10], two=[7, 7]) == (12, [9, 9, 10, 10], [7, 7], [])
    assert Board([52, 53, 53], dice=3).moves() == ["52+3", "53+3"]


@pytest.mark.rule("T10")
@every_colour
def test_coming_out_captures_single_enemies(mover):
    for enemies in (([1], [], []), ([], [], [1]), ([1], [1], []), ([1], [1], [1])):
        board = Board([0], *enemies, dice=6, mover=mover).play(0)
        assert board.own() == [1, 0, 0, 0]
        assert [board.enemy(ahead) for ahead in (1, 2, 3)] == [[], [], []]
        assert board.pos.turn == mover


@pytest.mark.rule("T10", "T8")
@every_colour
def test_coming_out_onto_a_stack_goes_back(mover):
    for enemies in (([1, 1], [], []), ([], [1, 1, 1], []), ([1, 1], [1], []), ([1], [1], [1, 1])):
        board = Board([0], *enemies, dice=6, mover=mover)
        assert board.moves() == ["out"]
        board.play(0)
        assert board.own() == [0, 0, 0, 0]
        assert [board.enemy(ahead) for ahead in (1, 2, 3)] == [list(e) for e in enemies]
        assert (board.pos.turn, board.pos.to_move) == (mover, "chance")


# ---------------------------------------------------------------- the finish


@pytest.mark.rule("T11")
@every_colour
@pytest.mark.parametrize("origin", range(52, 57))
def test_a_larger_roll_bounces_back_from_the_finish(mover, origin):
    for die in range(1, 7):
        board = Board([origin, 0, 57, 20], dice=die, mover=mover)
        assert f"{origin}+{die}" in board.moves()
        target = 57 - abs(57 - origin - die)
        assert board.play(origin).own() == [target, 0, 57, 20]


@pytest.mark.rule("T11")
def test_a_bounce_that_ends_where_it_began_is_a_move():
    for origin, die in ((56, 2), (55, 4), (54, 6)):
        board = Board([origin], dice=die)
        assert board.moves() == [f"{origin}+{die}", *(["out"] if die == 6 else [])]
        assert board.play(origin).own()[0] == origin
        assert board.pos.turn == ("green" if die == 6 else "yellow")


@pytest.mark.rule("T11")
@pytest.mark.parametrize("origin", range(52, 57))
@pytest.mark.parametrize("die", range(1, 7))
def test_options_for_the_finish(origin, die):
    surplus = origin + die - 57

    def target(rule):
        board = Board([origin, 20], dice=die, game=make(finish=rule))
        return board.play(origin).own()[0] if f"{origin}+{die}" in board.moves() else None

    if surplus <= 0:
        assert {target(r) for r in ("exact", "overshoot", "bounce", "bounce_from_square")} == {origin + die}
        return
    assert target("exact") is None
    assert target("overshoot") == 57
    assert target("bounce") == 57 - surplus
    assert target("bounce_from_square") == origin - surplus


@pytest.mark.rule("T11")
def test_option_exact_says_why():
    error = refusal(Board([56, 20], dice=3, game=make(finish="exact")).pos, "end:4+3")
    assert (error.code, error.rule) == ("past_finish", "T11")


@pytest.mark.rule("T11")
def test_an_exact_roll_from_the_path():
    assert land(51, 6)[0] == 57  # the last star, left with a 6


@pytest.mark.rule("T12")
@every_colour
@pytest.mark.parametrize("origin", range(52, 57))
def test_a_bounced_piece_does_not_jump(mover, origin):
    game = make(finish="bounce_from_square")
    board = Board([origin], dice=6, mover=mover, game=game).play(origin)
    assert board.own()[0] == 51  # the star, and not the finish
    assert board.pos.result is None
    assert not any(57 - s in STARS for s in range(1, 6))  # from the finish no bounce reaches one


# ---------------------------------------------------------------- turns


@pytest.mark.rule("T13")
def test_a_six_rolls_again_without_limit():
    pos = Board([2]).pos
    for _ in range(40):
        pos = pos.play("6")
        assert pos.to_move == "green"
        names = [str(m) for m in pos.moves()]
        way = next((n for n in names if n.startswith("end:")), names[0])
        pos = pos.play("out" if "out" in names else way)
        if pos.to_move is None:
            break
        assert (pos.turn, pos.to_move) == ("green", "chance")
    assert pos.to_move == "chance" or pos.result["green"] == 1.0


@pytest.mark.rule("T13")
def test_ten_sixes_in_a_row():
    pos = Board([56, 2]).pos  # 56 bounces to 52 with a 6, from there to 56
    for number in range(10):
        pos = line(pos, "6", "end:4+6" if number % 2 == 0 else "end:0+6")
        assert pos.turn == "green"


@pytest.mark.rule("T13")
@pytest.mark.parametrize("die", range(1, 7))
def test_only_a_six_rolls_again(die):
    again = "green" if die == 6 else "yellow"
    assert Board([32], dice=die).play(32).pos.turn == again
    board = Board([32], two=[32 + die], dice=die).play(32)  # a capture (on 35 the mover goes home, on 38 it jumps)
    assert board.pos.turn == again
    assert Board([57 - die, 20], dice=die).play(57 - die).pos.turn == again  # a finish
    assert Board([32], one=[32 + die] * 2, dice=die).play(32).pos.turn == again  # sent home


@pytest.mark.rule("T14")
@pytest.mark.parametrize("own", [[0, 0, 0, 0], [57, 0, 0, 0], [57, 57, 57, 0]])
def test_three_rolls_to_get_out(own):
    pos = Board(own).pos
    for number, roll in enumerate("135", start=1):
        pos = pos.play(roll)
        assert pos.to_move == "green"
        assert [str(m) for m in pos.moves()] == ["pass"]
        assert pos.to_dict().get("rolls", 1) == number
        pos = pos.play("pass")
        assert (pos.turn, pos.to_move) == ("green" if number < 3 else "yellow", "chance")
        assert pos.to_dict().get("rolls", 0) == (number if number < 3 else 0)


@pytest.mark.rule("T14")
@pytest.mark.parametrize("failed", [0, 1, 2])
def test_a_six_in_any_of_the_three_comes_out_and_rolls_again(failed):
    pos = line(STAR.start(), *["2", "pass"] * failed, "6")
    assert [str(m) for m in pos.moves()] == ["out"]
    assert pos.to_dict().get("rolls", 0) == 0
    pos = pos.play("out")
    assert (pos.turn, pos.to_move) == ("green", "chance")
    pos = line(pos, "2", "0+2")  # with a piece on the path there is one roll
    assert pos.turn == "yellow"


@pytest.mark.rule("T14")
def test_the_next_turn_has_three_rolls_again():
    pos = STAR.start()
    for colour in (*COLOURS, "green"):
        assert pos.turn == colour
        pos = line(pos, "1", "pass", "2", "pass", "3", "pass")


@pytest.mark.rule("T14", "T10")
def test_three_anew_after_a_six_that_left_no_piece_on_the_path():
    pos = Board([0], one=[1, 1], rolls=2).pos
    pos = line(pos, "6", "out")  # onto two enemies: back to start
    assert pos.to_dict()["pieces"]["green"] == ["start"] * 4
    assert pos.to_dict().get("rolls", 0) == 0
    for _ in range(3):
        assert pos.turn == "green"
        pos = line(pos, "4", "pass")
    assert pos.turn == "yellow"


@pytest.mark.rule("T14", "T13")
def test_three_anew_after_a_six_that_finished_the_last_piece_on_the_path():
    pos = Board([51, 57]).pos
    pos = line(pos, "6", "50+6")
    assert pos.to_dict()["pieces"]["green"] == ["finish", "finish", "start", "start"]
    for _ in range(3):
        assert pos.turn == "green"
        pos = line(pos, "4", "pass")
    assert pos.turn == "yellow"


@pytest.mark.rule("T14")
def test_a_lower_roll_that_leaves_no_piece_on_the_path_ends_the_turn():
    assert Board([55, 57], dice=2).play(55).pos.turn == "yellow"
    assert Board([7], one=[9], dice=2).play(7).pos.turn == "yellow"  # sent home by a globe


@pytest.mark.rule("T14")
def test_a_piece_on_the_end_path_means_one_roll():
    game = make(finish="exact")
    pos = Board([56], dice=3, game=game).pos
    assert [str(m) for m in pos.moves()] == ["pass"]
    assert pos.play("pass").turn == "yellow"
    assert Board([56], dice=3).moves() == ["56+3"]


@pytest.mark.rule("T14")
def test_a_set_up_number_of_failed_rolls():
    pos = line(Board([0], rolls=2).pos, "5", "pass")
    assert pos.turn == "yellow"
    pos = line(Board([0], rolls=1).pos, "5", "pass")
    assert (pos.turn, pos.to_dict()["rolls"]) == ("green", 2)
    assert Board([0], dice=5, rolls=3).pos.play("pass").turn == "yellow"
    assert Board([0], dice=5).pos.play("pass").turn == "green"  # absent: the first
    assert Board([0], dice=5) .pos == Board([0], dice=5, rolls=1).pos  # fmt: skip
    assert Board([0], rolls=1).pos != Board([0], rolls=2).pos


@pytest.mark.rule("T15")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_first_with_four_home_wins(players):
    game = make(players=players)
    for mover in game.players:
        for die in (1, 6):
            board = Board([57, 57, 57 - die, 57], dice=die, mover=mover, game=game)
            assert board.pos.result is None
            pos = board.play(57 - die).pos
            assert (pos.to_move, pos.moves(), pos.turn) == (None, (), mover)
            assert pos.result == {c: 1.0 if c == mover else -1.0 for c in game.players}


@pytest.mark.rule("T15", "T4")
def test_the_last_star_can_win_and_captures_on_the_way():
    board = Board([57, 57, 57, 50], two=[51], dice=1).play(50)
    assert board.enemy(2) == []
    assert board.pos.result["green"] == 1.0


@pytest.mark.rule("T15")
def test_option_playing_on_for_places():
    game = make(**{"win.play_on": True})

    near_home = ["finish"] * 3 + ["end:4"]
    pos = game.position({"pieces": dict.fromkeys(COLOURS, near_home), "turn": "yellow", "dice": [1]})
    pos = pos.play("end:4+1")
    assert (pos.result, pos.turn, pos.to_move) == (None, "blue", "chance")
    assert game.position(pos.to_dict()) == pos
    pos = line(pos, "3", "end:4+3")  # bounces to end:3
    pos = line(pos, "1", "end:4+1")  # red is second
    assert (pos.result, pos.turn) == (None, "green")
    pos = line(pos, "2", "end:4+2")
    assert pos.turn == "blue"  # yellow and red are home and skipped
    assert game.position(pos.to_dict()) == pos
    pos = line(pos, "2", "end:3+2")  # blue is third, green last
    assert pos.to_move is None
    result = pos.result
    assert result["yellow"] > result["red"] > result["blue"] > result["green"]
    assert (result["yellow"], result["green"]) == (1.0, -1.0)


@pytest.mark.rule("T15", "T13")
def test_option_playing_on_after_a_six_that_brings_the_fourth_home():
    game = make(**{"win.play_on": True})
    pos = Board([57, 57, 57, 51], dice=6, game=game).play(51).pos
    assert (pos.result, pos.turn, pos.to_move) == (None, "yellow", "chance")


@pytest.mark.rule("T16")
def test_a_legal_move_must_be_made():
    for board, origin in (
        (Board([7], one=[9], dice=2), 7),  # onto a taken globe
        (Board([7], one=[8, 8], dice=1), 7),  # onto a stack
        (Board([11], one=[14], dice=3), 11),  # onto a taken entry tile
        (Board([4], one=[5, 5], dice=1), 4),  # onto a stack on a star
        (Board([0], one=[1, 1], dice=6), 0),  # out onto a stack
        (Board([56], dice=2), 56),  # a bounce that changes nothing
    ):
        assert len(board.pos.moves()) == 1
        assert board.moves() != ["pass"]
        error = refusal(board.pos, "pass")
        assert (error.code, error.rule) == ("must_move", "T16")
        assert not board.pos.mask()[4]
        board.play(origin)


@pytest.mark.rule("T16")
def test_a_move_that_sends_the_own_piece_home_is_one_among_others():
    board = Board([7, 20], one=[9], dice=2)
    assert board.moves() == ["20+2", "7+2"]
    move = next(m for m in board.pos.moves() if str(m) == "6+2")
    assert move.target == "start"
    assert move.captures == ()


# ---------------------------------------------------------------- why not, impossible positions, plain data


@pytest.mark.rule("T2", "T15", "T16")
@pytest.mark.parametrize(
    ("own", "dice", "move", "code", "rule"),
    [
        ([20], 3, "out", "needs_face", "T2"),
        ([20], 3, "start+3", "needs_face", "T2"),
        ([20], 3, "pass", "must_move", "T16"),
        ([20, 57], 3, "finish+3", "finished", None),
        ([20], 3, "19+4", "no_such_die", None),
        ([20], 3, "20+3", "no_piece", None),
        ([20], 3, "yellow:19+3", "not_yours", None),
        ([20], 3, "buy", "no_such_move", None),
        ([20], 3, "nineteen", "notation", None),
    ],
)
def test_why_not(own, dice, move, code, rule):
    error = refusal(Board(own, dice=dice).pos, move)
    assert error.code == code
    assert rule is None or error.rule == rule
    assert error.reason


@pytest.mark.rule("T1", "T14")
@pytest.mark.parametrize(
    "change",
    [
        {"captured": ["green"]},
        {"sixes": {"green": 1}},
        {"rolls": 3},
        {"rolls": -1},
        {"rolls": True},
        {"dice": [6], "rolls": 1},
        {"dice": [3], "rolls": 0},
        {"dice": [3], "rolls": 4},
        {"dice": [7]},
        {"dice": [3, 3]},
        {"turn": "white"},
        {"pieces": {"green": ["held:red", "start", "start", "start"]}},
        {"pieces": {"green": [51, "start", "start", "start"]}},
        {"pieces": {"yellow": [12, "start", "start", "start"]}},
        {"pieces": {"green": ["start"] * 3}},
        {"pieces": {"green": [7, "start", "start", "start"]}, "rolls": 1},
    ],
)
def test_impossible_positions(change):
    plain = {"pieces": {c: ["start"] * 4 for c in COLOURS}, "turn": "green"}
    assert STAR.position(plain) == STAR.start()
    data = plain | change | {"pieces": plain["pieces"] | change.get("pieces", {})}
    with pytest.raises(ludus.InvalidPosition):
        STAR.position(data)


@pytest.mark.rule("T1", "T14")
@pytest.mark.parametrize(
    "options", [{}, {"players": 2}, {"win.play_on": True}, {"finish": "bounce_from_square"}], ids=str
)
def test_plain_data_holds_everything(options):
    game, rng = make(**options), random.Random(4)
    pos = game.start()
    for _ in range(700):
        again = game.position(pos.to_dict())
        assert again == pos
        assert again.to_dict() == pos.to_dict()
        assert (again.to_move, again.moves(), again.outcomes()) == (pos.to_move, pos.moves(), pos.outcomes())
        if pos.to_move is None:
            break
        pos = pos.roll(rng) if pos.to_move == "chance" else pos.play(rng.choice(pos.moves()))


@pytest.mark.rule("T6", "T7")
def test_a_teammate_on_its_entry_tile_protects_nobody_from_its_own_side():
    """Blue is green's teammate: its globe is for enemies, and yellow beside it is not protected."""
    teams = make(mode="teams")
    pieces = {"green": [24, *["start"] * 3], "yellow": [26, *["start"] * 3], "blue": [26, *["start"] * 3]}
    pos = teams.position({"pieces": {**pieces, "red": ["start"] * 4}, "turn": "green", "dice": [2]})
    (move,) = pos.moves()
    assert [(taken.colour, taken.tile) for taken in move.captures] == [("yellow", 26)]
    after = pos.play(move).to_dict()["pieces"]
    assert after["green"][0] == 26
    assert after["blue"][0] == 26
    assert after["yellow"][0] == "start"


@pytest.mark.rule("T8")
def test_one_piece_each_of_two_enemy_teammates_is_no_stack():
    """Counts are per colour, in teams too: yellow and red are one side, and both are captured."""
    teams = make(mode="teams")
    pieces = {"green": [20, *["start"] * 3], "yellow": [22, *["start"] * 3], "red": [22, *["start"] * 3]}
    pos = teams.position({"pieces": {**pieces, "blue": ["start"] * 4}, "turn": "green", "dice": [2]})
    (move,) = pos.moves()
    assert sorted(taken.colour for taken in move.captures) == ["red", "yellow"]
