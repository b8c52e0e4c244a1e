//! The table of measures.

use super::{
    Ranking, average_precision, bpref, counts, err, f1, inferred_ap, interpolated, judged, ndcg,
    ndcg_exp, precision, r_precision, rbp, recall, reciprocal_rank, success,
};

/// A family of measures that differ in their parameter only. One row of [`all`].
#[derive(Debug)]
pub struct Family {
    /// Name as ir_measures prints it, without the parameter; trec_eval's or our own where it has none.
    pub name: &'static str,
    /// Other spellings that are read.
    pub aliases: &'static [&'static str],
    /// trec_eval's name without the parameter; none for measures that it lacks.
    pub trec_name: Option<&'static str>,
    /// What parameter it takes.
    pub kind: ParameterKind,
    /// The value for one topic. Never NaN.
    pub score: fn(&Ranking, Parameter) -> f64,
    /// How a run's value comes from its topics' values.
    pub aggregate: Aggregate,
    /// Whether values are counts, printed without decimals.
    pub integer: bool,
    /// Whether trec_eval prints the values of single topics.
    pub per_topic: bool,
    /// The highest grade that the definition allows.
    pub max_grade: Option<i32>,
}

/// What parameter the measures of a family take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParameterKind {
    /// None.
    None,
    /// A rank cutoff, written `NAME@k`.
    Cutoff {
        /// trec_eval's default cutoffs.
        trec_defaults: &'static [usize],
    },
    /// A number in `0..=max`, written `NAME@x` or `NAME(key=x)`.
    Number {
        /// Key in ir_measures' style; none where the number is written after `@`.
        key: Option<&'static str>,
        /// The number when none is written in our (ir_measures') style; none if it must be written.
        default: Option<f64>,
        /// trec_eval's default numbers.
        trec_default: &'static [f64],
        /// What trec_eval writes before the number.
        trec_prefix: &'static str,
        /// Upper end of the range.
        max: f64,
    },
}

/// The parameter of one measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Parameter {
    /// None: the whole ranking counts.
    None,
    /// The first so many documents count.
    Cutoff(usize),
    /// A recall point, weight or persistence.
    Number(f64),
}

impl Parameter {
    /// The cutoff; without one, larger than any ranking.
    pub fn cutoff(self) -> usize {
        match self {
            Parameter::Cutoff(k) => k,
            Parameter::None | Parameter::Number(_) => usize::MAX,
        }
    }

    /// The parameter as a number; 0 without one.
    pub fn number(self) -> f64 {
        match self {
            Parameter::None => 0.0,
            Parameter::Cutoff(k) => k as f64,
            Parameter::Number(x) => x,
        }
    }
}

/// How a run's value comes from its topics' values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aggregate {
    /// Arithmetic mean.
    Mean,
    /// Sum.
    Sum,
    /// Geometric mean of the values, each taken as at least 0.00001 (trec_eval's floor).
    GeometricMean,
    /// Sum; but over all judged topics it counts every grade above 0, whatever the relevance level:
    /// trec_eval's `num_rel` does so with `-c`.
    SumOfRelevant,
    /// Harmonic mean of the mean precision and the mean recall at the cutoff.
    F1OfMeans,
}

const CUTOFFS: ParameterKind = ParameterKind::Cutoff {
    trec_defaults: &[5, 10, 15, 20, 30, 100, 200, 500, 1000],
};
const NO_TREC_DEFAULTS: ParameterKind = ParameterKind::Cutoff { trec_defaults: &[] };
const PERSISTENCE_KEY: Option<&str> = Some("p");

/// Recall points of `iprec_at_recall` and of `11pt_avg`.
pub(super) const RECALL_POINTS: [f64; 11] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

/// A row for the mean of a score without a parameter; the rows below say where they differ.
const fn row(
    name: &'static str,
    trec_name: Option<&'static str>,
    score: fn(&Ranking, Parameter) -> f64,
) -> Family {
    Family {
        name,
        aliases: &[],
        trec_name,
        kind: ParameterKind::None,
        score,
        aggregate: Aggregate::Mean,
        integer: false,
        per_topic: true,
        max_grade: None,
    }
}

const fn count(
    name: &'static str,
    trec_name: &'static str,
    score: fn(&Ranking, Parameter) -> f64,
) -> Family {
    Family {
        aggregate: Aggregate::Sum,
        integer: true,
        ..row(name, Some(trec_name), score)
    }
}

const fn geometric(name: &'static str, score: fn(&Ranking, Parameter) -> f64) -> Family {
    Family {
        aggregate: Aggregate::GeometricMean,
        per_topic: false,
        ..row(name, Some(name), score)
    }
}

const fn at_cutoff(
    name: &'static str,
    trec_name: Option<&'static str>,
    kind: ParameterKind,
    score: fn(&Ranking, Parameter) -> f64,
) -> Family {
    Family {
        kind,
        ..row(name, trec_name, score)
    }
}

