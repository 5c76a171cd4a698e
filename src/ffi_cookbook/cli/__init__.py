"""The subcommands of `ffi-cookbook`, each imported only when it runs."""
