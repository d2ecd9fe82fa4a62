//! axe-core finds nothing serious on any page, in both themes.

use anyhow::Result;
use serde::Deserialize;
use tests::browser::Browser;
use tests::journey::journey;
use tests::server::Server;
use tests::{say, skipped, workspace};

use crate::pages::{STOPS, prefer, rest};

#[derive(Deserialize)]
struct Violation {
    id: String,
    impact: String,
    help: String,
    targets: Vec<String>,
}

async fn check(page: &Browser, axe: &str, at: &str, serious: &mut Vec<String>) -> Result<()> {
    let script = format!(
        "{axe}; return axe.run(document, {{ resultTypes: ['violations'] }}).then(({{ violations }}) => violations.map((it) => ({{
            id: it.id, impact: it.impact, help: it.help, targets: it.nodes.map((node) => `${{node.target.join(' ')}}: ${{node.any[0]?.message ?? node.all[0]?.message ?? node.none[0]?.message ?? ''}}`)
        }})))"
    );
    for Violation {
        id,
        impact,
        help,
        targets,
    } in page.eval::<Vec<Violation>>(&script, &[]).await?
    {
        let n = targets.len();
        let first = targets.into_iter().take(3).collect::<Vec<_>>().join(" | ");
        let line = format!("{at}: {impact} {id} ({help}) {n}x {first}");
        if matches!(&*impact, "serious" | "critical") {
            serious.push(line);
        } else {
            say(&format!("axe: {line}"));
        }
    }
    Ok(())
}

/// axe-core; `None`, and a word of it, where it was not fetched.
fn axe() -> Option<String> {
    let path = workspace().join("target/tools/axe.min.js");
    let axe = std::fs::read_to_string(path).ok();
    if axe.is_none() {
        skipped("accessibility (no target/tools/axe.min.js; `cargo xtask test` fetches it)");
    }
    axe
}

/// Checks the page as it is, in both themes.
pub(crate) async fn nothing_serious(page: &Browser, at: &str) -> Result<()> {
    let Some(axe) = axe() else { return Ok(()) };
    let mut serious = Vec::new();
    for theme in ["dark", "light"] {
        prefer(page, theme).await?;
        rest(page).await?;
        check(page, &axe, &format!("{at} ({theme})"), &mut serious).await?;
    }
    assert!(serious.is_empty(), "{}", serious.join("\n"));
    Ok(())
}

async fn check_all(theme: &str) -> Result<()> {
    let Some(axe) = axe() else { return Ok(()) };
    let server = Server::start()?;
    journey(&format!("accessibility_{theme}"), async |page| {
        prefer(page, theme).await?;
        let mut serious = Vec::new();
        for stop in &STOPS {
            stop.visit(page, &server).await?;
            check(
                page,
                &axe,
                &format!("{} ({theme})", stop.name),
                &mut serious,
            )
            .await?;
        }
        assert!(
            serious.is_empty(),
            "{} serious violations:\n{}",
            serious.len(),
            serious.join("\n")
        );
        Ok(())
    })
    .await
}

#[tokio::test]
async fn nothing_serious_in_the_light_theme() -> Result<()> {
    check_all("light").await
}

#[tokio::test]
async fn nothing_serious_in_the_dark_theme() -> Result<()> {
    check_all("dark").await
}
