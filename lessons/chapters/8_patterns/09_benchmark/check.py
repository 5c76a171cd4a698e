"""Functions of known cost, in worlds where one thing after another goes wrong."""

from ffi_cookbook_lessons.cases import Near, Raises, drive

NEVER = 1e9


def cases(draw):
    """Yield a plain world, one with each trap alone, and one with all of them."""

    def case(
        what,
        kind="plain",
        preparing=0,
        warm=NEVER,
        pause=NEVER,
        first=0,
    ):
        costs = [draw.randint(60, 90), draw.randint(200, 400), draw.randint(100, 140)]
        contenders = list(zip(costs, ["plain", kind, kind], strict=True))
        says = f"ratios of functions of {costs[0]}, {costs[1]} and {costs[2]} µs{what}"
        gives = Near([cost / costs[0] for cost in costs], 0.08)
        return drive(
            "measured",
            contenders,
            preparing,
            warm,
            pause,
            first,
            gives=gives,
            rule="lying-benchmark",
            repeat=0,
            says=says,
        )

    yield case("")
    yield case(", the last two of which are lazy", kind="lazy")
    yield case(", the last two of which sort their argument in place", kind="in place")
    yield case(", where preparing an argument takes 300 µs", preparing=300)
    yield case(", where the first call takes 5 s more", first=5e6)
    yield case(", where another process runs now and then", pause=draw.uniform(1.3, 1.6))
    yield case(", on a processor that becomes warm", warm=draw.uniform(2.3, 2.7))
    yield case(
        ", in a world with all of this",
        kind=draw.choice(["lazy", "in place"]),
        preparing=100,
        warm=8,
        pause=4,
        first=1e6,
    )
    for kinds in (["plain", "wrong"], ["plain", "plain", "wrong"], ["lazy", "wrong"]):
        contenders = [(100, kind) for kind in kinds]
        says = "ratios of functions that give different results"
        gives = Raises(ValueError)
        yield drive("measured", contenders, 0, NEVER, NEVER, 0, gives=gives, repeat=0, says=says)
