//! Reading measure names, as ir_measures and as trec_eval spell them.

use trommel_text::nearest;

use super::{Family, Measure, MeasureError, Parameter, ParameterKind, all};

/// The measures of trec_eval's nickname `official`, by trec_eval's names.
const OFFICIAL: [&str; 11] = [
    "num_q",
    "num_ret",
    "num_rel",
    "num_rel_ret",
    "map",
    "gm_map",
    "Rprec",
    "bpref",
    "recip_rank",
    "iprec_at_recall",
    "P",
];

/// The measures of trec_eval's nickname `set` that are implemented, by trec_eval's names.
const SET: [&str; 8] = [
    "num_q",
    "num_ret",
    "num_rel",
    "num_rel_ret",
    "set_P",
    "set_recall",
    "set_map",
    "set_F",
];

/// Measures that were asked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Selection {
    /// Whether trec_eval's `runid` is among them (it is text, not a score).
    pub run_tag: bool,
    /// The measures in the order asked, without repetitions.
    pub measures: Vec<Measure>,
}

impl Selection {
    /// Reads names in any of these spellings:
    ///
    /// - ir_measures: `P@10`, `AP`, `IPrec@0.1`, `RBP(p=0.9)`, `nDCG(dcg='exp-log2')@20`, and its
    ///   aliases such as `MRR`;
    /// - trec_eval's options: `map`, `P` (all default cutoffs), `P.5,10`, `set_F.0.5`;
    /// - what trec_eval prints: `P_10`, `iprec_at_recall_0.10`;
    /// - the nicknames `official`, `set` and `all_trec`, of which the last two mean the implemented
    ///   measures only; and `runid`.
    ///
    /// Where a name is both, they mean the same, except for a bare `P`, which is trec_eval's.
    ///
    /// # Errors
    /// [`MeasureError`]: a name that is not known, or a parameter that is missing or does not fit.
    pub fn parse<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Selection, MeasureError> {
        let mut selection = Selection::default();
        for name in names {
            match name {
                "runid" => selection.run_tag = true,
                "official" => selection.add_nickname(|trec_name| OFFICIAL.contains(&trec_name)),
                "set" => selection.add_nickname(|trec_name| SET.contains(&trec_name)),
                "all_trec" => selection.add_nickname(|_| true),
                _ => selection.add(parse_name(name)?),
            }
        }
        Ok(selection)
    }

    fn add_nickname(&mut self, includes: impl Fn(&str) -> bool) {
        self.run_tag = true;
        for family in all() {
            if family.trec_name.is_some_and(&includes) {
                self.add(trec_defaults(family));
            }
        }
    }

    fn add(&mut self, measures: Vec<Measure>) {
        for measure in measures {
            if !self.measures.contains(&measure) {
                self.measures.push(measure);
            }
        }
    }
}

fn parse_name(name: &str) -> Result<Vec<Measure>, MeasureError> {
    if name.contains("(rel=") || name.contains(",rel=") {
        return Err(MeasureError::RelevanceLevel {
            name: name.to_owned(),
        });
    }
    if let Some(family) = all().iter().find(|family| family.trec_name == Some(name)) {
        return Ok(trec_defaults(family));
    }
    let own = parse_own(name)?;
    if let Some(measure) = own {
        return Ok(vec![measure]);
    }
    if let Some(measures) = parse_trec(name)? {
        return Ok(measures);
    }
    Err(MeasureError::Unknown {
        name: name.to_owned(),
        nearest: nearest_name(name),
    })
}

/// The measure that a name is nearest to, with the parameter that stands behind it.
fn nearest_name(name: &str) -> Option<String> {
    let end = name.find(['@', '(', '.']).unwrap_or(name.len());
    let (base, parameter) = name.split_at(end);
    let spellings = all().iter().flat_map(|family| {
        let others = family.aliases.iter().copied().chain(family.trec_name);
        std::iter::once(family.name).chain(others)
    });
    let nearest = nearest(base, &spellings.collect::<Vec<_>>())?;
    Some(format!("{nearest}{parameter}"))
}

/// The measures that trec_eval computes for a bare name.
fn trec_defaults(family: &'static Family) -> Vec<Measure> {
    let parameters: Vec<Parameter> = match family.kind {
        ParameterKind::None => vec![Parameter::None],
        ParameterKind::Cutoff { trec_defaults } => trec_defaults
            .iter()
            .copied()
            .map(Parameter::Cutoff)
            .collect(),
        ParameterKind::Number { trec_default, .. } => trec_default
            .iter()
            .copied()
            .map(Parameter::Number)
            .collect(),
    };
    let measures = parameters
        .into_iter()
        .filter_map(|parameter| Measure::new(family, parameter));
    measures.collect()
}

