//! The table of measures: a row a family, a file a formula.

mod binary;
mod cwl;
mod diversity;
mod gain;
mod judging;
mod preference;
mod row;
mod users;

use self::binary::{
    accuracy, average_precision, bin_g, bpref, inferred_ap, interpolated, r_precision,
    r_precision_multiple, reciprocal_rank, relative_precision, success, utility, yaap,
};
use self::cwl::{bpm, insq, inst, nerr8, nerr9, nerr10, nerr11, sdcg};
use self::diversity::{
    alpha_dcg, alpha_ndcg, ap_ia, err_ia, n_err_ia, n_nrbp, nrbp, p_ia, st_recall,
};
use self::gain::{compat, dcg, err, g, ideal_dcg, ndcg, ndcg_exp, ndcg_rel, r_ndcg, rbp};
use self::judging::{counts, judged, relstring};
use self::preference::{
    average, average_implied, average_others, average_others_retrieved, average_retrieved,
    num_fulfilled, num_fulfilled_retrieved, num_possible, pair, pair_implied, pair_retrieved,
    simple, simple_implied, simple_retrieved,
};
use self::users::{ap_avgjg, p_avgjg, r_precision_multiple_avgjg};
use super::parameters::{Constant, Key, Kind, Need, Parameters};
use super::ranking::Ranking;

pub(super) use binary::accuracy::pairs;
pub(super) use binary::{f1, precision, recall};
pub use row::{Aggregate, Family, Fixed, Needs, Trec};

const CUTOFF: Key = Key {
    name: "cutoff",
    kind: Kind::Cutoff,
    need: Need::Required,
};
const ANY_CUTOFF: Key = Key {
    need: Need::Optional,
    ..CUTOFF
};
/// The relevance level of this measure; without it, that of the options.
const REL: Key = Key {
    name: "rel",
    kind: Kind::Grade,
    need: Need::Optional,
};
const JUDGED_ONLY: Key = Key {
    name: "judged_only",
    kind: Kind::Flag,
    need: Need::Default(Constant::Flag(false)),
};
const GAINS: Key = Key {
    name: "gains",
    kind: Kind::Gains,
    need: Need::Optional,
};
const LEAST_GRADE: Key = Key {
    name: "min_rel",
    kind: Kind::Grade,
    need: Need::Default(Constant::Whole(0)),
};
const HIGHEST_GRADE: Key = Key {
    name: "max_rel",
    kind: Kind::Grade,
    need: Need::Required,
};
const ALPHA: Key = share("alpha", 0.5);

/// A number from 0 to 1.
const fn share(name: &'static str, default: f64) -> Key {
    Key {
        name,
        kind: Kind::Number { min: 0.0, max: 1.0 },
        need: Need::Default(Constant::Number(default)),
    }
}

/// A number from 0.
const fn amount(name: &'static str, default: f64) -> Key {
    let (min, max) = (0.0, f64::MAX);
    Key {
        name,
        kind: Kind::Number { min, max },
        need: Need::Default(Constant::Number(default)),
    }
}

const CUTOFFS: Trec = Trec::Each {
    key: "cutoff",
    defaults: &[5.0, 10.0, 15.0, 20.0, 30.0, 100.0, 200.0, 500.0, 1000.0],
};
const RECALL_POINTS: [f64; 11] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
const MULTIPLES: Trec = Trec::Each {
    key: "multiple",
    defaults: &[0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0],
};
const MULTIPLE: Key = Key {
    need: Need::Required,
    ..amount("multiple", 0.0)
};
const GIVEN_GAINS: Trec = Trec::Whole {
    key: "gains",
    prefix: "",
    default: None,
};
const PERSISTENCE: Trec = Trec::Whole {
    key: "p",
    prefix: "p=",
    default: Some(Constant::Number(0.9)),
};
const LOG2: &[Fixed] = &[Fixed {
    key: "dcg",
    value: "log2",
    written: false,
}];

