"""The second instrument: how many instructions a call takes, exactly, by callgrind.

Nanoseconds are for people; instructions are for the gate, since a busy machine does not change
them. They are not time: some instructions take longer than others.
"""
