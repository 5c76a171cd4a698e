//! The protobuf wire format: a message is a run of tagged values.

mod varints;

use crate::{Code, Input};

const MAX_GROUPS: usize = 64;

pub(crate) const VARINT: u32 = 0;
pub(crate) const FIXED64: u32 = 1;
pub(crate) const LEN: u32 = 2;
const START_GROUP: u32 = 3;
const END_GROUP: u32 = 4;
pub(crate) const FIXED32: u32 = 5;

/// A fault in a message, with its address. Every message would have to carry an offset as one more
/// number, so the caller, which knows the buffer, computes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    pub code: Code,
    pub at: usize,
    pub expected: i64,
    pub actual: i64,
}

pub(crate) type Result<T> = std::result::Result<T, Fault>;

impl Fault {
    #[cold]
    pub fn at(code: Code, at: usize) -> Fault {
        Fault { code, at, expected: 0, actual: 0 }
    }

    #[cold]
    fn too_long(at: usize, left: usize, claimed: u64) -> Fault {
        let (expected, actual) = (left as i64, claimed as i64);
        Fault { code: Code::SubmessageLength, at, expected, actual }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Tag {
    value: u32,
    pub at: usize,
}

impl Tag {
    #[inline(always)]
    pub fn field(self) -> u32 {
        self.value >> 3
    }

    #[inline(always)]
    pub fn wire(self) -> u32 {
        self.value & 7
    }
}

/// The rest of a message, or of a packed run within one.
#[derive(Clone, Copy)]
pub(crate) struct Message<'a> {
    rest: Input<'a>,
}

impl<'a> From<Input<'a>> for Message<'a> {
    fn from(rest: Input<'a>) -> Self {
        Message { rest }
    }
}

impl<'a> Message<'a> {
    /// Return the bytes of `buffer` from `start` on, or `None` when they are not all in it.
    #[inline(always)]
    pub fn new(buffer: Input<'a>, start: usize, len: usize) -> Option<Self> {
        Some(Message { rest: buffer.range(start, len)? })
    }

    /// Return the address of the next byte.
    #[inline(always)]
    pub fn at(&self) -> usize {
        self.rest.as_ptr().addr()
    }

