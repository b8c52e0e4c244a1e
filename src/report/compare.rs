//! Runs compared with a baseline, as a table and as JSON.

use std::path::Path;

use serde_json::{Value, json};

use super::{Sure, Table, counted, p_value, printable, wrap};
use crate::experiment::{Compared, ComparedRun};
use crate::measure::significance::{Comparison, Corrected, LEVEL, family};

/// The row of a choice by cross-validation.
const CROSS_VALIDATED: &str = "cross-validated";

/// A table of runs, with what the corrected p-values are corrected for, in lines of at most `width` characters. `topics` are those of all
/// runs.
pub fn text(compared: &Compared, topics: &[String], test: &str, width: Option<usize>) -> String {
    let mut table = Table::new([
        "run",
        "mean",
        "Δ",
        "95% interval of Δ",
        "d_z",
        "wins",
        "ties",
        "losses",
        "p",
        "p (Holm)",
    ]);
    let name = |system: &ComparedRun| printable(system.name);
    let mean = compared.runs.first().map_or(0.0, |(_, c, _)| c.baseline);
    table.push([
        format!("{} (baseline)", name(compared.baseline)),
        four(mean),
    ]);
    for (run, comparison, holm) in &compared.runs {
        table.push(cells(name(run), comparison, p_value(holm.p)));
    }
    let mut notes = String::new();
    if let Some((chosen, comparison)) = &compared.chosen {
        let row = cells(CROSS_VALIDATED.to_owned(), comparison, "–".to_owned());
        table.push(row);
        let times = |number| chosen.folds.iter().filter(|f| f.chosen == number).count();
        let counts: Vec<String> = (0..compared.runs.len())
            .filter(|number| times(*number) > 0)
            .map(|number| format!("{} ({})", name(compared.runs[number].0), times(number)))
            .collect();
        notes = format!(
            "{CROSS_VALIDATED}: each topic under the run that is best on the other folds (chosen in {}: {}); \
             p: randomization of the whole choice\n",
            counted(chosen.folds.len() as u64, "fold"),
            counts.join(", ")
        );
    }
    let heading = format!(
        "{}: {}, {} test; p (Holm) is corrected for {}",
        compared.measure,
        counted(topics.len() as u64, "topic"),
        test,
        family(compared.runs.len(), "run", &compared.measure.to_string()),
    );
    let [heading, notes] = [heading, notes].map(|text| match width {
        Some(width) => wrap(&text, width).join("\n"),
        None => text,
    });
    format!("{heading}\n{}{notes}", table.fitted(width))
}

