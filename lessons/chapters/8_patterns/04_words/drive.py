"""A list that another thread changes while its words are searched."""

import threading

import meeting

prepare = meeting.prepare


def changed(subject, names, left):
    """Return what is found if another thread leaves only some words in the list meanwhile."""
    words = [name[:1] + name[1:] for name in names]  # strings that the list alone owns
    text = " ".join(names)
    results = []
    subject.expect(2)
    thread = threading.Thread(target=lambda: results.append(subject.find_words(words, text)))
    thread.start()
    meeting.entered(subject, thread)
    del words[left:]
    fresh = [name.upper() + "!" for name in names]  # takes the memory of the others
    met = subject.join()
    subject.expect(0)
    thread.join()
    if not met:
        return "the GIL is held"
    kept = names[:left] or names[:1]
    rest = [word for word in results[0][len(kept) :] if word not in names]
    return bool(fresh) and results[0][: len(kept)] + rest
