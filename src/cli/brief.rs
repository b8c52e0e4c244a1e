//! `-h`: a line a flag, and only those that are wanted often; `--help` has all, at length.

use std::collections::HashMap;

use clap::builder::StyledStr;
use clap::{Arg, Command};
use trommel::attribute::{self, Bound};

/// What flags that many subcommands have say in a line.
const LINES: &[(&str, &str)] = &[
    ("directories", "Directory of the index, or of its shards"),
    ("file", "Topics: TREC SGML or XML, qid:text, TSV, JSONL"),
    ("field", "Field of the topics: title, desc, narr, …"),
    (
        "filter",
        "Keep blocks that pass, like 'words >= 11 and tag = p'",
    ),
    ("extractor", "Keep what this remover takes for content"),
    ("weights", "How much each block counts, like 'words / 20'"),
    ("stats", "Statistics from passing blocks, all, or others"),
    ("model", "bm25, qld:mu=2500, qljm, tfidf; +rm3 for feedback"),
    (
        "models",
        "bm25, qld:mu=2500, qljm, tfidf; +rm3 for feedback",
    ),
    ("measures", "Measures, like nDCG@10,AP or ndcg_cut_10"),
    (
        "vary",
        "Thresholds, like min-words=1..60:5; may be repeated",
    ),
    ("qrels", "Relevance judgments"),
    ("tag", "Last column of the run [default: model and filter]"),
    ("docid", "Where docids come from: trec, record, url, path"),
    ("sweep.output", "Directory for report, figures and diagrams"),
    (
        "experiment.output",
        "Directory for report, figures and diagrams",
    ),
    ("run.output", "Run file; '-' is standard output"),
    ("index.output", "Directory of the index"),
];

/// Shorter names of values that would leave no room beside them.
const VALUES: &[(&str, &str)] = &[("stats", "WHICH"), ("format", "FORMAT")];

/// What clap leaves free before and behind a flag.
const GAPS: usize = 13;

/// Characters of a line.
const SCREEN: usize = 80;

/// Flags that are in the long help alone, where a subcommand has more than a screen of them, besides [bounds](is_rare).
const RARE: &[&str] = &[
    "cache",
    "counts",
    "exhaustive",
    "force",
    "grades",
    "ids",
    "joined",
    "judged_only",
    "max_docs",
    "memory",
    "no_metadata",
    "seed",
    "threads",
    "title",
    "verify",
    "charset",
    "max_record_bytes",
    "max_bad",
    "status",
    "level",
    "resume",
    "dry_run",
    "no_page_postings",
    "json",
    "allow_host",
];

/// Flags that a screen has room for.
const MANY: usize = 22;

/// Characters that a flag may say at least.
const LEAST: usize = 24;

/// The same program with a short `-h` for each subcommand.
pub fn brief(program: Command) -> Command {
    program.mut_subcommands(|command| match command.has_subcommands() {
        true => brief(of_one(command)),
        false => of_one(command),
    })
}

