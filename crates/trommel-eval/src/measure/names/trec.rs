//! Names in trec_eval's style: `NAME.x,y` on its command line, `NAME_x` where it prints.

use crate::measure::error::MeasureError;
use crate::measure::family::{Family, Trec, all};
use crate::measure::measured::Measure;
use crate::measure::parameters::{Kind, Value};

/// Nicknames of groups of measures, by trec_eval's names (`te_trec_measure_nicknames` of its `measures.c`).
const NICKNAMES: &[(&str, &[&str])] = &[
    (
        "official",
        &[
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
        ],
    ),
    (
        "set",
        &[
            "num_q",
            "num_ret",
            "num_rel",
            "num_rel_ret",
            "utility",
            "set_P",
            "set_recall",
            "set_relative_P",
            "set_map",
            "set_F",
        ],
    ),
    (
        "all_trec",
        &[
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
            "relstring",
            "recall",
            "unj",
            "rbp",
            "rbp_resid",
            "infAP",
            "gm_bpref",
            "utility",
            "11pt_avg",
            "ndcg",
            "relative_P",
            "Rprec_mult",
            "success",
            "map_cut",
            "ndcg_cut",
            "ndcg_rel",
            "Rndcg",
            "binG",
            "G",
            "set_P",
            "set_recall",
            "set_relative_P",
            "set_map",
            "set_F",
            "num_nonrel_judged_ret",
        ],
    ),
    (
        "all_prefs",
        &[
            "num_q",
            "prefs_num_prefs_poss",
            "prefs_num_prefs_ful",
            "prefs_num_prefs_ful_ret",
            "prefs_simp",
            "prefs_pair",
            "prefs_avgjg",
            "prefs_avgjg_Rnonrel",
            "prefs_simp_ret",
            "prefs_pair_ret",
            "prefs_avgjg_ret",
            "prefs_avgjg_Rnonrel_ret",
            "prefs_simp_imp",
            "prefs_pair_imp",
            "prefs_avgjg_imp",
        ],
    ),
    (
        "prefs",
        &[
            "num_q",
            "prefs_num_prefs_poss",
            "prefs_num_prefs_ful",
            "prefs_num_prefs_ful_ret",
            "prefs_simp",
            "prefs_pair",
            "prefs_avgjg",
        ],
    ),
    (
        "qrels_jg",
        &["num_q", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"],
    ),
];

/// The members of a nickname.
pub(super) fn nickname(name: &str) -> Option<&'static [&'static str]> {
    let found = NICKNAMES.iter().find(|(nickname, _)| *nickname == name);
    found.map(|(_, members)| *members)
}

/// Whether a name is trec_eval's without parameters.
pub(super) fn is_bare(name: &str) -> bool {
    all().iter().any(|family| family.trec_name == Some(name))
}

/// The measures that trec_eval computes for a bare name.
pub(super) fn defaults(family: &'static Family) -> Vec<Measure> {
    let kind = |key: &str| {
        family
            .keys
            .iter()
            .find(|row| row.name == key)
            .map(|row| row.kind)
    };
    match &family.trec {
        Trec::None => Measure::new(family, []).into_iter().collect(),
        Trec::Each { key, defaults } => {
            let value = |x: &f64| match kind(key) {
                Some(Kind::Cutoff) => Value::Whole(*x as i64),
                _ => Value::Number(*x),
            };
            let measures = defaults.iter();
            measures
                .filter_map(|x| Measure::new(family, [(*key, value(x))]))
                .collect()
        }
        Trec::Whole { key, default, .. } => {
            let given = default.map(|constant| (*key, constant.value()));
            Measure::new(family, given).into_iter().collect()
        }
    }
}

/// `NAME.x,y` or `NAME_x`; none if no family has the name.
pub(super) fn parse(name: &str) -> Result<Option<Vec<Measure>>, MeasureError> {
    for family in all() {
        let rest = family.trec_name.and_then(|root| name.strip_prefix(root));
        let (text, is_option) =
            match rest.map(|rest| (rest.strip_prefix('.'), rest.strip_prefix('_'))) {
                Some((Some(text), _)) => (text, true),
                Some((_, Some(text))) => (text, false),
                _ => continue,
            };
        match measures(family, text) {
            Some(measures) => return Ok(Some(measures)),
            // `map_cut_10` begins with `map` too: another family may fit.
            None if !is_option => {}
            None => return Err(refused(family, name, text)),
        }
    }
    Ok(None)
}

fn measures(family: &'static Family, text: &str) -> Option<Vec<Measure>> {
    let row = |key: &str| family.keys.iter().find(|row| row.name == key);
    match &family.trec {
        Trec::None => None,
        Trec::Each { key, .. } => {
            let row = row(key)?;
            let one = |word: &str| Measure::new(family, [(row.name, row.kind.read_trec(word)?)]);
            text.split(',').map(one).collect()
        }
        Trec::Whole { key, prefix, .. } => {
            let row = row(key)?;
            let value = row.kind.read_trec(text.strip_prefix(prefix)?)?;
            let mut measure = Measure::new(family, [(row.name, value)])?;
            measure.written = Some(text.to_owned());
            Some(vec![measure])
        }
    }
}

fn refused(family: &'static Family, name: &str, text: &str) -> MeasureError {
    let key = match &family.trec {
        Trec::None => None,
        Trec::Each { key, .. } | Trec::Whole { key, .. } => Some(*key),
    };
    let row = family.keys.iter().find(|row| Some(row.name) == key);
    match row {
        Some(row) => MeasureError::BadValue {
            name: name.to_owned(),
            parameter: row.name,
            expected: match matches!(family.trec, Trec::Each { .. }) {
                true => format!("{}, or several separated by commas", row.kind),
                false => row.kind.to_string(),
            },
            value: text.to_owned(),
        },
        None => MeasureError::UnknownParameter {
            name: name.to_owned(),
            parameter: text.to_owned(),
            family: family.name,
            known: Vec::new(),
        },
    }
}
