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
    let lines = diagram.lines.iter();
    let lines: Vec<&SweptLine> = lines.filter_map(|&line| swept.lines.get(line)).collect();
    let models = distinct(lines.iter().map(|line| line.model.as_str()));
    let references = swept.references.iter();
    let references = references.filter(|it| models.contains(&it.model.as_str()));
    let drawn = Drawn {
        swept,
        references: references.collect(),
        models,
        lines,
        wide: width == Width::Wide,
    };
    let measure_name = swept
        .measures
        .get(diagram.measure)
        .map_or("", String::as_str);
    let judged = judged_beside(swept, measure_name).filter(|judged| *judged != diagram.measure);
    let names = line_names(&drawn.lines);
    chart::svg(&Chart {
        title: diagram.title.clone(),
        note: drawn.note(),
        legend: (0..).map(Style::line).zip(names.iter().cloned()).collect(),
        x: drawn.x(&diagram.dimension),
        panels: std::iter::once(drawn.measure_panel(diagram.measure, measure_name))
            .chain(judged.map(|judged| drawn.judged_panel(judged)))
            .collect(),
        stops: stops(swept, diagram, &drawn.lines, &names, judged),
        width: if drawn.wide { 680.0 } else { 360.0 },
    })
}

/// What a diagram shows.
struct Drawn<'a> {
    swept: &'a Swept,
    lines: Vec<&'a SweptLine>,
    /// Their models, each once.
    models: Vec<&'a str>,
    /// The references of these models.
    references: Vec<&'a Reference>,
    wide: bool,
}

impl Drawn<'_> {
    fn has_bands(&self) -> bool {
        self.lines.len() <= BANDS
    }

    fn topics(&self) -> String {
        let topics = self.swept.topics.len();
        format!("{topics} {}", plural(topics, "topic"))
    }

    fn note(&self) -> String {
        let mut note = match self.has_bands() {
            true => format!(
                "Shaded: 95 % bootstrap interval of the mean over {}. ",
                self.topics()
            ),
            false => String::new(),
        };
        if !self.references.is_empty() {
            note += "Horizontal: searches without a threshold.";
        }
        note
    }

    /// The axis of thresholds, which ends at the last one.
    fn x(&self, dimension: &str) -> Axis {
        let points = self.lines.iter().flat_map(|line| &line.points);
        let xs = points.map(|point| point.x).filter(|x| x.is_finite());
        let highest = xs.clone().fold(f64::NEG_INFINITY, f64::max);
        let mut x = Axis::around(axis_label(dimension, self.wide), xs);
        if highest > x.from && highest < x.to {
            x.to = highest;
        }
        x
    }

    /// A reference has the colour of its model's line, if there is but one.
    fn colour(&self, model: &str) -> Option<usize> {
        let mut of_model = (0..self.lines.len()).filter(|&it| self.lines[it].model == model);
        let first = of_model.next()?;
        match of_model.next() {
            None => Style::line(first).colour,
            Some(_) => None,
        }
    }

    fn level(&self, reference: &Reference, measure: usize) -> Option<Level> {
        let value = mean(&reference.result, measure)?;
        let kinds = distinct(self.references.iter().map(|it| it.name.as_str()));
        let kind = kinds.iter().position(|name| *name == reference.name)?;
        let mut models = self.models.iter();
        let place = models.position(|model| *model == reference.model)?;
        let label = match (self.wide, self.models.len()) {
            (false, _) => reference.name.clone(),
            (true, 1) => format!("{value:.3} {}", reference.name),
            (true, _) => {
                let model = &short_names(&self.models)[place];
                format!("{value:.3} {} {model}", reference.name)
            }
        };
        Some(Level {
            style: Style {
                colour: self.colour(&reference.model),
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
    }

    fn curve(&self, number: usize, measure: usize, banded: bool) -> Curve {
        let points = || {
            let points = self.lines[number].points.iter();
            points.filter_map(|point| Some((finite(Some(&point.x))?, point)))
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
    }

    /// All lines by a measure, with these levels.
    fn panel(
        &self,
        measure: usize,
        label: String,
        height: f64,
        banded: bool,
        levels: Vec<Level>,
    ) -> Panel {
        let lines = 0..self.lines.len();
        let curves: Vec<Curve> = lines
            .map(|line| self.curve(line, measure, banded))
            .collect();
        let ends = curves.iter().flat_map(|it| it.band.iter().flatten());
        let values = curves.iter().flat_map(|it| &it.points);
        let values = values.map(|point| point.1).chain(ends.copied());
        let values = values.chain(levels.iter().map(|it| it.y));
        Panel {
            y: Axis::around(label, values),
            height,
            curves,
            levels,
        }
    }

    fn measure_panel(&self, measure: usize, name: &str) -> Panel {
        let levels = self.references.iter();
        let levels = levels.filter_map(|it| self.level(it, measure)).collect();
        let label = format!("{name}, mean of {}", self.topics());
        let height = if self.wide { 280.0 } else { 230.0 };
        self.panel(measure, label, height, self.has_bands(), levels)
    }

    /// How much of what is measured was judged: a share, all of which is shown.
    fn judged_panel(&self, judged: usize) -> Panel {
        let name = &self.swept.measures[judged];
        let label = match self.wide {
            true => format!("{name}, share of the top that was judged (dashed: unfiltered)"),
            false => format!("{name} (dashed: unfiltered)"),
        };
        let mut panel = self.panel(judged, label, 64.0, false, Vec::new());
        let plain = self.references.iter();
        let plain = plain.filter(|it| it.name == super::UNFILTERED);
        let levels = plain.filter_map(|it| self.level(it, judged));
        panel.levels = levels
            .map(|level| Level {
                label: format!("{:.3}", level.y),
                ..level
            })
            .collect();
        (panel.y.from, panel.y.to) = (0.0, 1.0);
        panel
    }
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
pub(super) fn axis_label(dimension: &str, long: bool) -> String {
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
pub(super) fn line_names(lines: &[&SweptLine]) -> Vec<String> {
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
pub(super) fn short_names(models: &[&str]) -> Vec<String> {
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
