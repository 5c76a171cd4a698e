// Text, ids and scratch memory on their way between Python and the tokenizer kernel.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "common.hpp"

using Ids = py::array_t<uint32_t>;

inline const uint8_t *bytes_of(const std::string &bytes) {
  return reinterpret_cast<const uint8_t *>(bytes.data());
}

// Runs a kernel with the GIL released.
template <class Kernel> void without_gil(Kernel kernel) {
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

// A list or tuple of texts laid end to end. Works on a tuple of its own: a list can change meanwhile.
struct Texts {
  std::string data;
  std::vector<int64_t> offsets{0};
  explicit Texts(const py::object &texts) {
    if (!py::isinstance<py::list>(texts) && !py::isinstance<py::tuple>(texts))
      throw py::type_error("texts must be a list or tuple of str or bytes");
    for (py::handle text : py::tuple(texts)) {
      Utf8 utf8(py::reinterpret_borrow<py::object>(text));
      data.append(reinterpret_cast<const char *>(utf8.data), utf8.size);
      offsets.push_back(static_cast<int64_t>(data.size()));
    }
  }
};

// Memory that is not cleared first, unlike a vector's.
template <class T> std::unique_ptr<T[]> uninitialised(size_t n) {
  return std::unique_ptr<T[]>(new T[n]);
}

// What the threads that share a tokenizer remember.
struct Pool : ck_bpe_pool {
  Pool() : ck_bpe_pool{} {}
  Pool(const Pool &) = delete;
  ~Pool() { ck_bpe_pool_free(this); }
};

template <class T> py::array_t<T> array_from(const T *items, size_t n) {
  return py::array_t<T>(static_cast<py::ssize_t>(n), items); // copies
}

inline void check_ids(const py::array &ids) {
  if (ids.ndim() != 1)
    throw py::value_error("ids must be one-dimensional");
  check_contiguous(ids, "ids");
}
