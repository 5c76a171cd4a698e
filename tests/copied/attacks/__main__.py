"""Run the attacks on a package: `python -m attacks PACKAGE FIRST`.

PACKAGE is `operators` for the template of torch, and `smooth` for the others; the attacks before
number FIRST are left out. The name of each attack is printed before it runs, because it may end the
process, and a line that begins with `!` for each fault.
"""

from __future__ import annotations

import sys
from importlib import import_module

sys.setswitchinterval(1e-5)
attacks = import_module(f".{sys.argv[1]}", "attacks").attacks()
for number, (name, attack) in enumerate(attacks):
    if number >= int(sys.argv[2]):
        print(f"{number} {name}", flush=True)
        try:
            for fault in attack():
                print(f"! {name}: {fault}", flush=True)
        except Exception as error:
            print(f"! {name}: {error!r:.200}", flush=True)
print("done")
