//! Passes the version of the Ruby being built for on as `cfg(ruby_gte_3_2)` and the like.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    rb_sys_env::activate()?;
    Ok(())
}
