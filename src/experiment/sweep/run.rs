//! Runs a sweep: ranks, evaluates, and puts the figures together.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::io;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::error::SweepError;
use super::plan::{FinishedStep, Plan, RunTag};
use super::swept::{Chosen, GridChoice, Measured, Point, Reference, Swept, SweptLine, SweptTopic};
use super::vary::LinePlan;
use crate::experiment::{as_in_runs, check_agreement};
use crate::index::{Hit, Index, Model, Series, SweepOptions};
use crate::measure::significance::Resamples;
use crate::measure::{
    Aggregate, Evaluation, Measure, Needs, Ranking, cross_validate, cross_validated_p, evaluate,
};
use crate::text::to_word;
use crate::trec::{Qrels, Run, RunWriter};
use crate::weight::Sieve;

/// What is done with each step when it is done: it comes with its run file, if [`Plan::run_tag`] asks for one.
pub type OnStep<'a> = dyn FnMut(&FinishedStep, Option<&[u8]>) -> Result<(), SweepError> + 'a;

/// Level of the bootstrap intervals.
const LEVEL: f64 = 0.95;
/// Seed of what draws random numbers.
pub(super) const SEED: u64 = 2010;

/// What keeps a plan from being swept, as far as it can be known before the first search.
///
/// # Errors
/// Measures that are no means or do not take these grades, topics or pages of which none is judged, a tag that cannot stand in runs,
/// extractors without labels in the index, or without the confidences that a filter asks for.
pub fn check(
    index: &Index,
    topics: &[(String, String)],
    qrels: Option<&Qrels>,
    plan: &Plan,
) -> Result<(), SweepError> {
    if let Some(qrels) = qrels {
        empty_scores(qrels, plan)?;
        check_agreement(index, topics, qrels)?;
    }
    if let Some(RunTag::Fixed(tag)) = &plan.run_tag {
        RunWriter::new(io::sink(), tag)?;
    }
    // All steps of a line ask for the same.
    let of_lines = plan.lines.iter().filter_map(|line| line.steps.first());
    let of_lines = of_lines.map(|(_, sieve)| sieve);
    let sieves = plan.references.iter().map(|(_, sieve)| sieve);
    for sieve in sieves.chain(of_lines) {
        index.require(&sieve.filter)?;
        index.require_weights(&sieve.weights)?;
    }
    Ok(())
}

/// Ranks the topics (id and text) at every step of a plan, each with every model, on the threads of the current rayon pool, and
/// evaluates them if there are judgments.
///
/// Steps that were finished before are not ranked again: a filter is ranked if it lacks a model's step, and what it has already
/// is left as it is. A filter that stands in several places is one step.
///
/// # Errors
/// As [`check`]; those of the index and of `on_step`.
pub fn sweep(
    index: &Index,
    topics: &[(String, String)],
    qrels: Option<&Qrels>,
    plan: &Plan,
    finished: Vec<FinishedStep>,
    on_step: &mut OnStep,
) -> Result<Swept, SweepError> {
    check(index, topics, qrels, plan)?;
    let judged = match qrels {
        Some(qrels) => Judgments::new(index, topics, qrels, plan)?,
        None => Judgments::default(),
    };
    let mut steps: HashMap<(Sieve, String), FinishedStep> = finished
        .into_iter()
        .filter(|step| judged.fits(step))
        .map(|step| ((step.sieve.clone(), step.model.clone()), step))
        .collect();
    let series = plan.series(|sieve| {
        let done = |model: &Model| steps.contains_key(&(sieve.clone(), model.to_string()));
        !plan.models.iter().all(done)
    })?;
    if !series.is_empty() {
        rank(index, topics, plan, &judged, &series, &mut steps, on_step)?;
    }
    put_together(plan, &judged, &steps)
}

/// Puts steps together that were ranked before, and elsewhere: `run_of` gives the run of a filter with weights under a model.
///
/// # Errors
/// As [`sweep`], but of an index; those of `run_of`.
pub fn sweep_of_runs<E: From<SweepError>>(
    topics: &[(String, String)],
    qrels: &Qrels,
    plan: &Plan,
    mut run_of: impl FnMut(&Sieve, &str) -> Result<Run, E>,
) -> Result<Swept, E> {
    let judged = Judgments::of_runs(topics, qrels, plan)?;
    let options = plan.options.clone().with_complete(true);
    let mut steps = HashMap::new();
    for one in plan.series(|_| true)? {
        for filter in one.filters() {
            let sieve = Sieve {
                filter: filter.clone(),
                weights: one.weights().clone(),
            };
            for model in plan.models.iter().map(Model::to_string) {
                let run = run_of(&sieve, &model)?;
                let evaluated = evaluate(qrels, &run, &plan.measures, &options);
                let evaluated = evaluated.map_err(SweepError::from)?;
                let step = FinishedStep {
                    sieve: sieve.clone(),
                    model: model.clone(),
                    scores: by_measure(&evaluated, plan),
                };
                steps.insert((sieve.clone(), model), step);
            }
        }
    }
    Ok(put_together(plan, &judged, &steps)?)
}

