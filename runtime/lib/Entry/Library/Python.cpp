//===- Python.cpp - Calls from Python without ctypes ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     kernel.smooth(x, 2.5, 7)
//
// ctypes takes 4 us to look at a NumPy array and to describe it; CPython's own
// interface for functions in C takes 0.2. So the Python module of a library has
// two functions for each procedure: one of C, from here, and the one that calls
// by ctypes. Ours goes through the library's table of parameters, converts what
// it knows, and calls. Whatever it does not know (keywords, another type, a
// value that does not fit) it hands to the other one as it came, which says
// what is wrong; so all messages have one source.
//
// The functions of CPython that it calls are those of its stable ABI, weak
// symbols that are there when Python has loaded the library and null in other
// programs. So the library needs no headers of Python when it is made, nor its
// library, and is one file for all callers and versions.
//
// Cost: some 0.2 us for a call, 0.2 more for an array.
//
//===----------------------------------------------------------------------===//

#include "zrt/Library.h"

#include <cstring>
#include <string>

// The stable ABI of CPython, as far as it is used (PEP 384; buffers: 3.11).
extern "C" {
using PySize = intptr_t;
struct PyObject;
struct PyThreadState;
using PyFunction = PyObject *(*)(PyObject *, PyObject *const *, PySize,
                                 PyObject *);
struct PyMethodDef {
  const char *name;
  PyFunction function;
  int flags;
  const char *doc;
};
struct Py_buffer {
  void *buf;
  PyObject *obj;
  PySize len, itemsize;
  int readonly, ndim;
  char *format;
  PySize *shape, *strides, *suboffsets;
  void *internal;
};

#define PYTHON(result, name, ...) [[gnu::weak]] result name(__VA_ARGS__);
#include "Entry/Library/Python.def"
}

namespace {

constexpr int MethFastcallKeywords = 0x0080 | 0x0002;
constexpr int BufWritable = 0x0001, BufFormatStrides = 0x0004 | 0x0018;
constexpr int64_t MostParams = 16;

/// What the module has handed over, for the life of the process.
struct Bridge {
  const zrtL_library *library = nullptr;
  PyObject *others = nullptr;  ///< a tuple: functions that take anything
  PyObject *raise = nullptr;   ///< makes an exception of a status
  PyObject *ndarray = nullptr; ///< the type of arrays
};
Bridge bridge;

/// Converted arguments, until the call is over.
struct Arguments {
  union Value {
    uint64_t bits;
    double real;
    float single;
    const char *text;
  };
  Value values[MostParams] = {};
  zpl_view views[MostParams];
  Py_buffer buffers[MostParams];
  int64_t bufferCount = 0;

