//! The ends of pretokens.

use super::*;

#[track_caller]
fn splits(pattern: u32, expected: &[&str]) {
    let (text, mut ends) = (expected.concat(), vec![0]);
    model(pattern).split(&text, &mut ends, None).unwrap();
    let pretokens = ends.windows(2).map(|ends| &text[ends[0] as usize..ends[1] as usize]);
    assert_eq!(pretokens.collect::<Vec<_>>(), expected);
}

// tiktoken's pretokens of each text.

#[test]
fn gpt2_pretokens() {
    splits(1, &["I", "'ll", " Say", " 123456", "'s", "'", "S", "!?", " !?", "\n\n", " x"]);
    splits(1, &["a", "  ", " b", "\t", "c", "\u{3000}", "\u{A0}", "é", "\u{301}", "字"]);
    splits(1, &["x", " ", "\n", "y", " \n "]);
    splits(1, &["longlonglongword", "½²", " ٣"]);
}

#[test]
fn cl100k_pretokens() {
    splits(2, &["I", "'LL", " Say", " ", "123", "456", "'ſ", "y", "\tx", "!é", "!?\r\n", " ??\n"]);
    splits(2, &["a", " \n\n", "  ", " b", "\n", "."]);
    splits(2, &["\u{301}a", "\u{301}\n", "a"]);
}

#[test]
fn o200k_pretokens() {
    splits(3, &["Hello", "World's", " HELLO", " ", "123", "456", "7"]);
    splits(3, &["ABCdef", "GHI'll", "漢A漢bé\u{301}'ſ", "!/\n/", " \u{301}", "!!\n"]);
    splits(3, &["\u{301}", "AB", "-ab\u{301}a"]);
    splits(3, &["字", "A's", " '", "tis"]);
}

#[test]
fn number_of_digits() {
    for (max_digits, pretokens) in [(1, 7), (3, 3), (0, 1)] {
        let mut vocabulary = Vocabulary::new(2, &[], &[]);
        vocabulary.max_digits = max_digits;
        let mut ends = Vec::new();
        Model::open(vocabulary.blob()).unwrap().split("1234567", &mut ends, None).unwrap();
        assert_eq!(ends.len(), pretokens);
    }
}

#[test]
fn pretokens_cover_any_text() {
    let mut random = Random(1);
    for pattern in 1..=3 {
        let model = model(pattern);
        for _ in 0..500 {
            let text = random.text("ab'sſLlE Xé漢ʰ\u{301}1²!/\u{1F600}\r\n\t\u{A0}<|end>", 30);
            let mut ends = vec![0];
            model.split(&text, &mut ends, None).unwrap();
            assert!(ends.is_sorted_by(|a, b| a < b) && ends.last() == Some(&(text.len() as i64)));
            assert_eq!(decode(&model, &encode(&model, &text, None).unwrap()), text.as_bytes());
        }
    }
}

/// Make texts long enough for windows, of hard parts.
fn window_text(random: &mut Random) -> String {
    const PARTS: &str = "a·b·s·word·LONG·Xy·É·é·ж·漢·ʰ·\u{301}·\u{FE0F}·'·'s·'ll·'VE·'ſ·1·12·2345678·\
        ²·٣· ·  ·\t·\n·\r\n· \n ·\u{A0}·\u{3000}·!·?!·/·//·\n/·\u{1F600}·_·<|end|>";
    let all: Vec<_> = PARTS.split('·').collect();
    let parts = 1 + random.below(all.len());
    let from = random.below(all.len());
    (0..random.below(300)).map(|_| all[(from + random.below(parts)) % all.len()]).collect()
}

#[test]
fn windows_tell_what_patterns_tell() {
    let mut random = Random(9);
    for isa in Isa::available() {
        for (pattern, max_digits) in [(1, 0), (2, 3), (2, 1), (2, 0), (3, 3), (3, 64)] {
            let mut vocabulary = Vocabulary::new(pattern, &[], &[]);
            vocabulary.max_digits = max_digits;
            let blob = vocabulary.blob();
            let tables = Tables::open(&blob).unwrap();
            for _ in 0..1500 {
                let text = window_text(&mut random);
                let mut bytes = text.as_bytes();
                if random.below(4) == 0 {
                    bytes = &bytes[..random.below(bytes.len() + 1)]; // as special tokens cut
                }
                let text = Text::new(&tables, bytes);
                assert!(text.plain);
                let (mut block, mut at) = ([0; BLOCK], 0usize);
                while at < bytes.len() {
                    let n = next_pretokens(isa, &text, at, &mut block);
                    for end in block[..n].iter().map(|&end| end as usize) {
                        let expected = split::pretoken_end(&text, at);
                        assert_eq!(
                            end,
                            expected,
                            "{isa:?} {pattern} at {at} of {:?}",
                            &bytes[at..]
                        );
                        at = end;
                    }
                }
            }
        }
    }
}
