//! Pictures of every page at three sizes in two themes, none of which scrolls sideways.

use anyhow::Result;
use tests::browser::Size;
use tests::journey::{folder, journey_of_size};
use tests::server::Server;

use crate::pages::{STOPS, prefer};

async fn look(name: &str, size: Size) -> Result<()> {
    let server = Server::start()?;
    let shots = folder()?.join("shots");
    std::fs::create_dir_all(&shots)?;
    journey_of_size(&format!("sizes_{name}"), size, async |page| {
        let mut too_wide = Vec::new();
        for theme in ["light", "dark"] {
            prefer(page, theme).await?;
            for stop in &STOPS {
                stop.visit(page, &server).await?;
                let file = shots.join(format!("{}-{name}-{theme}.png", stop.name));
                page.screenshot(&file).await?;
                let over = "return document.scrollingElement.scrollWidth - innerWidth";
                let over: i64 = page.eval(over, &[]).await?;
                if over > 0 {
                    too_wide.push(format!("{} by {over} px", stop.name));
                }
            }
        }
        assert!(too_wide.is_empty(), "wider than the window: {too_wide:?}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_laptop_shows_every_page() -> Result<()> {
    look("1440x900", Size::LAPTOP).await
}

#[tokio::test]
async fn a_projector_shows_every_page() -> Result<()> {
    look("1280x720", Size::PROJECTOR).await
}

#[tokio::test]
async fn a_phone_shows_every_page() -> Result<()> {
    look("390x844", Size::PHONE).await
}
