"""What is written and read of a table over a connection: how it began, its facts, and the pack of those that rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from ludus.core.errors import LudusError
from ludus.core.record import document_digest
from ludus.play.facts import GAME_KINDS, Fact, Opening, Rest
from ludus.server.chain import first_link, next_link, pack_link
from ludus.server.keeping import DamagedTable, Stored
from ludus.server.packing import Packed, pack, unpack
from ludus.server.schema import FACTS, INVITATIONS, LEASES, OPENINGS, PACKS, RULE_SETS

# made once: SQLAlchemy works out anew how to find a statement in its cache for every one that is made
KEEP_OPENING, KEEP_FACTS, KEEP_PACK = OPENINGS.insert(), FACTS.insert(), PACKS.insert()
_FACT = ("version", "kind", "by", "text", "request", "data", "link")
_FACTS_OF = (
    sa.select(*(FACTS.c[name] for name in _FACT))
    .where(FACTS.c.opening == sa.bindparam("one"))
    .order_by(FACTS.c.version)
)


def begin(connection: sa.Connection, opening: Opening, facts: Sequence[Fact], day: int) -> None:
    """Keep a new table, with what happened before it came here."""
    data = opening.data()
    link = first_link(opening.table, data)
    document = data.pop("document")
    rules = document_digest(document)
    _keep_rules(connection, rules, document)
    packed = len(facts) if opening.replay else 0
    row = {"id": opening.table, "opening": data, "link": link, "rules": rules, "packed": packed}
    connection.execute(KEEP_OPENING, {**row, "used": day, "played": opening.replay})
    if opening.replay:
        _keep_pack(connection, opening.table, link, Packed(list(facts), None))
    elif facts:
        connection.execute(KEEP_FACTS, linked(link, rows_of(opening.table, facts)))


def _keep_rules(connection: sa.Connection, digest: str, document: Mapping[str, Any]) -> None:
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    connection.execute(insert(RULE_SETS).on_conflict_do_nothing(), {"digest": digest, "document": document})


def rows_of(table: str, facts: Sequence[Fact]) -> list[dict[str, Any]]:
    """Facts as rows that have no links yet."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    return [
        {"opening": table, "version": fact.version, "kind": fact.kind, "by": fact.by, "text": fact.text,
         "request": fact.request, "data": fact.data, "at": now}
        for fact in facts
    ]  # fmt: skip


