//! The parameters of feedback.

use std::fmt;

use super::parameters::within;

/// Parameters of the feedback.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rm3 {
    /// Terms that the query is expanded by at most, at least 1.
    pub terms: u32,
    /// Pages that they are taken from, at least 1.
    pub docs: u32,
    /// Weight of the query itself, in 0..=1.
    pub weight: f64,
}

impl Default for Rm3 {
    /// Anserini's defaults.
    fn default() -> Self {
        Rm3 {
            terms: 10,
            docs: 10,
            weight: 0.5,
        }
    }
}

/// Most that `terms` and `docs` may be.
const MOST: f64 = 1000.0;

impl Rm3 {
    pub(crate) fn from_parameters(parameters: &[(&str, f64)]) -> Result<Rm3, String> {
        let mut rm3 = Rm3::default();
        let count = |name: &str, value: f64| match within(name, value, 1.0..=MOST)? {
            whole if whole.fract() == 0.0 => Ok(whole as u32),
            _ => Err(format!("{name}={value} is not a whole number")),
        };
        for &(name, value) in parameters {
            match name {
                "terms" => rm3.terms = count(name, value)?,
                "docs" => rm3.docs = count(name, value)?,
                "weight" => rm3.weight = within(name, value, 0.0..=1.0)?,
                _ => return Err(format!("rm3 has no parameter '{name}'")),
            }
        }
        Ok(rm3)
    }
}

impl fmt::Display for Rm3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rm3 {
            terms,
            docs,
            weight,
        } = self;
        write!(f, "rm3:terms={terms},docs={docs},weight={weight}")
    }
}
