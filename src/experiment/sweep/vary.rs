//! What varies in a sweep: `min-words=1..100`, `min-density=1..20:0.5`, `max-link-density=0,0.33,1`.

use std::fmt;
use std::str::FromStr;

use super::error::SweepError;
use crate::attribute::{self, Bound, Kind, Side};
use crate::filter::Filter;
use crate::index::Series;
use crate::text::{Decimal, choice};
use crate::weight::{Sieve, Template};

/// What varies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dimension {
    /// A bound of the block filter.
    Bound {
        /// The bound.
        bound: Bound,
        /// The extractor whose confidence is bounded; none for the one that the rest of the filter asks, or the index has.
        of: Option<String>,
    },
    /// A parameter of the weights.
    Parameter(String),
}

/// What steps are made of: a filter, and weights that may have parameters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Base {
    /// The filter.
    pub filter: Filter,
    /// The weights.
    pub weights: Template,
    /// Values of some of their parameters.
    pub values: Vec<(String, Decimal)>,
}

impl From<Filter> for Base {
    fn from(filter: Filter) -> Base {
        Base {
            filter,
            ..Base::default()
        }
    }
}

/// The filter, the weights if they have no parameters, and the values of those that have one; empty if all blocks count alike.
impl fmt::Display for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if !self.filter.is_empty() {
            parts.push(self.filter.to_string());
        }
        if self
            .weights
            .weights()
            .is_ok_and(|weights| !weights.is_one())
        {
            parts.push(format!("weights {}", self.weights));
        }
        let values = self.values.iter();
        parts.extend(values.map(|(name, value)| format!("{name}={value}")));
        f.write_str(&parts.join("; "))
    }
}

impl Base {
    /// The filter and the weights, if all parameters have values.
    pub(super) fn sieve(&self) -> Result<Sieve, SweepError> {
        Ok(Sieve {
            filter: self.filter.clone(),
            weights: {
                let values = self.values.iter();
                let values = values.map(|(name, value)| (name.as_str(), *value));
                self.weights.with(values)?
            },
        })
    }
}

impl Dimension {
    /// The bound, if it is one.
    pub fn bound(&self) -> Option<Bound> {
        match self {
            Dimension::Bound { bound, .. } => Some(*bound),
            Dimension::Parameter(_) => None,
        }
    }

    /// The base with a threshold of this dimension.
    ///
    /// # Errors
    /// The filter has such a bound already, or the weights have no such parameter.
    pub(super) fn set(&self, base: &Base, threshold: Decimal) -> Result<Base, SweepError> {
        let mut set = base.clone();
        let filter = &base.filter;
        let (bound, of) = match self {
            Dimension::Bound { bound, of } => (*bound, of),
            Dimension::Parameter(name) => {
                set.values.push((name.clone(), threshold));
                return Ok(set);
            }
        };
        let of = match bound.attribute.kind {
            Kind::Confidence => of.as_deref().or(filter.extractor()),
            _ => None,
        };
        let bound = Filter::bounded(bound, threshold, of);
        if filter.has_bound_like(&bound) {
            return Err(SweepError::Vary(format!(
                "{self} varies and is set ('{filter}'): leave one out"
            )));
        }
        set.filter = set.filter.and(bound);
        Ok(set)
    }

    /// Looks whether there is such a thing.
    fn check(&self, weights: &Template) -> Result<(), SweepError> {
        let Dimension::Parameter(name) = self else {
            return Ok(());
        };
        let parameters = weights.parameters();
        if parameters.contains(&name.as_str()) {
            return Ok(());
        }
        let bounds: Vec<String> = attribute::bounds().map(|bound| bound.name()).collect();
        let bounds = bounds.iter().map(String::as_str);
        let names: Vec<&str> = parameters.into_iter().chain(bounds).collect();
        let choice = choice(name, &names);
        let text = format!("'{name}' is no threshold, and the weights have no ${name}: {choice}");
        Err(SweepError::Vary(text))
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Dimension::Bound { bound, of } => {
                bound.fmt(f)?;
                of.as_ref().map_or(Ok(()), |of| write!(f, "({of})"))
            }
            Dimension::Parameter(name) => f.write_str(name),
        }
    }
}

