//! The Rust kernel in a Rust program: `times` products of n x n in a plain loop.

use cookbook_kernels::Isa;
use cookbook_kernels::matmul::{Batch, Float, Operand, Shape, matmul, workspace};
use std::mem::MaybeUninit;

/// # Safety
/// The matrices are valid.
unsafe fn repeated<T: Float>(times: usize, [a, b]: [*const T; 2], out: *mut T, n: usize) {
    let size = size_of::<T>() as isize;
    let operands = [a, b].map(|start| Operand {
        start: start.cast(),
        row_stride: n as isize * size,
        column_stride: size,
    });
    let (batch, shape) = (Batch { count: 1, strides: [0; 2] }, Shape { m: n, k: n, n });
    for _ in 0..times {
        let size = workspace::<T>(batch, shape, operands, 1);
        let mut space = vec![MaybeUninit::uninit(); size];
        // SAFETY: by the contract.
        let done = unsafe { matmul(Isa::current(), batch, shape, operands, out, &mut space, 1) };
        assert!(done.is_ok());
    }
}

macro_rules! repeated {
    ($name:ident, $scalar:ty) => {
        /// # Safety
        /// The matrices are valid.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            times: usize,
            a: *const $scalar,
            b: *const $scalar,
            out: *mut $scalar,
            n: usize,
        ) {
            // SAFETY: by the contract.
            unsafe { repeated(times, [a, b], out, n) }
        }
    };
}

repeated!(matmul_float32, f32);
repeated!(matmul_float64, f64);
