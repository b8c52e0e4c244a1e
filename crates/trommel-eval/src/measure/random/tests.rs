//! Random judgments and a random run: what ir_measures with its providers, and pyndeval, say of them (`make.py` beside this file), and what the
//! definitions of the measures of diversity say, read by brute force.

use std::collections::{BTreeMap, BTreeSet};

use super::{Evaluation, Options, Selection, evaluate, ndeval_format};
use crate::trec::{Qrels, Run, qrels, run};

const EXPECTED: &str = include_str!("expected.tsv");

fn judgments(name: &str) -> Qrels {
    let text = match name {
        "graded" => include_str!("graded.qrels"),
        _ => include_str!("subtopics.qrels"),
    };
    qrels::parse(text.as_bytes(), name).unwrap()
}

fn retrieved() -> Run {
    run::parse(include_str!("random.run").as_bytes(), "run").unwrap()
}

fn evaluated(qrels: &Qrels, name: &str) -> Evaluation {
    let measures = Selection::parse([name]).unwrap().measures;
    assert_eq!(measures.len(), 1, "{name}");
    evaluate(qrels, &retrieved(), &measures, &Options::default()).unwrap()
}

#[test]
fn values_of_ir_measures_and_pyndeval() {
    let (graded, subtopics) = (judgments("graded"), judgments("subtopics"));
    let mut names: BTreeMap<(&str, &str), Evaluation> = BTreeMap::new();
    let mut compared = 0;
    for line in EXPECTED.lines() {
        let words: Vec<&str> = line.split('\t').collect();
        let [file, topic, name, value] = words[..] else {
            panic!("{line}");
        };
        let qrels = if file == "graded" {
            &graded
        } else {
            &subtopics
        };
        let found = names
            .entry((file, name))
            .or_insert_with(|| evaluated(qrels, name));
        let of_topic = found.topics.iter().find(|it| it.topic == topic);
        let ours = match topic {
            "all" => found.means[0],
            _ => of_topic.unwrap().scores[0],
        };
        let theirs: f64 = value.parse().unwrap();
        assert!(
            (ours - theirs).abs() < 1e-9,
            "{name}, topic {topic}: {ours} instead of {theirs}"
        );
        compared += 1;
    }
    assert_eq!((names.len(), compared), (EXPECTED_NAMES, EXPECTED_VALUES));
}

const EXPECTED_NAMES: usize = 155;
const EXPECTED_VALUES: usize = 2242;

/// A topic's relevant documents by subtopic, and its documents by rank.
struct Topic {
    subtopics: Vec<BTreeSet<String>>,
    ranked: Vec<String>,
}

fn topics() -> Vec<(String, Topic)> {
    let (qrels, run) = (judgments("subtopics"), retrieved());
    let of_topic = |(id, groups): (&String, &BTreeMap<String, BTreeMap<String, i32>>)| {
        let relevant = groups.values().map(|judged| {
            let relevant = judged.iter().filter(|(_, grade)| **grade >= 1);
            relevant.map(|(docid, _)| docid.clone()).collect()
        });
        let subtopics: Vec<BTreeSet<String>> = relevant.collect();
        let ranked = run.topics[id].iter().map(|doc| doc.docid.clone());
        let topic = Topic {
            subtopics: subtopics.into_iter().filter(|it| !it.is_empty()).collect(),
            ranked: ranked.collect(),
        };
        (id.clone(), topic)
    };
    qrels.groups.iter().map(of_topic).collect()
}

impl Topic {
    /// Gain of a document behind others.
    fn gain(&self, before: &[String], docid: &String, alpha: f64) -> f64 {
        let of_subtopic = |relevant: &BTreeSet<String>| match relevant.contains(docid) {
            true => {
                let seen = before.iter().filter(|it| relevant.contains(*it)).count();
                (1.0 - alpha).powi(seen as i32)
            }
            false => 0.0,
        };
        self.subtopics.iter().map(of_subtopic).sum()
    }

    fn gains(&self, ranked: &[String], alpha: f64) -> Vec<f64> {
        let gain = |(at, docid)| self.gain(&ranked[..at], docid, alpha);
        ranked.iter().enumerate().map(gain).collect()
    }

    /// All relevant documents, each time one that gains most, of those the greatest.
    fn ideal(&self, alpha: f64) -> Vec<String> {
        let mut left: BTreeSet<String> = self.subtopics.iter().flatten().cloned().collect();
        let mut ranked: Vec<String> = Vec::new();
        while let Some(best) = left.iter().cloned().max_by(|a, b| {
            let (a_gain, b_gain) = (self.gain(&ranked, a, alpha), self.gain(&ranked, b, alpha));
            a_gain.total_cmp(&b_gain).then(a.cmp(b))
        }) {
            left.remove(&best);
            ranked.push(best);
        }
        ranked
    }

