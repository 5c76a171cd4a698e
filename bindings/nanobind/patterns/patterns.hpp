// What the pages of the ledger share. A page is a function that adds its patterns to the module.
#pragma once

#include <string_view>
#include <tuple>

#include "../common.hpp"

void scalars(nb::module_ &m);
void text(nb::module_ &m);
void arrays(nb::module_ &m);
void containers(nb::module_ &m);
void objects(nb::module_ &m);
void calls(nb::module_ &m);
void mixed(nb::module_ &m);
void fast(nb::module_ &m);

// ---- arguments -----------------------------------------------------------------------------

// An array is taken as it is: left to itself, nanobind converts a copy to the right dtype. All
// arguments are annotated, or none, so any other one is `plain`.
constexpr auto as_it_is = nb::arg().noconvert();
constexpr nb::arg plain;

inline double to_double(nb::handle number) {
  double value = PyFloat_AsDouble(number.ptr());
  if (value == -1.0 && PyErr_Occurred())
    throw nb::python_error();
  return value;
}

// A number as an argument, which is an int or a float, or an object that is asked for it when the
// function first reads it: once, and in the function's own order. Where double or int64_t stands in
// a signature, nanobind replaces what __float__ or __index__ raises, even KeyboardInterrupt.
template <class T> struct Number {
  T value;
  nb::handle object;
  operator T() const { return object.is_valid() ? ask() : value; }

private:
  T ask() const {
    if constexpr (std::is_floating_point_v<T>)
      return to_double(object);
    else {
      nb::object number = nb::steal(PyNumber_Index(object.ptr()));
      if (!number.is_valid())
        throw nb::python_error();
      T whole;
      if (!nb::try_cast(number, whole))
        throw nb::type_error("the number is out of range");
      return whole;
    }
  }
};
using Float = Number<double>;
using Int = Number<int64_t>;

// A function of C with such arguments: m.def("name", numbers(&function)). Only between braces are
// values read from left to right.
template <class Result, class... T> auto numbers(Result (*function)(T...)) {
  return [function](Number<T>... arguments) {
    return std::apply(function, std::tuple<T...>{static_cast<T>(arguments)...});
  };
}

template <class T> struct nb::detail::type_caster<Number<T>> {
  static constexpr auto Name = make_caster<T>::Name;
  template <class> using Cast = Number<T>;
  template <class> static constexpr bool can_cast() { return true; }

  bool from_python(handle source, uint32_t flags, cleanup_list *cleanup) noexcept {
    if (PyFloat_CheckExact(source.ptr()) || PyLong_CheckExact(source.ptr()))
      return caster.from_python(source, flags | cast_flags::convert, cleanup);
    object = source;
    return true;
  }

  explicit operator Number<T>() { return {caster.value, object}; }

private:
  make_caster<T> caster;
  handle object;
};

inline const uint8_t *data_of(std::string_view bytes) {
  return reinterpret_cast<const uint8_t *>(bytes.data());
}

// The UTF-8 of a str, which keeps it.
inline std::string_view utf8(nb::handle text) {
  Py_ssize_t size;
  const char *data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (!data)
    throw nb::python_error();
  return {data, static_cast<size_t>(size)};
}

// ---- arrays --------------------------------------------------------------------------------

// An nb::ndarray as an argument. By itself, it deletes a tensor twice whose __dlpack__ hands out the
// same capsule twice, drops what a __dlpack__ raises, and reads strides that a buffer does not have.
template <class Array> struct Borrowed : Array {};

using Floats = Borrowed<nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>>;

inline nb::object capsule_of(nb::handle tensor) {
  try {
    return tensor.attr("__dlpack__")();
  } catch (const nb::python_error &error) {
    if (error.matches(PyExc_AttributeError) && !nb::hasattr(tensor, "__dlpack__"))
      throw nb::type_error("expected a tensor");
    if (!error.matches(PyExc_BufferError))
      throw;
  }
  return tensor.attr("__dlpack__")(nb::arg("max_version") = nb::make_tuple(1, 0)); // read-only
}

// A subclass as the plain array that it is; a tensor as a capsule, which nanobind marks as used; any
// other buffer as a memoryview, which has strides where the buffer of a NumPy scalar has none.
inline nb::object exported(nb::handle object) {
  if (is_ndarray(object))
    return plain_array(object);
  if (nb::hasattr(object.type(), "__dlpack__"))
    return capsule_of(object);
  if (!PyObject_CheckBuffer(object.ptr()))
    return nb::borrow(object);
  nb::object view = nb::steal(PyMemoryView_FromObject(object.ptr()));
  if (!view.is_valid())
    throw nb::python_error();
  return view;
}

template <class Array> struct nb::detail::type_caster<Borrowed<Array>> {
  NB_TYPE_CASTER(Borrowed<Array>, make_caster<Array>::Name)

  bool from_python(handle source, uint8_t flags, cleanup_list *cleanup) {
    make_caster<Array> caster;
    if (!caster.from_python(exported(source), flags, cleanup))
      return false;
    value = {std::move(caster.value)};
    return true;
  }
};

// The numbers of an array, whose alignment and size, which may be negative, nb::ndarray trusts.
template <class T, class... Options> T *floats(const nb::ndarray<T, Options...> &values) {
  auto at = reinterpret_cast<uintptr_t>(values.data());
  if (values.size() > PTRDIFF_MAX / sizeof(T) || (values.size() != 0 && (!at || at % alignof(T))))
    throw nb::value_error("values must be aligned, and have a size that can be in memory");
  return values.data();
}

// A new array of NumPy's memory. An nb::ndarray over our own takes a capsule, a view and asarray.
struct NewFloats {
  nb::object array;
  double *data;

  NewFloats(const nb::object &numpy_empty, int64_t n) : array(numpy_empty(n)) {
    Py_buffer view;
    if (PyObject_GetBuffer(array.ptr(), &view, PyBUF_WRITABLE) != 0)
      throw nb::python_error();
    data = static_cast<double *>(view.buf);
    PyBuffer_Release(&view); // the array holds the memory, and only we hold the array
  }
};
