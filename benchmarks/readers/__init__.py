"""How fast records are read: every native door beside a loop in C, the memory and a package."""
