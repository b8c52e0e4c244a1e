//! What varies in a sweep: `min-words=1..100`, `min-density=1..20:0.5`, `max-link-density=0,0.33,1`.

use std::fmt;
use std::str::FromStr;

use super::error::SweepError;
use crate::attribute::{self, Bound, Kind, Side};
use crate::filter::Filter;
use crate::index::Series;
use crate::text::{Decimal, choice};

/// A bound of the block filter that varies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dimension {
    /// The bound.
    pub bound: Bound,
    /// The extractor whose confidence is bounded; none for the one that the rest of the filter asks, or the index has.
    pub of: Option<String>,
}

impl Dimension {
    /// The filter with this bound besides.
    ///
    /// # Errors
    /// It has such a bound already.
    fn bound(&self, filter: &Filter, threshold: Decimal) -> Result<Filter, SweepError> {
        let of = match self.bound.attribute.kind {
            Kind::Confidence => self.of.as_deref().or(filter.extractor()),
            _ => None,
        };
        let bound = Filter::bounded(self.bound, threshold, of);
        if filter.has_bound_like(&bound) {
            return Err(SweepError::Vary(format!(
                "{self} varies and is set ('{filter}'): leave one out"
            )));
        }
        Ok(filter.clone().and(bound))
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.bound.fmt(f)?;
        self.of.as_ref().map_or(Ok(()), |of| write!(f, "({of})"))
    }
}

impl FromStr for Dimension {
    type Err = SweepError;

    /// The name of a bound; behind that of a confidence an extractor may stand in brackets.
    fn from_str(text: &str) -> Result<Dimension, SweepError> {
        let (name, of) = match text.split_once('(') {
            None => (text, None),
            Some((name, rest)) => (name, rest.strip_suffix(')')),
        };
        let bound = attribute::bound(name.trim());
        let bound = bound.filter(|bound| {
            of.is_none() && !text.contains('(') || matches!(bound.attribute.kind, Kind::Confidence)
        });
        let of = of.map(str::to_owned);
        bound.map(|bound| Dimension { bound, of }).ok_or_else(|| {
            let names: Vec<String> = attribute::bounds().map(|bound| bound.name()).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let choice = choice(name, &names);
            SweepError::Vary(format!("'{text}' is nothing that varies: {choice}"))
        })
    }
}

/// A dimension with its thresholds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vary {
    /// What varies.
    pub dimension: Dimension,
    /// Ascending, each once, at least one.
    pub thresholds: Vec<Decimal>,
}

/// Thresholds of a dimension at most.
const MOST: usize = 10_000;
/// Lines of a grid at most.
const MOST_LINES: usize = 1_000;
/// Steps of all lines at most.
const MOST_STEPS: usize = 100_000;

impl FromStr for Vary {
    type Err = SweepError;

    /// `NAME=A..B[:STEP]`, both ends inclusive, or `NAME=A,B,…`.
    fn from_str(text: &str) -> Result<Self, SweepError> {
        let wrong = |why: String| SweepError::Vary(format!("'{text}': {why}"));
        let (name, values) = text
            .split_once('=')
            .ok_or_else(|| wrong("expected NAME=A..B, NAME=A..B:STEP or NAME=A,B,…".to_owned()))?;
        let dimension: Dimension = name.trim().parse()?;
        let number = |text: &str| -> Result<Decimal, SweepError> {
            let number = text.trim().parse::<Decimal>();
            number.map_err(|error| wrong(error.to_string()))
        };
        let mut thresholds = match values.split_once("..") {
            None => values
                .split(',')
                .map(number)
                .collect::<Result<Vec<_>, _>>()?,
            Some((from, to)) => {
                let (to, step) = to.split_once(':').unwrap_or((to, "1"));
                let (from, to, step) = (number(from)?, number(to)?, number(step)?);
                from.steps(to, step, MOST).ok_or_else(|| {
                    let limits = format!("A not above B, a step above 0, at most {MOST} steps");
                    wrong(format!("a range needs {limits}"))
                })?
            }
        };
        thresholds.sort_unstable();
        thresholds.dedup();
        if let Some(range) = dimension.bound.attribute.range() {
            let checked = thresholds.iter().try_for_each(|x| range.check(*x));
            checked.map_err(wrong)?;
        }
        Ok(Vary {
            dimension,
            thresholds,
        })
    }
}

/// A line to be swept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinePlan {
    /// What varies.
    pub dimension: Dimension,
    /// The rest of the filter.
    pub base: Filter,
    /// Threshold and whole filter, by ascending threshold.
    pub steps: Vec<(Decimal, Filter)>,
}

impl LinePlan {
    fn new(vary: &Vary, base: &Filter) -> Result<LinePlan, SweepError> {
        let step = |threshold: &Decimal| Ok((*threshold, vary.dimension.bound(base, *threshold)?));
        Ok(LinePlan {
            dimension: vary.dimension.clone(),
            base: base.clone(),
            steps: vary
                .thresholds
                .iter()
                .map(step)
                .collect::<Result<_, SweepError>>()?,
        })
    }

