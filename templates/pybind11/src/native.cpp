#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <new>

extern "C" { // smooth.h does not say it itself
#include "smooth.h"
}

namespace py = pybind11;
// Without the flag forcecast, NumPy makes only safe conversions: no text, no complex numbers.
using Doubles = py::array_t<double, py::array::c_style>;

static void check(int code) {
  if (code == SMOOTH_MEMORY)
    throw std::bad_alloc(); // a MemoryError in Python
  if (code != SMOOTH_OK)
    throw py::value_error(smooth_message(code));
}

// Return the numbers of an array, in a copy if they are strided or of another type.
static Doubles doubles(const py::array &array) {
  Doubles x(array);
  if (x.ndim() != 1)
    throw py::value_error("x must have one dimension");
  if (reinterpret_cast<uintptr_t>(x.data()) % alignof(double) != 0)
    throw py::value_error("x must be aligned");
  return x;
}

static size_t length(const Doubles &x) { return static_cast<size_t>(x.size()); }

// As the type of an argument, double would replace an exception of __float__ by a TypeError.
static double number(const py::object &object) {
  double value = PyFloat_AsDouble(object.ptr());
  if (value == -1 && PyErr_Occurred())
    throw py::error_already_set();
  return value;
}

static Doubles ema(const py::array &array, const py::object &alpha) {
  double weight = number(alpha); // before the array is read: a __float__ may change it
  Doubles x = doubles(array);
  Doubles y(x.size());
  check(smooth_ema(weight, x.data(), y.mutable_data(), length(x)));
  return y;
}

static uint32_t crc32(const py::buffer &data) {
  py::buffer_info view = data.request();
  if (!PyBuffer_IsContiguous(view.view(), 'C'))
    throw py::value_error("data must be contiguous");
  py::gil_scoped_release unlocked; // destroyed before `view`, which needs the GIL
  return smooth_crc32(view.ptr, static_cast<size_t>(view.size * view.itemsize));
}

class Average {
public:
  explicit Average(double alpha) {
    smooth_average *handle = nullptr;
    check(smooth_create(alpha, &handle));
    handle_.reset(handle);
  }

  // pybind11 calls this at the first use of an object that __new__ made and __init__ did not.
  static void *operator new(size_t) { throw py::type_error("__init__ was not called"); }

  Doubles update(const py::array &array) {
    Doubles x = doubles(array);
    Doubles y(x.size());
    check(smooth_update(handle_.get(), x.data(), y.mutable_data(), length(x)));
    return y;
  }

private:
  std::unique_ptr<smooth_average, decltype(&smooth_free)> handle_{nullptr, smooth_free};
};

PYBIND11_MODULE(_native, m) {
  m.def("ema", &ema, py::arg("x"), py::arg("alpha"), "Return the exponential moving average.");
  m.def("crc32", &crc32, py::arg("data"), "Return the CRC-32 of a bytes-like object.");
  // module_local: otherwise two packages with a C++ class Average cannot be imported together.
  py::class_<Average>(m, "Average", py::module_local(),
                      "An exponential moving average that goes on from call to call.")
      .def(py::init([](const py::object &alpha) { return ::new Average(number(alpha)); }),
           py::arg("alpha"))
      // Without it, pickle's protocols 0 and 1 end the process.
      .def("__reduce__",
           [](py::handle) { throw py::type_error("cannot copy or pickle an Average"); })
      .def("update", &Average::update, py::arg("x"),
           "Feed an array of one dimension and return the average after each value.");
}
