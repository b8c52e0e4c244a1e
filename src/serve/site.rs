//! What all requests share.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;

use super::limits;
use super::manifest::manifest;
use super::problem::Problem;
use super::search::Baselines;
use super::sweep::Sweeps;
use crate::experiment::sweep::as_in_runs;
use crate::index::syntax;
use crate::index::{Expression, Index, Query};
use crate::measure::{self, Measure};
use crate::trec::Qrels;

/// What is served.
pub struct Options {
    /// The index.
    pub index: Index,
    /// Topics, ids and texts, that can be searched for by id.
    pub topics: Vec<(String, String)>,
    /// Their judgments.
    pub judged: Option<Judged>,
    /// Names, besides `localhost` and addresses in numbers, under which the server may be asked.
    pub host_names: Vec<String>,
    /// Searches at once.
    pub threads: NonZeroUsize,
}

/// Judgments and what is made of them.
pub struct Judged {
    /// The judgments.
    pub qrels: Qrels,
    /// Measures whose values for a run are means over topics.
    pub measures: Vec<Measure>,
    /// How topics are scored.
    pub options: measure::Options,
}

/// [`Options`] with what is kept between requests.
pub struct Site {
    pub options: Options,
    /// The manifest, as it is sent.
    pub manifest: Bytes,
    pub baselines: Mutex<Baselines>,
    pub sweeps: Arc<Mutex<Sweeps>>,
}

impl Site {
    pub fn new(mut options: Options) -> Result<Site, Problem> {
        if let Some(judged) = &mut options.judged {
            judged.qrels = as_in_runs(&options.index, &judged.qrels).into_owned();
        }
        Ok(Site {
            manifest: serde_json::to_vec(&manifest(&options)?)?.into(),
            options,
            baselines: Mutex::default(),
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
                true => problem.hint("start 'trommel serve' with --topics"),
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

/// A mutex's content, whatever happened to a thread that held it: all that is kept in ours is whole at any time.
pub fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
