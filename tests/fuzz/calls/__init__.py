"""A fuzzer of arguments: every public function, with objects that lie and run code.

A case is a few short texts: expressions for the arguments of a valid call, and hostile expressions
in `x` that take the place of some of them. Hypothesis draws the texts from a grammar and shrinks
them (grammar.py, search.py); one process per binding evaluates them and calls (child.py), with the
names of values.py and hostile.py.
"""
