//! Line charts as SVG.
//!
//! Every colour is written out, so that a file reads the same in any program, on white. Elements also have classes, by which a
//! page that takes the SVG in can colour them anew: `paper`, `ink`, `muted`, `grid`; `l0` … `l6` are lines and `f0` … `f6` areas of
//! the palette, `lm` and `fm` those that belong to none of its colours; `stop` is the part of the plot whose `title` says what is there.

use std::fmt::Write;

use crate::text::escape_markup;

/// A chart: panels below each other that share the horizontal axis.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Chart {
    /// Heading.
    pub title: String,
    /// What stands below.
    pub note: String,
    /// Entries of the legend.
    pub legend: Vec<(Style, String)>,
    /// The horizontal axis.
    pub x: Axis,
    /// From top to bottom.
    pub panels: Vec<Panel>,
    /// What a pointer is told at a place of the horizontal axis; by ascending place.
    pub stops: Vec<(f64, String)>,
    /// Width in pixels.
    pub width: f64,
}

/// An axis.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Axis {
    /// What is on it.
    pub label: String,
    /// Its lower end.
    pub from: f64,
    /// Its upper end, above the lower one.
    pub to: f64,
}

/// A plot.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Panel {
    /// The vertical axis.
    pub y: Axis,
    /// Height in pixels.
    pub height: f64,
    /// Lines over the horizontal axis.
    pub curves: Vec<Curve>,
    /// Values that are the same everywhere.
    pub levels: Vec<Level>,
}

/// A line over the horizontal axis.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Curve {
    /// How it looks.
    pub style: Style,
    /// Its points (x, y), by ascending x.
    pub points: Vec<(f64, f64)>,
    /// The ends of the interval around each point, or nothing.
    pub band: Vec<[f64; 2]>,
}

/// A horizontal line with a label on its right.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Level {
    /// How it looks.
    pub style: Style,
    /// Where it is.
    pub y: f64,
    /// Its label.
    pub label: String,
    /// What a pointer is told at the label.
    pub tip: String,
}

/// How a line looks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Style {
    /// Its colour of the palette, which begins anew after the last; grey if there is none.
    pub colour: Option<usize>,
    /// Its pattern: 0 is a full line.
    pub dash: usize,
}

/// Okabe and Ito's colours, which colour-blind readers can tell apart, without the yellow.
const COLOURS: [&str; 7] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000",
];

/// Lengths of dashes and gaps in pixels.
const DASHES: [&str; 5] = ["none", "7 4", "2 3", "8 3 2 3", "1 5"];

/// Colours of lines that belong to no colour of the palette, of text, of text that is less, of rules, of the ground.
const GREY: &str = "#666666";
const INK: &str = "#1a1a1a";
const MUTED: &str = "#555555";
const GRID: &str = "#dddddd";
const PAPER: &str = "#ffffff";

/// Sizes of text in pixels.
const TEXT: f64 = 12.0;
const TITLE: f64 = 15.0;

/// Width of a character in sizes of text: what the usual sans-serif fonts take on average, rounded up.
const CHARACTER: f64 = 0.56;

/// What labels of levels leave of half the width.
const LEAST: f64 = 88.0;

/// Distance of lines of text, and the free border, in pixels.
const LEADING: f64 = 17.0;
const MARGIN: f64 = 10.0;

impl Style {
    /// The style of the line of this number: all colours with full lines first, then with dashes.
    pub fn line(number: usize) -> Style {
        Style {
            colour: Some(number % COLOURS.len()),
            dash: number / COLOURS.len() % DASHES.len(),
        }
    }

    fn stroke(self, width: f64) -> String {
        let (class, colour) = match self.colour {
            Some(colour) => (
                format!("l{}", colour % COLOURS.len()),
                COLOURS[colour % COLOURS.len()],
            ),
            None => ("lm".to_owned(), GREY),
        };
        let dash = DASHES[self.dash % DASHES.len()];
        format!(
            r#"class="{class}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-dasharray="{dash}""#
        )
    }

