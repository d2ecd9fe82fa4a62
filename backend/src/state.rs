//! What all requests share.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use moka::future::Cache;
use shared::dataset::{Dataset, sha256_hex};
use shared::subject::DatasetId;

use crate::benchmarks::{Benchmarks, Found};
use crate::config::Config;
use crate::error::{ApiError, ApiResult};
use crate::site::Site;

/// Shared by all requests; cheap to clone.
#[derive(Clone)]
pub struct AppState(Arc<Inner>);

struct Inner {
    benchmarks: Benchmarks,
    request_timeout: Duration,
    /// Whether only this machine may ask, and so only for this machine's own names.
    local_only: bool,
    /// Read benchmarks by id and content, weighed by the size of their text.
    read: Cache<(DatasetId, String), Arc<Dataset>>,
}

impl AppState {
    /// The state that a configuration describes.
    pub fn new(config: &Config, benchmarks: Benchmarks) -> Self {
        let in_kib = |_: &(DatasetId, String), dataset: &Arc<Dataset>| {
            u32::try_from(dataset.n_bytes.div_ceil(1024)).unwrap_or(u32::MAX)
        };
        Self(Arc::new(Inner {
            benchmarks,
            request_timeout: config.request_timeout.value,
            local_only: config.addr.value.ip().is_loopback(),
            read: Cache::builder()
                .weigher(in_kib)
                .max_capacity(u64::from(config.cache_mib.value) << 10)
                .build(),
        }))
    }

    pub(crate) fn site(&self) -> Option<&Site> {
        self.0.benchmarks.site.as_ref()
    }

    pub(crate) fn request_timeout(&self) -> Duration {
        self.0.request_timeout
    }

    pub(crate) fn local_only(&self) -> bool {
        self.0.local_only
    }

    /// Work on the disk or the processor, beside the requests.
    pub(crate) async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Benchmarks) -> T + Send + 'static,
    ) -> ApiResult<T> {
        let state = self.clone();
        let work = tokio::task::spawn_blocking(move || work(&state.0.benchmarks));
        Ok(work.await.context("a task ended early")?)
    }

    /// A benchmark, read once.
    pub(crate) async fn dataset(&self, id: DatasetId) -> ApiResult<Arc<Dataset>> {
        let (found, sha256) = self
            .blocking(move |benchmarks| {
                benchmarks.find(&id).map(|found| {
                    let sha256 = match &found {
                        Found::Starter(bytes) => sha256_hex(bytes),
                        Found::Stored(manifest) => manifest.card.sha256.clone(),
                    };
                    (found, sha256)
                })
            })
            .await??;
        let key = match &found {
            Found::Starter(_) => DatasetId::starter(),
            Found::Stored(manifest) => manifest.card.id.clone(),
        };
        let read = async {
            let dataset = self
                .blocking(move |benchmarks| benchmarks.read(&found))
                .await??;
            Ok::<_, ApiError>(Arc::new(dataset))
        };
        // All who waited for it share an error.
        self.0
            .read
            .try_get_with((key, sha256), read)
            .await
            .map_err(|e| ApiError::clone(&e))
    }
}
