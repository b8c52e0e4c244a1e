//! Text and Markdown.

use super::{
    BEST, UNFILTERED, about_chosen, best, changes, difference, effectiveness, is_judged, mean,
    name, number, of_grid, plural, reading, thresholds, unfiltered,
};
use crate::experiment::sweep::{Measured, Swept, SweptLine};
use crate::measure::significance::family;
use crate::report::{Align, Sure, Table, p_value, wrap};

/// For each line a table, for terminals: references first, then every threshold, with the mean of each measure. A star marks a
/// line's best mean of a measure.
pub fn table(swept: &Swept) -> String {
    fitted_table(swept, None)
}

/// [`table`] in lines of at most `width` characters.
pub fn fitted_table(swept: &Swept, width: Option<usize>) -> String {
    let mut text = String::new();
    for line in &swept.lines {
        let values = values(swept, line);
        text += &format!("{}\n{}\n", heading(swept, line), values.fitted(width));
    }
    let last = match swept.measures.is_empty() {
        true => reading(swept),
        false => format!("* {BEST}"),
    };
    text + &match width {
        Some(width) => wrap(&last, width).join("\n") + "\n",
        None => last + "\n",
    }
}

/// What one sees, then for each line and measure: the unfiltered search, what choosing the threshold by cross-validation gives,
/// the thresholds that were chosen, the difference with its p, and the best point. For terminals.
pub fn summary(swept: &Swept) -> String {
    fitted_summary(swept, None)
}

/// [`summary`] in lines of at most `width` characters.
pub fn fitted_summary(swept: &Swept, width: Option<usize>) -> String {
    let mut sentences = vec![reading(swept)];
    let mut table = String::new();
    if !swept.measures.is_empty() {
        table = format!("\n{}\n", summary_table(swept).fitted(width));
        sentences.extend([about_chosen(swept), BEST.to_owned()]);
        sentences.extend(of_grid(swept));
    }
    let sentences = sentences.iter().map(|sentence| match width {
        Some(width) => wrap(sentence, width).join("\n") + "\n",
        None => format!("{sentence}\n"),
    });
    let mut sentences = sentences.collect::<Vec<_>>().into_iter();
    let first = sentences.next().unwrap_or_default();
    first + &table + &sentences.collect::<String>()
}

/// The tables of a paper: first what choosing the thresholds gives, a row a line and a column a measure, then for each line the mean at each
/// threshold. Bold is the best; daggers are for what was chosen, against the unfiltered search.
pub fn tables(swept: &Swept) -> Vec<Table> {
    if swept.measures.is_empty() {
        return Vec::new();
    }
    let measured: Vec<usize> = effectiveness(swept).collect();
    let names = measured.iter().map(|at| swept.measures[*at].clone());
    let mut chosen = Table::new(["search".to_owned()].into_iter().chain(names));
    let all = changes(swept);
    for it in &swept.references {
        let means = measured.iter().map(|at| number(mean(&it.result, *at)));
        chosen.push(
            [format!("{}, {}", it.name, it.model)]
                .into_iter()
                .chain(means),
        );
    }
    for line in &swept.lines {
        let of_line = |at: usize| {
            all.iter()
                .find(|it| std::ptr::eq(it.line, line) && it.measure == at)
        };
        let mut cells = vec![format!("{}, chosen", name(line))];
        for (place, at) in measured.iter().enumerate() {
            let change = of_line(*at).and_then(|it| Some((it.chosen?, it.p_holm.p)));
            cells.push(number(change.map(|(chosen, _)| chosen.mean)));
            if let Some((_, p)) = change {
                let mark = chosen
                    .marks
                    .entry((chosen.rows.len(), place + 1))
                    .or_default();
                mark.sure = Sure::of(p);
            }
        }
        chosen.push(cells);
    }
    chosen.mark_best(1..=measured.len());
    let topics = swept.topics.len();
    chosen.caption = format!(
        "Thresholds chosen by cross-validation, means of {topics} {}",
        plural(topics, "topic")
    );
    let size = all.iter().map(|it| it.p_holm.family).max().unwrap_or(0);
    if size > 0 {
        let test = "randomization test of choice and comparison against the unfiltered search";
        chosen
            .notes
            .push(Sure::note(test, &family(size, "line", "one measure")));
    }
    chosen
        .notes
        .push("Each threshold was chosen without the topics that it is measured on.".to_owned());
    let lines = swept.lines.iter().map(|line| {
        let mut table = values(swept, line);
        // Bold says what a star says in text.
        for cell in table
            .header
            .iter_mut()
            .chain(table.rows.iter_mut().flatten())
        {
            let bare = cell.trim_end_matches(['*', ' ']).to_owned();
            *cell = bare;
        }
        for (row, point) in line.points.iter().enumerate() {
            let row = row + table.rows.len() - line.points.len();
            for at in &measured {
                let best = best(line, *at).map(|(value, _)| value);
                if best.is_some() && mean(&point.result, *at) == best {
                    table.marks.entry((row, at + 1)).or_default().best = true;
                }
            }
        }
        table.caption = heading(swept, line);
        table.notes.push(BEST.to_owned());
        table
    });
    [chosen].into_iter().chain(lines).collect()
}

