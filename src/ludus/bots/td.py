"""`td`, `td2`, `td3`: take the move after which a net gives the best chance, looking one, two or three steps ahead."""

from __future__ import annotations

from ludus.bots.net_bot import NetBot
from ludus.core.kernels.codes import NET


class TdBot(NetBot):
    """The move that the net likes best."""

    name = "td"

    @property
    def in_kernel(self) -> tuple[int, int, int]:
        """The policy of this bot inside compiled games; the option is the number of its net among those handed in."""
        return (NET + self.depth - 1, 0, self.seed)


class Td2Bot(TdBot):
    """Looks at every roll after a move, and at the best answer to it."""

    name = "td2"
    depth = 2


class Td3Bot(TdBot):
    """Looks at the rolls and answers after those, too."""

    name = "td3"
    depth = 3
