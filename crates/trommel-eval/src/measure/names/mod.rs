//! Reading measure names, as ir_measures and as trec_eval spell them.

mod own;
mod split;
mod trec;

use trommel_text::nearest;

use super::error::MeasureError;
use super::family::all;
use super::measured::Measure;

/// Measures that were asked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Selection {
    /// Whether trec_eval's `runid` is among them (it is text, not a score).
    pub run_tag: bool,
    /// The measures in the order asked, without repetitions.
    pub measures: Vec<Measure>,
}

impl Selection {
    /// Reads names, of which several may stand in one text, separated by commas, in any of these spellings:
    ///
    /// - ir_measures: `P@10`, `AP(rel=2)`, `IPrec@0.1`, `RBP(p=0.9)`, `nDCG(dcg='exp-log2')@20`, and its
    ///   aliases such as `MRR`;
    /// - trec_eval's options: `map`, `P` (all default cutoffs), `P.5,10`, `set_F.0.5`, `utility.1,-1,0,0`;
    /// - what trec_eval prints: `P_10`, `iprec_at_recall_0.10`;
    /// - the nicknames `official`, `set`, `all_trec`, `prefs`, `all_prefs` and `qrels_jg`; and `runid`;
    /// - what ndeval prints: `alpha-nDCG@10`, `strec@5`.
    ///
    /// Where a name is both, they mean the same, except for a bare `P`, which is trec_eval's. Parameters in trec_eval's style take the
    /// place of the defaults that nicknames and bare names bring, as in trec_eval.
    ///
    /// # Errors
    /// [`MeasureError`]: a name that is not known, or a parameter that is missing or does not fit.
    pub fn parse<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Selection, MeasureError> {
        let mut selection = Selection::default();
        let mut defaults: Vec<Measure> = Vec::new();
        let mut given: Vec<&'static str> = Vec::new();
        for name in names.into_iter().flat_map(split::split) {
            if name == "runid" {
                selection.run_tag = true;
                continue;
            }
            if let Some(members) = trec::nickname(name) {
                selection.run_tag = true;
                for family in all() {
                    if family.trec_name.is_some_and(|it| members.contains(&it)) {
                        let measures = trec::defaults(family);
                        let new = measures
                            .iter()
                            .filter(|it| !selection.measures.contains(it));
                        defaults.extend(new.cloned());
                        selection.add(measures);
                    }
                }
                continue;
            }
            let measures = parse_name(name)?;
            if trec::is_bare(name) {
                let new = measures
                    .iter()
                    .filter(|it| !selection.measures.contains(it));
                defaults.extend(new.cloned());
            } else if name.contains('.')
                && let Some(family) = measures.first().map(Measure::family)
                && name.starts_with(&format!("{}.", family.trec_name.unwrap_or_default()))
            {
                given.extend(family.trec_name);
                // These are wanted, whatever brought them before.
                selection.measures.retain(|it| !measures.contains(it));
                defaults.retain(|it| !measures.contains(it));
            }
            selection.add(measures);
        }
        selection.measures.retain(|it| {
            let replaced = it
                .family()
                .trec_name
                .is_some_and(|name| given.contains(&name));
            !(replaced && it.written.is_none() && defaults.contains(it))
        });
        Ok(selection)
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
    if let Some(family) = all().iter().find(|family| family.trec_name == Some(name)) {
        return Ok(trec::defaults(family));
    }
    if let Some(measure) = own::parse(name)? {
        return Ok(vec![measure]);
    }
    if let Some(measures) = trec::parse(name)? {
        return Ok(measures);
    }
    Err(MeasureError::Unknown {
        name: name.to_owned(),
        nearest: nearest_name(name),
    })
}

/// The measure that a name is nearest to, with the parameters that stand behind it.
fn nearest_name(name: &str) -> Option<String> {
    let end = name.find(['@', '(', '.']).unwrap_or(name.len());
    let (base, parameters) = name.split_at(end);
    let spellings = all().iter().flat_map(|family| {
        let short = family.aliases.iter().chain(family.short).copied();
        let others = short.chain(family.trec_name).chain(family.ndeval);
        std::iter::once(family.name).chain(others)
    });
    let nearest = nearest(base, &spellings.collect::<Vec<_>>())?;
    Some(format!("{nearest}{parameters}"))
}
