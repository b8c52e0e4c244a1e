//! Names in ir_measures' style: `NAME(key=value,…)@value`.

use crate::measure::error::MeasureError;
use crate::measure::family::{Family, all};
use crate::measure::measured::Measure;
use crate::measure::parameters::{Kind, Need, Value};

/// A name taken apart.
struct Written<'a> {
    base: &'a str,
    pairs: Vec<(&'a str, &'a str)>,
    at: Option<&'a str>,
}

/// The measure of this name; none if no family has it.
pub(super) fn parse(name: &str) -> Result<Option<Measure>, MeasureError> {
    let end = name.find(['(', '@']).unwrap_or(name.len());
    let (base, rest) = name.split_at(end);
    let is_named = |family: &&Family| {
        let names = family.aliases.iter().chain(family.short).copied();
        family.name == base || family.ndeval == Some(base) || names.into_iter().any(|it| it == base)
    };
    let families: Vec<&'static Family> = all().iter().filter(is_named).collect();
    let Some(&first) = families.first() else {
        return Ok(None);
    };
    let malformed = |text: &str| MeasureError::Malformed {
        name: name.to_owned(),
        text: text.to_owned(),
    };
    let (pairs, at) = taken_apart(rest).map_err(malformed)?;
    let written = Written { base, pairs, at };
    let mut refused: Option<MeasureError> = None;
    for family in &families {
        match measure(family, &written, name) {
            Ok(measure) => return Ok(Some(measure)),
            // What the first family that knows all keys says of a value tells most.
            Err(error) => {
                let is_worse = matches!(error, MeasureError::UnknownParameter { .. });
                if refused.is_none()
                    || (!is_worse && matches!(refused, Some(MeasureError::UnknownParameter { .. })))
                {
                    refused = Some(error);
                }
            }
        }
    }
    let known = known(&families);
    Err(match refused {
        Some(MeasureError::UnknownParameter { parameter, .. }) => MeasureError::UnknownParameter {
            name: name.to_owned(),
            parameter,
            family: first.name,
            known,
        },
        Some(error) => error,
        None => malformed(rest),
    })
}

/// Pairs of keys and values, and what stands after `@`.
type Parts<'a> = (Vec<(&'a str, &'a str)>, Option<&'a str>);

/// Pairs of keys and values, and what stands after `@`; or what is wrong.
fn taken_apart(rest: &str) -> Result<Parts<'_>, &str> {
    let (inside, after) = match rest.strip_prefix('(') {
        Some(inside) => inside.rsplit_once(')').ok_or(rest)?,
        None => ("", rest),
    };
    let at = match after {
        "" => None,
        after => Some(after.strip_prefix('@').ok_or(after)?),
    };
    let mut pairs = Vec::new();
    if !inside.trim().is_empty() {
        for pair in super::split::split(inside) {
            let (key, value) = pair.split_once('=').ok_or(pair)?;
            pairs.push((key.trim(), value.trim()));
        }
    }
    Ok((pairs, at))
}

fn measure(
    family: &'static Family,
    written: &Written,
    name: &str,
) -> Result<Measure, MeasureError> {
    let unknown = |parameter: &str| MeasureError::UnknownParameter {
        name: name.to_owned(),
        parameter: parameter.to_owned(),
        family: family.name,
        known: Vec::new(),
    };
    let is_short = family.short.contains(&written.base);
    for fixed in family.fixed.iter().filter(|it| it.written && !is_short) {
        if !written.pairs.iter().any(|(key, _)| *key == fixed.key) {
            return Err(unknown(""));
        }
    }
    let at = written.at.map(|value| (family.at, value));
    let mut given: Vec<(&'static str, Value)> = Vec::new();
    for (key, text) in written.pairs.iter().copied().chain(at) {
        if let Some(fixed) = family.fixed.iter().find(|it| it.key == key) {
            let word = text.trim_matches(['\'', '"']);
            match word == fixed.value {
                true => continue,
                false => return Err(unknown(&format!("{key}={text}"))),
            }
        }
        let Some(row) = family.keys.iter().find(|row| row.name == key) else {
            let is_at = written.at == Some(text) && key == family.at;
            return Err(unknown(&if is_at {
                format!("@{text}")
            } else {
                key.to_owned()
            }));
        };
        let value = row
            .kind
            .read(text)
            .filter(|_| !given.iter().any(|(it, _)| *it == key));
        let Some(value) = value else {
            return Err(MeasureError::BadValue {
                name: name.to_owned(),
                parameter: row.name,
                expected: row.kind.to_string(),
                value: text.to_owned(),
            });
        };
        given.push((row.name, value));
    }
    let missing = family
        .keys
        .iter()
        .find(|row| row.need == Need::Required && !given.iter().any(|(key, _)| *key == row.name));
    match (Measure::new(family, given), missing) {
        (Some(measure), _) => Ok(measure),
        (None, _) => Err(MeasureError::NeedsParameter {
            name: name.to_owned(),
            example: example(family),
        }),
    }
}

/// A name of the family with all that is required.
fn example(family: &Family) -> String {
    let value = |kind: Kind| match kind {
        Kind::Cutoff => "10",
        Kind::Grade => "4",
        _ => "0.1",
    };
    let required = family.keys.iter().filter(|row| row.need == Need::Required);
    let mut pairs = Vec::new();
    let mut at = String::new();
    for row in required {
        match row.name == family.at {
            true => at = format!("@{}", value(row.kind)),
            false => pairs.push(format!("{}={}", row.name, value(row.kind))),
        }
    }
    match pairs.is_empty() {
        true => format!("{}{at}", family.name),
        false => format!("{}({}){at}", family.name, pairs.join(",")),
    }
}

/// The parameters that the families of a name have.
fn known(families: &[&'static Family]) -> Vec<String> {
    let mut known: Vec<String> = Vec::new();
    for family in families {
        let fixed = family
            .fixed
            .iter()
            .map(|it| format!("{}={}", it.key, it.value));
        let keys = family.keys.iter().map(|row| match row.name == family.at {
            true => format!("@{}", row.name),
            false => row.name.to_owned(),
        });
        for it in keys.chain(fixed) {
            if !known.contains(&it) {
                known.push(it);
            }
        }
    }
    known
}
