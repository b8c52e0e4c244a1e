//! `/api/sweep`: measures against the thresholds of one dimension.
//!
//! A sweep of a large index takes longer than anyone waits for an answer. So it runs beside the requests, one at a time; whoever asks
//! meanwhile hears how far it has come, and asks again. The last results are kept as they are sent. How much work one may be is bounded,
//! and [`turn`](super::turn) has until when it goes on.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use axum::body::Bytes;
use axum::http::StatusCode;
use serde::Serialize;

use super::advice::Advice;
use super::dimensions::dimensions;
use super::limits;
use super::lock::locked;
use super::options::Judged;
use super::parameters::Parameters;
use super::problem::Problem;
use super::site::Site;
use super::sweeps::{Asked, Sweeps};
use super::turn::{End, Turn, TurnProgress};
use crate::experiment::sweep::{Base, Plan, SweepError, Vary, check, lines, sweep};
use crate::index::Model;
use crate::weight::{Sieve, Template};

/// Pages for each topic, folds of the choice by cross-validation: the defaults of [`Plan`].
const DEPTH: usize = 1000;
const FOLDS: usize = 5;

/// What is answered.
pub enum Answer {
    /// The result, as it is sent.
    Done(Bytes),
    /// It is being computed, or another one is.
    Running(Running),
}

#[derive(Serialize)]
pub struct Running {
    state: &'static str,
    #[serde(flatten)]
    progress: TurnProgress,
}

/// What is answered to whoever breaks a sweep off.
#[derive(Serialize)]
pub struct Dropped {
    state: &'static str,
}

/// What the parameters ask for, and what varies.
fn asked(mut parameters: Parameters) -> Result<(Asked, Vary), Problem> {
    let names: Vec<String> = dimensions().map(|(name, _)| name).collect();
    let names = names.join(", ");
    let vary = parameters.text("vary").ok_or_else(|| {
        Problem::bad("vary: nothing varies").hint(format!("add vary= with one of {names}"))
    })?;
    let ranking = parameters.ranking()?;
    parameters.finish()?;
    let (dimension, vary) = dimensions()
        .find(|(name, _)| *name == vary)
        .ok_or_else(|| Problem::bad(format!("vary: '{vary}' is none of {names}")))?;
    let asked = Asked {
        dimension,
        sieve: ranking.sieve(),
        model: ranking.model,
        stats: ranking.stats,
    };
    Ok((asked, vary))
}

/// Gives the result of a sweep, or begins it.
pub fn ask(site: &Arc<Site>, parameters: Parameters) -> Result<Answer, Problem> {
    let judged = judged(site)?;
    let (asked, vary) = asked(parameters)?;
    let now = Instant::now();
    let mut sweeps = locked(&site.sweeps);
    if let Some(result) = sweeps.done.get(&asked).cloned() {
        // An error is told once: the next request tries again.
        if result.is_err() {
            sweeps.done.remove(&asked);
        }
        return result.map(Answer::Done);
    }
    if let Some(running) = &mut sweeps.running {
        let state = match running.ask(&asked, now) {
            true => "running",
            false => "waiting",
        };
        let progress = running.progress;
        return Ok(Answer::Running(Running { state, progress }));
    }
    let plan = plan(&asked, vary, judged)?;
    check(
        site.index(),
        &site.options.topics,
        Some(&judged.qrels),
        &plan,
    )?;
    let of_lines: usize = plan.lines.iter().map(|line| line.steps.len()).sum();
    let steps = of_lines + plan.references.len() + 1;
    refuse_too_much(steps, site.options.topics.len(), &asked.model)?;
    let turn = Turn::new(asked.clone(), steps, now);
    let progress = turn.progress;
    sweeps.running = Some(turn);
    drop(sweeps);
    let site = Arc::clone(site);
    let end = AtEnd {
        sweeps: Arc::clone(&site.sweeps),
        asked,
        result: Some(Err(Problem::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "the sweep broke down",
        ))),
    };
    rayon::spawn(move || run(&site, &plan, end));
    Ok(Answer::Running(Running {
        state: "running",
        progress,
    }))
}

