//! Finding special tokens: the leftmost, the longest on a tie.

use super::model::Tables;

/// Texts are searched for the first two bytes a chunk at a time, which the compiler makes a vector loop.
const CHUNK: usize = 64;
/// That pays while there are no more different ones.
const FEW: usize = 4;

/// The numbers of the special tokens in the order of their bytes, and how they start.
pub(super) struct Specials {
    sorted: Vec<usize>,
    /// Their first two bytes; none if they are too many, or one token is shorter.
    starts: Vec<[u8; 2]>,
    /// A few bytes of each, as numbers, in order.
    prefixes: Vec<u64>,
    /// These bytes of a word.
    prefix: u64,
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
        let mut starts: Vec<[u8; 2]> = sorted
            .iter()
            .map(|&number| name(tables, number).first_chunk().copied())
            .collect::<Option<_>>()
            .unwrap_or_default();
        starts.dedup();
        starts.truncate(if starts.len() > FEW { 0 } else { FEW });
        let shortest = sorted.iter().map(|&number| name(tables, number).len()).min();
        let prefix = u64::MAX >> (64 - 8 * shortest.unwrap_or(1).min(8));
        let start = |&number: &usize| word(name(tables, number)) & prefix;
        let mut prefixes: Vec<_> = sorted.iter().map(start).collect();
        prefixes.sort_unstable();
        prefixes.dedup();
        Self { sorted, starts, prefixes, prefix }
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
        for at in (from..text.len()).step_by(CHUNK) {
            if !self.may_start(&text[at..]) {
                continue;
            }
            for start in at..text.len().min(at + CHUNK) {
                if self.has_prefix(&text[start..])
                    && let Some(number) = self.longest(tables, &text[start..], policy, wanted)
                {
                    return Some(Found { number, start, end: start + name(tables, number).len() });
                }
            }
        }
        None
    }

    /// Whether a token may start in the first chunk of a text.
    #[inline(always)]
    fn may_start(&self, text: &[u8]) -> bool {
        let Some(chunk) = text.first_chunk() else { return true };
        self.starts.is_empty() || self.starts.iter().any(|&start| has(chunk, start))
    }

    fn has_prefix(&self, text: &[u8]) -> bool {
        self.prefixes.binary_search(&(word(text) & self.prefix)).is_ok()
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

/// The first bytes of a text; zeros where it has none.
fn word(text: &[u8]) -> u64 {
    let copied = || {
        let mut bytes = [0; 8];
        bytes[..text.len()].copy_from_slice(text);
        bytes
    };
    u64::from_le_bytes(text.first_chunk().copied().unwrap_or_else(copied))
}

fn has(chunk: &[u8; CHUNK + 1], [first, second]: [u8; 2]) -> bool {
    let pairs = chunk.iter().zip(&chunk[1..]);
    pairs.fold(false, |found, (a, b)| found | (*a == first) & (*b == second))
}