    /// Those of its filters that are wanted, the loosest first.
    ///
    /// # Errors
    /// Filters that are not nested.
    pub fn series(&self, mut wanted: impl FnMut(&Filter) -> bool) -> Result<Series, SweepError> {
        let filters = self.steps.iter().map(|(_, filter)| filter);
        let mut filters: Vec<Filter> = filters.filter(|f| wanted(f)).cloned().collect();
        if self.dimension.bound.side == Side::Greatest {
            filters.reverse();
        }
        Series::new(filters).map_err(|error| SweepError::Vary(error.to_string()))
    }
}

/// The lines of several dimensions: each by itself on top of the filter; or, as a grid, the first against every combination of
/// the others.
///
/// # Errors
/// A dimension that stands twice, or that the filter bounds already; more lines or steps than can be meant.
pub fn lines(varies: &[Vary], filter: &Filter, grid: bool) -> Result<Vec<LinePlan>, SweepError> {
    for (number, vary) in varies.iter().enumerate() {
        let dimension = &vary.dimension;
        if varies[..number].iter().any(|it| it.dimension == *dimension) {
            let text = format!("{dimension} varies twice: name all its thresholds at once");
            return Err(SweepError::Vary(text));
        }
    }
    if !grid {
        return varies
            .iter()
            .map(|vary| LinePlan::new(vary, filter))
            .collect();
    }
    let Some((first, others)) = varies.split_first() else {
        return Ok(Vec::new());
    };
    let mut bases = vec![filter.clone()];
    for other in others {
        // Looked at before anything is made of them: a few ranges multiply to more than memory holds.
        let count = bases.len() * other.thresholds.len();
        if count > MOST_LINES || count * first.thresholds.len() > MOST_STEPS {
            return Err(SweepError::Vary(format!(
                "a grid of more than {MOST_LINES} lines or {MOST_STEPS} steps: take fewer thresholds"
            )));
        }
        let mut bounded = Vec::new();
        for base in &bases {
            for threshold in &other.thresholds {
                bounded.push(other.dimension.bound(base, *threshold)?);
            }
        }
        bases = bounded;
    }
    bases
        .iter()
        .map(|base| LinePlan::new(first, base))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, thresholds: &str) {
        let vary: Vary = text.parse().unwrap();
        let shown: Vec<String> = vary.thresholds.iter().map(Decimal::to_string).collect();
        assert_eq!(shown.join(" "), thresholds, "{text}");
    }

    #[test]
    fn parses() {
        check("min-words=1..4", "1 2 3 4");
        check("min-words=5..20:5", "5 10 15 20");
        check("max-words=7", "7");
        check("min-density=1..2:0.5", "1 1.5 2");
        check("max-link-density=0.33,0,1,0.33", "0 0.33 1");
        check("min-confidence=0.1..0.9:0.4", "0.1 0.5 0.9");
        for wrong in [
            "min-words",
            "words=1..2",
            "min-words=",
            "min-words=2..1",
            "min-words=1..2:0",
            "min-words=1..2:0.5",
            "min-words=1.5",
            "min-density=0..20:0.0001",
            "min-density=a..b",
            "extractor=bte",
            "min-words(a)=1..2",
            "max-link-density=10..50",
            "min-confidence=0..2:1",
            "min-confidence=0..0.1:0.005",
            "max-link-density=10..50",
            "max-link-density=0,33",
            "min-density=40.5",
            "max-density=1..41",
        ] {
            assert!(wrong.parse::<Vary>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn lines_and_grids() {
        let varies: Vec<Vary> = ["min-words=1..2", "max-link-density=0.3,1", "max-words=50"]
            .map(|text| text.parse().unwrap())
            .into();
        let shown = |varies: &[Vary], grid: bool| -> Vec<String> {
            let lines = lines(varies, &Filter::default(), grid).unwrap();
            let line = |line: &LinePlan| {
                let series = line.series(|_| true).unwrap();
                let filters: Vec<String> = series.filters().iter().map(Filter::to_string).collect();
                format!(
                    "{} on {}: {}",
                    line.dimension,
                    line.base,
                    filters.join(", ")
                )
            };
            lines.iter().map(line).collect()
        };
        assert_eq!(
            shown(&varies[..2], false),
            [
                "min-words on unfiltered: words >= 1, words >= 2",
                "max-link-density on unfiltered: link-density <= 1, link-density <= 0.3",
            ]
        );
        assert_eq!(
            shown(&varies, true),
            [
                "min-words on link-density <= 0.3 and words <= 50: \
                 link-density <= 0.3 and words <= 50 and words >= 1, \
                 link-density <= 0.3 and words <= 50 and words >= 2",
                "min-words on link-density <= 1 and words <= 50: \
                 link-density <= 1 and words <= 50 and words >= 1, \
                 link-density <= 1 and words <= 50 and words >= 2",
            ]
        );
        let filter: Filter = "words >= 3".parse().unwrap();
        assert!(lines(&varies, &filter, false).is_err());
        let twice = [varies[0].clone(), varies[0].clone()];
        for grid in [false, true] {
            assert!(lines(&twice, &Filter::default(), grid).is_err());
        }
        let range = |name: &str| match name {
            "max-words" => "1..9000",
            _ => "0..36:0.004",
        };
        let long = ["max-words", "min-density", "max-density"]
            .map(|name| format!("{name}={}", range(name)).parse::<Vary>().unwrap());
        assert!(lines(&long, &Filter::default(), true).is_err());
        assert_eq!(lines(&long, &Filter::default(), false).unwrap().len(), 3);
    }
}
