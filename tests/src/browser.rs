//! Chromium, driven as a user drives it: things are found by the role and the name that a screen reader speaks.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, bail};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tempfile::TempDir;
use thirtyfour::action_chain::ActionChain;
use thirtyfour::cdp::Cdp;
use thirtyfour::session::handle::SessionHandle;
use thirtyfour::{Capabilities, Key, WebDriver, WebElement};

use crate::process::Process;

/// How long a condition may take to come true. Generous, for a loaded machine; nothing waits this long otherwise.
const PATIENCE: Duration = Duration::from_mins(1);
/// How often it is looked at.
const GLANCE: Duration = Duration::from_millis(25);
const NET_LOG: &str = "requests.json";
const FIND: &str = include_str!("find.js");

/// The programs that a journey needs.
pub struct Tools {
    chromium: PathBuf,
    chromedriver: PathBuf,
}

impl Tools {
    /// Those on the search path; `None` where one is missing.
    pub fn find() -> Option<Self> {
        let names = ["chromium", "chromium-browser", "google-chrome"];
        Some(Self {
            chromium: names.iter().find_map(|name| which::which(name).ok())?,
            chromedriver: which::which("chromedriver").ok()?,
        })
    }
}

/// A window's inner size in CSS pixels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    pub width: u32,
    pub height: u32,
}

impl Size {
    pub const LAPTOP: Self = Self::new(1440, 900);
    pub const PROJECTOR: Self = Self::new(1280, 720);
    pub const PHONE: Self = Self::new(390, 844);

    const fn new(width: u32, height: u32) -> Self {
        Self { width, height }
    }
}

/// A browser with an empty profile; it ends when it is dropped.
pub struct Browser {
    // Fields are dropped in this order: the profile goes when nobody writes to it.
    driver: Arc<SessionHandle>,
    _process: Process,
    profile: TempDir,
}

