//! Bytes as a run: what can be read and the writer takes reads back the same, in the same order.
#![no_main]

use trommel::text::to_word;
use trommel::trec::run::{self, rank_order};
use trommel::trec::{Run, RunWriteError, RunWriter, ScoredDoc};

fn write(run: &Run) -> Result<Vec<u8>, RunWriteError> {
    let mut writer = RunWriter::new(Vec::new(), &run.tag)?;
    for (topic, docs) in &run.topics {
        let docs = docs
            .iter()
            .map(|doc| (doc.docid.as_str(), doc.score as f32));
        writer.write_topic(topic, docs)?;
    }
    writer.finish()
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(read) = run::parse(data, "run") else {
        return;
    };
    for docs in read.topics.values() {
        assert!(
            docs.is_sorted_by(|a, b| rank_order(a, b).is_lt()),
            "{docs:?}"
        );
    }
    let Ok(text) = write(&read) else {
        return;
    };
    let mut again = run::parse(text.as_slice(), "written").expect("what was written reads");
    let mut expected = read;
    for docs in expected.topics.values_mut() {
        for doc in docs.iter_mut() {
            *doc = ScoredDoc {
                docid: to_word(&doc.docid).into_owned(),
                score: f64::from(doc.score as f32),
            };
        }
        docs.sort_by(rank_order);
    }
    // The shortest decimal of a single-precision number is another number in double precision.
    for doc in again.topics.values_mut().flatten() {
        doc.score = f64::from(doc.score as f32);
    }
    if expected.topics.is_empty() {
        again.tag.clone_from(&expected.tag);
    }
    assert_eq!(again, expected);
});