/// A line of JSON for each run; with the scores of each topic, if the number of the measure is given.
pub fn json(compared: &Compared, topics: &[String], test: &str, by_topic: Option<usize>) -> String {
    let object = |name: &str, path: Option<&Path>, c: &Comparison, holm: Option<&Corrected>| {
        json!({
            "measure": compared.measure.to_string(),
            "run": name,
            "file": path.map(|path| path.display().to_string()),
            "baseline": compared.baseline.name,
            "num_topics": topics.len(),
            "baseline_mean": c.baseline,
            "mean": c.mean,
            "difference": c.difference,
            "interval": c.interval,
            "interval_level": LEVEL,
            "effect_size": c.effect_size,
            "wins": c.wins,
            "ties": c.ties,
            "losses": c.losses,
            "test": test,
            "p": c.p,
            "p_holm": holm.map(|holm| holm.p),
            "holm_family": holm.map(|holm| holm.family),
        })
    };
    let runs = compared.runs.iter();
    let mut lines: Vec<Value> = runs
        .map(|(run, c, holm)| {
            let mut line = object(run.name, Some(run.path), c, Some(holm));
            if let Some(at) = by_topic {
                let score = |run: &ComparedRun, topic: usize| run.evaluation.topics[topic].scores[at];
                let scores = topics.iter().enumerate().map(|(number, topic)| {
                    let scores = json!({"baseline": score(compared.baseline, number), "score": score(run, number)});
                    (topic.clone(), scores)
                });
                line["topics"] = Value::Object(scores.collect());
            }
            line
        })
        .collect();
    if let Some((chosen, comparison)) = &compared.chosen {
        let folds = chosen.folds.iter().map(|fold| {
            let ids: Vec<&String> = fold.topics.iter().map(|topic| &topics[*topic]).collect();
            json!({"topics": ids, "chosen": compared.runs[fold.chosen].0.name})
        });
        let folds: Vec<Value> = folds.collect();
        let mut line = object(CROSS_VALIDATED, None, comparison, None);
        line["test"] = "randomization".into();
        line["folds"] = folds.into();
        lines.push(line);
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The table of a paper: a row a run, a column a measure. Bold is the best of each measure; daggers are for the difference to the baseline.
pub fn table(all: &[Compared], topics: &[String], test: &str) -> Table {
    let measures = all.iter().map(|compared| compared.measure.to_string());
    let mut table = Table::new(["run".to_owned()].into_iter().chain(measures));
    let Some(first) = all.first() else {
        return table;
    };
    let baselines = all.iter().map(|compared| match compared.runs.first() {
        Some((_, comparison, _)) => four(comparison.baseline),
        None => String::new(),
    });
    let name = format!("{} (baseline)", printable(first.baseline.name));
    table.push([name].into_iter().chain(baselines));
    for (number, (run, ..)) in first.runs.iter().enumerate() {
        for (at, compared) in all.iter().enumerate() {
            let mark = table.marks.entry((number + 1, at + 1)).or_default();
            mark.sure = Sure::of(compared.runs[number].2.p);
        }
        let means = all.iter().map(|it| four(it.runs[number].1.mean));
        table.push([printable(run.name)].into_iter().chain(means));
    }
    table.mark_best(1..=all.len());
    table.caption = format!("Means of {}", counted(topics.len() as u64, "topic"));
    let family = family(first.runs.len(), "run", "one measure");
    table.notes.push(Sure::note(
        &format!("paired {test} test against the baseline"),
        &family,
    ));
    table
}

/// All figures, a row for each measure and run.
pub fn data(all: &[Compared], topics: &[String], test: &str) -> Table {
    let mut table = Table::new([
        "measure",
        "run",
        "baseline",
        "topics",
        "baseline_mean",
        "mean",
        "difference",
        "low",
        "high",
        "effect_size",
        "wins",
        "ties",
        "losses",
        "test",
        "p",
        "p_holm",
        "holm_family",
    ]);
    for compared in all {
        for (run, c, holm) in &compared.runs {
            let number = |value: f64| value.to_string();
            table.push([
                compared.measure.to_string(),
                run.name.to_owned(),
                compared.baseline.name.to_owned(),
                topics.len().to_string(),
                number(c.baseline),
                number(c.mean),
                number(c.difference),
                number(c.interval[0]),
                number(c.interval[1]),
                number(c.effect_size),
                c.wins.to_string(),
                c.ties.to_string(),
                c.losses.to_string(),
                test.to_owned(),
                number(c.p),
                number(holm.p),
                holm.family.to_string(),
            ]);
        }
    }
    table
}

/// The scores of each topic by the measure of that number: the baseline's, and of each run score and difference.
pub fn by_topic(compared: &Compared, at: usize, topics: &[String]) -> Table {
    let baseline = format!("{} (baseline)", printable(compared.baseline.name));
    let mut header = vec!["topic".to_owned(), baseline];
    for (run, ..) in &compared.runs {
        header.extend([printable(run.name), "Δ".to_owned()]);
    }
    let mut table = Table::new(header);
    table.caption = format!("{} by topic", compared.measure);
    let score = |run: &ComparedRun, topic: usize| run.evaluation.topics[topic].scores[at];
    for (number, topic) in topics.iter().enumerate() {
        let base = score(compared.baseline, number);
        let mut row = vec![printable(topic), four(base)];
        for (run, ..) in &compared.runs {
            let own = score(run, number);
            row.extend([four(own), format!("{:+.4}", own - base)]);
        }
        table.push(row);
    }
    table
}

/// The scores of each topic as data, a row for each measure, topic and run.
pub fn data_by_topic(all: &[Compared], topics: &[String]) -> Table {
    let mut table = Table::new(["measure", "topic", "run", "baseline", "score", "difference"]);
    for (at, compared) in all.iter().enumerate() {
        for (number, topic) in topics.iter().enumerate() {
            let score = |run: &ComparedRun| run.evaluation.topics[number].scores[at];
            let base = score(compared.baseline);
            for (run, ..) in &compared.runs {
                let own = score(run);
                table.push([
                    compared.measure.to_string(),
                    topic.clone(),
                    run.name.to_owned(),
                    base.to_string(),
                    own.to_string(),
                    (own - base).to_string(),
                ]);
            }
        }
    }
    table
}

fn four(value: f64) -> String {
    format!("{value:.4}")
}

/// The cells of a comparison, name and corrected p-value given.
fn cells(name: String, comparison: &Comparison, p_holm: String) -> [String; 10] {
    let signed = |value: f64| format!("{value:+.4}");
    let [low, high] = comparison.interval;
    let interval = match low.is_finite() {
        true => format!("{} to {}", signed(low), signed(high)),
        false => "–".to_owned(),
    };
    [
        name,
        four(comparison.mean),
        signed(comparison.difference),
        interval,
        format!("{:+.2}", comparison.effect_size),
        comparison.wins.to_string(),
        comparison.ties.to_string(),
        comparison.losses.to_string(),
        p_value(comparison.p),
        p_holm,
    ]
}