def linked(link: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of one table with their links."""
    for row in rows:
        row["link"] = link = next_link(link, row)
    return rows


def last_link(connection: sa.Connection, table: str) -> str:
    """The link of the last thing that is known of a table; '' where there is no such table."""
    newest = sa.select(FACTS.c.link).where(FACTS.c.opening == table).order_by(FACTS.c.version.desc()).limit(1)
    packed = sa.select(PACKS.c.link).where(PACKS.c.opening == table)
    began = sa.select(OPENINGS.c.link).where(OPENINGS.c.id == table)
    for query in (newest, packed, began):
        link: str | None = connection.scalar(query)
        if link is not None:
            return link
    return ""


def packed_already(connection: sa.Connection, rows: Sequence[Mapping[str, Any]]) -> bool:
    """Whether one of these facts was packed meanwhile: another server knew more."""
    first = {row["opening"]: row["version"] for row in reversed(rows)}
    query = sa.select(PACKS.c.opening, PACKS.c.version).where(PACKS.c.opening.in_(list(first)))
    return any(version >= first[table] for table, version in connection.execute(query))


def read(connection: sa.Connection, table: str) -> Stored | None:
    """All that is stored of a table, every link checked; None where there is none."""
    c = OPENINGS.c
    joined = OPENINGS.outerjoin(RULE_SETS, RULE_SETS.c.digest == c.rules)
    kept = (c.opening, c.link, c.rules, c.packed, RULE_SETS.c.document)
    query = sa.select(*kept).select_from(joined).where(c.id == table)
    found = connection.execute(query).first()
    if found is None:
        return None
    data, link, rules, count, document = found
    if document is None or document_digest(document) != rules:
        raise DamagedTable(f"table {table[:6]}…: its rules are damaged in the data base")
    data = {"document": document, **data}
    if link != first_link(table, data):
        raise DamagedTable(f"table {table[:6]}…: how it began is damaged in the data base")
    packed, link = _read_pack(connection, table, link, count)
    newer = _read_facts(connection, table, link)
    return Stored(Opening.of(table, data), [*packed.facts, *newer], packed.rest)


def _read_pack(connection: sa.Connection, table: str, began: str, count: int) -> tuple[Packed, str]:
    """The facts that are packed, and the link after them; it is known how many there should be."""
    query = sa.select(PACKS.c.version, PACKS.c.facts, PACKS.c.link).where(PACKS.c.opening == table)
    found = connection.execute(query).first()
    if found is None and not count:
        return Packed([], None), began
    version, facts, link = found or (0, b"", "")
    try:
        if version != count or link != pack_link(began, version, facts):
            raise LudusError("not as it was written")
        return unpack(facts), link
    except LudusError:
        raise DamagedTable(f"table {table[:6]}…: its first {count} facts are damaged in the data base") from None


def _read_facts(connection: sa.Connection, table: str, link: str) -> list[Fact]:
    """The facts that are not packed; every one must follow from the one before it."""
    facts = []
    for found in connection.execute(_FACTS_OF, {"one": table}).mappings():
        row = dict(found)
        if row["link"] != next_link(link, row):
            raise DamagedTable(f"table {table[:6]}…: fact {row['version']} is damaged in the data base")
        link = row["link"]
        facts.append(Fact(*(row[name] for name in _FACT[:-1])))
    return facts


def put_to_rest(connection: sa.Connection, table: str, rest: Rest | None) -> None:
    """Pack the facts of a table, and keep where it stood; what was packed already stays as it is."""
    is_loose = connection.scalar(sa.select(FACTS.c.version).where(FACTS.c.opening == table).limit(1)) is not None
    stored = read(connection, table) if is_loose else None
    if stored is None:
        return
    newest = rest if rest is not None else stored.rest
    began: str = connection.scalars(sa.select(OPENINGS.c.link).where(OPENINGS.c.id == table)).one()
    connection.execute(FACTS.delete().where(FACTS.c.opening == table))
    connection.execute(PACKS.delete().where(PACKS.c.opening == table))
    connection.execute(OPENINGS.update().where(OPENINGS.c.id == table).values(packed=len(stored.facts)))
    _keep_pack(connection, table, began, Packed(stored.facts, newest))


def _keep_pack(connection: sa.Connection, table: str, began: str, packed: Packed) -> None:
    facts, version = pack(packed), len(packed.facts)
    row = {"opening": table, "version": version, "facts": facts, "link": pack_link(began, version, facts)}
    connection.execute(KEEP_PACK, row)


def forget(connection: sa.Connection, tables: Sequence[str]) -> None:
    """Delete tables, and rule sets that no table has any more."""
    for kept in (LEASES, FACTS, PACKS, INVITATIONS):
        connection.execute(kept.delete().where(kept.c.opening.in_(tables)))
    rules = connection.scalars(sa.select(OPENINGS.c.rules).where(OPENINGS.c.id.in_(tables)).distinct()).all()
    connection.execute(OPENINGS.delete().where(OPENINGS.c.id.in_(tables)))
    used = sa.exists().where(OPENINGS.c.rules == RULE_SETS.c.digest)
    connection.execute(RULE_SETS.delete().where(RULE_SETS.c.digest.in_(rules), ~used))


def is_of_the_game(row: Mapping[str, Any]) -> bool:
    """Whether a fact is a roll or a move: what was never played is not kept long."""
    return row["kind"] in GAME_KINDS
