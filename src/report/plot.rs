//! Plots.

use plotters::element::DashedPathElement;
use plotters::prelude::*;

use super::ReportError;

/// A line of a ranked plot.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// Its name in the legend.
    pub name: String,
    /// A value of each page, 0..=1, in any order.
    pub values: Vec<f64>,
}

/// Size of a plot in pixels.
const SIZE: (u32, u32) = (960, 720);

/// Colours of Okabe and Ito's palette, which colour-blind readers can tell apart, without its yellow.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(0, 0, 0),
];

/// Lengths of a line's dashes and gaps in pixels: which line it is, when the colours are used up.
const DASHES: [Option<(i32, i32)>; 3] = [None, Some((8, 4)), Some((2, 4))];

/// A line as it is drawn.
struct Drawn {
    /// What the legend says.
    label: String,
    mean: f64,
    /// The values, highest first.
    values: Vec<f64>,
    colour: RGBColor,
    dash: Option<(i32, i32)>,
}

/// The values of each line from the highest to the lowest, as in WSDM 2010, Figure 2, with mean (µ) and median (m) in the
/// legend, best mean first. A line's colour goes by its place among `lines`, so that plots of the same lines are drawn alike.
/// SVG.
///
/// # Errors
/// None that is known; the drawing library has errors for its other backends.
pub fn ranked(title: &str, unit: &str, lines: &[Ranked]) -> Result<String, ReportError> {
    let mut lines: Vec<Drawn> = lines
        .iter()
        .enumerate()
        .map(|(number, line)| {
            let mut values = line.values.clone();
            values.sort_by(|a, b| b.total_cmp(a));
            let n = values.len().max(1);
            let mean = values.iter().sum::<f64>() / n as f64;
            let middle = |place: usize| values.get(place).copied().unwrap_or(0.0);
            let median = (middle(n / 2) + middle((n - 1) / 2)) / 2.0;
            let label = format!(
                "{}: µ {:.1} %, m {:.1} %",
                line.name,
                100.0 * mean,
                100.0 * median
            );
            Drawn {
                label,
                mean,
                values,
                colour: COLOURS[number % COLOURS.len()],
                dash: DASHES[number / COLOURS.len() % DASHES.len()],
            }
        })
        .collect();
    lines.sort_by(|a, b| {
        let by_name = || a.label.cmp(&b.label);
        b.mean.total_cmp(&a.mean).then_with(by_name)
    });
    let pages = lines
        .iter()
        .map(|line| line.values.len())
        .max()
        .unwrap_or(0)
        .max(2);
    let mut svg = String::new();
    draw(&mut svg, title, unit, &lines, pages).map_err(|error| ReportError(error.to_string()))?;
    Ok(svg)
}

fn draw(
    svg: &mut String,
    title: &str,
    unit: &str,
    lines: &[Drawn],
    pages: usize,
) -> Result<(), Box<dyn std::error::Error>> {
    let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 20))
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(56)
        .build_cartesian_2d(1f64..pages as f64, 0f64..1f64)?;
    let percent = |value: &f64| format!("{:.0}", 100.0 * value);
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc("pages, best first")
        .y_desc(format!("{unit} (%)"))
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_label_formatter(&percent)
        .y_labels(11)
        .label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 15))
        .draw()?;
    for line in lines {
        let style = line.colour.stroke_width(2);
        let points = (1u32..)
            .zip(&line.values)
            .map(|(rank, value)| (f64::from(rank), *value));
        let dashes = line.dash;
        let series = match dashes {
            None => chart.draw_series(LineSeries::new(points, style))?,
            Some((dash, gap)) => {
                chart.draw_series(DashedLineSeries::new(points, dash, gap, style))?
            }
        };
        series
            .label(line.label.as_str())
            .legend(move |(x, y)| match dashes {
                None => PathElement::new(vec![(x, y), (x + 24, y)], style).into_dyn(),
                Some((dash, gap)) => {
                    DashedPathElement::new([(x, y), (x + 24, y)], dash, gap, style).into_dyn()
                }
            });
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerLeft)
        .legend_area_size(32)
        .margin(12)
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.3))
        .label_font(("sans-serif", 14))
        .draw()?;
    root.present()?;
    Ok(())
}
