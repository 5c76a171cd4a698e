// matmul through nanobind.
//
// Shows:  nb::ndarray of any dtype, borrowed once through DLPack or the buffer protocol, and made
//         from memory of our own with a capsule as its owner; keyword-only arguments; the GIL
//         released around the kernel.
// Build:  nanobind_add_module(... NOMINSIZE matmul.cpp).
// Bites:  the default build is -Os; an array borrowed twice may be another one the second time, if
//         its class has a __dlpack__ of its own; strides that are no multiple of the item size
//         cannot be borrowed (such an array is copied, but `out` may overlap the original).
#include "matrices.hpp"

#include <algorithm>
#include <new>

using Writable = nb::ndarray<nb::device::cpu>;

// ---- arguments -----------------------------------------------------------------------------

// What is borrowed and, where nanobind cannot borrow an array, the one that it is a copy of.
struct Operand {
  Array array;
  nb::object original;
};

static nb::object numpy(const char *function) {
  return nb::module_::import_("numpy").attr(function);
}

// The array without the methods of its class, if that is a subclass.
static nb::object plain(nb::handle object, const char *name) {
  check_ndarray(object, name);
  return object.type().is(ndarray_type) ? nb::borrow(object)
                                        : ndarray_type.attr("view")(object, ndarray_type);
}

static void check_dtype(const Array &array, const char *name) {
  if (array.dtype() != nb::dtype<float>() && array.dtype() != nb::dtype<double>())
    throw nb::type_error((std::string(name) + " must be float32 or float64").c_str());
}

static Operand borrow(nb::handle object, const char *name) {
  Operand operand;
  nb::object array = plain(object, name);
  if (!nb::try_cast(array, operand.array, false)) {
    operand.original = array;
    if (!nb::try_cast(numpy("ascontiguousarray")(array), operand.array, false))
      throw nb::type_error(
          (std::string(name) + " must be float32 or float64 in native byte order").c_str());
  }
  check_dtype(operand.array, name);
  return operand;
}

static Writable borrow_out(nb::handle object) {
  Writable out;
  if (!nb::try_cast(plain(object, "out"), out, false)) {
    borrow(object, "out"); // TypeError, if it is for the dtype
    throw nb::value_error("out must be C-contiguous, aligned and writable");
  }
  return out;
}

static void check_out(const Writable &out, nb::handle object, const Operand &a, const Operand &b,
                      const int64_t *shape, size_t ndim) {
  check_ndim(out.ndim(), "out");
  const int64_t *given = out.shape_ptr();
  if (!std::equal(shape, shape + ndim, given, given + out.ndim()))
    throw value_error("out must have shape " + text(shape, ndim) + ", not " +
                      text(given, out.ndim()));
  if (!c_contiguous(out) || reinterpret_cast<uintptr_t>(out.data()) % out.itemsize())
    throw nb::value_error("out must be C-contiguous, aligned and writable");
  for (const Operand *operand : {&a, &b})
    if (operand->original.is_valid()
            ? nb::cast<bool>(numpy("may_share_memory")(object, operand->original))
            : overlaps(operand->array, static_cast<const char *>(out.data()), out.nbytes()))
      throw nb::value_error("out must not overlap a or b");
}

static nb::object new_array(const int64_t *shape, size_t ndim, nb::dlpack::dtype dtype,
                            void *&data) {
  int64_t room = dtype.bits / 8;
  for (size_t i = 0; i < ndim; i++)
    if (__builtin_mul_overflow(room, std::max<int64_t>(shape[i], 1), &room))
      throw std::bad_alloc();
  bool empty = std::find(shape, shape + ndim, 0) != shape + ndim;
  data = operator new(empty ? 0 : static_cast<size_t>(room));
  nb::capsule owner(data, [](void *memory) noexcept { operator delete(memory); });
  size_t sizes[3];
  std::copy(shape, shape + ndim, sizes);
  return nb::cast(nb::ndarray<nb::numpy>(data, ndim, sizes, owner, nullptr, dtype));
}

// ---- kernel --------------------------------------------------------------------------------

static nb::object matmul(nb::handle a, nb::handle b, nb::object out, nb::handle threads) {
  int most = checked_threads(threads); // first: it can run code
  Operand left = borrow(a, "a"), right = borrow(b, "b");
  Writable given; // holds the memory of `out`
  if (!out.is_none())
    given = borrow_out(out);
  nb::dlpack::dtype dtype = left.array.dtype();
  if (right.array.dtype() != dtype || (given.is_valid() && given.dtype() != dtype))
    throw nb::type_error("a, b and out must be all float32 or all float64");

  Matrices x = matrices(left.array, "a"), y = matrices(right.array, "b");
  if (x.columns != y.rows)
    throw value_error("a has " + std::to_string(x.columns) + " columns but b has " +
                      std::to_string(y.rows) + " rows");
  if (x.count != y.count && x.count != 1 && y.count != 1)
    throw value_error("a has " + std::to_string(x.count) + " matrices but b has " +
                      std::to_string(y.count));
  int64_t sizes[3] = {x.count == 1 ? y.count : x.count, x.rows, y.columns};
  size_t ndim = std::max(left.array.ndim(), right.array.ndim());
  const int64_t *shape = sizes + 3 - ndim;
  void *data = given.is_valid() ? given.data() : nullptr;
  if (given.is_valid())
    check_out(given, out, left, right, shape, ndim);
  else
    out = new_array(shape, ndim, dtype, data);
  auto run = [&](auto kernel, auto *result) {
    nb::gil_scoped_release release;
    kernel(left.array.data(), x.next, x.row, x.column, right.array.data(), y.next, y.row, y.column,
           result, sizes[0], x.rows, x.columns, y.columns, most);
  };
  if (dtype == nb::dtype<float>())
    run(ck_matmul_f32, static_cast<float *>(data));
  else
    run(ck_matmul_f64, static_cast<double *>(data));
  return out;
}

// ---- module --------------------------------------------------------------------------------

NB_MODULE(matmul, m) {
  find_ndarray();
  m.def("matmul", &matmul, nb::arg("a"), nb::arg("b"), nb::kw_only(), nb::arg("out") = nb::none(),
        nb::arg("threads") = 1, "a @ b; see bindings.protocol.Backend.matmul.");
}
