// The module: all pages of the patterns, put together.
#include <string>

#include "../module.hpp"
#include "cookbook.h"

// Each page is a function that adds its patterns to the module.
void scalars(py::module_ &m);
void text(py::module_ &m);
void arrays(py::module_ &m);
void containers(py::module_ &m);
void objects(py::module_ &m);
void calls(py::module_ &m);
void fast(py::module_ &m);

static py::dict about() {
  py::dict facts;
  facts["technology"] = "pybind11 " + std::to_string(PYBIND11_VERSION_MAJOR) + "." +
                        std::to_string(PYBIND11_VERSION_MINOR) + "." +
                        std::to_string(PYBIND11_VERSION_MICRO);
  facts["compiler"] = ck_compiler();
  facts["kernel"] = "C";
  facts["isa"] = ck_isa();
  return facts;
}

COOKBOOK_MODULE(patterns, m) {
  m.def("about", &about, "about()\n--\n\nReturn the tools that built this binding.");
  scalars(m);
  text(m);
  arrays(m);
  containers(m);
  objects(m);
  calls(m);
  py::module_ faster = m.def_submodule("fast", "Faster still, at a price.");
  fast(faster);
  guard(faster.attr("__dict__"));
  m.attr("idiomatic") = py::module_::import("ffi_cookbook.bindings.pybind11.idiomatic");
}
