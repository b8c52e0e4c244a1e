//! What is said where there is no answer.

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::advice::{Advice, Advise};
use crate::experiment::sweep::SweepError;
use crate::index::IndexError;
use crate::index::syntax::SyntaxError;

pub const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// An error as the API gives it.
#[derive(Debug, Clone, Serialize)]
pub struct Problem {
    #[serde(skip)]
    pub status: StatusCode,
    /// What is wrong, in the words of whoever asked.
    pub error: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What to ask whoever runs the server for, in place of a hint.
    #[serde(skip)]
    advice: Option<Advice>,
}

impl Problem {
    pub fn new(status: StatusCode, error: impl Into<String>) -> Problem {
        Problem {
            status,
            error: error.into(),
            hint: None,
            advice: None,
        }
    }

    /// The request is wrong.
    pub fn bad(error: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, error)
    }

    pub fn not_found(error: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, error)
    }

    pub fn busy() -> Problem {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "the server is busy")
            .hint("ask again in a moment")
    }

    pub fn hint(self, hint: impl Into<String>) -> Problem {
        Problem {
            hint: Some(hint.into()),
            ..self
        }
    }

    /// What is to be done is for whoever runs the server to say.
    pub fn advice(self, advice: Advice) -> Problem {
        Problem {
            advice: Some(advice),
            ..self
        }
    }

    /// The problem with what whoever runs the server says.
    pub fn advised(self, advise: Advise) -> Problem {
        let said = self.advice.and_then(advise).map(str::to_owned);
        Problem {
            hint: self.hint.or(said),
            ..self
        }
    }

    fn internal(error: impl ToString) -> Problem {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
    }
}

impl From<SyntaxError> for Problem {
    fn from(error: SyntaxError) -> Problem {
        Problem::bad(error.to_string())
    }
}

impl From<IndexError> for Problem {
    fn from(error: IndexError) -> Problem {
        match error {
            IndexError::NoLabels { name, known, .. } => {
                let known = or_none(&known);
                let error =
                    format!("extractor: the index has no labels of '{name}'; it has: {known}");
                Problem::bad(error).advice(Advice::NoLabels)
            }
            IndexError::NoConfidences(_) => {
                Problem::bad("min_confidence: the index has no confidences of blocks")
                    .advice(Advice::NoConfidences)
            }
            IndexError::LabelsWithoutConfidences { name, known, .. } => {
                let known = or_none(&known);
                let error = format!(
                    "min_confidence: the labels of '{name}' have no confidences; there are those of: {known}"
                );
                Problem::bad(error).hint("take another extractor, or none")
            }
            IndexError::WhichConfidences { known, .. } => {
                let known = known.join(", ");
                let error = format!("min_confidence: the index has confidences of {known}");
                Problem::bad(error).hint("say with extractor= whose are meant")
            }
            IndexError::Weights(error) => Problem::bad(format!("weights: {error}")),
            IndexError::TooHeavy { .. } => Problem::bad(format!("weights: {error}")),
            other => Problem::internal(other),
        }
    }
}

/// Names in a row; `none` for no name.
fn or_none(names: &[String]) -> String {
    match names {
        [] => "none".to_owned(),
        names => names.join(", "),
    }
}

impl From<SweepError> for Problem {
    fn from(error: SweepError) -> Problem {
        match error {
            SweepError::Index(error) => error.into(),
            SweepError::Vary(error) => Problem::bad(error),
            SweepError::Parameter(error) => Problem::bad(format!("weights: {error}")),
            SweepError::Mismatch(error) => Problem::bad(error.to_string())
                .hint("the server was started with judgments of other topics or documents"),
            other => Problem::internal(other),
        }
    }
}

impl From<serde_json::Error> for Problem {
    fn from(error: serde_json::Error) -> Problem {
        Problem::internal(error)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, JSON);
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}
