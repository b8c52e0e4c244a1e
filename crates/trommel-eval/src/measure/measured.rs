//! A measure: a family and its parameters.

use std::borrow::Cow;
use std::fmt;

use super::family::{Family, Trec, all};
use super::parameters::{Need, Parameters, Value};
use super::ranking::Ranking;

/// A measure that can be computed: a family and its parameters, such as P with a cutoff of 10.
#[derive(Debug, Clone)]
pub struct Measure {
    family: &'static Family,
    parameters: Parameters,
    /// The parameters as they were written in trec_eval's style, which prints them again.
    pub(super) written: Option<String>,
}

impl Measure {
    /// Joins a family and values of its keys; keys that are not given have their defaults. None where a key is not the family's or
    /// does not take the value, and where one is missing.
    pub fn new(
        family: &'static Family,
        given: impl IntoIterator<Item = (&'static str, Value)>,
    ) -> Option<Self> {
        let mut given: Vec<(&str, Value)> = given.into_iter().collect();
        let mut values = Vec::with_capacity(family.keys.len());
        for key in family.keys {
            let place = given.iter().position(|(name, _)| *name == key.name);
            let value = match (place.map(|place| given.swap_remove(place)), key.need) {
                (Some((_, value)), _) => key.kind.takes(&value).then_some(value)?,
                (None, Need::Default(constant)) => constant.value(),
                (None, Need::Optional) => continue,
                (None, Need::Required) => return None,
            };
            values.push((key.name, value));
        }
        given.is_empty().then_some(Measure {
            family,
            parameters: Parameters(values),
            written: None,
        })
    }

    /// The family, a row of [`all`].
    pub fn family(&self) -> &'static Family {
        self.family
    }

    /// The parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The value for one topic.
    pub fn score(&self, ranking: &Ranking) -> f64 {
        (self.family.score)(&self.seen(ranking), &self.parameters)
    }

    /// What is printed for a topic instead of a value.
    pub fn text(&self, ranking: &Ranking) -> Option<String> {
        let text = self.family.text?;
        Some(text(&self.seen(ranking), &self.parameters))
    }

    /// A ranking as the measure sees it: at its own relevance level, and without documents that are not judged if it says so.
    pub(super) fn seen<'a>(&self, ranking: &'a Ranking) -> Cow<'a, Ranking> {
        let level = self.parameters.grade("rel").unwrap_or(ranking.level);
        let drops = self.parameters.flag("judged_only") && !ranking.judged_only;
        match level != ranking.level || drops {
            true => Cow::Owned(ranking.at(level, drops)),
            false => Cow::Borrowed(ranking),
        }
    }

    /// The name that trec_eval prints; for measures that trec_eval lacks, our own.
    pub fn trec_name(&self) -> String {
        let Some(root) = self.family.trec_name else {
            return self.to_string();
        };
        let trec_key = match self.family.trec {
            Trec::None => "",
            Trec::Each { key, .. } | Trec::Whole { key, .. } => key,
        };
        if self.told().any(|(key, _)| key != trec_key) {
            return self.to_string();
        }
        match (&self.family.trec, self.parameters.get(trec_key)) {
            (Trec::Each { .. }, Some(Value::Number(x))) => format!("{root}_{x:.2}"),
            (Trec::Each { .. }, Some(value)) => format!("{root}_{value}"),
            (
                Trec::Whole {
                    prefix, default, ..
                },
                value,
            ) => {
                let bare = default.map(|it| it.value());
                match (&self.written, value) {
                    (Some(written), _) => format!("{root}_{written}"),
                    (None, Some(value)) if bare.as_ref() != Some(value) => {
                        format!("{root}_{prefix}{}", value.trec())
                    }
                    _ => root.to_owned(),
                }
            }
            _ => root.to_owned(),
        }
    }

    /// The name that ndeval prints; for measures that ndeval lacks, our own.
    pub fn ndeval_name(&self) -> String {
        let own = self.to_string();
        match self.family.ndeval {
            Some(name) => own.replacen(self.family.name, name, 1),
            None => own,
        }
    }

    /// The parameters that are not as they are without being given.
    fn told(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        let keys = self.family.keys.iter();
        keys.filter_map(|key| {
            let value = self.parameters.get(key.name)?;
            let is_default = match key.need {
                Need::Default(constant) => constant.value() == *value,
                Need::Optional | Need::Required => false,
            };
            (!is_default).then_some((key.name, value))
        })
    }

    /// Position in trec_eval's order of printing: the family's row, then the parameter of which each value is a measure.
    pub(super) fn printing_order(&self) -> (usize, f64) {
        let row = all()
            .iter()
            .position(|family| std::ptr::eq(family, self.family));
        let number = match self.family.trec {
            Trec::Each { key, .. } => match self.parameters.get(key) {
                Some(Value::Whole(k)) => *k as f64,
                Some(Value::Number(x)) => *x,
                _ => 0.0,
            },
            Trec::None | Trec::Whole { .. } => 0.0,
        };
        (row.unwrap_or(usize::MAX), number)
    }
}

impl PartialEq for Measure {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.family, other.family) && self.parameters == other.parameters
    }
}

/// The name as ir_measures prints it; for measures that it lacks, in the same style.
impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.family.at;
        let fixed = self.family.fixed.iter().filter(|it| it.written);
        let fixed = fixed.map(|it| match it.value {
            "True" | "False" => format!("{}={}", it.key, it.value),
            word => format!("{}='{word}'", it.key),
        });
        let told = self.told().filter(|(key, _)| *key != at);
        let told = told.map(|(key, value)| format!("{key}={value}"));
        let written: Vec<String> = fixed.chain(told).collect();
        f.write_str(self.family.name)?;
        if !written.is_empty() {
            write!(f, "({})", written.join(","))?;
        }
        match self.told().find(|(key, _)| *key == at) {
            Some((_, value)) => write!(f, "@{value}"),
            None => Ok(()),
        }
    }
}
