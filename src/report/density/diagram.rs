//! The diagrams of the analysis, in the order of the papers' figures.

use std::cmp::Ordering;

use crate::experiment::density::{
    Amount, Analysis, DENSEST, Fit, FitOf, Histogram, LONGEST, shares_by_density, shares_by_words,
};
use crate::report::chart::{Axis, Chart, Curve, Panel, Style, svg};

/// A diagram as SVG.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagram {
    /// Its name, fit for a file.
    pub file: &'static str,
    /// Its heading.
    pub title: String,
    /// The section that it belongs to.
    pub section: &'static str,
    /// For pages and files.
    pub wide: String,
    /// For narrow screens.
    pub narrow: String,
}

/// Heights of panels in pixels.
const TALL: f64 = 260.0;
const LOW: f64 = 170.0;

/// From so many words on a block's share is drawn once more, larger: WSDM 2010, Figure 4.
const MAGNIFIED: usize = 11;

/// All diagrams that there are data for.
pub fn diagrams(analysis: &Analysis) -> Vec<Diagram> {
    let mut diagrams = vec![
        words_by_class(analysis),
        words_fit(analysis),
        density_by_class(analysis),
    ];
    diagrams.extend(density_fit(analysis));
    diagrams.push(full_stops(analysis));
    diagrams.push(templates(analysis));
    diagrams
}

fn diagram(file: &'static str, section: &'static str, chart: Chart) -> Diagram {
    let at = |width: f64| {
        let mut chart = chart.clone();
        chart.width = width;
        // What is told at a place takes much of the file, and narrow screens have no pointer.
        if width < 500.0 {
            chart.stops.clear();
        }
        svg(&chart)
    };
    Diagram {
        file,
        title: chart.title.clone(),
        section,
        wide: at(720.0),
        narrow: at(400.0),
    }
}

/// Values of one kind over the horizontal axis.
struct Series {
    name: String,
    values: Vec<f64>,
}

/// Series in areas on top of each other, the first at the bottom, over whole numbers from `first` on.
fn stacked(series: &[Series], first: usize) -> (Vec<(Style, String)>, Vec<Curve>) {
    let mut ground: Vec<f64> = Vec::new();
    let mut curves = Vec::new();
    let mut legend = Vec::new();
    for (number, series) in series.iter().enumerate() {
        let style = Style::line(number);
        ground.resize(series.values.len(), 0.0);
        let tops = ground.iter().zip(&series.values).map(|(a, b)| a + b);
        let tops: Vec<f64> = tops.collect();
        curves.push(Curve {
            style,
            points: places(first).zip(tops.iter().copied()).collect(),
            band: ground.iter().zip(&tops).map(|(a, b)| [*a, *b]).collect(),
        });
        legend.push((style, series.name.clone()));
        ground = tops;
    }
    (legend, curves)
}

/// For each place of the axis what the series are there.
fn stops(series: &[Series], first: usize, place: impl Fn(usize) -> String) -> Vec<(f64, String)> {
    let count = series.first().map_or(0, |series| series.values.len());
    let tip = |at: usize| {
        let each = series.iter().map(|series| {
            let value = series.values.get(at).copied().unwrap_or(0.0);
            format!("\n{}: {value:.2} %", series.name)
        });
        place(at + first) + &each.collect::<String>()
    };
    places(first).zip((0..count).map(tip)).collect()
}

fn places(first: usize) -> impl Iterator<Item = f64> {
    (first as u32..).map(f64::from)
}

/// The classes' shares in percent of the sum over all bins, for the bins `first` to `last`; of all blocks together without a gold
/// standard, and what no class has.
fn by_class(
    histogram: &Histogram,
    part: fn(&Amount) -> u64,
    first: usize,
    last: usize,
) -> Vec<Series> {
    let bins = |bins: &[Amount]| -> Vec<u64> {
        let range = bins.get(first..=last).unwrap_or_default();
        range.iter().map(part).collect()
    };
    // Blocks without words, and words without density, are not drawn and not counted.
    let counted = histogram.bins.get(first..).unwrap_or_default();
    let sum: u64 = counted.iter().map(part).sum();
    let percent = |count: u64| 100.0 * count as f64 / sum.max(1) as f64;
    let mut rest = bins(&histogram.bins);
    let mut series: Vec<Series> = Vec::new();
    for (name, of_class) in &histogram.classes {
        let counts = bins(of_class);
        for (rest, count) in rest.iter_mut().zip(&counts) {
            *rest = rest.saturating_sub(*count);
        }
        series.push(Series {
            name: (*name).to_owned(),
            values: counts.into_iter().map(percent).collect(),
        });
    }
    // The greatest at the bottom, but for boilerplate, which is on top as in the papers' figures.
    let place = |series: &Series| {
        let sum: f64 = series.values.iter().sum();
        (series.name == "boilerplate", -sum)
    };
    series.sort_by(|a, b| place(a).partial_cmp(&place(b)).unwrap_or(Ordering::Equal));
    if rest.iter().any(|count| *count > 0) {
        series.push(Series {
            name: match histogram.classes.is_empty() {
                true => "all blocks".to_owned(),
                false => "no label".to_owned(),
            },
            values: rest.into_iter().map(percent).collect(),
        });
    }
    series
}

