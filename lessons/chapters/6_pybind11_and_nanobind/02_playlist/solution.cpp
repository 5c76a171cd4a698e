// Find and fix the bugs: this module works in every short test, but has five bugs.
//
//   >>> playlist = exercise.Playlist()
//   >>> playlist.add(exercise.Track("Blue", 214))
//   >>> playlist[-1].title, playlist.intro.title, len(playlist)
//   ('Blue', 'intro', 1)
//
//   - A track lives for as long as a playlist refers to it, and a playlist for as long as somebody
//     holds one of its tracks, its intro included. playlist.h says who owns what.
//   - An index counts from the end if it is negative, and raises IndexError outside the list, in
//     `playlist[i]` and in `copy(i)` alike. Then `for track in playlist` works, too.
//   - `longest` is a track of the list, or None. `copy(i)` returns a new track, which can be freed.
//
// TODO: who owns what, who keeps whom alive, and which numbers are valid indices?
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "playlist.h"

namespace nb = nanobind;
using namespace nb::literals;

//: static Track *item(const Playlist &list, Py_ssize_t i) { return list.get(static_cast<size_t>(i)); }
// BEGIN SOLUTION
static Track *item(const Playlist &list, Py_ssize_t i) {
  Py_ssize_t n = static_cast<Py_ssize_t>(list.size());
  if (i < 0)
    i += n;
  if (i < 0 || i >= n)
    throw nb::index_error("there is no track of that number");
  return list.get(static_cast<size_t>(i));
}
// END SOLUTION

NB_MODULE(exercise, m) {
  nb::class_<Track>(m, "Track")
      .def(nb::init<std::string, int>(), "title"_a, "seconds"_a)
      .def_rw("title", &Track::title)
      .def_rw("seconds", &Track::seconds);

  nb::class_<Playlist>(m, "Playlist")
      .def(nb::init<>())
      //: .def("add", &Playlist::add, "track"_a)
      //: .def("__len__", &Playlist::size)
      //: .def("__getitem__", &item, "i"_a, nb::rv_policy::reference)
      //: .def(
      //:     "copy", [](const Playlist &list, Py_ssize_t i) { return new Track(*item(list, i)); },
      //:     "i"_a, nb::rv_policy::reference)
      //: .def_prop_ro(
      //:     "intro", [](Playlist &list) { return &list.intro; }, nb::rv_policy::reference)
      //: .def_prop_ro("longest", &Playlist::longest, nb::rv_policy::copy);
      // BEGIN SOLUTION
      .def("add", &Playlist::add, "track"_a, nb::keep_alive<1, 2>())
      .def("__len__", &Playlist::size)
      .def("__getitem__", &item, "i"_a, nb::rv_policy::reference_internal)
      .def(
          "copy", [](const Playlist &list, Py_ssize_t i) { return new Track(*item(list, i)); },
          "i"_a, nb::rv_policy::take_ownership)
      .def_prop_ro(
          "intro", [](Playlist &list) { return &list.intro; }, nb::rv_policy::reference_internal)
      .def_prop_ro("longest", &Playlist::longest, nb::rv_policy::reference_internal);
  // END SOLUTION
}
