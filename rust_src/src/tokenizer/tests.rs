mod vocabulary;

use super::*;
use merge::{merge_few, merge_many};
use queue::Queue;
use vocabulary::Vocabulary;

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
    model.encode(text, policy, &mut Scratch::default(), &mut ids).map(|()| ids)
}

fn decode(model: &Model<Vec<u8>>, ids: &[u32]) -> Vec<u8> {
    let mut bytes = Vec::new();
    model.decode(ids, &mut bytes).unwrap();
    bytes
}

#[track_caller]
fn splits(pattern: u32, expected: &[&str]) {
    let (text, mut ends) = (expected.concat(), vec![0]);
    model(pattern).split(&text, &mut ends).unwrap();
    let pieces = ends.windows(2).map(|ends| &text[ends[0] as usize..ends[1] as usize]);
    assert_eq!(pieces.collect::<Vec<_>>(), expected);
}

// What tiktoken makes of each text, as pieces.

#[test]
fn gpt2_pieces() {
    splits(1, &["I", "'ll", " Say", " 123456", "'s", "'", "S", "!?", " !?", "\n\n", " x"]);
    splits(1, &["a", "  ", " b", "\t", "c", "\u{3000}", "\u{A0}", "é", "\u{301}", "字"]);
    splits(1, &["x", " ", "\n", "y", " \n "]);
    splits(1, &["longlonglongword", "½²", " ٣"]);
}

#[test]
fn cl100k_pieces() {
    splits(2, &["I", "'LL", " Say", " ", "123", "456", "'ſ", "y", "\tx", "!é", "!?\r\n", " ??\n"]);
    splits(2, &["a", " \n\n", "  ", " b", "\n", "."]);
    splits(2, &["\u{301}a", "\u{301}\n", "a"]);
}

#[test]
fn o200k_pieces() {
    splits(3, &["Hello", "World's", " HELLO", " ", "123", "456", "7"]);
    splits(3, &["ABCdef", "GHI'll", "漢A漢bé\u{301}'ſ", "!/\n/", " \u{301}", "!!\n"]);
    splits(3, &["\u{301}", "AB", "-ab\u{301}a"]);
    splits(3, &["字", "A's", " '", "tis"]);
}

#[test]
fn number_of_digits() {
    for (max_digits, pieces) in [(1, 7), (3, 3), (0, 1)] {
        let mut vocabulary = Vocabulary::new(2, &[], &[]);
        vocabulary.max_digits = max_digits;
        let mut ends = Vec::new();
        Model::open(vocabulary.blob()).unwrap().split("1234567", &mut ends).unwrap();
        assert_eq!(ends.len(), pieces);
    }
}

#[test]
fn pieces_cover_any_text() {
    let mut random = Random(1);
    for pattern in 1..=3 {
        let model = model(pattern);
        for _ in 0..500 {
            let text = random.text("ab'sſLlE Xé漢ʰ\u{301}1²!/\u{1F600}\r\n\t\u{A0}<|end>", 30);
            let mut ends = vec![0];
            model.split(&text, &mut ends).unwrap();
            assert!(ends.is_sorted_by(|a, b| a < b) && ends.last() == Some(&(text.len() as i64)));
            assert_eq!(decode(&model, &encode(&model, &text, None).unwrap()), text.as_bytes());
        }
    }
}

#[test]
fn whole_pieces_first() {
    let words = [WORDS, &["unreachableword", "unreachablelongword"]].concat();
    let vocabulary = Vocabulary::new(1, &words, &[]);
    let model = Model::open(vocabulary.blob()).unwrap();
    let id = |token: &str| vocabulary.id(token.as_bytes()).unwrap();
    let ids = |text| encode(&model, text, None).unwrap();
    assert_eq!(ids("hello world"), [id("hello"), id(" world")]);
    assert_eq!(ids("yabba"), [id("y"), id("ab"), id("ba")]);
    assert_eq!(ids("unreachableword"), [id("unreachableword")]);
    assert_eq!(ids("unreachablelongword"), [id("unreachablelongword")]);
}

