"""One kernel source, loaded twice: interpreted at once, compiled when it pays.

The interpreted twin is the module as Python imports it. The compiled twin is the same file executed again under
another name, with every function replaced by its Numba compilation; functions find each other through the module's
globals, so compiled code calls compiled code. Numba's cache does not notice edits in other files, so the cache folder
is named by a digest of all the sources that take part.

A generic kernel module (batches, bots, search) takes the functions of a game from `core.kernel_playing`, or those of a
family from its own `kernel_playing`, where they are names without bodies; its twin is made over a game's own kernel
modules, which give them bodies. It can be made for one game alone, with the header of its tables as constants (see
core.fixing).
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.util
import inspect
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from ludus.core import fixing


def cache_home() -> Path | None:
    """The folder for compiled code, or None where nothing can be written."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    home = Path(os.environ.get("LUDUS_CACHE_DIR") or base) / "ludus"
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home):
            return home
    except OSError:
        return None


# modules of this name hold placeholders: what generic kernels ask of any game, or of any kernel of a family
PLACEHOLDERS = "kernel_playing"


def _is_placeholder(function: FunctionType) -> bool:
    return function.__module__.rpartition(".")[2] == PLACEHOLDERS


# the functions of all kernels loaded so far, as Numba's libraries are called
_kernel_names: set[str] = set()


class Twin:
    """A kernel module and, from the first need on, its compiled double.

    `over` names the kernel modules, the nearest first, that give a generic module's placeholders their bodies.
    `header`, where it is given, is that of the tables that the compiled double will ever see.
    """

    def __init__(self, name: str, over: tuple[str, ...] = (), header: tuple[int, ...] = ()) -> None:
        self.name = name
        self.over = over
        self.header = header
        original = importlib.import_module(name)
        self.interpreted: ModuleType = _bound(original, over, {}) if over else original
        self._compiled: ModuleType | None = None
        self._lock = threading.Lock()

    @property
    def is_compiled(self) -> bool:
        """Whether the compiled double has been loaded in this process."""
        return self._compiled is not None

    def compiled(self) -> ModuleType:
        """The compiled double; loads it (and Numba) on first use."""
        with self._lock:
            if self._compiled is None:
                self._compiled = self._load()
            return self._compiled

    def _load(self) -> ModuleType:
        if not self.over:
            return _own_double(self.name)
        modules = [importlib.import_module(name) for name in (self.name, *self.over)]
        return _Doubles(_folder(modules, self.header), self.over, self.header).double(modules[0])


_LOADING = threading.RLock()


def _own_double(name: str) -> ModuleType:
    """The compiled double of a kernel module that needs no other: one per process, whoever takes functions from it."""
    with _LOADING:
        if name not in _OWN:
            original = importlib.import_module(name)
            _OWN[name] = _Doubles(_folder([original]), ()).double(original)
        return _OWN[name]


_OWN: dict[str, ModuleType] = {}


def _folder(modules: list[ModuleType], header: tuple[int, ...] = ()) -> Path | None:
    """Where the entries of compiled modules are cached."""
    home = cache_home()
    return home / f"kernels-{_digest(modules, header)}" if home else None


def _kernel_functions(module: ModuleType) -> dict[str, FunctionType]:
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and value.__module__.startswith("ludus.")
    }


def _digest(modules: list[ModuleType], header: tuple[int, ...] = ()) -> str:
    """A digest of the sources of kernel modules, and of those that they take functions or constants from."""
    names = [module.__name__ for module in modules]
    for name in names:  # grows while it is walked
        names += sorted(_imported_by(name) - set(names))
    # these files too: they say how the others are compiled
    ours = {__file__, inspect.getfile(fixing)}
    files = sorted({inspect.getfile(importlib.import_module(name)) for name in names} | ours)
    text = b"".join(Path(file).read_bytes() for file in files) + " ".join(m.__name__ for m in modules).encode()
    return hashlib.sha256(text + (repr(header).encode() if header else b"")).hexdigest()[:16]


@cache
def _imported_by(name: str) -> frozenset[str]:
    """The modules of ours that a module's source imports: a constant does not tell where it came from."""
    source = Path(inspect.getfile(importlib.import_module(name))).read_text(encoding="utf-8")
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return frozenset(one for one in found if one.startswith("ludus.") and _is_module(one))


