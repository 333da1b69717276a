"""A position as text for a terminal: crosses of four arms as a grid, other crosses and rings arm by arm, in 80 columns;
boards of other shapes as a map of up to 100.

Tiles are called as in notation (12, :0 for the first of an end path), all else in words of the reader's language.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ludus.core.messages import Message, look_up
from ludus.games.ludo.picture.geometry import Geometry, Link, geometry, rules_in_force
from ludus.games.ludo.picture.plan import Spot
from ludus.games.ludo.picture.text_map import WIDTH as MAP_WIDTH
from ludus.games.ludo.picture.text_map import draw_map, text_map

if TYPE_CHECKING:
    from ludus.core.position import Position
    from ludus.games.ludo.game import LudoGame

WIDTH = 80
WIDEST_CELL, NARROWEST_CELL = 5, 4

# of the 256 colours that terminals know: as ground, and as ink that shows on black and on white
GROUND = {
    "green": 28,
    "yellow": 220,
    "blue": 26,
    "red": 160,
    "purple": 91,
    "orange": 208,
    "black": 238,
    "white": 252,
    "pink": 211,
    "brown": 94,
    "teal": 30,
    "lime": 154,
}
INK = {
    "green": 34,
    "yellow": 178,
    "blue": 33,
    "red": 167,
    "purple": 134,
    "orange": 208,
    "black": 244,
    "white": 250,
    "pink": 205,
    "brown": 137,
    "teal": 37,
    "lime": 148,
}
DARK_INK = ("yellow", "orange", "white", "pink", "lime")
# marks of tiles that do something, and the words for them where the role's own means something else
SQUARES = {"again": "+", "miss": "-", "turn": "~", "home": "x", "stake": "$"}
WORDS = {"again": "roll_again", "miss": "miss_turn", "turn": "turn_round", "home": "send_home", "stake": "pays"}
WORDS_OF = "ludus.games.ludo"
DIM, RESET = "\x1b[2m", "\x1b[0m"


def letter_of(colour: str) -> str:
    """The letter on a colour's pieces: its first one, or another where that is somebody else's."""
    return {"black": "K", "pink": "I", "brown": "N"}.get(colour, colour[0].upper())


def draw(
    game: LudoGame, position: Position, colour: bool = False, lang: str = "en", eyes: Collection[str] | None = None
) -> str:
    """The board as text, with ANSI colours or plain."""
    return Page(game, position, colour, lang, eyes).draw()


class Page:
    """One position being written."""

    def __init__(
        self, game: LudoGame, position: Position, colour: bool, lang: str, eyes: Collection[str] | None = None
    ) -> None:
        self.lang = lang
        self.game, self.position, self.has_colour = game, position, colour
        self.data = position.to_dict() if eyes is None else game.veiled(position.to_dict(), eyes)
        self.board: Geometry = geometry(rules_in_force(game, self.data))
        self.pieces: dict[str, list[int | str]] = self.data["pieces"]
        self.crowds = self.crowds_by_spot()
        self.columns = 1 + 2 * round(max(abs(spot.x) for spot in self.board.path))
        fitting = min(WIDEST_CELL, (WIDTH - 1) // self.columns)
        is_cross = self.board.shape == "cross" and len(self.board.colours) == 4
        self.is_grid = is_cross and fitting >= NARROWEST_CELL
        self.cell = fitting if self.is_grid else WIDEST_CELL

    def draw(self) -> str:
        """The whole page."""
        if self.board.shape == "graph":
            board = self.map()
        else:
            board = (self.grid() if self.is_grid else self.arms()) + self.ways(self.board.links)
        return "\n".join(line.rstrip() for line in [*board, "", *self.below()]) + "\n"

    def crowds_by_spot(self) -> dict[tuple[float, float], Counter[str]]:
        """How many pieces of which colour stand where; yards and capture zones are not on the board."""
        crowds: dict[tuple[float, float], Counter[str]] = {}
        for colour, places in self.pieces.items():
            for place in places:
                if place != "start" and not str(place).startswith("held:"):
                    spot = self.board.spot(colour, place)
                    crowds.setdefault((spot.x, spot.y), Counter())[colour] += 1
        return crowds

    # ------------------------------------------------ colours

    def paint(self, words: str, colour: str | None, *, is_ground: bool = False) -> str:
        """Words in a colour, or on ground of that colour; without one, dim."""
        if not self.has_colour or not words.strip():
            return words
        if colour is None:
            return f"{DIM}{words}{RESET}"
        if is_ground:
            return f"\x1b[1;38;5;{16 if colour in DARK_INK else 231};48;5;{GROUND[colour]}m{words}{RESET}"
        return f"\x1b[38;5;{INK[colour]}m{words}{RESET}"

    # ------------------------------------------------ tiles

    def tile(self, spot: Spot) -> str:
        """A tile as wide as a cell: its marks, and the pieces or the number on it."""
        left, right = marks_of(spot)
        crowd, room = self.crowds.get((spot.x, spot.y), Counter()), self.cell - 2
        owner = spot.owner if spot.owner in self.game.players else None
        edge = owner or ("white" if left.strip() else None)
        if crowd:
            body = self.crowd(crowd, room)
        else:
            words = "" if spot.place == "finish" else str(spot.place).removeprefix("end")
            body = self.paint(f"{words[:room]:^{room}}", owner)
        return self.paint(left, edge) + body + self.paint(right, edge)

    def crowd(self, crowd: Mapping[str, int], room: int) -> str:
        """The pieces on a tile, each colour on its own ground."""
        words = crowd_words(crowd, room)
        colours = [*crowd, None]
        pad = room - sum(map(len, words))
        words[0] = " " * (pad // 2 + pad % 2 * (len(words[0]) == 1)) + words[0]
        words[-1] += " " * (room - sum(map(len, words)))
        return "".join(
            self.paint(text, colour, is_ground=True) for text, colour in zip(words, colours[: len(words)], strict=True)
        )

    def grid(self) -> list[str]:
        """The cross, with the yards in its corners."""
        half = self.columns // 2
        lines: list[dict[int, str]] = [{} for _ in range(self.columns)]
        lanes = [spot for lane in self.board.ends for spot in lane]
        for spot in (*self.board.path, *lanes, *self.finishes_on_grid()):
            lines[half + round(spot.y)][half + round(spot.x)] = self.tile(spot)
        for colour in self.game.players if self.has_room_for_yards else ():
            self.put_yard(lines, colour)
        blank = " " * self.cell
        return ["".join(line.get(column, blank) for column in range(self.columns)) for line in lines]

    @property
    def has_room_for_yards(self) -> bool:
        """Whether the corners of the grid can hold what is said of a yard; else it stands below."""
        return self.columns >= 11 and self.game.rules.board.pieces <= 6

    def finishes_on_grid(self) -> tuple[Spot, ...]:
        """The finishes; of several that share a cell, one that shows pieces."""
        return tuple(sorted(self.board.finishes, key=lambda spot: (spot.x, spot.y) in self.crowds))

    def put_yard(self, lines: list[dict[int, str]], colour: str) -> None:
        """Write what a yard holds into its corner of the grid: one text over all its cells."""
        area = self.board.spot(colour, "start")
        side = (self.columns - 3) // 2
        first = 0 if area.x < 0 else side + 3
        words = self.yard_words(colour)
        top = (0 if area.y < 0 else side + 3) + (side - len(words)) // 2
        for number, (plain, painted) in enumerate(words):
            pad = side * self.cell - len(plain)
            text = " " * (pad // 2) + painted + " " * (pad - pad // 2)
            lines[top + number] |= {first: text} | {first + n: "" for n in range(1, side)}

    def yard_words(self, colour: str) -> list[tuple[str, str]]:
        """Lines about a colour, plain and painted: its name, its pieces in the yard, and its captives."""
        is_turn = colour == self.data["turn"]
        name = f"> {self.name(colour)} <" if is_turn else self.name(colour)
        lines = [(name, self.paint(name, colour, is_ground=is_turn))]
        waiting = self.pieces[colour].count("start")
        there = " ".join([letter_of(colour)] * waiting)
        empty = (" ." * (len(self.pieces[colour]) - waiting))[waiting == 0 :]
        painted = self.paint(there, colour, is_ground=True) + self.paint(empty, colour)
        lines.append((there + empty, painted))
        if colour in self.data.get("captured", ()):
            lines.append((f"({self.word('captured')})", self.paint(f"({self.word('captured')})", colour)))
        return lines + ([self.captives(colour)] if self.board.held else [])

    def captives(self, captor: str) -> tuple[str, str]:
        """The pieces in a colour's capture zone, plain and painted."""
        counts = {colour: places.count(f"held:{captor}") for colour, places in self.pieces.items()}
        held = {colour: with_count(colour, count) for colour, count in counts.items() if count}
        painted = " ".join(self.paint(words, colour, is_ground=True) for colour, words in held.items())
        label = self.word("held")
        return f"{label}: {' '.join(held.values()) or '-'}", f"{label}: {painted or '-'}"

    def word(self, key: str) -> str:
        """A word of the catalogue."""
        return Message("ludus.games.ludo", key, section="board").text(self.lang)

    def spoken(self, key: str) -> str:
        """A name of plain data in words: a fact, a colour, a place, a change of rules; as it is where none fits."""
        kind, _, whose = key.partition(":")
        sections = ("fact", "colour", "change") if not whose else ("fact",)
        known = (look_up(WORDS_OF, f"{section}.{kind}", self.lang) for section in sections)
        found = next((text for text in known if text), kind)
        return f"{found} {self.spoken(whose)}" if whose else found

    def name(self, colour: str) -> str:
        """A colour's name, with the letter of its pieces where that is another one."""
        name = Message("ludus.games.ludo", colour, section="colour").text(self.lang)
        return name if name[0].upper() == letter_of(colour) else f"{name} {letter_of(colour)}"

    # ------------------------------------------------ any other board

    def map(self) -> list[str]:
        """The tiles where they lie, the steps that the map can't show, and each colour's yard."""
        self.cell = min(max(len(str(spot.place)) for spot in self.board.path), 6) + 2
        cells = text_map(self.board, max(self.cell, WIDEST_CELL))
        self.cell = max(self.cell, WIDEST_CELL)
        if cells is None:
            lines, hidden = wrapped([self.tile(spot) for spot in self.board.path], self.cell), list(self.board.links)
        else:
            lines, hidden = draw_map(self.board, cells, self.tile)
        yards = [self.yard_row(arm, colour) for arm, colour in enumerate(self.board.colours) if colour in self.pieces]
        return [*lines, *self.ways(hidden), "", *yards]

    def yard_row(self, arm: int, colour: str) -> str:
        """A colour's end path, yard, captives and pieces home, in a line."""
        is_turn = colour == self.data["turn"]
        head = self.paint(f"{self.name(colour):8}"[:8], colour, is_ground=is_turn)
        lane = "" if self.board.is_drawn else "".join(self.tile(spot) for spot in self.board.ends[arm])
        home = sum(place == "finish" for place in self.pieces[colour])
        return f"{head} {lane}{self.yard_in_a_line(colour)[1]}  {self.word('finish')}: {home}"

    def ways(self, links: Iterable[Link]) -> list[str]:
        """Steps and jumps in words: `5 > s1` for everybody, `green: 20 > g1` for one colour."""
        told: dict[str, list[str]] = {}
        for link in links:
            if link.kind in ("jump", "slide") or (link.kind == "way" and not goes_without_saying(link)):
                is_own = link.owner and link.kind != "slide" and link.target.place != "finish"
                step = f"{link.owner}: " * bool(is_own) + f"{link.origin.place} > {link.target.place}"
                told.setdefault("ways" if link.kind == "way" else "jumps", []).append(step)
        lines = []
        for key, steps in told.items():
            lines += wrapped_words(f"{self.word(key)}: ", list(dict.fromkeys(steps)))
        return lines

    # ------------------------------------------------ arm by arm

    def arms(self) -> list[str]:
        """Each arm: its path tiles from its entry tile on, then its end path and its yard."""
        lines: list[str] = []
        for arm, colour in enumerate(self.board.colours):
            first = self.game.rules.entry_tile(arm)
            tiles = self.board.path[first : first + self.game.rules.arm]
            is_turn = colour == self.data["turn"]
            head = (
                self.paint(f"{self.name(colour):8}"[:8], colour, is_ground=is_turn)
                if colour in self.pieces
                else " " * 8
            )
            lines += self.rows(head, tiles)
            lines += self.lane_rows(arm) if colour in self.pieces else []
        return lines

    def rows(self, head: str, spots: Iterable[Spot], tail: str = "") -> list[str]:
        """Tiles behind a head of eight columns, broken where the terminal ends."""
        cells = [self.tile(spot) for spot in spots]
        most = (WIDTH - 8) // self.cell
        rows = [" " * 8 + "".join(cells[at : at + most]) for at in range(0, len(cells), most)]
        rows[0] = head + rows[0][8:]
        rows[-1] += tail
        return rows

    def lane_rows(self, arm: int) -> list[str]:
        """An arm's end path and finish, then, on the same line where there is room, its yard and captives."""
        spots = [*self.board.ends[arm], *self.board.finishes[arm : arm + 1]]
        length, about = self.yard_in_a_line(self.board.colours[arm])
        if 8 + len(spots) * self.cell + 2 + length > WIDTH:
            return [*self.rows(" " * 8, spots), " " * 9 + about]
        return self.rows(" " * 8, spots, "  " + about)

    def yard_in_a_line(self, colour: str) -> tuple[int, str]:
        """What is said of a yard in one line, and its length."""
        words = self.yard_words(colour)[1:]
        plain, painted = (f"{self.word('start')}: " + "  ".join(line) for line in zip(*words, strict=True))
        return len(plain), painted

    # ------------------------------------------------ below the board

    def below(self) -> list[str]:
        """Whose turn, the dice, everything else that affects the future, and what the marks mean."""
        turn = self.data["turn"]
        dice = " ".join(map(str, self.data.get("dice", "?")))
        lines = [
            f"{self.word('turn')}: {self.paint(self.name(turn), turn, is_ground=True)}   {self.word('dice')}: {dice}"
        ]
        if self.position.result:
            won = {self.name(who): f"{value:+g}" for who, value in self.position.result.items()}
            lines = [f"{self.word('result')}: {flat(won)}"]
        if self.is_grid and not self.has_room_for_yards:
            yards = {colour: self.yard_in_a_line(colour)[1] for colour in self.game.players}
            lines += [f"{self.name(colour)} {about}" for colour, about in yards.items()]
        told = ("pieces", "turn", "dice", "captured")
        for key, value in self.data.items():
            words = flat(value, self.spoken).split(", ")
            lines += wrapped_words(f"{self.spoken(key)}: ", words) if key not in told else []
        return [*lines, *self.too_many(), *(self.paint(line, None) for line in self.legend())]

    def legend(self) -> list[str]:
        """What the marks of this board mean."""
        known = {role for spot in (*self.board.path, *self.board.finishes) for role in spot.roles}
        marks = {"entry": "[ ]", "safe": "( )", "star": "* *", "finish": "< >"}
        marks |= {role: f"{mark} {mark}" for role, mark in SQUARES.items()}
        told = [f"{mark} {self.word(WORDS.get(role, role))}" for role, mark in marks.items() if role in known]
        told += [f":0 {self.word('end')}"] if any(self.board.ends) else []
        lines = [""]
        for words in told:
            lines += [""] if lines[-1] and len(lines[-1]) + len(words) > WIDTH else []
            lines[-1] += words + "   "
        return [line.rstrip() for line in lines]

    def too_many(self) -> list[str]:
        """Tiles whose pieces do not fit into a cell."""
        lines = []
        for spot in self.board.path:
            words = crowd_words(self.crowds.get((spot.x, spot.y), Counter()), WIDTH)
            lines += [f"{spot.place}: {' '.join(words)}"] if sum(map(len, words)) > self.cell - 2 else []
        return lines


