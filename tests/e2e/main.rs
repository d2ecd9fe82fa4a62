//! Journeys through the built page in a real browser, one a file, and what the page may cost.

mod browse;
