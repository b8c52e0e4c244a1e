//! What all requests share.

use std::sync::{Arc, Mutex};

use axum::body::Bytes;

use super::advice::Advice;
use super::baselines::{Baselines, baselines};
use super::limits;
use super::manifest::manifest;
use super::options::ServeOptions;
use super::problem::Problem;
use super::sweeps::Sweeps;
use crate::experiment::as_in_runs;
use crate::index::{Expression, Index, Query, syntax};

/// [`ServeOptions`] with what is kept between requests.
pub struct Site {
    pub options: ServeOptions,
    /// The manifest, as it is sent.
    pub manifest: Bytes,
    pub baselines: Mutex<Baselines>,
    pub sweeps: Arc<Mutex<Sweeps>>,
}

impl Site {
    pub fn new(mut options: ServeOptions) -> Result<Site, Problem> {
        if let Some(judged) = &mut options.judged {
            judged.qrels = as_in_runs(&options.index, &judged.qrels).into_owned();
        }
        Ok(Site {
            manifest: serde_json::to_vec(&manifest(&options)?)?.into(),
            options,
            baselines: Mutex::new(baselines()),
            sweeps: Arc::default(),
        })
    }

    pub fn index(&self) -> &Index {
        &self.options.index
    }

    /// The text of a topic.
    pub fn topic(&self, id: &str) -> Result<&str, Problem> {
        let mut topics = self.options.topics.iter();
        let topic = topics.find(|(known, _)| known == id);
        topic.map(|(_, text)| text.as_str()).ok_or_else(|| {
            let problem = Problem::bad(format!("topic: there is no topic '{id}'"));
            match self.options.topics.is_empty() {
                true => problem.advice(Advice::NoTopics),
                false => problem.hint("the manifest lists the topics"),
            }
        })
    }

    /// The query that a text asks for, and warnings about it.
    pub fn query(&self, text: &str, literal: bool) -> Result<(Query, Vec<String>), Problem> {
        let (bytes, most) = (text.len(), limits::QUERY_BYTES);
        if bytes > most {
            return Err(Problem::bad(format!(
                "q: the query has {bytes} bytes, more than {most}"
            )));
        }
        let (expression, warnings) = match literal {
            true => (Expression::literal(text), Vec::new()),
            false => {
                let parsed = syntax::parse(text)?;
                (parsed.expression, parsed.warnings)
            }
        };
        Ok((Query::new(&expression, self.index().analyzer())?, warnings))
    }
}
