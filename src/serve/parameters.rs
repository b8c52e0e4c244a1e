//! The parameters of an address. Each is taken once; what is left at the end is unknown.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::limits;
use super::problem::Problem;
use crate::attribute::{self, Bound};
use crate::filter::{Filter, ShortForms};
use crate::index::{Model, Ranking};

/// Names with values, as they stand behind the `?`.
#[derive(Debug)]
pub struct Parameters {
    given: Vec<(String, String)>,
    /// The names that were asked for.
    known: Vec<String>,
}

impl Parameters {
    /// Reads the part of an address behind the `?`. Empty values are as none.
    ///
    /// # Errors
    /// A parameter that stands twice; too many.
    pub fn read(query: &str) -> Result<Parameters, Problem> {
        let mut given: Vec<(String, String)> = Vec::new();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if given.iter().any(|(known, _)| *known == name) {
                return Err(Problem::bad(format!("the parameter '{name}' stands twice")));
            }
            if given.len() == limits::PARAMETERS {
                let most = limits::PARAMETERS;
                return Err(Problem::bad(format!("more than {most} parameters")));
            }
            given.push((name.into_owned(), value.into_owned()));
        }
        given.retain(|(_, value)| !value.is_empty());
        Ok(Parameters {
            given,
            known: Vec::new(),
        })
    }

    /// The text of a parameter.
    pub fn text(&mut self, name: &str) -> Option<String> {
        self.known.push(name.to_owned());
        let at = self.given.iter().position(|(known, _)| known == name)?;
        Some(self.given.swap_remove(at).1)
    }

    /// A parameter that parses.
    pub fn value<T>(&mut self, name: &'static str) -> Result<Option<T>, Problem>
    where
        T: FromStr<Err: Display>,
    {
        let parse = |text: String| {
            let wrong = |why| Problem::bad(format!("{name}: {why}"));
            text.parse().map_err(wrong)
        };
        self.text(name).map(parse).transpose()
    }

    /// A whole number.
    pub fn whole(&mut self, name: &'static str) -> Result<Option<u32>, Problem> {
        let parse = |text: String| {
            let wrong = |_| {
                let most = u32::MAX;
                Problem::bad(format!(
                    "{name}: '{text}' is no whole number from 0 to {most}"
                ))
            };
            text.parse().map_err(wrong)
        };
        self.text(name).map(parse).transpose()
    }

    /// A whole number within bounds.
    pub fn within(
        &mut self,
        name: &'static str,
        range: RangeInclusive<u32>,
        default: u32,
    ) -> Result<u32, Problem> {
        let value = self.whole(name)?.unwrap_or(default);
        let (least, most) = (range.start(), range.end());
        match range.contains(&value) {
            true => Ok(value),
            false => Err(Problem::bad(format!(
                "{name}: {value} is not between {least} and {most}"
            ))),
        }
    }

    /// `true` or `false`.
    pub fn flag(&mut self, name: &'static str) -> Result<bool, Problem> {
        match self.text(name).as_deref() {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(other) => Err(Problem::bad(format!(
                "{name}: '{other}' is neither true nor false"
            ))),
        }
    }

    /// The block filter: the expression `filter`, and the short forms by their names.
    pub fn filter(&mut self) -> Result<Filter, Problem> {
        let mut forms = ShortForms::default();
        for name in ["filter", "extractor"] {
            if let Some(value) = self.text(name) {
                forms
                    .add(name, &value)
                    .map_err(|error| Problem::bad(format!("{name}: {error}")))?;
            }
        }
        for bound in attribute::bounds() {
            if let Some(value) = self.text(&parameter(bound)) {
                let added = forms.bound(bound, &value);
                let name = parameter(bound);
                added.map_err(|error| Problem::bad(format!("{name}: {}", error.what())))?;
            }
        }
        Ok(forms.filter())
    }

    /// Filter, model, statistics; what is ranked is left as it is by default.
    pub fn ranking(&mut self) -> Result<Ranking, Problem> {
        let model: Model = self.value("model")?.unwrap_or_default();
        let most = limits::FEEDBACK;
        if model
            .feedback
            .is_some_and(|it| it.docs > most || it.terms > most)
        {
            return Err(Problem::bad(format!(
                "model: '{model}' asks for more than {most} feedback pages or terms"
            )));
        }
        Ok(Ranking {
            filter: self.filter()?,
            weights: self.value("weights")?.unwrap_or_default(),
            model,
            stats: self.value("stats")?.unwrap_or_default(),
            ..Ranking::default()
        })
    }

    /// Complains of what nobody asked for.
    pub fn finish(self) -> Result<(), Problem> {
        match self.given.first() {
            None => Ok(()),
            Some((name, _)) => {
                let known = self.known.join(", ");
                Err(Problem::bad(format!("there is no parameter '{name}'"))
                    .hint(format!("here there are: {known}")))
            }
        }
    }
}

/// The parameter of a bound: `min_words`.
pub fn parameter(bound: Bound) -> String {
    bound.name().replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(query: &str, expected: Result<&str, &str>) {
        let read = || {
            let mut parameters = Parameters::read(query)?;
            let ranking = parameters.ranking()?;
            parameters.finish()?;
            Ok(format!("{} {}", ranking.filter, ranking.model))
        };
        let found: Result<String, Problem> = read();
        match (&found, expected) {
            (Ok(text), Ok(expected)) => assert_eq!(text, expected),
            (Err(problem), Err(expected)) => assert_eq!(problem.error, expected),
            _ => panic!("{query}: {found:?}"),
        }
    }

    #[test]
    fn parameters() {
        check("", Ok("unfiltered bm25:k1=0.9,b=0.4"));
        check(
            "min_words=11&max_link_density=0.330&extractor=content-tree%3An%3D3&min_density=",
            Ok("content-tree:n=3 and words >= 11 and link-density <= 0.33 bm25:k1=0.9,b=0.4"),
        );
        check("min_words=-1", Err("min_words: '-1' is no whole number"));
        check(
            "max_link_density=1.01",
            Err("max_link_density: 1.01 is more than 1: the range is from 0 to 1"),
        );
        check(
            "max_link_density=1.0",
            Ok("link-density <= 1 bm25:k1=0.9,b=0.4"),
        );
        check(
            "min_confidence=0.50&extractor=a",
            Ok("a and confidence(a) >= 0.5 bm25:k1=0.9,b=0.4"),
        );
        check(
            "min_confidence=0.125",
            Err("min_confidence: 0.125 has more than 2 digits behind the point"),
        );
        check(
            "min_words=1&min_words=2",
            Err("the parameter 'min_words' stands twice"),
        );
        check("min-words=1", Err("there is no parameter 'min-words'"));
        check(
            "stats=words+%3E%3D+ten",
            Err("stats: words: 'ten' is no whole number\n    words >= ten\n             ^^^"),
        );
        check(
            "model=bm25%2Brm3:docs=500",
            Err(
                "model: 'bm25:k1=0.9,b=0.4+rm3:terms=10,docs=500,weight=0.5' asks for more than 100 feedback pages or terms",
            ),
        );
        let many: String = (0..40).map(|n| format!("a{n}=1&")).collect();
        check(&many, Err("more than 32 parameters"));
    }
}
