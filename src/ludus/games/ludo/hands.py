"""Hands of cards in positions: written and read as plain data, and redrawn from what a player has not seen."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from typing import Any

from ludus.core.errors import InvalidPosition, quoted
from ludus.core.kernels.codes import CHANCE, OVER, STAGE
from ludus.games.ludo import kernel as k
from ludus.games.ludo.board.ludo_board import LudoBoard


def names_of_cards(board: LudoBoard) -> list[str]:
    """The cards, as documents name them."""
    return [card.name for card in board.rules.chance.cards]


def hand_of(board: LudoBoard, row: Any, seat: int) -> list[str]:
    """The cards that a player holds, in the order of the document."""
    at = k.hand_slot(board.tables, seat, 0)
    return [name for card, name in enumerate(names_of_cards(board)) for _ in range(int(row[at + card]))]


def written(board: LudoBoard, players: tuple[str, ...], row: Any) -> dict[str, Any]:
    """What positions tell of hands, of the deal and of protected pieces; what has its default is left out."""
    data: dict[str, Any] = {}
    if board.field(k.HANDS):
        names, at = names_of_cards(board), board.field(k.R_DEAL)
        data["hands"] = {colour: hand_of(board, row, seat) for seat, colour in enumerate(players)}
        data["hands"] = {colour: cards for colour, cards in data["hands"].items() if cards}
        given = {colour: int(row[k.given_slot(board.tables, seat)]) for seat, colour in enumerate(players)}
        data["given"] = {colour: names[card - 1] for colour, card in given.items() if card}
        data["exchange"] = bool(row[at + k.DEAL_EXCHANGE])
        data["dealing"] = row[STAGE] == CHANCE and bool(data["hands"])
        data["deal"] = int(row[at + k.DEAL_NUMBER])
        data["leads"] = players[row[at + k.DEAL_LEADER]] if row[at + k.DEAL_LEADER] else None
    if board.field(k.KEEPS_FRESH):
        data["fresh"] = [c for seat, c in enumerate(players) if row[k.fresh_slot(board.tables, seat)]]
    return {name: value for name, value in data.items() if value}


def is_dealing(board: LudoBoard, row: Any, data: Mapping[str, Any]) -> bool:
    """Whether cards are dealt: where a position says so, or where nobody holds a card."""
    empty = not any(k.cards_in_hand(row, board.tables, seat) for seat in range(board.field(k.PLAYERS)))
    dealing = data.get("dealing", empty)
    if type(dealing) is not bool or (empty and not dealing and not data.get("given") and not row[k.TOKEN]):
        raise InvalidPosition(f"dealing: true or false, and true where nobody holds a card, not {quoted(dealing)}")
    return dealing and not row[k.TOKEN] and not data.get("exchange")


def read(board: LudoBoard, players: tuple[str, ...], data: Mapping[str, Any], row: list[int]) -> None:
    """Read the hands into a row; InvalidPosition for what can't be."""
    for name in ("hands", "given", "exchange", "dealing", "deal", "leads"):
        if name in data and not board.field(k.HANDS):
            raise InvalidPosition(f"{name}: these rules have no hands of cards")
    if "fresh" in data and not board.field(k.KEEPS_FRESH):
        raise InvalidPosition("fresh: these rules protect nobody who came out")
    for colour in data.get("fresh", []):
        seat = _seat(players, colour, "fresh")
        if not k.stands_on(row, board.tables, seat, board.entry(seat)):
            raise InvalidPosition(f"fresh: {colour} has no piece on its entry tile")
        row[k.fresh_slot(board.tables, seat)] = 1
    if board.field(k.HANDS):
        _read_hands(board, players, data, row)


def _seat(players: tuple[str, ...], colour: Any, where: str) -> int:
    if colour not in players:
        raise InvalidPosition(f"{where}: {quoted(colour)} does not play; there are {', '.join(players)}")
    return players.index(colour)


def _card(board: LudoBoard, name: Any, where: str) -> int:
    names = names_of_cards(board)
    if name not in names:
        raise InvalidPosition(f"{where}: there is no card {quoted(name)}; there are {', '.join(names)}")
    return names.index(name)


