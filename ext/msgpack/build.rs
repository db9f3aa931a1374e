//! Passes the version of the Ruby being built for on as `cfg(ruby_gte_3_2)` and the like.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ruby = rb_sys_env::activate()?;
    // Structs inside Ruby objects: from 3.3 on, up to the newest Ruby that this was tested with.
    println!("cargo:rustc-check-cfg=cfg(embeddable)");
    if ((3, 3)..(4, 0)).contains(&ruby.ruby_major_minor()) {
        println!("cargo:rustc-cfg=embeddable");
    }
    Ok(())
}
