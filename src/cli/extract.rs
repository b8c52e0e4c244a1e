//! `trommel extract`: what an extractor keeps of pages.

use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use anyhow::bail;
use serde::Serialize;
use trommel::collection::{
    ConvertedFrom, Document, Reason, Skipped, WarcPage, write_conversion, write_warcinfo_with,
};
use trommel::extractor::structure::StructureOptions;
use trommel::extractor::{
    self, Confidence, Extraction, ExtractionOptions, Extractor, PREFERRED, PageFilter, Record,
    Subject,
};
use trommel::filter::Filter;
use trommel::html::Source;
use trommel::index::facts_of;
use trommel::page::Page;
use trommel::text::escape_markup;

use super::DONE_WITH_FAILURES;
use super::input::{list, map_sources};
use super::options::{
    Inputs, ReadArgs, parse_count, printable_lines, threads, warn, warn_if_nothing_kept,
    warn_of_missing,
};
use super::output::{Folder, ForceArgs, Kind, Output, Reads, kinds};

/// Write what is main content of pages, with its structure or as text
///
/// For a file, a directory, or a whole collection: pages are read one after the other and dealt with in parallel; what comes
/// out is in their order.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// What decides on content: NAME, NAME:key=value,…, NAME:MODEL or external:NAME=DIR_OR_JSONL (an unknown name lists all)
    /// [default: trommel, or with --filter keep-everything]
    #[arg(long, value_name = "NAME")]
    extractor: Option<String>,
    /// Of the blocks that the extractor keeps, keep those that pass an expression: 'words >= 11 and (link-density <= 0.33 or
    /// justext)'
    #[arg(long, value_name = "EXPR")]
    filter: Option<Filter>,
    /// Keep the blocks that are main content with at least this confidence (0 to 1, in hundredths), instead of those that the
    /// extractor takes for content; it must be one that gives confidences
    #[arg(long, value_name = "P")]
    min_confidence: Option<Confidence>,
    /// text: one block a line, an empty line between pages; markdown: headings, lists, tables, code, quotations; html: a page with
    /// the same; json: docid, url, title and text, one object a line; jsonl: author, date, language and where the text stands
    /// besides; wet: a gzipped WARC file of conversion records
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Keep links with their addresses (markdown, html)
    #[arg(long)]
    links: bool,
    /// Keep images that stand in the content (markdown, html)
    #[arg(long)]
    images: bool,
    /// Begin each page with its docid, url, title, author and date as YAML (markdown)
    #[arg(long)]
    front_matter: bool,
    /// Leave out text that the markup hides: hidden, aria-hidden, display:none
    #[arg(long)]
    no_hidden: bool,
    /// Where a page shows (almost) no text itself, take the text that is embedded in its scripts: JSON-LD's articleBody, or the
    /// state that a program of the page starts from; jsonl says of which pages
    #[arg(long)]
    embedded: bool,
    /// File to write, or a directory that gets a file a page (one that is there, or a name that ends in /); '-' is standard output
    #[arg(short, long, value_name = "FILE|DIR", default_value = "-")]
    output: PathBuf,
    #[command(flatten)]
    force: ForceArgs,
    /// Threads that extract [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_count)]
    threads: Option<NonZeroUsize>,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    inputs: Inputs,
}

#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Text,
    Markdown,
    Html,
    Json,
    Jsonl,
    Wet,
}

impl Format {
    /// What files of the format are told by.
    fn kind(self) -> &'static Kind {
        match self {
            Format::Text => &kinds::TEXT,
            Format::Markdown => &kinds::MARKDOWN,
            Format::Html => &kinds::HTML,
            Format::Json => &kinds::JSON,
            Format::Jsonl => &kinds::RECORDS,
            Format::Wet => &kinds::WET,
        }
    }

    /// How names of its files end.
    fn extension(self) -> &'static str {
        match self {
            Format::Text => "txt",
            Format::Markdown => "md",
            Format::Html => "html",
            Format::Json => "json",
            Format::Jsonl => "jsonl",
            Format::Wet => "warc.wet.gz",
        }
    }
}

#[derive(Serialize)]
struct Line<'a> {
    docid: &'a str,
    url: &'a str,
    title: &'a str,
    text: &'a str,
}

/// Where it goes.
enum Target<'a> {
    File(trommel::output::Writer),
    Folder(Folder<'a>),
}

