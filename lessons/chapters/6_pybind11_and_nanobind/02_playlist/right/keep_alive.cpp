// keep_alive<0, 1> for the intro alone: a track that kept its list alive, which keeps it alive, would
// be a cycle that nobody frees.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "playlist.h"
#include <memory>

namespace nb = nanobind;

static Track *item(const Playlist &list, std::int64_t i) {
  std::int64_t n = static_cast<std::int64_t>(list.size());
  if (i >= n || i < -n)
    throw std::out_of_range("index " + std::to_string(i));
  return list.get(static_cast<size_t>((i + n) % n));
}

NB_MODULE(exercise, m) {
  nb::class_<Track>(m, "Track")
      .def(nb::init<const std::string &, int>())
      .def_rw("title", &Track::title)
      .def_rw("seconds", &Track::seconds);
  using Kept = nb::keep_alive<0, 1>;
  auto reference = nb::rv_policy::reference;
  nb::class_<Playlist>(m, "Playlist")
      .def(nb::init<>())
      .def(
          "add", [](Playlist &list, Track &track) { list.add(&track); }, nb::keep_alive<1, 2>())
      .def("__len__", [](const Playlist &list) { return list.size(); })
      .def("__getitem__", &item, reference)
      .def(
          "copy", [](const Playlist &list, std::int64_t i) { return *item(list, i); },
          nb::rv_policy::copy)
      .def_prop_ro(
          "intro", [](Playlist &list) { return &list.intro; }, reference, Kept())
      .def_prop_ro("longest", &Playlist::longest, reference);
}
