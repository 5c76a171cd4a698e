// The tokenizer through pybind11.
//
// Shows:  a C++ class bound as a Python class: constructor, methods, keyword-only arguments with
//         defaults, an attribute, pickling, garbage collection; a result of unknown size, written
//         once: into an array of the largest possible size, which is shortened in place.
// Build:  pybind11_add_module(... tokenizer.cpp).
// Bites:  __init__ can be called while it runs, by the model's code. py::init would then replace
//         the first C++ object by the second, but keep the holder of the first, so the constructor
//         is written out (as py::init does it) and checks. A default argument is a Python object
//         made once, with the module. Another thread may write to borrowed memory during the call:
//         what a first pass measured need not hold in a second.
//
// Memory: the tokenizer keeps the Model alive, and its blob, which is bytes that nobody can change;
// calls share nothing but caches, no two of which use the same one, so any number of threads may
// call it at once. Results belong to the caller.
#include <pybind11/numpy.h>

#include "../_glue/bytes.hpp"
#include "../_glue/tokenizer.hpp"
#include "contiguous.hpp"
#include "instances.hpp"
#include "module.hpp"

// ---- arrays --------------------------------------------------------------------------------

// A new array of n uninitialised items. The system maps no memory that is never written to.
template <class T> static py::array_t<T> new_array(size_t n) {
  return py::array_t<T>(static_cast<py::ssize_t>(n));
}

// Shorten it to n items, in place: nobody else has seen it.
template <class T> static py::array_t<T> shortened(py::array_t<T> array, size_t n) {
  array.resize({n}, false);
  return array;
}

// A one-dimensional array of ids in the caller's memory. As an argument of type py::array_t it
// would be converted, which takes longer than encoding a short text even if there is nothing to
// convert.
struct Ids {
  uint32_t *data;
  size_t size;

  Ids(py::handle object, const char *name, bool writable) {
    if (!py::isinstance<py::array_t<uint32_t>>(object))
      throw py::type_error(std::string(name) + " must be a numpy array of uint32");
    auto array = py::reinterpret_borrow<py::array>(object);
    if (array.ndim() != 1)
      throw py::value_error(std::string(name) + " must be one-dimensional");
    check_contiguous(array, name);
    if (writable && !array.writeable())
      throw py::value_error(std::string(name) + " must be writable");
    data = static_cast<uint32_t *>(const_cast<void *>(array.data()));
    size = static_cast<size_t>(array.size());
  }
};

// ---- object --------------------------------------------------------------------------------

class Tokenizer {
public:
  explicit Tokenizer(Model given) : model(std::move(given)) {}

  py::array_t<uint32_t> encode(py::handle text, py::handle allowed, py::handle disallowed) const {
    Utf8 utf8(text.ptr());
    std::string policy = model.policy(allowed.ptr(), disallowed.ptr());
    auto ids = new_array<uint32_t>(utf8.size);
    size_t n = run(utf8.data, utf8.size, bytes_of(policy), {ids.mutable_data(), utf8.size, 0});
    return shortened(std::move(ids), n);
  }

  size_t encode_into(py::handle buffer, py::handle out) const {
    Bytes text(buffer.ptr());
    Ids ids(out, "out", true);
    if (overlap(text.data(), text.size(), ids.data, ids.size))
      throw py::value_error("out must not overlap buffer");
    return run(text.data(), text.size(), model.ordinary(), {ids.data, ids.size, 0});
  }

  py::tuple encode_batch(py::handle texts, py::handle threads, py::handle allowed,
                         py::handle disallowed) const {
    int most = checked_threads(threads.ptr());
    Texts borrowed(texts.ptr());
    std::string policy = model.policy(allowed.ptr(), disallowed.ptr());
    size_t n = borrowed.texts.size();
    auto ids = new_array<uint32_t>(borrowed.total);
    auto offsets = new_array<int64_t>(n + 1);
    const ck_texts given{borrowed.texts.data(), borrowed.sizes.data(), n};
    ck_buffer room{ids.mutable_data(), borrowed.total, 0};
    int64_t *ends = offsets.mutable_data();
    model.run(borrowed.total, [&](ck_bpe *bpe, ck_interrupt *interrupt, ck_error *error) {
      ck_bpe_encode_batch(bpe, &given, bytes_of(policy), &room, ends, most, interrupt, error);
    });
    return py::make_tuple(shortened(std::move(ids), static_cast<size_t>(ends[n])), offsets);
  }

  size_t count(py::handle text) const {
    Utf8 utf8(text.ptr());
    return run(utf8.data, utf8.size, model.ordinary(), {});
  }

  py::array_t<int64_t> split(py::handle text) const {
    Utf8 utf8(text.ptr());
    auto ends = new_array<int64_t>(utf8.size);
    ck_buffer room{ends.mutable_data(), utf8.size, 0};
    model.run(utf8.size, [&](ck_bpe *bpe, ck_interrupt *interrupt, ck_error *error) {
      ck_bpe_split(bpe, utf8.data, utf8.size, &room, interrupt, error);
    });
    return shortened(std::move(ends), room.n);
  }

  py::bytes decode(py::handle object) const {
    Ids ids(object, "ids", false);
    ck_buffer room{};
    auto decode = [&](ck_bpe *bpe, ck_interrupt *interrupt, ck_error *error) {
      ck_bpe_decode(bpe, ids.data, ids.size, &room, interrupt, error);
    };
    model.run(ids.size, decode);
    std::string bytes(room.n, '\0');
    room = {bytes.data(), bytes.size(), 0};
    model.run(bytes.size(), decode);
    return py::bytes(bytes.data(), room.n);
  }

  const Model model;

private:
  // Return the number of ids of a text, which are written where `ids` has room.
  size_t run(const uint8_t *text, size_t size, const uint8_t *policy, ck_buffer ids) const {
    model.run(size, [&](ck_bpe *bpe, ck_interrupt *interrupt, ck_error *error) {
      ck_bpe_encode(bpe, text, size, policy, &ids, interrupt, error);
    });
    return ids.n;
  }
};

static void init(py::detail::value_and_holder &self, const py::object &model) {
  auto made = std::make_unique<Tokenizer>(Model(model.ptr()));
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
  Py_VISIT(model.object.get());
  Py_VISIT(model.names.get());
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
  py::class_<Tokenizer>(m, "Tokenizer", "A byte-level BPE tokenizer; see protocol.Tokenizer.",
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
      .def_property_readonly(
          "model", [](const Tokenizer &self) { return py::handle(self.model.object.get()); })
      .def("__reduce__", [](const py::object &self) {
        return py::make_tuple(py::type::of(self), py::make_tuple(self.attr("model")));
      });
  needs_init<Tokenizer>();
}
