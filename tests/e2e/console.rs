//! No page says anything in the console, and no request leaves the server's own origin.

use anyhow::Result;
use tests::journey::journey;
use tests::server::Server;

use crate::pages::STOPS;

#[tokio::test]
async fn no_error_and_no_foreign_request_on_any_page() -> Result<()> {
    let server = Server::start()?;
    journey("console", async |page| {
        for stop in &STOPS {
            stop.visit(page, &server).await?;
            let mut errors = page.console().await?;
            // A page that is not there is answered with the status that says so.
            errors.retain(|error| stop.name != "not-found" || !error.contains("404"));
            assert!(errors.is_empty(), "{}: {errors:?}", stop.name);
        }
        let requests = page.end().await?;
        let own = requests
            .iter()
            .filter(|url| url.starts_with(&server.origin))
            .count();
        assert!(
            own > 20,
            "the browser's log holds only {own} of our requests"
        );
        let foreign: Vec<_> = requests
            .iter()
            .filter(|url| !url.starts_with(&server.origin))
            .collect();
        assert!(foreign.is_empty(), "requests to others: {foreign:?}");
        Ok(())
    })
    .await
}
