//! Flags that say which steps a sweep has: `sweep` ranks them, `count` counts what their scores need.

use trommel::experiment::sweep::{Plan, Vary, lines};
use trommel::filter::Filter;
use trommel::index::Model;
use trommel::weight::{Sieve, Template};

use super::options::{SieveArgs, names_of_list};

/// What is swept.
#[derive(clap::Args, Debug)]
pub struct StepArgs {
    /// Thresholds: NAME=A..B, NAME=A..B:STEP or NAME=A,B,… with min-words, max-link-density or any other bound of the filter, or
    /// with a $NAME in --weights. May be given for several NAMEs: each is a series of its own, or with --grid all are one
    #[arg(long, value_name = "NAME=A..B[:STEP]")]
    pub vary: Vec<Vary>,
    /// Sweep the first --vary at every combination of the others, instead of each by itself; several $NAMEs need it
    #[arg(long)]
    grid: bool,
    #[command(flatten)]
    pub sieve: SieveArgs<Template>,
    /// Also search with these extractors as filters, for comparison; 'all' stands for those that the index has labels of
    #[arg(long, value_name = "NAME,…", help_heading = "Ranking")]
    extractors: Vec<String>,
    /// Ranking model: bm25, qld, qljm or tfidf with its parameters, and +rm3 behind it for feedback: qld:mu=2500+rm3. May be
    /// given several times [default: bm25]
    #[arg(long = "model", value_name = "MODEL", help_heading = "Ranking")]
    models: Vec<Model>,
}

impl StepArgs {
    /// The steps; `labels` are the extractors that the index has labels of.
    ///
    /// # Errors
    /// What cannot be swept.
    pub fn plan(&self, labels: &[String]) -> anyhow::Result<Plan> {
        let filter = self.sieve.filter.filter();
        let mut plan = Plan::default();
        plan.models.clear();
        for model in &self.models {
            if !plan.models.contains(model) {
                plan.models.push(*model);
            }
        }
        if plan.models.is_empty() {
            plan.models.push(Model::default());
        }
        plan.references = self.references(&filter, labels)?;
        plan.grid = self.grid;
        plan.lines = lines(&self.vary, &self.sieve.base(), self.grid)?;
        plan.stats = self.sieve.stats.clone();
        Ok(plan)
    }

    /// The one step where nothing varies.
    ///
    /// # Errors
    /// Weights that have parameters.
    pub fn sieve(&self) -> anyhow::Result<Sieve> {
        Ok(Sieve {
            filter: self.sieve.filter.filter(),
            weights: self.sieve.weights.weights()?,
        })
    }

    fn references(
        &self,
        filter: &Filter,
        labels: &[String],
    ) -> anyhow::Result<Vec<(String, Sieve)>> {
        let mut references = Vec::new();
        if !filter.is_empty() {
            references.push((filter.to_string(), Sieve::from(filter.clone())));
        }
        let lists = self.extractors.iter();
        for name in lists.flat_map(|list| names_of_list(list)) {
            let names: Vec<String> = match name.as_str() {
                "all" => labels.to_vec(),
                _ => vec![name],
            };
            if names.is_empty() {
                anyhow::bail!(
                    "--extractors all: the index has no labels; add some with 'trommel label'"
                );
            }
            for name in names {
                let by_extractor = Sieve::from(Filter::content(&name));
                if references.iter().all(|(_, known)| *known != by_extractor) {
                    references.push((name, by_extractor));
                }
            }
        }
        Ok(references)
    }
}
