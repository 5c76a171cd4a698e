// matmul through nanobind.
//
// Shows:  one template for both dtypes, chosen by what can be borrowed; nb::ndarray, borrowed through
//         DLPack or the buffer protocol, and made from memory of our own with a capsule as its
//         owner; keyword-only arguments; the GIL released around the kernel.
// Build:  nanobind_add_module(... NOMINSIZE matmul.cpp).
// Bites:  the default build is -Os; an implicit conversion copies, unless .noconvert(); an unmet
//         constraint is a TypeError, so what should be a ValueError is checked in the body; strides
//         that are no multiple of the item size cannot be borrowed (such an array is copied).
#include "matrices.hpp"

#include <algorithm>
#include <new>

// ---- arguments -----------------------------------------------------------------------------

template <class T>
static auto check_out(nb::handle object, const Array<T> &a, const Array<T> &b, const int64_t *shape,
                      size_t ndim) {
  nb::ndarray<T, nb::c_contig, nb::device::cpu> out;
  Array<T> any;
  check_ndarray(object, "out");
  if (!nb::try_cast(object, any, false))
    throw nb::type_error("out must have the dtype of a and b");
  matrices<T>(any, "out");
  const int64_t *given = any.shape_ptr();
  if (!std::equal(shape, shape + ndim, given, given + any.ndim()))
    throw value_error("out must have shape " + text(shape, ndim) + ", not " +
                      text(given, any.ndim()));
  if (!nb::try_cast(object, out, false) || reinterpret_cast<uintptr_t>(any.data()) % sizeof(T))
    throw nb::value_error("out must be C-contiguous, aligned and writable");
  if (overlaps(a, out.data(), out.size()) || overlaps(b, out.data(), out.size()))
    throw nb::value_error("out must not overlap a or b");
  return out;
}

template <class T> static nb::object new_array(const int64_t *shape, size_t ndim, T *&data) {
  int64_t room = sizeof(T);
  for (size_t i = 0; i < ndim; i++)
    if (__builtin_mul_overflow(room, std::max<int64_t>(shape[i], 1), &room))
      throw std::bad_alloc();
  bool empty = std::find(shape, shape + ndim, 0) != shape + ndim;
  data = new T[empty ? 0 : static_cast<size_t>(room) / sizeof(T)];
  nb::capsule owner(data, [](void *memory) noexcept { delete[] static_cast<T *>(memory); });
  size_t sizes[3];
  std::copy(shape, shape + ndim, sizes);
  return nb::cast(nb::ndarray<nb::numpy, T>(data, ndim, sizes, owner));
}

// ---- kernel --------------------------------------------------------------------------------

template <class T> struct Kernel;
template <> struct Kernel<float> {
  static constexpr auto run = ck_matmul_f32;
};
template <> struct Kernel<double> {
  static constexpr auto run = ck_matmul_f64;
};

template <class T>
static nb::object multiply(const Array<T> &a, const Array<T> &b, nb::object out, int most) {
  Matrices x = matrices<T>(a, "a"), y = matrices<T>(b, "b");
  if (x.columns != y.rows)
    throw value_error("a has " + std::to_string(x.columns) + " columns but b has " +
                      std::to_string(y.rows) + " rows");
  if (x.count != y.count && x.count != 1 && y.count != 1)
    throw value_error("a has " + std::to_string(x.count) + " matrices but b has " +
                      std::to_string(y.count));
  int64_t sizes[3] = {x.count == 1 ? y.count : x.count, x.rows, y.columns};
  size_t ndim = std::max(a.ndim(), b.ndim());
  const int64_t *shape = sizes + 3 - ndim;
  T *data;
  nb::ndarray<T, nb::c_contig, nb::device::cpu> filled; // holds the memory of a given `out`
  if (out.is_none()) {
    out = new_array<T>(shape, ndim, data);
  } else {
    filled = check_out<T>(out, a, b, shape, ndim);
    data = filled.data();
  }
  {
    nb::gil_scoped_release release;
    Kernel<T>::run(a.data(), x.next, x.row, x.column, b.data(), y.next, y.row, y.column, data,
                   sizes[0], x.rows, x.columns, y.columns, most);
  }
  return out;
}

// Both borrowed, if they are arrays of T that nanobind can borrow.
template <class T> static bool borrowed(nb::handle a, nb::handle b, Array<T> &x, Array<T> &y) {
  return nb::try_cast(a, x, false) && nb::try_cast(b, y, false);
}

static nb::object matmul(nb::object a, nb::object b, nb::object out, const nb::object &threads) {
  int most = checked_threads(threads);
  check_ndarray(a, "a");
  check_ndarray(b, "b");
  for (bool again : {false, true}) {
    Array<float> x, y;
    if (borrowed(a, b, x, y))
      return multiply(x, y, out, most);
    Array<double> v, w;
    if (borrowed(a, b, v, w))
      return multiply(v, w, out, most);
    if (!again) // what nanobind cannot borrow is copied, if that helps
      for (nb::object *matrix : {&a, &b})
        *matrix = nb::module_::import_("numpy").attr("ascontiguousarray")(*matrix);
  }
  throw nb::type_error("a and b must be both float32 or both float64, in native byte order");
}

// ---- module --------------------------------------------------------------------------------

NB_MODULE(matmul, m) {
  find_ndarray();
  m.def("matmul", &matmul, nb::arg("a"), nb::arg("b"), nb::kw_only(), nb::arg("out") = nb::none(),
        nb::arg("threads") = 1, "a @ b; see bindings.protocol.Backend.matmul.");
}