  ~Arguments() {
    while (bufferCount > 0)
      PyBuffer_Release(&buffers[--bufferCount]);
  }
};

bool isComplete() {
#define PYTHON(result, name, ...)                                              \
  if (!name)                                                                   \
    return false;
#include "Entry/Library/Python.def"
  return true;
}

/// Whether the last conversion has failed; forgets why.
bool hasFailed() {
  if (!PyErr_Occurred())
    return false;
  PyErr_Clear();
  return true;
}

bool isFitting(int64_t value, int64_t bytes, bool isSigned) {
  if (bytes == 8)
    return true;
  int64_t bits = 8 * bytes;
  return isSigned ? -(int64_t(1) << (bits - 1)) <= value &&
                        value < int64_t(1) << (bits - 1)
                  : 0 <= value && value < int64_t(1) << bits;
}

bool convertScalar(const zrtL_parameter &param, PyObject *given,
                   Arguments::Value &value) {
  switch (param.type) {
  case ZPL_FLOAT:
    value.single = static_cast<float>(PyFloat_AsDouble(given));
    return !hasFailed();
  case ZPL_DOUBLE:
    value.real = PyFloat_AsDouble(given);
    return !hasFailed();
  case ZPL_BOOLEAN: {
    int truth = PyObject_IsTrue(given);
    value.bits = truth > 0;
    return !hasFailed();
  }
  case ZPL_ULONGINT:
    value.bits = PyLong_AsUnsignedLongLong(given);
    return !hasFailed();
  case ZPL_SBYTE:
  case ZPL_SHORTINT:
  case ZPL_INTEGER:
  case ZPL_LONGINT: {
    long long number = PyLong_AsLongLong(given);
    value.bits = static_cast<uint64_t>(number);
    return !hasFailed() && isFitting(number, param.bytes, true);
  }
  case ZPL_CHAR:
  case ZPL_UBYTE:
  case ZPL_USHORTINT:
  case ZPL_UINTEGER: {
    long long number = PyLong_AsLongLong(given);
    value.bits = static_cast<uint64_t>(number);
    return !hasFailed() && isFitting(number, param.bytes, false);
  }
  default: // quad, which no caller gives as a scalar
    return false;
  }
}

bool convertString(PyObject *given, Arguments::Value &value) {
  PySize length = 0;
  value.text = PyUnicode_AsUTF8AndSize(given, &length);
  return !hasFailed() && strlen(value.text) == static_cast<size_t>(length);
}

/// Whether elements of a buffer are of \p type: its letter, in this machine's
/// order of bytes.
bool isFormat(const char *format, int32_t type) {
  static constexpr const char *Letters[] = {"?", "cB", "b",  "B",  "h",
                                            "H", "il", "IL", "ql", "QL",
                                            "f", "d",  "",   "F",  "D"};
  if (!format || type < 0 || type > ZPL_DCOMPLEX)
    return false;
  if (*format == '@' || *format == '=' ||
      (*format == '<' && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__))
    ++format;
  char letter = *format;
  if (letter == 'Z') { // complex: Zf, Zd
    letter = format[1] == 'f' ? 'F' : format[1] == 'd' ? 'D' : 0;
    ++format;
  }
  return letter != 0 && format[1] == 0 && strchr(Letters[type], letter);
}

bool convertArray(const zrtL_parameter &param, PyObject *given,
                  Arguments &arguments, zpl_view &view) {
  static constexpr PySize Sizes[] = {1, 1, 1, 1, 2, 2, 4, 4,
                                     8, 8, 4, 8, 0, 8, 16};
  if (PyObject_IsInstance(given, bridge.ndarray) != 1)
    return false;
  Py_buffer &buffer = arguments.buffers[arguments.bufferCount];
  bool writes = param.mode & ZRTL_OUT;
  int flags = BufFormatStrides | (writes ? BufWritable : 0);
  if (PyObject_GetBuffer(given, &buffer, flags) != 0) {
    PyErr_Clear();
    return false;
  }
  ++arguments.bufferCount;
  if (buffer.ndim != param.rank || !isFormat(buffer.format, param.type) ||
      buffer.itemsize != Sizes[param.type])
    return false;
  view.data = buffer.buf;
  view.rank = param.rank;
  view.type = param.type;
  view.size = buffer.itemsize;
  for (int32_t dim = 0; dim < param.rank; ++dim) {
    view.extent[dim] = buffer.shape[dim];
    view.stride[dim] = buffer.strides[dim];
  }
  return true;
}

/// Converts what the caller gives; false: the other function is to be asked.
bool convert(const zrtL_procedure &procedure, PyObject *const *given,
             PySize count, Arguments &arguments) {
  PySize next = 0;
  for (int64_t k = 0; k < procedure.count; ++k) {
    const zrtL_parameter &param = procedure.params[k];
    bool isGiven = param.kind == ZRTL_ARRAY || (param.mode & ZRTL_IN);
    if (!isGiven)
      continue;
    if (next == count)
      return false;
    PyObject *object = given[next++];
    bool isGood =
        param.kind == ZRTL_SCALAR
            ? convertScalar(param, object, arguments.values[k])
        : param.kind == ZRTL_STRING
            ? convertString(object, arguments.values[k])
            : convertArray(param, object, arguments, arguments.views[k]);
    if (!isGood)
      return false;
  }
  return next == count;
}

void store(const zrtL_procedure &procedure, Arguments &arguments) {
  for (int64_t k = 0; k < procedure.count; ++k) {
    const zrtL_parameter &param = procedure.params[k];
    if (param.kind == ZRTL_ARRAY)
      *static_cast<const zpl_view **>(param.place) = &arguments.views[k];
    else if (param.kind == ZRTL_STRING)
      *static_cast<const char **>(param.place) = arguments.values[k].text;
    else if (param.mode & ZRTL_IN)
      memcpy(param.place, &arguments.values[k],
             static_cast<size_t>(param.bytes));
  }
}

template <typename T> T at(const zrtL_parameter &param) {
  T value;
  memcpy(&value, param.place, sizeof value);
  return value;
}

/// A value that the program has left, as an object.
PyObject *objectOf(const zrtL_parameter &param) {
  if (param.kind == ZRTL_STRING) {
    const char *text = at<const char *>(param);
    return PyUnicode_DecodeUTF8(text, static_cast<PySize>(strlen(text)),
                                "replace");
  }
  switch (param.type) {
  case ZPL_BOOLEAN:
    return PyBool_FromLong(at<uint8_t>(param));
  case ZPL_CHAR:
  case ZPL_UBYTE:
    return PyLong_FromLongLong(at<uint8_t>(param));
  case ZPL_SBYTE:
    return PyLong_FromLongLong(at<int8_t>(param));
  case ZPL_SHORTINT:
    return PyLong_FromLongLong(at<int16_t>(param));
  case ZPL_USHORTINT:
    return PyLong_FromLongLong(at<uint16_t>(param));
  case ZPL_INTEGER:
    return PyLong_FromLongLong(at<int32_t>(param));
  case ZPL_UINTEGER:
    return PyLong_FromLongLong(at<uint32_t>(param));
  case ZPL_LONGINT:
    return PyLong_FromLongLong(at<int64_t>(param));
  case ZPL_ULONGINT:
    return PyLong_FromUnsignedLongLong(at<uint64_t>(param));
  case ZPL_FLOAT:
    return PyFloat_FromDouble(at<float>(param));
  default: // double
    return PyFloat_FromDouble(at<double>(param));
  }
}

/// The result and what parameters give, as Python returns them.
PyObject *resultsOf(const zrtL_procedure &procedure) {
  PyObject *objects[MostParams + 1];
  PySize count = 0;
  if (procedure.result)
    objects[count++] = objectOf(*procedure.result);
  for (int64_t k = 0; k < procedure.count; ++k)
    if (const zrtL_parameter &param = procedure.params[k];
        param.kind == ZRTL_SCALAR && (param.mode & ZRTL_OUT))
      objects[count++] = objectOf(param);
  if (count == 1)
    return objects[0];
  PyObject *tuple = count == 0 ? Py_BuildValue("") : PyTuple_New(count);
  for (PySize k = 0; tuple && k < count; ++k)
    PyTuple_SetItem(tuple, k, objects[k]);
  return tuple;
}

/// Calls the other function with what came.
PyObject *callOther(PySize number, PyObject *const *given, PySize count,
                    PyObject *names) {
  PyObject *tuple = PyTuple_New(count);
  for (PySize k = 0; k < count; ++k) {
    Py_IncRef(given[k]);
    PyTuple_SetItem(tuple, k, given[k]);
  }
  PyObject *keywords = nullptr;
  if (names) {
    keywords = PyDict_New();
    for (PySize k = 0; k < PyTuple_Size(names); ++k)
      PyDict_SetItem(keywords, PyTuple_GetItem(names, k), given[count + k]);
  }
  PyObject *other = PyTuple_GetItem(bridge.others, number);
  PyObject *result = PyObject_Call(other, tuple, keywords);
  Py_DecRef(tuple);
  if (keywords)
    Py_DecRef(keywords);
  return result;
}

PyObject *raiseStatus(int32_t status) {
  PyObject *arguments = Py_BuildValue("(i)", static_cast<int>(status));
  PyObject *nothing = PyObject_Call(bridge.raise, arguments, nullptr);
  Py_DecRef(arguments);
  return nothing; // null: it has raised
}

/// What Python calls; \p self is the number of the procedure.
PyObject *callProcedure(PyObject *self, PyObject *const *given, PySize count,
                        PyObject *names) {
  auto number = static_cast<PySize>(PyLong_AsLongLong(self));
  const zrtL_procedure &procedure = bridge.library->procedures[number];
  Arguments arguments;
  if (names || !convert(procedure, given, count, arguments))
    return callOther(number, given, count, names);
  PyThreadState *thread = PyEval_SaveThread();
  int32_t status = zrtL_begin();
  if (status == ZRTL_OK) {
    store(procedure, arguments);
    status = zrtL_call(static_cast<int32_t>(number));
  } else {
    *bridge.library->status = status;
    PyEval_RestoreThread(thread);
    return raiseStatus(status);
  }
  *bridge.library->status = status;
  PyEval_RestoreThread(thread);
  PyObject *results = status == ZRTL_OK ? resultsOf(procedure) : nullptr;
  zrtL_end();
  return status == ZRTL_OK ? results : raiseStatus(status);
}

/// Whether values of all types of a procedure can be converted here.
bool isCallable(const zrtL_procedure &procedure) {
  auto isKnown = [](const zrtL_parameter &param) {
    return param.kind == ZRTL_SCALAR ? param.type <= ZPL_DOUBLE
                                     : param.type <= ZPL_DCOMPLEX;
  };
  bool isGood = procedure.count <= MostParams &&
                (!procedure.result || isKnown(*procedure.result));
  for (int64_t k = 0; k < procedure.count; ++k)
    isGood = isGood && isKnown(procedure.params[k]);
  return isGood;
}

/// "step(k)\n--\n\n", which Python takes for the signature.
std::string docOf(const zrtL_procedure &procedure) {
  std::string text = std::string(procedure.name) + "(";
  for (int64_t k = 0; k < procedure.count; ++k)
    if (const zrtL_parameter &param = procedure.params[k];
        param.kind == ZRTL_ARRAY || (param.mode & ZRTL_IN))
      text += (text.back() == '(' ? "" : ", ") + std::string(param.name);
  return text + ")\n--\n\n";
}

} // namespace

