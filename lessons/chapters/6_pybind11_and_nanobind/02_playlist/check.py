"""Tracks that outlive their lists, lists that outlive their tracks, and indices."""

from ffi_cookbook_lessons.cases import Raises, drive


def cases(draw):
    """Yield lifetimes first, since they crash, then contents of lists, then unfreed memory."""
    titles = [f"{draw.choice(['Blue', 'Green', 'Red'])} {i}" for i in range(draw.randint(2, 5))]
    n = len(titles)
    seconds = draw.sample(range(1, 999), n)
    for number in range(-n, n):
        yield drive("item", titles, number, gives=titles[number])
    for number in (n, -n - 1, 1000, -1000):
        for name in ("item", "copied"):
            yield drive(name, titles, number, gives=Raises(IndexError))
    yield drive("tracks_kept", titles, gives=titles, says="a playlist after its tracks' names")
    yield drive("iterated", titles, gives=titles, says="list(playlist)")
    yield drive("intro_kept", gives=["intro", 5], says="playlist.intro after the playlist")
    yield drive("item_kept", titles, gives=titles[0], says="playlist[0] after the playlist")
    longest = titles[seconds.index(max(seconds))]
    yield drive("longest", titles, seconds, gives=longest, says="playlist.longest")
    yield drive("longest", [], [], gives=None, says="playlist.longest without a track")
    yield drive("copied", titles, 0, gives=[titles[0], False], says="copy(0), which is renamed")
    says = "playlist[0] and playlist.longest are the track that was added"
    yield drive("same", gives=[True, True], rule="copied", says=says)
    says = "the playlist and its track, when both go out of use"
    yield drive("freed", gives=[True, True], rule="reference-kept", says=says)