/// Writes what is kept of each page.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let filter = args.filter.clone().map(PageFilter::new).transpose()?;
    let default = match filter {
        None => PREFERRED,
        Some(_) => "keep-everything",
    };
    let extractor = extractor::parse(args.extractor.as_deref().unwrap_or(default))?;
    if args.min_confidence.is_some() && !extractor.has_confidences() {
        let with = extractor::all().iter().filter(|row| row.has_confidences());
        let names: Vec<&str> = with.map(|row| row.name).collect();
        bail!(
            "{} gives no confidences, so that --min-confidence says nothing; those that do: {}",
            extractor.name,
            if names.is_empty() {
                "none".to_owned()
            } else {
                names.join(", ")
            }
        );
    }
    refuse_other_formats(&args)?;
    let structure = StructureOptions::default()
        .with_links(args.links)
        .with_images(args.images);
    let options = ExtractionOptions::default()
        .with_structure(structure)
        .with_least(args.min_confidence)
        .with_without_hidden(args.no_hidden)
        .with_embedded(args.embedded);
    let inputs = list(&args.inputs.paths)?;
    let mut reads = Reads::default();
    reads.add_inputs(&inputs);
    reads.add_extractors(std::slice::from_ref(&extractor));
    let mut is_shown = false;
    let mut target = if is_folder(&args.output) {
        let (extension, force) = (args.format.extension(), args.force.force);
        Target::Folder(Folder::check(&args.output, extension, force, &reads)?)
    } else {
        let output = Output::check(&args.output, args.format.kind(), args.force.force, &reads)?;
        // A page must not take over the terminal; what goes elsewhere is as it is.
        let is_text = matches!(args.format, Format::Text | Format::Markdown);
        is_shown = output.is_stdout() && is_text && io::stdout().is_terminal();
        Target::File(output.begin()?)
    };
    let mut info = Vec::new();
    if args.format == Format::Wet {
        write_info(&mut info, &extractor)?;
    }
    if let Target::File(out) = &mut target {
        out.write_all(&info)?;
    }
    let (pages, kept) = (AtomicU64::new(0), AtomicU64::new(0));
    let in_folder = matches!(target, Target::Folder(_));
    let render = |document: Document, page: Page, source: Source| {
        let subject = Subject::new(&page, &document.docid, &document.url);
        let facts = facts_of(&document);
        let filter = filter.as_ref().map(|filter| (filter, &facts));
        let extraction = extractor.extraction(&subject, &source, filter, &options);
        pages.fetch_add(1, Relaxed);
        kept.fetch_add(extraction.words(), Relaxed);
        let made = Made {
            args: &args,
            extractor: &extractor,
            document: &document,
            subject: &subject,
            source: &source,
            extraction: &extraction,
        };
        let written = made.write();
        let written = written.map_err(|error| unwritable(&document, error.to_string()))?;
        // What goes into a folder has its place by the page's name.
        let name = in_folder.then(|| unwritable(&document, String::new()));
        Ok((name, written))
    };
    let mut unwritten = 0;
    let mut first = true;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads(args.threads))
        .build()?;
    let failures = pool.install(|| {
        map_sources(&inputs, &args.read, render, |made| {
            let (name, text) = match made {
                Ok(made) => made,
                Err(skipped) => {
                    unwritten += 1;
                    let skipped: Skipped = skipped;
                    warn(&skipped.to_string());
                    return Ok(());
                }
            };
            match (&mut target, name) {
                (Target::Folder(folder), Some(place)) => {
                    let docid = place.docid.clone().unwrap_or_default();
                    let whole = [info.as_slice(), text.as_slice()].concat();
                    match folder.write(&docid, &whole) {
                        Ok(()) => {}
                        Err(error @ trommel::output::OutputError::SameName { .. }) => {
                            unwritten += 1;
                            let detail = error.to_string();
                            warn(&Skipped { detail, ..place }.to_string());
                        }
                        Err(error) => return Err(error.into()),
                    }
                }
                (Target::File(out), _) => {
                    if !text.is_empty() && !std::mem::take(&mut first) {
                        out.write_all(between(args.format))?;
                    }
                    match is_shown {
                        true => {
                            let text = String::from_utf8_lossy(&text);
                            out.write_all(printable_lines(&text).as_bytes())?;
                        }
                        false => out.write_all(&text)?,
                    }
                }
                (Target::Folder(_), None) => {}
            }
            Ok(())
        })
    })?;
    if let Target::File(out) = target {
        out.finish()?;
    }
    warn_of_missing([&extractor]);
    warn_if_nothing_kept(&extractor, kept.into_inner(), pages.into_inner());
    Ok(match failures + unwritten {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(DONE_WITH_FAILURES),
    })
}

/// What parts the pages of one file.
fn between(format: Format) -> &'static [u8] {
    match format {
        Format::Text => b"\n",
        // A comment, which no reader of Markdown shows, and nothing else that could stand in a page.
        Format::Markdown => b"\n<!-- next page -->\n\n",
        _ => b"",
    }
}