/// A row for the mean of a score without parameters; the rows below say where they differ.
const fn row(name: &'static str, score: fn(&Ranking, &Parameters) -> f64) -> Family {
    Family {
        name,
        aliases: &[],
        fixed: &[],
        short: &[],
        keys: &[],
        at: "cutoff",
        trec_name: None,
        trec: Trec::None,
        ndeval: None,
        score,
        text: None,
        aggregate: Aggregate::Mean,
        integer: false,
        per_topic: true,
        max_grade: None,
        needs: Needs::Grades,
    }
}

const fn trec(
    name: &'static str,
    trec_name: &'static str,
    keys: &'static [Key],
    score: fn(&Ranking, &Parameters) -> f64,
) -> Family {
    Family {
        trec_name: Some(trec_name),
        keys,
        ..row(name, score)
    }
}

const fn count(
    name: &'static str,
    trec_name: &'static str,
    keys: &'static [Key],
    score: fn(&Ranking, &Parameters) -> f64,
) -> Family {
    Family {
        aggregate: Aggregate::Sum,
        integer: true,
        ..trec(name, trec_name, keys, score)
    }
}

const fn geometric(name: &'static str, score: fn(&Ranking, &Parameters) -> f64) -> Family {
    Family {
        aggregate: Aggregate::GeometricMean,
        per_topic: false,
        ..trec(name, name, &[], score)
    }
}

const fn at_cutoff(
    name: &'static str,
    trec_name: &'static str,
    score: fn(&Ranking, &Parameters) -> f64,
) -> Family {
    Family {
        trec: CUTOFFS,
        ..trec(name, trec_name, &[CUTOFF, REL, JUDGED_ONLY], score)
    }
}

/// A row that trec_eval has not.
const fn own(
    name: &'static str,
    keys: &'static [Key],
    score: fn(&Ranking, &Parameters) -> f64,
) -> Family {
    Family {
        keys,
        ..row(name, score)
    }
}

const fn of_preferences(name: &'static str, score: fn(&Ranking, &Parameters) -> f64) -> Family {
    Family {
        needs: Needs::Preferences,
        ..trec(name, name, &[], score)
    }
}

const fn num_preferences(name: &'static str, score: fn(&Ranking, &Parameters) -> f64) -> Family {
    Family {
        needs: Needs::Preferences,
        ..count(name, name, &[], score)
    }
}

const fn of_users(
    name: &'static str,
    keys: &'static [Key],
    score: fn(&Ranking, &Parameters) -> f64,
) -> Family {
    Family {
        needs: Needs::Groups,
        ..trec(name, name, keys, score)
    }
}

const fn of_subtopics(
    name: &'static str,
    ndeval: &'static str,
    keys: &'static [Key],
    score: fn(&Ranking, &Parameters) -> f64,
) -> Family {
    Family {
        keys,
        ndeval: Some(ndeval),
        needs: Needs::Groups,
        ..row(name, score)
    }
}

/// No value: what is printed is text.
fn no_value(_: &Ranking, _: &Parameters) -> f64 {
    0.0
}

