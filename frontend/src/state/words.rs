//! Numbers in words.

/// `1 site`, `2 sites`.
pub(crate) fn n_of(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { many })
}

/// `12,345`.
pub(crate) fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `611 KB`, `1.4 MB`: decimal units, as file managers show them.
pub(crate) fn size(n_bytes: u64) -> String {
    match n_bytes {
        0..1_000 => format!("{n_bytes} bytes"),
        1_000..1_000_000 => format!("{} KB", (n_bytes + 500) / 1_000),
        _ => {
            let tenths = (n_bytes + 50_000) / 100_000;
            format!("{}.{} MB", tenths / 10, tenths % 10)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_agree_with_their_noun() {
        assert_eq!(n_of(1, "class", "classes"), "1 class");
        assert_eq!(n_of(0, "class", "classes"), "0 classes");
        assert_eq!(n_of(12_345, "method", "methods"), "12,345 methods");
        assert_eq!(
            (grouped(100), grouped(1_000), grouped(1_234_567)),
            ("100".into(), "1,000".into(), "1,234,567".into())
        );
    }

    #[test]
    fn sizes_are_short() {
        assert_eq!(
            (size(999), size(625_541), size(1_449_000)),
            ("999 bytes".into(), "626 KB".into(), "1.4 MB".into())
        );
    }
}
