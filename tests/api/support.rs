//! The server in process, over a temporary data folder and a small site.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;

use axum::Router;
use axum::body::{Body, BodyDataStream, to_bytes};
use axum::http::header::{ACCEPT_ENCODING, CONTENT_TYPE, HOST, IF_NONE_MATCH};
use axum::http::{HeaderMap, Method, Request, StatusCode};
use backend::benchmarks::Benchmarks;
use backend::config::{Config, Overrides};
use backend::state::AppState;
use backend::store::Store;
use futures_util::StreamExt as _;
use serde::de::DeserializeOwned;
use shared::subject::DatasetId;
use tempfile::TempDir;
use tower::ServiceExt as _;

/// A benchmark of two classes and three methods.
pub(crate) const TWO_CLASSES: &str = include_str!("../fixtures/api/two_classes.json");
/// A name that tells its content.
pub(crate) const SCRIPT: &str = "/pkg/app-0123456789abcdef.js";
/// What stands in the script.
/// The worker that runs Python in the page.
pub(crate) const PYTHON: &str = "/pkg/python-0123456789abcdef.js";

pub(crate) const SCRIPT_TEXT: &str = "start();\n";

pub(crate) struct Api {
    app: Router,
    folder: TempDir,
    /// The provider's key, and the settings, for a server over the same data.
    providers: (String, Vec<(String, String)>),
}

/// An answer that is still coming.
pub(crate) struct Coming(BodyDataStream);

impl Coming {
    /// What comes next.
    pub(crate) async fn chunk(&mut self) -> String {
        let chunk = self.0.next().await.unwrap().unwrap();
        String::from_utf8(chunk.to_vec()).unwrap()
    }
}

pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Api {
    /// With a site that holds the starter benchmark.
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let site = folder.path().join("site");
        let write = |path: &str, bytes: &[u8]| {
            let path = site.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        };
        write("index.html", b"<!doctype html><title>CtxLab</title>");
        write(&SCRIPT[1..], SCRIPT_TEXT.as_bytes());
        write(&PYTHON[1..], SCRIPT_TEXT.as_bytes());
        write(
            &format!("{}.gz", &SCRIPT[1..]),
            &gzip(SCRIPT_TEXT.as_bytes()),
        );
        write(&format!("{}.br", &SCRIPT[1..]), b"the brotli copy");
        write("pkg/frontend-0123456789abcdef.wasm", b"\0asm");
        write("help/constants.html", b"<h1>Constants</h1>");
        write("build.json", br#"{"id": "feedbeef"}"#);
        write("cases/starter.json", TWO_CLASSES.as_bytes());
        Self::over(folder, true)
    }

    /// Without a site, so without a starter.
    pub(crate) fn without_site() -> Self {
        Self::over(TempDir::new().unwrap(), false)
    }

    /// Without a site, and listening where other machines reach it.
    pub(crate) fn in_the_open() -> Self {
        let folder = TempDir::new().unwrap();
        let mut config = Config::for_tests(folder.path().join("data"), None).unwrap();
        config.addr.value = "0.0.0.0:7878".parse().unwrap();
        Self::of(folder, &config)
    }

    /// With providers of models, as a file describes them, and the key that they are asked with.
    pub(crate) fn with_providers(file: &str, key: &str, settings: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().unwrap();
        Self::over_providers(folder, file, key, settings)
    }

    /// Another server over the same data, with other providers and settings.
    pub(crate) fn again(self, file: &str, settings: &[(&str, &str)]) -> Self {
        let key = self.providers.0;
        Self::over_providers(self.folder, file, &key, settings)
    }

    /// Another server over the same data and settings.
    pub(crate) fn same_again(self) -> Self {
        let file = fs::read_to_string(self.folder.path().join("providers.toml")).unwrap();
        let (key, settings) = self.providers;
        let settings: Vec<_> = settings
            .iter()
            .map(|(name, value)| (&**name, &**value))
            .collect();
        Self::over_providers(self.folder, &file, &key, &settings)
    }

    fn over_providers(folder: TempDir, file: &str, key: &str, settings: &[(&str, &str)]) -> Self {
        let config = Self::configured(&folder, file, key, settings);
        let mut api = Self::of(folder, &config);
        let settings = settings
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        api.providers = (key.to_owned(), settings.collect());
        api
    }

    /// The configuration of a server with providers.
    pub(crate) fn configured(
        folder: &TempDir,
        file: &str,
        key: &str,
        settings: &[(&str, &str)],
    ) -> Config {
        let path = folder.path().join("providers.toml");
        fs::write(&path, file).unwrap();
        let overrides = Overrides {
            data: Some(folder.path().join("data")),
            ..Overrides::default()
        };
        let config = Config::from_lookup(overrides, |name| {
            let set = settings.iter().find(|(known, _)| *known == name);
            Ok(match name {
                "CTXLAB_PROVIDERS" => Some(path.display().to_string()),
                "LAB_KEY" => Some(key.to_owned()),
                _ => set.map(|(_, value)| (*value).to_owned()),
            })
        });
        config.unwrap()
    }

    fn over(folder: TempDir, with_site: bool) -> Self {
        let site = with_site.then(|| folder.path().join("site"));
        let config = Config::for_tests(folder.path().join("data"), site).unwrap();
        Self::of(folder, &config)
    }

    fn of(folder: TempDir, config: &Config) -> Self {
        let store = Store::open(&config.data.value);
        let benchmarks = Benchmarks {
            store,
            site: config.site.value.clone(),
        };
        Self {
            app: backend::app(AppState::new(config, benchmarks)),
            folder,
            providers: (String::new(), Vec::new()),
        }
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Imports as the command line does.
    pub(crate) fn import(&self, name: &str, text: &str) -> DatasetId {
        let now = "2026-01-02T03:04:05Z".parse().unwrap();
        Store::open(self.data())
            .import(name, None, text.as_bytes(), now)
            .unwrap()
            .1
            .card
            .id
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.ask(Method::GET, path, &[]).await
    }

    pub(crate) async fn get_if_changed(&self, path: &str, etag: &str) -> Reply {
        self.ask(Method::GET, path, &[(IF_NONE_MATCH.as_str(), etag)])
            .await
    }

    pub(crate) async fn get_packed(&self, path: &str, encodings: &str) -> Reply {
        self.ask(Method::GET, path, &[(ACCEPT_ENCODING.as_str(), encodings)])
            .await
    }

    pub(crate) async fn ask(&self, method: Method, path: &str, headers: &[(&str, &str)]) -> Reply {
        let mut request = Request::builder().method(method).uri(path);
        if !headers.iter().any(|(name, _)| *name == HOST.as_str()) {
            request = request.header(HOST, "127.0.0.1:7878");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.answer(request.body(Body::empty()).unwrap()).await
    }

    /// Sends a body of a type.
    pub(crate) async fn send(&self, method: Method, path: &str, kind: &str, body: &str) -> Reply {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(HOST, "127.0.0.1:7878")
            .header(CONTENT_TYPE, kind);
        self.answer(request.body(body.to_owned().into()).unwrap())
            .await
    }

    /// Sends JSON with more headers.
    pub(crate) async fn send_with(
        &self,
        path: &str,
        body: &str,
        headers: &[(&str, &str)],
    ) -> Reply {
        let mut request = Request::post(path)
            .header(HOST, "127.0.0.1:7878")
            .header(CONTENT_TYPE, "application/json");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.answer(request.body(body.to_owned().into()).unwrap())
            .await
    }

    /// Sends JSON, and is back when the answer begins.
    pub(crate) async fn listen(&self, path: &str, body: &str) -> Coming {
        let request = Request::post(path)
            .header(HOST, "127.0.0.1:7878")
            .header(CONTENT_TYPE, "application/json")
            .body(Body::from(body.to_owned()));
        let response = self.app.clone().oneshot(request.unwrap()).await.unwrap();
        Coming(response.into_body().into_data_stream())
    }

    async fn answer(&self, request: Request<Body>) -> Reply {
        let response = self.app.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap().to_vec();
        Reply {
            status: parts.status,
            headers: parts.headers,
            body,
        }
    }
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json<T: DeserializeOwned>(&self) -> T {
        assert_eq!(
            self.header("content-type"),
            "application/json",
            "{}",
            self.text()
        );
        serde_json::from_slice(&self.body).unwrap()
    }
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

pub(crate) fn gunzip(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(bytes)
        .read_to_end(&mut text)
        .unwrap();
    text
}