fn put_together(
    plan: &Plan,
    judged: &Judgments,
    steps: &HashMap<(Sieve, String), FinishedStep>,
) -> Result<Swept, SweepError> {
    let finished = Finished {
        plan,
        steps,
        resamples: Resamples::new(judged.ids.len(), SEED),
    };
    finished.swept(judged, &plan.all_references())
}

/// Ranks the series and evaluates each step.
fn rank(
    index: &Index,
    topics: &[(String, String)],
    plan: &Plan,
    judged: &Judgments,
    series: &[Series],
    steps: &mut HashMap<(Sieve, String), FinishedStep>,
    on_step: &mut OnStep,
) -> Result<(), SweepError> {
    let terms: Vec<Vec<String>> = topics
        .iter()
        .map(|(_, text)| index.analyzer().terms(text))
        .collect();
    let options = SweepOptions::default()
        .with_models(plan.models.clone())
        .with_stats(plan.stats.clone())
        .with_k(plan.k)
        .with_shared(plan.shared.clone())
        .with_memory(plan.memory);
    let of_topic = |topic: usize, hits: &[Hit]| -> Result<(Vec<f64>, Vec<u8>), SweepError> {
        let mut lines = Vec::new();
        if plan.run_tag.is_some() {
            let mut writer = RunWriter::new(&mut lines, TAG_TO_COME)?;
            let documents = hits.iter().map(|hit| (index.docid(hit.page), hit.score));
            writer.write_topic(&topics[topic].0, documents)?;
            writer.finish()?;
        }
        Ok((judged.scores(topic, hits, plan), lines))
    };
    if series.is_empty() {
        return Ok(());
    }
    // Steps of which only the first topics are ranked, where not all fit into memory at once.
    let mut begun: HashMap<(usize, usize, usize), (FinishedStep, Vec<u8>)> = HashMap::new();
    index.sweep(&terms, series, &options, of_topic, |step| {
        let key = (step.series, step.filter, step.model);
        let (mut done, mut run) = begun.remove(&key).unwrap_or_else(|| {
            let of = &series[step.series];
            let sieve = Sieve {
                filter: of.filters()[step.filter].clone(),
                weights: of.weights().clone(),
            };
            let model = plan.models[step.model].to_string();
            let scores = judged.scores_of_empty.clone();
            let step = FinishedStep {
                sieve,
                model,
                scores,
            };
            (step, Vec::new())
        });
        let last = step.first_topic + step.results.len() == topics.len();
        for (topic, result) in (step.first_topic..).zip(step.results) {
            let (scores, lines) = result?;
            let judged = judged.topics.get(topic).and_then(Option::as_ref);
            if let Some(place) = judged.map(|it| it.place) {
                for (of_measure, score) in done.scores.iter_mut().zip(scores) {
                    of_measure[place] = score;
                }
            }
            run.extend(lines);
        }
        if !last {
            begun.insert(key, (done, run));
            return Ok(());
        }
        let key = (done.sieve.clone(), done.model.clone());
        if let Entry::Vacant(vacant) = steps.entry(key) {
            let model = &plan.models[step.model];
            let tag = plan.run_tag.as_ref();
            let tag = tag.map(|tag| tag.of(&done.sieve, model, &plan.stats));
            let run = tag.map(|tag| with_tag(&run, &tag));
            on_step(&done, run.as_deref())?;
            vacant.insert(done);
        }
        Ok(())
    })
}

/// Stands in the last column of runs until it is known which step they are of.
const TAG_TO_COME: &str = "-";

/// A run with another tag than [`TAG_TO_COME`].
fn with_tag(run: &[u8], tag: &str) -> Vec<u8> {
    let mut tagged = Vec::with_capacity(run.len() + run.len() / 8);
    for line in run.split_inclusive(|byte| *byte == b'\n') {
        tagged.extend_from_slice(&line[..line.len() - TAG_TO_COME.len() - 1]);
        tagged.extend_from_slice(tag.as_bytes());
        tagged.push(b'\n');
    }
    tagged
}

