//! Calls that end early, at the first and the last possible moment.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::*;

/// End a call when it asks for the `most`-th time, for every `most` up to the first that lets it
/// complete.
fn end_everywhere<T: PartialEq>(
    mut call: impl FnMut(Option<&Interrupt>) -> Result<T, Error>,
) -> usize {
    let ended = Error { code: Code::Interrupted, ..Error::ARGUMENT };
    let expected = call(None);
    for times in 0.. {
        let most = 1 + times * times;
        let asked = AtomicUsize::new(0);
        let ask = || asked.fetch_add(1, Relaxed) + 1 >= most;
        let result = call(Some(&Interrupt::new(&ask)));
        assert!(call(None) == expected); // the cache holds no wrong ids
        if result == expected {
            return times;
        }
        assert!(result.err() == Some(ended));
    }
    unreachable!()
}

#[test]
fn every_call() {
    for pretoken in [1, 12, 60, 900, 2000, 50_000] {
        let mut random = Random(pretoken as u64);
        let words = (0..100_000 / pretoken).map(|_| random.text("hellaab", 2 * pretoken));
        let text = words.collect::<Vec<_>>().join(" ");
        let model = model(2);
        let ids = encode(&model, &text, None).unwrap();
        let texts = [&text[..text.len() / 3], "", &text, &text];
        let calls = [
            end_everywhere(|i| {
                let (model, mut ids) = (self::model(2), Vec::new());
                let done = model.encode(&text, Some(&[ALLOWED; 3]), &mut ids, i);
                let again = encode(&model, &text, None); // uses the memory of the ended call
                done.map(|()| ids.len() + again.unwrap().len())
            }),
            end_everywhere(|i| model.encode_into(&text, None, &mut vec![0; text.len()], i)),
            end_everywhere(|i| model.count(&text, Some(&[REFUSED; 3]), i)),
            end_everywhere(|i| model.encode_batch(&texts, None, 1, i)),
            end_everywhere(|i| model.encode_batch(&texts, None, 3, i)),
            end_everywhere(|i| {
                let mut ends = Vec::new();
                model.split(&text, &mut ends, i).map(|()| ends)
            }),
            end_everywhere(|i| {
                let mut bytes = Vec::new();
                model.decode(&ids.repeat(5), &mut bytes, i).map(|()| bytes)
            }),
        ];
        assert!(calls.iter().all(|&times| times > 0), "{pretoken}: {calls:?}");
    }
}
