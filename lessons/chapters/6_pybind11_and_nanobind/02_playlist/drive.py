"""Playlists whose tracks nothing else refers to, and tracks whose playlist is gone."""

import sys


def playlist_of(subject, titles, seconds=None):
    """Return a playlist of new tracks."""
    playlist = subject.Playlist()
    for title, length in zip(titles, seconds or [1] * len(titles), strict=True):
        playlist.add(subject.Track(title, length))
    return playlist


def item(subject, titles, number):
    """Return the title of one track."""
    tracks = [subject.Track(title, 1) for title in titles]
    playlist = subject.Playlist()
    for track in tracks:
        playlist.add(track)
    return playlist[number].title


def tracks_kept(subject, titles):
    """Return the titles when only the playlist refers to the tracks."""
    playlist = playlist_of(subject, titles)
    others = [subject.Track("another", 1) for _ in titles]
    return [playlist[i].title for i in range(len(playlist))] if others else []


def iterated(subject, titles):
    """Return the titles in the order of iteration."""
    return [track.title for track in playlist_of(subject, titles)]


def intro_kept(subject):
    """Return the intro of a playlist to which nothing else refers."""
    intro = subject.Playlist().intro
    others = [subject.Playlist() for _ in range(3)]
    return [intro.title, intro.seconds] if others else []


def item_kept(subject, titles):
    """Return the title of a track to whose playlist nothing else refers."""
    track = playlist_of(subject, titles)[0]
    others = [subject.Track("another", 1) for _ in titles]
    return track.title if others else ""


def longest(subject, titles, seconds):
    """Return the title of the longest track, twice to see that asking changes nothing."""
    playlist = playlist_of(subject, titles, seconds)
    if playlist.longest is None:
        return None
    first = playlist.longest.title
    return first if playlist.longest.title == first else "another one"


def copied(subject, titles, number):
    """Return the title of a copy, and whether renaming it changes the original."""
    playlist = playlist_of(subject, titles)
    copy = playlist.copy(number)
    title = copy.title
    copy.title = "changed"
    return [title, playlist[number].title == "changed"]


def same(subject):
    """Return whether a playlist returns the object that was added."""
    track = subject.Track("Blue", 1)
    playlist = subject.Playlist()
    playlist.add(track)
    return [playlist[0] is track, playlist.longest is track]


def freed(subject):
    """Return whether the reference counts of the two classes are unchanged."""
    before = [sys.getrefcount(subject.Playlist), sys.getrefcount(subject.Track)]
    playlist_of(subject, ["Blue"])
    after = [sys.getrefcount(subject.Playlist), sys.getrefcount(subject.Track)]
    return [old == new for old, new in zip(before, after, strict=True)]
