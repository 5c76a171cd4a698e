//! Finding special tokens: the leftmost, the longest on a tie.

use super::model::Tables;

/// Texts are searched for first bytes a chunk at a time, which the compiler makes a vector loop.
const CHUNK: usize = 64;

/// The numbers of the special tokens in the order of their bytes, and the bytes they start with.
pub(super) struct Specials {
    sorted: Vec<usize>,
    firsts: Vec<u8>,
}

/// Special token `number` at `text[start..end]`.
pub(super) struct Found {
    pub(super) number: usize,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Specials {
    pub(super) fn new(tables: &Tables) -> Self {
        let mut sorted: Vec<_> = (0..tables.n_special()).collect();
        sorted.retain(|&number| !name(tables, number).is_empty());
        sorted.sort_by_key(|&number| name(tables, number));
        let mut firsts: Vec<_> = sorted.iter().map(|&number| name(tables, number)[0]).collect();
        firsts.dedup();
        Self { sorted, firsts }
    }

    /// The first special token from `from` on whose `policy` is `wanted`.
    pub(super) fn find(
        &self,
        tables: &Tables,
        text: &[u8],
        from: usize,
        policy: &[u8],
        wanted: u8,
    ) -> Option<Found> {
        let chunks = text[from..].chunks(CHUNK).zip((from..).step_by(CHUNK));
        let candidates =
            chunks.filter(|(chunk, _)| self.firsts.iter().any(|first| any(chunk, *first)));
        candidates.flat_map(|(chunk, at)| at..at + chunk.len()).find_map(|start| {
            let number = self.longest(tables, &text[start..], policy, wanted)?;
            Some(Found { number, start, end: start + name(tables, number).len() })
        })
    }

    /// Narrows the sorted tokens byte by byte to those that `text` starts with.
    fn longest(&self, tables: &Tables, text: &[u8], policy: &[u8], wanted: u8) -> Option<usize> {
        let (mut left, mut longest) = (&self.sorted[..], None);
        for (depth, byte) in text.iter().enumerate() {
            let at_depth = |number: &usize| name(tables, *number).get(depth);
            left = &left[left.partition_point(|number| at_depth(number) < Some(byte))..];
            left = &left[..left.partition_point(|number| at_depth(number) == Some(byte))];
            if left.is_empty() {
                break;
            }
            let whole = left.iter().take_while(|&&number| name(tables, number).len() == depth + 1);
            longest =
                whole.copied().find(|&number| policy.get(number) == Some(&wanted)).or(longest);
        }
        longest
    }
}

fn name<'a>(tables: &Tables<'a>, number: usize) -> &'a [u8] {
    tables.special_id(number).and_then(|id| tables.spelling(id)).unwrap_or_default()
}

fn any(chunk: &[u8], byte: u8) -> bool {
    chunk.iter().fold(false, |found, &one| found | (one == byte))
}