/// All families. Those that trec_eval has come first and in the order in which it prints them (`te_trec_measures` of its `measures.c`).
static FAMILIES: &[Family] = &[
    Family {
        per_topic: false,
        ..count("NumQ", "num_q", &[], counts::topics)
    },
    count("NumRet", "num_ret", &[], counts::retrieved),
    Family {
        aggregate: Aggregate::SumOfRelevant,
        ..count("NumRel", "num_rel", &[REL], counts::relevant)
    },
    Family {
        aliases: &["NumRet"],
        ..count(
            "NumRelRet",
            "num_rel_ret",
            &[REL],
            counts::relevant_retrieved,
        )
    },
    Family {
        aliases: &["MAP"],
        ..trec("AP", "map", &[REL, JUDGED_ONLY], average_precision::score)
    },
    geometric("gm_map", average_precision::score),
    Family {
        aliases: &["RPrec"],
        ..trec("Rprec", "Rprec", &[REL, JUDGED_ONLY], r_precision::score)
    },
    Family {
        aliases: &["BPref"],
        ..trec("Bpref", "bpref", &[REL], bpref::score)
    },
    Family {
        aliases: &["MRR"],
        ..trec(
            "RR",
            "recip_rank",
            &[ANY_CUTOFF, REL, JUDGED_ONLY],
            reciprocal_rank::score,
        )
    },
    Family {
        at: "recall",
        trec: Trec::Each {
            key: "recall",
            defaults: &RECALL_POINTS,
        },
        ..trec(
            "IPrec",
            "iprec_at_recall",
            &[
                Key {
                    need: Need::Required,
                    ..share("recall", 0.0)
                },
                REL,
                JUDGED_ONLY,
            ],
            interpolated::at_recall,
        )
    },
    Family {
        aliases: &["Precision"],
        ..at_cutoff("P", "P", precision::score)
    },
    Family {
        at: "length",
        trec: Trec::Whole {
            key: "length",
            prefix: "",
            default: Some(Constant::Whole(10)),
        },
        text: Some(relstring::text),
        aggregate: Aggregate::Text,
        ..trec(
            "relstring",
            "relstring",
            &[Key {
                name: "length",
                kind: Kind::Cutoff,
                need: Need::Default(Constant::Whole(10)),
            }],
            no_value,
        )
    },
    Family {
        aliases: &["Recall"],
        ..at_cutoff("R", "recall", recall::score)
    },
    trec("infAP", "infAP", &[REL], inferred_ap::score),
    geometric("gm_bpref", bpref::score),
    Family {
        at: "multiple",
        trec: MULTIPLES,
        ..trec(
            "Rprec_mult",
            "Rprec_mult",
            &[MULTIPLE],
            r_precision_multiple::score,
        )
    },
    Family {
        trec: Trec::Whole {
            key: "weights",
            prefix: "",
            default: Some(Constant::Numbers(&[1.0, -1.0, 0.0, 0.0])),
        },
        ..trec(
            "utility",
            "utility",
            &[Key {
                name: "weights",
                kind: Kind::Numbers { count: Some(4) },
                need: Need::Default(Constant::Numbers(&[1.0, -1.0, 0.0, 0.0])),
            }],
            utility::score,
        )
    },
    Family {
        trec: Trec::Whole {
            key: "points",
            prefix: "",
            default: Some(Constant::Numbers(&RECALL_POINTS)),
        },
        ..trec(
            "11pt_avg",
            "11pt_avg",
            &[Key {
                name: "points",
                kind: Kind::Numbers { count: None },
                need: Need::Default(Constant::Numbers(&RECALL_POINTS)),
            }],
            interpolated::averaged,
        )
    },
    trec("binG", "binG", &[], bin_g::score),
    Family {
        trec: GIVEN_GAINS,
        ..trec("G", "G", &[GAINS], g::score)
    },
    Family {
        trec: GIVEN_GAINS,
        ..trec("dcg", "dcg", &[GAINS], dcg::score)
    },
    Family {
        trec: GIVEN_GAINS,
        ..trec("ideal_dcg", "ideal_dcg", &[GAINS], ideal_dcg::score)
    },
    Family {
        aliases: &["NDCG"],
        fixed: LOG2,
        trec: GIVEN_GAINS,
        ..trec("nDCG", "ndcg", &[GAINS, JUDGED_ONLY], ndcg::score)
    },
    Family {
        trec: GIVEN_GAINS,
        ..trec("ndcg_rel", "ndcg_rel", &[GAINS], ndcg_rel::score)
    },
    Family {
        trec: GIVEN_GAINS,
        ..trec("Rndcg", "Rndcg", &[GAINS], r_ndcg::score)
    },
    Family {
        aliases: &["NDCG"],
        fixed: LOG2,
        keys: &[CUTOFF, GAINS, JUDGED_ONLY],
        ..at_cutoff("nDCG", "ndcg_cut", ndcg::score)
    },
    Family {
        aliases: &["MAP"],
        ..at_cutoff("AP", "map_cut", average_precision::score)
    },
    at_cutoff("relative_P", "relative_P", relative_precision::score),
    Family {
        trec: Trec::Each {
            key: "cutoff",
            defaults: &[1.0, 5.0, 10.0],
        },
        ..at_cutoff("Success", "success", success::score)
    },
    Family {
        fixed: &[Fixed {
            key: "relative",
            value: "False",
            written: false,
        }],
        ..trec("SetP", "set_P", &[REL, JUDGED_ONLY], precision::set)
    },
    Family {
        fixed: &[Fixed {
            key: "relative",
            value: "True",
            written: true,
        }],
        short: &["SetRelP"],
        ..trec(
            "SetP",
            "set_relative_P",
            &[REL, JUDGED_ONLY],
            relative_precision::set,
        )
    },
    trec("SetR", "set_recall", &[REL], recall::set),
    trec(
        "SetAP",
        "set_map",
        &[REL, JUDGED_ONLY],
        average_precision::set,
    ),
    Family {
        trec: Trec::Whole {
            key: "beta",
            prefix: "",
            default: Some(Constant::Number(1.0)),
        },
        ..trec(
            "SetF",
            "set_F",
            &[amount("beta", 1.0), REL, JUDGED_ONLY],
            f1::set,
        )
    },
    count(
        "NumNonrelJudgedRet",
        "num_nonrel_judged_ret",
        &[],
        counts::judged_nonrelevant_retrieved,
    ),
    num_preferences("prefs_num_prefs_poss", num_possible::score),
    num_preferences("prefs_num_prefs_ful", num_fulfilled::score),
    num_preferences("prefs_num_prefs_ful_ret", num_fulfilled_retrieved::score),
    of_preferences("prefs_simp", simple::score),
    of_preferences("prefs_pair", pair::score),
    of_preferences("prefs_avgjg", average::score),
    of_preferences("prefs_avgjg_Rnonrel", average_others::score),
    of_preferences("prefs_simp_ret", simple_retrieved::score),
    of_preferences("prefs_pair_ret", pair_retrieved::score),
    of_preferences("prefs_avgjg_ret", average_retrieved::score),
    of_preferences("prefs_avgjg_Rnonrel_ret", average_others_retrieved::score),
    of_preferences("prefs_simp_imp", simple_implied::score),
    of_preferences("prefs_pair_imp", pair_implied::score),
    of_preferences("prefs_avgjg_imp", average_implied::score),
    of_users("map_avgjg", &[], ap_avgjg::score),
    Family {
        trec: CUTOFFS,
        ..of_users("P_avgjg", &[CUTOFF], p_avgjg::score)
    },
    Family {
        at: "multiple",
        trec: MULTIPLES,
        ..of_users(
            "Rprec_mult_avgjg",
            &[MULTIPLE],
            r_precision_multiple_avgjg::score,
        )
    },
    trec("yaap", "yaap", &[], yaap::score),
    Family {
        trec: PERSISTENCE,
        ..trec(
            "RBP",
            "rbp",
            &[share("p", 0.8), REL, ANY_CUTOFF],
            rbp::score,
        )
    },
    Family {
        trec: PERSISTENCE,
        ..trec("RBPResid", "rbp_resid", &[share("p", 0.8)], rbp::residual)
    },
    Family {
        keys: &[CUTOFF],
        trec: Trec::Each {
            key: "cutoff",
            defaults: &[5.0, 10.0, 20.0],
        },
        ..at_cutoff("Unj", "unj", judged::unjudged)
    },
    own("F1", &[CUTOFF, REL, JUDGED_ONLY], f1::score),
    Family {
        aggregate: Aggregate::F1OfMeans,
        ..own("F1_of_means", &[CUTOFF, REL, JUDGED_ONLY], f1::score)
    },
    Family {
        aliases: &["NDCG"],
        fixed: &[Fixed {
            key: "dcg",
            value: "exp-log2",
            written: true,
        }],
        short: &["nDCG_gdeval"],
        max_grade: Some(err::MAX_GRADE),
        ..own("nDCG", &[ANY_CUTOFF, JUDGED_ONLY], ndcg_exp::score)
    },
    Family {
        max_grade: Some(err::MAX_GRADE),
        ..own("ERR", &[ANY_CUTOFF], err::score)
    },
    own("Judged", &[ANY_CUTOFF], judged::score),
    Family {
        aggregate: Aggregate::MeanOfPairs,
        ..own("Accuracy", &[ANY_CUTOFF, REL], accuracy::score)
    },
    own(
        "Compat",
        &[
            share("p", 0.95),
            Key {
                name: "normalize",
                kind: Kind::Flag,
                need: Need::Default(Constant::Flag(true)),
            },
        ],
        compat::score,
    ),
    own(
        "INST",
        &[amount("T", 1.0), LEAST_GRADE, HIGHEST_GRADE],
        inst::score,
    ),
    own(
        "INSQ",
        &[amount("T", 1.0), LEAST_GRADE, HIGHEST_GRADE],
        insq::score,
    ),
    own(
        "BPM",
        &[CUTOFF, amount("T", 1.0), LEAST_GRADE, HIGHEST_GRADE],
        bpm::score,
    ),
    Family {
        fixed: LOG2,
        ..own("SDCG", &[CUTOFF, LEAST_GRADE, HIGHEST_GRADE], sdcg::score)
    },
    own("NERR8", &[CUTOFF, LEAST_GRADE, HIGHEST_GRADE], nerr8::score),
    own("NERR9", &[CUTOFF, LEAST_GRADE, HIGHEST_GRADE], nerr9::score),
    own(
        "NERR10",
        &[share("p", 0.9), LEAST_GRADE, HIGHEST_GRADE],
        nerr10::score,
    ),
    own(
        "NERR11",
        &[amount("T", 1.0), LEAST_GRADE, HIGHEST_GRADE],
        nerr11::score,
    ),
    of_subtopics(
        "ERR_IA",
        "ERR-IA",
        &[CUTOFF, REL, JUDGED_ONLY],
        err_ia::score,
    ),
    of_subtopics(
        "nERR_IA",
        "nERR-IA",
        &[CUTOFF, REL, JUDGED_ONLY],
        n_err_ia::score,
    ),
    Family {
        aliases: &["α_DCG"],
        ..of_subtopics(
            "alpha_DCG",
            "alpha-DCG",
            &[CUTOFF, ALPHA, REL, JUDGED_ONLY],
            alpha_dcg::score,
        )
    },
    Family {
        aliases: &["α_nDCG"],
        ..of_subtopics(
            "alpha_nDCG",
            "alpha-nDCG",
            &[CUTOFF, ALPHA, REL, JUDGED_ONLY],
            alpha_ndcg::score,
        )
    },
    of_subtopics(
        "NRBP",
        "NRBP",
        &[ALPHA, share("beta", 0.5), REL],
        nrbp::score,
    ),
    of_subtopics(
        "nNRBP",
        "nNRBP",
        &[ALPHA, share("beta", 0.5), REL],
        n_nrbp::score,
    ),
    Family {
        aliases: &["MAP_IA"],
        ..of_subtopics("AP_IA", "MAP-IA", &[REL, JUDGED_ONLY], ap_ia::score)
    },
    of_subtopics("P_IA", "P-IA", &[CUTOFF, REL, JUDGED_ONLY], p_ia::score),
    of_subtopics("StRecall", "strec", &[CUTOFF, REL], st_recall::score),
];

/// All families of measures, in the order in which trec_eval prints those that it has.
pub fn all() -> &'static [Family] {
    FAMILIES
}
