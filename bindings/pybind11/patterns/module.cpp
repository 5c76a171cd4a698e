// The module: the pages of the ledger, put together.
#include "patterns.hpp"

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
  m.def("about", &about, "about()\n--\n\nReturn what this binding is made with.");
  scalars(m);
  text(m);
  arrays(m);
  containers(m);
  objects(m);
  calls(m);
  mixed(m);
  py::module_ faster = m.def_submodule("fast", "Faster still, at the price of something.");
  fast(faster);
  guard(faster.attr("__dict__"));
  m.attr("idiomatic") = py::module_::import("bindings.pybind11.idiomatic");
}
