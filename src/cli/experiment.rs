//! `trommel experiment`: runs an experiment file, and compares its figures with published ones.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use indicatif::{ProgressBar, ProgressStyle};
use trommel::experiment::{Context, Outcome, kinds, run as run_experiment};
use trommel::report::outcome::{data, markdown, tables};
use trommel::report::plot::{Ranked, ranked};
use trommel::report::sweep;

use super::options::{counted, printable_lines, warn};
use super::output::{Directory, ForceArgs, Reads, reports};
use super::tables::{TableArgs, TableFormat, in_format};
use super::{DONE_WITH_FAILURES, definition};

/// Run an experiment file and compare with published figures
///
/// The report (Markdown) goes to standard output; with --output it is also written to a directory, with the figures as JSON, diagrams
/// as SVG, and sweeps as HTML. Exit status 1 says that figures lie further from the published ones than the file allows.
#[derive(clap::Args, Debug)]
#[command(after_help = kinds_help())]
pub struct Args {
    /// The experiment, a TOML file: kind, inputs, options, expected figures
    file: PathBuf,
    /// Directory for report.md, report.json, sweep.html and diagrams; it is made if need be
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    tables: TableArgs,
}

fn kinds_help() -> String {
    let mut text = "Kinds of experiments:\n".to_owned();
    for kind in kinds() {
        text.push_str(&format!("  {}: {}\n", kind.name, kind.summary));
    }
    text + "\nExample:\n  trommel experiment experiments/demo.toml --output my-report"
}

/// Runs the experiment.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let shown = || args.file.display().to_string();
    let definition = definition::read(&args.file)?;
    let mut reads = Reads::default();
    reads.add("the file of the experiment", &args.file);
    for path in definition.input.values() {
        reads.add("an input of the experiment", path);
    }
    let output = match &args.output {
        Some(output) => Some(Directory::check(
            output,
            &reports::EXPERIMENT,
            args.force.force,
            &reads,
        )?),
        None => None,
    };
    let bar = match io::stderr().is_terminal() {
        true => ProgressBar::new_spinner(),
        false => ProgressBar::hidden(),
    };
    if let Ok(style) = ProgressStyle::with_template("{spinner} {pos} pages, {elapsed}") {
        bar.set_style(style);
    }
    let scratch = tempfile::TempDir::new()?;
    let context = Context {
        progress: &|| bar.inc(1),
        scratch: scratch.path(),
        cpu: &thread_cpu,
    };
    let outcome = run_experiment(&definition, &context).with_context(shown)?;
    bar.finish_and_clear();
    outcome.figures.warnings.iter().for_each(|text| warn(text));

    let diagrams: Vec<String> = outcome
        .figures
        .curves
        .iter()
        .map(|curves| format!("{}.svg", curves.name))
        .collect();
    let report = match &output {
        None => markdown(&outcome.figures, &[]),
        Some(output) => {
            let report = markdown(&outcome.figures, &diagrams);
            write(output, &outcome, &report, &diagrams)?;
            report
        }
    };
    let mut out = io::stdout().lock();
    let format = args.tables.format();
    if format == TableFormat::Json {
        serde_json::to_writer(&mut out, &outcome)?;
        writeln!(out)?;
    } else {
        let figures = &outcome.figures;
        let text = in_format(
            format,
            || data(figures),
            || tables(figures),
            || report.clone(),
        );
        out.write_all(printable_lines(&text).as_bytes())?;
    }
    out.flush()?;
    let missed: Vec<_> = outcome
        .figures
        .checks
        .iter()
        .filter(|check| !check.met)
        .collect();
    for check in &missed {
        let decimals = check.decimals().max(2);
        warn(&format!(
            "{}, {}, {}: {:.decimals$}, published {}: {:+.decimals$}, allowed {}",
            check.table,
            check.row,
            check.column,
            check.measured,
            check.paper,
            check.difference,
            check.tolerance
        ));
    }
    if missed.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    warn(&format!(
        "{} of {} missed",
        counted(missed.len() as u64, "figure"),
        outcome.figures.checks.len()
    ));
    Ok(ExitCode::from(DONE_WITH_FAILURES))
}

/// CPU time that this thread has used, as Linux tells it: nanoseconds, the first number of its file.
fn thread_cpu() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

fn write(
    output: &Directory,
    outcome: &Outcome,
    report: &str,
    diagrams: &[String],
) -> anyhow::Result<()> {
    output.create("")?;
    // First what the report is known by.
    let mut files = vec![
        (
            reports::EXPERIMENT.data.to_owned(),
            format!("{}\n", serde_json::to_string_pretty(outcome)?),
        ),
        ("report.md".to_owned(), report.to_owned()),
    ];
    for (curves, file) in outcome.figures.curves.iter().zip(diagrams) {
        let lines: Vec<Ranked> = curves
            .curves
            .iter()
            .map(|(name, values)| Ranked {
                name: name.clone(),
                values: values.clone(),
            })
            .collect();
        files.push((file.clone(), ranked(&curves.title, &curves.unit, &lines)));
    }
    for (name, swept) in &outcome.swept {
        let prefix = match name.as_str() {
            "" => String::new(),
            name => format!("{name}-"),
        };
        for diagram in sweep::diagrams(swept) {
            let svg = sweep::plot(swept, &diagram, sweep::Width::Wide);
            files.push((format!("{prefix}{}.svg", diagram.file), svg));
        }
        files.push((format!("{prefix}sweep.html"), sweep::html(swept)));
    }
    files.extend(outcome.figures.files.iter().cloned());
    for (name, content) in &files {
        output.write(name, content.as_bytes())?;
    }
    Ok(())
}