/// Merging as the specification words it.
fn reference(vocabulary: &Vocabulary, piece: &[u8]) -> Vec<u32> {
    let mut cuts: Vec<_> = (0..=piece.len()).collect();
    loop {
        let merged = cuts
            .windows(3)
            .zip(1..)
            .filter_map(|(cuts, i)| vocabulary.id(&piece[cuts[0]..cuts[2]]).map(|rank| (rank, i)));
        let Some((_, i)) = merged.min() else { break };
        cuts.remove(i);
    }
    cuts.windows(2).map(|cuts| vocabulary.id(&piece[cuts[0]..cuts[1]]).unwrap()).collect()
}

#[test]
fn merges_of_any_length() {
    let vocabulary = Vocabulary::new(1, WORDS, SPECIALS);
    let blob = vocabulary.blob();
    let tables = Tables::open(&blob).unwrap();
    let mut random = Random(2);
    let (mut parts, mut few, mut many) = Default::default();
    for alphabet in ["ab", "a", "helowrdin ", " \n"] {
        for i in 0..200 {
            let piece = random.text(alphabet, if i % 20 == 0 { 300 } else { 64 });
            let expected = reference(&vocabulary, piece.as_bytes());
            if piece.len() <= 64 {
                merge_few(&tables, piece.as_bytes(), &mut few);
                assert_eq!(std::mem::take(&mut few), expected, "{piece:?}");
            }
            merge_many(&tables, piece.as_bytes(), &mut parts, &mut many);
            assert_eq!(std::mem::take(&mut many), expected, "{piece:?}");
        }
    }
}

#[test]
fn queue_keeps_order() {
    let (mut queue, mut random) = (Queue::default(), Random(3));
    for n in [1, 5, 300, 3000] {
        queue.clear(n);
        let mut expected = std::collections::BTreeSet::new();
        for step in 0..4 * n {
            let rank = [random.below(9), random.below(1 << 18), usize::MAX - random.below(9)];
            let entry = (rank[random.below(3)] as u32, random.below(n) as u32);
            if step < 3 * n && expected.insert(entry) {
                queue.push(entry.0, entry.1);
            }
            if random.below(3) == 0 {
                assert_eq!(queue.pop(), expected.pop_first());
            }
        }
        while let Some(entry) = queue.pop() {
            assert_eq!(Some(entry), expected.pop_first());
        }
        assert!(expected.is_empty());
    }
}

#[test]
fn recent_pieces_belong_to_a_model() {
    let other = Model::open(Vocabulary::new(1, &["he", "world"], &[]).blob()).unwrap();
    let text = "hello world yabba dabba\n".repeat(2000);
    let mut scratch = Scratch::default();
    for _ in 0..2 {
        for model in [&model(1), &other] {
            let mut ids = Vec::new();
            model.encode(&text, None, &mut scratch, &mut ids).unwrap();
            let line = encode(model, "hello world yabba dabba\n", None).unwrap();
            assert_eq!(ids, line.repeat(2000));
            assert_eq!(model.count(&text, None, &mut scratch), Ok(ids.len()));
        }
    }
}

#[test]
fn special_tokens() {
    let model = model(1);
    let [long, short, start] = [280, 279, 281]; // ids; the numbers are 0, 1, 2
    assert_eq!(decode(&model, &[long, short, start]), b"<|end|>><|end|><|e");
    let ids = |text: &str, policy: &[u8]| encode(&model, text, Some(policy));
    let plain = ids("<|end|>>", &[PLAIN; 3]).unwrap();
    assert_eq!(plain, encode(&model, "<|end|>>", None).unwrap());
    assert_eq!(ids("<|end|>><|end|><|e", &[ALLOWED; 3]), Ok(vec![long, short, start]));
    assert_eq!(ids("<|end|>>", &[PLAIN, ALLOWED, ALLOWED]), Ok(vec![short, u32::from(b'>')]));
    assert_eq!(ids("<|end", &[PLAIN, PLAIN, ALLOWED]).unwrap()[0], start);
    let refused =
        |offset, field| Err(Error { code: Code::Special, offset, field, ..Error::ARGUMENT });
    assert_eq!(ids("x <|end|>> <|e", &[REFUSED; 3]), refused(2, 0));
    assert_eq!(ids("x <|end|>> <|e", &[ALLOWED, ALLOWED, REFUSED]), refused(2, 2));
    assert_eq!(ids(&format!("{}<|e", "<|<".repeat(99)), &[REFUSED; 3]), refused(297, 2));
    assert_eq!(ids("", &[PLAIN; 2]), Err(Error::ARGUMENT));
    // What is cut off ends there: the white space before it is not followed by anything.
    let cut = ids("a  <|e  b", &[ALLOWED; 3]).unwrap();
    let [space, two] = [u32::from(b' '), Vocabulary::new(1, WORDS, &[]).id(b"  ").unwrap()];
    assert_eq!(cut, [u32::from(b'a'), two, start, space, space, u32::from(b'b')]);
}

