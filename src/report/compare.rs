//! Runs compared with a baseline, as a table and as JSON.

use std::path::Path;

use serde_json::{Value, json};

use super::{Table, counted, p_value, printable};
use crate::experiment::{Compared, ComparedRun};
use crate::measure::significance::{Comparison, Corrected, LEVEL, family};

/// The row of a choice by cross-validation.
const CROSS_VALIDATED: &str = "cross-validated";

/// A table of runs, with what the corrected p-values are corrected for. `topics` are those of all runs.
pub fn text(compared: &Compared, topics: &[String], test: &str) -> String {
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
    format!(
        "{}: {}, {} test; p (Holm) is corrected for {}\n{}{notes}",
        compared.measure,
        counted(topics.len() as u64, "topic"),
        test,
        family(compared.runs.len(), "run", &compared.measure.to_string()),
        table.text()
    )
}

/// A line of JSON for each run.
pub fn json(compared: &Compared, topics: &[String], test: &str) -> String {
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
        .map(|(run, c, holm)| object(run.name, Some(run.path), c, Some(holm)))
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
