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
    /// The measure has no such parameter.
    #[error("{name}: {family} has no parameter {parameter:?}; {}", there_is(known))]
    UnknownParameter {
        /// The name in question.
        name: String,
        /// The parameter.
        parameter: String,
        /// The family.
        family: &'static str,
        /// The parameters that there are.
        known: Vec<String>,
    },
    /// A parameter has a value that it does not take.
    #[error("{name}: {parameter} is {expected}, not {value:?}")]
    BadValue {
        /// The name in question.
        name: String,
        /// The parameter.
        parameter: &'static str,
        /// What it takes.
        expected: String,
        /// What was given.
        value: String,
    },
    /// What is written behind a measure is no parameters.
    #[error("{name}: {text:?} is no list of parameters, such as (rel=2)")]
    Malformed {
        /// The name in question.
        name: String,
        /// The part that is wrong.
        text: String,
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
    /// Preferences that cannot be counted.
    #[error("preferences of topic {topic}: {problem}")]
    Preferences {
        /// Topic id.
        topic: String,
        /// What is wrong.
        problem: String,
    },
}

fn did_you_mean(nearest: &Option<String>) -> String {
    match nearest {
        Some(nearest) => format!("; did you mean '{nearest}'?"),
        None => String::new(),
    }
}

fn there_is(known: &[String]) -> String {
    match known {
        [] => String::from("it has none"),
        known => format!("there is {}", known.join(", ")),
    }
}
