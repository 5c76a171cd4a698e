#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <new>

extern "C" { // smooth.h does not say it itself
#include "smooth.h"
}

namespace nb = nanobind;
using namespace nb::literals;
using Float = nb::typed<nb::object, double>; // any object to C++, a float to the stub
using Input = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Output = nb::ndarray<nb::numpy, double, nb::ndim<1>>;

static void check(int code) {
  if (code == SMOOTH_MEMORY)
    throw std::bad_alloc(); // a MemoryError in Python
  if (code != SMOOTH_OK)
    throw nb::value_error(smooth_message(code));
}

// Return the numbers of a float64 array. NumPy copies it if it is strided or misaligned. As the type
// of an argument, Input would convert other arrays, and believe the __dlpack__ of a subclass.
static Input borrowed(nb::handle x) {
  Input array;
  auto plain = nb::module_::import_("numpy").attr("require")(x, nb::none(), "CAE");
  if (!nb::try_cast(plain, array, false)) // false: no conversion
    throw nb::type_error("x must be a float64 array of one dimension");
  return array;
}

// Return a new array, whose memory belongs to a capsule.
static Output new_array(size_t size) {
  auto y = std::make_unique<double[]>(size);
  nb::capsule owner(y.get(), [](void *p) noexcept { delete[] static_cast<double *>(p); });
  return Output(y.release(), {size}, owner);
}

// As the type of an argument, double would replace an exception of __float__ by a TypeError.
static double number(nb::handle object) {
  double value = PyFloat_AsDouble(object.ptr());
  if (value == -1 && PyErr_Occurred())
    throw nb::python_error();
  return value;
}

static Output ema(nb::typed<nb::object, Input> array, Float alpha) {
  double weight = number(alpha); // before the array is read: a __float__ may change it
  Input x = borrowed(array);
  Output y = new_array(x.size());
  check(smooth_ema(weight, x.data(), y.data(), x.size()));
  return y;
}

// The buffer protocol takes any object's bytes; nb::ndarray<const uint8_t> would convert 1.5 to 1.
static uint32_t crc32(nb::handle data) {
  Py_buffer view;
  if (PyObject_GetBuffer(data.ptr(), &view, PyBUF_SIMPLE) < 0)
    throw nb::python_error();
  uint32_t crc;
  {
    nb::gil_scoped_release unlocked;
    crc = smooth_crc32(view.buf, static_cast<size_t>(view.len));
  }
  PyBuffer_Release(&view);
  return crc;
}

class Average {
public:
  explicit Average(double alpha) {
    smooth_average *handle = nullptr;
    check(smooth_create(alpha, &handle));
    handle_.reset(handle);
  }

  Output update(nb::typed<nb::object, Input> array) {
    Input x = borrowed(array);
    Output y = new_array(x.size());
    check(smooth_update(handle_.get(), x.data(), y.data(), x.size()));
    return y;
  }

private:
  std::unique_ptr<smooth_average, decltype(&smooth_free)> handle_{nullptr, smooth_free};
};

NB_MODULE(_native, m) {
  m.def("ema", &ema, "x"_a, "alpha"_a, "Return the exponential moving average.");
  m.def("crc32", &crc32, "data"_a, nb::sig("def crc32(data: object) -> int"),
        "Return the CRC-32 of a bytes-like object.");
  nb::class_<Average>(m, "Average", "An exponential moving average that goes on from call to call.")
      .def(
          "__init__", [](Average *self, Float alpha) { new (self) Average(number(alpha)); },
          "alpha"_a)
      .def("update", &Average::update, "x"_a,
           "Feed an array of one dimension and return the average after each value.");
}
