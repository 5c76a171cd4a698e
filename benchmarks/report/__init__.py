"""The reports of a run: on a terminal, in Markdown and as a page of its own."""
