//! How sure a share is.

/// The standard normal distribution's 97.5 % quantile.
const Z: f64 = 1.959_963_984_540_054;

/// Wilson's score interval (1927) at 95 % for `n_hits` of `n` independent trials, each bound from 0 to
/// 1; `None` without trials. Other than `p ± z·sqrt(p(1 - p)/n)` it stays in the range, and is sound for
/// small `n` and shares near 0 or 1.
pub fn wilson(n_hits: u32, n: u32) -> Option<(f64, f64)> {
    if n == 0 {
        return None;
    }
    let (hits, trials) = (f64::from(n_hits), f64::from(n));
    let share = hits / trials;
    let z2 = Z * Z / trials;
    let center = share + z2 / 2.0;
    let half = (share * (1.0 - share) * z2 + z2 * z2 / 4.0).sqrt();
    let bound = |bound: f64| (bound / (1.0 + z2)).clamp(0.0, 1.0);
    Some((
        // Exact where rounding would leave a trace.
        if n_hits == 0 {
            0.0
        } else {
            bound(center - half)
        },
        if n_hits == n {
            1.0
        } else {
            bound(center + half)
        },
    ))
}

#[cfg(test)]
mod tests {
    use super::wilson;

    /// The score interval's bounds in table I of R. G. Newcombe, Two-sided confidence intervals for the
    /// single proportion, Statistics in Medicine 17, 1998.
    #[test]
    fn bounds_are_the_published_ones() {
        for (n_hits, n, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let (a, b) = wilson(n_hits, n).unwrap();
            let is_near = |a: f64, b: f64| (a - b).abs() <= 0.000_05;
            assert!(
                is_near(a, low) && is_near(b, high),
                "{n_hits}/{n}: {a} to {b}"
            );
        }
    }

    #[test]
    fn all_is_the_mirror_of_none_and_nothing_has_no_share() {
        let (none, all) = (wilson(0, 20).unwrap(), wilson(20, 20).unwrap());
        assert!((none.1 - (1.0 - all.0)).abs() < 1e-12 && all.1 >= 1.0 && none.0 <= 0.0);
        assert_eq!(wilson(0, 0), None);
    }
}
