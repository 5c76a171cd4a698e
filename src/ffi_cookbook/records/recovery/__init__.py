"""What is lost in damaged files, and what can be saved."""
