//! stub
use anyhow::Result;
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Leave out the page and the browser
    #[arg(long)]
    fast: bool,
}
pub(crate) fn run(_options: &Options) -> Result<()> {
    Ok(())
}
