//! The lists of a Feature, on their way into a column: what fits is stored, everything is counted.

use crate::columns::{Column, put, region};
use crate::varint::{self, Integer};
use crate::wire::{FIXED32, Fault, LEN, Message, Result, VARINT};
use crate::{Code, Isa};

const ITEM: u32 = 1;

#[inline(always)]
pub(crate) fn append_bytes(
    mut list: Message<'_>,
    column: &Column,
    arena: &mut [u8],
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
    arena: &mut [u8],
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
    arena: &mut [u8],
    count: &mut usize,
) -> Result<()> {
    let free = region(arena, column.values, 4, column.length, column.capacity);
    while let Some(tag) = list.tag()? {
        let at = list.at();
        let floats = match (tag.field(), tag.wire()) {
            (ITEM, LEN) => list.submessage()?.rest(),
            (ITEM, FIXED32) => list.fixed(4)?,
            _ => {
                list.skip(tag)?;
                continue;
            }
        };
        if floats.len() % 4 != 0 {
            let actual = floats.len() as i64;
            return Err(Fault { code: Code::FloatLength, at, expected: 0, actual });
        }
        floats.copy_to(free.get_mut(4 * *count..).unwrap_or_default());
        *count += floats.len() / 4;
    }
    Ok(())
}

/// Integers of `N` bytes, each checked to be in range.
#[inline(always)]
pub(crate) fn append_integers<T: Integer<N>, const N: usize>(
    mut list: Message<'_>,
    column: &Column,
    arena: &mut [u8],
    count: &mut usize,
    isa: Isa,
) -> Result<()> {
    let free = region(arena, column.values, N as i64, column.length, column.capacity);
    let (free, _) = free.as_chunks_mut::<N>();
    while let Some(tag) = list.tag()? {
        let free = free.get_mut(*count..).unwrap_or_default();
        match (tag.field(), tag.wire()) {
            (ITEM, LEN) => *count += varint::decode::<T, N>(isa, list.submessage()?, free)?,
            (ITEM, VARINT) => {
                let value = varint::one::<T, N>(&mut list)?;
                free.iter_mut().take(1).for_each(|slot| *slot = value);
                *count += 1;
            }
            _ => list.skip(tag)?,
        }
    }
    Ok(())
}
