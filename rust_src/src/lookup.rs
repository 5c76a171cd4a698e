//! From a feature's name to the fields of the schema that bear it: a hash table, of which the columns
//! keep the chains in their scratch space.

use crate::Input;
use crate::columns::{Column, Schema};

/// Many, so that a name seldom meets another one on its way: names come in any order, and no CPU
/// predicts how far a search goes that depends on them.
const BUCKETS: usize = 256;

pub(crate) struct Names {
    /// The first field of each bucket, and `column.scratch[NEXT]` the one behind. 0 is nobody, 1 is
    /// field 0.
    first: [i64; BUCKETS],
    /// Which field came behind field i - 1 (behind none) in the last record.
    after: [usize; BUCKETS],
    /// Whether two fields have one name.
    pub twins: bool,
    /// Whether some fields are of feature lists.
    pub lists: bool,
}

const NEXT: usize = 2;

/// Good enough for names that differ in length, or in their first or last eight bytes.
#[inline(always)]
fn bucket((first, last): (u64, u64), len: usize) -> usize {
    let mixed = (first ^ last.rotate_left(29) ^ len as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 56) as usize % BUCKETS
}

#[inline(always)]
fn same(name: Input<'_>, candidate: Input<'_>) -> bool {
    name.len() == candidate.len() && name.equals(candidate)
}

impl Names {
    pub fn new(schema: Schema<'_>, columns: &mut [Column]) -> Self {
        let lists = schema.fields().any(|field| field.form.is_list());
        let mut names = Names { first: [0; BUCKETS], after: [0; BUCKETS], twins: false, lists };
        for index in 0..columns.len() {
            let name = Input::from(schema.name(index).unwrap_or_default());
            let mut twins = false;
            names.find(schema, columns, name, |_, _| twins = true);
            names.twins |= twins;
            let first = &mut names.first[bucket(name.ends(), name.len())];
            columns[index].scratch[NEXT] = std::mem::replace(first, index as i64 + 1);
        }
        names
    }

    /// The field of that name, if there is one; first to be tried is the one that came behind
    /// `before` - 1 in the last record, since one program writes features in one order.
    #[inline(always)]
    pub fn likely(
        &mut self,
        schema: Schema<'_>,
        columns: &mut [Column],
        name: Input<'_>,
        before: usize,
    ) -> Option<usize> {
        let guess = self.after.get(before).copied().unwrap_or_default();
        if schema.name(guess).is_some_and(|candidate| same(name, candidate.into())) {
            return Some(guess);
        }
        let mut found = None;
        self.find(schema, columns, name, |index, _| found = Some(index));
        if let (Some(index), Some(after)) = (found, self.after.get_mut(before)) {
            *after = index;
        }
        found
    }

    /// Calls `visit` with the number and the column of every field of that name.
    #[inline(always)]
    pub fn find(
        &self,
        schema: Schema<'_>,
        columns: &mut [Column],
        name: Input<'_>,
        mut visit: impl FnMut(usize, &mut Column),
    ) {
        let ends = name.ends();
        let mut number = self.first[bucket(ends, name.len())];
        while number != 0 {
            let index = number as usize - 1;
            let Some(column) = columns.get_mut(index) else { return };
            let candidate = Input::from(schema.name(index).unwrap_or_default());
            if same(name, candidate) {
                visit(index, column);
            }
            number = column.scratch[NEXT];
        }
    }
}
