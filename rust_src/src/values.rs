//! The lists of a Feature, appended to a column: values that fit are stored, and all are counted.

use crate::columns::{Column, Kind, put, region};
use crate::varint::{self, Integer};
use crate::wire::{FIXED32, Fault, LEN, Message, Result, VARINT};
use crate::{Code, Isa, Output};

const ITEM: u32 = 1;

#[inline(always)]
pub(crate) fn append_bytes(
    mut list: Message<'_>,
    column: &Column,
    arena: Output<'_>,
    count: &mut usize,
    bytes: &mut usize,
) -> Result<()> {
    while let Some(item) = list.next(ITEM)? {
        let item = item.rest();
        let used = column.data_length + *bytes as i64;
        item.copy_to(region(arena, column.data, 1, used, column.data_capacity));
        let index = column.length + *count as i64;
        if index < column.capacity {
            put(arena, column.values, index + 1, used + item.len() as i64);
        }
        *count += 1;
        *bytes += item.len();
    }
    Ok(())
}

#[inline(always)]
pub(crate) fn append_spans(
    mut list: Message<'_>,
    column: &Column,
    arena: Output<'_>,
    count: &mut usize,
    origin: i64,
) -> Result<()> {
    while let Some(item) = list.next(ITEM)? {
        let index = column.length + *count as i64;
        if index < column.capacity {
            put(arena, column.values, 2 * index, origin.wrapping_add(item.at() as i64));
            put(arena, column.values, 2 * index + 1, item.rest().len() as i64);
        }
        *count += 1;
    }
    Ok(())
}

#[inline(always)]
pub(crate) fn append_floats(
    mut list: Message<'_>,
    column: &Column,
    arena: Output<'_>,
    count: &mut usize,
) -> Result<()> {
    while let Some(tag) = list.tag()? {
        let at = list.at();
        let floats = match (tag.field(), tag.wire()) {
            (ITEM, LEN) => list.submessage()?,
            (ITEM, FIXED32) => list.fixed(4)?.into(),
            _ => {
                list.skip(tag)?;
                continue;
            }
        };
        float_run(floats, at, column, arena, count)?;
    }
    Ok(())
}

/// Append a packed run of floats, whose length is at `at`.
#[inline(always)]
fn float_run(
    run: Message<'_>,
    at: usize,
    column: &Column,
    arena: Output<'_>,
    count: &mut usize,
) -> Result<()> {
    let floats = run.rest();
    if !floats.len().is_multiple_of(4) {
        let actual = floats.len() as i64;
        return Err(Fault { code: Code::FloatLength, at, expected: 0, actual });
    }
    let free = region(arena, column.values, 4, column.length + *count as i64, column.capacity);
    floats.copy_to(free);
    *count += floats.len() / 4;
    Ok(())
}

/// Append integers of `N` bytes, each checked to be in range.
#[inline(always)]
pub(crate) fn append_integers<T: Integer<N>, const N: usize>(
    mut list: Message<'_>,
    column: &Column,
    arena: Output<'_>,
    count: &mut usize,
    isa: Isa,
) -> Result<()> {
    while let Some(tag) = list.tag()? {
        match (tag.field(), tag.wire()) {
            (ITEM, LEN) => integer_run::<T, N>(list.submessage()?, column, arena, count, isa)?,
            (ITEM, VARINT) => {
                let value = varint::one::<T, N>(&mut list)?;
                free::<N>(column, arena, *count).write(0, value);
                *count += 1;
            }
            _ => list.skip(tag)?,
        }
    }
    Ok(())
}

#[inline(always)]
fn integer_run<T: Integer<N>, const N: usize>(
    run: Message<'_>,
    column: &Column,
    arena: Output<'_>,
    count: &mut usize,
    isa: Isa,
) -> Result<()> {
    *count += varint::decode::<T, N>(isa, run, free(column, arena, *count))?;
    Ok(())
}

/// Return the slots after the values of the column and `count` more.
#[inline(always)]
fn free<'a, const N: usize>(
    column: &Column,
    arena: Output<'a>,
    count: usize,
) -> Output<'a, [u8; N]> {
    let from = column.length + count as i64;
    region(arena, column.values, N as i64, from, column.capacity).chunks()
}

/// Append a list of numbers in one packed run, as nearly all are. Return `None` for every other
/// list.
#[inline(always)]
pub(crate) fn append_one_run(
    mut list: Message<'_>,
    kind: Kind,
    column: &Column,
    arena: Output<'_>,
    count: &mut usize,
    isa: Isa,
) -> Option<()> {
    let first = list.rest().u8(); // `only` steps over values that are not packed
    if matches!(kind, Kind::Bytes | Kind::Spans) || first != Some((ITEM << 3 | LEN) as u8) {
        return None;
    }
    let run = list.only(ITEM)?;
    if !list.rest().is_empty() {
        return None;
    }
    let done = match kind {
        Kind::Int64 => integer_run::<i64, 8>(run, column, arena, count, isa),
        Kind::Int32 => integer_run::<i32, 4>(run, column, arena, count, isa),
        Kind::Uint16 => integer_run::<u16, 2>(run, column, arena, count, isa),
        _ => float_run(run, run.at(), column, arena, count),
    };
    done.ok()
}
