//! A visitor finds the starter benchmark, narrows its methods down and opens one.

use anyhow::Result;
use tests::journey::journey;
use tests::server::Server;

#[tokio::test]
async fn browse() -> Result<()> {
    let server = Server::start()?;
    journey("browse", async |page| {
        page.open(&server.url("/")).await?;
        page.find("heading", "Benchmarks").await?;
        Ok(())
    })
    .await
}
