//! Parameters of models in text.

use std::fmt;
use std::ops::RangeBounds;

use trommel_text::parameters;

/// `name=value,…` as pairs.
pub(crate) fn parse_parameters(text: &str) -> Result<Vec<(&str, f64)>, String> {
    parameters(text)
        .map(|(name, value)| {
            let value = value.ok_or_else(|| format!("'{name}' is not of the form name=value"))?;
            let value = value
                .parse()
                .map_err(|_| format!("'{value}' is not a number"))?;
            Ok((name, value))
        })
        .collect()
}

/// The value of a parameter, if it is in the range that the parameter has.
pub(crate) fn within(
    name: &str,
    value: f64,
    range: impl RangeBounds<f64> + fmt::Debug,
) -> Result<f64, String> {
    match range.contains(&value) {
        true => Ok(value),
        false => Err(format!("{name}={value:?} is not in {range:?}")),
    }
}
