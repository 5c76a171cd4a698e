//! One record into the columns of a batch.

use super::Batch;
use crate::Input;
use crate::columns::Form;
use crate::feature::{Place, Values, check_room, decode_entry};
use crate::records::Record;
use crate::wire::{Message, Result};

/// Field numbers of the protobuf messages.
const FEATURES: u32 = 1;
const ENTRY: u32 = 1;
const KEY: u32 = 1;
const VALUE: u32 = 2;
const FEATURE_LISTS: u32 = 2;

impl Batch<'_> {
    /// Appends the values of a record behind those in use. On a fault `field` is the one concerned.
    #[inline(always)]
    pub(super) fn decode(
        &mut self,
        record: &Record<'_>,
        header: usize,
        field: &mut i64,
    ) -> Result<()> {
        let start = self.buffer.as_ptr().addr();
        if self.decode_plain(record, header).is_some() {
            return Ok(());
        }
        self.find_entries(record)?;
        for (index, spec) in self.schema.fields().enumerate() {
            *field = index as i64;
            let Some(column) = self.columns.get_mut(index) else { break };
            let [at, len, _] = column.scratch;
            let entry = Message::new(self.buffer, at as usize, len as usize);
            let Some(entry) = entry else { break };
            let origin = self.base.wrapping_sub(start as i64);
            let place = Place { isa: self.options.isa, origin, data: start + record.start };
            let values = decode_entry(entry, &spec, column, self.arena, place)?;
            check_room(&values, &spec, column, start + header)?;
            column.scratch[..2].copy_from_slice(&[values.count as i64, values.bytes as i64]);
        }
        Ok(())
    }

    /// The way nearly every writer writes an Example, decoded in one walk: one Features, in it entries
    /// of a key and a Feature, in this order, in that one list, and no key twice. Whatever is not so,
    /// and every fault, is `None` and left to the two walks.
    #[inline(always)]
    fn decode_plain(&mut self, record: &Record<'_>, header: usize) -> Option<()> {
        let start = self.buffer.as_ptr().addr();
        let origin = self.base.wrapping_sub(start as i64);
        let place = Place { isa: self.options.isa, origin, data: start + record.start };
        let mut example = Message::new(self.buffer, record.start, record.data.len())?;
        let mut features = example.only(FEATURES)?;
        if self.names.twins || self.names.lists || !example.rest().is_empty() {
            return None;
        }
        self.columns.iter_mut().for_each(|column| column.scratch[0] = -1);
        let (mut found, mut before) = (0, 0);
        while !features.rest().is_empty() {
            let mut entry = features.only(ENTRY)?;
            let (key, mut feature) = (entry.only(KEY)?, entry.only(VALUE)?);
            if !entry.rest().is_empty() {
                return None;
            }
            let index = self.names.likely(self.schema, self.columns, key.rest(), before);
            let Some(index) = index else { continue };
            let (spec, column) = (self.schema.field(index)?, self.columns.get_mut(index)?);
            let mut values = Values { kind: spec.kind.member(), ..Values::default() };
            let list = feature.only(values.kind)?;
            if column.scratch[0] >= 0 || !feature.rest().is_empty() {
                return None;
            }
            values.append_plain_list(list, spec.kind, column, self.arena, place)?;
            values.check(values.count, &spec, place).ok()?;
            check_room(&values, &spec, column, start + header).ok()?;
            column.scratch[..2].copy_from_slice(&[values.count as i64, values.bytes as i64]);
            (found, before) = (found + 1, index + 1);
        }
        if found < self.columns.len() {
            for (field, column) in self.schema.fields().zip(&mut *self.columns) {
                match (column.scratch[0], field.form) {
                    (-1, Form::Dense) => return None,
                    (-1, _) => column.scratch[..2].fill(0),
                    _ => {}
                }
            }
        }
        Some(())
    }

    #[inline(always)]
    fn find_entries(&mut self, record: &Record<'_>) -> Result<()> {
        self.columns.iter_mut().for_each(|column| column.scratch[..2].fill(0));
        let start = self.buffer.as_ptr().addr();
        let example = Message::new(self.buffer, record.start, record.data.len());
        let Some(mut example) = example else { return Ok(()) };
        while let Some((tag, mut features)) = example.next_of_any()? {
            let of_lists = tag.field() == FEATURE_LISTS;
            if tag.field() != FEATURES && !(of_lists && self.names.lists) {
                continue;
            }
            while let Some(entry) = features.next(ENTRY)? {
                let mut name = Input::from([].as_slice());
                let mut rest = entry;
                while let Some(key) = rest.next(KEY)? {
                    name = key.rest();
                }
                let schema = self.schema;
                self.names.find(schema, self.columns, name, |index, column| {
                    if schema.field(index).is_some_and(|field| field.form.is_list() == of_lists) {
                        column.scratch[0] = (entry.at() - start) as i64;
                        column.scratch[1] = entry.rest().len() as i64;
                    }
                });
            }
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn commit(&mut self, row: i64) {
        for (field, column) in self.schema.fields().zip(&mut *self.columns) {
            let [values, data, _] = column.scratch;
            column.commit(&field, row, [values, data], self.arena);
        }
    }
}
