// Tracks, and lists that refer to tracks without owning them: C++ that knows nothing of Python.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

struct Track {
  std::string title;
  int seconds = 0;
};

class Playlist {
public:
  Track intro{"intro", 5}; // a part of the list itself

  void add(Track *track) { tracks.push_back(track); } // does not own the track
  std::size_t size() const { return tracks.size(); }
  Track *get(std::size_t i) const { return tracks[i]; } // i < size()
  Track *longest() const;                               // one of the tracks, nullptr without any

private:
  std::vector<Track *> tracks;
};

inline Track *Playlist::longest() const {
  Track *found = nullptr;
  for (Track *track : tracks)
    if (!found || track->seconds > found->seconds)
      found = track;
  return found;
}
