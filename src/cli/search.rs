//! `trommel search`: one query, read by a person.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::process::ExitCode;

use serde::Serialize;
use trommel::index::{
    BlockShare, ClauseScore, Explanation, Expression, Fragment, Hit, PageRecord, Query, Snippet,
    Unit, syntax,
};
use unicode_width::UnicodeWidthStr;

use super::options::{
    BOLD, DIM, IndexArgs, MATCH, RankingArgs, counted, parse_count, printable, screen_width, warn,
};

/// The query language in short.
const SYNTAX: &str = "\
Queries:
  rain barrel              any of the words, ranked as 'trommel run' ranks them
  '\"rain barrel\"'          side by side in one block
  rain AND barrel          both, in blocks that pass the filter; OR, NOT and (groups) likewise
  '+rain barrel -plastic'  must have, may have, must not have
  rain title:storm         rain, on pages with storm in the title; title:\"a phrase\", url:example.org
AND binds closer than OR; words side by side are joined by OR. title: and url: add nothing to the
score. The shell takes quotes away that are not in other quotes; before a query that begins with
a minus sign write --.";

/// Search an index by hand
#[derive(clap::Args, Debug)]
#[command(after_help = SYNTAX)]
pub struct Args {
    #[command(flatten)]
    index: IndexArgs,
    #[command(flatten)]
    ranking: RankingArgs,
    /// Rank pages, or single blocks
    #[arg(
        long,
        value_name = "page|block",
        default_value = "page",
        help_heading = "Ranking"
    )]
    unit: Unit,
    /// Results to show
    #[arg(short, value_name = "N", default_value = "10", value_parser = parse_count)]
    k: NonZeroUsize,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
    /// Below each result the parts of its score
    #[arg(long)]
    explain: bool,
    /// Take the query as words: nothing in it is syntax
    #[arg(long)]
    literal: bool,
    /// Words, "phrases", operators and fields
    #[arg(required = true, value_name = "QUERY")]
    query: Vec<String>,
}

#[derive(Serialize)]
struct Line<'a> {
    rank: usize,
    docid: &'a str,
    score: f32,
    url: &'a str,
    title: &'a str,
    snippet: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    block: Option<u32>,
    blocks_kept: u32,
    blocks_total: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    explain: Option<&'a Explanation>,
}

/// What is shown of a hit.
struct Shown<'a> {
    rank: usize,
    hit: &'a Hit,
    page: PageRecord,
    snippet: Snippet,
    explanation: Option<&'a Explanation>,
}

/// Prints the results.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let index = args.index.open()?;
    let query = args.query.join(" ");
    let expression = match args.literal {
        true => Expression::literal(&query),
        false => {
            let parsed = syntax::parse(&query)?;
            parsed.warnings.iter().for_each(|warning| warn(warning));
            parsed.expression
        }
    };
    let query = Query::new(&expression, index.analyzer())?;
    let ranking = args.ranking.ranking(args.unit);
    let hits = index.search_query(&query, &ranking, args.k.get())?;
    let explanations = match args.explain {
        true => index.explain(&query, &ranking, &hits)?,
        false => Vec::new(),
    };
    let mut out = anstream::stdout().lock();
    for (at, hit) in hits.iter().enumerate() {
        let result = Shown {
            rank: at + 1,
            hit,
            page: index.page(hit.page)?,
            snippet: index.snippet(query.terms(), hit, &ranking)?,
            explanation: explanations.get(at),
        };
        if args.json {
            print_json(&mut out, &result)?;
        } else {
            print_result(&mut out, &result)?;
        }
    }
    out.flush()?;
    if hits.is_empty() {
        warn(&index.why_nothing(&query, &expression, &ranking)?);
    }
    Ok(ExitCode::SUCCESS)
}

fn print_json(out: &mut impl Write, result: &Shown) -> anyhow::Result<()> {
    let Shown {
        rank,
        hit,
        page,
        snippet,
        explanation,
    } = result;
    let fragments: Vec<String> = snippet
        .fragments
        .iter()
        .map(|f| marked(f, "", "", str::to_owned))
        .collect();
    let line = Line {
        rank: *rank,
        docid: &page.docid,
        score: hit.score,
        url: &page.url,
        title: &page.title,
        snippet: fragments.join(" "),
        block: hit.block,
        blocks_kept: snippet.blocks_kept,
        blocks_total: snippet.blocks_total,
        explain: *explanation,
    };
    serde_json::to_writer(&mut *out, &line)?;
    writeln!(out)?;
    Ok(())
}

fn print_result(out: &mut impl Write, result: &Shown) -> io::Result<()> {
    let Shown {
        rank,
        hit,
        page,
        snippet,
        explanation,
    } = result;
    let title = if page.title.is_empty() {
        &page.docid
    } else {
        &page.title
    };
    let title = wrapped(&printable(title)).join("\n     ");
    writeln!(out, "{rank:>3}  {BOLD}{title}{BOLD:#}")?;
    let place = hit
        .block
        .map_or(String::new(), |block| format!("block {block}, "));
    writeln!(
        out,
        "     {DIM}{}  {:.4}  {place}{} of {} blocks{DIM:#}",
        printable(&page.docid),
        hit.score,
        snippet.blocks_kept,
        snippet.blocks_total
    )?;
    if !page.url.is_empty() {
        writeln!(out, "     {DIM}{}{DIM:#}", printable(&page.url))?;
    }
    for fragment in &snippet.fragments {
        let text = marked(
            fragment,
            &MATCH.to_string(),
            &format!("{MATCH:#}"),
            printable,
        );
        for line in wrapped(&text) {
            writeln!(out, "     {line}")?;
        }
    }
    if let Some(explanation) = explanation {
        print_explanation(out, explanation)?;
    }
    writeln!(out)
}

