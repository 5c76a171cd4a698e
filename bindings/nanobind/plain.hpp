// The arguments of matmul: plain arrays at the time they are borrowed.
#pragma once

#include <nanobind/ndarray.h>

#include <exception>

#include "errors.hpp"
#include "ndarrays.hpp"

// numpy.dtype(T), and the name of the attribute, looked up when the module is imported.
template <class T> inline nb::handle numpy_dtype;
inline nb::handle dtype_attribute;
inline void find_types() {
  nb::object dtype = nb::module_::import_("numpy").attr("dtype");
  numpy_dtype<float> = dtype("f4").release();
  numpy_dtype<double> = dtype("f8").release();
  dtype_attribute = nb::str("dtype").release();
  find_ndarray();
}

template <class T> using Operand = nb::ndarray<const T, nb::device::cpu>;

// As the type of an argument: a numpy.ndarray with the dtype of T, which chooses the overload.
// NumPy reports the dtype, not the object. Its memory is borrowed after the other arguments have
// been converted, as that may change it.
template <class T> struct First {
  nb::object object;
};

template <class T> struct nb::detail::type_caster<First<T>> {
  NB_TYPE_CASTER(First<T>, make_caster<Operand<T>>::Name)

  bool from_python(handle source, uint32_t, cleanup_list *) noexcept {
    value.object = nb::borrow(source);
    try {
      return is_ndarray(source) &&
             plain_array(source, "a").attr(dtype_attribute).equal(numpy_dtype<T>);
    } catch (const std::exception &) { // out of memory
      return false;
    }
  }
};

// Borrow the memory of an operand. DLPack counts strides in elements: an array with other strides
// is copied, if it does not share memory with `out`.
template <class T> Operand<T> borrowed(nb::handle operand, nb::handle out) {
  Operand<T> array;
  nb::object plain = plain_array(operand, "b"); // `a` is an ndarray
  if (nb::try_cast(plain, array, false))
    return array;
  nb::module_ numpy = nb::module_::import_("numpy");
  if (!out.is_none() &&
      nb::cast<bool>(numpy.attr("may_share_memory")(plain, plain_array(out, "out"))))
    raise_error("matmul_error", {CK_OVERLAP, 0, 0, 2, 2, 0});
  if (!nb::try_cast(numpy.attr("ascontiguousarray")(plain), array, false))
    throw nb::type_error("a and b must have one dtype, float32 or float64");
  return array;
}