/// All figures, a row for each ranking and measure; those of what was chosen by cross-validation have no interval, but p.
pub fn data(swept: &Swept) -> Table {
    let mut table = Table::new([
        "series",
        "base",
        "model",
        "kind",
        "threshold",
        "measure",
        "mean",
        "low",
        "high",
        "difference",
        "p",
        "p_holm",
        "holm_family",
    ]);
    let finite = |value: f64| match value.is_finite() {
        true => value.to_string(),
        false => String::new(),
    };
    let measured =
        |table: &mut Table, names: [&str; 5], result: &Measured, base: Option<&Measured>| {
            for (at, measure) in swept.measures.iter().enumerate() {
                let value = result.means.get(at).copied().unwrap_or(f64::NAN);
                let [low, high] = result.intervals.get(at).copied().unwrap_or([f64::NAN; 2]);
                let before = base.and_then(|base| base.means.get(at)).copied();
                let rest = [value, low, high, value - before.unwrap_or(f64::NAN)].map(finite);
                let names = names.map(str::to_owned).into_iter();
                let row = names.chain([measure.clone()]).chain(rest);
                table.push(row.chain([(); 3].map(|()| String::new())));
            }
        };
    for it in &swept.references {
        let base = swept
            .references
            .iter()
            .find(|other| other.name == UNFILTERED && other.model == it.model);
        let base = base.map(|base| &base.result);
        measured(
            &mut table,
            ["", "", &it.model, "reference", &it.name],
            &it.result,
            base,
        );
    }
    let all = changes(swept);
    for line in &swept.lines {
        let base = unfiltered(swept, line).map(|it| &it.result);
        for point in &line.points {
            let names = [
                line.dimension.as_str(),
                &line.base,
                &line.model,
                "threshold",
                &point.threshold,
            ];
            measured(&mut table, names, &point.result, base);
        }
        for change in all.iter().filter(|it| std::ptr::eq(it.line, line)) {
            let Some(chosen) = change.chosen else {
                continue;
            };
            let names =
                [line.dimension.as_str(), &line.base, &line.model, "chosen"].map(str::to_owned);
            table.push(names.into_iter().chain([
                thresholds(line, chosen),
                swept.measures[change.measure].clone(),
                chosen.mean.to_string(),
                String::new(),
                String::new(),
                chosen.difference.to_string(),
                chosen.p.to_string(),
                change.p_holm.p.to_string(),
                change.p_holm.family.to_string(),
            ]));
        }
    }
    table
}

