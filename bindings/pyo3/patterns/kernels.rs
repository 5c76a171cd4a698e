//! The smallest kernels that prove that the arguments arrived. They do not use Python.

use std::hint::black_box;

pub fn noop() {
    black_box(());
}

pub fn take_int(a: i64) {
    black_box(a);
}

pub fn sum_bytes(bytes: impl Iterator<Item = u8>) -> i64 {
    bytes.map(i64::from).sum()
}

/// From left to right, and from 0.0 on: `sum()` of no floats is -0.0.
pub fn sum_floats(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |sum, value| sum + value)
}

pub fn weigh(key: &str, value: f64) -> f64 {
    sum_bytes(key.bytes()) as f64 * value
}
