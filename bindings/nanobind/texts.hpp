// Text, ids and scratch memory on their way between Python and the tokenizer kernel.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "common.hpp"

inline const uint8_t *bytes_of(const std::string &bytes) {
  return reinterpret_cast<const uint8_t *>(bytes.data());
}

// Runs a kernel with the GIL released.
template <class Kernel> void without_gil(Kernel kernel) {
  nb::gil_scoped_release release;
  kernel();
}

// The UTF-8 of a str, lone surrogates replaced, or bytes as they are. Borrowed from `owner`, which
// this keeps.
struct Utf8 {
  nb::object owner;
  const uint8_t *data;
  size_t size;

  explicit Utf8(nb::object text) : owner(std::move(text)) {
    if (PyBytes_Check(owner.ptr())) { // the kernel says where it is not UTF-8
      data = reinterpret_cast<const uint8_t *>(PyBytes_AS_STRING(owner.ptr()));
      size = static_cast<size_t>(PyBytes_GET_SIZE(owner.ptr()));
      return;
    }
    if (!PyUnicode_Check(owner.ptr()))
      throw nb::type_error("expected str or bytes");
    Py_ssize_t length;
    const char *bytes = PyUnicode_AsUTF8AndSize(owner.ptr(), &length);
    if (!bytes && PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
      PyErr_Clear();
      owner = nb::module_::import_("bindings.tokenizer").attr("replace_surrogates")(owner);
      bytes = PyUnicode_AsUTF8AndSize(owner.ptr(), &length);
    }
    if (!bytes)
      throw nb::python_error();
    data = reinterpret_cast<const uint8_t *>(bytes);
    size = static_cast<size_t>(length);
  }
};

// A list or tuple of texts laid end to end. Works on a tuple of its own: a list can change meanwhile.
struct Texts {
  std::string data;
  std::vector<int64_t> offsets{0};
  explicit Texts(const nb::object &texts) {
    if (!nb::isinstance<nb::list>(texts) && !nb::isinstance<nb::tuple>(texts))
      throw nb::type_error("texts must be a list or tuple of str or bytes");
    for (nb::handle text : nb::tuple(texts)) {
      Utf8 utf8(nb::borrow(text));
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

template <class T> nb::object array_from(const T *items, size_t n) {
  T *data = new T[n];
  std::copy(items, items + n, data);
  nb::capsule owner(data, [](void *memory) noexcept { delete[] static_cast<T *>(memory); });
  return nb::cast(nb::ndarray<nb::numpy, T>(data, {n}, owner));
}

// A one-dimensional array of ids.
template <class T> auto ids_of(nb::handle object) {
  auto ids = array_of<T, nb::c_contig>(object, "ids");
  if (ids.ndim() != 1)
    throw nb::value_error("ids must be one-dimensional");
  return ids;
}

inline std::string bytes_from(nb::handle object) {
  nb::bytes bytes = nb::cast<nb::bytes>(object);
  return std::string(bytes.c_str(), bytes.size());
}
