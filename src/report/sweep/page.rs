//! Everything as one page of HTML that needs nothing else.

use super::diagram::{Width, diagrams, plot};
use super::table::{summary_table, values};
use super::{BEST, about_chosen, gains, is_judged, name, of_grid, plural, reading};
use crate::experiment::sweep::{Dimension, Swept, SweptLine};
use crate::text::escape_markup;

const STYLE: &str = include_str!("../page.css");
const SCRIPT: &str = include_str!("page.js");

/// The report as an HTML file: it loads nothing, and without scripts lacks only the choice of other thresholds.
pub fn html(swept: &Swept) -> String {
    let title = escape_markup(&swept.title);
    let about = match swept.about.trim() {
        "" => String::new(),
        about => format!("<p>{}</p>\n", escape_markup(about)),
    };
    let facts: String = swept
        .facts
        .iter()
        .map(|(fact, value)| {
            format!(
                "<div><dt>{}</dt><dd>{}</dd></div>\n",
                escape_markup(fact),
                escape_markup(value)
            )
        })
        .collect();
    let reading = escape_markup(&reading(swept));
    let body = match swept.measures.is_empty() {
        true => unmeasured(swept),
        false => measured(swept),
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n{about}<p class=\"reading\">{reading}</p>\n\
         <dl>\n{facts}</dl>\n</header>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )
}

fn measured(swept: &Swept) -> String {
    let topics = swept.topics.len();
    let diagrams: String = diagrams(swept)
        .iter()
        .map(|diagram| {
            format!(
                "<figure>\n<div class=\"wide\">{}</div>\n<div class=\"narrow\">{}</div>\n\
                 <p class=\"readout\" aria-hidden=\"true\"></p>\n</figure>\n",
                plot(swept, diagram, Width::Wide),
                plot(swept, diagram, Width::Narrow)
            )
        })
        .collect();
    let judged = match swept.measures.iter().find(|measure| is_judged(measure)) {
        Some(judged) => format!(
            " {} is the share of the first pages found that somebody has judged: the rest counts as not relevant, so where it is \
             low, the measures are too.",
            escape_markup(judged)
        ),
        None => String::new(),
    };
    let values: String = swept
        .lines
        .iter()
        .map(|line| {
            let name = escape_markup(&name(line));
            format!(
                "<details>\n<summary>{name}</summary>\n{}</details>\n",
                scrolled(&name, &values(swept, line).html())
            )
        })
        .collect();
    let of_grid = of_grid(swept).join(" ");
    let notes = format!("{} {BEST} {of_grid}", about_chosen(swept));
    let notes = escape_markup(notes.trim_end());
    let what = what_varies(swept);
    format!(
        "<section id=\"diagrams\">\n<h2>Measures against thresholds</h2>\n<p>{what} Each line is a mean over the {topics} judged {}; the shaded band, if there is one, is where that mean lies in 95 % of samples \
         drawn anew from these topics (bootstrap). All lines share their topics, so they may well differ although their bands overlap: the \
         differences below tell. Horizontal lines are searches without a threshold.{judged}</p>\n<div class=\"figures\">\n{diagrams}</div>\n\
         </section>\n\
         <section id=\"summary\">\n<h2>Summary</h2>\n<p>{notes}</p>\n{}</section>\n\
         <section id=\"gains\">\n<h2>Gains and losses by topic</h2>\n<p>Bars upwards are topics that the filter helps, bars downwards \
         topics that it costs. A bar leads to its topic in the table below, and the difference there leads back.</p>\n{}</section>\n\
         <section id=\"topics\">\n<h2>Topics</h2>\n{}</section>\n\
         <section id=\"values\">\n<h2>All values</h2>\n<p>Means over {topics} {}. A star marks the best of a line, which is no \
         estimate.</p>\n{values}</section>\n\
         <script type=\"application/json\" id=\"data\">{}</script>\n<script>\n{SCRIPT}</script>\n",
        plural(topics, "topic"),
        summary_table(swept)
            .html()
            .replacen("<table>", "<table class=\"cards\">", 1),
        gains::charts(swept),
        scrolled("Topics", &gains::topics(swept)),
        plural(topics, "topic"),
        gains::data(swept),
    )
}

/// What there is to say without measures.
fn unmeasured(swept: &Swept) -> String {
    let lines: String = swept
        .lines
        .iter()
        .map(|line| {
            let count = line.points.len();
            let range = match &line.points[..] {
                [first, .., last] => format!(", {} to {}", first.threshold, last.threshold),
                [only] => format!(", {}", only.threshold),
                [] => String::new(),
            };
            let said = format!(
                "{}: {count} {}{range}",
                name(line),
                plural(count, "threshold")
            );
            format!("<li>{}</li>\n", escape_markup(&said))
        })
        .collect();
    let topics: String = swept
        .topics
        .iter()
        .map(|topic| {
            format!(
                "<li>{} {}</li>\n",
                escape_markup(&topic.id),
                escape_markup(&topic.query)
            )
        })
        .collect();
    format!("<h2>Rankings made</h2>\n<ul>\n{lines}</ul>\n<h2>Topics</h2>\n<ul>\n{topics}</ul>\n")
}

/// A table in a box that scrolls by itself, with the keyboard too. `name` is markup.
fn scrolled(name: &str, table: &str) -> String {
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{name}\">\n{table}</div>\n"
    )
}

/// What a step of the lines does.
fn what_varies(swept: &Swept) -> &'static str {
    let is_bound = |line: &SweptLine| {
        let dimension = line.dimension.parse::<Dimension>();
        dimension.is_ok_and(|dimension| dimension.bound().is_some())
    };
    let bounds = swept.lines.iter().filter(|line| is_bound(line)).count();
    match (bounds, bounds == swept.lines.len()) {
        (_, true) => "Only the blocks of a page that pass the threshold are searched.",
        (0, _) => "The blocks of a page are weighed with each value of the parameter.",
        _ => {
            "Only the blocks of a page that pass the threshold are searched; where a parameter varies, they are weighed with each of its values."
        }
    }
}