impl Browser {
    /// Starts one.
    pub async fn start(tools: &Tools, size: Size) -> Result<Self> {
        let profile = tempfile::tempdir()?;
        let mut command = Command::new(&tools.chromedriver);
        command.arg("--port=0");
        let mut process = Process::start(command)?;
        let port: u16 = process.line(|line| {
            let (_, port) = line.split_once("started successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        })?;
        // The client may be built with TLS, and then wants to know whose; WebDriver itself speaks plain HTTP.
        drop(rustls::crypto::ring::default_provider().install_default());
        let capabilities = capabilities(tools, profile.path())?;
        let driver = WebDriver::new(format!("http://127.0.0.1:{port}"), capabilities).await?;
        let session = Arc::clone(driver.handle());
        // The session ends with the process, not by a request that would block the test.
        driver
            .leak()
            .map_err(|_ended| anyhow!("the session ended at once"))?;
        let driver = session;
        driver.set_script_timeout(Duration::from_mins(1)).await?;
        let browser = Self {
            driver,
            _process: process,
            profile,
        };
        browser.resize(size).await?;
        Ok(browser)
    }

    /// Opens an address.
    pub async fn open(&self, url: &str) -> Result<()> {
        Ok(self.driver.goto(url).await?)
    }

    /// Loads the page again.
    pub async fn reload(&self) -> Result<()> {
        Ok(self.driver.refresh().await?)
    }

    /// What the address bar says.
    pub async fn address(&self) -> Result<String> {
        Ok(self.driver.current_url().await?.into())
    }

    /// Gives the page this much room, as a device would.
    pub async fn resize(&self, size: Size) -> Result<()> {
        let Size { width, height } = size;
        let metrics =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.cdp("Emulation.setDeviceMetricsOverride", metrics)
            .await?;
        Ok(())
    }

    /// A command of the browser's own protocol.
    pub async fn cdp(&self, command: &str, parameters: Value) -> Result<Value> {
        let answer = Cdp::new(Arc::clone(&self.driver))
            .send_raw(command, parameters)
            .await;
        answer.with_context(|| format!("the browser refused {command}"))
    }

    /// What a script in the page returns; a promise is waited for.
    pub async fn eval<T: DeserializeOwned>(&self, script: &str, args: &[Value]) -> Result<T> {
        let value = self.driver.execute(script, args.to_vec()).await?;
        let value = value.json().clone();
        serde_json::from_value(value.clone())
            .with_context(|| format!("unexpected value {value} of {script}"))
    }

    /// The first value of a script that is neither null nor false.
    pub async fn until<T: DeserializeOwned>(
        &self,
        what: &str,
        script: &str,
        args: &[Value],
    ) -> Result<T> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let value: Value = self
                .eval(script, args)
                .await
                .with_context(|| format!("while waiting: {what}"))?;
            if !matches!(value, Value::Null | Value::Bool(false)) {
                return serde_json::from_value(value)
                    .with_context(|| format!("unexpected value: {what}"));
            }
            if Instant::now() > deadline {
                bail!("waited {} s in vain: {what}", PATIENCE.as_secs());
            }
            tokio::time::sleep(GLANCE).await;
        }
    }

    /// Waits until a script says `true`.
    pub async fn until_true(&self, what: &str, script: &str, args: &[Value]) -> Result<()> {
        let _true: bool = self.until(what, script, args).await?;
        Ok(())
    }

    /// Waits until the page shows this text, white space and case aside.
    pub async fn until_text(&self, text: &str) -> Result<()> {
        let script = "return document.body.innerText.replace(/\\s+/g, ' ').toLowerCase().includes(arguments[0])";
        let what = format!("the text “{text}”");
        self.until_true(&what, script, &[text.to_lowercase().into()])
            .await?;
        Ok(())
    }

    /// Everything visible of a role whose name is, or else contains, this one.
    pub async fn all(&self, role: &str, name: &str) -> Result<Vec<WebElement>> {
        let found = self
            .driver
            .execute(FIND, vec![role.into(), name.into()])
            .await?;
        Ok(found.elements()?)
    }

    /// Waits for something of a role and name.
    pub async fn find(&self, role: &str, name: &str) -> Result<WebElement> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(first) = self.all(role, name).await?.into_iter().next() {
                return Ok(first);
            }
            if Instant::now() > deadline {
                bail!(
                    "waited {} s in vain: a {role} named “{name}”",
                    PATIENCE.as_secs()
                );
            }
            tokio::time::sleep(GLANCE).await;
        }
    }

    /// Clicks on something; what moves, is drawn anew or cannot be used yet is tried again.
    pub async fn click(&self, role: &str, name: &str) -> Result<()> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let found = self.find(role, name).await?;
            let clicked = match found.is_enabled().await {
                Ok(true) => found.click().await.map_err(anyhow::Error::from),
                Ok(false) => Err(anyhow!("it is disabled")),
                Err(e) => Err(e.into()),
            };
            match clicked {
                Ok(()) => return Ok(()),
                Err(e) if Instant::now() > deadline => {
                    return Err(e).with_context(|| format!("cannot click the {role} “{name}”"));
                }
                Err(_) => tokio::time::sleep(GLANCE).await,
            }
        }
    }

    /// Puts the focus on something and types over what it holds.
    pub async fn fill(&self, role: &str, name: &str, text: &str) -> Result<()> {
        let field = self.find(role, name).await?;
        field.click().await?;
        self.chord(&[Key::Control], 'a').await?;
        if text.is_empty() {
            return self.press(Key::Delete).await;
        }
        self.write(text).await
    }

    /// Presses one key.
    pub async fn press(&self, key: impl Into<char>) -> Result<()> {
        self.chord(&[], key).await
    }

    /// Presses a key while others are held.
    pub async fn chord(&self, held: &[Key], key: impl Into<char>) -> Result<()> {
        let key = key.into();
        let mut actions = self.actions();
        for held in held {
            actions = actions.key_down(char::from(held.clone()));
        }
        actions = actions.key_down(key).key_up(key);
        for held in held.iter().rev() {
            actions = actions.key_up(char::from(held.clone()));
        }
        Ok(actions.perform().await?)
    }

    fn actions(&self) -> ActionChain {
        self.driver
            .action_chain_with_delay(Some(Duration::ZERO), Some(Duration::ZERO))
    }

    /// Types letter by letter, where the focus is.
    pub async fn write(&self, text: &str) -> Result<()> {
        let mut actions = self.actions();
        for letter in text.chars() {
            actions = actions.key_down(letter).key_up(letter);
        }
        Ok(actions.perform().await?)
    }

    /// Role and name of what has the focus.
    pub async fn focus(&self) -> Result<(String, String)> {
        let script = "const it = document.activeElement; return [it.computedRole, it.computedName]";
        self.eval(script, &[]).await
    }

    /// A picture of the window, when nothing moves or changes its colour any more.
    pub async fn screenshot(&self, path: &Path) -> Result<()> {
        let still = "return document.getAnimations().every((it) => it.playState !== 'running')";
        self.until_true("the page at rest", still, &[]).await?;
        Ok(self.driver.screenshot(path).await?)
    }

    /// The errors in the console since the last call.
    pub async fn console(&self) -> Result<Vec<String>> {
        let entries = self.driver.browser_log().await?;
        let severe = entries.iter().filter(|entry| entry.level == "SEVERE");
        Ok(severe.map(|entry| entry.message.clone()).collect())
    }

    /// Ends the browser; the addresses of all requests that its pages and their workers made.
    pub async fn end(&self) -> Result<Vec<String>> {
        // The connection may end before the answer comes.
        drop(self.cdp("Browser.close", json!({})).await);
        let deadline = Instant::now() + PATIENCE;
        let path = self.profile.path().join(NET_LOG);
        loop {
            let log = std::fs::read_to_string(&path).unwrap_or_default();
            // The browser completes the file last.
            if let Ok(log) = serde_json::from_str::<Value>(&log) {
                return Ok(requests(&log));
            }
            if Instant::now() > deadline {
                bail!("the browser did not complete its log of requests");
            }
            tokio::time::sleep(GLANCE).await;
        }
    }
}

