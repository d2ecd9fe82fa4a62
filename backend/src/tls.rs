//! Which code speaks TLS: rustls with ring.

/// Makes it so for the whole process; to be called before a client is built.
pub(crate) fn ready() {
    let tls = rustls::crypto::ring::default_provider();
    // An error only says that a provider is installed already.
    if tls.install_default().is_err() {
        tracing::trace!("the TLS provider was installed before");
    }
}
