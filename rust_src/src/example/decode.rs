//! Decoding of one record into the columns of a batch.

use super::Batch;
use super::plain::NOT_YET;
use crate::Input;
use crate::feature::{Place, check_room, decode_entry};
use crate::records::Record;
use crate::wire::{Message, Result};

/// Field numbers of the protobuf messages.
pub(super) const FEATURES: u32 = 1;
pub(super) const ENTRY: u32 = 1;
pub(super) const KEY: u32 = 1;
pub(super) const VALUE: u32 = 2;
const FEATURE_LISTS: u32 = 2;

impl Batch<'_> {
    /// Append the values of a record after those in use. On a fault, `field` is the field
    /// concerned.
    #[inline(always)]
    pub(super) fn decode(
        &mut self,
        record: &Record<'_>,
        header: usize,
        field: &mut i64,
    ) -> Result<()> {
        if self.decode_plain(record).is_some() {
            return Ok(());
        }
        self.decode_general(record, header, field)
    }

    #[inline(never)]
    fn decode_general(
        &mut self,
        record: &Record<'_>,
        header: usize,
        field: &mut i64,
    ) -> Result<()> {
        let start = self.buffer.as_ptr().addr();
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
                let field = self.names.find(self.schema, name, of_lists);
                if let Some(column) = field.and_then(|index| self.columns.get_mut(index)) {
                    column.scratch[0] = (entry.at() - start) as i64;
                    column.scratch[1] = entry.rest().len() as i64;
                }
            }
        }
        for &(field, leader) in &self.names.twins {
            self.columns[field].scratch = self.columns[leader].scratch;
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn commit(&mut self, row: i64) {
        for (field, column) in self.schema.fields().zip(&mut self.columns) {
            let values = std::mem::replace(&mut column.scratch[0], NOT_YET);
            let data = column.scratch[1];
            column.commit(&field, row, [values, data], self.arena);
        }
    }
}
