//! The arithmetic of a list that holds only the rows in view.

/// Rows kept ready above and below the view.
const OVERSCAN: usize = 6;

/// What a view shows of a list with rows of one height; lengths are in pixels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct View {
    pub(crate) scroll_top: f64,
    pub(crate) height: f64,
    pub(crate) row_height: f64,
    pub(crate) n_rows: usize,
}

impl View {
    /// Where a row begins; for the number of rows, how high the list is.
    #[expect(
        clippy::cast_precision_loss,
        reason = "a list has far fewer than 2^52 rows"
    )]
    pub(crate) fn top_of(self, row: usize) -> f64 {
        row as f64 * self.row_height
    }

    /// The rows to hold: the first, and one past the last.
    pub(crate) fn range(self) -> (usize, usize) {
        let first = whole(self.scroll_top / self.row_height);
        let last = first + self.page() + 1;
        (
            first.saturating_sub(OVERSCAN).min(self.n_rows),
            (last + OVERSCAN).min(self.n_rows),
        )
    }

    /// Where to scroll so that a row is in view: no further than needed.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "pixels of a scrollable page fit an i32"
    )]
    pub(crate) fn scrolled_to(self, row: usize) -> i32 {
        let top = self.top_of(row);
        let lowest = top + self.row_height - self.height;
        self.scroll_top.clamp(lowest.min(top).max(0.0), top).round() as i32
    }

    /// The row that a key leads to.
    pub(crate) fn target(self, key: &str, from: usize) -> Option<usize> {
        let last = self.n_rows.checked_sub(1)?;
        Some(match key {
            "ArrowDown" => (from + 1).min(last),
            "ArrowUp" => from.saturating_sub(1),
            "PageDown" => (from + self.page()).min(last),
            "PageUp" => from.saturating_sub(self.page()),
            "Home" => 0,
            "End" => last,
            _ => return None,
        })
    }

    /// Rows that fit.
    fn page(self) -> usize {
        whole(self.height / self.row_height).max(1)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to a small whole number"
)]
fn whole(value: f64) -> usize {
    value.clamp(0.0, 1e9) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(scroll_top: f64, n_rows: usize) -> View {
        View {
            scroll_top,
            height: 720.0,
            row_height: 36.0,
            n_rows,
        }
    }

    #[test]
    fn only_rows_around_the_view_are_held() {
        assert_eq!(view(0.0, 10_000).range(), (0, 27));
        assert_eq!(view(36_000.0, 10_000).range(), (994, 1_027));
        assert_eq!(view(0.0, 3).range(), (0, 3));
        assert_eq!(view(99_999.0, 3).range(), (3, 3));
    }

    #[test]
    fn scrolling_goes_no_further_than_needed() {
        assert_eq!(view(0.0, 100).scrolled_to(5), 0);
        assert_eq!(view(0.0, 100).scrolled_to(20), 36);
        assert_eq!(view(720.0, 100).scrolled_to(2), 72);
    }

    #[test]
    fn keys_stay_inside_the_list() {
        assert_eq!(view(0.0, 10).target("ArrowDown", 9), Some(9));
        assert_eq!(view(0.0, 10).target("PageUp", 3), Some(0));
        assert_eq!(view(0.0, 100).target("PageDown", 3), Some(23));
        assert_eq!(view(0.0, 10).target("End", 0), Some(9));
        assert_eq!(view(0.0, 0).target("ArrowDown", 0), None);
        assert_eq!(view(0.0, 10).target("a", 0), None);
    }
}
