//! From a feature's name to the fields of the schema that bear it: a hash table, of which the columns
//! keep the chains in their scratch space.

use crate::Input;
use crate::columns::{Column, Schema};

/// Many, so that a name seldom meets another one on its way: names come in any order, and no CPU
/// predicts how far a search goes that depends on them.
const BUCKETS: usize = 256;

/// The first field of each bucket, and `column.scratch[NEXT]` the one behind. 0 is nobody, 1 is
/// field 0.
pub(crate) struct Names([i64; BUCKETS]);

const NEXT: usize = 2;

/// Good enough for names that differ in length, or in their first or last eight bytes.
#[inline(always)]
fn bucket((first, last): (u64, u64), len: usize) -> usize {
    let mixed = (first ^ last.rotate_left(29) ^ len as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 56) as usize % BUCKETS
}

impl Names {
    pub fn new(schema: Schema<'_>, columns: &mut [Column]) -> Self {
        let mut first = [0; BUCKETS];
        for (index, column) in columns.iter_mut().enumerate() {
            let name = schema.name(index).unwrap_or_default();
            let first = &mut first[bucket(Input::from(name).ends(), name.len())];
            column.scratch[NEXT] = *first;
            *first = index as i64 + 1;
        }
        Names(first)
    }

    /// Calls `visit` with the column of every field of that name.
    #[inline(always)]
    pub fn find(
        &self,
        schema: Schema<'_>,
        columns: &mut [Column],
        name: Input<'_>,
        mut visit: impl FnMut(&mut Column),
    ) {
        let ends = name.ends();
        let mut number = self.0[bucket(ends, name.len())];
        while number != 0 {
            let index = number as usize - 1;
            let Some(column) = columns.get_mut(index) else { return };
            let candidate = Input::from(schema.name(index).unwrap_or_default());
            if name.len() == candidate.len()
                && ends == candidate.ends()
                && name.middle_equals(candidate)
            {
                visit(column);
            }
            number = column.scratch[NEXT];
        }
    }
}
