"""Check where the fields of the learner's struct lie."""


def layout(exercise):
    """Return the offset and the size of each field, and the size of the struct."""
    names = ("sensor", "time", "value", "error", "level")
    fields = [getattr(exercise.Reading, name, None) for name in names]
    places = [(getattr(field, "offset", -1), getattr(field, "size", -1)) for field in fields]
    return [*places, len(bytes(exercise.Reading()))]
