//! What each threshold changes: the difference to the unfiltered search, with its paired interval, a panel a line.

use super::diagram::{Diagram, Width, axis_label, distinct, line_names, short_names};
use super::{finite, mean, plural, unfiltered};
use crate::experiment::sweep::{Measured, Swept, SweptLine};
use crate::measure::significance::Resamples;
use crate::report::chart::{self, Axis, Chart, Curve, Level, Panel, Style};

/// Level of the intervals.
const LEVEL: f64 = 0.95;

/// Seed of the bootstrap: that of sweeps.
const SEED: u64 = 2010;

/// Heights of panels in pixels: of a single one, and of several.
const ALONE: f64 = 260.0;
const ONE_OF: f64 = 130.0;

/// Distances on the axis, in shares of it, from which labels of removers are told apart.
const APART: f64 = 0.004;

/// The diagram as SVG: small multiples, a panel for each series of thresholds and model, with the mean difference of the measure to the
/// search without a filter under the same model, and its interval by resampling topics: both searches of a topic are drawn together, so
/// that the interval is that of the pairs, as p is. Removers are dashed lines. All panels have the same vertical axis, which
/// is as long as the differences and intervals want, and says so. It can be read without colours: each panel has one line, and each
/// remover its own dashes. None where no line has an unfiltered search to compare with.
pub fn difference_plot(swept: &Swept, diagram: &Diagram, width: Width) -> Option<String> {
    let lines = diagram.lines.iter();
    let lines: Vec<&SweptLine> = lines.filter_map(|&line| swept.lines.get(line)).collect();
    let resamples = Resamples::new(swept.topics.len(), SEED);
    let pairs = Pairs {
        swept,
        measure: diagram.measure,
        resamples,
    };
    let curves: Vec<Option<Curve>> = lines.iter().map(|line| pairs.curve(line)).collect();
    if curves.iter().all(Option::is_none) {
        return None;
    }
    let names = distinct(swept.references.iter().map(|it| it.name.as_str()));
    let levels: Vec<Vec<Level>> = lines
        .iter()
        .map(|line| pairs.levels(line, &names))
        .collect();
    let ends = curves
        .iter()
        .flatten()
        .flat_map(|it| it.band.iter().flatten());
    let values = ends.copied().chain(levels.iter().flatten().map(|it| it.y));
    let shared = Axis::around("", values.chain([0.0]));
    let measure = swept
        .measures
        .get(diagram.measure)
        .map_or("", String::as_str);
    let models = distinct(lines.iter().map(|line| line.model.as_str()));
    let shorter = short_names(&models);
    let heads = line_names(&lines).into_iter().map(|name| {
        let model = models.iter().position(|model| *model == name);
        model.map_or(name, |at| shorter[at].clone())
    });
    let wide = width == Width::Wide;
    let panels = curves.into_iter().zip(levels).zip(heads).zip(&lines);
    let panels: Vec<Panel> = panels
        .filter_map(|(((curve, levels), head), line)| {
            let base = unfiltered(swept, line).and_then(|it| mean(&it.result, diagram.measure));
            let base = base.map_or_else(String::new, |base| format!(", 0 is {base:.3}"));
            Some(Panel {
                y: Axis {
                    label: format!("{head}: Δ {measure}{base}"),
                    ..shared.clone()
                },
                height: if lines.len() == 1 { ALONE } else { ONE_OF },
                curves: vec![curve?],
                levels,
            })
        })
        .collect();
    let topics = swept.topics.len();
    let several = match panels.len() {
        1 => "The vertical axis is zoomed",
        _ => "All vertical axes are the same, and zoomed",
    };
    let removers = match panels.iter().any(|panel| panel.levels.len() > 1) {
        true => " Dashed: removers instead of thresholds.",
        false => "",
    };
    let note = format!(
        "Difference to the unfiltered search under the same model, with the 95 % interval of the paired difference over {topics} {} \
         (bootstrap). {several}: {:+.3} to {:+.3}.{removers}",
        plural(topics, "topic"),
        shared.from,
        shared.to
    );
    let points = lines.iter().flat_map(|line| &line.points);
    let xs = points.map(|point| point.x).filter(|x| x.is_finite());
    let highest = xs.clone().fold(f64::NEG_INFINITY, f64::max);
    let mut x = Axis::around(axis_label(&diagram.dimension, wide), xs);
    if highest > x.from && highest < x.to {
        x.to = highest;
    }
    Some(chart::svg(&Chart {
        title: format!("What {} changes: Δ {measure}", diagram.dimension),
        note,
        legend: Vec::new(),
        x,
        panels,
        stops: Vec::new(),
        width: if wide { 680.0 } else { 360.0 },
    }))
}

/// Differences by one measure.
struct Pairs<'a> {
    swept: &'a Swept,
    measure: usize,
    resamples: Resamples,
}

impl Pairs<'_> {
    /// By topic what a ranking has more than another.
    fn differences(&self, one: &Measured, base: &Measured) -> Option<Vec<f64>> {
        let (one, base) = (
            one.scores.get(self.measure)?,
            base.scores.get(self.measure)?,
        );
        let pairs = one.iter().zip(base).map(|(one, base)| one - base);
        let differences: Vec<f64> = pairs.collect();
        let whole = differences.len() == self.swept.topics.len() && !differences.is_empty();
        whole.then_some(differences)
    }

    fn curve(&self, line: &SweptLine) -> Option<Curve> {
        let base = &unfiltered(self.swept, line)?.result;
        let mut curve = Curve {
            style: FULL,
            ..Curve::default()
        };
        for point in &line.points {
            let x = finite(Some(&point.x));
            let (Some(x), Some(of)) = (x, self.differences(&point.result, base)) else {
                continue;
            };
            let interval = self.resamples.interval(LEVEL, |drawn| average(drawn, &of));
            curve
                .points
                .push((x, of.iter().sum::<f64>() / of.len() as f64));
            curve.band.push([*interval.start(), *interval.end()]);
        }
        (!curve.points.is_empty()).then_some(curve)
    }

    /// The unfiltered search, which is 0, and the removers under a line's model. Of removers that lie on each other one has the names of all.
    fn levels(&self, line: &SweptLine, names: &[&str]) -> Vec<Level> {
        let Some(base) = unfiltered(self.swept, line) else {
            return Vec::new();
        };
        let mut levels: Vec<Level> = Vec::new();
        for it in self
            .swept
            .references
            .iter()
            .filter(|it| it.model == line.model)
        {
            let Some(of) = self.differences(&it.result, &base.result) else {
                continue;
            };
            let y = of.iter().sum::<f64>() / of.len() as f64;
            let place = names.iter().position(|name| *name == it.name).unwrap_or(0);
            let is_base = it.name == super::UNFILTERED;
            let there = levels
                .iter_mut()
                .find(|level| (level.y - y).abs() < APART * 0.1 && !is_base);
            if let Some(level) = there {
                level.label += &format!(", {}", it.name);
                continue;
            }
            levels.push(Level {
                style: Style {
                    colour: None,
                    dash: if is_base { 0 } else { place },
                },
                y,
                label: match is_base {
                    true => it.name.clone(),
                    false => format!("{y:+.3} {}", it.name),
                },
                tip: format!("{}, {}: {y:+.3}", it.name, it.model),
            });
        }
        levels
    }
}

/// The first colour of the palette, with a full line.
const FULL: Style = Style {
    colour: Some(0),
    dash: 0,
};

fn average(drawn: &[usize], values: &[f64]) -> f64 {
    drawn.iter().map(|&at| values[at]).sum::<f64>() / drawn.len() as f64
}
