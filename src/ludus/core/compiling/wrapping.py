"""Entries as Python calls them: wrappers in compiled code over Python's C interface.

A wrapper has the shape of a METH_FASTCALL function. It asks every array for its buffer, tests that it is what the entry
says (an array of that type, contiguous, one may write to it), calls the entry, without the interpreter's lock where it
works long, and gives the result back. To do the same by ctypes takes longer than most moves.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from ludus.core.compiling.emitting import Emitter, Value
from ludus.core.compiling.faults import RECORD
from ludus.core.compiling.language import BOOL, FLOAT, INT, LLVM, NOTHING, TABLES, Element
from ludus.core.compiling.lowering import Lowering, Shape

# struct Py_buffer: buf, obj, len, itemsize, readonly, ndim, format, shape, strides, suboffsets, internal
BUFFER = "{{ptr, ptr, {word}, {word}, i32, i32, ptr, ptr, ptr, ptr, ptr}}"
BUF, LEN, ITEM_SIZE, FORMAT = 0, 2, 3, 6
WRITABLE, FORMATTED, CONTIGUOUS = 0x1, 0x4, 0x38
# how a number is read and given: the function, its type, and a test for what it returns where it can't
READS = {
    INT: ("PyLong_AsLongLong", "i64", "icmp eq i64 {}, -1"),
    FLOAT: ("PyFloat_AsDouble", "double", "fcmp oeq double {}, -1.0"),
    BOOL: ("PyObject_IsTrue", "i32", "icmp eq i32 {}, -1"),
}
# a C long has 32 bits on Windows: it is then the lower half of what is handed over
GIVES = {INT: ("PyLong_FromLongLong", "i64"), FLOAT: ("PyFloat_FromDouble", "double"), BOOL: ("PyBool_FromLong", "i64")}


class Wrapper:
    """The wrapper of one entry while it is written."""

    def __init__(self, whole: Lowering, name: str, symbol: str, shape: Shape, is_long: bool) -> None:
        self._whole, self._name, self._symbol, self._shape, self._is_long = whole, name, symbol, shape, is_long
        self._out = Emitter()
        self._word, self._buffer = whole.word, BUFFER.format(word=whole.word)
        self._views: list[str] = []  # buffers that are held, to be released at the end

    def text(self) -> str:
        """The whole function: PyObject *name(PyObject *self, PyObject *const *args, Py_ssize_t nargs)."""
        out = self._out
        self._result = out.slot("ptr", "null")
        fault = out.slot(RECORD)
        out.add(f"store {RECORD} zeroinitializer, ptr {fault}")
        self._need(out.let(f"icmp eq {self._word} %nargs, {len(self._shape.parameters)}"), self._wanted())
        given = [f"ptr {fault}"]
        for number, (name, wanted) in enumerate(self._shape.parameters):
            given += self._array(number, name, wanted) if isinstance(wanted, Element) else self._number(number, wanted)
        value = self._call(given)
        failed = out.let(f"icmp ne ptr {out.let(f'load ptr, ptr {fault}')}, null")
        leave, stay = out.label(), out.label()
        out.fork(failed, leave, stay)
        out.start(leave)
        self._fail(fault)
        out.start(stay)
        out.add(f"store ptr {self._give(value)}, ptr {self._result}")
        out.jump(self._release(len(self._views)))
        for number in range(len(self._views), 0, -1):
            out.start(self._release(number))
            self._python("void", "PyBuffer_Release", f"ptr {self._views[number - 1]}")
            out.jump(self._release(number - 1))
        out.start(self._release(0))
        out.add(f"ret ptr {out.let(f'load ptr, ptr {self._result}')}")
        first = f"define ptr @{wrapper_name(self._name)}(ptr %self, ptr %args, {self._word} %nargs) nounwind {{"
        return "\n".join([first, "entry:", *out.slots, "  br label %body", "body:", *out.lines, "}"])

    def _release(self, number: int) -> str:
        """The block that releases the first `number` buffers and returns."""
        return f"release{number}"

    def _wanted(self) -> str:
        return f"{self._name} takes {', '.join(name for name, _ in self._shape.parameters)}"

    def _python(self, result: str, name: str, *arguments: str) -> str:
        """Call a function of Python's C interface."""
        call = f"call {result} {self._whole.host.load(self._out, name)}({', '.join(arguments)})"
        if result == "void":
            self._out.add(call)
            return ""
        return self._out.let(call)

    def _need(self, holds: str, complaint: str) -> None:
        """A TypeError, unless a test holds."""
        out, wrong, right = self._out, self._out.label(), self._out.label()
        out.fork(holds, right, wrong)
        out.start(wrong)
        error = self._whole.host.load(out, "TypeError")
        self._python("void", "PyErr_SetString", f"ptr {error}", f"ptr {self._whole.text(complaint)}")
        out.jump(self._release(len(self._views)))
        out.start(right)

    def _argument(self, number: int) -> str:
        return self._out.let(f"load ptr, ptr {self._out.let(f'getelementptr ptr, ptr %args, i64 {number}')}")

    def _array(self, number: int, name: str, element: Element) -> list[str]:
        out, view = self._out, self._out.slot(self._buffer)
        flags = FORMATTED | CONTIGUOUS | (0 if name == TABLES else WRITABLE)
        complaint = f"{self._name}: {name} is a contiguous array of {element.name}"
        got = self._python("i32", "PyObject_GetBuffer", f"ptr {self._argument(number)}", f"ptr {view}", f"i32 {flags}")
        self._need(out.let(f"icmp eq i32 {got}, 0"), complaint)
        self._views.append(view)
        given = self._field(view, FORMAT, "ptr")
        unsaid = out.let(f"icmp eq ptr {given}, null")  # bytes then
        letter = out.let(f"select i1 {unsaid}, ptr {self._whole.text('B')}, ptr {given}")
        first = out.let(f"load i8, ptr {letter}")
        fits = out.let(f"icmp eq {self._word} {self._field(view, ITEM_SIZE, self._word)}, {element.bytes}")
        named = "false"
        for one in element.formats:
            named = out.let(f"or i1 {named}, {out.let(f'icmp eq i8 {first}, {ord(one)}')}")
        self._need(out.let(f"and i1 {named}, {fits}"), complaint)
        size = out.let(f"sdiv exact {self._word} {self._field(view, LEN, self._word)}, {element.bytes}")
        if self._word != "i64":
            size = out.let(f"zext {self._word} {size} to i64")
        return [f"ptr {self._field(view, BUF, 'ptr')}", f"i64 {size}"]

    def _field(self, view: str, field: int, llvm: str) -> str:
        place = self._out.let(f"getelementptr {self._buffer}, ptr {view}, i32 0, i32 {field}")
        return self._out.let(f"load {llvm}, ptr {place}")

    def _number(self, number: int, kind: str) -> list[str]:
        """A number; where Python can't read it as one, its own error stands."""
        out = self._out
        function, llvm, may_be_wrong = READS[kind]
        value = self._python(llvm, function, f"ptr {self._argument(number)}")
        ask, wrong, right = out.label(), out.label(), out.label()
        out.fork(out.let(may_be_wrong.format(value)), ask, right)
        out.start(ask)
        out.fork(out.let(f"icmp ne ptr {self._python('ptr', 'PyErr_Occurred')}, null"), wrong, right)
        out.start(wrong)
        out.jump(self._release(len(self._views)))
        out.start(right)
        return [f"{LLVM[kind]} {value if kind != BOOL else out.let(f'trunc i32 {value} to i1')}"]

    def _call(self, given: list[str]) -> str:
        out, result = self._out, LLVM[self._shape.result]
        state = self._python("ptr", "PyEval_SaveThread") if self._is_long else ""
        call = f"call {result} {self._symbol}({', '.join(given)})"
        value = ""
        if self._shape.result == NOTHING:
            out.add(call)
        else:
            value = out.let(call)
        if state:
            self._python("void", "PyEval_RestoreThread", f"ptr {state}")
        return value

    def _fail(self, fault: str) -> None:
        """Have Python raise what the record says; its error is then set, and there is no result."""
        address = self._python("ptr", "PyLong_FromVoidPtr", f"ptr {fault}")
        self._python("ptr", "PyObject_CallOneArg", f"ptr {self._whole.host.load(self._out, 'fail')}", f"ptr {address}")
        self._python("void", "Py_DecRef", f"ptr {address}")
        self._out.jump(self._release(len(self._views)))

    def _give(self, value: str) -> str:
        """The result as an object of Python's."""
        kind = self._shape.result
        if kind == NOTHING:
            nothing = self._whole.host.load(self._out, "None")
            self._python("void", "Py_IncRef", f"ptr {nothing}")
            return nothing
        function, llvm = GIVES[kind]
        number = self._out.whole(Value(value, kind)) if kind == BOOL else value
        if kind == BOOL and self._word != llvm:
            llvm, number = self._word, self._out.let(f"trunc i64 {number} to {self._word}")
        return self._python("ptr", function, f"{llvm} {number}")


def wrapper_name(entry: str) -> str:
    """The symbol of an entry's wrapper."""
    return f"ludus_{entry}"


class _Method(ctypes.Structure):
    """struct PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


METH_FASTCALL = 0x80
_METHODS: list[_Method] = []  # Python refers to them as long as it runs


def as_function(name: str, address: int, doc: str) -> Callable[..., Any]:
    """A wrapper that has been loaded, as a function of Python's."""
    method = _Method(name.encode(), address, METH_FASTCALL, doc.encode())
    _METHODS.append(method)
    shape = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.POINTER(_Method), ctypes.c_void_p, ctypes.c_void_p)
    make = shape(("PyCFunction_NewEx", ctypes.pythonapi))
    function: Callable[..., Any] = make(ctypes.byref(method), None, None)
    return function
