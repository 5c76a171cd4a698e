// The list in Python is a class of our own, which owns references to the Python objects.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "playlist.h"
#include <algorithm>

namespace nb = nanobind;

struct Owner {
  Playlist list;
  std::vector<nb::object> tracks;

  nb::object item(Py_ssize_t i) const {
    Py_ssize_t n = static_cast<Py_ssize_t>(tracks.size());
    if (i < -n || i >= n)
      throw nb::index_error();
    return tracks[static_cast<size_t>(i < 0 ? i + n : i)];
  }
};

NB_MODULE(exercise, m) {
  nb::class_<Track>(m, "Track")
      .def(nb::init<std::string, int>(), nb::arg("title"), nb::arg("seconds"))
      .def_rw("title", &Track::title)
      .def_rw("seconds", &Track::seconds);
  nb::class_<Owner>(m, "Playlist")
      .def(nb::init<>())
      .def("add",
           [](Owner &self, nb::object track) {
             self.list.add(nb::cast<Track *>(track));
             self.tracks.push_back(track);
           })
      .def("__len__", [](const Owner &self) { return self.list.size(); })
      .def("__getitem__", &Owner::item)
      .def("copy", [](const Owner &self, Py_ssize_t i) { return nb::cast<Track>(self.item(i)); })
      .def_prop_ro("intro", [](Owner &self) -> Track & { return self.list.intro; })
      .def_prop_ro("longest", [](const Owner &self) {
        Track *longest = self.list.longest();
        return longest ? nb::find(longest) : nb::none();
      });
}
