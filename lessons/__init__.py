"""Lessons in writing bindings, and the checker that grades learners' code.

`chapters/` holds the texts and the exercises, `box/` the code that runs beside a learner's in a
process of its own. All code that decides a verdict stays in the checker's own process.
"""
