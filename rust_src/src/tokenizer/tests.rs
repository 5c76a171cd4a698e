mod caching;
mod calls;
mod interrupting;
mod merging;
mod pretokens;
mod vocabulary;

use super::*;
use chunks::merge_long;
use merge::{MOST, Symbol, merge};
use text::VIEW;
use vocabulary::Vocabulary;
use whole::merge_whole;

/// Pseudo-random numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % n
    }

    fn text(&mut self, alphabet: &str, most: usize) -> String {
        let characters: Vec<_> = alphabet.chars().collect();
        let size = self.below(most + 1);
        (0..size).map(|_| characters[self.below(characters.len())]).collect()
    }
}

const WORDS: &[&str] = &[
    "he", "in", "er", "ll", "hell", "hello", " w", " wo", "rl", " worl", " world", "aa", "aaa",
    "aaaa", "ba", "ab", "aba", "bab", "  ", "    ", "\n\n", "he'", "<|",
];
const SPECIALS: &[&str] = &["<|end|>", "<|end|>>", "<|e"];

fn model(pattern: u32) -> Model<Vec<u8>> {
    Model::open(Vocabulary::new(pattern, WORDS, SPECIALS).blob()).unwrap()
}

fn encode(model: &Model<Vec<u8>>, text: &str, policy: Option<&[u8]>) -> Result<Vec<u32>, Error> {
    let mut ids = Vec::new();
    model.encode(text, policy, &mut ids, None).map(|()| ids)
}

fn decode(model: &Model<Vec<u8>>, ids: &[u32]) -> Vec<u8> {
    let mut bytes = Vec::new();
    model.decode(ids, &mut bytes, None).unwrap();
    bytes
}
