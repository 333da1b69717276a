"""Windows are opened off screen here."""

from __future__ import annotations

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"
