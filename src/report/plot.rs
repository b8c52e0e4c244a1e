//! Plots of what extractors score.

use super::chart::{Axis, Chart, Curve, Panel, Style, svg};

/// A line of a ranked plot.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// Its name in the legend.
    pub name: String,
    /// A value of each page, 0..=1, in any order.
    pub values: Vec<f64>,
}

/// The values of each line from the highest to the lowest, as in WSDM 2010, Figure 2, with mean (µ) and median (m) in the
/// legend, best mean first. A line's colour goes by its place among `lines`, so that plots of the same lines are drawn alike.
/// SVG.
pub fn ranked(title: &str, unit: &str, lines: &[Ranked]) -> String {
    let mut drawn: Vec<(f64, String, Curve)> = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let mut values: Vec<f64> = line.values.iter().map(|value| 100.0 * value).collect();
        values.sort_by(|a, b| b.total_cmp(a));
        let n = values.len().max(1);
        let mean = values.iter().sum::<f64>() / n as f64;
        let middle = |place: usize| values.get(place).copied().unwrap_or(0.0);
        let median = (middle(n / 2) + middle((n - 1) / 2)) / 2.0;
        let curve = Curve {
            style: Style::line(number),
            points: (1u32..).map(f64::from).zip(values).collect(),
            band: Vec::new(),
        };
        drawn.push((
            mean,
            format!("{}: µ {mean:.1} %, m {median:.1} %", line.name),
            curve,
        ));
    }
    drawn.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let pages = lines
        .iter()
        .map(|line| line.values.len())
        .max()
        .unwrap_or(0)
        .max(2);
    svg(&Chart {
        title: title.to_owned(),
        legend: drawn
            .iter()
            .map(|(_, label, curve)| (curve.style, label.clone()))
            .collect(),
        x: Axis {
            label: "pages, best first".to_owned(),
            from: 1.0,
            to: pages as f64,
        },
        panels: vec![Panel {
            y: Axis {
                label: format!("{unit} (%)"),
                from: 0.0,
                to: 100.0,
            },
            height: 480.0,
            curves: drawn.into_iter().map(|(_, _, curve)| curve).collect(),
            levels: Vec::new(),
        }],
        width: 960.0,
        ..Chart::default()
    })
}
