// Arguments that are borrowed as the plain arrays that they are, for matmul.
#pragma once

#include "common.hpp"

// As the type of an argument: an Array of a numpy.ndarray, and the object that was given.
template <class Array> struct Plain {
  Array array;
  nb::object given;
};

template <class Array> struct nb::detail::type_caster<Plain<Array>> {
  NB_TYPE_CASTER(Plain<Array>, make_caster<Array>::Name)

  bool from_python(handle source, uint8_t flags, cleanup_list *cleanup) {
    make_caster<Array> caster;
    if (!is_ndarray(source) || !caster.from_python(plain_array(source), flags, cleanup))
      return false;
    value = {caster.value, borrow(source)};
    return true;
  }
};

// DLPack counts strides in elements: copy operands that have others, if `out` is not in their memory.
inline nb::object matmul_copies(const Plain<nb::object> &a, const Plain<nb::object> &b,
                                std::optional<Plain<nb::object>> out, nb::object threads) {
  nb::module_ numpy = nb::module_::import_("numpy");
  auto copy = numpy.attr("ascontiguousarray"), shared = numpy.attr("may_share_memory");
  nb::object x = copy(a.array), y = copy(b.array);
  if (x.is(a.array) && y.is(b.array))
    throw nb::next_overload();
  if (out &&
      (nb::cast<bool>(shared(a.array, out->array)) || nb::cast<bool>(shared(b.array, out->array))))
    raise_error("matmul_error", {CK_OVERLAP, 0, 0, 2, 0, 0});
  return nb::module_::import_("bindings.nanobind.matmul")
      .attr("matmul")(x, y, nb::arg("out") = out ? out->given : nb::none(),
                      nb::arg("threads") = threads);
}