    fn fill(self) -> String {
        match self.colour {
            Some(colour) => format!(
                r#"class="f{0}" fill="{1}""#,
                colour % COLOURS.len(),
                COLOURS[colour % COLOURS.len()]
            ),
            None => format!(r#"class="fm" fill="{GREY}""#),
        }
    }
}

impl Panel {
    fn ticks(&self) -> Vec<(f64, String)> {
        self.y.ticks((self.height / 40.0).clamp(2.0, 6.0))
    }
}

impl Axis {
    /// An axis from 0, or from near the lowest value where all are far from it, to a round number above the highest. Values without
    /// a number or beyond 10¹² do not count.
    pub fn around(label: impl Into<String>, values: impl Iterator<Item = f64>) -> Axis {
        let (low, high) = values
            .filter(|value| value.abs() < 1e12)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (low.min(value), high.max(value))
            });
        let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
        let low = if low >= 0.0 && (low <= high * 0.75 || low == high) {
            0.0
        } else {
            low
        };
        let span = if high > low {
            high - low
        } else {
            high.abs().max(1.0)
        };
        let step = step(span, 5.0);
        Axis {
            label: label.into(),
            from: (low / step).floor() * step,
            to: ((high / step).ceil() * step).max((low / step).floor() * step + step),
        }
    }

    /// The round numbers on the axis, about so many, and how they are written.
    fn ticks(&self, about: f64) -> Vec<(f64, String)> {
        let step = step(self.to - self.from, about);
        let decimals = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
        let first = (self.from / step - 1e-9).ceil();
        (0..=64)
            .map(|number| (first + f64::from(number)) * step)
            .take_while(|tick| *tick <= self.to + step * 1e-9)
            .map(|tick| (tick, format!("{:.decimals$}", tick + 0.0)))
            .collect()
    }
}

/// The step of 1, 2 or 5 times a power of ten that parts a span into at most so many.
fn step(span: f64, about: f64) -> f64 {
    let least = (span / about).max(1e-9);
    let power = 10f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    steps
        .into_iter()
        .find(|step| *step >= least * (1.0 - 1e-9))
        .unwrap_or(10.0 * power)
}

/// The SVG.
pub fn svg(chart: &Chart) -> String {
    let mut body = String::new();
    let labels = chart
        .panels
        .iter()
        .flat_map(|panel| &panel.levels)
        .map(|level| width(&level.label));
    let gutter = labels.fold(0.0, f64::max).min(chart.width / 2.0 - LEAST);
    let ticks = chart
        .panels
        .iter()
        .flat_map(Panel::ticks)
        .map(|(_, tick)| width(&tick));
    let left = MARGIN + ticks.fold(0.0, f64::max) + 6.0;
    // Room for the labels and the strokes to them, or for half a tick's label.
    let right = chart.width - MARGIN - if gutter > 0.0 { gutter + 18.0 } else { 8.0 };
    let x = Scale {
        axis: &chart.x,
        start: left,
        end: right.max(left + 1.0),
    };
    let mut y = MARGIN + TITLE;
    text(
        &mut body,
        MARGIN,
        y,
        "start",
        &cut(&chart.title, (chart.width - 2.0 * MARGIN) * TEXT / TITLE),
        &format!(r#"class="ink title" font-size="{TITLE}" font-weight="600" fill="{INK}""#),
    );
    y += 8.0;
    y = legend(&mut body, chart, y);
    let top = y;
    for (number, panel) in chart.panels.iter().enumerate() {
        let last = number + 1 == chart.panels.len();
        y += LEADING + if number == 0 { 2.0 } else { 10.0 };
        text(&mut body, MARGIN, y, "start", &panel.y.label, &muted());
        y += 12.0;
        let scale = Scale {
            axis: &panel.y,
            start: y + panel.height,
            end: y,
        };
        draw(
            &mut body,
            chart,
            panel,
            &x,
            &scale,
            last,
            chart.width - MARGIN - gutter,
        );
        y += panel.height;
    }
    let bottom = y;
    y += LEADING + 1.0;
    y += LEADING;
    let label = cut(&chart.x.label, chart.width - 2.0 * MARGIN);
    let half = width(&label) / 2.0;
    let middle = ((x.start + x.end) / 2.0).max(MARGIN + half);
    text(&mut body, middle, y, "middle", &label, &muted());
    for line in wrap(&chart.note, chart.width - 2.0 * MARGIN) {
        y += LEADING;
        text(
            &mut body,
            MARGIN,
            y,
            "start",
            &line,
            &format!(r#"class="muted note" fill="{MUTED}""#),
        );
    }
    stops(&mut body, chart, &x, top, bottom);
    let (width, height) = (chart.width, y + MARGIN);
    let title = escape_markup(&chart.title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" \
         role=\"img\" aria-label=\"{title}\" font-family=\"system-ui, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif\" \
         font-size=\"{TEXT}\">\n<rect class=\"paper\" width=\"100%\" height=\"100%\" fill=\"{PAPER}\"/>\n{body}</svg>\n"
    )
}

/// Values of an axis to pixels.
struct Scale<'a> {
    axis: &'a Axis,
    start: f64,
    end: f64,
}

impl Scale<'_> {
    fn at(&self, value: f64) -> f64 {
        let share = (value - self.axis.from) / (self.axis.to - self.axis.from);
        self.start + share.clamp(0.0, 1.0) * (self.end - self.start)
    }
}

