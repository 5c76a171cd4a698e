// The parts of a model that a tokenizer reads, through pybind11.
//
// Shows:  an object's attributes read once, with the object's own exceptions; bytes checked and
//         copied; an argument that only Python code understands.
// Bites:  reading an attribute can run any code: borrow memory after it, or hold the object.
#include "tokenizer.hpp"
#include "type_error.hpp"

// ---- arguments -----------------------------------------------------------------------------

// Return true if these arguments have their defaults: then no Python code has to interpret them.
static bool are_defaults(py::handle allowed, py::handle disallowed) {
  return PyTuple_CheckExact(allowed.ptr()) && PyTuple_GET_SIZE(allowed.ptr()) == 0 &&
         PyUnicode_CheckExact(disallowed.ptr()) &&
         PyUnicode_CompareWithASCIIString(disallowed.ptr(), "all") == 0;
}

// A model's policy for its special tokens: one byte for each.
static std::string policy_from(const py::object &policy, size_t n_special) {
  if (!PyBytes_Check(policy.ptr()))
    refuse_type("a model's policy must be bytes", policy);
  std::string bytes(PyBytes_AS_STRING(policy.ptr()),
                    static_cast<size_t>(PyBytes_GET_SIZE(policy.ptr())));
  if (bytes.size() != n_special)
    throw py::value_error("a model's policy must have one byte for each of its special tokens");
  return bytes;
}

// Read a model's special_names, its default_policy, and its blob as bytes. This can run any code.
static py::tuple asked(const py::object &model) {
  return py::module_::import("ffi_cookbook.bindings._glue.text").attr("asked")(model);
}

Model::Model(const py::object &given) : object(given) {
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

std::string Model::policy(const py::object &allowed, const py::object &disallowed) const {
  if (are_defaults(allowed, disallowed))
    return default_policy;
  return policy_from(object.attr("special_policy")(allowed, disallowed),
                     ck_bpe_n_special(bpe.get()));
}

// ---- signals -------------------------------------------------------------------------------

bool handles_signals() {
  return py::cast<bool>(py::module_::import("ffi_cookbook.bindings._glue.signals").attr("handles_signals")());
}
