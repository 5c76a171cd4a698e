"""Run a compiler that can access only the files it needs: `confined.py LIMITS COMMAND...`.

A learner's file may include any other file, and must not include our solution.
"""

from __future__ import annotations

import json
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
import sandbox

if __name__ == "__main__":
    limits = json.loads(sys.argv[1])
    sandbox.enter(limits["allowed"], limits["denied"], processes=True, writable=limits["writable"])
    os.execv(sys.argv[2], sys.argv[2:])