def _is_module(name: str) -> bool:
    """Whether a dotted name is a module with a source; a package is none of a kernel's business."""
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError:  # a name in a module, not in a package
        return False
    return spec is not None and spec.submodule_search_locations is None


def _again(original: ModuleType, suffix: str, header: tuple[int, ...] = ()) -> ModuleType:
    """The same source executed once more, under another name; with a header, that is written into it."""
    file = inspect.getfile(original)
    spec = importlib.util.spec_from_file_location(f"{original.__name__}_{suffix}", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    if header:
        names = {name: value for name, value in vars(original).items() if name.isupper() and type(value) is int}
        fields = {name: header[value] for name, value in names.items() if 0 <= value < len(header)}
        exec(fixing.fixed_code(Path(file).read_text(encoding="utf-8"), file, fields), vars(module))
    else:
        spec.loader.exec_module(module)
    return module


def _body(name: str, over: tuple[str, ...]) -> tuple[str, str]:
    """The module and the name of the function that gives a placeholder its body."""
    for candidate in over:
        function = vars(importlib.import_module(candidate)).get(name)
        if isinstance(function, FunctionType) and not _is_placeholder(function):
            return function.__module__, function.__name__
    raise LookupError(f"no kernel of {', '.join(over)} has {name}")


def _is_generic(module: ModuleType) -> bool:
    """Whether a kernel module takes functions from the placeholders, itself or through another."""
    return any(
        _is_placeholder(function)
        or (function.__module__ != module.__name__ and _is_generic(importlib.import_module(function.__module__)))
        for function in _kernel_functions(module).values()
    )


def _bound(original: ModuleType, over: tuple[str, ...], done: dict[str, ModuleType]) -> ModuleType:
    """A generic kernel module, interpreted, with the functions of a game in its placeholders."""
    if original.__name__ in done or not _is_generic(original):
        return done.get(original.__name__, original)
    module = done[original.__name__] = _again(original, "_".join(["over", *over]).replace(".", "_"))
    for key, function in _kernel_functions(module).items():
        if _is_placeholder(function):
            place, name = _body(function.__name__, over)
            setattr(module, key, getattr(_bound(importlib.import_module(place), over, done), name))
        elif function.__module__ != module.__name__:
            source = _bound(importlib.import_module(function.__module__), over, done)
            setattr(module, key, getattr(source, function.__name__))
    return module


class _Doubles:
    """The compiled doubles of a kernel module and of those that it takes functions from."""

    def __init__(self, folder: Path | None, over: tuple[str, ...], header: tuple[int, ...] = ()) -> None:
        self.folder = folder
        self.over = over
        self.header = header
        self.done: dict[str, ModuleType] = {}

    def double(self, original: ModuleType) -> ModuleType:
        """The compiled double of one module."""
        if original.__name__ in self.done:
            return self.done[original.__name__]
        suffix = "_".join(["compiled", *self.over]).replace(".", "_")
        if self.header:
            suffix += "_" + hashlib.sha256(repr(self.header).encode()).hexdigest()[:16]
        header = self.header if original.__name__ in self.over else ()
        module = self.done[original.__name__] = _again(original, suffix, header)
        for key, function in _kernel_functions(module).items():
            if function.__module__ == module.__name__:
                setattr(module, key, _compiled(function, self.folder))
            else:
                place, name = function.__module__, function.__name__
                if _is_placeholder(function):
                    place, name = _body(name, self.over)
                source = importlib.import_module(place)
                alone = self.over and not _is_generic(source) and not (self.header and place in self.over)
                setattr(module, key, getattr(_own_double(place) if alone else self.double(source), name))
        return module


def _compiled(function: FunctionType, folder: Path | None) -> Any:
    """The Numba compilation of a function; entries (`…_api`, `playouts`) are cached in `folder` where there is one."""
    numba: Any = importlib.import_module("numba")  # its types do not know all of its options
    config = numba.config
    name = function.__name__
    entry = _is_entry(name)
    _kernel_names.add(function.__qualname__)
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder) if folder else before
    try:
        compiled = numba.njit(
            # `_api` entries share one scratch array per game, so they keep the interpreter lock
            nogil=name == "playouts",
            cache=entry and folder is not None,
            error_model="numpy",
            forceinline=_is_hot(function),
            no_cpython_wrapper=not entry,
            no_cfunc_wrapper=True,
            # kernels allocate nothing; without reference counts on every argument calls are four times faster
            _nrt=False,
        )(function)
    finally:
        config.CACHE_DIR = before
    if entry:
        compiled.compile = _as_one_piece(compiled.compile, folder and folder / f"{function.__qualname__}.lock")
    return compiled


