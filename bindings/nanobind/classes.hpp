// A C++ type that has its class already.
#pragma once

#include <nanobind/nanobind.h>

namespace nb = nanobind;

// Return whether T has a class: a module that leaves sys.modules and is imported again finds the
// class of the first import, which nb::class_ would not add to the new module. This adds it.
template <class T> bool has_class(nb::module_ &m, const char *name) {
  nb::handle made = nb::type<T>();
  if (made.is_valid())
    m.attr(name) = made;
  return made.is_valid();
}
