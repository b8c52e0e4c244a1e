//! What the subcommands that evaluate runs share: flags, files, names.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use trommel::measure::{Evaluation, MeasureError, Options, Selection};
use trommel::trec::{
    GradeMap, GradeRule, Qrels, Run, TopicIds, TrecError, preferences, qrels, run as run_file,
};

use super::irds;
use super::run::TopicIdArgs;

/// How judgments are taken, and what is measured.
#[derive(clap::Args, Debug)]
pub struct JudgingArgs {
    /// Drop unjudged documents from the rankings before anything else
    #[arg(short = 'J', long)]
    judged_only: bool,
    /// Lowest grade that is relevant
    #[arg(short = 'l', long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(i32).range(0..))]
    level: i32,
    /// Evaluate only the first N documents of each topic
    #[arg(short = 'M', long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_docs: Option<u32>,
    /// Replace grades FROM to TO (inclusive) by G; the first rule that takes a grade decides
    #[arg(long, value_name = "FROM..TO=G", allow_hyphen_values = true)]
    grades: Vec<GradeRule>,
    /// Measures as by ir_measures (nDCG@10, P(rel=2)@5) or trec_eval (ndcg_cut_10, P.5,10, official), separated by commas; may be given several times
    #[arg(short = 'm', long = "measure", value_name = "MEASURE")]
    measures: Vec<String>,
    /// Number of documents in the collection, for 'utility'
    #[arg(short = 'N', long, value_name = "N", default_value_t = 0)]
    num_docs: u32,
    /// What the judgments are
    #[arg(short = 'R', long, value_name = "FORMAT", value_enum, default_value_t = JudgmentFormat::Qrels)]
    judgments: JudgmentFormat,
    #[command(flatten)]
    topic_ids: TopicIdArgs,
}

/// What a file of judgments is.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum JudgmentFormat {
    /// Grades of documents; the second column may be a subtopic, or who judged
    #[value(aliases = ["qrels_jg", "qrels_prefs"])]
    Qrels,
    /// Preferences: topic, group, subgroup, docid, level
    Prefs,
}

impl JudgingArgs {
    /// The measures asked for, or else these.
    pub fn selection(&self, otherwise: &[&str]) -> Result<Selection, MeasureError> {
        match self.measures.is_empty() {
            true => Selection::parse(otherwise.iter().copied()),
            false => Selection::parse(self.measures.iter().map(String::as_str)),
        }
    }

    /// How runs are evaluated.
    pub fn options(&self, complete: bool) -> Options {
        Options::default()
            .with_complete(complete)
            .with_relevance_level(self.level)
            .with_max_docs(self.max_docs.map(|docs| docs as usize))
            .with_judged_only(self.judged_only)
            .with_num_docs(self.num_docs as usize)
    }

    /// How topics are named.
    pub fn topic_ids(&self) -> TopicIds {
        self.topic_ids.ids
    }

    /// Judgments with their topics named as asked for, and their grades replaced.
    pub fn read_qrels(&self, path: &Path, warnings: &mut Vec<String>) -> anyhow::Result<Qrels> {
        let shown = path.display().to_string();
        let stdin = "standard input";
        let mut qrels = match (self.judgments, irds::id(path)) {
            (JudgmentFormat::Qrels, Some(id)) => qrels::parse(&irds::qrels(id)?[..], &shown),
            (JudgmentFormat::Qrels, None) if is_stdin(path) => {
                qrels::parse(io::stdin().lock(), stdin)
            }
            (JudgmentFormat::Qrels, None) => qrels::read_file(path),
            (JudgmentFormat::Prefs, _) if is_stdin(path) => {
                preferences::parse(io::stdin().lock(), stdin)
            }
            (JudgmentFormat::Prefs, _) => preferences::read_file(path),
        }?;
        self.topic_ids().rename_qrels(&mut qrels, &shown)?;
        let rules = self.grades.clone();
        qrels.map_grades(&GradeMap { rules });
        if qrels.subtopics {
            warnings.push(format!(
                "{}: judgments of subtopics; a document has the highest of its grades, but for measures of diversity",
                path.display()
            ));
        }
        Ok(qrels)
    }

    /// A run file, its topics named as asked for.
    pub fn read_run(&self, path: &Path) -> Result<Run, TrecError> {
        let mut run = match is_stdin(path) {
            true => run_file::parse(io::stdin().lock(), "standard input"),
            false => run_file::read_file(path),
        }?;
        let shown = path.display().to_string();
        self.topic_ids().rename_run(&mut run, &shown)?;
        Ok(run)
    }
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// Standard input can be read but once.
pub fn refuse_two_stdin<'a>(paths: impl Iterator<Item = &'a PathBuf>) -> anyhow::Result<()> {
    if paths.filter(|path| is_stdin(path)).count() > 1 {
        bail!("standard input (`-`) can be only one of the files");
    }
    Ok(())
}

/// What runs are called in tables: by their tags; those that share a tag, and those without, by their files.
pub fn run_names<P: AsRef<Path>>(evaluations: &[(P, Evaluation)]) -> Vec<String> {
    let name = |(path, evaluation): &(P, Evaluation)| {
        let tag = &evaluation.run_tag;
        let others = evaluations
            .iter()
            .filter(|(_, other)| other.run_tag == *tag);
        match tag.is_empty() || others.count() > 1 {
            true => path.as_ref().display().to_string(),
            false => tag.clone(),
        }
    };
    evaluations.iter().map(name).collect()
}

/// Prints the results. Whoever reads them may have read enough before their end.
pub fn print(text: &str) -> anyhow::Result<ExitCode> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(ExitCode::SUCCESS)
}
