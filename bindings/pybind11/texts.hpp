// Text, ids and scratch memory on their way between Python and the tokenizer kernel.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "common.hpp"

using Ids = py::array_t<uint32_t>;

inline const uint8_t *bytes_of(const std::string &bytes) {
  return reinterpret_cast<const uint8_t *>(bytes.data());
}

// Whether these arguments have their defaults: then Python need not be asked what they mean.
inline bool are_defaults(py::handle allowed, py::handle disallowed) {
  return PyTuple_CheckExact(allowed.ptr()) && PyTuple_GET_SIZE(allowed.ptr()) == 0 &&
         PyUnicode_CheckExact(disallowed.ptr()) &&
         PyUnicode_CompareWithASCIIString(disallowed.ptr(), "all") == 0;
}

// Runs a kernel with the GIL released, unless it has so few bytes to work on that this would cost
// more than the kernel does.
template <class Kernel> void without_gil(size_t size, Kernel kernel) {
  constexpr size_t WORTH_THE_GIL = 1024;
  if (size < WORTH_THE_GIL)
    return kernel();
  py::gil_scoped_release release;
  kernel();
}

// The UTF-8 of a str, lone surrogates replaced, or bytes as they are. Borrowed from `owner`, which
// this keeps.
struct Utf8 {
  py::object owner;
  const uint8_t *data;
  size_t size;

  explicit Utf8(py::object text) : owner(std::move(text)) {
    if (PyBytes_Check(owner.ptr())) { // the kernel says where it is not UTF-8
      data = reinterpret_cast<const uint8_t *>(PyBytes_AS_STRING(owner.ptr()));
      size = static_cast<size_t>(PyBytes_GET_SIZE(owner.ptr()));
      return;
    }
    if (!PyUnicode_Check(owner.ptr()))
      throw py::type_error("expected str or bytes");
    Py_ssize_t length;
    const char *bytes = PyUnicode_AsUTF8AndSize(owner.ptr(), &length);
    if (!bytes && PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
      PyErr_Clear();
      owner = py::module_::import("bindings.tokenizer").attr("replace_surrogates")(owner);
      bytes = PyUnicode_AsUTF8AndSize(owner.ptr(), &length);
    }
    if (!bytes)
      throw py::error_already_set();
    data = reinterpret_cast<const uint8_t *>(bytes);
    size = static_cast<size_t>(length);
  }
};

// The texts of a list or tuple where they lie, and what keeps them: the list can change meanwhile.
struct Texts {
  std::vector<py::object> owners;
  std::vector<const uint8_t *> texts;
  std::vector<size_t> sizes;
  size_t total = 0;

  explicit Texts(const py::object &given) {
    if (!py::isinstance<py::list>(given) && !py::isinstance<py::tuple>(given))
      throw py::type_error("texts must be a list or tuple of str or bytes");
    for (py::handle text : py::tuple(given)) {
      Utf8 utf8(py::reinterpret_borrow<py::object>(text));
      texts.push_back(utf8.data);
      sizes.push_back(utf8.size);
      total += utf8.size;
      owners.push_back(std::move(utf8.owner));
    }
  }
};

// Memory that is not cleared first, unlike a vector's, and can be made smaller where it lies.
struct Free {
  void operator()(void *memory) const { std::free(memory); }
};
template <class T> using Memory = std::unique_ptr<T[], Free>;

template <class T> Memory<T> uninitialised(size_t n) {
  Memory<T> memory(static_cast<T *>(std::malloc(std::max<size_t>(n, 1) * sizeof(T))));
  if (!memory)
    throw std::bad_alloc();
  return memory;
}

// The kernel reads the text while it writes the n ids.
inline void check_apart(const Bytes &text, const uint32_t *ids, size_t n) {
  const uint8_t *low = text.data(), *high = low + text.size();
  auto first = reinterpret_cast<const uint8_t *>(ids), end = first + n * sizeof *ids;
  if (low < high && first < end && low < end && first < high)
    throw py::value_error("out must not overlap buffer");
}

// What the threads that share a tokenizer remember.
struct Pool : ck_bpe_pool {
  Pool() : ck_bpe_pool{} {}
  Pool(const Pool &) = delete;
  ~Pool() { ck_bpe_pool_free(this); }
};

// The first n items as an array, which owns them.
template <class T> py::array_t<T> array_from(Memory<T> memory, size_t n) {
  void *smaller = std::realloc(memory.get(), std::max<size_t>(n, 1) * sizeof(T));
  T *data = smaller ? static_cast<T *>(smaller) : memory.get();
  static_cast<void>(memory.release());
  py::capsule owner(data, [](void *items) { std::free(items); });
  return py::array_t<T>(static_cast<py::ssize_t>(n), data, owner);
}

inline void check_ids(const py::array &ids) {
  if (ids.ndim() != 1)
    throw py::value_error("ids must be one-dimensional");
  check_contiguous(ids, "ids");
}
