// The policies that are the default: a field is reference_internal, a value is moved.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "playlist.h"

namespace nb = nanobind;
using namespace nb::literals;

static size_t checked(const Playlist &list, Py_ssize_t i) {
  size_t n = list.size(), at = static_cast<size_t>(i) + (i < 0 ? n : 0);
  if (at >= n)
    throw nb::index_error("no such track");
  return at;
}

NB_MODULE(exercise, m) {
  nb::class_<Track>(m, "Track")
      .def(nb::init<std::string, int>(), "title"_a, "seconds"_a)
      .def_rw("title", &Track::title)
      .def_rw("seconds", &Track::seconds);
  nb::class_<Playlist>(m, "Playlist")
      .def(nb::init<>())
      .def("add", &Playlist::add, "track"_a, nb::keep_alive<1, 2>())
      .def("__len__", &Playlist::size)
      .def(
          "__getitem__", [](Playlist &list, Py_ssize_t i) { return list.get(checked(list, i)); },
          nb::rv_policy::reference_internal)
      .def("copy", [](Playlist &list, Py_ssize_t i) { return Track(*list.get(checked(list, i))); })
      .def_ro("intro", &Playlist::intro)
      .def_prop_ro("longest", &Playlist::longest);
}
