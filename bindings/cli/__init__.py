"""The subcommands of `ffi-cookbook`, each imported when it is the one that runs."""
