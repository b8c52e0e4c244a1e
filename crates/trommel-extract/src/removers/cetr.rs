//! CETR, content extraction via tag ratios (Weninger, Hsu and Han, WWW 2010): the lines of a page's markup by their characters a tag,
//! and how these change from line to line, in three clusters, of which the one at the origin is boilerplate.
//!
//! The paper's steps, as its readers retell them (its text was not to be had): scripts, styles, comments and empty lines are left out;
//! the ratio of a line is the number of its characters that are no tags by the number of its tags, a line without tags counting as one of one tag
//! (§3); ratios are smoothed by a Gaussian kernel (§3.1); the derivative of a line is the mean of the next three smoothed ratios less its own, smoothed again,
//! and its absolute value (§4); ratio and derivative make a point of the plane, and the points are clustered by k-means with
//! k = 3, one centre staying at the origin. Lines of the other two clusters are content.
//!
//! What dragnet's `_weninger.pyx` does is the same but for the order of smoothing and derivative and a wider kernel.
//!
//! Deviations. Lines are those of the tree: a line feed inside a tag begins no line, and tags are those that the author wrote and the
//! parser found a use for. Where k-means begins is not said; here the second centre begins at the point farthest from the origin, the third at
//! the one farthest from both, and after 50 rounds it ends. A text node of several lines is content if at least half of its characters stand
//! in content lines. Markup without line feeds is broken after every 65 characters of text, as the paper is said to do.

use trommel_page::{Event, Segmentation, Tag};

use super::line_share::Shares;
use crate::{Arguments, ExtractorError, ExtractorRow, Label, Make, Parameter, Subject, Takes};

pub(super) const ROW: ExtractorRow = ExtractorRow {
    name: "cetr",
    summary: "lines of markup by characters a tag and their change, clustered (CETR)",
    source: "Weninger, Hsu and Han 2010",
    segmenter: Some("leaf"),
    takes: Takes::Parameters(&[
        Parameter {
            name: "radius",
            default: "1",
            summary: "of the Gaussian kernel, in lines, 1 to 20",
        },
        Parameter {
            name: "ahead",
            default: "3",
            summary: "lines that the derivative looks ahead, 1 to 20",
        },
        Parameter {
            name: "clusters",
            default: "3",
            summary: "of k-means, the one at the origin included, 2 to 10",
        },
    ]),
    make: Make::Labels(|arguments| {
        let radius = within(arguments, "radius", 1, 20)?;
        let ahead = within(arguments, "ahead", 1, 20)?;
        let clusters = within(arguments, "clusters", 2, 10)?;
        Ok(Box::new(move |subject, segmentation| {
            label(subject, segmentation, radius, ahead, clusters)
        }))
    }),
};

fn within(
    arguments: &Arguments,
    name: &'static str,
    least: usize,
    most: usize,
) -> Result<usize, ExtractorError> {
    let value: usize = arguments.get(name)?;
    match (least..=most).contains(&value) {
        true => Ok(value),
        false => Err(ExtractorError::Value {
            parameter: name,
            value: value.to_string(),
            why: format!("the range is from {least} to {most}"),
        }),
    }
}

fn label(
    subject: &Subject,
    segmentation: &Segmentation,
    radius: usize,
    ahead: usize,
    clusters: usize,
) -> Vec<Label> {
    let lines = lines(subject);
    let ratios: Vec<f64> = lines.counts.iter().map(Line::ratio).collect();
    let points = points(&ratios, radius, ahead);
    let content: Vec<bool> = cluster(&points, clusters)
        .into_iter()
        .map(|cluster| cluster > 0)
        .collect();
    let mut shares = Shares::new(segmentation);
    for (leaf, line, characters) in lines.pieces {
        shares.add(leaf, characters, content[line]);
    }
    shares.labels()
}

/// What was counted in a line of markup.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Line {
    characters: u64,
    tags: u64,
}

impl Line {
    /// §3: a line without tags counts as one of one tag.
    fn ratio(&self) -> f64 {
        self.characters as f64 / self.tags.max(1) as f64
    }
}

/// The lines that are not empty.
#[derive(Default)]
struct Lines {
    counts: Vec<Line>,
    /// Leaf, line, and the leaf's characters in that line, white space left out.
    pieces: Vec<(u32, usize, u64)>,
    current: Line,
}

impl Lines {
    fn end(&mut self) {
        if self.current != Line::default() {
            self.counts.push(std::mem::take(&mut self.current));
        }
    }

    /// A stretch of a leaf's text within a line. White space counts between words alone, so that indentation is no text.
    fn text(&mut self, leaf: u32, text: &str) {
        let words = text.split_whitespace();
        let (mut all, mut own) = (0u64, 0u64);
        for word in words {
            let length = word.chars().count() as u64;
            all += length + u64::from(all > 0);
            own += length;
        }
        if own > 0 {
            self.current.characters += all;
            self.pieces.push((leaf, self.counts.len(), own));
        }
    }
}

/// Characters after which markup without line feeds is broken.
const WIDTH: usize = 65;

