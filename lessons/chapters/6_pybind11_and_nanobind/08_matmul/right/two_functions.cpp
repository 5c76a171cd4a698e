// `out` is a third array in one function, and absent in another; a vector owns the new result.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "product.h"
#include <vector>

namespace nb = nanobind;
using namespace nb::literals;

template <class T> using In = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu, nb::numpy>;

template <class T>
static void fill(const In<T> &a, const In<T> &b, const Out<T> &out, int64_t threads) {
  auto describe = [](const auto &m) {
    return Matrix<std::remove_reference_t<decltype(*m.data())>>{m.data(), m.shape(0), m.shape(1),
                                                                m.stride(0), m.stride(1)};
  };
  check<T>(describe(a), describe(b), describe(out), threads);
  nb::gil_scoped_release release;
  multiply<T>(describe(a), describe(b), describe(out));
}

template <class T> static void define(nb::module_ &m) {
  m.def(
      "matmul",
      [](const In<T> &a, const In<T> &b, Out<T> out, int64_t threads) {
        fill(a, b, out, threads);
        return out;
      },
      "a"_a.noconvert(), "b"_a.noconvert(), nb::kw_only(), "out"_a.noconvert(), "threads"_a = 1);
  m.def(
      "matmul",
      [](const In<T> &a, const In<T> &b, nb::object none, int64_t threads) {
        if (!none.is_none())
          throw nb::type_error("out does not fit");
        auto *memory = new std::vector<T>(a.shape(0) * b.shape(1));
        nb::capsule owner(memory,
                          [](void *p) noexcept { delete static_cast<std::vector<T> *>(p); });
        Out<T> out(memory->data(), {a.shape(0), b.shape(1)}, owner);
        fill(a, b, out, threads);
        return out;
      },
      "a"_a.noconvert(), "b"_a.noconvert(), nb::kw_only(), "out"_a = nb::none(), "threads"_a = 1);
}

NB_MODULE(exercise, m) {
  define<float>(m);
  define<double>(m);
}
