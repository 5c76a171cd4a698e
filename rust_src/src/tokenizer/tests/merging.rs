//! The symbols of merged pretokens.

use super::*;

#[test]
fn whole_pretokens_first() {
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

/// Merge as the specification says.
fn reference(vocabulary: &Vocabulary, pretoken: &[u8]) -> Vec<u32> {
    let mut cuts: Vec<_> = (0..=pretoken.len()).collect();
    loop {
        let merged = cuts.windows(3).zip(1..).filter_map(|(cuts, i)| {
            vocabulary.id(&pretoken[cuts[0]..cuts[2]]).map(|rank| (rank, i))
        });
        let Some((_, i)) = merged.min() else { break };
        cuts.remove(i);
    }
    cuts.windows(2).map(|cuts| vocabulary.id(&pretoken[cuts[0]..cuts[1]]).unwrap()).collect()
}

/// Return the symbols of a pretoken by each way of merging.
fn all_ways(isa: Isa, tables: &Tables, pretoken: &[u8]) -> Vec<Vec<u32>> {
    let (mut long, mut whole) = (vec![7], vec![7]);
    merge_long(isa, tables, pretoken, &mut long).unwrap();
    merge_whole(tables, pretoken, &mut whole).unwrap();
    let mut ways = vec![long[1..].to_vec(), whole[1..].to_vec()];
    if pretoken.len() <= MOST {
        let mut symbols = [Symbol::default(); MOST];
        let n = merge(isa, tables, pretoken, &mut symbols);
        assert_eq!(symbols[..n].iter().map(|it| it.size as usize).sum::<usize>(), pretoken.len());
        ways.push(symbols[..n].iter().map(|symbol| symbol.id).collect());
    }
    ways
}

#[test]
fn merges_of_any_length() {
    let vocabulary = Vocabulary::new(1, WORDS, SPECIALS);
    let blob = vocabulary.blob();
    let tables = Tables::open(&blob).unwrap();
    let mut random = Random(2);
    for alphabet in ["ab", "a", "helowrdin ", " \n"] {
        for i in 0..200 {
            let most = [16, 64, 300, 520][if i % 20 == 0 { i / 20 % 4 } else { i % 2 }];
            let pretoken = random.text(alphabet, most) + "a";
            let expected = reference(&vocabulary, pretoken.as_bytes());
            for isa in Isa::available() {
                for way in all_ways(isa, &tables, pretoken.as_bytes()) {
                    assert_eq!(way, expected, "{isa:?}: {pretoken:?}");
                }
            }
        }
    }
}

#[test]
fn long_pretokens_are_merged_as_a_whole() {
    let runs: Vec<_> = (1..12).map(|bits| "a".repeat(1 << bits)).collect();
    let runs: Vec<_> = runs.iter().map(String::as_str).collect();
    let mut random = Random(5);
    // Words as long as a chunk make chunks that fit nothing.
    for words in [WORDS, &runs[..5], &runs[..8], &runs] {
        let blob = Vocabulary::new(1, words, &[]).blob();
        let tables = Tables::open(&blob).unwrap();
        for alphabet in ["a", "ab", "aaaaaaaaaaaaaaaaaaaaab", "helowrdin "] {
            let pretoken = random.text(alphabet, 9000) + "a";
            for isa in Isa::available() {
                let ways = all_ways(isa, &tables, pretoken.as_bytes());
                assert!(ways[0] == ways[1], "{isa:?}: {alphabet:?}, {} bytes", pretoken.len());
            }
        }
    }
}