fn lines(subject: &Subject) -> Lines {
    let page = subject.page;
    let has_line_feeds = page.text.contains('\n')
        || page
            .events
            .iter()
            .any(|event| matches!(event, Event::Blank(lines) if *lines > 0));
    let mut lines = Lines::default();
    let mut in_title = 0;
    for event in &page.events {
        match *event {
            Event::Start(id) | Event::End(id) => {
                let element = &page.elements[id as usize];
                let (written, step) = match event {
                    Event::Start(_) => (element.start_tag, 1),
                    _ => (element.end_tag, -1),
                };
                match element.tag {
                    Tag::Script | Tag::Style => continue,
                    Tag::Title => in_title += step,
                    _ => {}
                }
                lines.current.tags += u64::from(written);
            }
            Event::Blank(0) | Event::Hidden => {}
            Event::Blank(_) => lines.end(),
            Event::Leaf(_) if in_title > 0 => {}
            Event::Leaf(leaf) if has_line_feeds => {
                for (number, text) in page.leaf_text(leaf).split('\n').enumerate() {
                    if number > 0 {
                        lines.end();
                    }
                    lines.text(leaf, text);
                }
            }
            Event::Leaf(leaf) => {
                let mut rest = page.leaf_text(leaf);
                while !rest.is_empty() {
                    let room = WIDTH - (lines.current.characters as usize).min(WIDTH - 1);
                    let end = rest
                        .char_indices()
                        .nth(room)
                        .map_or(rest.len(), |(at, _)| at);
                    lines.text(leaf, &rest[..end]);
                    rest = &rest[end..];
                    if !rest.is_empty() {
                        lines.end();
                    }
                }
            }
        }
    }
    lines.end();
    lines
}

/// For each line its smoothed ratio and its smoothed absolute derivative.
fn points(ratios: &[f64], radius: usize, ahead: usize) -> Vec<[f64; 2]> {
    let kernel = kernel(radius);
    let smooth = smoothed(ratios, &kernel);
    let derivatives: Vec<f64> = (0..smooth.len())
        .map(|line| {
            let next = &smooth[(line + 1).min(smooth.len())..(line + 1 + ahead).min(smooth.len())];
            match next {
                [] => 0.0,
                next => next.iter().sum::<f64>() / next.len() as f64 - smooth[line],
            }
        })
        .collect();
    let derivatives = smoothed(&derivatives, &kernel);
    let both = smooth.into_iter().zip(derivatives);
    both.map(|(ratio, derivative)| [ratio, derivative.abs()])
        .collect()
}

/// e^(−j² / 2r²) for j from −r to r, divided by their sum.
fn kernel(radius: usize) -> Vec<f64> {
    let r = radius as f64;
    let weight = |place: usize| (-(place as f64 - r).powi(2) / (2.0 * r * r)).exp();
    let weights: Vec<f64> = (0..=2 * radius).map(weight).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// Each value as the mean of its neighbourhood by the kernel; beyond the ends the last value goes on.
fn smoothed(values: &[f64], kernel: &[f64]) -> Vec<f64> {
    let radius = kernel.len() / 2;
    let last = values.len().saturating_sub(1);
    (0..values.len())
        .map(|at| {
            let terms = kernel.iter().enumerate().map(|(place, weight)| {
                let of = (at + place).saturating_sub(radius).min(last);
                weight * values[of]
            });
            terms.sum()
        })
        .collect()
}

/// Rounds of k-means.
const ROUNDS: usize = 50;

/// For each point the number of its cluster: 0 for the one whose centre stays at the origin.
fn cluster(points: &[[f64; 2]], clusters: usize) -> Vec<usize> {
    let mut centres = vec![[0.0; 2]];
    while centres.len() < clusters {
        let far = |point: &[f64; 2]| distance(point, &centres[nearest(point, &centres)]);
        let mut best = None;
        for point in points {
            let own = far(point);
            if own > best.map_or(0.0, |(most, _)| most) {
                best = Some((own, *point));
            }
        }
        match best {
            Some((_, point)) => centres.push(point),
            // All points are centres.
            None => break,
        }
    }
    let mut of: Vec<usize> = points
        .iter()
        .map(|point| nearest(point, &centres))
        .collect();
    for _ in 0..ROUNDS {
        let mut sums = vec![([0.0; 2], 0usize); centres.len()];
        for (point, of) in points.iter().zip(&of) {
            let (sum, count) = &mut sums[*of];
            sum[0] += point[0];
            sum[1] += point[1];
            *count += 1;
        }
        for (centre, (sum, count)) in centres.iter_mut().zip(sums).skip(1) {
            if count > 0 {
                *centre = sum.map(|sum| sum / count as f64);
            }
        }
        let next: Vec<usize> = points
            .iter()
            .map(|point| nearest(point, &centres))
            .collect();
        if next == of {
            break;
        }
        of = next;
    }
    of
}

/// The nearest centre, the first of several.
fn nearest(point: &[f64; 2], centres: &[[f64; 2]]) -> usize {
    let mut best = (f64::INFINITY, 0);
    for (number, centre) in centres.iter().enumerate() {
        let own = distance(point, centre);
        if own < best.0 {
            best = (own, number);
        }
    }
    best.1
}

/// The square of the distance of two points.
fn distance(a: &[f64; 2], b: &[f64; 2]) -> f64 {
    (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)
}

#[cfg(test)]
mod tests;
