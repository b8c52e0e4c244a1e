//! Results of experiments as Markdown.

use trommel_lab::experiment::{Check, Figures, Outcome};

use super::Table;

/// A report: the tables, published figures in brackets behind ours, then where they lie apart and why. `figures` are the
/// files of the diagrams, as links.
pub fn markdown(outcome: &Outcome, figures: &[String]) -> String {
    let mut text = format!("# {}\n", outcome.title);
    if !outcome.about.is_empty() {
        text += &format!("\n{}\n", outcome.about.trim());
    }
    for warning in &outcome.warnings {
        text += &format!("\n**Warning:** {warning}.\n");
    }
    for table in &outcome.tables {
        text += &format!(
            "\n## {}\n\n{}",
            table.name,
            figures_table(table, outcome).markdown()
        );
        if !table.note.is_empty() {
            text += &format!("\n{}\n", table.note);
        }
    }
    for (heading, rules) in &outcome.rules {
        text += &format!("\n## {heading}\n\n```\n{rules}```\n");
    }
    for (curves, file) in outcome.curves.iter().zip(figures) {
        text += &format!("\n## {}\n\n![{}]({file})\n", curves.title, curves.title);
    }
    text + &differences(outcome)
}

/// The tables, each with its name as caption and what has to be known of its columns as a note.
pub fn tables(outcome: &Outcome) -> Vec<Table> {
    let tables = outcome.tables.iter().map(|figures| {
        let mut table = figures_table(figures, outcome);
        table.caption.clone_from(&figures.name);
        table
            .notes
            .extend(Some(figures.note.clone()).filter(|note| !note.is_empty()));
        table
    });
    tables.collect()
}

/// All figures, a row each.
pub fn data(outcome: &Outcome) -> Table {
    let mut data = Table::new([
        "table",
        "row",
        "column",
        "value",
        "published",
        "allowed",
        "met",
    ]);
    for table in &outcome.tables {
        for (row, figures) in &table.rows {
            for (column, figure) in table.columns.iter().zip(figures) {
                let Some(figure) = figure else {
                    continue;
                };
                let check = outcome.check_of(&table.name, row, column);
                let of_check = match check {
                    None => [(); 3].map(|()| String::new()),
                    Some(check) => [
                        check.paper.to_string(),
                        check.tolerance.to_string(),
                        check.met.to_string(),
                    ],
                };
                let names = [&table.name, row, column].map(String::clone);
                data.push(
                    names
                        .into_iter()
                        .chain([figure.to_string()])
                        .chain(of_check),
                );
            }
        }
    }
    data
}

/// A table of figures, published ones in brackets.
pub fn figures_table(table: &Figures, outcome: &Outcome) -> Table {
    let header = std::iter::once(&table.of).chain(&table.columns);
    let mut rendered = Table::new(header.cloned());
    for (row, figures) in &table.rows {
        let columns = table.columns.iter().enumerate().zip(figures);
        let cells = columns.map(|((at, column), figure)| {
            let Some(figure) = figure else {
                return String::new();
            };
            let decimals = table.decimals.get(at).copied().unwrap_or_default();
            let number = |figure: f64| match figure.is_nan() {
                true => "?".to_owned(),
                false => format!("{figure:.decimals$}"),
            };
            match outcome.check_of(&table.name, row, column) {
                None => number(*figure),
                Some(check) => {
                    let mark = match check {
                        Check { met: false, .. } => " !",
                        Check { why: Some(_), .. } => " *",
                        _ => "",
                    };
                    format!("{} ({}){mark}", number(*figure), number(check.paper))
                }
            }
        });
        rendered.push(std::iter::once(row.clone()).chain(cells));
    }
    rendered
}

/// What lies apart further than a table's tolerance: explained, or not.
fn differences(outcome: &Outcome) -> String {
    if outcome.checks.is_empty() {
        return String::new();
    }
    let explained = outcome
        .checks
        .iter()
        .filter(|check| check.met && check.why.is_some());
    let missed = outcome.checks.iter().filter(|check| !check.met);
    let mut text = format!(
        "\n## Differences\n\nOf {} figures with a published one (in brackets) {} lie further apart than their table's tolerance \
         as the file expects and explains, as far as an explanation is known (*), {} beyond that (!).\n",
        outcome.checks.len(),
        explained.clone().count(),
        missed.clone().count(),
    );
    let mut groups: Vec<(&str, Vec<&Check>)> = Vec::new();
    for check in missed.chain(explained) {
        let why = match (&check.why, check.met) {
            (Some(why), true) => why.trim(),
            _ => "Not explained.",
        };
        match groups.iter_mut().find(|(known, _)| *known == why) {
            Some((_, checks)) => checks.push(check),
            None => groups.push((why, vec![check])),
        }
    }
    for (why, checks) in groups {
        text += &format!("\n- {}\n", why.replace('\n', "\n  "));
        let mut last = ("", "");
        for check in checks {
            let place = (check.table.as_str(), check.row.as_str());
            let separator = if place == last {
                ", ".to_owned()
            } else {
                format!("\n  - {}, {}: ", check.table, check.row)
            };
            let decimals = check.decimals();
            text += &format!(
                "{separator}{} {:+.decimals$}",
                check.column, check.difference
            );
            last = place;
        }
        text.push('\n');
    }
    text
}
