//! The instruction sets of the CPU.

use std::sync::OnceLock;

/// The levels for which the kernels are compiled. Each includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The features of the compiler's default target.
    Portable,
    /// ARM with CRC32 and AES, which includes PMULL.
    #[cfg(target_arch = "aarch64")]
    Crc,
    /// x86-64 with AVX2, FMA, BMI1 and 2, LZCNT, POPCNT, SSE4.2 and PCLMULQDQ.
    Avx2,
    /// `Avx2`, with AVX-512 F, BW, DQ and VL.
    Avx512,
}

/// An instruction set that this CPU has. A value of this type is the proof, so kernels may rely on
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Isa {
    level: Level,
    vbmi: bool,
    vpclmulqdq: bool,
}

impl Isa {
    /// Return the highest level, unless the environment variable `COOKBOOK_ISA` names a lower one.
    /// This is decided once.
    pub fn current() -> Isa {
        static CURRENT: OnceLock<Isa> = OnceLock::new();
        *CURRENT.get_or_init(|| {
            let wanted = std::env::var("COOKBOOK_ISA");
            Isa::available()
                .find(|isa| wanted.as_ref().is_ok_and(|name| name == isa.name()))
                .unwrap_or(detect())
        })
    }

    /// Return every instruction set that can be used here, the lowest first.
    pub fn available() -> impl Iterator<Item = Isa> {
        let best = detect();
        #[cfg(target_arch = "aarch64")]
        let levels = [Level::Portable, Level::Crc];
        #[cfg(not(target_arch = "aarch64"))]
        let levels = [Level::Portable, Level::Avx2, Level::Avx512];
        levels
            .into_iter()
            .filter(move |&level| level <= best.level)
            .map(move |level| if level == best.level { best } else { Isa::only(level) })
    }

    const fn only(level: Level) -> Isa {
        Isa { level, vbmi: false, vpclmulqdq: false }
    }

    /// Return its level.
    #[inline(always)]
    pub fn level(self) -> Level {
        self.level
    }

    /// Return true if it also has AVX-512 VBMI and VBMI2.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn has_vbmi(self) -> bool {
        self.vbmi
    }

    /// Return true if it also has AVX-512's form of carry-less multiplication.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn has_vpclmulqdq(self) -> bool {
        self.vpclmulqdq
    }

    /// Return its name in `COOKBOOK_ISA`.
    pub fn name(self) -> &'static str {
        match self.level {
            Level::Portable => "portable",
            #[cfg(target_arch = "aarch64")]
            Level::Crc => "crc",
            Level::Avx2 => "avx2",
            Level::Avx512 => "avx512",
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn detect() -> Isa {
    macro_rules! has {
        ($($feature:tt)*) => { true $(&& is_x86_feature_detected!($feature))* };
    }
    if !has!("avx2" "fma" "bmi1" "bmi2" "lzcnt" "popcnt" "sse4.2" "pclmulqdq") {
        Isa::only(Level::Portable)
    } else if !has!("avx512f" "avx512bw" "avx512dq" "avx512vl") {
        Isa::only(Level::Avx2)
    } else {
        let (vbmi, vpclmulqdq) = (has!("avx512vbmi" "avx512vbmi2"), has!("vpclmulqdq"));
        Isa { level: Level::Avx512, vbmi, vpclmulqdq }
    }
}

#[cfg(target_arch = "aarch64")]
fn detect() -> Isa {
    let found = std::arch::is_aarch64_feature_detected!("crc")
        && std::arch::is_aarch64_feature_detected!("aes");
    Isa::only(if found { Level::Crc } else { Level::Portable })
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn detect() -> Isa {
    Isa::only(Level::Portable)
}
