// The part of a tokenizer in C++ that does not depend on the binding tool: text, policies and the
// call of a kernel. It uses CPython's C API alone; pybind11 and nanobind include it.
//
// Shows:  text borrowed where it lies; an argument that only Python code understands; a call without
//         the GIL that Ctrl-C ends, with the exception of the signal's handler.
// Bites:  a str's UTF-8 lives as long as the str, so it is held until the kernel is done. Reading an
//         attribute can run any code: borrow memory after it, or hold the object. A list may change
//         whenever Python code runs, so a batch holds each of its texts.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cookbook.h"
#include "errors.hpp" // of the binding: how its tool throws

// A reference that this owns.
struct Release {
  void operator()(PyObject *object) const { Py_DECREF(object); }
};
using Owned = std::unique_ptr<PyObject, Release>;

// Take over a new reference, or throw the exception that is set if it is NULL.
inline Owned owned(PyObject *object) {
  if (!object)
    throw_raised();
  return Owned(object);
}

// Return a function's answer to one argument or none. The function can run any code.
inline Owned answer(const char *module, const char *function, PyObject *argument = nullptr) {
  Owned imported = owned(PyImport_ImportModule(module));
  return owned(PyObject_CallMethod(imported.get(), function, argument ? "(O)" : nullptr, argument));
}

// ---- arguments -----------------------------------------------------------------------------

// Raise a TypeError that says what was expected and what `type(given).__name__` is.
[[noreturn]] inline void refuse_type(const char *expected, PyObject *given) {
  Owned name = owned(PyType_GetName(Py_TYPE(given)));
  PyErr_Format(PyExc_TypeError, "%s, not %U", expected, name.get());
  throw_raised();
}

// The UTF-8 of a str, lone surrogates replaced, or bytes as they are.
struct Utf8 {
  Owned owner;
  const uint8_t *data;
  size_t size;

  explicit Utf8(PyObject *text) : owner(Py_NewRef(text)) {
    if (PyBytes_Check(text)) { // the kernel says where it is not UTF-8
      data = reinterpret_cast<const uint8_t *>(PyBytes_AS_STRING(text));
      size = static_cast<size_t>(PyBytes_GET_SIZE(text));
      return;
    }
    if (!PyUnicode_Check(text))
      refuse_type("text must be str or bytes", text);
    Py_ssize_t length;
    const char *bytes = PyUnicode_AsUTF8AndSize(text, &length);
    if (!bytes && PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
      PyErr_Clear();
      owner = answer("ffi_cookbook.bindings._glue.surrogates", "replace_surrogates", text);
      bytes = PyUnicode_AsUTF8AndSize(owner.get(), &length);
    }
    if (!bytes)
      throw_raised();
    data = reinterpret_cast<const uint8_t *>(bytes);
    size = static_cast<size_t>(length);
  }
};

// The texts of a list or tuple, and the objects that keep them alive.
struct Texts {
  std::vector<Owned> owners;
  std::vector<const uint8_t *> texts;
  std::vector<size_t> sizes;
  size_t total = 0;

  explicit Texts(PyObject *given) {
    if (!PyList_Check(given) && !PyTuple_Check(given))
      refuse_type("texts must be a list or tuple of str or bytes", given);
    Owned tuple = owned(PySequence_Tuple(given));
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple.get()); i++) {
      Utf8 utf8(PyTuple_GET_ITEM(tuple.get(), i));
      texts.push_back(utf8.data);
      sizes.push_back(utf8.size);
      total += utf8.size;
      owners.push_back(std::move(utf8.owner));
    }
  }
};

// Convert any object with __index__, however large: for a number, each tool has its own range.
inline int checked_threads(PyObject *threads) {
  int overflow; // 1: more than a long holds, -1: less
  long n = PyLong_AsLongAndOverflow(threads, &overflow);
  if (n == -1 && PyErr_Occurred())
    throw_raised();
  if (n < 1 && overflow <= 0) {
    PyErr_Format(PyExc_ValueError, "threads must be at least 1, not %S", threads);
    throw_raised();
  }
  return static_cast<int>(overflow || n > CK_MAX_THREADS ? CK_MAX_THREADS : n);
}

inline const uint8_t *bytes_of(const std::string &bytes) {
  return reinterpret_cast<const uint8_t *>(bytes.data());
}

