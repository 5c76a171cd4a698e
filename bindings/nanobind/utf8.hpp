// The text of a str or of bytes.
#pragma once

#include <utility>

#include "type_error.hpp"

// The UTF-8 of a str, lone surrogates replaced, or bytes as they are. Borrowed from `owner`, which
// this keeps alive.
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
      owner = nb::module_::import_("ffi_cookbook.bindings._glue.surrogates").attr("replace_surrogates")(owner);
      bytes = PyUnicode_AsUTF8AndSize(owner.ptr(), &length);
    }
    if (!bytes)
      throw nb::python_error();
    data = reinterpret_cast<const uint8_t *>(bytes);
    size = static_cast<size_t>(length);
  }
};
