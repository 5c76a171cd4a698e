fn main() {
    println!("cargo::rerun-if-changed=native");
    // The name must not be the crate's, or the linker confuses the two.
    cc::Build::new().file("native/smooth.c").compile("smooth_c");
}
