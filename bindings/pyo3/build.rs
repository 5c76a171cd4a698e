//! Hands the compiler's version to `about()`.

use std::process::Command;

fn main() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().map(|output| output.stdout);
    let version = String::from_utf8(version.unwrap_or_default()).unwrap_or_default();
    let short = version.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    println!("cargo::rustc-env=COOKBOOK_RUSTC={short}");
    println!("cargo::rerun-if-changed=build.rs");
}
