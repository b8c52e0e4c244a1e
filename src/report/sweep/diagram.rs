//! A measure against thresholds, as in WSDM 2010, Figure 7.

use super::{finite, is_judged, mean, number, plural};
use crate::attribute;
use crate::experiment::sweep::{Measured, Point, Reference, Swept, SweptLine};
use crate::report::chart::{self, Axis, Chart, Curve, Level, Panel, Style};

/// A diagram: lines that share a dimension and a measure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagram {
    /// The threshold that varies.
    pub dimension: String,
    /// Number of the measure.
    pub measure: usize,
    /// Numbers of the lines.
    pub lines: Vec<usize>,
    /// A name for its file, without an ending; of letters, digits and hyphens.
    pub file: String,
    /// Its heading.
    pub title: String,
}

/// Lines of one diagram; of more than that, each model has a diagram of its own.
const LINES: usize = 6;

/// Bands of one diagram: more cannot be told apart.
const BANDS: usize = 3;

/// How wide a diagram is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// For a page of a book or a desktop.
    Wide,
    /// For a telephone.
    Narrow,
}

/// The diagrams of a sweep: one for each dimension and measure, and for each model if there are many lines. The share of judged
/// documents is drawn beneath the others, and has diagrams of its own only where it is the only measure.
pub fn diagrams(swept: &Swept) -> Vec<Diagram> {
    let only_judged = swept.measures.iter().all(|name| is_judged(name));
    let measures: Vec<usize> = (0..swept.measures.len())
        .filter(|&measure| only_judged || !is_judged(&swept.measures[measure]))
        .collect();
    let mut diagrams: Vec<Diagram> = Vec::new();
    for dimension in distinct(swept.lines.iter().map(|line| line.dimension.as_str())) {
        let lines: Vec<usize> = (0..swept.lines.len())
            .filter(|&line| swept.lines[line].dimension == dimension)
            .collect();
        let models = distinct(lines.iter().map(|&line| swept.lines[line].model.as_str()));
        let groups: Vec<Vec<usize>> = match lines.len() > LINES && models.len() > 1 {
            false => vec![lines],
            true => {
                let of = |model: &&str| {
                    lines
                        .iter()
                        .copied()
                        .filter(|&it| swept.lines[it].model == *model)
                        .collect()
                };
                models.iter().map(of).collect()
            }
        };
        for &measure in &measures {
            for lines in &groups {
                diagrams.push(diagram(swept, dimension, measure, lines, groups.len() > 1));
            }
        }
    }
    let names = diagrams
        .iter()
        .map(|it| it.file.clone())
        .collect::<Vec<_>>();
    for (number, diagram) in diagrams.iter_mut().enumerate() {
        if names[..number].contains(&diagram.file) {
            diagram.file += &format!("-{number}");
        }
    }
    diagrams
}

fn diagram(
    swept: &Swept,
    dimension: &str,
    measure: usize,
    lines: &[usize],
    one_of: bool,
) -> Diagram {
    let name = &swept.measures[measure];
    let mut title = format!("{name} against {dimension}");
    let mut file = format!("{dimension}-{name}");
    let lines_of = || lines.iter().map(|&line| &swept.lines[line]);
    if let [base] = distinct(lines_of().map(|line| line.base.as_str()))[..]
        && !base.is_empty()
    {
        title += &format!(" with {base}");
    }
    if let [model] = distinct(lines_of().map(|line| line.model.as_str()))[..] {
        title += &format!(", {model}");
        if one_of {
            file += &format!("-{model}");
        }
    }
    Diagram {
        dimension: dimension.to_owned(),
        measure,
        lines: lines.to_vec(),
        file: file
            .to_ascii_lowercase()
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join("-"),
        title,
    }
}

