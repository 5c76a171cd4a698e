"""Lessons in writing bindings, and the checker that grades what a learner wrote.

`chapters/` holds the texts and the exercises, `box/` what runs beside a learner's code in a process
of its own. Everything that decides about a verdict stays in the checker's own process.
"""
