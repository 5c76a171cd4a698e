"""What is shown of a run: on a terminal, in Markdown and in a page of its own."""