def marks_of(spot: Spot) -> tuple[str, str]:
    """What stands left and right of a tile's number: an entry tile that is safe too is [0)."""
    if "finish" in spot.roles:
        return "<", ">"
    left, right = ("(", ")") if "safe" in spot.roles else ("*", "*") if "star" in spot.roles else (" ", " ")
    square = next((mark for role, mark in SQUARES.items() if role in spot.roles), None)
    left, right = (square, square) if square and left == " " else (left, right)
    if "entry" in spot.roles:
        return "[", right if right != " " else "]"
    return left, right


def goes_without_saying(link: Link) -> bool:
    """Whether a step's numbers tell it: from a tile to the one with the next number, and along an end path."""
    here, there = link.origin.place, link.target.place
    if isinstance(here, int) and isinstance(there, int):
        return there == here + 1
    return str(here).startswith("end:")


def wrapped(cells: list[str], width: int) -> list[str]:
    """Cells of a width, broken where the terminal ends."""
    most = MAP_WIDTH // width
    return ["".join(cells[at : at + most]) for at in range(0, len(cells), most)]


def wrapped_words(head: str, words: list[str]) -> list[str]:
    """Words behind a head, separated by commas, broken where the terminal ends."""
    lines = [head]
    for number, word in enumerate(words):
        end = "," if number < len(words) - 1 else ""
        if len(lines[-1]) + len(word) + 2 > WIDTH and len(lines[-1]) > len(head):
            lines.append(" " * len(head))
        lines[-1] += f"{word}{end} "
    return [line.rstrip() for line in lines]


def with_count(colour: str, count: int) -> str:
    """G for one green piece, G2 for two."""
    return letter_of(colour) if count == 1 else f"{letter_of(colour)}{count}"


def crowd_words(crowd: Mapping[str, int], room: int) -> list[str]:
    """The pieces on a tile, colour by colour: G2 Y; where that is too long the first letters and a +."""
    words = [with_count(colour, count) for colour, count in crowd.items()]
    if sum(map(len, words)) <= room:
        return words
    letters = [letter_of(colour) for colour in crowd][: room - 1]
    return [*letters[:-1], letters[-1] + "+"]


def flat(value: Any, spoken: Callable[[str], str] = str) -> str:
    """Plain data in one line, its names as `spoken` has them."""
    if isinstance(value, Mapping):
        return ", ".join(f"{spoken(key)} {flat(item, spoken)}" for key, item in value.items())
    return " ".join(spoken(str(one)) for one in value) if isinstance(value, list) else spoken(str(value).lower())
