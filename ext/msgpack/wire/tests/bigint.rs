//! Big integers: sign, words, what is left over.

use msgpack_wire::bigint::{payload_len, split, turn};
use proptest::prelude::*;

#[test]
fn lengths() {
    assert_eq!([0, 1, 3].map(payload_len), [Some(1), Some(5), Some(13)]);
    assert_eq!(payload_len(usize::MAX / 4), usize::MAX.checked_sub(2));
    assert_eq!(payload_len(usize::MAX / 4 + 1), None);
}

#[test]
fn sign_and_words() {
    for (payload, negative, words) in [
        (&[][..], false, &[][..]),
        (&[0], false, &[]),
        (&[1], true, &[]),
        (&[0xff, 1, 2, 3], true, &[]),
        (&[0, 1, 2, 3, 4], false, &[1, 2, 3, 4]),
        (&[1, 1, 2, 3, 4, 5, 6, 7], true, &[1, 2, 3, 4]),
        (&[0, 1, 2, 3, 4, 5, 6, 7, 8], false, &[1, 2, 3, 4, 5, 6, 7, 8]),
    ] {
        assert_eq!(split(payload), (negative, words), "{payload:02x?}");
    }
}

#[test]
fn words_are_turned() {
    let mut words = *b"abcdefghij";
    turn(&mut words);
    assert_eq!(&words, b"dcbahgfeij");
}

proptest! {
    #[test]
    fn turned_twice_is_the_same(words: Vec<u8>) {
        let mut turned = words.clone();
        turn(&mut turned);
        turn(&mut turned);
        prop_assert_eq!(turned, words);
    }

    #[test]
    fn a_word_is_big_endian(word: u32) {
        let mut bytes = word.to_le_bytes();
        turn(&mut bytes);
        prop_assert_eq!(bytes, word.to_be_bytes());
    }
}
