//! One field of a record: a Feature, or every step of a FeatureList, each of which is a Feature
//! too.

use crate::columns::{Column, Field, Form, Kind, put};
use crate::values::{append_bytes, append_floats, append_integers, append_one_run, append_spans};
use crate::wire::{Fault, Message, Result};
use crate::{Code, Isa, Output};

const VALUE: u32 = 2;
const STEP: u32 = 1;

/// The place of a record, and how to decode it.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub isa: Isa,
    /// The offset in the file of address 0.
    pub origin: i64,
    /// The address of the record's data.
    pub data: usize,
}

/// The values of one field in one record so far.
#[derive(Default)]
pub(crate) struct Values {
    /// Number of the oneof member that is set, and the place of its tag. 0: none yet.
    pub kind: u32,
    pub at: usize,
    pub count: usize,
    /// The total size of the bytes values, or the total number of values in all steps.
    pub bytes: usize,
}

impl Values {
    /// Append the values of a Feature; they merge with those that came before. `before` has the
    /// numbers of values and bytes that the field had when the Feature began.
    #[inline(always)]
    fn append_feature(
        &mut self,
        mut feature: Message<'_>,
        kind: Kind,
        column: &Column,
        arena: Output<'_>,
        place: Place,
        before: [usize; 2],
    ) -> Result<()> {
        while let Some((tag, list)) = feature.next_of_any()? {
            if tag.field() > 3 {
                continue;
            }
            if tag.field() != self.kind {
                let [count, bytes] = before;
                *self = Values { kind: tag.field(), at: tag.at, count, bytes };
            }
            if tag.field() == kind.member() {
                self.append_list(list, kind, column, arena, place)?;
            }
        }
        Ok(())
    }

    /// Append a Feature that is one list of the right kind and nothing else, as nearly all are.
    /// After `None` the caller must call [`Self::append_feature`] with `kind` 0, which drops the
    /// appended values.
    #[inline(always)]
    pub fn append_plain(
        &mut self,
        mut feature: Message<'_>,
        kind: Kind,
        column: &Column,
        arena: Output<'_>,
        place: Place,
    ) -> Option<()> {
        self.kind = kind.member();
        let (list, before) = (feature.only(self.kind)?, self.count);
        if !feature.rest().is_empty() {
            return None;
        }
        if append_one_run(list, kind, column, arena, &mut self.count, place.isa).is_some() {
            return Some(());
        }
        self.count = before;
        self.append_list(list, kind, column, arena, place).ok()
    }

    #[inline(always)]
    fn append_list(
        &mut self,
        list: Message<'_>,
        kind: Kind,
        column: &Column,
        arena: Output<'_>,
        Place { isa, origin, .. }: Place,
    ) -> Result<()> {
        let count = &mut self.count;
        match kind {
            Kind::Bytes => append_bytes(list, column, arena, count, &mut self.bytes),
            Kind::Float => append_floats(list, column, arena, count),
            Kind::Int64 => append_integers::<i64, 8>(list, column, arena, count, isa),
            Kind::Int32 => append_integers::<i32, 4>(list, column, arena, count, isa),
            Kind::Uint16 => append_integers::<u16, 2>(list, column, arena, count, isa),
            Kind::Spans => append_spans(list, column, arena, count, origin),
        }
    }

    /// Check that a Feature with `count` values matches the schema.
    #[inline(always)]
    pub fn check(&self, count: usize, field: &Field, place: Place) -> Result<()> {
        let (count, kind) = (count as i64, i64::from(self.kind));
        let fault = |code, at, expected, actual| Err(Fault { code, at, expected, actual });
        let member = i64::from(field.kind.member());
        if kind != 0 && kind != member {
            return fault(Code::TypeMismatch, self.at, member, kind);
        }
        match field.length() {
            Some(length) if kind == 0 || (count == 0 && length > 0) => {
                fault(Code::Missing, place.data, length, 0)
            }
            Some(length) if count != length => fault(Code::DenseLength, place.data, length, count),
            _ => Ok(()),
        }
    }

    #[inline(never)]
    fn append_step(
        &mut self,
        feature: Message<'_>,
        kind: Kind,
        column: &Column,
        arena: Output<'_>,
        place: Place,
        before: [usize; 2],
    ) -> Result<()> {
        self.append_feature(feature, kind, column, arena, place, before)
    }

    /// Append the steps of a FeatureList. For a column of steps their values are only counted.
    fn append_steps(
        &mut self,
        list: Message<'_>,
        field: &Field,
        column: &Column,
        arena: Output<'_>,
        place: Place,
    ) -> Result<()> {
        match field.kind {
            Kind::Bytes => self.append_steps_of(Kind::Bytes, list, field, column, arena, place),
            Kind::Float => self.append_steps_of(Kind::Float, list, field, column, arena, place),
            Kind::Int64 => self.append_steps_of(Kind::Int64, list, field, column, arena, place),
            Kind::Int32 => self.append_steps_of(Kind::Int32, list, field, column, arena, place),
            Kind::Uint16 => self.append_steps_of(Kind::Uint16, list, field, column, arena, place),
            Kind::Spans => self.append_steps_of(Kind::Spans, list, field, column, arena, place),
        }
    }

    /// Append the steps; compiled for each kind of values.
    #[inline(always)]
    fn append_steps_of(
        &mut self,
        kind: Kind,
        mut list: Message<'_>,
        field: &Field,
        column: &Column,
        arena: Output<'_>,
        place: Place,
    ) -> Result<()> {
        while let Some(step) = list.next(STEP)? {
            if field.form == Form::Steps {
                let (mut of_step, nowhere) = (Values::default(), Column::default());
                of_step.append_feature(step, field.kind, &nowhere, arena, place, [0, 0])?;
                of_step.check(of_step.count, field, place)?;
                let index = column.length + self.count as i64;
                self.count += 1;
                self.bytes += of_step.count;
                if index < column.capacity {
                    let end = column.data_length + self.bytes as i64;
                    put(arena, column.values, index + 1, end);
                }
            } else {
                let before = [self.count, self.bytes];
                if self.append_plain(step, kind, column, arena, place).is_none() {
                    self.kind = 0;
                    self.append_step(step, field.kind, column, arena, place, before)?;
                }
                self.check(self.count - before[0], field, place)?;
            }
        }
        Ok(())
    }
}

/// Decode the values of a field after those in use, and check them against the schema.
#[inline(always)]
pub(crate) fn decode_entry(
    mut entry: Message<'_>,
    field: &Field,
    column: &Column,
    arena: Output<'_>,
    place: Place,
) -> Result<Values> {
    let mut values = Values::default();
    while let Some(value) = entry.next(VALUE)? {
        if field.form.is_list() {
            values.append_steps(value, field, column, arena, place)?;
        } else {
            values.append_feature(value, field.kind, column, arena, place, [0, 0])?;
        }
    }
    if !field.form.is_list() {
        values.check(values.count, field, place)?;
    }
    Ok(values)
}

/// Check that the values fit the column.
#[inline(always)]
pub(crate) fn check_room(
    values: &Values,
    field: &Field,
    column: &Column,
    header: usize,
) -> Result<()> {
    let needed = column.length + values.count as i64;
    let needed_data = column.data_length + values.bytes as i64;
    let fault = |code, expected, actual| Err(Fault { code, at: header, expected, actual });
    if needed > column.capacity {
        return fault(Code::Capacity, needed, column.capacity);
    }
    if field.has_data() && needed_data > column.data_capacity {
        return fault(Code::DataCapacity, needed_data, column.data_capacity);
    }
    Ok(())
}