/// `NAME`, `NAME@x` or `NAME(key=x)`; none if no family has the name.
fn parse_own(name: &str) -> Result<Option<Measure>, MeasureError> {
    let unquoted = name.replace('"', "'");
    let (base, parameter) = match unquoted.rsplit_once('@') {
        Some((base, parameter)) => (base, Some(parameter)),
        None => (unquoted.as_str(), None),
    };
    let bad_parameter = |family: &Family, parameter: &str| MeasureError::BadParameter {
        name: name.to_owned(),
        parameter: parameter.to_owned(),
        family: family.name,
    };
    let named = |base: &str| {
        let is_named = |family: &&Family| family.name == base || family.aliases.contains(&base);
        let families: Vec<&'static Family> = all().iter().filter(is_named).collect();
        families
    };

    let families = named(base);
    for family in &families {
        let found = match (family.kind, parameter) {
            (ParameterKind::None, None) => Some(Parameter::None),
            (
                ParameterKind::Number {
                    default: Some(x), ..
                },
                None,
            ) => Some(Parameter::Number(x)),
            (ParameterKind::Cutoff { .. }, Some(text))
            | (ParameterKind::Number { key: None, .. }, Some(text)) => {
                let parameter = number(family, text).ok_or_else(|| bad_parameter(family, text))?;
                Some(parameter)
            }
            _ => None,
        };
        if let Some(measure) = found.and_then(|parameter| Measure::new(family, parameter)) {
            return Ok(Some(measure));
        }
    }
    match (families.first(), parameter) {
        (Some(family), Some(parameter)) => return Err(bad_parameter(family, parameter)),
        (Some(family), None) => {
            let example = match family.kind {
                ParameterKind::Cutoff { .. } => format!("{}@10", family.name),
                ParameterKind::Number { .. } | ParameterKind::None => {
                    format!("{}@0.1", family.name)
                }
            };
            let name = name.to_owned();
            return Err(MeasureError::NeedsParameter { name, example });
        }
        (None, _) => {}
    }

    let Some((base, arguments)) = unquoted
        .strip_suffix(')')
        .and_then(|text| text.split_once('('))
    else {
        return Ok(None);
    };
    let Some(family) = named(base).first().copied() else {
        return Ok(None);
    };
    let parameter = match (family.kind, arguments.split_once('=')) {
        (ParameterKind::Number { key: Some(key), .. }, Some((given, text)))
            if given.trim() == key =>
        {
            number(family, text.trim())
        }
        _ => None,
    };
    let measure = parameter.and_then(|parameter| Measure::new(family, parameter));
    measure
        .map(Some)
        .ok_or_else(|| bad_parameter(family, arguments))
}

/// `NAME.x,y` or `NAME_x`; none if no family has the name.
fn parse_trec(name: &str) -> Result<Option<Vec<Measure>>, MeasureError> {
    for family in all() {
        let rest = family.trec_name.and_then(|root| name.strip_prefix(root));
        let (parameters, is_list) =
            match rest.map(|rest| (rest.strip_prefix('.'), rest.strip_prefix('_'))) {
                Some((Some(list), _)) => (list, true),
                Some((_, Some(one))) => (one, false),
                _ => continue,
            };
        let parse_one = |text: &str| {
            let text = match family.kind {
                ParameterKind::Number { trec_prefix, .. } => text.strip_prefix(trec_prefix)?,
                _ => text,
            };
            Measure::new(family, number(family, text)?)
        };
        let words: Vec<&str> = match is_list {
            true => parameters.split(',').collect(),
            false => vec![parameters],
        };
        match words.iter().map(|word| parse_one(word)).collect() {
            Some(measures) => return Ok(Some(measures)),
            // `map_cut_10` begins with `map` too: another family may fit.
            None if !is_list => {}
            None => {
                return Err(MeasureError::BadParameter {
                    name: name.to_owned(),
                    parameter: parameters.to_owned(),
                    family: family.name,
                });
            }
        }
    }
    Ok(None)
}

fn number(family: &Family, text: &str) -> Option<Parameter> {
    match family.kind {
        ParameterKind::None => None,
        ParameterKind::Cutoff { .. } => text.parse().ok().map(Parameter::Cutoff),
        ParameterKind::Number { .. } => text.parse().ok().map(Parameter::Number),
    }
}
