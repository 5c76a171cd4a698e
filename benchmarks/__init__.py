"""The cost of a call through each binding, and the speed of the kernels beside other libraries."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
REFERENCES = ("python", "numpy")
"""The bindings without native code. What else is true of a binding follows from its own facts."""
