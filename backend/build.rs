//! Release builds carry the site: this makes sure that there is a folder to embed.

use std::path::Path;
use std::{env, fs, io};

const SITE: &str = "../target/site";

fn main() -> io::Result<()> {
    println!("cargo::rustc-check-cfg=cfg(embed_site)");
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("PROFILE").as_deref() != Ok("release") {
        return Ok(());
    }
    fs::create_dir_all(SITE)?;
    if !Path::new(SITE).join("index.html").exists() {
        println!(
            "cargo::warning=there is no page to embed: run `cargo xtask web --release` first, then build again"
        );
    }
    println!("cargo::rustc-cfg=embed_site");
    println!("cargo::rerun-if-changed={SITE}");
    Ok(())
}
