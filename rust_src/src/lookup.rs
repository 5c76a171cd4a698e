//! From a feature's name to the fields of the schema that bear it: a hash table in the scratch space
//! of the columns, since a kernel has no other memory. Column `b` keeps the head of bucket `b`, and
//! column `i` the successor of field `i` in its bucket.

use crate::Input;
use crate::columns::{Column, Schema};

const HEAD: usize = 0;
const NEXT: usize = 1;

/// `column.scratch[2]` seen as the head of a bucket and a successor; 0 is nobody, 1 is field 0.
fn links(column: &Column) -> [u32; 2] {
    let links = column.scratch[2] as u64;
    [links as u32, (links >> 32) as u32]
}

fn set(column: &mut Column, [head, next]: [u32; 2]) {
    column.scratch[2] = (u64::from(next) << 32 | u64::from(head)) as i64;
}

/// Good enough for names that differ in length, or in their first or last eight bytes.
#[inline(always)]
fn bucket((first, last): (u64, u64), len: usize, buckets: usize) -> usize {
    let mixed = (first ^ last.rotate_left(29) ^ len as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (((mixed >> 32) * buckets as u64) >> 32) as usize
}

/// Fills the table.
pub(crate) fn build(schema: Schema<'_>, columns: &mut [Column]) {
    columns.iter_mut().for_each(|column| set(column, [0, 0]));
    let buckets = columns.len();
    for number in 1..=buckets as u32 {
        let Some(name) = schema.name(number as usize - 1) else { return };
        let bucket = bucket(Input::from(name).ends(), name.len(), buckets);
        let Some(column) = columns.get_mut(bucket) else { return };
        let [head, next] = links(column);
        set(column, [number, next]);
        let Some(column) = columns.get_mut(number as usize - 1) else { return };
        set(column, [links(column)[HEAD], head]);
    }
}

/// Calls `visit` with the column of every field of that name.
#[inline(always)]
pub(crate) fn find(
    schema: Schema<'_>,
    columns: &mut [Column],
    name: Input<'_>,
    mut visit: impl FnMut(&mut Column),
) {
    let ends = name.ends();
    let bucket = bucket(ends, name.len(), columns.len());
    let mut slot = columns.get(bucket).map(|column| links(column)[HEAD]);
    while let Some(index) = slot.and_then(|number| (number as usize).checked_sub(1)) {
        let Some(column) = columns.get_mut(index) else { return };
        let candidate = Input::from(schema.name(index).unwrap_or_default());
        if name.len() == candidate.len()
            && ends == candidate.ends()
            && name.middle_equals(candidate)
        {
            visit(column);
        }
        slot = Some(links(column)[NEXT]);
    }
}
