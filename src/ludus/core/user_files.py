"""Python files of users: bots and plug-ins that somebody names by their paths. Nothing else ever runs a file."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from ludus.core.errors import LudusError, UnknownName, in_a_line, quoted


def module_of_file(path: Path, what: str, error: type[LudusError] = LudusError) -> ModuleType:
    """The module in a Python file, run anew; `what` names it in errors, which are UnknownName or an `error`."""
    if not path.is_file():
        raise UnknownName(f"{what} {quoted(str(path))}: there is no such file")
    # the same name in every process that loads the file, so that its objects can be pickled
    label = f"ludus_file_{hashlib.sha256(bytes(path.resolve())).hexdigest()[:16]}"
    spec = importlib.util.spec_from_file_location(label, path)
    if spec is None or spec.loader is None:
        raise error(f"{what} {quoted(str(path))}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[label] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as failure:
        del sys.modules[label]
        raise error(f"{what} {path} fails to import: {in_a_line(failure)}") from failure
    return module