/// The diagram as SVG: a line with the 95 % interval of its means for each series of thresholds, references as horizontal lines,
/// and beneath, how much of the rankings' tops was judged.
pub fn plot(swept: &Swept, diagram: &Diagram, width: Width) -> String {
    let lines: Vec<&SweptLine> = diagram
        .lines
        .iter()
        .filter_map(|&line| swept.lines.get(line))
        .collect();
    let measure = diagram.measure;
    let measure_name = swept.measures.get(measure).map_or("", String::as_str);
    let names = line_names(&lines);
    let models = distinct(lines.iter().map(|line| line.model.as_str()));
    let references: Vec<&Reference> = swept
        .references
        .iter()
        .filter(|it| models.contains(&it.model.as_str()))
        .collect();
    let judged = judged_beside(swept, measure_name).filter(|judged| *judged != measure);
    let topics = swept.topics.len();
    let wide = width == Width::Wide;
    let has_bands = lines.len() <= BANDS;

    let xs = lines
        .iter()
        .flat_map(|line| &line.points)
        .map(|point| point.x)
        .filter(|x| x.is_finite());
    let highest = xs.clone().fold(f64::NEG_INFINITY, f64::max);
    let mut x = Axis::around(axis_label(&diagram.dimension, wide), xs);
    if highest > x.from && highest < x.to {
        x.to = highest;
    }

    // A reference has the colour of its model's line, if there is but one.
    let colour = |model: &str| {
        let mut of_model = (0..lines.len()).filter(|&it| lines[it].model == model);
        let first = of_model.next()?;
        of_model
            .next()
            .is_none()
            .then(|| Style::line(first).colour)
            .flatten()
    };
    let kinds = distinct(references.iter().map(|it| it.name.as_str()));
    let model_names = short_names(&models);
    let level = |reference: &&Reference, measure: usize| -> Option<Level> {
        let value = mean(&reference.result, measure)?;
        let kind = kinds.iter().position(|name| *name == reference.name)?;
        let place = models.iter().position(|model| *model == reference.model)?;
        let label = match (wide, models.len()) {
            (false, _) => reference.name.clone(),
            (true, 1) => format!("{value:.3} {}", reference.name),
            (true, _) => format!("{value:.3} {} {}", reference.name, model_names[place]),
        };
        Some(Level {
            style: Style {
                colour: colour(&reference.model),
                dash: 1 + kind % 4,
            },
            y: value,
            label,
            tip: format!(
                "{}, {}: {}",
                reference.name,
                reference.model,
                value_text(&reference.result, measure)
            ),
        })
    };
    let curve = |number: usize, measure: usize, banded: bool| {
        let points = || {
            lines[number]
                .points
                .iter()
                .filter_map(|point| Some((finite(Some(&point.x))?, point)))
        };
        let of = |(x, point): (f64, &Point)| Some((x, mean(&point.result, measure)?));
        let band: Option<Vec<[f64; 2]>> = points()
            .filter(|it| of(*it).is_some())
            .map(|(_, point)| interval(&point.result, measure))
            .collect();
        Curve {
            style: Style::line(number),
            points: points().filter_map(of).collect(),
            band: band.filter(|_| banded).unwrap_or_default(),
        }
    };
    let panel =
        |measure: usize, label: String, height: f64, banded: bool, references: &[&Reference]| {
            let curves: Vec<Curve> = (0..lines.len())
                .map(|line| curve(line, measure, banded))
                .collect();
            let levels: Vec<Level> = references
                .iter()
                .filter_map(|it| level(it, measure))
                .collect();
            let ends = curves
                .iter()
                .flat_map(|it| it.band.iter().flatten())
                .copied();
            let values = curves
                .iter()
                .flat_map(|it| it.points.iter().map(|point| point.1));
            let values = values.chain(ends).chain(levels.iter().map(|it| it.y));
            Panel {
                y: Axis::around(label, values),
                height,
                curves,
                levels,
            }
        };
    let of_topics = format!("mean of {topics} {}", plural(topics, "topic"));
    let mut panels = vec![panel(
        measure,
        format!("{measure_name}, {of_topics}"),
        if wide { 280.0 } else { 230.0 },
        has_bands,
        &references,
    )];
    if let Some(judged) = judged {
        let name = &swept.measures[judged];
        let label = match wide {
            true => format!("{name}, share of the top that was judged (dashed: unfiltered)"),
            false => format!("{name} (dashed: unfiltered)"),
        };
        let mut panel = panel(judged, label, 64.0, false, &[]);
        let plain = references.iter().filter(|it| it.name == super::UNFILTERED);
        panel.levels = plain.filter_map(|it| level(it, judged)).collect();
        for level in &mut panel.levels {
            level.label = format!("{:.3}", level.y);
        }
        // A share: all of it is shown.
        (panel.y.from, panel.y.to) = (0.0, 1.0);
        panels.push(panel);
    }
    let mut note = match has_bands {
        true => format!(
            "Shaded: 95 % bootstrap interval of the mean over {topics} {}. ",
            plural(topics, "topic")
        ),
        false => String::new(),
    };
    if !references.is_empty() {
        note += "Horizontal: searches without a threshold.";
    }
    chart::svg(&Chart {
        title: diagram.title.clone(),
        note,
        legend: (0..).map(Style::line).zip(names.iter().cloned()).collect(),
        x,
        panels,
        stops: stops(swept, diagram, &lines, &names, judged),
        width: if wide { 680.0 } else { 360.0 },
    })
}

