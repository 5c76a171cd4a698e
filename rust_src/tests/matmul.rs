//! Every result is the k-ordered chain of fused multiply-adds, to the bit, on every path that
//! computes it.

mod common;

use common::Random;
use cookbook_kernels::Isa;
use cookbook_kernels::matmul::{Batch, Float, Operand, Shape, matmul, workspace};
use std::fmt::Debug;
use std::mem::MaybeUninit;

trait Scalar: Float + PartialEq + Debug {
    fn of(value: f64) -> Self;
    fn chain(self, by: Self, plus: Self) -> Self;
}

macro_rules! scalar {
    ($($scalar:ty)*) => {
        $(impl Scalar for $scalar {
            fn of(value: f64) -> Self {
                value as $scalar
            }
            fn chain(self, by: Self, plus: Self) -> Self {
                self.mul_add(by, plus)
            }
        })*
    };
}
scalar!(f32 f64);

/// A matrix somewhere in a block of memory, with strides of any kind.
struct Matrix<T> {
    memory: Vec<u8>,
    start: isize,
    row_stride: isize,
    column_stride: isize,
    values: Vec<T>,
}

impl<T: Scalar> Matrix<T> {
    fn new(random: &mut Random, rows: usize, columns: usize) -> Self {
        let size = size_of::<T>() as isize;
        let gap = random.below(3) as isize * size + (random.below(4) == 0) as isize;
        let (mut row_stride, mut column_stride) = match random.below(3) {
            0 => (size, rows as isize * size + gap),
            1 => (columns as isize * (size + gap) + gap, size + gap),
            _ => (columns as isize * size + gap, size),
        };
        if random.below(4) == 0 {
            row_stride = -row_stride;
        }
        if random.below(4) == 0 {
            column_stride = -column_stride;
        }
        let reach = |count: usize, stride: isize| count.saturating_sub(1) as isize * stride;
        let (down, right) = (reach(rows, row_stride), reach(columns, column_stride));
        let start = -down.min(0) - right.min(0);
        let mut memory = vec![0; (down.abs() + right.abs() + size) as usize];
        let value = |_| T::of(random.below(2001) as f64 / 1000.0 - 1.0);
        let values: Vec<T> = (0..rows * columns).map(value).collect();
        for (at, value) in values.iter().enumerate() {
            let (row, column) = ((at / columns) as isize, (at % columns) as isize);
            let at = start + row * row_stride + column * column_stride;
            let to = memory[at as usize..][..size as usize].as_mut_ptr().cast::<T>();
            // SAFETY: there is room for a T.
            unsafe { to.write_unaligned(*value) };
        }
        Matrix { memory, start, row_stride, column_stride, values }
    }

    fn operand(&self) -> Operand {
        let Matrix { row_stride, column_stride, .. } = *self;
        let start = self.memory.as_ptr().wrapping_offset(self.start);
        Operand { start, row_stride, column_stride }
    }
}

const ONE: Batch = Batch { count: 1, strides: [0, 0] };

fn check<T: Scalar>(random: &mut Random, shape: Shape) {
    let Shape { m, k, n } = shape;
    let a = Matrix::<T>::new(random, m, k);
    let b = Matrix::<T>::new(random, k, n);
    let term =
        |at: usize, p: usize, sum: T| a.values[at / n * k + p].chain(b.values[p * n + at % n], sum);
    let right: Vec<T> =
        (0..m * n).map(|at| (0..k).fold(T::default(), |sum, p| term(at, p, sum))).collect();
    let guard = T::of(77.0);
    let operands = [a.operand(), b.operand()];
    for isa in Isa::available() {
        for threads in [1, 3] {
            let mut out = vec![guard; m * n + 2];
            let size = workspace::<T>(ONE, shape, operands, threads);
            let mut space = vec![MaybeUninit::uninit(); size];
            let result = out[1..].as_mut_ptr();
            // SAFETY: the matrices are there.
            unsafe { matmul(isa, ONE, shape, operands, result, &mut space, threads) }
                .expect("space");
            assert_eq!(out[1..=m * n], right, "{shape:?} {} {threads} threads", isa.name());
            assert_eq!([out[0], out[m * n + 1]], [guard; 2]);
        }
    }
}

