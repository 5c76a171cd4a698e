//! The cache of a model.

use super::*;
use keys::{K1, long_hash};

/// All spellings differ, some are too long for a key, and all have more ids than fit into an entry.
fn words(n: usize) -> Vec<String> {
    let word = |i: usize| {
        format!(" {}{}", "hello".repeat(i % 5), format_args!("{i:b}"))
            .replace('0', "q")
            .replace('1', "z")
    };
    (0..n).map(word).collect()
}

#[test]
fn more_than_there_is_room_for() {
    let (model, words) = (model(1), words(120_000));
    let text = words.concat();
    let expected: Vec<_> = words
        .chunks(10_000)
        .flat_map(|some| encode(&self::model(1), &some.concat(), None).unwrap())
        .collect();
    for _ in 0..2 {
        assert!(encode(&model, &text, None).unwrap() == expected);
    }
    let last = words[110_000..].concat();
    assert!(expected.ends_with(&encode(&model, &last, None).unwrap()));
}

#[test]
fn the_cache_changes_nothing() {
    let model = model(1);
    let mut random = Random(7);
    let text: String = (0..20_000).map(|_| random.text("helowrdab", 20) + " ").collect();
    let first = encode(&model, &text, None).unwrap();
    assert_eq!(decode(&model, &first), text.as_bytes());
    for pretoken in text.split_inclusive(' ').take(500) {
        let fresh = self::model(1);
        assert_eq!(encode(&model, pretoken, None), encode(&fresh, pretoken, None), "{pretoken:?}");
    }
    let work = || assert_eq!(encode(&model, &text, None).unwrap(), first);
    std::thread::scope(|scope| {
        (0..100).for_each(|_| drop(scope.spawn(work))); // more than the pool has room for
    });
}

#[test]
fn equal_hashes_are_not_equal_pretokens() {
    let mut random = Random(3);
    let mut letters = || std::array::from_fn(|_| b"helowrdabHELOWRDABxyzXYZ"[random.below(24)]);
    // The state after the first word, to which the second is added.
    let after = |word: [u8; 8]| {
        let hash = (16 ^ u64::from_le_bytes(word)).wrapping_mul(K1);
        hash ^ hash >> 32
    };
    let (first, second) = (letters(), letters());
    let sum = after(first) ^ u64::from_le_bytes(second);
    let (other_first, other_second) = std::iter::repeat_with(letters)
        .map(|word| (word, (sum ^ after(word)).to_le_bytes()))
        .find(|(word, rest)| *word != first && rest.iter().all(u8::is_ascii_alphabetic))
        .unwrap();
    let [one, other] = [[first, second], [other_first, other_second]].map(|words| words.concat());
    assert_eq!(long_hash(&one), long_hash(&other));
    let model = model(1);
    for bytes in [one, other] {
        let ids = encode(&model, std::str::from_utf8(&bytes).unwrap(), None).unwrap();
        assert_eq!(decode(&model, &ids), bytes);
    }
}
