"""What follows from the ledger: what calls cost that nobody timed, and where it stops mattering."""
