// The tokenizer through pybind11.
//
// Shows:  a C++ class bound as a Python class: constructor, methods, keyword-only arguments with
//         defaults, an attribute, pickling, garbage collection; text in, arrays of exact size out.
// Build:  pybind11_add_module(... tokenizer.cpp).
// Bites:  __init__ can be called while it runs, by what the model does when it is asked. py::init
//         would then put the second C++ object in the place of the first, whose holder stays, so the
//         constructor is written out (as py::init does it), and looks. A default argument is a Python
//         object made once, with the module.
//
// Memory: the tokenizer keeps the Model alive, and its blob, which is bytes that nobody can change;
// calls share nothing but caches, no two of which use the same one, so any number of threads may
// call it at once. Results belong to the caller.
#include <vector>

#include "instances.hpp"
#include "model.hpp"
#include "module.hpp"
#include "texts.hpp"
#include "threads.hpp"

class Tokenizer {
public:
  explicit Tokenizer(Model given) : model(std::move(given)) {}

  py::array_t<uint32_t> encode(const py::object &text, const py::object &allowed,
                               const py::object &disallowed) const {
    Utf8 utf8(text);
    std::string policy = model.policy(allowed, disallowed);
    auto ids = new_array<uint32_t>(utf8.size);
    size_t n = run(utf8.data, utf8.size, bytes_of(policy), ids.mutable_data(), utf8.size);
    return shortened(std::move(ids), n);
  }

  size_t encode_into(py::handle buffer, py::handle out) const {
    Bytes text(buffer);
    Ids ids(out, "out", true);
    check_apart(text, ids);
    return run(text.data(), text.size(), nullptr, ids.data, ids.size);
  }

  py::tuple encode_batch(const py::object &texts, const py::object &threads,
                         const py::object &allowed, const py::object &disallowed) const {
    int most = checked_threads(threads);
    Texts borrowed(texts);
    std::string policy = model.policy(allowed, disallowed);
    size_t n = borrowed.texts.size();
    auto ids = new_array<uint32_t>(borrowed.total);
    auto offsets = new_array<int64_t>(n + 1);
    uint32_t *first = ids.mutable_data();
    int64_t *ends = offsets.mutable_data();
    model.run(borrowed.total, [&](ck_bpe *bpe, ck_interrupt *interrupt, ck_error *error) {
      ck_bpe_encode_batch(bpe, borrowed.texts.data(), borrowed.sizes.data(), n, bytes_of(policy),
                          first, borrowed.total, ends, most, interrupt, error);
    });
    return py::make_tuple(shortened(std::move(ids), static_cast<size_t>(ends[n])), offsets);
  }

  size_t count(const py::object &text) const {
    Utf8 utf8(text);
    return run(utf8.data, utf8.size, nullptr, nullptr, 0);
  }

  py::array_t<int64_t> split(const py::object &text) const {
    Utf8 utf8(text);
    auto ends = new_array<int64_t>(utf8.size);
    int64_t *first = ends.mutable_data();
    size_t n = 0;
    model.run(utf8.size, [&](ck_bpe *bpe, ck_interrupt *interrupt, ck_error *error) {
      ck_bpe_split(bpe, utf8.data, utf8.size, first, utf8.size, &n, interrupt, error);
    });
    return shortened(std::move(ends), n);
  }

  py::bytes decode(py::handle object) const {
    Ids ids(object, "ids", false);
    size_t size = 0;
    model.run(ids.size, [&](ck_bpe *bpe, ck_interrupt *interrupt, ck_error *error) {
      ck_bpe_decode(bpe, ids.data, ids.size, nullptr, 0, &size, interrupt, error);
    });
    std::string bytes(size, '\0');
    model.run(size, [&](ck_bpe *bpe, ck_interrupt *interrupt, ck_error *error) {
      ck_bpe_decode(bpe, ids.data, ids.size, reinterpret_cast<uint8_t *>(bytes.data()), size, &size,
                    interrupt, error);
    });
    return py::bytes(bytes.data(), size);
  }

  const Model model;

private:
  size_t run(const uint8_t *text, size_t size, const uint8_t *policy, uint32_t *ids,
             size_t capacity) const {
    size_t n = 0;
    model.run(size, [&](ck_bpe *bpe, ck_interrupt *interrupt, ck_error *error) {
      ck_bpe_encode(bpe, text, size, policy, ids, capacity, &n, interrupt, error);
    });
    return n;
  }
};

static void init(py::detail::value_and_holder &self, const py::object &model) {
  auto made = std::make_unique<Tokenizer>(Model(model));
  if (self.instance_registered())
    throw py::type_error("the tokenizer was made while its model was asked");
  self.value_ptr() = made.release();
}

static int traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  bool made = py::detail::is_holder_constructed(self);
  return made ? py::cast<Tokenizer &>(py::handle(self)).model.traverse(visit, arg) : 0;
}

static void collect(PyHeapTypeObject *type) {
  type->ht_type.tp_flags |= Py_TPFLAGS_HAVE_GC;
  type->ht_type.tp_traverse = traverse;
}

// ---- module --------------------------------------------------------------------------------

COOKBOOK_MODULE(tokenizer, m) {
  auto allowed = py::arg("allowed_special") = py::tuple();
  auto disallowed = py::arg("disallowed_special") = "all";
  py::class_<Tokenizer>(m, "Tokenizer",
                        "A byte-level BPE tokenizer; see bindings.protocol.Tokenizer.",
                        py::custom_type_setup(collect))
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
