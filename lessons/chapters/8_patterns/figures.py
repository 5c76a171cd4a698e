def draw():
    return {}
