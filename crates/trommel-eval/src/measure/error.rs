//! What can go wrong in naming or computing measures.

/// A measure that is not known, or that the judgments do not allow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MeasureError {
    /// No measure has this name.
    #[error("unknown measure {name:?}{}", did_you_mean(nearest))]
    Unknown {
        /// The name in question.
        name: String,
        /// What was perhaps meant.
        nearest: Option<String>,
    },
    /// The measure needs a parameter and has none.
    #[error("{name} needs a parameter, such as {example}")]
    NeedsParameter {
        /// The name in question.
        name: String,
        /// A name that would do.
        example: String,
    },
    /// The measure has a parameter that it does not take.
    #[error("{name}: {parameter:?} is no parameter of {family}")]
    BadParameter {
        /// The name in question.
        name: String,
        /// The part that does not fit.
        parameter: String,
        /// The family.
        family: &'static str,
    },
    /// A relevance level inside a measure's name.
    #[error("{name}: the relevance level is no part of a measure here")]
    RelevanceLevel {
        /// The name in question.
        name: String,
    },
    /// A grade above the highest that the measure's definition allows.
    #[error(
        "{measure} is defined for grades up to {max}, but topic {topic}, document {docid} has grade {grade}"
    )]
    GradeTooHigh {
        /// The measure.
        measure: String,
        /// The highest grade allowed.
        max: i32,
        /// Topic id.
        topic: String,
        /// Document id.
        docid: String,
        /// Its grade.
        grade: i32,
    },
}

fn did_you_mean(nearest: &Option<String>) -> String {
    match nearest {
        Some(nearest) => format!("; did you mean '{nearest}'?"),
        None => String::new(),
    }
}
