// A tokenizer's model, and what goes with it: its memory, its special tokens, its caches.
#pragma once

#include <memory>
#include <string>

#include "errors.hpp"
#include "texts.hpp"

// Whether these arguments have their defaults: then Python need not be asked what they mean.
inline bool are_defaults(py::handle allowed, py::handle disallowed) {
  return PyTuple_CheckExact(allowed.ptr()) && PyTuple_GET_SIZE(allowed.ptr()) == 0 &&
         PyUnicode_CheckExact(disallowed.ptr()) &&
         PyUnicode_CompareWithASCIIString(disallowed.ptr(), "all") == 0;
}

// What a model says of its special tokens: one byte for each.
inline std::string policy_from(const py::object &policy, size_t n_special) {
  if (!PyBytes_Check(policy.ptr()))
    refuse_type("a model's policy must be bytes", policy);
  std::string bytes(PyBytes_AS_STRING(policy.ptr()),
                    static_cast<size_t>(PyBytes_GET_SIZE(policy.ptr())));
  if (bytes.size() != n_special)
    throw py::value_error("a model's policy must have one byte for each of its special tokens");
  return bytes;
}

// A model's special_names, its default_policy, and its blob as bytes. Asking can run any code.
inline py::tuple asked(const py::object &model) {
  return py::module_::import("bindings.texts").attr("asked")(model);
}

// Whether this is the thread that runs the handlers of signals. A daemon thread that took the GIL
// again while the interpreter ends would not come back.
inline bool handles_signals() {
  return py::cast<bool>(py::module_::import("bindings.signals").attr("handles_signals")());
}

// A model: what a tokenizer needs of it, asked of the Python object once.
struct Model {
  py::object object, names;
  py::object blob; // bytes
  std::unique_ptr<ck_bpe, decltype(&ck_bpe_close)> bpe{nullptr, ck_bpe_close};
  std::string default_policy;

  explicit Model(const py::object &given) : object(given) {
    py::tuple answers = asked(given);
    names = answers[0];
    blob = answers[2];
    auto memory = reinterpret_cast<const uint8_t *>(PyBytes_AS_STRING(blob.ptr()));
    ck_error error;
    bpe.reset(ck_bpe_open(memory, static_cast<size_t>(PyBytes_GET_SIZE(blob.ptr())), 0, &error));
    if (!bpe)
      raise_error("tokenizer_error", error, names);
    default_policy = policy_from(answers[1], ck_bpe_n_special(bpe.get()));
  }

  std::string policy(const py::object &allowed, const py::object &disallowed) const {
    if (are_defaults(allowed, disallowed))
      return default_policy;
    return policy_from(object.attr("special_policy")(allowed, disallowed),
                       ck_bpe_n_special(bpe.get()));
  }

  // Calls kernel(bpe, interrupt, error) with the GIL released, unless it has so few bytes to work on
  // that this would cost more than the kernel does.
  template <class Kernel> void run(size_t size, Kernel kernel) const {
    constexpr size_t WORTH_THE_GIL = 1 << 10;
    ck_error error;
    error.code = CK_OK;
    if (size < WORTH_THE_GIL)
      kernel(bpe.get(), nullptr, &error);
    else
      run_long(size, kernel, error);
    if (error.code == CK_INTERRUPTED)
      throw py::error_already_set();
    if (error.code != CK_OK)
      raise_error("tokenizer_error", error, names);
  }

  // A long call asks meanwhile for the handlers of signals: what one of them raises stays set, ends
  // the call and comes out of it.
  template <class Kernel> void run_long(size_t size, Kernel &kernel, ck_error &error) const {
    constexpr size_t LONG = 1 << 20;
    ck_interrupt interrupt{};
    if (size >= LONG && handles_signals())
      interrupt.ask = [](void *) {
        py::gil_scoped_acquire acquire;
        return PyErr_CheckSignals();
      };
    py::gil_scoped_release release;
    kernel(bpe.get(), interrupt.ask ? &interrupt : nullptr, &error);
  }

  // For a tp_traverse. There is no tp_clear, as for a tuple: what a tokenizer refers to was there
  // before it and is never replaced, so a cycle leads through another object, whose tp_clear
  // breaks it.
  int traverse(visitproc visit, void *arg) const {
    Py_VISIT(object.ptr());
    Py_VISIT(names.ptr());
    return 0;
  }
};
