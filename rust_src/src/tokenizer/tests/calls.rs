//! The calls of a model.

use super::*;

#[test]
fn special_tokens() {
    let model = model(1);
    let [start, short, long] = [281, 279, 280]; // ids; the numbers are 0, 1, 2
    assert_eq!(decode(&model, &[long, short, start]), b"<|end|>><|end|><|e");
    let ids = |text: &str, policy: &[u8]| encode(&model, text, Some(policy));
    let plain = ids("<|end|>>", &[PLAIN; 3]).unwrap();
    assert_eq!(plain, encode(&model, "<|end|>>", None).unwrap());
    assert_eq!(ids("<|end|>><|end|><|e", &[ALLOWED; 3]), Ok(vec![long, short, start]));
    assert_eq!(ids("<|end|>>", &[ALLOWED, ALLOWED, PLAIN]), Ok(vec![short, u32::from(b'>')]));
    assert_eq!(ids("<|end", &[ALLOWED, PLAIN, PLAIN]).unwrap()[0], start);
    let refused =
        |offset, field| Err(Error { code: Code::Special, offset, field, ..Error::ARGUMENT });
    assert_eq!(ids("x <|end|>> <|e", &[REFUSED; 3]), refused(2, 2));
    assert_eq!(ids("x <|end|>> <|e", &[REFUSED, ALLOWED, ALLOWED]), refused(2, 0));
    assert_eq!(ids(&format!("{}<|e", "<|<".repeat(99)), &[REFUSED; 3]), refused(297, 0));
    assert_eq!(ids("", &[PLAIN; 2]), Err(Error::ARGUMENT));
    // A special token ends the text before it: its white space is not followed by anything.
    let cut = ids("a  <|e  b", &[ALLOWED; 3]).unwrap();
    let [space, two] = [u32::from(b' '), Vocabulary::new(1, WORDS, &[]).id(b"  ").unwrap()];
    assert_eq!(cut, [u32::from(b'a'), two, start, space, space, u32::from(b'b')]);
}

#[test]
fn errors_say_where() {
    let model = model(1);
    let mut ids = [0; 3];
    let error = model.encode_into("qqqq", None, &mut ids, None);
    let capacity = Error { code: Code::Capacity, expected: 4, actual: 3, ..Error::ARGUMENT };
    assert_eq!(error, Err(capacity));
    assert_eq!(model.encode_into("qqq", None, &mut ids, None), Ok(3));
    assert_eq!(utf8(b"ab\xE2\x82").unwrap_err().offset, 2);
    assert_eq!(utf8(b"\xED\xA0\x80").unwrap_err().code, Code::Utf8);
    let unknown = Error { code: Code::UnknownId, record: 1, actual: 999, ..Error::ARGUMENT };
    assert_eq!(model.decode(&[97, 999], &mut Vec::new(), None), Err(unknown));
}

#[test]
fn batches_are_their_texts() {
    let model = model(2);
    let mut texts: Vec<_> = (0..5000).map(|i| "hello world yabba ".repeat(i % 13)).collect();
    for threads in [1, 2, 3, 100] {
        let batch = model.encode_batch(&texts, None, threads, None);
        let (ids, offsets) = batch.unwrap();
        assert_eq!(offsets.len(), texts.len() + 1);
        for (text, ends) in texts.iter().zip(offsets.windows(2)) {
            let expected = encode(&model, text, None).unwrap();
            assert_eq!(ids[ends[0] as usize..ends[1] as usize], expected);
        }
    }
    texts[3001] = "!<|end|>".into();
    texts[4002] = "<|end|>".into();
    let batch = model.encode_batch(&texts, Some(&[REFUSED; 3]), 4, None);
    let expected =
        Error { code: Code::Special, offset: 1, record: 3001, field: 1, ..Error::ARGUMENT };
    assert_eq!(batch, Err(expected));
    let none = model.encode_batch::<&str>(&[], None, 4, None);
    assert_eq!(none, Ok((vec![], vec![0])));
}

#[test]
fn a_text_of_several_views() {
    let model = model(2);
    let line = "he's hello\u{301} worlds 12345  \n\n 漢漢\n"; // It ends where a pretoken ends.
    let text = line.repeat(3 * VIEW / line.len());
    let many = encode(&model, &text, None).unwrap();
    let one = encode(&model, line, None).unwrap();
    assert!(many == one.repeat(3 * VIEW / line.len()));
    assert_eq!(model.count(&text, None, None), Ok(many.len()));
    let (mut ends, mut first) = (Vec::new(), Vec::new());
    model.split(&text, &mut ends, None).unwrap();
    model.split(line, &mut first, None).unwrap();
    let size = line.len() as i64;
    let expected = (0..(3 * VIEW / line.len()) as i64)
        .flat_map(|i| first.iter().map(move |end| i * size + end));
    assert!(ends.into_iter().eq(expected));
    let long = "a".repeat(VIEW + 1);
    assert_eq!(encode(&model, &long[..VIEW], None).map(|ids| ids.is_empty()), Ok(false));
    for before in ["", "a ", line] {
        let refused = encode(&model, &[before, &long].concat(), None);
        assert_eq!(refused.map_err(|error| error.code), Err(Code::DataCapacity));
    }
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
            let _ = model.decode(&ids, &mut Vec::new(), None);
        }
    }
    let mut cutting = Vocabulary::new(3, WORDS, &["<|e"]).blob();
    let start = cutting.windows(3).rposition(|name| name == b"<|e").unwrap();
    cutting[start..start + 3].copy_from_slice(b"\xA2\xE6\xBC"); // the middle of two characters
    let ids = encode(&Model::open(cutting).unwrap(), "a漢漢漢", Some(&[ALLOWED; 1])).unwrap();
    assert_eq!(ids.iter().filter(|&&id| id == 279).count(), 2);
    for size in (0..blob.len()).step_by(997) {
        assert!(Model::open(&blob[..size]).is_err());
    }
}
