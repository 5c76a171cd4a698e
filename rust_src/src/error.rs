//! The faults that kernels report, with the numbers that every implementation of the cookbook uses.

use std::fmt;

/// The kind of fault.
#[allow(missing_docs)] // docs/records.md and docs/tokenizer.md define them
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i64)]
pub enum Code {
    TruncatedHeader = 1,
    LengthCrc = 2,
    LengthLimit = 3,
    TruncatedData = 4,
    TruncatedFooter = 5,
    DataCrc = 6,
    WireType = 7,
    Varint = 8,
    SubmessageLength = 9,
    FloatLength = 10,
    TypeMismatch = 11,
    Missing = 12,
    DenseLength = 13,
    Capacity = 14,
    DataCapacity = 15,
    FixedRemainder = 16,
    Utf8 = 17,
    Special = 18,
    UnknownId = 19,
    Argument = 20,
    Range = 21,
    StaleIndex = 22,
    Overlap = 25,
    Memory = 26,
    Dtype = 27,
    Dimensions = 28,
    InnerSize = 29,
    BatchSize = 30,
    Shape = 31,
    Layout = 32,
    Threads = 33,
    Interrupted = 34,
}

/// A fault and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    /// The kind of fault.
    pub code: Code,
    /// Byte offset of the failing element.
    pub offset: i64,
    /// Number of the record or text, or position of the token id.
    pub record: i64,
    /// Number of the field in the schema or of the special token, or -1.
    pub field: i64,
    /// The right value, as the code defines it.
    pub expected: i64,
    /// The value that was found.
    pub actual: i64,
}

impl Error {
    /// The caller's tables contradict each other. The fault has no place in the data.
    pub const ARGUMENT: Error =
        Error { code: Code::Argument, offset: 0, record: 0, field: -1, expected: 0, actual: 0 };

    /// The copy of a table could not be allocated.
    pub(crate) const MEMORY: Error = Error { code: Code::Memory, ..Error::ARGUMENT };

    /// The memory for `size` bytes of text or ids could not be allocated.
    pub(crate) fn memory(size: usize) -> Error {
        Error { code: Code::DataCapacity, expected: size as i64, ..Error::ARGUMENT }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Error { code, offset, record, field, expected, actual } = self;
        write!(f, "{code:?} at byte {offset}, record {record}, field {field}: ")?;
        write!(f, "expected {expected}, found {actual}")
    }
}

impl std::error::Error for Error {}
