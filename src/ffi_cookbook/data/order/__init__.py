"""Which record comes when, on which rank, and how a stream resumes."""
