"""How fast records are read: every native binding beside a loop in C, the memory and a package."""