    /// What the measures are by their definitions.
    fn by_definition(&self, name: &str, k: usize, alpha: f64, beta: f64) -> f64 {
        let num = self.subtopics.len() as f64;
        if num == 0.0 {
            return 0.0;
        }
        let weighted = |gains: &[f64], weight: &dyn Fn(usize) -> f64, k: usize| -> f64 {
            let top = gains.iter().take(k).enumerate();
            top.map(|(at, gain)| gain * weight(at + 1)).sum()
        };
        let logarithm = |rank: usize| 1.0 / (rank as f64 + 1.0).log2();
        let reciprocal = |rank: usize| 1.0 / rank as f64;
        let patience = |rank: usize| beta.powi(rank as i32 - 1);
        let found = self.gains(&self.ranked, alpha);
        let ideal = || self.gains(&self.ideal(alpha), alpha);
        let everything: Vec<f64> = (0..k.min(1000))
            .map(|at| num * (1.0 - alpha).powi(at as i32))
            .collect();
        let top = &self.ranked[..k.min(self.ranked.len())];
        let in_top =
            |relevant: &BTreeSet<String>| top.iter().filter(|it| relevant.contains(*it)).count();
        match name {
            "alpha_DCG" => weighted(&found, &logarithm, k) / weighted(&everything, &logarithm, k),
            "alpha_nDCG" => weighted(&found, &logarithm, k) / weighted(&ideal(), &logarithm, k),
            "ERR_IA" => weighted(&found, &reciprocal, k) / weighted(&everything, &reciprocal, k),
            "nERR_IA" => weighted(&found, &reciprocal, k) / weighted(&ideal(), &reciprocal, k),
            "NRBP" => weighted(&found, &patience, k) * (1.0 - (1.0 - alpha) * beta) / num,
            "nNRBP" => weighted(&found, &patience, k) / weighted(&ideal(), &patience, k),
            "StRecall" => self.subtopics.iter().filter(|it| in_top(it) > 0).count() as f64 / num,
            "P_IA" => {
                self.subtopics
                    .iter()
                    .map(|it| in_top(it) as f64 / k as f64)
                    .sum::<f64>()
                    / num
            }
            "AP_IA" => {
                let precision = |relevant: &BTreeSet<String>| {
                    let ranks = self
                        .ranked
                        .iter()
                        .enumerate()
                        .filter(|(_, it)| relevant.contains(*it));
                    let precisions = ranks
                        .enumerate()
                        .map(|(before, (at, _))| (before + 1) as f64 / (at + 1) as f64);
                    precisions.sum::<f64>() / relevant.len() as f64
                };
                self.subtopics.iter().map(precision).sum::<f64>() / num
            }
            other => panic!("{other}"),
        }
    }
}

/// Also at cutoffs that pyndeval has not: 1, where it forgets to normalise, and more than 20.
#[test]
fn definitions_of_diversity() {
    let topics = topics();
    let qrels = judgments("subtopics");
    let check = |written: &str, name: &str, k: usize, alpha: f64, beta: f64| {
        let found = evaluated(&qrels, written);
        for ((id, topic), scores) in topics.iter().zip(&found.topics) {
            assert_eq!(*id, scores.topic);
            let expected = topic.by_definition(name, k, alpha, beta);
            let ours = scores.scores[0];
            assert!(
                (ours - expected).abs() < 1e-9,
                "{written}, topic {id}: {ours} instead of {expected}"
            );
        }
    };
    assert_eq!(topics.len(), 14);
    for k in [1, 2, 3, 10, 20, 40, 100] {
        for name in [
            "ERR_IA",
            "nERR_IA",
            "P_IA",
            "StRecall",
            "alpha_DCG",
            "alpha_nDCG",
        ] {
            check(&format!("{name}@{k}"), name, k, 0.5, 0.5);
        }
        for alpha in [0.0, 0.25, 0.75, 1.0] {
            for name in ["alpha_DCG", "alpha_nDCG"] {
                check(&format!("{name}(alpha={alpha:?})@{k}"), name, k, alpha, 0.5);
            }
        }
    }
    for (alpha, beta) in [(0.5, 0.5), (0.25, 0.75), (0.0, 0.9), (1.0, 0.5), (0.5, 1.0)] {
        for name in ["NRBP", "nNRBP"] {
            let written = format!("{name}(alpha={alpha:?},beta={beta:?})");
            check(&written, name, usize::MAX, alpha, beta);
        }
    }
    check("AP_IA", "AP_IA", usize::MAX, 0.5, 0.5);
}

/// The table that ndeval prints: its header, its names, six decimals, the mean at the end. Values of topic 1 by hand: a is relevant to both
/// subtopics, b to the second; ranked b, a.
#[test]
fn table_of_ndeval() {
    let qrels = "1 1 a 1\n1 2 a 1\n1 2 b 2\n1 1 b 0\n2 1 c 0\n";
    let qrels = qrels::parse(qrels.as_bytes(), "qrels").unwrap();
    let run = "1 Q0 b 1 2 t\n1 Q0 a 2 1 t\n2 Q0 c 1 1 t\n";
    let run = run::parse(run.as_bytes(), "run").unwrap();
    let names = [
        "ERR_IA@5,alpha_nDCG@5",
        "P_IA@5,StRecall@5,NRBP,AP_IA,alpha_nDCG(alpha=0.25,rel=2)@5",
    ];
    let measures = Selection::parse(names).unwrap().measures;
    let evaluation = evaluate(&qrels, &run, &measures, &Options::default()).unwrap();
    // Gains 1 (b: subtopic 2) and 1 + 1/2 (a). ERR-IA: (1 + 1.5/2) over 2 (1 + 1/4 + 1/12 + 1/32 + 1/80) = 2.754167. Ideal: a, then b:
    // 2 and 1/2; alpha-nDCG (1 + 1.5/log2 3) / (2 + 0.5/log2 3) = 1.946394 / 2.315465. NRBP: (1 + 1.5/2) · 0.75 / 2. AP-IA: subtopic 1
    // has 1/2, subtopic 2 has 1. At grade 2 only b is relevant, to one subtopic, at rank 1.
    let expected = "\
runid,topic,ERR-IA@5,alpha-nDCG@5,P-IA@5,strec@5,NRBP,MAP-IA,\"alpha-nDCG(alpha=0.25,rel=2)@5\"
t,1,0.635401,0.840606,0.300000,1.000000,0.656250,0.750000,1.000000
t,2,0.000000,0.000000,0.000000,0.000000,0.000000,0.000000,0.000000
t,amean,0.317700,0.420303,0.150000,0.500000,0.328125,0.375000,0.500000
";
    assert_eq!(ndeval_format(&evaluation), expected);
}