extern "C" void *zrtL_python(const zrtL_library *library, void *others,
                             void *raise, void *ndarray) {
  auto *tuple = static_cast<PyObject *>(others);
  Py_IncRef(tuple);
  if (!isComplete())
    return tuple;
  bridge = {library, tuple, static_cast<PyObject *>(raise),
            static_cast<PyObject *>(ndarray)};
  for (PyObject *kept : {tuple, bridge.raise, bridge.ndarray})
    Py_IncRef(kept);
  PyObject *module = PyUnicode_FromString(library->name);
  PyObject *functions = PyTuple_New(library->procedure_count);
  for (PySize k = 0; k < library->procedure_count; ++k) {
    const zrtL_procedure &procedure = library->procedures[k];
    PyObject *function = PyTuple_GetItem(tuple, k);
    if (!isCallable(procedure)) {
      Py_IncRef(function);
    } else {
      auto *doc = new std::string(docOf(procedure)); // kept by the function
      auto *method = new PyMethodDef{procedure.name, callProcedure,
                                     MethFastcallKeywords, doc->c_str()};
      PyObject *number = PyLong_FromLongLong(k);
      function = PyCFunction_NewEx(method, number, module);
      Py_DecRef(number);
    }
    PyTuple_SetItem(functions, k, function);
  }
  Py_DecRef(module);
  Py_DecRef(tuple); // the result's
  return functions;
}
