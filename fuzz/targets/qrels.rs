//! Bytes as judgments: what can be read and has grades, written in four columns, reads back the same.
#![no_main]

use trommel::trec::{Qrels, qrels};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(read) = qrels::parse(data, "qrels") else {
        return;
    };
    // A blank line first: a byte-order mark stands only before the first.
    let mut text = "\n".to_owned();
    for (topic, judgments) in &read.topics {
        for (docid, grade) in judgments {
            text.push_str(&format!("{topic} 0 {docid} {grade}\n"));
        }
    }
    let again = qrels::parse(text.as_bytes(), "written").expect("what was written reads");
    let expected = Qrels {
        subtopics: false,
        ..read
    };
    assert_eq!(again, expected);
});
