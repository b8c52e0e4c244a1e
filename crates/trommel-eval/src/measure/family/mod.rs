//! The table of measures: a row a family, a file a formula.

mod average_precision;
mod bpref;
mod counts;
mod err;
pub(super) mod f1;
mod inferred_ap;
mod interpolated;
mod judged;
mod ndcg;
mod ndcg_exp;
pub(super) mod precision;
mod r_precision;
mod rbp;
pub(super) mod recall;
mod reciprocal_rank;
mod row;
mod success;

use self::interpolated::RECALL_POINTS;
use super::ranking::Ranking;

pub use row::{Aggregate, Family, Parameter, ParameterKind};

const CUTOFFS: ParameterKind = ParameterKind::Cutoff {
    trec_defaults: &[5, 10, 15, 20, 30, 100, 200, 500, 1000],
};
const NO_TREC_DEFAULTS: ParameterKind = ParameterKind::Cutoff { trec_defaults: &[] };
const PERSISTENCE_KEY: Option<&str> = Some("p");

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
