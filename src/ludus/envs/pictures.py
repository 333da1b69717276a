"""Positions as pixels and in a window, from the same SVG as everywhere else (Z31, Z32)."""

from __future__ import annotations

from typing import Any

from ludus.core.errors import LudusError, quoted, suggestion
from ludus.core.position import Position
from ludus.envs import needs

RENDER_MODES = ("human", "rgb_array", "ansi")
FRAMES_PER_SECOND = 4
DEFAULT_WIDTH = 640
FONT = "FreeSans"  # the one that pygame brings


def check_render_mode(mode: Any) -> str | None:
    """A render mode or None; anything else is a LudusError."""
    if mode is None or mode in RENDER_MODES:
        return mode  # type: ignore[no-any-return]
    hint = suggestion(str(mode), RENDER_MODES)
    raise LudusError(f"render_mode: {', '.join(RENDER_MODES)} or None, not {quoted(mode)}{hint}")


def as_pixels(position: Position, width: int = DEFAULT_WIDTH) -> Any:
    """uint8[height, width, 3]: the board's SVG, rasterised by resvg; the same on every machine, letters included."""
    import io
    from pathlib import Path

    import numpy as np

    try:
        import pygame
        import resvg_py
    except ModuleNotFoundError as error:
        raise needs(error) from None
    font = Path(pygame.__file__).parent / pygame.font.get_default_font()
    drawn = resvg_py.svg_to_bytes(
        svg_string=position.svg(),
        width=width,
        background="#ffffff",
        skip_system_fonts=True,  # there may be none, and then text is left out
        font_files=[str(font)],
        sans_serif_family=FONT,
    )
    png = bytes(drawn)
    surface = pygame.image.load(io.BytesIO(png), "board.png")
    return np.ascontiguousarray(pygame.surfarray.array3d(surface).transpose(1, 0, 2))


class Window:
    """A window that shows positions; opened at the first one."""

    def __init__(self, title: str, width: int = DEFAULT_WIDTH) -> None:
        self.title = title
        self.width = width
        self._screen: Any = None
        self._clock: Any = None

    def show(self, position: Position) -> None:
        """Draw a position, and wait so long that an eye can follow."""
        import pygame

        pixels = as_pixels(position, self.width)
        if self._screen is None:
            pygame.display.init()
            pygame.display.set_caption(self.title)
            self._screen = pygame.display.set_mode((pixels.shape[1], pixels.shape[0]))
            self._clock = pygame.time.Clock()
        pygame.event.pump()
        self._screen.blit(pygame.surfarray.make_surface(pixels.transpose(1, 0, 2)), (0, 0))
        pygame.display.flip()
        self._clock.tick(FRAMES_PER_SECOND)

    def close(self) -> None:
        """Close the window, if it is open."""
        if self._screen is not None:
            import pygame

            pygame.display.quit()
            self._screen = None


class Renderer:
    """What `render()` of an environment returns, by its render mode."""

    def __init__(self, mode: str | None, title: str) -> None:
        self.mode = check_render_mode(mode)
        self.window = Window(title)

    def render(self, position: Position) -> Any:
        """Pixels, text, or None where a window shows it."""
        if self.mode == "rgb_array":
            return as_pixels(position)
        if self.mode == "ansi":
            return position.text(colour=True)
        if self.mode == "human":
            self.window.show(position)
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        self.window.close()

    def __deepcopy__(self, memo: dict[int, Any]) -> Renderer:
        return Renderer(self.mode, self.window.title)  # a copy opens a window of its own

    def __reduce__(self) -> tuple[Any, ...]:
        return (Renderer, (self.mode, self.window.title))