/// For each of some filters with weights the scores of all judged topics by the first measure, under the first model.
pub(super) fn rank_steps(
    index: &Index,
    topics: &[(String, String)],
    plan: &Plan,
    judged: &Judgments,
    sieves: &[Sieve],
) -> Result<Vec<Vec<f64>>, SweepError> {
    let series = sieves.iter().map(|sieve| {
        let one = Series::new(vec![sieve.filter.clone()]);
        let one = one.map_err(|error| SweepError::Vary(error.to_string()))?;
        Ok(one.with_weights(sieve.weights.clone()))
    });
    let series = series.collect::<Result<Vec<Series>, SweepError>>()?;
    let mut steps = HashMap::new();
    let on_step: &mut OnStep = &mut |_, _| Ok(());
    rank(index, topics, plan, judged, &series, &mut steps, on_step)?;
    let model = plan
        .models
        .first()
        .map(Model::to_string)
        .unwrap_or_default();
    let scores = sieves.iter().map(|sieve| {
        let step = steps.get(&(sieve.clone(), model.clone()));
        let scores = step.and_then(|step| step.scores.first().cloned());
        scores.ok_or_else(|| SweepError::Vary(format!("'{sieve}' was not ranked")))
    });
    scores.collect()
}

/// The judgments, by number of page.
#[derive(Default)]
pub(super) struct Judgments {
    /// The judged topics with their queries (empty for those that are not among the topics).
    ids: Vec<SweptTopic>,
    /// For each topic that is searched its judgments, if it has some.
    topics: Vec<Option<JudgedTopic>>,
    /// For each measure the score of an empty ranking for each judged topic.
    scores_of_empty: Vec<Vec<f64>>,
}

struct JudgedTopic {
    /// Its number among the judged topics.
    place: usize,
    grades: Grades,
    /// All grades, descending.
    judged: Vec<i32>,
}

/// The grades of a topic's judged pages. Nearly all lookups are of pages without: a bit for each remainder of their numbers
/// tells most of them.
struct Grades {
    known: Vec<bool>,
    of_page: HashMap<u32, i32>,
}

/// Remainders that are told apart: so many that few are taken.
const REMAINDERS: u32 = 1 << 12;

impl Grades {
    fn new(grades: impl Iterator<Item = (u32, i32)>) -> Grades {
        let of_page: HashMap<u32, i32> = grades.collect();
        let mut known = vec![false; REMAINDERS as usize];
        for page in of_page.keys() {
            known[(page % REMAINDERS) as usize] = true;
        }
        Grades { known, of_page }
    }

    fn get(&self, page: u32) -> Option<i32> {
        match self.known[(page % REMAINDERS) as usize] {
            true => self.of_page.get(&page).copied(),
            false => None,
        }
    }
}

impl Judgments {
    pub(super) fn new(
        index: &Index,
        topics: &[(String, String)],
        qrels: &Qrels,
        plan: &Plan,
    ) -> Result<Judgments, SweepError> {
        let qrels = &*as_in_runs(index, qrels);
        let of_runs = Judgments::of_runs(topics, qrels, plan)?;
        let pages = page_numbers(index, qrels);
        let place = |id: &str| of_runs.ids.iter().position(|topic| topic.id == id);
        let judged = |(id, _): &(String, String)| {
            let judgments = qrels.topics.get(id)?;
            let grade =
                |(docid, grade): (&String, &i32)| Some((*pages.get(docid.as_str())?, *grade));
            let mut judged: Vec<i32> = judgments.values().copied().collect();
            judged.sort_unstable_by(|a, b| b.cmp(a));
            Some(JudgedTopic {
                place: place(id)?,
                grades: Grades::new(judgments.iter().filter_map(grade)),
                judged,
            })
        };
        Ok(Judgments {
            topics: topics.iter().map(judged).collect(),
            ..of_runs
        })
    }

    /// Those by which whole runs are measured, and no hits.
    fn of_runs(
        topics: &[(String, String)],
        qrels: &Qrels,
        plan: &Plan,
    ) -> Result<Judgments, SweepError> {
        let empty = empty_scores(qrels, plan)?;
        let queries: HashMap<&String, &String> =
            topics.iter().map(|(id, text)| (id, text)).collect();
        let query = |id: &String| {
            queries
                .get(id)
                .map_or(String::new(), |text| (*text).clone())
        };
        let ids = empty.topics.iter().map(|topic| SweptTopic {
            id: topic.topic.clone(),
            query: query(&topic.topic),
        });
        Ok(Judgments {
            ids: ids.collect(),
            topics: Vec::new(),
            scores_of_empty: by_measure(&empty, plan),
        })
    }

