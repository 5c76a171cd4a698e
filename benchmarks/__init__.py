"""What a call costs through each binding, and what the kernels are worth beside other libraries."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
REFERENCES = ("python", "numpy")
"""The bindings without native code. What else is true of a binding follows from its own facts."""
