// Text, ids and scratch memory on their way between Python and the tokenizer kernel.
#pragma once

#include <string>
#include <vector>

#include "bytes.hpp"
#include "contiguous.hpp"
#include "tuples.hpp"
#include "type_error.hpp"

inline const uint8_t *bytes_of(const std::string &bytes) {
  return reinterpret_cast<const uint8_t *>(bytes.data());
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
      refuse_type("text must be str or bytes", owner);
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
      refuse_type("texts must be a list or tuple of str or bytes", given);
    for (py::handle text : tuple_of(given)) {
      Utf8 utf8(py::reinterpret_borrow<py::object>(text));
      texts.push_back(utf8.data);
      sizes.push_back(utf8.size);
      total += utf8.size;
      owners.push_back(std::move(utf8.owner));
    }
  }
};

// A new array of n items, with anything in them: memory never written to is never mapped.
template <class T> py::array_t<T> new_array(size_t n) {
  return py::array_t<T>(static_cast<py::ssize_t>(n));
}

// Its first n items, in place: nobody else has seen it.
template <class T> py::array_t<T> shortened(py::array_t<T> array, size_t n) {
  array.resize({n}, false);
  return array;
}

// A one-dimensional array of ids, in memory that stays the caller's. As an argument of type
// py::array_t it would pass through a conversion, which takes longer than encoding a short text even
// where there is nothing to convert.
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

// The kernel reads the text while it writes the ids.
inline void check_apart(const Bytes &text, const Ids &ids) {
  const uint8_t *low = text.data(), *high = low + text.size();
  auto first = reinterpret_cast<const uint8_t *>(ids.data);
  auto end = reinterpret_cast<const uint8_t *>(ids.data + ids.size);
  if (low < high && first < end && low < end && first < high)
    throw py::value_error("out must not overlap buffer");
}
