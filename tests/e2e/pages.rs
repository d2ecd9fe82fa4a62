//! Every page and what opens over it, for the checks that hold everywhere.

use anyhow::Result;
use tests::browser::Browser;
use tests::server::Server;
use thirtyfour::Key;

/// A page in a state, by a word for file names.
pub(crate) struct Stop {
    pub(crate) name: &'static str,
    path: &'static str,
    /// Role and name of what is there when it is ready.
    ready: (&'static str, &'static str),
    then: Then,
}

#[derive(Clone, Copy)]
enum Then {
    Nothing,
    /// Presses these keys; then something of this role and name is there.
    Press(&'static [Key], char, (&'static str, &'static str)),
    /// Clicks these, by role and name; then something of this role and name is there.
    Click(
        &'static [(&'static str, &'static str)],
        (&'static str, &'static str),
    ),
}

const fn stop(name: &'static str, path: &'static str, ready: (&'static str, &'static str)) -> Stop {
    Stop {
        name,
        path,
        ready,
        then: Then::Nothing,
    }
}

/// A variant of which two places are filled, and a reply as a whole.
const FILLED: &str = "/b/starter/AccessMask.merge?rule=operators&view=variant&reveal=1\
     #v1=eyJ3YXkiOiJGaWxsIiwiZmlsbGluZ3MiOlsiJiIsIjw9Il19";
const WRITTEN: &str = "/b/starter/AccessMask.merge?rule=operators&view=variant\
     #v1=eyJ3YXkiOiJXcml0ZSIsInRleHQiOiJTdXJlOlxuYGBgcHl0aG9uXG5kZWYgbWVyZ2Uoc2VsZiwgb3RoZXIpOlxuICAgIGtub3duID0gb3\
     RoZXIgfCBzZWxmLkFMTF9CSVRTXG4gICAgaWYga25vd24gPD0gMDpcbiAgICAgICAgcmV0dXJuIHNlbGYuYml0c1xuICAgIHNlbGYuYml0cyA9\
     IHNlbGYuYml0cyB8IGtub3duXG4gICAgcmV0dXJuIHNlbGYuYml0c1xuYGBgXG4ifQ";

/// All of them.
pub(crate) const STOPS: [Stop; 25] = [
    stop("benchmarks", "/", ("link", "Browse methods")),
    stop(
        "subjects",
        "/b/starter?rule=constants",
        ("row", "AccessMask"),
    ),
    stop(
        "subjects-none",
        "/b/starter?q=zzzzzz",
        ("button", "Clear all"),
    ),
    stop(
        "workbench-masked",
        "/b/starter/ChessBoard.pawn_steps?rule=constants&site=2",
        ("button", "Next site"),
    ),
    stop(
        "workbench-why",
        "/b/starter/AccessMask.merge?rule=operators&tab=context&panel=why&reveal=1",
        ("heading", "AccessMask.merge"),
    ),
    stop(
        "workbench-code",
        "/b/starter/ChessBoard.pawn_steps?view=code&panel=options&tab=tests",
        ("textbox", "The method’s text"),
    ),
    stop(
        "workbench-several",
        "/b/starter/ChessBoard.pawn_steps?view=unified&rules=constants,operators",
        ("heading", "ChessBoard.pawn_steps"),
    ),
    stop(
        "workbench-showcase",
        "/b/starter/AccessMask.merge?view=showcase&step=explained",
        ("button", "Reveal why"),
    ),
    stop("workbench-variant", FILLED, ("button", "Next edit")),
    stop(
        "workbench-variant-text",
        WRITTEN,
        ("textbox", "The method, a whole class, or a model’s reply"),
    ),
    Stop {
        name: "workbench-no-engine",
        path: "/b/starter/AccessMask.merge?view=code",
        ready: ("button", "Run tests"),
        then: Then::Click(&[("button", "Run tests")], ("button", "Try again")),
    },
    stop(
        "perturb-all",
        "/b/starter/perturb-all?run=1",
        ("button", "Export CSV"),
    ),
    stop(
        "references-no-engine",
        "/b/starter/references",
        ("button", "Check 26 references"),
    ),
    stop(
        "identify-empty",
        "/b/starter/identify",
        ("button", "Try an example"),
    ),
    Stop {
        name: "identify",
        path: "/b/starter/identify",
        ready: ("button", "Try an example"),
        then: Then::Click(&[("button", "Try an example")], ("row", "note-1-plausible")),
    },
    Stop {
        name: "identify-variant",
        path: "/b/starter/identify",
        ready: ("button", "Try an example"),
        then: Then::Click(
            &[("button", "Try an example"), ("row", "note-1-plausible")],
            ("button", "Next edit"),
        ),
    },
    stop("diff-empty", "/diff", ("button", "try an example")),
    Stop {
        name: "diff",
        path: "/diff",
        ready: ("button", "try an example"),
        then: Then::Click(&[("button", "try an example")], ("button", "Next edit")),
    },
    stop(
        "diff-three",
        "/diff#d1=M7FQMDHgSklNU0jTSNS04lIAgiQFW4VEBW0FQzAvJz8dKANmFqWWlBblKSThUG-EokhHIZGguUkQcwuKMvNKMCwBAA",
        ("button", "Next edit"),
    ),
    stop("help", "/help", ("heading", "The ten rules")),
    stop("help-page", "/help/constants", ("article", "")),
    stop("settings", "/settings", ("heading", "Settings")),
    stop("not-found", "/no/such/page", ("heading", "Page not found")),
    Stop {
        name: "palette",
        path: "/b/starter",
        ready: ("row", "AccessMask"),
        then: Then::Press(&[Key::Control], 'k', ("combobox", "")),
    },
    Stop {
        name: "shortcuts",
        path: "/b/starter/AccessMask.merge",
        ready: ("button", "Next site"),
        then: Then::Press(&[], '?', ("heading", "Keyboard shortcuts")),
    },
];

impl Stop {
    /// Goes there and waits until it is ready.
    pub(crate) async fn visit(&self, page: &Browser, server: &Server) -> Result<()> {
        page.open(&server.url(self.path)).await?;
        page.find(self.ready.0, self.ready.1).await?;
        // A narrow window shows one pane of the workbench at a time.
        if self.name == "workbench-why" && !page.all("button", "Rules").await?.is_empty() {
            page.click("button", "Rules").await?;
        }
        match self.then {
            Then::Nothing => {}
            Then::Press(held, key, (role, name)) => {
                page.chord(held, key).await?;
                page.find(role, name).await?;
            }
            Then::Click(all, (role, name)) => {
                for (role, name) in all {
                    page.click(role, name).await?;
                }
                page.find(role, name).await?;
            }
        }
        rest(page).await
    }
}

/// Waits until nothing moves any more: what the worker tells, what fades in, until two frames look alike.
pub(crate) async fn rest(page: &Browser) -> Result<()> {
    let rest = "return new Promise((resolve) => {
        let before = '';
        const look = () => {
            const now = document.body.innerHTML + document.getAnimations().filter((it) => it.playState === 'running').length;
            if (now === before) resolve(true);
            before = now;
            setTimeout(look, 120);
        };
        look();
    })";
    let _rested: bool = page.eval(rest, &[]).await?;
    Ok(())
}

/// Light or dark, by the system's preference.
pub(crate) async fn prefer(page: &Browser, theme: &str) -> Result<()> {
    let features =
        serde_json::json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
    page.cdp("Emulation.setEmulatedMedia", features).await?;
    Ok(())
}