/// A text, which may have styles, in lines of whole words that fit the screen behind an indentation of five.
fn wrapped(text: &str) -> Vec<String> {
    let Some(width) = screen_width() else {
        return vec![text.to_owned()];
    };
    let room = width.saturating_sub(5);
    let mut lines: Vec<(usize, String)> = vec![(0, String::new())];
    for word in text.split(' ') {
        let own = anstream::adapter::strip_str(word).to_string().width();
        match lines.last_mut() {
            Some((used, line)) if *used == 0 || *used + 1 + own <= room => {
                let gap = if *used == 0 { "" } else { " " };
                *line += &format!("{gap}{word}");
                *used += gap.len() + own;
            }
            _ => lines.push((own, word.to_owned())),
        }
    }
    lines.into_iter().map(|(_, line)| line).collect()
}

/// The parts of a score, one a line, and what they were computed from.
fn print_explanation(out: &mut impl Write, explanation: &Explanation) -> io::Result<()> {
    let mut rows: Vec<[String; 3]> = vec![[
        format!("{:.4}", explanation.score),
        explanation.model.clone(),
        String::new(),
    ]];
    for clause in &explanation.clauses {
        let ClauseScore { tf, df, cf, .. } = clause;
        let mut numbers = format!("tf {tf}, df {df}, cf {cf}");
        if let Some(weight) = clause.weight {
            numbers += &format!(", {} {:.4}", weight.name, weight.value);
        }
        if clause.boost != 1.0 {
            numbers += &format!(", boost {:.4}", clause.boost);
        }
        let term = printable(&clause.term);
        rows.push([format!("+ {:.4}", clause.score), term, numbers]);
    }
    for (sign, parts) in [('×', &explanation.factors), ('+', &explanation.addends)] {
        for part in parts {
            let sign = if part.value < 0.0 { '−' } else { sign };
            let value = format!("{sign} {:.4}", part.value.abs());
            rows.push([value, part.name.to_owned(), String::new()]);
        }
    }
    let width = |column: usize| {
        let widths = rows.iter().map(|row| row[column].width());
        widths.max().unwrap_or(0)
    };
    let (values, names) = (width(0), width(1));
    for [value, name, numbers] in &rows {
        let indent = " ".repeat(values - value.width());
        let gap = " ".repeat(names - name.width());
        let line = format!("{indent}{value}  {name}{gap}  {numbers}");
        writeln!(out, "     {DIM}{}{DIM:#}", line.trim_end())?;
    }
    let Explanation {
        length,
        average_length,
        num,
        blocks_kept,
        blocks_total,
        words_kept,
        words_total,
        confidence,
        ..
    } = explanation;
    let confidence = match confidence {
        None => String::new(),
        Some([least, greatest]) if least == greatest => format!(", confidence {least:.2}"),
        Some([least, greatest]) => format!(", confidence {least:.2} to {greatest:.2}"),
    };
    let facts = format!(
        "length {length}, average {average_length:.1}, N {num}; kept {blocks_kept} of {blocks_total} blocks, \
         {words_kept} of {words_total} words{confidence}"
    );
    let facts = wrapped(&facts).join("\n     ");
    writeln!(out, "     {DIM}{facts}{DIM:#}")?;
    match shares(&explanation.shares) {
        None => Ok(()),
        Some(shares) => writeln!(out, "     {DIM}{shares}{DIM:#}"),
    }
}

/// Blocks whose shares of a score are named.
const SHARES: usize = 5;

/// The blocks that a score comes from, those with the greatest shares first; none without weights.
fn shares(shares: &[BlockShare]) -> Option<String> {
    let mut largest: Vec<&BlockShare> = shares.iter().collect();
    largest.sort_by(|a, b| b.share.total_cmp(&a.share));
    let named = largest.iter().take(SHARES).map(|it| {
        let name = match it.block {
            None => "title".to_owned(),
            Some(block) => format!("block {block}"),
        };
        format!("{name} ×{} {:.0} %", it.weight, 100.0 * it.share)
    });
    let mut text = named.collect::<Vec<_>>().join(", ");
    if largest.len() > SHARES {
        let rest: f64 = largest[SHARES..].iter().map(|it| it.share).sum();
        let blocks = counted((largest.len() - SHARES) as u64, "other");
        text += &format!(", {blocks} {:.0} %", 100.0 * rest);
    }
    (!text.is_empty()).then(|| format!("from {text}"))
}

/// A fragment with its matches between two marks and dots where it was cut, its text as `shown` has it.
fn marked(fragment: &Fragment, start: &str, end: &str, shown: fn(&str) -> String) -> String {
    let mut text = String::new();
    let mut from = 0;
    for range in &fragment.highlights {
        text.push_str(&shown(&fragment.text[from..range.start]));
        text.push_str(start);
        text.push_str(&shown(&fragment.text[range.clone()]));
        text.push_str(end);
        from = range.end;
    }
    text.push_str(&shown(&fragment.text[from..]));
    let dots = |cut: bool| if cut { "…" } else { "" };
    format!(
        "{}{text}{}",
        dots(fragment.cut_before),
        dots(fragment.cut_after)
    )
}
