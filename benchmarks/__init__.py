"""What a call costs through each binding, and what the kernels are worth beside other libraries."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