    /// The ids of the judged topics.
    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        self.ids.iter().map(|topic| topic.id.as_str())
    }

    /// Has a step a score for each measure and judged topic?
    fn fits(&self, step: &FinishedStep) -> bool {
        let lengths = step.scores.iter().map(Vec::len);
        lengths.eq(self.scores_of_empty.iter().map(Vec::len))
    }

    /// The scores of a topic's hits; nothing for a topic without judgments.
    fn scores(&self, topic: usize, hits: &[Hit], plan: &Plan) -> Vec<f64> {
        let Some(Some(judged)) = self.topics.get(topic) else {
            return Vec::new();
        };
        let hits = &hits[..hits.len().min(plan.options.max_docs.unwrap_or(usize::MAX))];
        let grades = hits.iter().map(|hit| judged.grades.get(hit.page));
        let ranking = Ranking::of_grades(grades.collect(), judged.judged.clone(), &plan.options);
        let measures = plan.measures.iter();
        measures.map(|measure| measure.score(&ranking)).collect()
    }
}

/// By measure the scores of all judged topics.
fn by_measure(evaluation: &Evaluation, plan: &Plan) -> Vec<Vec<f64>> {
    let of_measure = |measure: usize| {
        let scores = evaluation.topics.iter().map(|topic| topic.scores[measure]);
        scores.collect()
    };
    (0..plan.measures.len()).map(of_measure).collect()
}

/// What topics without results score; and the check that the measures are means and take these grades.
fn empty_scores(qrels: &Qrels, plan: &Plan) -> Result<Evaluation, SweepError> {
    let no_mean = |m: &&Measure| m.family().aggregate != Aggregate::Mean;
    if let Some(measure) = plan.measures.iter().find(no_mean) {
        return Err(SweepError::NoMean(measure.to_string()));
    }
    let of_grades = |m: &&Measure| m.family().needs == Needs::Grades;
    if let Some(measure) = plan.measures.iter().find(|it| !of_grades(it)) {
        return Err(SweepError::NeedsRun(measure.to_string()));
    }
    if plan.measures.is_empty() {
        return Err(SweepError::NoMeasures);
    }
    let options = plan.options.clone().with_complete(true);
    Ok(evaluate(qrels, &Run::default(), &plan.measures, &options)?)
}

/// The numbers of the judged pages that are searched, by docid: of several pages of one docid the first. Judgments name a page as
/// run files do.
fn page_numbers<'a>(index: &Index, qrels: &'a Qrels) -> HashMap<&'a str, u32> {
    let docids = qrels.topics.values().flat_map(|judgments| judgments.keys());
    let docids: HashSet<&str> = docids.map(String::as_str).collect();
    let mut numbers = HashMap::with_capacity(docids.len());
    for page in index.pages() {
        if let Some(docid) = docids.get(&*to_word(index.docid(page))) {
            numbers.entry(*docid).or_insert(page);
        }
    }
    numbers
}

/// Puts the finished steps together.
struct Finished<'a> {
    plan: &'a Plan,
    steps: &'a HashMap<(Sieve, String), FinishedStep>,
    resamples: Resamples,
}