fn requests(log: &Value) -> Vec<String> {
    let events = log["events"].as_array().into_iter().flatten();
    // What the browser asks for on its own account has no page as its initiator.
    let events = events.filter(|event| {
        let initiator = event["params"]["initiator"].as_str();
        initiator.is_some_and(|by| by.starts_with("http"))
    });
    let urls = events.filter_map(|event| event["params"]["url"].as_str());
    urls.filter(|url| url.starts_with("http") || url.starts_with("ws"))
        .map(str::to_owned)
        .collect()
}

fn capabilities(tools: &Tools, profile: &Path) -> Result<Capabilities> {
    let args = [
        "--headless=new".to_owned(),
        "--no-sandbox".to_owned(),
        "--disable-gpu".to_owned(),
        "--disable-quic".to_owned(),
        "--no-first-run".to_owned(),
        "--disable-background-networking".to_owned(),
        "--disable-component-update".to_owned(),
        "--disable-sync".to_owned(),
        "--disable-dev-shm-usage".to_owned(),
        // The browser’s own requests find nobody.
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1".to_owned(),
        // Roles and names as the browser computes them.
        "--enable-blink-features=ComputedAccessibilityInfo".to_owned(),
        // Every request of the whole browser, to tell whether one leaves the machine.
        format!("--log-net-log={}", profile.join(NET_LOG).display()),
        format!("--user-data-dir={}", profile.display()),
    ];
    let mut capabilities = Capabilities::new();
    capabilities.set("browserName", "chrome")?;
    let options = json!({ "binary": tools.chromium, "args": args });
    capabilities.set("goog:chromeOptions", options)?;
    capabilities.set("goog:loggingPrefs", json!({ "browser": "ALL" }))?;
    Ok(capabilities)
}
