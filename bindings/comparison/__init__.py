"""A binding from outside beside those here: is it right, and what do its calls cost.

It is a module that has some of the functions of the protocol, by themselves or in `patterns`.
"""
