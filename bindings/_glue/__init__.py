"""What the bindings written in Python share: checks, texts, frames, signals."""