#[test]
fn errors_say_where() {
    let model = model(1);
    let mut ids = [0; 3];
    let error = model.encode_into("qqqq", None, &mut Scratch::default(), &mut ids);
    let capacity = Error { code: Code::Capacity, expected: 4, actual: 3, ..Error::ARGUMENT };
    assert_eq!(error, Err(capacity));
    assert_eq!(model.encode_into("qqq", None, &mut Scratch::default(), &mut ids), Ok(3));
    assert_eq!(utf8(b"ab\xE2\x82").unwrap_err().offset, 2);
    assert_eq!(utf8(b"\xED\xA0\x80").unwrap_err().code, Code::Utf8);
    let unknown = Error { code: Code::UnknownId, record: 1, actual: 999, ..Error::ARGUMENT };
    assert_eq!(model.decode(&[97, 999], &mut Vec::new()), Err(unknown));
}

#[test]
fn batches_are_their_texts() {
    let model = model(2);
    let mut texts: Vec<_> = (0..5000).map(|i| "hello world yabba ".repeat(i % 13)).collect();
    for threads in [1, 2, 3, 100] {
        let batch = model.encode_batch(&texts, None, threads, &mut Scratch::default());
        let (ids, offsets) = batch.unwrap();
        assert_eq!(offsets.len(), texts.len() + 1);
        for (text, ends) in texts.iter().zip(offsets.windows(2)) {
            let expected = encode(&model, text, None).unwrap();
            assert_eq!(ids[ends[0] as usize..ends[1] as usize], expected);
        }
    }
    texts[3001] = "!<|end|>".into();
    texts[4002] = "<|end|>".into();
    let batch = model.encode_batch(&texts, Some(&[REFUSED; 3]), 4, &mut Scratch::default());
    let expected =
        Error { code: Code::Special, offset: 1, record: 3001, field: 1, ..Error::ARGUMENT };
    assert_eq!(batch, Err(expected));
    let none = model.encode_batch::<&str>(&[], None, 4, &mut Scratch::default());
    assert_eq!(none, Ok((vec![], vec![0])));
}

#[test]
fn any_blob_is_safe() {
    let blob = Vocabulary::new(3, WORDS, SPECIALS).blob();
    let text = "he's a token of length hello 123 \u{301}漢 <|end|>> \n".repeat(3);
    let mut random = Random(4);
    for i in 0..600 {
        let mut bad = blob.clone();
        let places = if i % 3 == 0 { 192 } else { bad.len() };
        for _ in 0..=random.below(4) {
            bad[random.below(places)] = [0, 1, 0xFF, random.below(256) as u8][random.below(4)];
        }
        let Ok(model) = Model::open(bad) else { continue };
        if let Ok(ids) = encode(&model, &text, Some(&[ALLOWED; 3])) {
            let _ = model.decode(&ids, &mut Vec::new());
        }
    }
    let mut cutting = blob.clone();
    let start = blob.windows(3).rposition(|name| name == b"<|e").unwrap();
    cutting[start..start + 3].copy_from_slice(b"\xA2\xE6\xBC"); // the middle of two characters
    let ids = encode(&Model::open(cutting).unwrap(), "a漢漢漢", Some(&[ALLOWED; 3])).unwrap();
    assert_eq!(ids.iter().filter(|&&id| id == 281).count(), 2);
    for size in (0..blob.len()).step_by(997) {
        assert!(Model::open(&blob[..size]).is_err());
    }
}
