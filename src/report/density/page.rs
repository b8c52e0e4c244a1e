//! Everything as one page of HTML that loads nothing and needs no script.

use super::diagram::diagrams;
use super::table::{histograms, sections};
use crate::experiment::density::{Analysis, LAMBDA};
use crate::report::Table;
use crate::text::escape_markup;

const STYLE: &str = include_str!("../page.css");

/// The report as an HTML file. `facts` say how it was made, name and value.
pub fn html(title: &str, facts: &[(String, String)], analysis: &Analysis) -> String {
    let title = escape_markup(title);
    let facts: String = facts
        .iter()
        .map(|(fact, value)| {
            let [fact, value] = [fact, value].map(|it| escape_markup(it));
            format!("<div><dt>{fact}</dt><dd>{value}</dd></div>\n")
        })
        .collect();
    let drawn = diagrams(analysis);
    let mut body = String::new();
    for section in sections(analysis) {
        body += &format!(
            "<section id=\"{}\">\n<h2>{}</h2>\n",
            section.id,
            escape_markup(&section.heading)
        );
        if !section.note.is_empty() {
            body += &format!("<p>{}</p>\n", escape_markup(&section.note));
        }
        let figures: String = drawn
            .iter()
            .filter(|diagram| diagram.section == section.id)
            .map(|diagram| {
                format!(
                    "<figure>\n<div class=\"wide\">{}</div>\n<div class=\"narrow\">{}</div>\n</figure>\n",
                    diagram.wide, diagram.narrow
                )
            })
            .collect();
        if !figures.is_empty() {
            body += &format!("<div class=\"figures\">\n{figures}</div>\n");
        }
        for (caption, table) in &section.tables {
            if !caption.is_empty() {
                body += &format!("<h3>{}</h3>\n", escape_markup(caption));
            }
            let name = match caption.is_empty() {
                true => &section.heading,
                false => caption,
            };
            body += &fitting(name, table);
        }
        body += "</section>\n";
    }
    let details: String = histograms(analysis)
        .iter()
        .map(|(name, table)| {
            format!(
                "<details>\n<summary>{}</summary>\n{}</details>\n",
                escape_markup(name),
                scrolled(name, table)
            )
        })
        .collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n<p class=\"reading\">{}</p>\n\
         <dl>\n{facts}</dl>\n</header>\n<main>\n{body}<section id=\"values\">\n<h2>All values</h2>\n{details}</section>\n\
         </main>\n</body>\n</html>\n",
        escape_markup(&reading(analysis))
    )
}

/// What one sees, in a few sentences.
fn reading(analysis: &Analysis) -> String {
    let words = analysis.total.words.max(1) as f64;
    let long = 100.0 * analysis.long.long as f64 / words;
    let mut text = format!(
        "{long:.0} % of the words stand in blocks of {LAMBDA} words or more, {:.0} % of the tokens in texts that occur {} times or more.",
        100.0 * analysis.templates.share,
        analysis.templates.min_repeats
    );
    for fit in &analysis.fits {
        text += &format!(
            " The {} has an adjusted R² of {:.3}.",
            fit.name, fit.goodness.adjusted_r2
        );
    }
    text
}

/// A table that is as wide as what is in it, in a box that scrolls by itself where it is too wide.
fn fitting(name: &str, table: &Table) -> String {
    let table = table
        .html()
        .replacen("<table>", "<table class=\"fitting\">", 1);
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n{table}</div>\n",
        escape_markup(name)
    )
}

/// A table in a box that scrolls by itself, with the keyboard too.
fn scrolled(name: &str, table: &Table) -> String {
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n{}</div>\n",
        escape_markup(name),
        table.html()
    )
}
