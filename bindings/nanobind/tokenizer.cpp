// The tokenizer through nanobind.
//
// Shows:  a C++ class bound as a Python class: constructor, methods, keyword-only arguments with
//         defaults, an attribute, pickling, garbage collection; a result of unknown size, written
//         once: into an array of the largest possible size, which is shortened in place.
// Build:  nanobind_add_module(... NOMINSIZE tokenizer.cpp), with NumPy's include directory.
// Bites:  __init__ can be called while it runs, by the model's code: so query the model first, and
//         then check whether the instance is made already. A default argument is a Python object
//         made once, when the module is imported. An argument without .none() refuses None, with a
//         message of nanobind's. Another thread may write to borrowed memory during the call: what a
//         first pass measured need not hold in a second.
//
// Memory: the tokenizer keeps the Model alive, and its blob, which is bytes that nobody can change;
// calls share nothing but caches, no two of which use the same one, so any number of threads may
// call it at once. Results belong to the caller.
#include <type_traits>

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

#include "../_glue/bytes.hpp"
#include "../_glue/tokenizer.hpp"
#include "classes.hpp"

// ---- arrays --------------------------------------------------------------------------------

// A result. Arrays are made and read through NumPy's own API: nb::ndarray uses DLPack and
// numpy.asarray, which take longer than encoding a short text.
template <class T> struct Array {
  static constexpr int type = std::is_same_v<T, uint32_t> ? NPY_UINT32 : NPY_INT64;
  nb::object object;
  T *data;

  // A new array of n uninitialised items. The system maps no memory that is never written to.
  explicit Array(size_t n) {
    auto shape = static_cast<npy_intp>(n);
    object = nb::steal(PyArray_SimpleNew(1, &shape, type));
    if (!object.is_valid())
      throw nb::python_error();
    data = static_cast<T *>(PyArray_DATA(reinterpret_cast<PyArrayObject *>(object.ptr())));
  }

  // Shorten it to n items, in place: nobody else has seen it.
  nb::object shortened(size_t n) {
    auto shape = static_cast<npy_intp>(n);
    PyArray_Dims dims{&shape, 1};
    auto array = reinterpret_cast<PyArrayObject *>(object.ptr());
    if (!nb::steal(PyArray_Resize(array, &dims, 0, NPY_CORDER)).is_valid())
      throw nb::python_error();
    return std::move(object);
  }
};

// A one-dimensional array of ids in the caller's memory.
struct Ids {
  uint32_t *data;
  size_t size;

  Ids(nb::handle object, const char *name, bool writable) {
    auto array = reinterpret_cast<PyArrayObject *>(object.ptr());
    if (!PyArray_Check(array) || PyArray_TYPE(array) != NPY_UINT32 || !PyArray_ISNOTSWAPPED(array))
      nb::raise_type_error("%s must be a numpy array of uint32", name);
    if (PyArray_NDIM(array) != 1)
      throw nb::value_error((std::string(name) + " must be one-dimensional").c_str());
    if (!PyArray_ISCARRAY_RO(array))
      throw nb::value_error((std::string(name) + " must be C-contiguous and aligned").c_str());
    if (writable && !PyArray_ISWRITEABLE(array))
      throw nb::value_error((std::string(name) + " must be writable").c_str());
    data = static_cast<uint32_t *>(PyArray_DATA(array));
    size = static_cast<size_t>(PyArray_DIM(array, 0));
  }
};

// ---- object --------------------------------------------------------------------------------

class Tokenizer {
public:
  explicit Tokenizer(Model given) : model(std::move(given)) {}

  nb::object encode(nb::handle text, nb::handle allowed, nb::handle disallowed) const {
    Utf8 utf8(text.ptr());
    std::string policy = model.policy(allowed.ptr(), disallowed.ptr());
    Array<uint32_t> ids(utf8.size);
    return ids.shortened(run(utf8.data, utf8.size, bytes_of(policy), {ids.data, utf8.size, 0}));
  }

  size_t encode_into(nb::handle buffer, nb::handle out) const {
    Bytes text(buffer.ptr());
    Ids ids(out, "out", true);
    if (overlap(text.data(), text.size(), ids.data, ids.size))
      throw nb::value_error("out must not overlap buffer");
    return run(text.data(), text.size(), model.ordinary(), {ids.data, ids.size, 0});
  }

  nb::tuple encode_batch(nb::handle texts, nb::handle threads, nb::handle allowed,
                         nb::handle disallowed) const {
    int most = checked_threads(threads.ptr());
    Texts borrowed(texts.ptr());
    std::string policy = model.policy(allowed.ptr(), disallowed.ptr());
    size_t n = borrowed.texts.size();
    Array<uint32_t> ids(borrowed.total);
    Array<int64_t> offsets(n + 1);
    const ck_texts given{borrowed.texts.data(), borrowed.sizes.data(), n};
    ck_buffer room{ids.data, borrowed.total, 0};
    model.run(borrowed.total, [&](ck_bpe *bpe, ck_interrupt *interrupt, ck_error *error) {
      ck_bpe_encode_batch(bpe, &given, bytes_of(policy), &room, offsets.data, most, interrupt,
                          error);
    });
    return nb::make_tuple(ids.shortened(static_cast<size_t>(offsets.data[n])), offsets.object);
  }

  size_t count(nb::handle text) const {
    Utf8 utf8(text.ptr());
    return run(utf8.data, utf8.size, model.ordinary(), {});
  }

  nb::object split(nb::handle text) const {
    Utf8 utf8(text.ptr());
    Array<int64_t> ends(utf8.size);
    ck_buffer room{ends.data, utf8.size, 0};
    model.run(utf8.size, [&](ck_bpe *bpe, ck_interrupt *interrupt, ck_error *error) {
      ck_bpe_split(bpe, utf8.data, utf8.size, &room, interrupt, error);
    });
    return ends.shortened(room.n);
  }

  nb::bytes decode(nb::handle object) const {
    Ids ids(object, "ids", false);
    ck_buffer room{};
    auto decode = [&](ck_bpe *bpe, ck_interrupt *interrupt, ck_error *error) {
      ck_bpe_decode(bpe, ids.data, ids.size, &room, interrupt, error);
    };
    model.run(ids.size, decode);
    std::string bytes(room.n, '\0');
    room = {bytes.data(), bytes.size(), 0};
    model.run(bytes.size(), decode);
    return nb::bytes(bytes.data(), room.n);
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

static void init(nb::pointer_and_handle<Tokenizer> self, const nb::object &given) {
  Model model(given.ptr());
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
  Py_VISIT(model.object.get());
  Py_VISIT(model.names.get());
  return 0;
}

static PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void *>(traverse)}, {0, nullptr}};

// ---- module --------------------------------------------------------------------------------

// The types in the signatures that help() shows.
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
  nb::class_<Tokenizer>(m, "Tokenizer", "A byte-level BPE tokenizer; see protocol.Tokenizer.",
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
          "model", [](const Tokenizer &self) { return nb::handle(self.model.object.get()); },
          nb::sig("def model(self) -> ffi_cookbook.bindings.protocol.ModelLike"))
      .def("__reduce__", [](const nb::object &self) {
        return nb::make_tuple(self.type(), nb::make_tuple(self.attr("model")));
      });
}