/// All families. Those that trec_eval has come first and in the order in which it prints them.
static FAMILIES: [Family; 33] = [
    Family {
        per_topic: false,
        ..count("NumQ", "num_q", counts::topics)
    },
    count("NumRet", "num_ret", counts::retrieved),
    Family {
        aggregate: Aggregate::SumOfRelevant,
        ..count("NumRel", "num_rel", counts::relevant)
    },
    count("NumRelRet", "num_rel_ret", counts::relevant_retrieved),
    Family {
        aliases: &["MAP"],
        ..row("AP", Some("map"), average_precision::score)
    },
    geometric("gm_map", average_precision::score),
    Family {
        aliases: &["RPrec"],
        ..row("Rprec", Some("Rprec"), r_precision::score)
    },
    Family {
        aliases: &["BPref"],
        ..row("Bpref", Some("bpref"), bpref::score)
    },
    Family {
        aliases: &["MRR"],
        ..row("RR", Some("recip_rank"), reciprocal_rank::score)
    },
    Family {
        kind: ParameterKind::Number {
            key: None,
            default: None,
            trec_default: &RECALL_POINTS,
            trec_prefix: "",
            max: 1.0,
        },
        ..row("IPrec", Some("iprec_at_recall"), interpolated::at_recall)
    },
    Family {
        aliases: &["Precision"],
        ..at_cutoff("P", Some("P"), CUTOFFS, precision::score)
    },
    Family {
        aliases: &["Recall"],
        ..at_cutoff("R", Some("recall"), CUTOFFS, recall::score)
    },
    row("infAP", Some("infAP"), inferred_ap::score),
    geometric("gm_bpref", bpref::score),
    row("11pt_avg", Some("11pt_avg"), interpolated::eleven_point),
    Family {
        aliases: &["NDCG", "nDCG(dcg='log2')"],
        ..row("nDCG", Some("ndcg"), ndcg::score)
    },
    Family {
        aliases: &["NDCG", "nDCG(dcg='log2')"],
        ..at_cutoff("nDCG", Some("ndcg_cut"), CUTOFFS, ndcg::score)
    },
    Family {
        aliases: &["MAP"],
        ..at_cutoff("AP", Some("map_cut"), CUTOFFS, average_precision::score)
    },
    at_cutoff(
        "Success",
        Some("success"),
        ParameterKind::Cutoff {
            trec_defaults: &[1, 5, 10],
        },
        success::score,
    ),
    row("SetP", Some("set_P"), precision::set),
    row("SetR", Some("set_recall"), recall::set),
    row("SetAP", Some("set_map"), average_precision::set),
    Family {
        kind: ParameterKind::Number {
            key: Some("beta"),
            default: Some(1.0),
            trec_default: &[1.0],
            trec_prefix: "",
            max: f64::MAX,
        },
        ..row("SetF", Some("set_F"), f1::set)
    },
    count(
        "NumNonrelJudgedRet",
        "num_nonrel_judged_ret",
        counts::judged_nonrelevant_retrieved,
    ),
    Family {
        kind: ParameterKind::Number {
            key: PERSISTENCE_KEY,
            default: Some(0.8),
            trec_default: &[0.9],
            trec_prefix: "p=",
            max: 1.0,
        },
        ..row("RBP", Some("rbp"), rbp::score)
    },
    Family {
        kind: ParameterKind::Number {
            key: PERSISTENCE_KEY,
            default: Some(0.8),
            trec_default: &[0.9],
            trec_prefix: "p=",
            max: 1.0,
        },
        ..row("RBPResid", Some("rbp_resid"), rbp::residual)
    },
    at_cutoff(
        "Unj",
        Some("unj"),
        ParameterKind::Cutoff {
            trec_defaults: &[5, 10, 20],
        },
        judged::unjudged,
    ),
    Family {
        aliases: &["MRR"],
        ..at_cutoff("RR", None, NO_TREC_DEFAULTS, reciprocal_rank::score)
    },
    at_cutoff("F1", None, NO_TREC_DEFAULTS, f1::score),
    Family {
        aggregate: Aggregate::F1OfMeans,
        ..at_cutoff("F1_of_means", None, NO_TREC_DEFAULTS, f1::score)
    },
    Family {
        aliases: &["nDCG_gdeval"],
        max_grade: Some(err::MAX_GRADE),
        ..at_cutoff(
            "nDCG(dcg='exp-log2')",
            None,
            NO_TREC_DEFAULTS,
            ndcg_exp::score,
        )
    },
    Family {
        max_grade: Some(err::MAX_GRADE),
        ..at_cutoff("ERR", None, NO_TREC_DEFAULTS, err::score)
    },
    at_cutoff("Judged", None, NO_TREC_DEFAULTS, judged::score),
];

/// All families of measures, in the order in which trec_eval prints those that it has.
pub fn all() -> &'static [Family] {
    &FAMILIES
}
