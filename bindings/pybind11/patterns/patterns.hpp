// What the pages of the ledger share. A page is a function that adds its patterns to the module.
#pragma once

#include <string_view>

#include "../common.hpp"

void scalars(py::module_ &m);
void text(py::module_ &m);
void arrays(py::module_ &m);
void containers(py::module_ &m);
void objects(py::module_ &m);
void calls(py::module_ &m);
void mixed(py::module_ &m);
void fast(py::module_ &m);

// ---- arguments -----------------------------------------------------------------------------

// pybind11's own casters replace what __float__ or __index__ raises, even KeyboardInterrupt, and cut
// Fraction(3, 2) down to 1. With these an exception comes out unchanged, and an int is an index.
template <class T> struct NumberCaster {
  PYBIND11_TYPE_CASTER(T, py::detail::const_name<std::is_integral_v<T>>("int", "float"));

  bool load(py::handle source, bool convert) {
    if constexpr (std::is_integral_v<T>) {
      long long number = PyLong_AsLongLong(source.ptr());
      value = static_cast<T>(number);
      return checked(number == -1) && static_cast<long long>(value) == number &&
             (std::is_signed_v<T> || number >= 0);
    } else {
      if (!convert && !PyFloat_Check(source.ptr()) && !PyLong_Check(source.ptr()))
        return false;
      value = PyFloat_AsDouble(source.ptr());
      return checked(value == -1.0);
    }
  }

  static py::handle cast(T number, py::return_value_policy, py::handle) {
    if constexpr (!std::is_integral_v<T>)
      return PyFloat_FromDouble(number);
    else if constexpr (std::is_unsigned_v<T>)
      return PyLong_FromUnsignedLongLong(number);
    else
      return PyLong_FromLongLong(number);
  }

private:
  static bool checked(bool maybe_failed) {
    if (maybe_failed && PyErr_Occurred())
      throw py::error_already_set();
    return true;
  }
};
template <> struct py::detail::type_caster<double> : NumberCaster<double> {};
template <> struct py::detail::type_caster<int> : NumberCaster<int> {};
template <> struct py::detail::type_caster<int64_t> : NumberCaster<int64_t> {};
template <> struct py::detail::type_caster<uint64_t> : NumberCaster<uint64_t> {};
template <> struct py::detail::type_caster<uint8_t> : NumberCaster<uint8_t> {};

inline double to_double(py::handle number) {
  double value = PyFloat_AsDouble(number.ptr());
  if (value == -1.0 && PyErr_Occurred())
    throw py::error_already_set();
  return value;
}

inline const uint8_t *data_of(std::string_view bytes) {
  return reinterpret_cast<const uint8_t *>(bytes.data());
}

// The UTF-8 of a str, which keeps it.
inline std::string_view utf8(py::handle text) {
  Py_ssize_t size;
  const char *data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (!data)
    throw py::error_already_set();
  return {data, static_cast<size_t>(size)};
}

// ---- arrays --------------------------------------------------------------------------------

constexpr int aligned = py::detail::npy_api::NPY_ARRAY_ALIGNED_;
constexpr int contiguous = py::array::c_style | aligned;

// The numbers of a 1-D float64 array. A py::array is borrowed as it is; as the type of an argument
// py::array_t asks NumPy to convert it, also when there is nothing to convert.
inline const double *floats(const py::array &values, int layout = contiguous) {
  if (!py::isinstance<py::array_t<double, 0>>(values))
    throw py::type_error("values must be a float64 array");
  if (values.ndim() != 1 || (values.flags() & layout) != layout)
    throw py::value_error("values must be 1-D, aligned and, unless strided, C-contiguous");
  return static_cast<const double *>(values.data());
}

inline size_t length(const py::array &values) { return static_cast<size_t>(values.size()); }
