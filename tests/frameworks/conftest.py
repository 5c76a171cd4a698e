"""Tests with Lightning, Accelerate and the Trainer, which `nox -s frameworks` installs."""

import importlib.util

wanted = ("lightning", "accelerate", "transformers", "torchdata")
collect_ignore_glob = [] if all(map(importlib.util.find_spec, wanted)) else ["test_*.py"]