impl Finished<'_> {
    fn swept(
        &self,
        judged: &Judgments,
        references: &[(String, Sieve)],
    ) -> Result<Swept, SweepError> {
        let mut swept = Swept {
            measures: match judged.ids.is_empty() {
                true => Vec::new(),
                false => self.plan.measures.iter().map(Measure::to_string).collect(),
            },
            topics: judged.ids.clone(),
            ..Swept::default()
        };
        for model in &self.plan.models {
            for (name, sieve) in references {
                swept.references.push(Reference {
                    name: name.clone(),
                    model: model.to_string(),
                    result: self.measured(sieve, model)?,
                });
            }
        }
        let lines: Vec<(&LinePlan, &Model)> = self
            .plan
            .lines
            .iter()
            .flat_map(|line| self.plan.models.iter().map(move |model| (line, model)))
            .collect();
        let lines = lines
            .into_par_iter()
            .map(|(line, model)| self.line(line, model));
        swept.lines = lines.collect::<Result<_, _>>()?;
        if self.plan.grid && !swept.measures.is_empty() {
            let models = self.plan.models.iter();
            swept.grid = models.map(|model| self.grid(model, &swept.lines)).collect();
        }
        Ok(swept)
    }

    /// What is chosen among the steps of all lines of a model.
    fn grid(&self, model: &Model, lines: &[SweptLine]) -> GridChoice {
        let model = model.to_string();
        let named = |line: &SweptLine| {
            let of_line = line.points.iter().map(|point| {
                let (dimension, threshold) = (&line.dimension, &point.threshold);
                let name = match line.base.as_str() {
                    "" => format!("{dimension}={threshold}"),
                    base => format!("{dimension}={threshold}; {base}"),
                };
                Point {
                    threshold: name,
                    ..point.clone()
                }
            });
            of_line.collect::<Vec<Point>>()
        };
        let lines = lines.iter().filter(|line| line.model == model);
        let points: Vec<Point> = lines.flat_map(named).collect();
        let unfiltered = self.steps.get(&(Sieve::default(), model.clone()));
        let unfiltered = unfiltered.map_or(&[][..], |step| &step.scores);
        GridChoice {
            settings: points.len(),
            chosen: self.chosen_of_all(&points, unfiltered),
            model,
        }
    }

    /// What choosing among points gives, by measure.
    fn chosen_of_all(&self, points: &[Point], unfiltered: &[Vec<f64>]) -> Vec<Chosen> {
        let chosen = unfiltered.iter().enumerate().map(|(measure, before)| {
            // How much was judged is nothing to choose by.
            if self.plan.measures[measure].family().name == "Judged" {
                return Chosen::default();
            }
            let scores = points
                .iter()
                .map(|point| point.result.scores[measure].as_slice());
            let scores: Vec<&[f64]> = scores.collect();
            self.chosen(&scores, before, points)
        });
        chosen.collect()
    }

    fn line(&self, line: &LinePlan, model: &Model) -> Result<SweptLine, SweepError> {
        let point = |(threshold, sieve): &(crate::text::Decimal, Sieve)| {
            Ok(Point {
                threshold: threshold.to_string(),
                x: threshold.to_f64(),
                result: self.measured(sieve, model)?,
            })
        };
        let points = line.steps.iter().map(point);
        let points = points.collect::<Result<Vec<Point>, SweepError>>()?;
        let unfiltered = self.measured(&Sieve::default(), model)?;
        Ok(SweptLine {
            dimension: line.dimension.to_string(),
            base: line.base.to_string(),
            model: model.to_string(),
            chosen: self.chosen_of_all(&points, &unfiltered.scores),
            points,
        })
    }

    fn chosen(&self, scores: &[&[f64]], unfiltered: &[f64], points: &[Point]) -> Chosen {
        let validated = cross_validate(scores, self.plan.folds, SEED);
        let (mean, before) = (mean(&validated.scores), mean(unfiltered));
        let folds = validated.folds.iter();
        Chosen {
            thresholds: folds
                .map(|fold| points[fold.chosen].threshold.clone())
                .collect(),
            mean,
            difference: mean - before,
            p: cross_validated_p(unfiltered, scores, self.plan.folds, SEED),
            scores: validated.scores,
        }
    }

    fn measured(&self, sieve: &Sieve, model: &Model) -> Result<Measured, SweepError> {
        let step = self.steps.get(&(sieve.clone(), model.to_string()));
        // Every filter of the plan was ranked, or was finished before.
        let step = step.ok_or_else(|| SweepError::Vary(format!("'{sieve}' was not ranked")))?;
        let interval = |scores: &Vec<f64>| {
            let interval = self.resamples.interval(LEVEL, |drawn| {
                let sum: f64 = drawn.iter().map(|topic| scores[*topic]).sum();
                sum / drawn.len() as f64
            });
            [*interval.start(), *interval.end()]
        };
        Ok(Measured {
            filter: sieve.filter.to_string(),
            weights: match sieve.weights.is_one() {
                true => String::new(),
                false => sieve.weights.to_string(),
            },
            means: step.scores.iter().map(|scores| mean(scores)).collect(),
            intervals: step.scores.iter().map(interval).collect(),
            scores: step.scores.clone(),
        })
    }
}

fn mean(scores: &[f64]) -> f64 {
    scores.iter().sum::<f64>() / scores.len().max(1) as f64
}

/// Ids of judged topics that are not searched, and of searched ones that are not judged.
pub fn unmatched<'a>(
    topics: &'a [(String, String)],
    qrels: &'a Qrels,
) -> (Vec<&'a str>, Vec<&'a str>) {
    let searched: BTreeSet<&str> = topics.iter().map(|(id, _)| id.as_str()).collect();
    let judged: BTreeSet<&str> = qrels.topics.keys().map(String::as_str).collect();
    (
        judged.difference(&searched).copied().collect(),
        searched.difference(&judged).copied().collect(),
    )
}
