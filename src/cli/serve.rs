//! `trommel serve`: the local web page.

use std::io::{self, Write};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use trommel::experiment::agreement;
use trommel::serve::{Advice, Judged, ServeOptions, Server};

use super::judging::{JudgingArgs, refuse_two_stdin};
use super::options::{IndexArgs, parse_count, threads, warn};
use super::run::TopicArgs;
use super::sweep::DEFAULT_MEASURES;

/// Search an index by hand in a web browser
///
/// Serves a web page on this machine alone: a search page with a slider for each threshold, a page that shows what each filter and
/// extractor keeps of a document, and with --topics and --qrels the measures against thresholds. docs/api.md has the JSON behind it.
/// The address goes to standard output. Ctrl-C ends it.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  trommel serve --index indexes/my
  trommel serve --index indexes/my --topics topics.xml --qrels qrels.txt --port 8080")]
pub struct Args {
    #[command(flatten)]
    index: IndexArgs,
    /// Topics for the sweep view: TREC SGML, web-track or NTCIR XML, qid:text, TSV or JSONL, also packed; '-' is standard input
    #[arg(long, value_name = "FILE", help_heading = "Evaluation")]
    topics: Option<PathBuf>,
    /// Field of the topics to search with: title, desc, narr, …
    #[arg(
        long,
        value_name = "FIELD",
        default_value = "title",
        help_heading = "Evaluation"
    )]
    topic_field: String,
    /// Relevance judgments of the topics
    #[arg(
        long,
        value_name = "FILE",
        requires = "topics",
        help_heading = "Evaluation"
    )]
    qrels: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Evaluation")]
    judging: JudgingArgs,
    /// Address to listen on: with another than this machine's own, everyone who can reach it can search
    #[arg(
        long,
        value_name = "HOST",
        default_value = "127.0.0.1",
        help_heading = "Server"
    )]
    host: String,
    /// Port to listen on; 0 is any that is free
    #[arg(
        long,
        value_name = "N",
        default_value_t = 8765,
        help_heading = "Server"
    )]
    port: u16,
    /// Also answer under this name, for instance that of a proxy before the server; may be given several times
    #[arg(long = "allow-host", value_name = "NAME", help_heading = "Server")]
    host_names: Vec<String>,
    /// Searches at once [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = "Server")]
    threads: Option<NonZeroUsize>,
}

/// Serves until it is ended.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    refuse_two_stdin(args.topics.iter().chain(&args.qrels))?;
    let index = args.index.open()?;
    let topics = match args.topics {
        None => Vec::new(),
        Some(file) => {
            let field = args.topic_field;
            TopicArgs { file, field }.queries(args.judging.topic_ids())?
        }
    };
    let mut warnings = Vec::new();
    let judged = match &args.qrels {
        None => None,
        Some(path) => Some(Judged {
            qrels: args.judging.read_qrels(path, &mut warnings)?,
            measures: args.judging.selection(&DEFAULT_MEASURES)?.measures,
            options: args.judging.options(true),
        }),
    };
    if let Some(judged) = &judged {
        match agreement(&index, &topics, &judged.qrels) {
            Ok(more) => warnings.extend(more),
            // Searching goes on; a sweep is refused.
            Err(mismatch) => warnings.push(mismatch.to_string()),
        }
    }
    warnings.iter().for_each(|text| warn(text));
    let mut host_names = args.host_names;
    host_names.push(args.host.clone());
    let mut options = ServeOptions::new(index);
    options.topics = topics;
    options.judged = judged;
    options.host_names = host_names;
    options.advise = advise;
    options.threads = NonZeroUsize::new(threads(args.threads)).unwrap_or(NonZeroUsize::MIN);
    let server = Server::listen(options, &args.host, args.port).context("cannot serve there")?;
    let address = server.address()?;
    if !address.ip().is_loopback() {
        warn("whoever can reach this address can search the index");
    }
    let mut out = io::stdout().lock();
    writeln!(out, "{}", link(address))?;
    out.flush()?;
    drop(out);
    anstream::eprintln!("open this address in a browser; Ctrl-C ends the server");
    server.run()?;
    Ok(ExitCode::SUCCESS)
}

/// What to do about problems that no other request can mend.
fn advise(advice: Advice) -> Option<&'static str> {
    Some(match advice {
        Advice::NoTopics => "start 'trommel serve' with --topics",
        Advice::NoJudgments => "start 'trommel serve' with --topics and --qrels",
        Advice::OtherHost => "'trommel serve --allow-host NAME' lets a name in",
        Advice::TooMuch => "'trommel sweep' has no limit",
        Advice::TooMuchFeedback => {
            "take fewer pages and terms of feedback, or 'trommel sweep', which has no limit"
        }
        Advice::TooLong => "'trommel sweep' has no limit, and can be resumed",
        Advice::NoLabels => "'trommel label' adds an extractor's labels to an index",
        Advice::NoConfidences => "'trommel label --extractor trommel' adds some to an index",
        _ => return None,
    })
}

/// The address as a browser on this machine takes it.
fn link(address: SocketAddr) -> String {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(std::net::Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    format!("http://{}/", SocketAddr::new(ip, address.port()))
}
