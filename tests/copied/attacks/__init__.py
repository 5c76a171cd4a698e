"""Hostile calls of a package that is made from a template.

A call may give the right answer or raise an Exception; everything else is a fault.
"""