def _read_hands(board: LudoBoard, players: tuple[str, ...], data: Mapping[str, Any], row: list[int]) -> None:
    tables, at = board.tables, board.field(k.R_DEAL)
    hands, given = data.get("hands", {}), data.get("given", {})
    if not isinstance(hands, Mapping) or not isinstance(given, Mapping):
        raise InvalidPosition("hands, given: mappings from a colour to its cards")
    for colour, cards in hands.items():
        if not isinstance(cards, list | tuple) or len(cards) > board.field(k.HANDS) + 1:
            raise InvalidPosition(f"hands: a list of at most {board.field(k.HANDS)} cards, not {quoted(cards)}")
        for name in cards:
            row[k.hand_slot(tables, _seat(players, colour, "hands"), _card(board, name, "hands"))] += 1
    for colour, name in given.items():
        row[k.given_slot(tables, _seat(players, colour, "given"))] = 1 + _card(board, name, "given")
    for number, card in enumerate(board.rules.chance.cards):
        left = row[board.field(k.R_DECK) + number] if "deck" in data else 0
        if left + k.cards_out(row, tables, number) > card.count:
            raise InvalidPosition(f"hands: there are only {card.count} cards {card.name}")
        if "deck" not in data:
            row[board.field(k.R_DECK) + number] = card.count - k.cards_out(row, tables, number)
    deal = data.get("deal", 0)
    if type(deal) is not int or not 0 <= deal < board.field(k.DEALS):
        raise InvalidPosition(f"deal: 0 to {board.field(k.DEALS) - 1}, not {quoted(deal)}")
    exchange = data.get("exchange", False)
    if type(exchange) is not bool or (exchange and not board.field(k.EXCHANGES)):
        raise InvalidPosition("exchange: true or false, and true only where cards are exchanged")
    if given and not exchange:
        raise InvalidPosition("given: only while cards are exchanged")
    row[at + k.DEAL_NUMBER], row[at + k.DEAL_EXCHANGE] = deal, int(exchange)
    row[at + k.DEAL_LEADER] = _seat(players, data.get("leads", players[0]), "leads")


def redrawn(board: LudoBoard, row: Any, seat: int, rng: random.Random) -> list[int]:
    """A row in which what a player has not seen is drawn anew: the others' hands, what they give, the deck.

    Each player holds as many cards as before. Cards that a player gave away count as unseen, as a player forgets.
    """
    tables, values = board.tables, [int(value) for value in row]
    if not board.field(k.HANDS) or values[STAGE] == OVER:
        return values
    others = [other for other in range(tables[k.PLAYERS]) if other != seat]
    held = {other: k.cards_in_hand(values, tables, other) for other in others}
    giving = [other for other in others if values[k.given_slot(tables, other)]]
    unseen: list[int] = []
    for card in range(tables[k.DECK]):
        known = k.known_to(values, tables, seat, card)
        unseen += [card] * (values[k.deck_slot(tables, card)] + k.cards_out(values, tables, card) - known)
        values[k.deck_slot(tables, card)] = 0
        for other in others:
            values[k.hand_slot(tables, other, card)] = 0
    rng.shuffle(unseen)
    for other in others:
        for _ in range(held[other]):
            values[k.hand_slot(tables, other, unseen.pop())] += 1
        if other in giving:
            values[k.given_slot(tables, other)] = 1 + unseen.pop()
    for card in unseen:
        values[k.deck_slot(tables, card)] += 1
    return values


def veiled(data: Mapping[str, Any], eyes: Collection[str]) -> dict[str, Any]:
    """A position's data as those may see it who play some seats: numbers of cards instead of others' cards."""
    shown = dict(data)
    if "hands" in shown:
        shown["hands"] = {colour: cards if colour in eyes else len(cards) for colour, cards in shown["hands"].items()}
    if "given" in shown:
        shown["given"] = {colour: card if colour in eyes else "?" for colour, card in shown["given"].items()}
    if "deck" in shown:
        shown["deck"] = sum(shown["deck"].values())
    return shown


def veiled_event(text: str, is_own: bool) -> str:
    """A card that is dealt or given to a partner, unless it is one's own; cards that are played are seen by all."""
    what, colon, _ = text.partition(":")
    return text if is_own or what not in ("card", "give") else f"{what}{colon}?"
