"""The built browser client: its files, and what each of its pages will need, told with the page itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import FileResponse, PlainTextResponse
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from ludus.play.refusals import Refused

# files under /assets are named by what is in them: they never change
FOR_EVER = "public, max-age=31536000, immutable"
# parts of the client by the first part of the address, or by the question after it
BY_PATH = {"t": "Table", "r": "Replay", "j": "Join"}
BY_QUESTION = {"game": "New", "own": "New", "make": "Ours", "ours": "Ours", "share": "Ours", "rules": "Rules"}


def client_files() -> Path:
    """The built client, in the package."""
    return Path(str(resources.files("ludus.server") / "static"))


class Assets(StaticFiles):
    """Files that a browser need not ask for twice."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, to be kept."""
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = FOR_EVER
        return response


def serve_files(app: FastAPI) -> None:
    """Add the client to the application."""
    files = client_files()
    if (files / "assets").is_dir():
        app.mount("/assets", Assets(directory=files / "assets"))

    @app.get("/{path:path}", include_in_schema=False)
    async def page(path: str, request: Request) -> Response:
        """The client, which finds out from the address what to show; files by their names."""
        if path.startswith("api/"):
            raise Refused("not_found")
        # no folders: one name of a file that is there
        known = {file.name: file for file in files.iterdir() if file.is_file()} if files.is_dir() else {}
        if path in known:
            return FileResponse(known[path])
        if "." in path:
            raise Refused("not_found")
        if "index.html" not in known:
            return PlainTextResponse("The browser client is not built; `make web` builds it.\n", 503)
        headers = {"cache-control": "no-cache"}
        part = part_of(path, list(request.query_params))
        needed = needed_by(files, part) or (
            listing_for(request.headers.get("accept-language", "")) if path == "" else ""
        )
        if needed:
            headers["link"] = needed
        return FileResponse(known["index.html"], headers=headers)


def part_of(path: str, questions: list[str]) -> str | None:
    """The part of the client that an address needs besides the first page; None for that one."""
    head = path.partition("/")[0]
    return BY_PATH.get(head) or next((BY_QUESTION[one] for one in questions if one in BY_QUESTION), None)


def listing_for(accepted: str) -> str:
    """The list of games, for the browser to fetch at once, in the language that the client will choose."""
    tongues = [tongue.strip()[:2].lower() for tongue in accepted.split(",")]
    lang = next((tongue for tongue in tongues if tongue in ("en", "fr")), "en")
    return f"</api/games?lang={lang}>; rel=preload; as=fetch; crossorigin"


@cache
def needed_by(files: Path, part: str | None) -> str:
    """The files of a part, for the browser to fetch at once instead of one after the other; '' where none are known."""
    manifest = files / ".vite" / "manifest.json"
    if part is None or not manifest.is_file():
        return ""
    chunks: dict[str, Any] = json.loads(manifest.read_text(encoding="utf-8"))
    found = dict.fromkeys(_files_of(chunks, f"src/pages/{part}.svelte"))
    return ", ".join(
        f"</{file}>; rel=modulepreload" if file.endswith(".js") else f"</{file}>; rel=preload; as=style"
        for file in found
    )


def _files_of(chunks: dict[str, Any], name: str) -> Iterator[str]:
    chunk = chunks.get(name, {})
    if chunk.get("isEntry"):
        return
    for inner in chunk.get("imports", ()):
        yield from _files_of(chunks, inner)
    yield from [chunk["file"], *chunk.get("css", ())] if "file" in chunk else []
