<<<<<<< HEAD
//! The module's build information: its compiler and flags, and the SHA-256 of its sources.
=======
//! What the module says of itself: its compiler and flags.
>>>>>>> bench

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
<<<<<<< HEAD
    println!("cargo::rustc-env=COOKBOOK_SOURCES={{{}}}", sources().join(","));
}

/// Return them by path from the repository's root, as members of a JSON object.
fn sources() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let mut paths = Vec::new();
    for folder in FOLDERS {
        walk(&root.join(folder), &mut paths);
    }
    paths.sort();
    let digest = |path: &PathBuf| {
        println!("cargo::rerun-if-changed={}", path.display());
        let digest = Sha256::digest(fs::read(path).unwrap());
        let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("\"{}\":\"{hex}\"", path.strip_prefix(root).unwrap().display())
    };
    paths.iter().map(digest).collect()
}

fn walk(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            walk(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            paths.push(path);
        }
    }
=======
>>>>>>> bench
}