/// The legend from `y` downwards, in as many rows as it needs; gives where it ends.
fn legend(body: &mut String, chart: &Chart, mut y: f64) -> f64 {
    let mut x = MARGIN;
    let room = chart.width - 2.0 * MARGIN;
    for (number, (style, name)) in chart.legend.iter().enumerate() {
        let name = cut(name, room - 32.0);
        let wide = 32.0 + width(&name) + 18.0;
        if number == 0 || x + wide - 18.0 > MARGIN + room {
            x = MARGIN;
            y += LEADING;
        }
        let middle = y - TEXT * 0.35;
        line(body, &style.stroke(2.0), &[(x, middle), (x + 24.0, middle)]);
        text(body, x + 32.0, y, "start", &name, &ink());
        x += wide;
    }
    y + 4.0
}

/// Axes, areas, lines, and labels of levels from `label_x` on.
fn draw(
    body: &mut String,
    chart: &Chart,
    panel: &Panel,
    x: &Scale,
    y: &Scale,
    last: bool,
    label_x: f64,
) {
    draw_axes(body, chart, panel, x, y, last);
    for curve in &panel.curves {
        draw_band(body, curve, x, y);
    }
    for level in &panel.levels {
        line(
            body,
            &level.style.stroke(1.25),
            &[(x.start, y.at(level.y)), (x.end, y.at(level.y))],
        );
    }
    for curve in &panel.curves {
        draw_curve(body, curve, panel.height, x, y);
    }
    draw_labels(body, chart, panel, x, y, label_x);
}