fn of_one(command: Command) -> Command {
    let many = command.get_arguments().count() > MANY;
    let name = command.get_name().to_owned();
    let command = match many {
        true => only_long(command),
        false => command,
    };
    let command = command.mut_args(|arg| {
        let id = arg.get_id().to_string();
        let shorter = VALUES.iter().find(|(name, _)| *name == id);
        let arg = match shorter.filter(|_| is_flag(&arg)) {
            Some((_, value)) => arg.value_name(*value),
            None => arg,
        };
        let rare = many && is_rare(&id);
        let hidden = arg.is_hide_short_help_set() || rare;
        arg.hide_short_help(hidden)
    });
    let widths = widths(&command);
    command.mut_args(|arg| {
        let Some(help) = arg.get_help().map(StyledStr::to_string) else {
            return arg;
        };
        let width = widths.get(&heading(&arg)).copied().unwrap_or(0);
        let room = SCREEN.saturating_sub(width + GAPS).max(LEAST);
        let id = arg.get_id().to_string();
        let known = |id: &str| LINES.iter().find(|(name, _)| *name == id);
        let known = known(&format!("{name}.{id}")).or_else(|| known(&id));
        let (text, default) = split_default(&help);
        let text = match known.filter(|_| is_flag(&arg)) {
            Some((_, line)) => (*line).to_owned(),
            None => line_of(text, room),
        };
        let of_clap: Vec<String> = match arg.is_hide_default_value_set() {
            true => Vec::new(),
            false => arg
                .get_default_values()
                .iter()
                .map(|value| value.to_string_lossy().into_owned())
                .collect(),
        };
        let default = match of_clap.is_empty() {
            true => default.map(str::to_owned),
            false => Some(format!(" [default: {}]", of_clap.join(" "))),
        };
        let fits = |default: &String| text.chars().count() + default.chars().count() <= room;
        let short = match default.filter(fits) {
            Some(default) => text + &default,
            None => text,
        };
        let mut long = arg.get_long_help().map_or(help, StyledStr::to_string);
        if !of_clap.is_empty() {
            long += &format!(" [default: {}]", of_clap.join(" "));
        }
        let arg = arg.help(short).long_help(long);
        match of_clap.is_empty() {
            true => arg,
            false => arg.hide_default_value(true),
        }
    })
}

/// Examples stand in the long help alone.
fn only_long(command: Command) -> Command {
    match command.get_after_help().cloned() {
        Some(text) => command.after_help("").after_long_help(text),
        None => command,
    }
}

/// The columns that flags take below each heading.
fn widths(command: &Command) -> HashMap<String, usize> {
    let mut widths: HashMap<String, usize> = HashMap::new();
    for arg in command
        .get_arguments()
        .filter(|arg| !arg.is_hide_short_help_set())
    {
        let widest = widths.entry(heading(arg)).or_default();
        *widest = (*widest).max(columns(arg));
    }
    widths
}

/// The columns that a flag with its value takes. It cannot be asked itself before the program is built.
fn columns(arg: &Arg) -> usize {
    let name = arg.get_long().map_or(2, |long| long.len() + 2);
    let values = arg.get_value_names().and_then(|names| names.first());
    name + values.map_or(0, |value| value.chars().count() + 3)
}

fn heading(arg: &Arg) -> String {
    arg.get_help_heading().unwrap_or_default().to_owned()
}

/// A text, and what it says of the default at its end.
fn split_default(help: &str) -> (&str, Option<&str>) {
    match help.rfind(" [default: ") {
        Some(at) if help.ends_with(']') => (&help[..at], Some(&help[at..])),
        _ => (help, None),
    }
}

/// Is a flag in the long help alone? Of bounds that is so where a slider would set the other end of the values.
fn is_rare(id: &str) -> bool {
    let is_bound = |bound: Bound| {
        bound
            .attribute
            .axis
            .is_none_or(|axis| axis.side != bound.side)
    };
    RARE.contains(&id) || attribute::bound(id).is_some_and(is_bound)
}

fn is_flag(arg: &Arg) -> bool {
    arg.get_long().is_some()
}

/// The first of what a text says: up to the end of a sentence or clause, as far as a line goes.
fn line_of(help: &str, room: usize) -> String {
    let ends = [". ", "; ", ": ", " (", ", "];
    let mut line = help;
    for end in ends {
        if line.chars().count() <= room {
            break;
        }
        line = line.split(end).next().unwrap_or(line);
    }
    line.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_clauses() {
        for (help, expected) in [
            ("Short", "Short"),
            (
                "Directory of the index, or of its shards; may be given several times, to search several as one",
                "Directory of the index, or of its shards",
            ),
            (
                "Read all of the index first and compare it. Nothing is written then, and it takes a while",
                "Read all of the index first and compare it",
            ),
        ] {
            assert_eq!(line_of(help, 58), expected);
        }
    }
}