/// Breaks a sweep off, if it is the one that is computed.
pub fn stop(site: &Site, parameters: Parameters) -> Result<Dropped, Problem> {
    judged(site)?;
    let (asked, _) = asked(parameters)?;
    let mut sweeps = locked(&site.sweeps);
    let running = sweeps.running.as_mut();
    let state = match running.is_some_and(|running| running.give_up(&asked)) {
        true => "ending",
        false => "not running",
    };
    Ok(Dropped { state })
}

/// A search of each topic at each step counts 1, and with feedback one for each page whose terms are read and each term that is
/// searched for besides.
fn refuse_too_much(steps: usize, topics: usize, model: &Model) -> Result<(), Problem> {
    let feedback = model.feedback.as_ref();
    let each = 1 + feedback.map_or(0, |it| u64::from(it.docs) + u64::from(it.terms));
    let work = (steps as u64)
        .saturating_mul(topics as u64)
        .saturating_mul(each);
    let most = limits::SWEEP_WORK;
    if work <= most {
        return Ok(());
    }
    let error = format!(
        "the sweep is too much for this page: {steps} steps × {topics} topics × {each} (by the model) are {work}, more than {most}"
    );
    let advice = match feedback {
        Some(_) => Advice::TooMuchFeedback,
        None => Advice::TooMuch,
    };
    Err(Problem::bad(error).advice(advice))
}

fn judged(site: &Site) -> Result<&Judged, Problem> {
    site.options.judged.as_ref().ok_or_else(|| {
        Problem::not_found("there are no judgments, so nothing can be measured")
            .advice(Advice::NoJudgments)
    })
}

fn plan(asked: &Asked, vary: Vary, judged: &Judged) -> Result<Plan, Problem> {
    let Sieve { filter, weights } = &asked.sieve;
    let references = match asked.sieve.is_empty() {
        true => Vec::new(),
        false => vec![(asked.sieve.to_string(), asked.sieve.clone())],
    };
    let base = Base {
        filter: filter.clone(),
        weights: Template::from(weights.clone()),
        values: Vec::new(),
    };
    Ok(Plan {
        lines: lines(&[vary], &base, false)?,
        grid: false,
        references,
        models: vec![asked.model],
        stats: asked.stats.clone(),
        k: DEPTH,
        measures: judged.measures.clone(),
        options: judged.options.clone(),
        folds: FOLDS,
        memory: limits::SWEEP_MEMORY,
        run_tag: None,
        shared: None,
    })
}

/// Runs a sweep on the threads of rayon's pool.
fn run(site: &Site, plan: &Plan, mut end: AtEnd) {
    let qrels = site.options.judged.as_ref().map(|judged| &judged.qrels);
    let topics = &site.options.topics;
    let sweeps: &Mutex<Sweeps> = &site.sweeps;
    let mut broken_off = None;
    let swept = sweep(
        site.index(),
        topics,
        qrels,
        plan,
        Vec::new(),
        &mut |_, _| {
            if let Some(running) = &mut locked(sweeps).running {
                running.progress.done += 1;
                broken_off = running.end(Instant::now());
            }
            match broken_off {
                None => Ok(()),
                Some(_) => Err(SweepError::BrokenOff),
            }
        },
    );
    end.result = match broken_off {
        Some(End::Unwanted) => None,
        Some(End::TooLong) => Some(Err(too_long())),
        None => Some(swept.map_err(Problem::from).and_then(|swept| {
            let json = serde_json::to_vec(&swept)?;
            Ok(Bytes::from(json))
        })),
    };
}

fn too_long() -> Problem {
    let minutes = limits::SWEEP.as_secs() / 60;
    let error = format!("the sweep was broken off after {minutes} minutes");
    Problem::bad(error).advice(Advice::TooLong)
}

/// Puts the result where it is asked for, also if the sweep panics.
struct AtEnd {
    sweeps: Arc<Mutex<Sweeps>>,
    asked: Asked,
    result: Option<Result<Bytes, Problem>>,
}

impl Drop for AtEnd {
    fn drop(&mut self) {
        let mut sweeps = locked(&self.sweeps);
        sweeps.running = None;
        if let Some(result) = self.result.take() {
            sweeps.done.put(self.asked.clone(), result);
        }
    }
}
