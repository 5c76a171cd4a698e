// Text and scratch memory on their way from Python to the tokenizer kernel.
#pragma once

#include <string>
#include <vector>

#include "type_error.hpp"

inline const uint8_t *bytes_of(const std::string &bytes) {
  return reinterpret_cast<const uint8_t *>(bytes.data());
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
      refuse_type("text must be str or bytes", owner);
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

// The texts of a list or tuple where they lie, and what keeps them: the list can change meanwhile.
struct Texts {
  std::vector<nb::object> owners;
  std::vector<const uint8_t *> texts;
  std::vector<size_t> sizes;
  size_t total = 0;

  explicit Texts(const nb::object &given) {
    if (!nb::isinstance<nb::list>(given) && !nb::isinstance<nb::tuple>(given))
      refuse_type("texts must be a list or tuple of str or bytes", given);
    for (nb::handle text : nb::tuple(given)) {
      Utf8 utf8(nb::borrow(text));
      texts.push_back(utf8.data);
      sizes.push_back(utf8.size);
      total += utf8.size;
      owners.push_back(std::move(utf8.owner));
    }
  }
};