/// The report as Markdown. `figures` are the files of the [`super::diagrams`], as links.
pub fn markdown(swept: &Swept, figures: &[String]) -> String {
    let mut text = format!("# {}\n", swept.title);
    if !swept.about.trim().is_empty() {
        text += &format!("\n{}\n", swept.about.trim());
    }
    text += &format!("\n{}\n\n", reading(swept));
    for (fact, value) in &swept.facts {
        text += &format!("- {fact}: {value}\n");
    }
    if !swept.measures.is_empty() {
        let table = summary_table(swept).markdown();
        let chosen = about_chosen(swept);
        text += &format!("\n## Summary\n\n{table}\n{chosen} {BEST}\n");
        for sentence in of_grid(swept) {
            text += &format!("\n{sentence}\n");
        }
    }
    for figure in figures {
        text += &format!("\n![]({figure})\n");
    }
    for line in &swept.lines {
        let values = values(swept, line).markdown();
        text += &format!("\n## {}\n\n{values}", heading(swept, line));
    }
    text
}

/// A line's name and how many topics its means are of.
fn heading(swept: &Swept, line: &SweptLine) -> String {
    let topics = swept.topics.len();
    match swept.measures.is_empty() {
        true => name(line),
        false => format!(
            "{}: means of {topics} {}",
            name(line),
            plural(topics, "topic")
        ),
    }
}

/// The means of a line's references and points.
pub(super) fn values(swept: &Swept, line: &SweptLine) -> Table {
    let measures = swept.measures.iter().map(|name| format!("{name} "));
    let mut table = Table::new(std::iter::once(line.dimension.clone()).chain(measures));
    let highest: Vec<Option<f64>> = (0..swept.measures.len())
        .map(|measure| {
            Some(best(line, measure)?.0).filter(|_| !is_judged(&swept.measures[measure]))
        })
        .collect();
    let cells = |result: &Measured, of_line: bool| -> Vec<String> {
        let cell = |(measure, highest): (usize, &Option<f64>)| {
            let mean = mean(result, measure);
            let star = of_line && mean.is_some() && mean == *highest;
            format!("{}{}", number(mean), if star { "*" } else { " " })
        };
        highest.iter().enumerate().map(cell).collect()
    };
    for it in swept.references.iter().filter(|it| it.model == line.model) {
        table.push(std::iter::once(it.name.clone()).chain(cells(&it.result, false)));
    }
    for it in &line.points {
        table.push(std::iter::once(it.threshold.clone()).chain(cells(&it.result, true)));
    }
    table
}

/// One row for each line and measure.
pub(super) fn summary_table(swept: &Swept) -> Table {
    let mut table = Table::new([
        "line",
        "measure",
        "unfiltered",
        "chosen",
        "at",
        "difference",
        "p",
        "p (Holm)",
        "best point, no estimate",
    ]);
    table.align = vec![Align::Left, Align::Left];
    for change in changes(swept) {
        let of_chosen = match change.chosen {
            None => [(); 5].map(|()| "–".to_owned()),
            Some(chosen) => [
                number(Some(chosen.mean)),
                thresholds(change.line, chosen),
                difference(chosen.difference),
                p_value(chosen.p),
                p_value(change.p_holm.p),
            ],
        };
        let best = best(change.line, change.measure).map_or_else(
            || "–".to_owned(),
            |(value, points)| {
                let at = match &points[..] {
                    [first, .., last] if points.len() > 2 => {
                        format!(
                            "{} points of {} to {}",
                            points.len(),
                            first.threshold,
                            last.threshold
                        )
                    }
                    [first, second] => format!("{} and {}", first.threshold, second.threshold),
                    _ => points.iter().map(|it| it.threshold.as_str()).collect(),
                };
                format!("{value:.3} at {at}, best of {}", change.line.points.len())
            },
        );
        let names = [
            name(change.line),
            swept.measures[change.measure].clone(),
            number(change.unfiltered),
        ];
        table.push(names.into_iter().chain(of_chosen).chain([best]));
    }
    table
}
