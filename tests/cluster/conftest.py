"""Tests that need Ray, which `nox -s ray_tests` installs."""

import importlib.util

collect_ignore_glob = [] if importlib.util.find_spec("ray") else ["test_*.py"]
