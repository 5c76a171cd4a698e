"""Schemas, and the columns that records become."""
