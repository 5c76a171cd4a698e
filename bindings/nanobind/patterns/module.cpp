// The module: all pages of the patterns, put together.
#include <string>

#include "../ndarrays.hpp"
#include "cookbook.h"

// Each page is a function that adds its patterns to the module, and its idioms to the submodule.
void scalars(nb::module_ &m, nb::module_ &idiomatic);
void text(nb::module_ &m, nb::module_ &idiomatic);
void arrays(nb::module_ &m, nb::module_ &idiomatic);
void containers(nb::module_ &m, nb::module_ &idiomatic);
void objects(nb::module_ &m);
void calls(nb::module_ &m, nb::module_ &idiomatic);
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
  nb::module_ idiomatic = m.def_submodule("idiomatic", "As nanobind's documentation has it.");
  scalars(m, idiomatic);
  text(m, idiomatic);
  arrays(m, idiomatic);
  containers(m, idiomatic);
  objects(m);
  calls(m, idiomatic);
  nb::module_ faster = m.def_submodule("fast", "Faster still, at a price.");
  fast(faster);
}
