//! Folds functions of equal code into one where the usual linker of Rust can.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("TARGET").is_ok_and(|target| target == "x86_64-unknown-linux-gnu") {
        println!("cargo::rustc-link-arg-cdylib=-Wl,--icf=all");
    }
}
