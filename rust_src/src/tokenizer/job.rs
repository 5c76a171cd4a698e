//! Encode a text with special tokens: find them, and encode the text between them.

use super::encode::encode;
use super::model::Tables;
use super::pool::Borrowed;
use super::sink::Sink;
use super::specials::Specials;
use super::{ALLOWED, REFUSED};
use crate::isa::Isa;
use crate::{Code, Error};

/// The data of one thread of a call.
pub(super) struct Job<'a> {
    pub(super) tables: Tables<'a>,
    pub(super) isa: Isa,
    pub(super) specials: &'a Specials,
    pub(super) policy: &'a [u8],
    pub(super) scratch: Borrowed<'a>,
}

impl Job<'_> {
    /// Put the ids of a text.
    pub(super) fn encode(&mut self, text: &str, sink: &mut impl Sink) -> Result<(), Error> {
        let Self { tables, isa, specials, policy, scratch } = self;
        let text = text.as_bytes();
        let find = |from, wanted| specials.find(tables, text, from, policy, wanted);
        if policy.contains(&REFUSED)
            && let Some(found) = find(0, REFUSED)
        {
            return Err(Error {
                code: Code::Special,
                offset: found.start as i64,
                field: found.number as i64,
                ..Error::ARGUMENT
            });
        }
        let mut at = 0;
        let any_allowed = policy.contains(&ALLOWED);
        while any_allowed && let Some(found) = find(at, ALLOWED) {
            encode(tables, *isa, &text[at..found.start], scratch, sink)?;
            sink.put(tables.special_id(found.number).as_slice())
                .map_err(|_| Error::memory(text.len()))?;
            at = found.end;
        }
        encode(tables, *isa, &text[at..], scratch, sink)
    }
}