// Return true if the text and the ids share memory: the kernel reads one while it writes the other.
inline bool overlap(const uint8_t *text, size_t size, const uint32_t *ids, size_t n) {
  auto first = reinterpret_cast<const uint8_t *>(ids);
  auto end = reinterpret_cast<const uint8_t *>(ids + n);
  return size > 0 && n > 0 && text < end && first < text + size;
}

// ---- object --------------------------------------------------------------------------------

// The parts of a model that a tokenizer needs, read once from the Python object.
struct Model {
  Owned object, names;
  Owned blob; // bytes, which cannot change
  std::unique_ptr<ck_bpe, decltype(&ck_bpe_close)> bpe{nullptr, ck_bpe_close};
  std::string default_policy, plain;

  explicit Model(PyObject *given) : object(Py_NewRef(given)) {
    Owned answers = answer("ffi_cookbook.bindings._glue.text", "asked", given);
    PyObject *special_names, *policy, *ordinary, *bytes;
    if (!PyArg_ParseTuple(answers.get(), "OOSS", &special_names, &policy, &ordinary, &bytes))
      throw_raised();
    names.reset(Py_NewRef(special_names));
    blob.reset(Py_NewRef(bytes));
    auto memory = reinterpret_cast<const uint8_t *>(PyBytes_AS_STRING(bytes));
    ck_error error;
    bpe.reset(ck_bpe_open(memory, static_cast<size_t>(PyBytes_GET_SIZE(bytes)), 0, &error));
    if (!bpe)
      raise_error("tokenizer_error", error, names.get());
    default_policy = policy_from(policy);
    if (PyBytes_GET_SIZE(ordinary))
      plain = policy_from(ordinary);
  }

  // Return the policy of a call that takes special tokens as plain text, or null if all are.
  const uint8_t *ordinary() const { return plain.empty() ? nullptr : bytes_of(plain); }

  // Return one byte for each special token: what to do with it.
  std::string policy(PyObject *allowed, PyObject *disallowed) const {
    bool defaults = PyTuple_CheckExact(allowed) && PyTuple_GET_SIZE(allowed) == 0 &&
                    PyUnicode_CheckExact(disallowed) &&
                    PyUnicode_CompareWithASCIIString(disallowed, "all") == 0;
    if (defaults) // no Python code has to interpret them
      return default_policy;
    Owned answer =
        owned(PyObject_CallMethod(object.get(), "special_policy", "OO", allowed, disallowed));
    return policy_from(answer.get());
  }

  // Call kernel(bpe, interrupt, error) with the GIL released, unless it has so few bytes to work on
  // that this would cost more than the kernel.
  template <class Kernel> void run(size_t size, Kernel kernel) const {
    constexpr size_t WORTH_THE_GIL = 1 << 10;
    ck_error error;
    error.code = CK_OK;
    if (size < WORTH_THE_GIL)
      kernel(bpe.get(), nullptr, &error);
    else
      run_long(size, kernel, error);
    if (error.code == CK_INTERRUPTED)
      throw_raised();
    if (error.code != CK_OK)
      raise_error("tokenizer_error", error, names.get());
  }

private:
  std::string policy_from(PyObject *policy) const {
    if (!PyBytes_Check(policy))
      refuse_type("a model's policy must be bytes", policy);
    std::string bytes(PyBytes_AS_STRING(policy), static_cast<size_t>(PyBytes_GET_SIZE(policy)));
    if (bytes.size() != ck_bpe_n_special(bpe.get())) {
      PyErr_SetString(PyExc_ValueError,
                      "a model's policy must have one byte for each of its special tokens");
      throw_raised();
    }
    return bytes;
  }

  // Make a call that, if it is long, also runs signal handlers: an exception that one of them raises
  // stays set and ends the call. Only the main thread runs them: a daemon thread that took the GIL
  // again while the interpreter ends would not come back.
  template <class Kernel> void run_long(size_t size, Kernel &kernel, ck_error &error) const {
    constexpr size_t LONG = 1 << 20;
    bool asks = size >= LONG &&
                answer("ffi_cookbook.bindings._glue.signals", "handles_signals").get() == Py_True;
    PyThreadState *thread = PyEval_SaveThread();
    ck_interrupt interrupt{};
    interrupt.context = &thread;
    interrupt.ask = [](void *context) {
      auto thread = static_cast<PyThreadState **>(context);
      PyEval_RestoreThread(*thread);
      int raised = PyErr_CheckSignals();
      *thread = PyEval_SaveThread();
      return raised;
    };
    kernel(bpe.get(), asks ? &interrupt : nullptr, &error);
    PyEval_RestoreThread(thread);
  }
};
