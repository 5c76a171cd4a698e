// Numbers through torch's dispatcher.
//
// Shows:  a C function as an op, boxed from its own type.
// Build:  ../CMakeLists.txt, as every page here.
// Bites:  the types of a schema are int (of 64 bits), float (a double) and bool: there is no C int.
#include "common.hpp"

static std::string compiler() { return ck_compiler(); }

static std::string isa() { return ck_isa(); }

// ---- operators -----------------------------------------------------------------------------

STABLE_TORCH_LIBRARY_FRAGMENT(ffi_cookbook, m) {
  m.def("compiler() -> str");
  m.def("isa() -> str");
  m.def("noop() -> ()");
  m.def("int_in(int a) -> ()");
  m.def("int_out() -> int");
  m.def("invert(bool flag) -> bool");
  m.def("add_int(int a, int b) -> int");
  m.def("add_float(float a, float b) -> float");
  m.def("six_scalars(int a, float b, int c, float d, int e, float f) -> float");
  m.def("keywords(float x, *, float scale=1.0, float offset=0.0) -> float");
}

// An op without a tensor, which would choose the device, is registered for all devices.
STABLE_TORCH_LIBRARY_IMPL(ffi_cookbook, CompositeExplicitAutograd, m) {
  m.impl("compiler", TORCH_BOX(&compiler));
  m.impl("isa", TORCH_BOX(&isa));
  m.impl("noop", TORCH_BOX(&ck_noop));
  m.impl("int_in", TORCH_BOX(&ck_take_int));
  m.impl("int_out", TORCH_BOX(&ck_give_int));
  m.impl("invert", TORCH_BOX(&ck_invert));
  m.impl("add_int", TORCH_BOX(&ck_add_int));
  m.impl("add_float", TORCH_BOX(&ck_add_float));
  m.impl("six_scalars", TORCH_BOX(&ck_six_scalars));
  m.impl("keywords", TORCH_BOX(&ck_keywords));
}
