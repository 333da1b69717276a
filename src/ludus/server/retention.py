"""How long tables are kept, in days on which the data base was served: a clock that jumps deletes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from ludus.server.schema import DAYS, FACTS, OPENINGS

AT_ONCE = 20  # tables: nobody who plays waits longer than for these


@dataclass(frozen=True)
class Keeping:
    """Days without use after which a table is deleted; 0 is never."""

    days: int = 365
    unplayed_days: int = 7
    archive: Path | None = None  # where the records of games go before they are deleted

    @property
    def unplayed(self) -> int:
        """… where nobody ever rolled or moved: never later than the others."""
        return min(self.unplayed_days, self.days) if self.days else 0


def day_of(connection: sa.Connection, date: str) -> int:
    """The number of a day: one more than the last where the date is another one."""
    last = connection.execute(sa.select(DAYS.c.day, DAYS.c.date).order_by(DAYS.c.day.desc()).limit(1)).first()
    if last is not None and last.date == date:
        return int(last.day)
    day = 1 if last is None else last.day + 1
    connection.execute(DAYS.insert(), {"day": day, "date": date})
    connection.execute(DAYS.delete().where(DAYS.c.day < day))
    return int(day)


def expired(connection: sa.Connection, day: int, keeping: Keeping, free: sa.ColumnElement[bool]) -> list[str]:
    """Some tables that nobody used for too long, unplayed ones first."""
    found: list[str] = []
    for played, days in ((False, keeping.unplayed), (True, keeping.days)):
        if days and len(found) < AT_ONCE:
            c = OPENINGS.c
            unused = sa.select(c.id).where(c.played == played, c.used < day - days, free).order_by(c.used)
            found += connection.scalars(unused.limit(AT_ONCE - len(found)))
    return found


def restless(connection: sa.Connection, day: int, free: sa.ColumnElement[bool]) -> list[str]:
    """Some tables that nobody used since yesterday and that are not packed: a server ended without doing it."""
    c, opening = OPENINGS.c, FACTS.c.opening
    # from one table to the next, instead of through all facts of those that are being played
    loose = sa.select(sa.func.min(opening).label("opening")).cte("loose", recursive=True)
    after = sa.select(sa.func.min(opening)).where(opening > loose.c.opening).scalar_subquery().correlate(loose)
    loose = loose.union_all(sa.select(after).where(loose.c.opening.is_not(None)))
    found = sa.select(loose.c.opening).join(OPENINGS, c.id == loose.c.opening).where(c.used < day - 1, free)
    return list(connection.scalars(found.limit(AT_ONCE)))
