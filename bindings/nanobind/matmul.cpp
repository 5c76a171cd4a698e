// matmul through nanobind.
//
// Shows:  one template bound twice as overloads, chosen by dtype; nb::ndarray, borrowed through
//         DLPack or the buffer protocol, and made from memory of our own with a capsule as its
//         owner; keyword-only arguments; the GIL released around the kernel.
// Build:  nanobind_add_module(... NOMINSIZE matmul.cpp).
// Bites:  the default build is -Os; an implicit conversion copies, unless .noconvert(); an unmet
//         constraint is a TypeError, so what should be a ValueError is checked in the body; strides
//         that are no multiple of the item size cannot be borrowed (the last overload copies).
#include "common.hpp"

#include <new>

template <class T> using Matrix = nb::ndarray<const T, nb::device::cpu>;

// ---- arguments -----------------------------------------------------------------------------

template <class T> static void check_matrix(const Matrix<T> &matrix, const char *name) {
  if (matrix.ndim() != 2)
    throw value_error(std::string(name) + " must have 2 dimensions");
}

// Does the matrix touch the n items from `low` on?
template <class T> static bool overlaps(const Matrix<T> &matrix, const T *low, size_t n) {
  if (matrix.size() == 0 || n == 0)
    return false;
  const T *first = matrix.data(), *last = first;
  for (int i = 0; i < 2; i++) {
    int64_t extent = (static_cast<int64_t>(matrix.shape(i)) - 1) * matrix.stride(i);
    (extent < 0 ? first : last) += extent;
  }
  return first < low + n && low <= last;
}

template <class T>
static auto check_out(nb::handle object, const Matrix<T> &a, const Matrix<T> &b) {
  auto out = array_of<T, nb::c_contig>(object, "out");
  if (out.ndim() != 2 || out.shape(0) != a.shape(0) || out.shape(1) != b.shape(1))
    throw nb::value_error("out must have as many rows as a and as many columns as b");
  if (overlaps(a, out.data(), out.size()) || overlaps(b, out.data(), out.size()))
    throw nb::value_error("out must not overlap a or b");
  return out;
}

template <class T> static nb::object new_matrix(size_t m, size_t n, T *&data) {
  size_t size;
  if (__builtin_mul_overflow(m, n, &size))
    throw std::bad_alloc();
  data = new T[size];
  nb::capsule owner(data, [](void *memory) noexcept { delete[] static_cast<T *>(memory); });
  return nb::cast(nb::ndarray<nb::numpy, T>(data, {m, n}, owner));
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
static nb::object matmul(const Matrix<T> &a, const Matrix<T> &b, nb::object out, long threads) {
  int most = checked_threads(threads);
  check_matrix<T>(a, "a");
  check_matrix<T>(b, "b");
  size_t m = a.shape(0), k = a.shape(1), n = b.shape(1);
  if (k != b.shape(0))
    throw value_error("a has " + std::to_string(k) + " columns but b has " +
                      std::to_string(b.shape(0)) + " rows");
  T *data;
  nb::ndarray<T, nb::c_contig, nb::device::cpu> filled; // holds the memory of a given `out`
  if (out.is_none()) {
    out = new_matrix<T>(m, n, data);
  } else {
    filled = check_out<T>(out, a, b);
    data = filled.data();
  }
  constexpr int64_t bytes = sizeof(T);
  {
    nb::gil_scoped_release release;
    Kernel<T>::run(a.data(), a.stride(0) * bytes, a.stride(1) * bytes, b.data(),
                   b.stride(0) * bytes, b.stride(1) * bytes, data, m, k, n, most);
  }
  return out;
}

// What nanobind cannot borrow is copied first, if that helps; else it is a TypeError.
static nb::object matmul_copied(nb::object a, nb::object b, nb::object out, long threads) {
  nb::module_ numpy = nb::module_::import_("numpy");
  nb::object copies[] = {a, b};
  for (nb::object &matrix : copies)
    if (nb::isinstance(matrix, numpy.attr("ndarray")))
      matrix = numpy.attr("ascontiguousarray")(matrix);
  if (copies[0].is(a) && copies[1].is(b))
    throw nb::type_error("a and b must be arrays, both float32 or both float64, native byte order");
  nb::object self = nb::module_::import_("bindings.nanobind.matmul").attr("matmul");
  return self(copies[0], copies[1], nb::arg("out") = out, nb::arg("threads") = threads);
}

// ---- module --------------------------------------------------------------------------------

template <class Function> static void bind(nb::module_ &m, Function function) {
  m.def("matmul", function, nb::arg("a").noconvert(), nb::arg("b").noconvert(), nb::kw_only(),
        nb::arg("out") = nb::none(), nb::arg("threads") = 1,
        "a @ b; see bindings.protocol.Backend.matmul.");
}

NB_MODULE(matmul, m) {
  bind(m, &matmul<float>);
  bind(m, &matmul<double>);
  bind(m, &matmul_copied);
}
