"""What several test files share, by subject."""
