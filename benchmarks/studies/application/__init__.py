"""A small application, the parser of a log, once in each technology."""
