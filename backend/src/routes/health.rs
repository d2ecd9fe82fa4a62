//! Whether the server is up, and which one it is.

use axum::Json;
use axum::extract::State;
use shared::api::Version;

use crate::error::ApiResult;
use crate::state::AppState;

pub(crate) async fn health() -> &'static str {
    "ok\n"
}

pub(crate) async fn version(State(app): State<AppState>) -> ApiResult<Json<Version>> {
    let site = app.blocking(|benchmarks| {
        benchmarks
            .site
            .as_ref()
            .map_or_else(String::new, crate::site::Site::id)
    });
    Ok(Json(Version {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        site: site.await?,
    }))
}
