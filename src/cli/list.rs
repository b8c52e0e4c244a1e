//! `trommel list`: what there is to choose from.

use std::process::ExitCode;

use serde_json::json;
use trommel::attribute::{self, Kind};
use trommel::collection::Format;
use trommel::html::segment;
use trommel::index::model;
use trommel::measure;
use trommel::report::{Align, Table, table_formats};
use trommel::text::Analyzer;
use trommel::{export, extractor};

use super::judging::print;
use super::options::screen_width;

/// List what there is: extractors, models, measures, attributes, formats, analyzers, segmenters
///
/// Names as flags, filters and experiment files take them, from the tables that the program itself goes by.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// What is listed
    #[arg(value_enum, value_name = "WHAT")]
    what: What,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum What {
    /// Boilerplate removers, for --extractor and --extractors
    Extractors,
    /// Ranking models, for --model
    Models,
    /// Measures, for -m
    Measures,
    /// What is known of blocks and pages, for --filter, --weights and --vary
    Attributes,
    /// Formats of files that are read, of exports, and of tables
    Formats,
    /// How words become terms, for index --analyzer
    Analyzers,
    /// How pages are cut into blocks, for index --segmenter
    Segmenters,
}

/// A list: the keys of its columns, and the rows.
struct List {
    keys: &'static [&'static str],
    rows: Vec<Vec<String>>,
}

/// Prints a list.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let list = match args.what {
        What::Extractors => extractors(),
        What::Models => models(),
        What::Measures => measures(),
        What::Attributes => attributes(),
        What::Formats => formats(),
        What::Analyzers => analyzers(),
        What::Segmenters => segmenters(),
    };
    if args.json {
        let lines = list.rows.iter().map(|row| {
            let pairs = list.keys.iter().zip(row);
            let pairs = pairs.map(|(key, value)| ((*key).to_owned(), json!(value)));
            format!("{}\n", serde_json::Value::Object(pairs.collect()))
        });
        return print(&lines.collect::<String>());
    }
    let mut table = Table::new(list.keys.iter().copied());
    table.align = vec![Align::Left; list.keys.len()];
    table.rows = list.rows;
    print(&table.fitted(screen_width()))
}

fn owned<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

fn extractors() -> List {
    let rows = extractor::all().iter();
    List {
        keys: &["extractor", "segmenter", "summary", "source"],
        rows: rows
            .map(|row| {
                owned([
                    row.name,
                    row.segmenter.unwrap_or("any"),
                    row.summary,
                    row.source,
                ])
            })
            .collect(),
    }
}

fn models() -> List {
    let rows = model::all().iter().map(|row| owned([row.name, row.usage]));
    let feedback = owned([
        "+rm3",
        "behind any of them: +rm3:terms=10,docs=10,weight=0.5",
    ]);
    List {
        keys: &["model", "parameters and defaults"],
        rows: rows.chain([feedback]).collect(),
    }
}

fn measures() -> List {
    let rows = measure::all().iter().map(|row| {
        let keys: Vec<&str> = row.keys.iter().map(|key| key.name).collect();
        let aliases: Vec<&str> = row.short.iter().chain(row.aliases).copied().collect();
        vec![
            row.name.to_owned(),
            keys.join(", "),
            row.trec_name.unwrap_or_default().to_owned(),
            aliases.join(", "),
        ]
    });
    List {
        keys: &["measure", "parameters", "trec_eval", "also"],
        rows: rows.collect(),
    }
}

fn attributes() -> List {
    let rows = attribute::all().iter().map(|row| {
        let values = match &row.kind {
            Kind::Number(_) | Kind::Confidence => match row.range() {
                Some(range) if range.most < u32::MAX => format!("0 to {}", range.most),
                _ => "numbers from 0".to_owned(),
            },
            Kind::Tag => "p, li, td, h1, …".to_owned(),
            Kind::Word(_) => "words".to_owned(),
            Kind::Date => "days, months, years".to_owned(),
        };
        let of = if row.of_page { "page" } else { "block" };
        let bounds = attribute::bounds().filter(|bound| bound.attribute.name == row.name);
        let flags: Vec<String> = bounds.map(|bound| bound.name()).collect();
        vec![
            row.name.to_owned(),
            of.to_owned(),
            row.label.to_owned(),
            values,
            flags.join(", "),
        ]
    });
    List {
        keys: &["attribute", "of", "meaning", "values", "bounds"],
        rows: rows.collect(),
    }
}

fn formats() -> List {
    let read = Format::all().iter();
    let read = read.map(|(name, format)| owned([name, "input", format.summary()]));
    let exports = export::all().iter();
    let exports = exports.map(|row| owned([row.name, "export", row.summary]));
    let tables = table_formats().iter();
    let tables = tables.map(|row| owned([row.name, "table", row.summary]));
    List {
        keys: &["format", "for", "summary"],
        rows: read.chain(exports).chain(tables).collect(),
    }
}

fn analyzers() -> List {
    let rows = Analyzer::all().map(|analyzer| {
        let it = analyzer.describe();
        vec![
            analyzer.name().to_owned(),
            it.tokenizer,
            it.stemmer.unwrap_or_else(|| "none".to_owned()),
            it.stop_list.unwrap_or_else(|| "none".to_owned()),
        ]
    });
    List {
        keys: &["analyzer", "tokenizer", "stemmer", "stop list"],
        rows: rows.collect(),
    }
}

fn segmenters() -> List {
    let rows = segment::all().iter();
    List {
        keys: &["segmenter", "summary"],
        rows: rows.map(|row| owned([row.name, row.summary])).collect(),
    }
}