/// What a pointer is told at each threshold.
fn stops(
    swept: &Swept,
    diagram: &Diagram,
    lines: &[&SweptLine],
    names: &[String],
    judged: Option<usize>,
) -> Vec<(f64, String)> {
    let mut points: Vec<&Point> = lines
        .iter()
        .flat_map(|line| &line.points)
        .filter(|point| point.x.is_finite())
        .collect();
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    points.dedup_by(|a, b| a.x == b.x);
    let tip = |at: &Point| {
        let mut tip = format!("{} {}", diagram.dimension, at.threshold);
        for (line, name) in lines.iter().zip(names) {
            let Some(point) = line.points.iter().find(|point| point.x == at.x) else {
                continue;
            };
            tip += &format!(
                "\n{name}: {} {}",
                swept.measures[diagram.measure],
                value_text(&point.result, diagram.measure)
            );
            if let Some(judged) = judged {
                tip += &format!(
                    ", {} {}",
                    swept.measures[judged],
                    number(mean(&point.result, judged))
                );
            }
        }
        tip
    };
    points.iter().map(|point| (point.x, tip(point))).collect()
}

/// The share of judged documents to show beside a measure: at its cutoff, or else the first.
fn judged_beside(swept: &Swept, measure: &str) -> Option<usize> {
    let cutoff = measure.split_once('@').map(|(_, cutoff)| cutoff);
    let at = |wanted: Option<&str>| {
        let mut measures = swept.measures.iter();
        measures.position(|name| is_judged(name) && wanted.is_none_or(|it| name[7..] == *it))
    };
    cutoff
        .and_then(|cutoff| at(Some(cutoff)))
        .or_else(|| at(None))
}

/// The ends of a mean's interval, if they are numbers.
fn interval(result: &Measured, measure: usize) -> Option<[f64; 2]> {
    let ends = result.intervals.get(measure).copied()?;
    ends.iter().all(|end| end.is_finite()).then_some(ends)
}

/// A mean and its interval.
fn value_text(result: &Measured, measure: usize) -> String {
    let value = number(mean(result, measure));
    match interval(result, measure) {
        Some([low, high]) => format!("{value} ({low:.3} to {high:.3})"),
        None => value,
    }
}

/// What a dimension is.
fn axis_label(dimension: &str, long: bool) -> String {
    let name = dimension.split('(').next().unwrap_or(dimension);
    let Some(about) = attribute::bound(name).map(|bound| bound.label()) else {
        return dimension.to_owned();
    };
    match long {
        true => format!("{dimension}: {about}"),
        false => about,
    }
}

/// What tells lines of one diagram apart: their models, their bases, or both.
fn line_names(lines: &[&SweptLine]) -> Vec<String> {
    let models = distinct(lines.iter().map(|line| line.model.as_str())).len();
    let bases = distinct(lines.iter().map(|line| line.base.as_str())).len();
    let name = |line: &&SweptLine| {
        let base = if line.base.is_empty() {
            "no other threshold"
        } else {
            &line.base
        };
        match (models, bases) {
            (_, 1) => line.model.clone(),
            (1, _) => base.to_owned(),
            _ => format!("{}, {base}", line.model),
        }
    };
    lines.iter().map(name).collect()
}

/// Models without their parameters, if that still tells them apart.
fn short_names(models: &[&str]) -> Vec<String> {
    let short = |model: &&str| {
        let parts = model
            .split('+')
            .map(|part| part.split(':').next().unwrap_or_default());
        parts.collect::<Vec<_>>().join("+")
    };
    let names: Vec<String> = models.iter().map(short).collect();
    match distinct(names.iter().map(String::as_str)).len() == models.len() {
        true => names,
        false => models.iter().map(|&model| model.to_owned()).collect(),
    }
}

/// Each of them once, in order of appearance.
pub(super) fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut found: Vec<&str> = Vec::new();
    for name in names {
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found
}
