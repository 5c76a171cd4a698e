"""Run a compiler that can access only the files it needs: `confined.py LIMITS COMMAND...`.

A learner's file may include any other file, and must not include our solution; nor may a line of it
keep the compiler busy for hours, or fill the disk with an object file.
"""

from __future__ import annotations

import json
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
import sandbox

SECONDS, MEMORY, LARGEST_FILE = 60, 3 << 30, 1 << 29

if __name__ == "__main__":
    limits = json.loads(sys.argv[1])
    sandbox.limit(SECONDS, MEMORY, LARGEST_FILE)
    denied = limits["denied"].split(os.pathsep)
    sandbox.enter(limits["allowed"], denied, processes=True, writable=limits["writable"])
    os.execv(sys.argv[2], sys.argv[2:])
