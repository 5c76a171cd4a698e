// The call by Python's C API: an error stays in that thread until it is fetched.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "scan.h"

namespace nb = nanobind;

using Values = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

static size_t watch(Values values, double limit, nb::handle callback) {
  PyObject *kind = nullptr, *value = nullptr, *trace = nullptr;
  size_t calls = 0;
  PyThreadState *state = PyEval_SaveThread();
  scan(values.data(), values.size(), limit, [&](size_t i) {
    PyGILState_STATE held = PyGILState_Ensure();
    PyObject *result = PyObject_CallFunction(callback.ptr(), "nd", i, values(i));
    if (result)
      calls++;
    else
      PyErr_Fetch(&kind, &value, &trace);
    Py_XDECREF(result);
    PyGILState_Release(held);
    return result != nullptr;
  });
  PyEval_RestoreThread(state);
  if (kind) {
    PyErr_Restore(kind, value, trace);
    throw nb::python_error();
  }
  return calls;
}

NB_MODULE(exercise, m) { m.def("watch", &watch, nb::arg().noconvert(), nb::arg(), nb::arg()); }