def typed(entry: Any, arguments: tuple[Any, ...]) -> Any:
    """An entry for arguments of these types and no others: to ask for them at each call takes longer than a move."""
    if isinstance(entry, FunctionType):  # interpreted
        return entry
    numba: Any = importlib.import_module("numba")
    return entry.compile(tuple(map(numba.typeof, arguments)))


def _is_entry(name: str) -> bool:
    """Whether a kernel function is called from outside: kernels have no other use for it."""
    return name.endswith("_api") or name == "playouts"


@contextmanager
def _one_process_at_a_time(lock: Path | None) -> Iterator[None]:
    """Hold a file's lock; the next process then finds in the cache what the first has compiled.

    It is a need as well: Numba numbers the files of its cache by an index that it reads before and writes after, so
    two processes that compile one function at once, for different arguments, could leave one's code under the other's
    name.
    """
    with ExitStack() as held:
        with suppress(ImportError, OSError):  # no fcntl on Windows, no folder to write to
            fcntl: Any = importlib.import_module("fcntl")
            if lock is not None:
                lock.parent.mkdir(parents=True, exist_ok=True)
                fcntl.flock(held.enter_context(open(lock, "w")), fcntl.LOCK_EX)
        yield


def _as_one_piece(compile_entry: Callable[..., Any], lock: Path | None) -> Callable[..., Any]:
    """Compile an entry and all that it calls, optimised once and as a whole.

    Numba optimises every function together with what it calls, and makes machine code of it, before its callers do
    the same again. Of a kernel only the entries are called from outside, so the others stay as they were read until
    the entry that they become part of is optimised: a third of the time. And no kernel index is negative: without
    Python's counting from the end, two instructions at each access, playouts are 1.4 times faster. Numba has no
    option for either, so its functions are replaced while our own code is compiled, under its compiler lock.
    """
    from numba.core.compiler_lock import global_compiler_lock

    codegen: Any = importlib.import_module("numba.core.codegen")
    arrays: Any = importlib.import_module("numba.np.arrayobj")
    libraries, targets = codegen.JITCodeLibrary, codegen.JITCPUCodegen
    with global_compiler_lock:  # nobody else has replaced them
        finalize, set_env, fix_index = libraries.finalize, targets.set_env, arrays.fix_integer_index

    def finalize_kernel(library: Any) -> None:
        if library.name not in _kernel_names:
            finalize(library)
            return
        for linked in dict.fromkeys(library._linking_libraries):
            library._reload_init.update(linked._reload_init)
            library._final_module.link_in(linked._get_module_for_linking(), preserve=True)
        if _is_entry(library.name):
            passes, builder = library._codegen._module_pass_manager()
            passes.run(library._final_module, builder)
            library._final_module.verify()
            library._finalize_final_module()
        else:
            library._finalize_dynamic_globals()
            library._finalized = True

    def set_env_where_it_is(target: Any, name: str, env: Any) -> None:
        if target._engine.is_symbol_defined(name):
            set_env(target, name, env)

    def compile_as_one_piece(signature: Any) -> Any:
        with global_compiler_lock, _one_process_at_a_time(lock):
            arrays.fix_integer_index = _plain_index
            libraries.finalize, targets.set_env = finalize_kernel, set_env_where_it_is
            try:
                return compile_entry(signature)
            finally:
                arrays.fix_integer_index = fix_index
                libraries.finalize, targets.set_env = finalize, set_env

    return compile_as_one_piece


def _plain_index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    from numba.core import types

    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


def _is_hot(function: FunctionType) -> bool:
    """Whether the kernel asks for a function to be inlined: its module lists them in INLINED."""
    return function.__name__ in function.__globals__.get("INLINED", ())
