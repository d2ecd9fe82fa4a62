//! From the first page to a revealed site without a mouse.

use anyhow::{Context as _, Result, bail};
use tests::browser::Browser;
use tests::journey::journey;
use tests::server::Server;
use thirtyfour::Key;

use crate::support::{starter, until_masked};

pub(crate) async fn until_focus(page: &Browser, role: &str, name: &str) -> Result<()> {
    let script = "const it = document.activeElement; return it.computedRole === arguments[0] && it.computedName.includes(arguments[1])";
    let what = format!("the focus on the {role} “{name}”");
    let reached = page
        .until_true(&what, script, &[role.into(), name.into()])
        .await;
    let now = page.focus().await?;
    reached.with_context(|| format!("the focus is on {now:?}"))
}

/// Presses Tab until something has the focus.
pub(crate) async fn tab_to(page: &Browser, role: &str, name: &str) -> Result<()> {
    for _ in 0..120 {
        let (at_role, at_name) = page.focus().await?;
        if at_role == role && at_name.contains(name) {
            return Ok(());
        }
        page.press(Key::Tab).await?;
    }
    bail!("120 Tabs do not lead to the {role} “{name}”")
}

#[tokio::test]
async fn keyboard_alone_leads_to_a_revealed_site() -> Result<()> {
    let server = Server::start()?;
    let method = "ChessBoard.pawn_steps";
    let operators = starter(method, "operators", &[])?;
    let constants = starter(method, "constants", &[])?;
    assert!(!operators.is_empty() && !constants.is_empty());
    journey("keyboard", async |page| {
        page.open(&server.url("/")).await?;
        page.find("link", "Browse methods").await?;
        page.press(Key::Tab).await?;
        until_focus(page, "link", "Skip to content").await?;
        page.press(Key::Enter).await?;
        until_focus(page, "main", "").await?;
        tab_to(page, "link", "Browse methods").await?;
        page.press(Key::Enter).await?;
        page.until_text("165 of 165 methods").await?;

        page.press('/').await?;
        until_focus(page, "searchbox", "Search").await?;
        page.write("pawn_steps").await?;
        page.until_text("1 of 165 methods").await?;
        page.press(Key::Down).await?;
        until_focus(page, "row", method).await?;
        page.press(Key::Enter).await?;
        page.find("heading", method).await?;

        page.press('4').await?;
        until_masked(page, &operators[0].masked).await?;
        page.press('3').await?;
        until_masked(page, &constants[0].masked).await?;
        let n = constants[0].sites.len();
        page.press('n').await?;
        page.until_text(&format!("Site {} of {n}", 1 + usize::from(n > 1)))
            .await?;
        page.press('p').await?;
        page.until_text(&format!("Site 1 of {n}")).await?;
        tab_to(page, "button", "site 1").await?;
        page.press(Key::Enter).await?;
        let shown = "return document.querySelector('.masked-view .site')?.dataset.hidden ?? null";
        let revealed: String = page.until("the revealed text", shown, &[]).await?;
        assert_eq!(revealed, constants[0].sites[0].hidden);

        page.press('?').await?;
        page.find("heading", "Keyboard shortcuts").await?;
        page.until_text("Next hidden place").await?;
        page.press(Key::Escape).await?;
        let closed = "return document.querySelector('dialog[open]') === null";
        page.until_true("the sheet closed", closed, &[]).await?;

        page.chord(&[Key::Control], 'k').await?;
        page.find("combobox", "").await?;
        page.write("settings").await?;
        page.press(Key::Enter).await?;
        page.find("heading", "Settings").await?;
        Ok(())
    })
    .await
}

#[tokio::test]
async fn the_editor_can_be_left_by_keyboard() -> Result<()> {
    let server = Server::start()?;
    journey("keyboard_editor", async |page| {
        page.open(&server.url("/b/starter/ChessBoard.pawn_steps?view=code"))
            .await?;
        page.find("textbox", "The method’s text").await?;
        tab_to(page, "textbox", "The method’s text").await?;
        page.press(Key::Escape).await?;
        page.press(Key::Tab).await?;
        let (role, _) = page.focus().await?;
        assert_ne!(role, "textbox", "Escape, then Tab, stays in the text");
        Ok(())
    })
    .await
}
