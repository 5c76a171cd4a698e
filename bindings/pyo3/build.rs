//! The module's build information: its compiler and flags.

use std::env;
use std::process::Command;

fn main() {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().map(|output| output.stdout);
    let version = String::from_utf8(version.unwrap_or_default()).unwrap_or_default();
    let short = version.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    println!("cargo::rustc-env=COOKBOOK_RUSTC={short}");
    let flag = |name| env::var(name).unwrap_or_default();
    let (level, debug, profile) = (flag("OPT_LEVEL"), flag("DEBUG"), flag("PROFILE"));
    let more = flag("CARGO_ENCODED_RUSTFLAGS").replace('\x1f', " ");
    let flags = format!("opt-level={level} debug={debug} profile={profile} {more}");
    println!("cargo::rustc-env=COOKBOOK_FLAGS={}", flags.trim_end());
}
