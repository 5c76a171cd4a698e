//! What pieces become.

use super::*;

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
    for alphabet in ["ab", "a", "helowrdin ", " \n"] {
        for i in 0..200 {
            let piece = random.text(alphabet, if i % 20 == 0 { 300 } else { 64 });
            let expected = reference(&vocabulary, piece.as_bytes());
            if piece.len() <= 64 {
                let mut ids = [0; LONG];
                let n = merge_few(&tables, piece.as_bytes(), &mut ids);
                assert_eq!(ids[..n], expected, "{piece:?}");
            }
            let mut ids = Vec::new();
            merge_many(&tables, piece.as_bytes(), &mut |some| ids.extend_from_slice(some));
            assert_eq!(ids, expected, "{piece:?}");
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
