"""The comparison of an outside binding with those here: its results, and the cost of its calls.

It is a module that has some of the functions of the protocol, by themselves or in `patterns`.
"""