    #[inline(always)]
    pub fn rest(&self) -> Input<'a> {
        self.rest
    }

    /// Take the next `count` bytes.
    #[inline(always)]
    pub fn take(&mut self, count: usize) -> Option<Input<'a>> {
        let (head, rest) = self.rest.split(count)?;
        self.rest = rest;
        Some(head)
    }

    /// Take the next tag, or `None` at the end of the message.
    #[inline(always)]
    pub fn tag(&mut self) -> Result<Option<Tag>> {
        let at = self.at();
        let value = match self.rest.u8() {
            None => return Ok(None),
            Some(byte @ 0..0x80) => {
                self.take(1);
                u32::from(byte)
            }
            Some(_) => self.long_tag().ok_or_else(|| Fault::at(Code::Varint, at))?,
        };
        if value < 8 || value & 7 > FIXED32 {
            return Err(Fault::at(Code::WireType, at));
        }
        Ok(Some(Tag { value, at }))
    }

    #[cold]
    fn long_tag(&mut self) -> Option<u32> {
        let before = self.rest.len();
        let value = self.long_varint()?;
        u32::try_from(value).ok().filter(|_| before - self.rest.len() <= 5)
    }

    /// Take the message (or string, or packed run) after a tag of wire type `LEN`.
    #[inline(always)]
    pub fn submessage(&mut self) -> Result<Message<'a>> {
        let at = self.at();
        let claimed = self.varint()?;
        match usize::try_from(claimed).ok().and_then(|len| self.take(len)) {
            Some(rest) => Ok(Message { rest }),
            None => Err(Fault::too_long(at, self.rest.len(), claimed)),
        }
    }

    /// Take the next submessage with this field number, and skip everything else.
    #[inline(always)]
    pub fn next(&mut self, field: u32) -> Result<Option<Message<'a>>> {
        while let Some((tag, body)) = self.next_of_any()? {
            if tag.value == field << 3 | LEN {
                return Ok(Some(body));
            }
        }
        Ok(None)
    }

    /// Take the next field if it is a submessage with this field number, in a tag of one byte.
    #[inline(always)]
    pub fn only(&mut self, field: u32) -> Option<Message<'a>> {
        let word = u32::from(self.rest.u16()?);
        let mut rest = self.rest.split(2)?.1;
        let mut len = word >> 8;
        if word & 0xff != field << 3 | LEN {
            return None;
        }
        for shift in [7, 14, 21] {
            if len >> shift == 0 {
                break;
            }
            // the top bit of the last group is set, and cleared by the exclusive or
            len = (len ^ 1 << shift) | u32::from(rest.u8()?) << shift;
            rest = rest.split(1)?.1;
        }
        if len >> 28 != 0 {
            return None;
        }
        let (body, rest) = rest.split(len as usize)?;
        self.rest = rest;
        Some(Message { rest: body })
    }

    /// Take the next submessage and its tag, and skip everything else.
    #[inline(always)]
    pub fn next_of_any(&mut self) -> Result<Option<(Tag, Message<'a>)>> {
        if let Some(found) = self.short() {
            return Ok(Some(found));
        }
        if self.rest.is_empty() {
            return Ok(None);
        }
        let mut rest = *self; // a copy, so that `self` can stay in registers
        let found = rest.next_of_any_size();
        *self = rest;
        found
    }

    /// Take the next field if it is a submessage whose tag and length take one byte each, as nearly
    /// all do.
    #[inline(always)]
    fn short(&mut self) -> Option<(Tag, Message<'a>)> {
        let at = self.at();
        let word = u32::from(self.rest.u16()?);
        let (value, len) = (word & 0xff, word >> 8);
        if word & 0x8087 != LEN || value < 8 {
            return None;
        }
        let (body, rest) = self.rest.split(2)?.1.split(len as usize)?;
        self.rest = rest;
        Some((Tag { value, at }, Message { rest: body }))
    }

    #[inline(never)]
    fn next_of_any_size(&mut self) -> Result<Option<(Tag, Message<'a>)>> {
        while let Some(tag) = self.tag()? {
            if tag.wire() == LEN {
                return Ok(Some((tag, self.submessage()?)));
            }
            self.skip(tag)?;
        }
        Ok(None)
    }

    /// Skip the value after `tag`.
    #[inline(always)]
    pub fn skip(&mut self, tag: Tag) -> Result<()> {
        match tag.wire() {
            LEN => self.submessage().map(drop),
            _ => self.skip_rare(tag),
        }
    }

    #[cold]
    fn skip_rare(&mut self, tag: Tag) -> Result<()> {
        match tag.wire() {
            VARINT => self.varint().map(drop),
            FIXED64 => self.fixed(8).map(drop),
            LEN => self.submessage().map(drop),
            START_GROUP => self.skip_group(tag),
            FIXED32 => self.fixed(4).map(drop),
            _ => Err(Fault::at(Code::WireType, tag.at)),
        }
    }

    /// Take a value of `size` bytes.
    #[inline(always)]
    pub fn fixed(&mut self, size: usize) -> Result<Input<'a>> {
        let (at, left) = (self.at(), self.rest.len());
        self.take(size).ok_or_else(|| Fault::too_long(at, left, size as u64))
    }

    fn skip_group(&mut self, start: Tag) -> Result<()> {
        let mut open = [start; MAX_GROUPS];
        let mut depth = 1usize;
        while let Some(innermost) = depth.checked_sub(1).map(|last| open[last]) {
            let unclosed = || Fault::at(Code::WireType, innermost.at);
            let tag = self.tag()?.ok_or_else(unclosed)?;
            match tag.wire() {
                START_GROUP if depth == MAX_GROUPS => {
                    return Err(Fault::at(Code::WireType, tag.at));
                }
                START_GROUP => {
                    open[depth] = tag;
                    depth += 1;
                }
                END_GROUP if tag.field() == innermost.field() => depth -= 1,
                _ => self.skip_rare(tag)?,
            }
        }
        Ok(())
    }
}
