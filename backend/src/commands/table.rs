//! Tables for a terminal.

use comfy_table::{CellAlignment, Table, presets};

/// A table without lines: names on the left, numbers on the right.
pub(super) fn table(
    head: Vec<String>,
    rows: Vec<Vec<String>>,
    numbers: std::ops::Range<usize>,
) -> String {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_header(head)
        .add_rows(rows);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if numbers.contains(&index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let lines: Vec<String> = table
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect();
    lines.join("\n") + "\n"
}
