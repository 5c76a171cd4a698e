// The module: all pages of the patterns, put together.
#include <string>

#include "../ndarrays.hpp"
#include "cookbook.h"

// Each page is a function that adds its patterns to the module.
void scalars(nb::module_ &m);
void text(nb::module_ &m);
void arrays(nb::module_ &m);
void containers(nb::module_ &m);
void objects(nb::module_ &m);
void calls(nb::module_ &m);
void fast(nb::module_ &m);

static nb::dict about() {
  std::string version = std::to_string(NB_VERSION_MAJOR) + "." + std::to_string(NB_VERSION_MINOR) +
                        "." + std::to_string(NB_VERSION_PATCH);
  nb::dict facts;
  facts["technology"] = nb::str(("nanobind " + version).c_str());
  facts["compiler"] = nb::str(ck_compiler());
  facts["kernel"] = nb::str("C");
  facts["isa"] = nb::str(ck_isa());
  return facts;
}

NB_MODULE(patterns, m) {
  find_ndarray();
  m.def("about", &about, nb::sig("def about() -> dict[str, str]"),
        "Return the tools that built this binding.");
  scalars(m);
  text(m);
  arrays(m);
  containers(m);
  objects(m);
  calls(m);
  nb::module_ faster = m.def_submodule("fast", "Faster still, at a price.");
  fast(faster);
  m.attr("idiomatic") = nb::module_::import_("ffi_cookbook.bindings.nanobind.idiomatic");
}