/// The last density that is worth a place: a thousandth of the words stand in denser blocks.
fn last_density(analysis: &Analysis) -> usize {
    let shares = shares_by_density(&analysis.by_density);
    let mut rest = 0.0;
    let mut last = shares.len().saturating_sub(1);
    for (number, (_, share)) in shares.iter().enumerate().rev() {
        rest += share;
        if rest > 0.001 {
            break;
        }
        last = number;
    }
    last.clamp(16, DENSEST)
}

/// An axis over the values, and one over those of `MAGNIFIED` words and more.
fn two_panels(curves: &[Curve], label: &str) -> Vec<Panel> {
    let values = |from: usize| {
        let points = curves.iter().flat_map(|curve| &curve.points);
        let points = points.filter(move |(x, _)| *x >= from as f64);
        points.map(|(_, y)| *y)
    };
    [
        (0, TALL, ""),
        (MAGNIFIED, LOW, ", magnified; what is higher is cut off"),
    ]
    .map(|(from, height, how)| {
        let axis = Axis::around(format!("{label}{how}"), values(from));
        Panel {
            y: Axis { from: 0.0, ..axis },
            height,
            curves: curves.to_vec(),
            levels: Vec::new(),
        }
    })
    .to_vec()
}

fn one_panel(curves: Vec<Curve>, label: &str) -> Vec<Panel> {
    let panels = two_panels(&curves, label);
    panels.into_iter().take(1).collect()
}

fn words_axis() -> Axis {
    Axis {
        label: "words in a block".to_owned(),
        from: 1.0,
        to: LONGEST as f64,
    }
}

fn density_axis(last: usize) -> Axis {
    Axis {
        label: "text density of a block, rounded".to_owned(),
        from: 0.0,
        to: last as f64,
    }
}

/// How classes are drawn, if there are any.
fn stacking(analysis: &Analysis) -> &'static str {
    match analysis.classes.is_empty() {
        true => "",
        false => "Classes stand on top of each other.",
    }
}

/// WSDM 2010, Figure 4.
fn words_by_class(analysis: &Analysis) -> Diagram {
    let series = by_class(&analysis.by_words, |bin| bin.blocks, 1, LONGEST);
    let (legend, curves) = stacked(&series, 1);
    let beyond = analysis
        .by_words
        .bins
        .last()
        .map_or(0, |beyond| beyond.blocks);
    diagram(
        "words",
        "words",
        Chart {
            title: "Blocks by number of words".to_owned(),
            note: format!(
                "{beyond} longer blocks are not drawn. {}",
                stacking(analysis)
            ),
            legend,
            x: words_axis(),
            panels: two_panels(&curves, "blocks (%)"),
            stops: stops(&series, 1, |words| format!("{words} words")),
            ..Chart::default()
        },
    )
}

/// Points, curves through them, and the parts of the last curve, all in percent.
fn fitted(
    observed: &str,
    points: &[(f64, f64)],
    fits: &[&Fit],
    first: usize,
) -> (Vec<(Style, String)>, Vec<Curve>, Vec<Series>) {
    let percent = |values: &[f64]| values.iter().map(|it| 100.0 * it).collect::<Vec<f64>>();
    let shares: Vec<f64> = points.iter().map(|(_, share)| *share).collect();
    let mut drawn = vec![(Style::default(), observed.to_owned(), percent(&shares))];
    for (number, fit) in fits.iter().enumerate() {
        let name = fit.name.to_owned();
        drawn.push((Style::line(number), name, percent(&fit.values)));
    }
    if let Some(last) = fits.last() {
        for (number, (name, values)) in last.parts.iter().enumerate() {
            // Behind the colours of the curves, dashed.
            let style = Style {
                colour: Some(fits.len() + number),
                dash: 1,
            };
            drawn.push((style, (*name).to_owned(), percent(values)));
        }
    }
    let mut legend = Vec::new();
    let mut curves = Vec::new();
    let mut series = Vec::new();
    for (style, name, mut values) in drawn {
        values.truncate(points.len());
        legend.push((style, name.clone()));
        curves.push(Curve {
            style,
            points: places(first).zip(values.iter().copied()).collect(),
            band: Vec::new(),
        });
        series.push(Series { name, values });
    }
    (legend, curves, series)
}

