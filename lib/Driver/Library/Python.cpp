//===- Python.cpp - The Python module of a library ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `kernel.py`: loads the library beside it by ctypes. Tables are written for the
/// program, procedures get a `def` of their own each,
///
///     def step(X, k):
///         _call(_lib.kernel_step, ...)
///
/// and the rest is the same in all modules. Arrays are NumPy's over the
/// library's memory, or over the caller's: nothing is copied where the runtime
/// does not.
///
/// Calls go through functions in C of the same names, which the library has for
/// CPython (runtime/lib/Entry/Library/Python.cpp) and which fall back on these:
/// a call takes 0.2 us instead of 0.6, with an array 0.6 instead of 5.
///
//===----------------------------------------------------------------------===//

#include "Library/Exports.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace zpl::driver {

static constexpr const char *PythonHead =
    R"py("""Made by zplc --library of the program @NAME@.

init(p=1, comm=None, options=(), **config) starts it, finish() ends it. Exported
arrays are attributes, NumPy arrays over the library's memory (on several
processors: over this processor's block); get(name) and set(name, array) copy
whole arrays. Run-time errors are RuntimeError.
"""
import ctypes as _c
import enum as _enum
import os as _os
import sys as _sys
import weakref as _weakref

import numpy as _np

_lib = _c.CDLL(_os.path.join(_os.path.dirname(_os.path.abspath(__file__)), "@FILE@"))
_status = _c.c_int.in_dll(_lib, "@NAME@_last_status")


class _View(_c.Structure):
    _fields_ = [("data", _c.c_void_p), ("rank", _c.c_int32), ("type", _c.c_int32), ("size", _c.c_int64)] + [
        (name, _c.c_int64 * 6) for name in ("extent", "stride", "first", "step", "offset", "whole")]


class _Record(_c.Structure):
    def __repr__(self):
        values = ("%s=%r" % (name, getattr(self, name)) for name, _ in self._fields_)
        return "%s(%s)" % (type(self).__name__, ", ".join(values))

    def __eq__(self, other):
        return type(self) is type(other) and all(getattr(self, name) == getattr(other, name) for name, _ in self._fields_)


def _record(value, kind, name):
    if not isinstance(value, kind):
        raise TypeError("'%s' is no %s but %s" % (name, kind.__name__, type(value).__name__))
    return kind.from_buffer_copy(value)


def _function(name, result, *types):
    function = getattr(_lib, "@NAME@_" + name)
    function.restype, function.argtypes = result, types
    return function


_init = _function("init", _c.c_int, _c.c_int, _c.POINTER(_c.c_char_p))
_init_mpi = _function("init_mpi", _c.c_int, _c.c_int, _c.c_int, _c.POINTER(_c.c_char_p))
_finish = _function("finish", _c.c_int)
_error = _function("error", _c.c_char_p)
processors = _function("processors", _c.c_int)
_view = _function("view", _c.c_int, _c.c_char_p, _c.POINTER(_View))
_get = _function("get", _c.c_int, _c.c_char_p, _c.c_void_p, _c.c_int64)
_set = _function("set", _c.c_int, _c.c_char_p, _c.c_void_p, _c.c_int64)

def _in_c(*functions):
    """Functions in C that do the same at once what is right, and leave the rest
    to these. By ctypes alone: ZPL_PYTHON=ctypes, and other Pythons."""
    if _os.environ.get("ZPL_PYTHON") == "ctypes":
        return functions
    if _sys.implementation.name != "cpython" or _sys.version_info < (3, 11):
        return functions
    make = _c.PyDLL(_lib._name).@NAME@_python
    make.restype, make.argtypes = _c.py_object, (_c.py_object,) * 3
    return make(functions, _raise, _np.ndarray)


_views = {}  # arrays that were asked for
_memories = []  # weak references to what they stand on


def _raise(status):
    message = _error().decode(errors="replace").rstrip()
    raise (ValueError if status == 2 else RuntimeError)(message)


def _text(value):
    if not isinstance(value, str):
        raise TypeError("a string is wanted, not %s" % type(value).__name__)
    data = value.encode()
    if 0 in data:
        raise ValueError("a string of ZPL has no character 0")
    return data


def init(p=None, comm=None, options=(), **config):
    """Starts the library on p processors, or on those of an MPI communicator of
    mpi4py. Further options are as on the command line of a ZPL program; other
    keywords are values of config variables."""
    words = list(options)
    if p is not None:
        words.append("-p%d" % p)
    for name, value in config.items():
        if name not in _configs:
            raise TypeError("there is no config variable '%s'; there are: %s" % (name, ", ".join(_configs) or "none"))
        if isinstance(value, (bool, _np.bool_)):
            value = "true" if value else "false"
        words.append("-s%s=%s" % (name, value))
    data = (_c.c_char_p * (len(words) + 1))(*[_text(word) for word in words])
    if comm is None:
        status = _init(len(words), data)
    else:
        status = _init_mpi(comm if isinstance(comm, int) else comm.py2f(), len(words), data)
    if status:
        _raise(status)


def finish():
    """Ends the library; its arrays must not be in use any more."""
    _views.clear()
    if any(memory() is not None for memory in _memories):
        raise RuntimeError("arrays of the library are still in use; delete them first")
    _memories.clear()
    status = _finish()
    if status:
        _raise(status)


def view(name):
    """This processor's block of an exported array, over the library's memory."""
    if name not in _arrays:
        raise AttributeError("the library exports no array '%s'" % name)
    found = _View()
    if _view(name.encode(), found):
        _raise(_status.value)
    known = _views.get(name)
    rank = found.rank
    extent, stride = tuple(found.extent[:rank]), tuple(found.stride[:rank])
    if known and known[0] == (found.data, extent, stride):
        return known[1]
    dtype = _np.dtype(_arrays[name])
    if not found.data:
        return _np.empty(extent, dtype)
    bytes = dtype.itemsize + sum((n - 1) * s for n, s in zip(extent, stride))
    memory = (_c.c_char * bytes).from_address(found.data)
    _memories[:] = [one for one in _memories if one() is not None]
    _memories.append(_weakref.ref(memory))
    array = _np.ndarray(extent, dtype, memory, 0, stride)
    _views[name] = ((found.data, extent, stride), array)
    return array


def first(name):
    """The indices that the first element of view(name) has in ZPL."""
    found = _View()
    if _view(name.encode(), found):
        _raise(_status.value)
    return tuple(found.first[:found.rank])


def get(name):
    """A copy of a whole exported array, from all processors."""
    shape, dtype = _whole(name)
    array = _np.empty(shape, dtype)
    if _get(name.encode(), array.ctypes.data, array.nbytes):
        _raise(_status.value)
    return array


def set(name, values):
    """Gives a whole exported array these values, on all processors."""
    shape, dtype = _whole(name)
    array = _np.ascontiguousarray(values)
    if array.dtype != dtype:
        raise TypeError("'%s' has elements of type %s, not %s" % (name, dtype, array.dtype))
    if array.shape != shape:
        raise ValueError("'%s' has the shape %s, not %s" % (name, shape, array.shape))
    if _set(name.encode(), array.ctypes.data, array.nbytes):
        _raise(_status.value)


def _whole(name):
    if name not in _arrays:
        raise AttributeError("the library exports no array '%s'" % name)
    found = _View()
    if _view(name.encode(), found):
        _raise(_status.value)
    return tuple(found.whole[:found.rank]), _np.dtype(_arrays[name])


def __getattr__(name):
    if name in _arrays:
        return view(name)
    raise AttributeError("module '@NAME@' has no attribute '%s'" % name)


def _argument(array, name, dtype, code, rank, writes):
    """A view of a NumPy array of the caller."""
    if not isinstance(array, _np.ndarray):
        raise TypeError("'%s' is no NumPy array but %s" % (name, type(array).__name__))
    if array.dtype != dtype:
        raise TypeError("'%s' has elements of type %s, not %s" % (name, array.dtype, dtype))
    if array.ndim != rank:
        raise ValueError("'%s' has %d dimensions, not %d" % (name, array.ndim, rank))
    if writes and not array.flags.writeable:
        raise ValueError("'%s' is read-only" % name)
    found = _View(array.ctypes.data, rank, code, dtype.itemsize)
    found.extent[:rank] = array.shape
    found.stride[:rank] = array.strides
    return found


)py";

namespace {

class PythonWriter {
public:
  explicit PythonWriter(const Exports &exports) : exports(exports), os(text) {}
  std::string write();

private:
  void head();
  void procedure(const ExportedProcedure &procedure);

  const Exports &exports;
  std::string text;
  raw_string_ostream os;
};

} // namespace

void PythonWriter::head() {
  StringRef rest = PythonHead;
  while (!rest.empty()) {
    auto [before, after] = rest.split('@');
    os << before;
    auto [word, further] = after.split('@');
    os << (word == "NAME"   ? StringRef(exports.name)
           : word == "FILE" ? StringRef(exports.file)
                            : StringRef());
    rest = further;
  }
  os << pythonTypes(exports) << "_arrays = {";
  for (size_t k = 0; k < exports.ownArrays; ++k)
    os << (k ? ", " : "")
       << formatv("\"{0}\": \"{1}\"", exports.arrays[k].name,
                  exports.arrays[k].type->numpy);
  os << "}\n_configs = (";
  for (const ExportedConfig &config : exports.configs)
    os << '"' << config.name << "\", ";
  os << ")\n";
}

/// ctypes would leave out the upper bits.
static std::string rangeCheck(const ExportedParam &param) {
  StringRef type = param.type->ctypes; // c_int32, c_uint8 ...
  bool isSigned = type.consume_front("c_int");
  unsigned bits = 0;
  if (!isSigned && !type.consume_front("c_uint"))
    return "";
  if (type.getAsInteger(10, bits))
    return "";
  std::string least =
      isSigned ? formatv("-{0}", uint64_t(1) << (bits - 1)).str() : "0";
  uint64_t most = ~uint64_t(0) >> (64 - bits + isSigned);
  return formatv("    if not {0} <= {1} <= {2}:\n"
                 "        raise ValueError(\"'{1}' does not fit: %s\" % {1})\n",
                 least, param.name, most);
}

/// Makes the value one of the enumeration, or a copy of the record.
static std::string namedCheck(const ExportedParam &param) {
  const ExportedType &named = *param.type->named;
  return named.isEnum ? formatv("    {0} = {1}({0})\n", param.name, named.name)
                      : formatv("    {0} = _record({0}, {1}, \"{0}\")\n",
                                param.name, named.name);
}

/// What the caller gets of a value of ctypes.
static std::string asPython(const ForeignType &type, std::string value) {
  bool isEnum = type.named && type.named->isEnum;
  return isEnum ? type.named->name + "(" + value + ")" : value;
}

namespace {

/// The pieces of a call.
struct PythonCall {
  std::string types, params, before, args, results;
};

} // namespace

static void addPythonParam(PythonCall &call, const ExportedParam &param) {
  bool isGiven = param.isIn || param.kind == ExportedParam::Array;
  std::string own = "a_" + param.name;
  if (isGiven)
    call.params += (call.params.empty() ? "" : ", ") + param.name;
  const ExportedType *named = param.type ? param.type->named : nullptr;
  if (param.kind == ExportedParam::Scalar && param.isIn)
    call.before += named ? namedCheck(param) : rangeCheck(param);
  if (param.kind == ExportedParam::String) {
    call.types += ", _c.c_char_p";
    call.args += ", _text(" + param.name + ")";
  } else if (param.kind == ExportedParam::Array) {
    call.types += ", _c.POINTER(_View)";
    call.args +=
        formatv(", _argument({0}, \"{0}\", _np.dtype(\"{1}\"), {2}, {3}, "
                "{4})",
                param.name, param.type->numpy, param.type->code, param.rank,
                param.isOut ? "True" : "False");
  } else if (param.isOut) {
    call.types += ", _c.POINTER(" + ctypesName(*param.type) + ")";
    bool isRecord = named && !named->isEnum;
    if (isRecord && param.isIn)
      call.before += formatv("    {0} = {1}\n", own, param.name);
    else
      call.before +=
          formatv("    {0} = {1}({2})\n", own, ctypesName(*param.type),
                  param.isIn ? param.name : "");
    call.args += ", " + own;
    call.results += (call.results.empty() ? "" : ", ") +
                    (isRecord ? own : asPython(*param.type, own + ".value"));
  } else {
    call.types += ", " + ctypesName(*param.type);
    call.args += ", " + param.name;
  }
}

void PythonWriter::procedure(const ExportedProcedure &procedure) {
  StringRef name = procedure.name;
  PythonCall call;
  for (const ExportedParam &param : procedure.params)
    addPythonParam(call, param);
  StringRef given = StringRef(call.args);
  given.consume_front(", ");
  std::string result = procedure.returnsString ? "_c.c_char_p"
                       : procedure.result      ? ctypesName(*procedure.result)
                                               : "None";
  os << formatv("\n\n_f_{0} = _function(\"{0}\", {1}{2})\n", name, result,
                call.types)
     << formatv("\n\ndef {0}({1}):\n{2}    try:\n        result = _f_{0}({3})\n"
                "    except _c.ArgumentError as error:\n"
                "        raise TypeError(str(error)) from None\n",
                name, call.params, call.before, given)
     << "    if _status.value:\n        _raise(_status.value)\n";
  std::string value = procedure.returnsString
                          ? "result.decode(errors=\"replace\")"
                      : procedure.result ? asPython(*procedure.result, "result")
                                         : "";
  if (!call.results.empty())
    value += (value.empty() ? "" : ", ") + call.results;
  if (!value.empty())
    os << "    return " << value << '\n';
}

std::string PythonWriter::write() {
  head();
  for (const ExportedProcedure &one : exports.procedures)
    procedure(one);
  if (exports.procedures.empty())
    return os.str();
  std::string names;
  for (const ExportedProcedure &one : exports.procedures)
    names += one.name + ", ";
  os << formatv("\n\n({0}) = _in_c({0})\n", names);
  return os.str();
}

std::string pythonText(const Exports &exports) {
  return PythonWriter(exports).write();
}

} // namespace zpl::driver
