// Arguments that are plain arrays when they are borrowed, for matmul.
#pragma once

#include "common.hpp"

// numpy.dtype(T), and the name of the attribute, found when the module is imported.
template <class T> inline nb::handle numpy_dtype;
inline nb::handle dtype_attribute;
template <class T> void find_dtype(const char *name) {
  dtype_attribute = nb::str("dtype").release();
  numpy_dtype<T> = nb::module_::import_("numpy").attr("dtype")(name).release();
}

// As the type of an argument: a numpy.ndarray with the dtype of Array, which chooses the overload.
// NumPy says so, not the object. Its memory is borrowed when the other arguments have been asked, as
// they may change it.
template <class Array> struct First {
  nb::object object;
};

template <class Array> struct nb::detail::type_caster<First<Array>> {
  NB_TYPE_CASTER(First<Array>, make_caster<Array>::Name)

  bool from_python(handle source, uint8_t, cleanup_list *) {
    using T = std::remove_const_t<typename Array::Scalar>;
    if (!is_ndarray(source) || !plain_array(source).attr(dtype_attribute).equal(numpy_dtype<T>))
      return false;
    value.object = nb::borrow(source);
    return true;
  }
};

// Borrow the memory of an operand. DLPack counts strides in elements: an array that has others is
// copied, if it does not share memory with `out`.
template <class Array> Array borrowed(nb::handle operand, nb::handle out) {
  Array array;
  nb::object plain = plain_array(operand);
  if (nb::try_cast(plain, array, false))
    return array;
  nb::module_ numpy = nb::module_::import_("numpy");
  if (!out.is_none() && nb::cast<bool>(numpy.attr("may_share_memory")(plain, plain_array(out))))
    raise_error("matmul_error", {CK_OVERLAP, 0, 0, 2, 2, 0});
  if (!nb::try_cast(numpy.attr("ascontiguousarray")(plain), array, false))
    throw nb::type_error("a and b must have one dtype, float32 or float64");
  return array;
}

// Borrow the memory of `out`, which is written to.
template <class Array> Array borrowed(nb::handle out) {
  Array array;
  if (!nb::try_cast(plain_array(out), array, false))
    throw value_error("out must be writable, C-contiguous and of the dtype of a and b");
  return array;
}