fn fits_of(analysis: &Analysis, of: FitOf) -> Vec<&Fit> {
    analysis.fits.iter().filter(|fit| fit.of == of).collect()
}

/// WSDM 2010 §5.2.
fn words_fit(analysis: &Analysis) -> Diagram {
    let fits = fits_of(analysis, FitOf::BlocksByWords);
    let points = shares_by_words(&analysis.by_words);
    let (legend, curves, series) = fitted("blocks", &points, &fits, 1);
    diagram(
        "words-fit",
        "words",
        Chart {
            title: "The random writers".to_owned(),
            note: "Dashed: the two parts of the mixture.".to_owned(),
            legend,
            x: words_axis(),
            panels: two_panels(&curves, "blocks (%)"),
            stops: stops(&series, 1, |words| format!("{words} words")),
            ..Chart::default()
        },
    )
}

/// WSDM 2010, Figures 3 and 5.
fn density_by_class(analysis: &Analysis) -> Diagram {
    let last = last_density(analysis);
    let series = by_class(&analysis.by_density, |bin| bin.words, 0, last);
    let (legend, curves) = stacked(&series, 0);
    diagram(
        "density",
        "density",
        Chart {
            title: "Words by text density of their block".to_owned(),
            note: stacking(analysis).to_owned(),
            legend,
            x: density_axis(last),
            panels: one_panel(curves, "words (%)"),
            stops: stops(&series, 0, |density| format!("density {density}")),
            ..Chart::default()
        },
    )
}

/// WWW 2009, Figure 1.
fn density_fit(analysis: &Analysis) -> Option<Diagram> {
    let fits = fits_of(analysis, FitOf::WordsByDensity);
    fits.first()?;
    let last = last_density(analysis);
    let mut points = shares_by_density(&analysis.by_density);
    points.truncate(last + 1);
    let (legend, curves, series) = fitted("words", &points, &fits, 0);
    Some(diagram(
        "density-fit",
        "density",
        Chart {
            title: "The density distribution model".to_owned(),
            note: "Dashed: the three parts of the model.".to_owned(),
            legend,
            x: density_axis(last),
            panels: one_panel(curves, "words (%)"),
            stops: stops(&series, 0, |density| format!("density {density}")),
            ..Chart::default()
        },
    ))
}

/// Tokens by density, in those that pass and the rest.
fn parted(
    analysis: &Analysis,
    passing: &[Amount],
    names: [&str; 2],
    file: &'static str,
    title: &str,
) -> Diagram {
    let last = last_density(analysis);
    let sum: u64 = analysis.by_density.bins.iter().map(|bin| bin.tokens).sum();
    let percent = |count: u64| 100.0 * count as f64 / sum.max(1) as f64;
    let pairs = analysis.by_density.bins.iter().zip(passing).take(last + 1);
    let parts: Vec<[f64; 2]> = pairs
        .map(|(all, part)| {
            let rest = all.tokens.saturating_sub(part.tokens);
            [percent(part.tokens), percent(rest)]
        })
        .collect();
    let series = [0, 1].map(|number| Series {
        name: names[number].to_owned(),
        values: parts.iter().map(|part| part[number]).collect(),
    });
    let (legend, curves) = stacked(&series, 0);
    diagram(
        file,
        file,
        Chart {
            title: title.to_owned(),
            note: "Both stand on top of each other.".to_owned(),
            legend,
            x: density_axis(last),
            panels: one_panel(curves, "tokens (%)"),
            stops: stops(&series, 0, |density| format!("density {density}")),
            ..Chart::default()
        },
    )
}

/// WWW 2009 §4.
fn full_stops(analysis: &Analysis) -> Diagram {
    parted(
        analysis,
        &analysis.full_stops.with,
        ["blocks with a full stop", "blocks without one"],
        "full-stops",
        "Tokens in blocks with and without a full stop",
    )
}

/// WWW 2009 §4.
fn templates(analysis: &Analysis) -> Diagram {
    parted(
        analysis,
        &analysis.templates.bins,
        ["frequent templates", "other blocks"],
        "templates",
        "Tokens in frequent templates and in other blocks",
    )
}
