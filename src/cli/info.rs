//! `trommel info`: what is in an index.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value, json};
use trommel::index::{Manifest, directories};
use trommel::report::{Align, Table};

use super::options::{counted, printable, screen_width};

/// Say what is in an index
///
/// Pages, blocks and terms; how it was made; whose verdicts it has; which files were indexed and what was left out of them; and what its
/// files take. All from its manifest: nothing else is read ('trommel check' reads everything).
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Directory of the index, or of its shards
    #[arg(long = "index", value_name = "DIR")]
    named: Vec<PathBuf>,
    /// The same
    #[arg(value_name = "INDEX", required_unless_present = "named")]
    indexes: Vec<PathBuf>,
    /// One JSON object for each index directory
    #[arg(long)]
    json: bool,
}

/// Inputs that are named.
const INPUTS_SHOWN: usize = 5;

/// Says it.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let named: Vec<PathBuf> = args.named.iter().chain(&args.indexes).cloned().collect();
    let mut out = io::stdout().lock();
    for (number, directory) in directories(&named)?.iter().enumerate() {
        let manifest = Manifest::read(directory)?;
        match args.json {
            true => writeln!(out, "{}", as_json(directory, &manifest))?,
            false => {
                let gap = if number > 0 { "\n" } else { "" };
                write!(out, "{gap}{}", as_text(directory, &manifest))?;
            }
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Bytes of an index by kind of file.
fn sizes(manifest: &Manifest) -> BTreeMap<&'static str, u64> {
    let mut sizes = BTreeMap::new();
    for part in &manifest.parts {
        for (name, sum) in &part.files {
            *sizes.entry(kind_of(name)).or_default() += sum.bytes;
        }
    }
    for set in &manifest.extractors {
        for sum in set.files.values() {
            *sizes.entry("labels").or_default() += sum.bytes;
        }
    }
    if let Some(ledger) = &manifest.ledger_file {
        *sizes.entry("ledger").or_default() += ledger.bytes;
    }
    sizes
}

/// What a file of a part holds, by its path.
fn kind_of(name: &str) -> &'static str {
    let ending = name.rsplit('.').next().unwrap_or_default();
    match name.split(['/', '.']).next().unwrap_or_default() {
        "texts" => "texts of blocks",
        "page-postings" => "postings by page",
        "pages" => "pages: docid, title, URL",
        "docids" | "extents" => "docids and extents",
        "blocks" => match ending {
            "idx" | "term" => "postings of blocks",
            "pos" => "positions",
            "fast" => "attributes of blocks",
            _ => "other files of blocks",
        },
        _ => "other",
    }
}

fn bytes_of(manifest: &Manifest) -> (u64, bool) {
    let known = manifest.inputs.iter().filter_map(|input| input.bytes);
    let all = manifest.inputs.iter().all(|input| input.bytes.is_some());
    (known.sum(), all)
}

/// A size as people read it.
fn size(bytes: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)];
    let unit = UNITS.iter().find(|(_, unit)| bytes >= *unit);
    match unit {
        Some((name, unit)) => format!("{:.1} {name}", bytes as f64 / *unit as f64),
        None => counted(bytes, "byte"),
    }
}

