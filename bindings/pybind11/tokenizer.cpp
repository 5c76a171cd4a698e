// The tokenizer through pybind11.
//
// Shows:  a C++ class bound as a Python class: constructor, methods, keyword-only arguments with
//         defaults, an attribute, pickling, garbage collection.
// Build:  pybind11_add_module(... tokenizer.cpp tokenizer_*.cpp).
// Bites:  __init__ can be called while it runs, by the model's code. py::init would then replace
//         the first C++ object by the second, but keep the holder of the first, so the constructor
//         is written out (as py::init does it) and checks. A default argument is a Python object
//         made once, with the module.
//
// Memory: the tokenizer keeps the Model alive, and its blob, which is bytes that nobody can change;
// calls share nothing but caches, no two of which use the same one, so any number of threads may
// call it at once. Results belong to the caller.
#include "tokenizer.hpp"
#include "instances.hpp"
#include "module.hpp"

// ---- object --------------------------------------------------------------------------------

static void init(py::detail::value_and_holder &self, const py::object &model) {
  auto made = std::make_unique<Tokenizer>(Model(model));
  if (self.instance_registered())
    throw py::type_error("the tokenizer was made while its model was queried");
  self.value_ptr() = made.release();
}

// There is no tp_clear, as for a tuple: the objects that a tokenizer refers to existed before it
// and are never replaced, so a cycle leads through another object, whose tp_clear breaks it.
static int traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  if (!py::detail::is_holder_constructed(self))
    return 0;
  const Model &model = py::cast<Tokenizer &>(py::handle(self)).model;
  Py_VISIT(model.object.ptr());
  Py_VISIT(model.names.ptr());
  return 0;
}

static void set_slots(PyHeapTypeObject *type) {
  own_new(type);
  type->ht_type.tp_flags |= Py_TPFLAGS_HAVE_GC;
  type->ht_type.tp_traverse = traverse;
}

// ---- module --------------------------------------------------------------------------------

COOKBOOK_MODULE(tokenizer, m) {
  auto allowed = py::arg("allowed_special") = py::tuple();
  auto disallowed = py::arg("disallowed_special") = "all";
  py::class_<Tokenizer>(m, "Tokenizer",
                        "A byte-level BPE tokenizer; see ffi_cookbook.bindings.protocol.Tokenizer.",
                        py::module_local(), py::custom_type_setup(set_slots))
      .def("__init__", init, py::detail::is_new_style_constructor(), py::arg("model"),
           "__init__(self, model)\n--\n\nMake a tokenizer.")
      .def("encode", &Tokenizer::encode, py::arg("text"), py::pos_only(), py::kw_only(), allowed,
           disallowed,
           "encode(self, text, /, *, allowed_special=(), disallowed_special='all')\n--\n\nReturn "
           "the ids of a text.")
      .def("encode_into", &Tokenizer::encode_into, py::arg("buffer"), py::arg("out"),
           py::pos_only(),
           "encode_into(self, buffer, out, /)\n--\n\nWrite the ids of UTF-8 bytes into an array.")
      .def("encode_batch", &Tokenizer::encode_batch, py::arg("texts"), py::arg("threads") = 1,
           py::kw_only(), allowed, disallowed,
           "encode_batch(self, texts, threads=1, *, allowed_special=(), "
           "disallowed_special='all')\n--\n\nReturn the ids of many texts and where each begins.")
      .def("count", &Tokenizer::count, py::arg("text"), py::pos_only(),
           "count(self, text, /)\n--\n\nReturn the number of ids of a text.")
      .def("split", &Tokenizer::split, py::arg("text"), py::pos_only(),
           "split(self, text, /)\n--\n\nReturn where each pretoken ends.")
      .def("decode", &Tokenizer::decode, py::arg("ids"), py::pos_only(),
           "decode(self, ids, /)\n--\n\nReturn the bytes of ids.")
      .def_property_readonly("model", [](const Tokenizer &self) { return self.model.object; })
      .def("__reduce__", [](const py::object &self) {
        return py::make_tuple(py::type::of(self), py::make_tuple(self.attr("model")));
      });
  needs_init<Tokenizer>();
}