#[test]
fn any_shape_and_strides() {
    let mut random = Random(1);
    for _ in 0..150 {
        let [m, k, n] = [40, 40, 110].map(|end| random.below(end) as usize);
        check::<f32>(&mut random, Shape { m, k, n });
        check::<f64>(&mut random, Shape { m, k, n });
    }
}

#[test]
fn packed_and_in_parts() {
    let mut random = Random(2);
    let shapes = [(65, 600, 500), (530, 517, 65), (64, 60, 5000), (5000, 60, 64), (12, 520, 1400)];
    for (m, k, n) in shapes.into_iter().cycle().take(3 * shapes.len()) {
        check::<f32>(&mut random, Shape { m, k, n });
        check::<f64>(&mut random, Shape { m, k, n });
    }
}

/// A batch has the same bits as its products one by one.
fn check_batch<T: Scalar>(random: &mut Random, count: usize, shape: Shape) {
    let Shape { m, k, n } = shape;
    let size = size_of::<T>() as isize;
    let values = |random: &mut Random, len: usize| -> Vec<T> {
        (0..len).map(|_| T::of(random.below(2001) as f64 / 1000.0 - 1.0)).collect()
    };
    let (a, b) = (values(random, count * m * k), values(random, count * k * n));
    // Each `a` lies after the last one or beside it; `b` goes one by one from the end, or is shared
    // by all.
    let a_row = [k, count * k][random.below(2) as usize] as isize * size;
    let a_next = if a_row == k as isize * size { m * k } else { k } as isize * size;
    let (b_start, b_next) = match random.below(2) {
        0 => (0, 0),
        _ => (count.saturating_sub(1) * k * n, -((k * n) as isize) * size),
    };
    let start = b.as_ptr().wrapping_add(b_start).cast();
    let a = Operand { start: a.as_ptr().cast(), row_stride: a_row, column_stride: size };
    let b = Operand { start, row_stride: n as isize * size, column_stride: size };
    let batch = Batch { count, strides: [a_next, b_next] };
    for isa in Isa::available() {
        let run = |batch, [a, b]: [Operand; 2], threads, out: *mut T| {
            let size = workspace::<T>(batch, shape, [a, b], threads);
            let mut space = vec![MaybeUninit::uninit(); size];
            // SAFETY: the matrices are there.
            unsafe { matmul(isa, batch, shape, [a, b], out, &mut space, threads) }.expect("space");
        };
        let mut right = vec![T::of(0.0); count * m * n];
        for (i, out) in right.chunks_mut((m * n).max(1)).enumerate() {
            let far = |operand: Operand, stride: isize| Operand {
                start: operand.start.wrapping_offset(i as isize * stride),
                ..operand
            };
            run(ONE, [far(a, a_next), far(b, b_next)], 1, out.as_mut_ptr());
        }
        for threads in [1, 2, 5] {
            let mut out = vec![T::of(77.0); count * m * n];
            run(batch, [a, b], threads, out.as_mut_ptr());
            assert_eq!(out, right, "{batch:?} {shape:?} {} {threads} threads", isa.name());
        }
    }
}

#[test]
fn any_batch() {
    let mut random = Random(3);
    for _ in 0..100 {
        let [count, m, k, n] = [9, 30, 40, 60].map(|end| random.below(end) as usize + 1);
        check_batch::<f32>(&mut random, count, Shape { m, k, n });
        check_batch::<f64>(&mut random, count, Shape { m, k, n });
    }
    for (count, m, k, n) in [(7, 130, 140, 150), (3, 210, 200, 220), (3, 4, 0, 5), (0, 4, 3, 5)] {
        check_batch::<f32>(&mut random, count, Shape { m, k, n });
    }
}

#[test]
fn not_enough_workspace() {
    let shape = Shape { m: 8, k: 8, n: 8 };
    let values = [0f32; 64];
    let b = Operand { start: values.as_ptr().cast(), row_stride: 4, column_stride: 32 };
    let mut out = [0f32; 64];
    let isa = Isa::current();
    // SAFETY: the matrices are there.
    assert!(unsafe { matmul(isa, ONE, shape, [b, b], out.as_mut_ptr(), &mut [], 1) }.is_err());
}
