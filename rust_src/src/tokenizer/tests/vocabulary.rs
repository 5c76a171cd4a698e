//! A builder of small models, from `docs/tokenizer.md` and nothing else.

/// The input from which a model is built. The id of a token is its index and its rank.
pub(super) struct Vocabulary {
    pattern: u32,
    pub(super) max_digits: u32,
    tokens: Vec<Vec<u8>>,
    specials: Vec<&'static str>,
}

impl Vocabulary {
    /// Every byte, then `words`, then the special tokens.
    pub(super) fn new(pattern: u32, words: &[&str], specials: &[&'static str]) -> Self {
        let words = words.iter().map(|word| word.as_bytes().to_vec());
        let tokens = (0..=255).map(|byte| vec![byte]).chain(words).collect();
        Self { pattern, max_digits: 3, tokens, specials: specials.to_vec() }
    }

    pub(super) fn id(&self, token: &[u8]) -> Option<u32> {
        self.tokens.iter().position(|it| it == token).map(|id| id as u32)
    }

    /// Build the blob as `docs/tokenizer.md` says, without using `model`.
    pub(super) fn blob(&self) -> Vec<u8> {
        let (k1, k2) = (0x9E37_79B9_7F4A_7C15_u64, 0xC2B2_AE3D_27D4_EB4F_u64);
        let mut short = Table::<16, 4>::new([0; 16], [0; 4]);
        let mut long = Table::<4, 0>::new([0; 4], []);
        let mut pairs = Table::<8, 0>::new([0xFF; 8], []);
        let mut filter = vec![0u8; 1 << (Table::<8, 0>::BITS - 1)];
        let mut byte_pairs = vec![u32::MAX; 1 << 16];
        for (id, token) in (0u32..).zip(&self.tokens) {
            if token.len() < 16 {
                let mut key = [0; 16];
                key[..token.len()].copy_from_slice(token);
                key[15] = token.len() as u8;
                let half = |i| u64::from_le_bytes(key[i..i + 8].try_into().unwrap());
                let hash = half(0).wrapping_mul(k1).wrapping_add(half(8).wrapping_mul(k2));
                short.insert(hash, key, id.to_le_bytes());
            } else {
                let mut hash = token.len() as u64;
                for word in token.chunks(8) {
                    let mut padded = [0; 8];
                    padded[..word.len()].copy_from_slice(word);
                    hash = (hash ^ u64::from_le_bytes(padded)).wrapping_mul(k1);
                    hash ^= hash >> 32;
                }
                long.insert(hash, (id + 1).to_le_bytes(), []);
            }
            for cut in 1..token.len() {
                if let (Some(l), Some(r)) = (self.id(&token[..cut]), self.id(&token[cut..])) {
                    let key = u64::from(l) << 21 | u64::from(r);
                    let hash = key.wrapping_mul(k1);
                    pairs.insert(hash, (key << 21 | u64::from(id)).to_le_bytes(), []);
                    let place = (hash >> (62 - Table::<8, 0>::BITS)) as usize;
                    filter[place / 8] |= 1 << (place % 8);
                    if token.len() == 2 {
                        byte_pairs[usize::from(token[0]) << 8 | usize::from(token[1])] = id;
                    }
                }
            }
        }
        let mut specials: Vec<_> = (self.tokens.len() as u32..).zip(&self.specials).collect();
        let names = specials.iter().map(|(_, name)| name.as_bytes());
        let spellings: Vec<_> = self.tokens.iter().map(Vec::as_slice).chain(names).collect();
        specials.sort_by_key(|(_, name)| name.as_bytes());
        let prefixes = specials.iter().map(|(_, name)| {
            let others = specials.iter().filter(|(_, other)| other != name);
            let prefix =
                others.filter(|(_, other)| name.starts_with(**other)).max_by_key(|it| it.1.len());
            specials
                .iter()
                .position(|it| Some(it) == prefix)
                .map_or(u32::MAX, |number| number as u32)
        });
        let kinds = [vec![1; self.tokens.len()], vec![2; specials.len()]].concat();
        let mut offsets = vec![0; 4];
        let mut end = 0;
        for spelling in &spellings {
            end += spelling.len() as u32;
            offsets.extend(end.to_le_bytes());
        }
        let (index, blocks) = unicode();
        let sections = [
            index,
            blocks.concat(),
            (0..256u32).flat_map(u32::to_le_bytes).collect(),
            short.keys.concat(),
            short.values.concat(),
            long.keys.concat(),
            pairs.keys.concat(),
            kinds,
            offsets,
            spellings.concat(),
            specials.iter().flat_map(|(id, _)| id.to_le_bytes()).collect(),
            byte_pairs.into_iter().flat_map(u32::to_le_bytes).collect(),
            filter,
            Vec::new(), // ranks are ids
            prefixes.flat_map(u32::to_le_bytes).collect(),
        ];
        let numbers = [
            self.pattern,
            self.max_digits,
            spellings.len() as u32,
            specials.len() as u32,
            Table::<16, 4>::BITS,
            Table::<4, 0>::BITS,
            Table::<8, 0>::BITS,
            blocks.len() as u32,
        ];
        let mut header = [*b"ckbpe\0\0\x03", [0; 8]].concat();
        header.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        let mut body = Vec::new();
        for section in sections {
            header.extend((192 + body.len() as u64).to_le_bytes());
            body.extend(section);
            body.resize(body.len().next_multiple_of(64), 0);
        }
        header.resize(176, 0); // no automaton, after the header
        header.extend(192u64.to_le_bytes());
        header.resize(192, 0);
        let size = (header.len() + body.len()) as u64;
        header[8..16].copy_from_slice(&size.to_le_bytes());
        [header, body].concat()
    }
}

struct Table<const K: usize, const V: usize> {
    keys: Vec<[u8; K]>,
    values: Vec<[u8; V]>,
    empty: [u8; K],
}

impl<const K: usize, const V: usize> Table<K, V> {
    const BITS: u32 = 11;

    fn new(empty: [u8; K], value: [u8; V]) -> Self {
        Self { keys: vec![empty; 1 << Self::BITS], values: vec![value; 1 << Self::BITS], empty }
    }

    fn insert(&mut self, hash: u64, key: [u8; K], value: [u8; V]) {
        let mut slot = (hash >> (64 - Self::BITS)) as usize;
        while self.keys[slot] != self.empty {
            slot = (slot + 1) % self.keys.len();
        }
        (self.keys[slot], self.values[slot]) = (key, value);
    }
}

/// Return the classes of ASCII and of a few other characters of every class.
fn unicode() -> (Vec<u8>, Vec<[u8; 128]>) {
    let mut classes = vec![0u8; 0x11_0000];
    let mut set = |characters: &str, class| {
        characters.chars().for_each(|c| classes[c as usize] = class);
    };
    set("ABCDEFGHIJKLMNOPQRSTUVWXYZÉǅЖ", 1);
    set("abcdefghijklmnopqrstuvwxyzéſж", 2);
    set("ʰªא漢字", 3);
    set("\u{301}\u{FE0F}", 4);
    set("0123456789²½٣", 5);
    set("\t\n\u{b}\u{c}\r \u{85}\u{A0}\u{2028}\u{3000}", 6);
    let mut blocks: Vec<[u8; 128]> = Vec::new();
    let mut index = Vec::new();
    for block in classes.as_chunks().0 {
        let number = blocks.iter().position(|it| it == block).unwrap_or_else(|| {
            blocks.push(*block);
            blocks.len() - 1
        });
        index.extend((number as u16).to_le_bytes());
    }
    (index, blocks)
}
