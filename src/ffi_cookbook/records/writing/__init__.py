"""Files of records from Python values and arrays."""