fn as_text(directory: &Path, manifest: &Manifest) -> String {
    let counts = &manifest.counts;
    let analyzer = &manifest.analyzer;
    let (input_bytes, all_known) = bytes_of(manifest);
    let sizes = sizes(manifest);
    let total: u64 = sizes.values().sum();
    let mut facts = Table {
        header: vec![
            "index".to_owned(),
            printable(&directory.display().to_string()),
        ],
        align: vec![Align::Left, Align::Left],
        ..Table::default()
    };
    facts.push(["pages".to_owned(), counted(counts.pages, "page")]);
    let blocks = counted(counts.blocks, "block");
    let (words, terms) = (counted(counts.words, "word"), counted(counts.terms, "term"));
    facts.push(["blocks".to_owned(), format!("{blocks}, {words}, {terms}")]);
    facts.push(["segmenter", &manifest.segmenter]);
    let stemmer = analyzer.stemmer.as_deref().unwrap_or("none");
    let stop_list = analyzer.stop_list.as_deref().unwrap_or("none");
    facts.push([
        "analyzer".to_owned(),
        format!(
            "{}: {}; stemmer {stemmer}; stop list {stop_list}",
            analyzer.name.name(),
            analyzer.tokenizer
        ),
    ]);
    facts.push([
        "format".to_owned(),
        format!(
            "{}, by trommel {} with {}",
            manifest.schema_version, manifest.trommel_version, manifest.tantivy_version
        ),
    ]);
    for (name, value) in &manifest.options {
        facts.push([printable(name), printable(value)]);
    }
    let parts = counted(manifest.parts.len() as u64, "part");
    facts.push(["size".to_owned(), format!("{} in {parts}", size(total))]);
    let at_least = if all_known { "" } else { "at least " };
    let files = counted(manifest.inputs.len() as u64, "file");
    facts.push([
        "inputs".to_owned(),
        format!("{files}, {at_least}{}", size(input_bytes)),
    ]);
    let width = screen_width();
    let mut text = facts.fitted(width);
    for input in manifest.inputs.iter().take(INPUTS_SHOWN) {
        text += &format!("  {}\n", printable(&input.path));
    }
    if let Some(more) = manifest.inputs.len().checked_sub(INPUTS_SHOWN + 1) {
        text += &format!("  and {} more\n", more + 1);
    }
    if !manifest.ledger.is_empty() {
        let mut ledger = Table::new(["left out, or not whole", "records"]);
        for (reason, count) in &manifest.ledger {
            ledger.push([printable(reason), count.to_string()]);
        }
        text += &format!("\n{}", ledger.fitted(width));
    }
    if !manifest.extractors.is_empty() {
        let mut labels = Table::new(["extractor", "content", "confidences", "model sha256"]);
        labels.align = vec![Align::Left, Align::Right, Align::Left, Align::Left];
        for set in &manifest.extractors {
            let share = 100.0 * set.content_blocks as f64 / (counts.blocks.max(1)) as f64;
            let confidences = if set.confidences { "yes" } else { "no" };
            let model = set
                .model_sha256
                .as_deref()
                .map_or("–", |hash| &hash[..hash.len().min(12)]);
            let name = match set.name == set.extractor {
                true => printable(&set.name),
                false => format!("{} ({})", printable(&set.name), printable(&set.extractor)),
            };
            labels.push([
                name,
                format!("{share:.1} %"),
                confidences.to_owned(),
                model.to_owned(),
            ]);
        }
        text += &format!("\n{}", labels.fitted(width));
    }
    let mut parts = Table::new(["what", "bytes", "share"]);
    for (kind, bytes) in &sizes {
        let share = 100.0 * *bytes as f64 / total.max(1) as f64;
        parts.push([
            (*kind).to_owned(),
            bytes.to_string(),
            format!("{share:.1} %"),
        ]);
    }
    text + &format!("\n{}", parts.fitted(width))
}

fn as_json(directory: &Path, manifest: &Manifest) -> Value {
    let (input_bytes, _) = bytes_of(manifest);
    let extractors = manifest.extractors.iter().map(|set| {
        json!({
            "name": set.name,
            "extractor": set.extractor,
            "content_blocks": set.content_blocks,
            "confidences": set.confidences,
            "model_sha256": set.model_sha256,
            "files": set.files,
        })
    });
    json!({
        "index": directory.to_string_lossy(),
        "trommel_version": manifest.trommel_version,
        "schema_version": manifest.schema_version,
        "tantivy_version": manifest.tantivy_version,
        "segmenter": manifest.segmenter,
        "analyzer": {
            "name": manifest.analyzer.name,
            "tokenizer": manifest.analyzer.tokenizer,
            "stemmer": manifest.analyzer.stemmer,
            "stop_list": manifest.analyzer.stop_list,
        },
        "options": manifest.options,
        "counts": manifest.counts,
        "ledger": manifest.ledger,
        "inputs": manifest.inputs,
        "input_bytes": input_bytes,
        "parts": manifest.parts.len(),
        "extractors": extractors.collect::<Vec<_>>(),
        "bytes": sizes(manifest),
    })
}
