//! Every model on collections so small that its scores can be worked out by hand.

use tempfile::TempDir;
use trommel::index::{Index, Ranking};
use trommel::page::Block;
use trommel::text::Analyzer;

use crate::equivalence::{Page, index};

fn collection(directory: &TempDir, texts: &[&str]) -> Index {
    let pages: Vec<Page> = (1..)
        .zip(texts)
        .map(|(number, text)| Page {
            docid: format!("d{number}"),
            blocks: vec![Block {
                text: (*text).to_owned(),
                num_lines: 1,
                ..Block::default()
            }],
            labels: Vec::new(),
        })
        .collect();
    index(directory.path(), "boilerpipe", Analyzer::English, &pages)
}

#[track_caller]
fn check(index: &Index, query: &str, model: &str, expected: &[(&str, f64)]) {
    let ranking = Ranking {
        model: model.parse().unwrap(),
        ..Ranking::default()
    };
    let hits = index.search(query, &ranking, 10).unwrap();
    assert_eq!(hits.len(), expected.len(), "{model}");
    for (hit, (docid, score)) in hits.iter().zip(expected) {
        assert_eq!(index.docid(hit.page), *docid, "{model}");
        let close = (f64::from(hit.score) - score).abs() < 1e-6;
        assert!(close, "{model}: {docid} has {}, not {score}", hit.score);
    }
}

/// d1 has fig twice and pear, d2 pear and plum, d3 plum: N = 3, |C| = 6, average length 2; fig: df 1, cf 2; pear: df 2, cf 2.
#[test]
fn by_hand() {
    let directory = TempDir::new().unwrap();
    let index = collection(&directory, &["fig fig pear", "pear plum", "plum"]);
    // idf(fig) = ln(1 + 2.5/1.5) = ln(8/3), idf(pear) = ln(1 + 1.5/2.5) = ln 1.6.
    // d1: k1·norm = .9 · (.6 + .4 · 3/2) = 1.08: ln(8/3) · 2/3.08 + ln 1.6 / 2.08. d2: k1·norm = .9: ln 1.6 / 1.9.
    check(
        &index,
        "fig pear",
        "bm25",
        &[("d1", 0.8628654), ("d2", 0.2473703)],
    );
    // p = 1/3 for both, μp = 10/3. d1: ln(1 + 2 · .3) + ln(1 + .3) + 2 ln(10/13). d2: ln 1.3 + 2 ln(10/12).
    check(
        &index,
        "fig pear",
        "qld:mu=10",
        &[("d1", 0.2076394), ("d2", -0.1022788)],
    );
    // λ = .5: (1 − λ)/(λp) = 3. d1: ln(1 + 3 · 2/3) + ln(1 + 3 · 1/3) = ln 3 + ln 2. d2: ln(1 + 3/2).
    check(
        &index,
        "fig pear",
        "qljm:lambda=0.5",
        &[("d1", 1.7917595), ("d2", 0.9162907)],
    );
    // idf(fig) = 1 + ln(3/2), idf(pear) = 1 + ln(3/3) = 1; queryNorm = 1/√(idf(fig)² + 1).
    // d1: coord 1: (√2 · idf(fig)² + 1)/√3 · queryNorm. d2: coord 1/2: 1/√2 · queryNorm / 2.
    check(
        &index,
        "fig pear",
        "tfidf",
        &[("d1", 1.2697449), ("d2", 0.2049686)],
    );
    // The byte makes 1/√3 = .577 to .5 and 1/√2 = .707 to .625.
    let (d1, d2) = (
        1.2697449 * 0.5 * 3f64.sqrt(),
        0.2049686 * 0.625 * 2f64.sqrt(),
    );
    check(
        &index,
        "fig pear",
        "tfidf:norm-byte=1",
        &[("d1", d1), ("d2", d2)],
    );
}

/// One page of alpha, quince twice and medlar, and nine of another word: N = 10, so that a term of one page is rare enough.
/// From d1 come its two most frequent terms, quince (2 of 3) and alpha (1 of 3; the alphabet has it before medlar). The new query
/// is alpha .5 + .5 · 1/3 = 2/3 and quince .5 · 2/3 = 1/3. idf = ln(1 + 9.5/1.5) = ln(22/3), average length 1.3,
/// k1·norm = .9 · (.6 + .4 · 4/1.3) = 1.6476923: 2/3 · idf / 2.6476923 + 1/3 · idf · 2/3.6476923.
#[test]
fn feedback_by_hand() {
    let directory = TempDir::new().unwrap();
    let mut texts = vec!["alpha quince quince medlar"];
    texts.extend(["common"; 9]);
    let index = collection(&directory, &texts);
    let model = "bm25+rm3:terms=2,docs=1";
    check(&index, "alpha", model, &[("d1", 0.8658216)]);
}
