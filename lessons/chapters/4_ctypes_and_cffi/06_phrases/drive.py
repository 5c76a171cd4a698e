"""Phrases that are searched while other objects come and go."""


def found(exercise, phrases, wanted):
    """Return the offsets of some phrases."""
    searched = exercise.Phrases(phrases)
    others = [exercise.Phrases([phrase + "?" for phrase in phrases]) for _ in range(3)]
    offsets = [searched.find(phrase) for phrase in wanted]
    del others
    return offsets


def hashed(exercise, phrases):
    """Return the hash of all phrases."""
    return exercise.Phrases(phrases).hash()


def closed(exercise, phrases, method):
    """Return the result of a method of a list that was closed twice."""
    searched = exercise.Phrases(phrases)
    searched.close()
    searched.close()
    return searched.find(phrases[0]) if method == "find" else searched.hash()
