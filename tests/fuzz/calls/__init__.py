"""A fuzzer of arguments: every public function, with objects that lie and run code."""
