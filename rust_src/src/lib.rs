//! The kernels of the cookbook in Rust. None of them uses Python, and none panics on bad data.
//!
//! The caller owns the memory that it passes, before, during and after a call. A kernel allocates
//! only copies of its tables, and caches that change no result:
//!
//! - [`matmul`]: GEMM on matrices of any strides; its threads stay from call to call.
//! - [`records`], [`example`], [`fixed`]: binary records to columns (`docs/records.md`).
//! - [`crc32c`], [`framing`], [`varints`]: checksums, frames and varints for a writer of records.
//! - [`tokenizer`]: text to ids and back (`docs/tokenizer.md`). It grows the vectors that the
//!   caller passes, and its model keeps a cache of pretokens from call to call.

#[cfg(target_endian = "big")]
compile_error!("float columns are copied as they stand in the file, which is little endian");

pub mod crc32c;
pub mod error;
pub mod example;
pub mod fixed;
pub mod input;
pub mod isa;
pub mod matmul;
pub mod output;
pub mod records;
pub mod tokenizer;

mod columns;
mod feature;
mod lookup;
mod processors;
mod sums;
mod values;
mod varint;
mod wire;

pub use columns::Column;
pub use error::{Code, Error};
pub use input::Input;
pub use isa::Isa;
pub use output::Output;
use processors::processors;
