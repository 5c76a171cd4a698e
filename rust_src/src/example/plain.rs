//! Decoding in one walk, for Examples in the form that nearly every writer uses: one Features; in
//! it, entries of a key and a Feature, in this order; in each Feature, one list; and no key twice.
//! All other records, and every fault, are `None`, and go to the two walks.

use super::Batch;
use super::decode::{ENTRY, FEATURES, KEY, VALUE};
use crate::columns::{Form, Kind};
use crate::feature::{Place, Values, check_room};
use crate::records::Record;
use crate::wire::Message;

/// The value in a column's scratch while the record has not mentioned the field.
pub(super) const NOT_YET: i64 = -1;

impl Batch<'_> {
    #[inline(always)]
    pub(super) fn decode_plain(&mut self, record: &Record<'_>) -> Option<()> {
        let mut example = Message::from(record.data);
        let mut features = example.only(FEATURES)?;
        if !self.names.twins.is_empty() || self.names.lists || !example.rest().is_empty() {
            return None;
        }
        let (mut found, mut before) = (0, 0);
        while !features.rest().is_empty() {
            let mut entry = features.only(ENTRY)?;
            let (key, feature) = (entry.only(KEY)?, entry.only(VALUE)?);
            if !entry.rest().is_empty() {
                return None;
            }
            let index = self.names.likely(self.schema, key.rest(), before);
            let Some(index) = index else { continue };
            self.append_plain(index, feature)?;
            (found, before) = (found + 1, index + 1);
        }
        if found < self.columns.len() {
            self.leave_empty()?;
        }
        Some(())
    }

    /// Leave the fields that the record does not mention empty.
    #[inline(never)]
    fn leave_empty(&mut self) -> Option<()> {
        for (field, column) in self.schema.fields().zip(&mut self.columns) {
            match (column.scratch[0], field.form) {
                (NOT_YET, Form::Dense) => return None,
                (NOT_YET, _) => column.scratch[..2].fill(0),
                _ => {}
            }
        }
        Some(())
    }

    /// Append the values of a feature; compiled for each kind of values.
    #[inline(never)]
    fn append_plain(&mut self, index: usize, feature: Message<'_>) -> Option<()> {
        match self.schema.field(index)?.kind {
            Kind::Bytes => self.append_plain_of(Kind::Bytes, index, feature),
            Kind::Float => self.append_plain_of(Kind::Float, index, feature),
            Kind::Int64 => self.append_plain_of(Kind::Int64, index, feature),
            Kind::Int32 => self.append_plain_of(Kind::Int32, index, feature),
            Kind::Uint16 => self.append_plain_of(Kind::Uint16, index, feature),
            Kind::Spans => self.append_plain_of(Kind::Spans, index, feature),
        }
    }

    #[inline(always)]
    fn append_plain_of(&mut self, kind: Kind, index: usize, feature: Message<'_>) -> Option<()> {
        let mut field = self.schema.field(index)?;
        field.kind = kind;
        let column = self.columns.get_mut(index)?;
        if column.scratch[0] != NOT_YET {
            return None;
        }
        let origin = self.base.wrapping_sub(self.buffer.as_ptr().addr() as i64);
        let place = Place { isa: self.options.isa, origin, data: 0 };
        let mut values = Values::default();
        values.append_plain(feature, kind, column, self.arena, place)?;
        values.check(values.count, &field, place).ok()?;
        check_room(&values, &field, column, 0).ok()?;
        column.scratch[..2].copy_from_slice(&[values.count as i64, values.bytes as i64]);
        Some(())
    }
}