impl FromStr for Dimension {
    type Err = SweepError;

    /// The name of a bound; behind that of a confidence an extractor may stand in brackets. Any other name is taken for that of a
    /// parameter.
    fn from_str(text: &str) -> Result<Dimension, SweepError> {
        let (name, of) = match text.split_once('(') {
            None => (text, None),
            Some((name, rest)) => (name, rest.strip_suffix(')')),
        };
        let brackets = text.contains('(');
        if let Some(bound) = attribute::bound(name.trim()) {
            let by_extractor = matches!(bound.attribute.kind, Kind::Confidence);
            if !brackets || of.is_some() && by_extractor {
                let of = of.map(str::to_owned);
                return Ok(Dimension::Bound { bound, of });
            }
        }
        let name = name.trim().trim_start_matches('$');
        match brackets || name.is_empty() {
            false => Ok(Dimension::Parameter(name.to_owned())),
            true => Err(SweepError::Vary(format!("'{text}' is nothing that varies"))),
        }
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
        if let Some(range) = dimension.bound().and_then(|bound| bound.attribute.range()) {
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
    /// The rest of the filter, and the weights.
    pub base: Base,
    /// Threshold and whole filter and weights, by ascending threshold.
    pub steps: Vec<(Decimal, Sieve)>,
}

impl LinePlan {
    fn new(vary: &Vary, base: &Base) -> Result<LinePlan, SweepError> {
        let step = |threshold: &Decimal| {
            let base = vary.dimension.set(base, *threshold)?;
            Ok((*threshold, base.sieve()?))
        };
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

    /// Those of its steps that are wanted, in series of filters that nest, the loosest first: weights that differ are series of
    /// their own.
    ///
    /// # Errors
    /// Filters that are not nested.
    pub fn series(
        &self,
        mut wanted: impl FnMut(&Sieve) -> bool,
    ) -> Result<Vec<Series>, SweepError> {
        let steps = self.steps.iter().map(|(_, sieve)| sieve);
        let mut steps: Vec<&Sieve> = steps.filter(|sieve| wanted(sieve)).collect();
        if (self.dimension.bound()).is_some_and(|bound| bound.side == Side::Greatest) {
            steps.reverse();
        }
        let series = steps.chunk_by(|a, b| a.weights == b.weights).map(|alike| {
            let filters = alike.iter().map(|sieve| sieve.filter.clone()).collect();
            let series = Series::new(filters);
            let series = series.map_err(|error| SweepError::Vary(error.to_string()))?;
            Ok(series.with_weights(alike[0].weights.clone()))
        });
        series.collect()
    }
}

/// Looks whether all that varies is there, and stands once.
pub(super) fn check_varies(varies: &[Vary], base: &Base) -> Result<(), SweepError> {
    for (number, vary) in varies.iter().enumerate() {
        let dimension = &vary.dimension;
        dimension.check(&base.weights)?;
        if varies[..number].iter().any(|it| it.dimension == *dimension) {
            let text = format!("{dimension} varies twice: name all its thresholds at once");
            return Err(SweepError::Vary(text));
        }
    }
    Ok(())
}

/// The lines of several dimensions: each by itself on top of the filter and weights; or, as a grid, the first against every
/// combination of the others.
///
/// # Errors
/// A dimension that stands twice, that the filter bounds already, or that is not there; a parameter without a value; more lines
/// or steps than can be meant.
pub fn lines(varies: &[Vary], base: &Base, grid: bool) -> Result<Vec<LinePlan>, SweepError> {
    check_varies(varies, base)?;
    if !grid {
        return varies
            .iter()
            .map(|vary| LinePlan::new(vary, base))
            .collect();
    }
    let Some((first, others)) = varies.split_first() else {
        return Ok(Vec::new());
    };
    let mut bases = vec![base.clone()];
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
                bounded.push(other.dimension.set(base, *threshold)?);
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
            "min-words=",
            "min-words=2..1",
            "min-words=1..2:0",
            "min-words=1..2:0.5",
            "min-words=1.5",
            "min-density=0..20:0.0001",
            "min-density=a..b",
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
            let lines = lines(varies, &Base::default(), grid).unwrap();
            let line = |line: &LinePlan| {
                let series = line.series(|_| true).unwrap();
                let filters = series.iter().flat_map(Series::filters);
                let filters: Vec<String> = filters.map(Filter::to_string).collect();
                format!(
                    "{} on '{}': {}",
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
                "min-words on '': words >= 1, words >= 2",
                "max-link-density on '': link-density <= 1, link-density <= 0.3",
            ]
        );
        assert_eq!(
            shown(&varies, true),
            [
                "min-words on 'link-density <= 0.3 and words <= 50': \
                 link-density <= 0.3 and words <= 50 and words >= 1, \
                 link-density <= 0.3 and words <= 50 and words >= 2",
                "min-words on 'link-density <= 1 and words <= 50': \
                 link-density <= 1 and words <= 50 and words >= 1, \
                 link-density <= 1 and words <= 50 and words >= 2",
            ]
        );
        let filter: Filter = "words >= 3".parse().unwrap();
        assert!(lines(&varies, &filter.into(), false).is_err());
        let twice = [varies[0].clone(), varies[0].clone()];
        for grid in [false, true] {
            assert!(lines(&twice, &Base::default(), grid).is_err());
        }
        let range = |name: &str| match name {
            "max-words" => "1..9000",
            _ => "0..36:0.004",
        };
        let long = ["max-words", "min-density", "max-density"]
            .map(|name| format!("{name}={}", range(name)).parse::<Vary>().unwrap());
        assert!(lines(&long, &Base::default(), true).is_err());
        assert_eq!(lines(&long, &Base::default(), false).unwrap().len(), 3);
    }

    #[test]
    fn parameters_of_weights() {
        let base = |weights: &str| Base {
            filter: "words >= 3".parse().unwrap(),
            weights: weights.parse().unwrap(),
            values: Vec::new(),
        };
        let varies: Vec<Vary> = ["floor=0..0.2:0.1", "$head=1,4"]
            .map(|text| text.parse().unwrap())
            .into();
        let weights = "max(confidence(a), $floor) * (if tag = h1 then $head else 1)";
        let grid = lines(&varies, &base(weights), true).unwrap();
        let shown: Vec<String> = grid.iter().map(|line| line.base.to_string()).collect();
        assert_eq!(shown, ["words >= 3; head=1", "words >= 3; head=4"]);
        let series = grid[1].series(|_| true).unwrap();
        let shown: Vec<String> = series.iter().map(|one| one.weights().to_string()).collect();
        assert_eq!(
            shown,
            ["0", "0.1", "0.2"]
                .map(|floor| format!("max(confidence(a), {floor}) * (if tag = h1 then 4 else 1)"))
        );
        let wrong = |varies: &[Vary], weights: &str| {
            let error = lines(varies, &base(weights), false).unwrap_err();
            error.to_string()
        };
        // The other one has no value.
        assert_eq!(wrong(&varies, weights), "the parameter $head has no value");
        let error = wrong(&varies, "1 + $flor");
        assert!(
            error.contains("the weights have no $floor: did you mean 'flor'?"),
            "{error}"
        );
        for no_bound in ["words=1..2", "min-wrods=1"] {
            let error = wrong(&[no_bound.parse().unwrap()], "1");
            assert!(error.contains("min-words"), "{error}");
        }
    }
}
