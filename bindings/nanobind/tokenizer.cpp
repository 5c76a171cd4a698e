// The tokenizer through nanobind.
//
// Shows:  a C++ class bound as a Python class: constructor, methods, keyword-only arguments with
//         defaults, an attribute, pickling, garbage collection.
// Build:  nanobind_add_module(... NOMINSIZE tokenizer.cpp tokenizer_*.cpp).
// Bites:  __init__ can be called while it runs, by the model's code: so query the model first, and
//         then check whether the instance is made already. A default argument is a Python object
//         made once, when the module is imported. An argument without .none() refuses None, with a
//         message of nanobind's.
//
// Memory: the tokenizer keeps the Model alive, and its blob, which is bytes that nobody can change;
// calls share nothing but caches, no two of which use the same one, so any number of threads may
// call it at once. Results belong to the caller.
#include "tokenizer.hpp"
#include "classes.hpp"
#include "results.hpp"

// ---- object --------------------------------------------------------------------------------

static void init(nb::pointer_and_handle<Tokenizer> self, const nb::object &given) {
  Model model(given);
  if (nb::inst_ready(self.h))
    throw nb::type_error("the tokenizer was made while its model was queried");
  new (self.p) Tokenizer(std::move(model));
}

// There is no tp_clear, as for a tuple: the objects that a tokenizer refers to existed before it
// and are never replaced, so a cycle leads through another object, whose tp_clear breaks it.
static int traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self))
    return 0;
  const Model &model = nb::inst_ptr<Tokenizer>(self)->model;
  Py_VISIT(model.object.ptr());
  Py_VISIT(model.names.ptr());
  return 0;
}

static PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void *>(traverse)}, {0, nullptr}};

// ---- module --------------------------------------------------------------------------------

// The types in the signatures that help() and the stub show.
#define IDS "numpy.typing.NDArray[numpy.uint32]"
#define SPECIAL "typing.Literal['all'] | collections.abc.Collection[str]"

NB_MODULE(tokenizer, m) {
  if (PyArray_ImportNumPyAPI() < 0)
    throw nb::python_error();
  if (has_class<Tokenizer>(m, "Tokenizer"))
    return;
  auto one = nb::arg().none(); // without a name: by position only
  auto allowed = nb::arg("allowed_special").none() = nb::tuple();
  auto disallowed = nb::arg("disallowed_special").none() = "all";
  nb::class_<Tokenizer>(m, "Tokenizer",
                        "A byte-level BPE tokenizer; see ffi_cookbook.bindings.protocol.Tokenizer.",
                        nb::type_slots(slots))
      .def("__init__", init, nb::arg("model").none(),
           nb::sig("def __init__(self, model: ffi_cookbook.bindings.protocol.ModelLike) -> None"))
      .def("encode", &Tokenizer::encode, one, nb::kw_only(), allowed, disallowed,
           nb::sig("def encode(self, text: str | bytes, /, *, allowed_special: " SPECIAL
                   " = (), disallowed_special: " SPECIAL " = 'all') -> " IDS),
           "Return the ids of a text.")
      .def("encode_into", &Tokenizer::encode_into, one, one,
           nb::sig("def encode_into(self, buffer: object, out: " IDS ", /) -> int"),
           "Write the ids of UTF-8 bytes into an array.")
      .def("encode_batch", &Tokenizer::encode_batch, nb::arg("texts").none(),
           nb::arg("threads").none() = 1, nb::kw_only(), allowed, disallowed,
           nb::sig("def encode_batch(self, texts: collections.abc.Sequence[str | bytes], threads: "
                   "int = 1, *, allowed_special: " SPECIAL " = (), disallowed_special: " SPECIAL
                   " = 'all') -> tuple[" IDS ", numpy.typing.NDArray[numpy.int64]]"),
           "Return the ids of many texts and where each begins.")
      .def("count", &Tokenizer::count, one, nb::sig("def count(self, text: str | bytes, /) -> int"),
           "Return the number of ids of a text.")
      .def("split", &Tokenizer::split, one,
           nb::sig("def split(self, text: str | bytes, /) -> numpy.typing.NDArray[numpy.int64]"),
           "Return where each pretoken ends.")
      .def("decode", &Tokenizer::decode, one, nb::sig("def decode(self, ids: " IDS ", /) -> bytes"),
           "Return the bytes of ids.")
      .def_prop_ro(
          "model", [](const Tokenizer &self) { return self.model.object; },
          nb::sig("def model(self) -> ffi_cookbook.bindings.protocol.ModelLike"))
      .def("__reduce__", [](const nb::object &self) {
        return nb::make_tuple(self.type(), nb::make_tuple(self.attr("model")));
      });
}
