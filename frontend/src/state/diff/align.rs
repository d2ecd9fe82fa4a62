//! Which line of one text stands beside which line of the other.

/// Two lines side by side, from 0; one is missing where nothing corresponds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LinePair {
    pub(crate) a: Option<usize>,
    pub(crate) b: Option<usize>,
    /// Whether they correspond; else they only share a row.
    pub(crate) is_linked: bool,
}

impl LinePair {
    fn linked(a: usize, b: usize) -> Self {
        Self {
            a: Some(a),
            b: Some(b),
            is_linked: true,
        }
    }
}

/// Lays all lines side by side, in order. `links` are lines with nodes that correspond, one link a node:
/// the chain of lines in order that most of them agree with is kept, so what moved is shown twice.
pub(crate) fn align(a: &[&str], b: &[&str], mut links: Vec<(usize, usize)>) -> Vec<LinePair> {
    links.sort_unstable();
    let mut weighed: Vec<(usize, usize, usize)> = Vec::new();
    for (i, j) in links {
        match weighed.last_mut() {
            Some((last_i, last_j, weight)) if (*last_i, *last_j) == (i, j) => *weight += 2,
            // Of lines with as many links an equal one is preferred.
            _ => weighed.push((i, j, 2 + usize::from(same(a, i, b, j)))),
        }
    }
    let mut pairs = Vec::with_capacity(a.len().max(b.len()));
    let (mut i, mut j) = (0, 0);
    for (to_i, to_j) in heaviest_chain(&weighed, b.len()) {
        between(a, b, (i, to_i), (j, to_j), &mut pairs);
        pairs.push(LinePair::linked(to_i, to_j));
        (i, j) = (to_i + 1, to_j + 1);
    }
    between(a, b, (i, a.len()), (j, b.len()), &mut pairs);
    pairs
}

fn same(a: &[&str], i: usize, b: &[&str], j: usize) -> bool {
    a.get(i).map(|line| line.trim()) == b.get(j).map(|line| line.trim())
}

/// Lines without links: equal ones from both ends, the others beside each other as they come.
fn between(
    a: &[&str],
    b: &[&str],
    (mut i, mut end_i): (usize, usize),
    (mut j, mut end_j): (usize, usize),
    pairs: &mut Vec<LinePair>,
) {
    while i < end_i && j < end_j && same(a, i, b, j) {
        pairs.push(LinePair::linked(i, j));
        (i, j) = (i + 1, j + 1);
    }
    let mut n_tail = 0;
    while i < end_i && j < end_j && same(a, end_i - 1, b, end_j - 1) {
        (end_i, end_j, n_tail) = (end_i - 1, end_j - 1, n_tail + 1);
    }
    for at in 0..(end_i - i).max(end_j - j) {
        pairs.push(LinePair {
            a: (i + at < end_i).then_some(i + at),
            b: (j + at < end_j).then_some(j + at),
            is_linked: false,
        });
    }
    pairs.extend((0..n_tail).map(|at| LinePair::linked(end_i + at, end_j + at)));
}

/// The lines of a row: in the reference, and in each of the others.
pub(crate) type Lines = [Option<usize>; 3];

/// Lays two alignments of one reference side by side. Its lines are the spine; what both others have between
/// two of them is laid side by side in turn.
pub(crate) fn merge(
    b: &[&str],
    c: &[&str],
    with_b: &[LinePair],
    with_c: &[LinePair],
) -> Vec<Lines> {
    let mut rows = Vec::with_capacity(with_b.len().max(with_c.len()));
    let (mut b_pairs, mut c_pairs) = (with_b, with_c);
    let (mut next_b, mut next_c) = (0, 0);
    loop {
        let (n_b, n_c) = (n_added(b_pairs), n_added(c_pairs));
        let mut added = Vec::new();
        between(
            b,
            c,
            (next_b, next_b + n_b),
            (next_c, next_c + n_c),
            &mut added,
        );
        rows.extend(added.into_iter().map(|pair| [None, pair.a, pair.b]));
        (next_b, next_c) = (next_b + n_b, next_c + n_c);
        // Both go on with the same line of the reference.
        let (Some(with_b), Some(with_c)) = (b_pairs.get(n_b), c_pairs.get(n_c)) else {
            return rows;
        };
        rows.push([with_b.a, with_b.b, with_c.b]);
        next_b += usize::from(with_b.b.is_some());
        next_c += usize::from(with_c.b.is_some());
        (b_pairs, c_pairs) = (&b_pairs[n_b + 1..], &c_pairs[n_c + 1..]);
    }
}

/// How many lines come before the next one of the reference.
fn n_added(pairs: &[LinePair]) -> usize {
    pairs.iter().take_while(|pair| pair.a.is_none()).count()
}

/// The heaviest chain of `(i, j, weight)`, sorted, in which both numbers grow. n log n.
fn heaviest_chain(links: &[(usize, usize, usize)], n_b: usize) -> Vec<(usize, usize)> {
    // A Fenwick tree over j: the heaviest chain that ends at a smaller one, and its last link.
    let mut best: Vec<(usize, usize)> = vec![(0, usize::MAX); n_b + 1];
    let mut before = vec![usize::MAX; links.len()];
    let mut heaviest = (0, usize::MAX);
    let mut first_of_line = 0;
    let mut weights = vec![0; links.len()];
    for at in 0..=links.len() {
        // Links of one line see only those of lines above.
        if at == links.len() || links[at].0 != links[first_of_line].0 {
            for done in first_of_line..at {
                let mut place = links[done].1 + 1;
                while place <= n_b {
                    if best[place].0 < weights[done] {
                        best[place] = (weights[done], done);
                    }
                    place += place & place.wrapping_neg();
                }
            }
            first_of_line = at;
        }
        let Some(&(_, j, weight)) = links.get(at) else {
            break;
        };
        let mut found = (0, usize::MAX);
        let mut place = j;
        while place > 0 {
            if best[place].0 > found.0 {
                found = best[place];
            }
            place &= place - 1;
        }
        (weights[at], before[at]) = (found.0 + weight, found.1);
        if weights[at] > heaviest.0 {
            heaviest = (weights[at], at);
        }
    }
    let mut chain = Vec::new();
    let mut at = heaviest.1;
    while let Some(&(i, j, _)) = links.get(at) {
        chain.push((i, j));
        at = before[at];
    }
    chain.reverse();
    chain
}
