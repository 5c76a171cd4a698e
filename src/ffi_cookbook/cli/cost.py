"""`ffi-cookbook cost`: what a call of a signature costs through each binding."""

from __future__ import annotations

import argparse
import sys

from ffi_cookbook import costs


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    command.add_argument("signature", help='such as "f(np.ndarray, n: int) -> str", or a def line')


def run(options: argparse.Namespace) -> int:
    """Print the estimates, cheapest first, and return 0, or 2 if the signature has no price."""
    try:
        signature = costs.Signature.parse(options.signature)
        estimates = [costs.predict(binding, signature) for binding in costs.backends()]
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    _print(estimates, signature)
    return 0


def _print(estimates: list[costs.Estimate], signature: costs.Signature) -> None:
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    measured, console = costs.measured(), Console(highlight=False)
    if not console.is_terminal:
        console.width = 200  # a pipe gets one line for each binding
    table = Table(box=box.SIMPLE_HEAD if console.is_terminal else None, pad_edge=False)
    table.add_column("binding")
    for heading in ("ns", "ours", "off by", *signature.parts()):
        table.add_column(escape(heading), justify="right")
    for estimate in sorted(estimates, key=lambda one: one.total):
        off = measured["backends"][estimate.backend]["off"]
        ours = costs.predict(estimate.backend, signature, ours=True).total
        prices = (f"{price:.1f}" for price in estimate.parts.values())
        error = f"{off['ns']:.0f} ns, {off['fraction']:.0%}"
        table.add_row(estimate.backend, f"{estimate.total:.0f}", f"{ours:.0f}", error, *prices)
    console.print(table)
    kinds = dict.fromkeys([*signature.arguments, signature.result])
    sizes = [f"{kind}: {costs.SIZES[kind]}" for kind in kinds if kind in costs.SIZES]
    console.print(
        "ns: of code as the technology's documentation writes it, with its parts; ours: of this "
        "project's.\n"
        "Above evaluating the arguments, and without the function's own work.\n"
        + (f"Sizes measured: {', '.join(sizes)}.\n" if sizes else "")
        + f"Measured {measured['date']}: {measured['python']}, {measured['machine']}.\n"
        "off by: the median error of ours on calls that the prices were not fitted to.",
        markup=False,
    )