/// The rules of a panel, and what is written at the axes; thresholds only under the last one.
fn draw_axes(body: &mut String, chart: &Chart, panel: &Panel, x: &Scale, y: &Scale, last: bool) {
    let rule = format!(r#"class="grid" fill="none" stroke="{GRID}" stroke-width="1""#);
    for (tick, label) in panel.ticks() {
        let at = y.at(tick);
        line(body, &rule, &[(x.start, at), (x.end, at)]);
        text(
            body,
            x.start - 6.0,
            at + TEXT * 0.35,
            "end",
            &label,
            &muted(),
        );
    }
    let axis = format!(r#"class="axis" fill="none" stroke="{MUTED}" stroke-width="1""#);
    line(body, &axis, &[(x.start, y.start), (x.end, y.start)]);
    for (tick, label) in chart.x.ticks(((x.end - x.start) / 45.0).clamp(2.0, 10.0)) {
        let at = x.at(tick);
        line(body, &axis, &[(at, y.start), (at, y.start + 4.0)]);
        if last {
            text(body, at, y.start + LEADING, "middle", &label, &muted());
        }
    }
}

/// The area between the ends of a curve's intervals; of a single point a line.
fn draw_band(body: &mut String, curve: &Curve, x: &Scale, y: &Scale) {
    let point = |&(a, b): &(f64, f64)| (x.at(a), y.at(b));
    let ends = |end: usize| {
        curve
            .points
            .iter()
            .zip(&curve.band)
            .map(move |(p, band)| (p.0, band[end]))
    };
    match curve.band.len() {
        0 => {}
        1 => {
            let ends: Vec<(f64, f64)> = ends(0).chain(ends(1)).map(|p| point(&p)).collect();
            line(body, &curve.style.stroke(1.0), &ends);
        }
        _ => {
            let up: Vec<(f64, f64)> = ends(0).collect();
            let outline: Vec<(f64, f64)> = ends(1)
                .chain(up.into_iter().rev())
                .map(|p| point(&p))
                .collect();
            let _ = writeln!(
                body,
                r#"<polygon {} fill-opacity="0.16" points="{}"/>"#,
                curve.style.fill(),
                path(&outline)
            );
        }
    }
}

/// A line, with dots where few points can be told apart; a single one makes no line.
fn draw_curve(body: &mut String, curve: &Curve, height: f64, x: &Scale, y: &Scale) {
    let point = |&(a, b): &(f64, f64)| (x.at(a), y.at(b));
    let points: Vec<(f64, f64)> = curve.points.iter().map(point).collect();
    line(body, &curve.style.stroke(2.0), &points);
    if points.len() == 1 || points.len() <= 30 && height > 100.0 {
        for (a, b) in &points {
            let _ = writeln!(
                body,
                r#"<circle {} cx="{a:.1}" cy="{b:.1}" r="2.6"/>"#,
                curve.style.fill()
            );
        }
    }
}

/// The names of levels, so far apart that they can be read.
fn draw_labels(
    body: &mut String,
    chart: &Chart,
    panel: &Panel,
    x: &Scale,
    y: &Scale,
    label_x: f64,
) {
    let wanted: Vec<f64> = panel.levels.iter().map(|level| y.at(level.y)).collect();
    for (level, at) in panel
        .levels
        .iter()
        .zip(spread(&wanted, TEXT + 2.0, y.end, y.start))
    {
        let from = (x.end + 1.0, y.at(level.y));
        line(
            body,
            &Style {
                dash: 0,
                ..level.style
            }
            .stroke(1.0),
            &[from, (label_x - 4.0, at)],
        );
        let label = cut_inside(&level.label, chart.width - MARGIN - label_x);
        let title = match level.tip.is_empty() {
            true => String::new(),
            false => format!("<title>{}</title>", escape_markup(&level.tip)),
        };
        let _ = writeln!(
            body,
            r#"<text {} x="{label_x:.1}" y="{:.1}">{title}{}</text>"#,
            level.style.fill(),
            at + TEXT * 0.35,
            escape_markup(&label)
        );
    }
}

/// Strips over the whole height, each with what is at its place.
fn stops(body: &mut String, chart: &Chart, x: &Scale, top: f64, bottom: f64) {
    let places: Vec<f64> = chart.stops.iter().map(|(at, _)| x.at(*at)).collect();
    for (number, (_, tip)) in chart.stops.iter().enumerate() {
        let at = places[number];
        let before = number
            .checked_sub(1)
            .map_or(x.start, |it| (places[it] + at) / 2.0);
        let after = places
            .get(number + 1)
            .map_or(x.end, |next| (next + at) / 2.0);
        let _ = writeln!(
            body,
            r##"<g class="stop"><title>{}</title><rect x="{before:.1}" y="{top:.1}" width="{:.1}" height="{:.1}" fill="#000000" fill-opacity="0"/></g>"##,
            escape_markup(tip),
            (after - before).max(0.0),
            (bottom - top).max(0.0)
        );
    }
}

/// Places as near to the wanted ones as lets them be `gap` apart, all of them between `top` and `bottom`, in the same order; where
/// there is no room, the gap is smaller.
fn spread(wanted: &[f64], gap: f64, top: f64, bottom: f64) -> Vec<f64> {
    let gap = gap.min((bottom - top) / wanted.len().max(1) as f64);
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    // Groups of labels that touch: where the first wants to be and how many there are. A group wants to be where its labels'
    // distances to their own wanted places add up to nothing.
    let mut groups: Vec<(f64, usize)> = Vec::new();
    let first =
        |&(wish, count): &(f64, usize)| wish.min(bottom - gap * (count - 1) as f64).max(top);
    for &number in &order {
        let mut group = (wanted[number], 1);
        while let Some(above) =
            groups.pop_if(|above| first(above) + gap * above.1 as f64 > first(&group))
        {
            let moved = group.0 - gap * above.1 as f64;
            let all = above.1 + group.1;
            group = (
                (above.0 * above.1 as f64 + moved * group.1 as f64) / all as f64,
                all,
            );
        }
        groups.push(group);
    }
    let mut places = vec![0.0; wanted.len()];
    let stands = groups.iter().flat_map(|group| {
        let first = first(group);
        (0..group.1).map(move |it| first + gap * it as f64)
    });
    for (&number, place) in order.iter().zip(stands) {
        places[number] = place;
    }
    places
}

fn ink() -> String {
    format!(r#"class="ink" fill="{INK}""#)
}

fn muted() -> String {
    format!(r#"class="muted" fill="{MUTED}""#)
}

fn text(body: &mut String, x: f64, y: f64, anchor: &str, text: &str, attributes: &str) {
    let text = escape_markup(text);
    let _ = writeln!(
        body,
        r#"<text {attributes} x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{text}</text>"#
    );
}

fn line(body: &mut String, attributes: &str, points: &[(f64, f64)]) {
    let _ = writeln!(
        body,
        r#"<polyline {attributes} stroke-linejoin="round" points="{}"/>"#,
        path(points)
    );
}

fn path(points: &[(f64, f64)]) -> String {
    let pair = |(x, y): &(f64, f64)| format!("{x:.1},{y:.1}");
    points.iter().map(pair).collect::<Vec<_>>().join(" ")
}

/// Width of a text in pixels, about.
fn width(text: &str) -> f64 {
    text.chars().count() as f64 * TEXT * CHARACTER
}

/// A text that is no wider than `room`.
fn cut(text: &str, room: f64) -> String {
    let fits = (room / (TEXT * CHARACTER) + 1e-9).max(2.0) as usize;
    match text.char_indices().nth(fits) {
        None => text.to_owned(),
        Some(_) => text.chars().take(fits - 1).chain(['…']).collect(),
    }
}

/// A text that is no wider than `room`, with both of its ends: names in a list often begin alike.
fn cut_inside(text: &str, room: f64) -> String {
    let fits = (room / (TEXT * CHARACTER) + 1e-9).max(3.0) as usize;
    let count = text.chars().count();
    if count <= fits {
        return text.to_owned();
    }
    let (start, end) = ((fits - 1) / 2, fits / 2);
    text.chars()
        .take(start)
        .chain(['…'])
        .chain(text.chars().skip(count - end))
        .collect()
}

/// The lines of a text that are no wider than `room`.
fn wrap(text: &str, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines
            .last_mut()
            .filter(|line| width(line) + width(word) + 7.0 < room)
        {
            Some(line) => *line += &format!(" {word}"),
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_spread(wanted: &[f64], expected: &[f64]) {
        let places = spread(wanted, 10.0, 0.0, 100.0);
        let near = places
            .iter()
            .zip(expected)
            .all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(near && places.len() == expected.len(), "{places:?}");
    }

    #[test]
    fn labels_do_not_collide() {
        check_spread(&[], &[]);
        check_spread(&[10.0, 30.0], &[10.0, 30.0]);
        check_spread(&[52.0, 50.0], &[56.0, 46.0]);
        check_spread(&[50.0, 50.0, 50.0], &[40.0, 50.0, 60.0]);
        check_spread(&[0.0, 1.0], &[0.0, 10.0]);
        check_spread(&[99.0, 100.0], &[90.0, 100.0]);
        // The third pushes the first two upwards.
        check_spread(
            &[40.0, 52.0, 54.0],
            &[
                38.666_666_666_666_664,
                48.666_666_666_666_664,
                58.666_666_666_666_664,
            ],
        );
        let crowd = spread(&[5.0; 40], 10.0, 0.0, 100.0);
        assert!(crowd.iter().all(|place| (0.0..=100.0).contains(place)));
        assert!(crowd.windows(2).all(|pair| pair[1] - pair[0] > 2.4));
    }

    #[track_caller]
    fn check_axis(values: &[f64], expected: (f64, f64), ticks: &[&str]) {
        let axis = Axis::around("", values.iter().copied());
        let found: Vec<String> = axis.ticks(5.0).into_iter().map(|tick| tick.1).collect();
        assert!(
            (axis.from - expected.0).abs() < 1e-9 && (axis.to - expected.1).abs() < 1e-9,
            "{axis:?}"
        );
        assert_eq!(found, ticks);
    }

    #[test]
    fn axes_are_round() {
        check_axis(
            &[0.18, 0.44],
            (0.0, 0.5),
            &["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"],
        );
        check_axis(&[0.9, 0.93], (0.9, 0.93), &["0.90", "0.91", "0.92", "0.93"]);
        check_axis(
            &[1.0, 100.0],
            (0.0, 100.0),
            &["0", "20", "40", "60", "80", "100"],
        );
        check_axis(
            &[0.0],
            (0.0, 0.2),
            &["0.00", "0.05", "0.10", "0.15", "0.20"],
        );
        check_axis(
            &[f64::NAN],
            (0.0, 1.0),
            &["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"],
        );
        check_axis(&[], (0.0, 1.0), &["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    }
}
