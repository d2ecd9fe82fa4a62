//! Who may ask models, and how often: on this machine everyone, elsewhere whoever has the token.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use axum::http::HeaderMap;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use headers::authorization::Bearer;
use headers::{Authorization, HeaderMapExt as _};

use super::secret::Secret;
use crate::config::Config;
use crate::error::ApiError;

/// So many clients are remembered before those that asked long ago are forgotten.
const MANY_CLIENTS: usize = 10_000;

/// The rules for clients.
pub(crate) struct Access {
    is_open: bool,
    token: Option<Secret>,
    rate: DefaultKeyedRateLimiter<IpAddr>,
}

impl Access {
    pub(crate) fn new(config: &Config) -> Self {
        let rate = NonZeroU32::new(config.llm_rate.value).unwrap_or(NonZeroU32::MIN);
        Self {
            is_open: config.addr.value.ip().is_loopback(),
            token: config.token.value.clone(),
            rate: RateLimiter::keyed(Quota::per_minute(rate)),
        }
    }

    /// Whether a request may look at all.
    pub(crate) fn check(&self, headers: &HeaderMap) -> Result<(), ApiError> {
        if self.is_open {
            return Ok(());
        }
        let Some(token) = &self.token else {
            let why =
                "this server is reached from elsewhere and has no token, so it asks no models";
            return Err(ApiError::NoToken(why));
        };
        match headers.typed_get::<Authorization<Bearer>>() {
            None => Err(ApiError::NoToken("the request has no token")),
            Some(it) if token.is(it.token()) => Ok(()),
            Some(_) => Err(ApiError::NoToken("the token is not this server's")),
        }
    }

    /// Counts a question of a client.
    pub(crate) fn count(&self, client: IpAddr) -> Result<(), ApiError> {
        if self.rate.len() > MANY_CLIENTS {
            self.rate.retain_recent();
        }
        self.rate.check_key(&client).map_err(|until| {
            let pause = until.wait_time_from(DefaultClock::default().now());
            ApiError::TooOften(pause + Duration::from_millis(999))
        })
    }
}
