#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "playlist.h"

namespace nb = nanobind;
using namespace nb::literals;

static Track *item(const Playlist &list, Py_ssize_t i) {
  Py_ssize_t n = static_cast<Py_ssize_t>(list.size());
  if (i < 0)
    i += n;
  if (i < 0 || i >= n)
    throw nb::index_error("there is no track of that number");
  return list.get(static_cast<size_t>(i));
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
      .def("__getitem__", &item, "i"_a, nb::rv_policy::reference_internal)
      .def(
          "copy", [](const Playlist &list, Py_ssize_t i) { return new Track(*item(list, i)); },
          "i"_a, nb::rv_policy::take_ownership)
      .def_prop_ro(
          "intro", [](Playlist &list) { return &list.intro; }, nb::rv_policy::reference_internal)
      .def_prop_ro("longest", &Playlist::longest, nb::rv_policy::reference_internal);
}
