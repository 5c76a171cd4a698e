//! The search for a field of the schema by a feature's name.
//!
//! The names are sorted by their hash, and by their bytes where hashes are equal. A search begins
//! in the bucket of the first bits of the hash and halves it. So ordinary names take one
//! comparison, and no choice of names takes more than log2 of their number. Fields that share a
//! name are found as the first of them, their leader.

use std::cmp::Ordering;

use crate::columns::Schema;
use crate::{Error, Input};

struct Entry {
    hash: u64,
    field: usize,
    leader: usize,
}

pub(crate) struct Names {
    /// Sorted.
    entries: Vec<Entry>,
    /// The first entry of each bucket in `entries`, and the end of the last one.
    first: Vec<u32>,
    /// `hash >> shift` is the bucket.
    shift: u32,
    /// `after[i]` is the field that followed field i - 1 (i = 0: that came first) in the last
    /// record.
    after: Vec<usize>,
    /// The fields whose name an earlier field has, and that field.
    pub twins: Vec<(usize, usize)>,
    /// True if some fields are feature lists.
    pub lists: bool,
}

#[inline(always)]
fn hash(name: Input<'_>, of_lists: bool) -> u64 {
    let multiplier = 0x9e37_79b9_7f4a_7c15u64;
    let mut hash = 2 * name.len() as u64 + u64::from(of_lists);
    if name.len() > 16 {
        for word in name.every(8, 8) {
            hash = (hash ^ word.u64().unwrap_or_default()).wrapping_mul(multiplier);
            hash ^= hash >> 32;
        }
    }
    let (first, last) = name.ends();
    hash = (hash ^ first).wrapping_mul(multiplier);
    hash = (hash ^ (hash >> 32) ^ last).wrapping_mul(multiplier);
    hash ^ (hash >> 32)
}

#[inline(always)]
fn same(name: Input<'_>, candidate: Input<'_>) -> bool {
    name.len() == candidate.len() && name.equals(candidate)
}

fn bytes<T>(count: usize, item: impl Fn(usize) -> T) -> Result<Vec<T>, Error> {
    let mut items = Vec::new();
    items.try_reserve_exact(count).map_err(|_| Error::MEMORY)?;
    items.extend((0..count).map(item));
    Ok(items)
}

impl Names {
    pub fn new(schema: Schema<'_>, count: usize) -> Result<Self, Error> {
        let is_list = |index| schema.field(index).is_some_and(|field| field.form.is_list());
        let name = |index| schema.name(index).unwrap_or_default();
        let hash_of = |index| hash(name(index).into(), is_list(index));
        let mut entries =
            bytes(count, |field| Entry { hash: hash_of(field), field, leader: field })?;
        let key = |entry: &Entry| (entry.hash, is_list(entry.field), name(entry.field));
        entries.sort_unstable_by(|a, b| key(a).cmp(&key(b)).then(a.field.cmp(&b.field)));
        let mut twins = Vec::new();
        for index in 1..count {
            let (before, this) = (&entries[index - 1], &entries[index]);
            if key(before) == key(this) {
                let (field, leader) = (this.field, before.leader);
                twins.try_reserve(1).map_err(|_| Error::MEMORY)?;
                twins.push((field, leader));
                entries[index].leader = leader;
            }
        }
        let bits = count.next_power_of_two().ilog2().max(1);
        let shift = 64 - bits;
        let mut first = bytes((1 << bits) + 1, |_| 0u32)?;
        entries.iter().for_each(|entry| first[(entry.hash >> shift) as usize + 1] += 1);
        for bucket in 1..first.len() {
            first[bucket] += first[bucket - 1];
        }
        let (after, lists) = (bytes(count + 1, |_| 0)?, (0..count).any(is_list));
        Ok(Names { entries, first, shift, after, twins, lists })
    }

    /// Return the feature with that name, if there is one. The field that followed `before` - 1 in
    /// the last record is tried first, because one program writes features in one order.
    #[inline(always)]
    pub fn likely(&mut self, schema: Schema<'_>, name: Input<'_>, before: usize) -> Option<usize> {
        let guess = self.after.get(before).copied().unwrap_or_default();
        if schema.name(guess).is_some_and(|candidate| same(name, candidate.into())) {
            return Some(guess);
        }
        let found = self.find(schema, name, false);
        if let (Some(index), Some(after)) = (found, self.after.get_mut(before)) {
            *after = index;
        }
        found
    }

    /// Return the first field with that name, among features or among feature lists.
    #[inline(always)]
    pub fn find(&self, schema: Schema<'_>, name: Input<'_>, of_lists: bool) -> Option<usize> {
        let hash = hash(name, of_lists);
        let bucket = (hash >> self.shift) as usize;
        let bounds = self.first.get(bucket..)?.first_chunk()?;
        let [mut low, mut high] = bounds.map(|bound| bound as usize);
        while low < high {
            let middle = low + (high - low) / 2;
            let entry = self.entries.get(middle)?;
            match hash.cmp(&entry.hash).then_with(|| order(schema, name, of_lists, entry.field)) {
                Ordering::Equal => return Some(entry.leader),
                Ordering::Less => high = middle,
                Ordering::Greater => low = middle + 1,
            }
        }
        None
    }
}

/// Compare a name with that of a field whose hash is the same.
#[inline(always)]
fn order(schema: Schema<'_>, name: Input<'_>, of_lists: bool, field: usize) -> Ordering {
    let is_list = schema.field(field).is_some_and(|field| field.form.is_list());
    let candidate = schema.name(field).unwrap_or_default();
    of_lists.cmp(&is_list).then_with(|| {
        if same(name, candidate.into()) { Ordering::Equal } else { name.compare(candidate) }
    })
}