/// Flags that a format has no use for would go unnoticed.
fn refuse_other_formats(args: &Args) -> anyhow::Result<()> {
    let has_structure = matches!(args.format, Format::Markdown | Format::Html);
    for (flag, is_given, may) in [
        ("--links", args.links, has_structure),
        ("--images", args.images, has_structure),
        (
            "--front-matter",
            args.front_matter,
            args.format == Format::Markdown,
        ),
    ] {
        if is_given && !may {
            let formats = match flag {
                "--front-matter" => "markdown",
                _ => "markdown and html",
            };
            bail!("{flag} is for --format {formats}");
        }
    }
    Ok(())
}

/// Does a path name a directory?
fn is_folder(path: &Path) -> bool {
    path != Path::new("-") && (path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/"))
}

/// The record at the beginning of a WET file: who wrote it, and by what.
fn write_info(out: &mut Vec<u8>, extractor: &Extractor) -> io::Result<()> {
    let software = format!("trommel/{}", env!("CARGO_PKG_VERSION"));
    let segmenter = extractor.own_segmenter().name;
    let fields = [
        (
            "conformsTo",
            "http://bibnum.bnf.fr/WARC/WARC_ISO_28500_version1_latestdraft.pdf",
        ),
        ("extractor", extractor.spec.as_str()),
        ("segmenter", segmenter),
    ];
    write_warcinfo_with(out, &software, &fields)
}

/// The line of a page that has something which the output's format cannot hold.
fn unwritable(document: &Document, detail: String) -> Skipped {
    Skipped {
        file: document.file.clone(),
        offset: document.offset,
        docid: Some(document.docid.clone()),
        reason: Reason::Unwritable,
        records: 1,
        detail,
    }
}

/// What is left of one page.
struct Made<'a> {
    args: &'a Args,
    extractor: &'a Extractor,
    document: &'a Document,
    subject: &'a Subject<'a>,
    source: &'a Source,
    extraction: &'a Extraction,
}

impl Made<'_> {
    fn write(&self) -> io::Result<Vec<u8>> {
        let (document, extraction) = (self.document, self.extraction);
        let (page, url) = (self.subject.page, document.url.as_str());
        let mut out = Vec::new();
        match self.args.format {
            Format::Text if extraction.blocks.is_empty() => {}
            Format::Text => writeln!(out, "{}", extraction.text())?,
            Format::Markdown => {
                if self.args.front_matter {
                    self.front_matter(&mut out)?;
                }
                out.write_all(extraction.markdown(page, self.source, url).as_bytes())?;
            }
            Format::Html => self.html(&mut out)?,
            Format::Json => {
                let line = Line {
                    docid: &document.docid,
                    url,
                    title: &page.title,
                    text: &extraction.text(),
                };
                serde_json::to_writer(&mut out, &line)?;
                writeln!(out)?;
            }
            Format::Jsonl => {
                let language = page.language_or(document.language.as_deref());
                let record = Record::new(
                    self.extractor,
                    self.subject,
                    self.source,
                    &document.bytes,
                    language,
                    extraction,
                );
                serde_json::to_writer(&mut out, &record)?;
                writeln!(out)?;
            }
            Format::Wet => {
                let text = extraction.text();
                let page = WarcPage {
                    docid: &document.docid,
                    url,
                    date: &document.date,
                    html: text.as_bytes(),
                };
                let from = ConvertedFrom {
                    record_id: document.record_id.as_deref().unwrap_or_default(),
                    title: &self.subject.page.title,
                };
                write_conversion(&mut out, &page, &from)?;
            }
        }
        Ok(out)
    }

    /// Strings are JSON's, which are YAML's too.
    fn front_matter(&self, out: &mut Vec<u8>) -> io::Result<()> {
        let said = &self.extraction.metadata;
        let value =
            |found: &Option<extractor::metadata::Found>| found.as_ref().map(|it| it.value.clone());
        let title = value(&said.title).unwrap_or_else(|| self.subject.page.title.clone());
        let embedded = self.extraction.embedded.map(str::to_owned);
        writeln!(out, "---")?;
        for (name, value) in [
            ("docid", Some(self.document.docid.clone())),
            ("url", Some(self.document.url.clone())),
            ("title", Some(title)),
            ("author", value(&said.author)),
            ("date", value(&said.date)),
            ("embedded", embedded),
        ] {
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                writeln!(out, "{name}: {}", serde_json::to_string(&value)?)?;
            }
        }
        writeln!(out, "---\n")
    }

    fn html(&self, out: &mut Vec<u8>) -> io::Result<()> {
        let (document, page) = (self.document, self.subject.page);
        let title = escape_markup(&page.title);
        writeln!(out, "{}<title>{title}</title>", kinds::HTML_HEAD)?;
        if !document.url.is_empty() {
            let url = escape_markup(&document.url);
            writeln!(out, "<link rel=\"canonical\" href=\"{url}\">")?;
        }
        writeln!(out, "</head>\n<body>")?;
        let body = self.extraction.html(page, self.source, &document.url);
        out.write_all(body.as_bytes())?;
        writeln!(out, "</body>\n</html>")
    }
}
