//! The file beside a run.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value, json};
use trommel_index::{Formula, Manifest, Model};

use super::error::ProvenanceError;
use super::machine::Machine;
use super::recipe::Recipe;

/// How such a file begins.
pub const METADATA_HEAD: &str = "# ir_metadata.start\n# written by trommel; trommel verify makes the run again from what stands under 'trommel'\n";

/// How it ends.
const METADATA_TAIL: &str = "# ir_metadata.end\n";

/// The version of the schema.
const SCHEMA: f64 = 0.1;

/// The components that say what no program knows: who made a run, and what for. Whoever adds them finds them again in a new file.
const OF_PEOPLE: [&str; 2] = ["actor", "research goal"];

/// How a run was made, besides its recipe.
#[derive(Debug, Clone)]
pub struct Made<'a> {
    /// The command line.
    pub command: &'a str,
    /// The manifest of the index.
    pub manifest: &'a Manifest,
    /// On what.
    pub machine: &'a Machine,
    /// How long it took; none if it was one of many that were made at once.
    pub time: Option<Duration>,
    /// What stood there before.
    pub before: Option<&'a str>,
}

/// The order in which the schema has its components.
#[derive(Serialize)]
struct Document<'a> {
    #[serde(rename = "schema-version")]
    schema: f64,
    #[serde(rename = "run-version")]
    version: f64,
    tag: &'a str,
    platform: Value,
    implementation: Value,
    method: Value,
    data: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    resources: Option<Value>,
    #[serde(flatten)]
    of_people: BTreeMap<String, Value>,
    trommel: &'a Recipe,
}

/// The metadata of a run, as YAML. What people have added to the file before, who and what for, is kept.
///
/// # Errors
/// None that is known of.
pub fn metadata(recipe: &Recipe, made: &Made) -> Result<String, ProvenanceError> {
    let document = Document {
        schema: SCHEMA,
        version: 1.0,
        tag: &recipe.tag,
        platform: platform(made),
        implementation: json!({
            "executable": {"cmd": made.command},
            "source": {"lang": ["Rust"]},
        }),
        method: method(recipe, made.manifest)?,
        data: data(recipe, made.manifest),
        resources: made.time.map(|time| {
            let wallclock = format!("{} ms", time.as_millis());
            json!({"runtime": {"wallclock": wallclock}})
        }),
        of_people: made.before.map(of_people).unwrap_or_default(),
        trommel: recipe,
    };
    let text = serde_saphyr::to_string(&document)
        .map_err(|error| ProvenanceError::Unwritable(error.to_string()))?;
    Ok(format!("{METADATA_HEAD}{text}{METADATA_TAIL}"))
}

/// What only people know, of a file that was there.
fn of_people(before: &str) -> BTreeMap<String, Value> {
    let before: Value = serde_saphyr::from_str(before).unwrap_or_default();
    let keys = OF_PEOPLE.iter().filter_map(|key| {
        let value = before.get(key)?.clone();
        Some(((*key).to_owned(), value))
    });
    keys.collect()
}

/// Pairs without those that have no value.
fn known<const N: usize>(pairs: [(&str, Option<Value>); N]) -> Value {
    let pairs = pairs.into_iter();
    let pairs = pairs.filter_map(|(key, value)| Some((key.to_owned(), value?)));
    Value::Object(pairs.collect::<Map<_, _>>())
}

fn platform(made: &Made) -> Value {
    let machine = made.machine;
    let text = |text: &Option<String>| text.clone().map(Value::from);
    json!({
        "hardware": known([
            ("cpu", Some(known([
                ("model", text(&machine.cpu)),
                ("architecture", Some(machine.architecture.clone().into())),
                ("number of cores", machine.cores.map(Value::from)),
            ]))),
            ("ram", text(&machine.ram)),
        ]),
        "operating system": known([
            ("kernel", Some(machine.kernel.clone().into())),
            ("distribution", text(&machine.distribution)),
        ]),
        "software": {
            "libraries": {"rust": [format!("tantivy=={}", tantivy(made.manifest))]},
            "retrieval toolkit": [format!("trommel=={}", env!("CARGO_PKG_VERSION"))],
        },
    })
}

/// The version of tantivy: of what the manifest calls it, the first word that is a number.
fn tantivy(manifest: &Manifest) -> &str {
    let text = manifest.tantivy_version.split(',').next();
    let text = text.unwrap_or_default().trim();
    text.trim_start_matches(|c: char| !c.is_ascii_digit())
}

fn method(recipe: &Recipe, manifest: &Manifest) -> Result<Value, ProvenanceError> {
    let model: Model = recipe
        .model
        .parse()
        .map_err(|error: trommel_index::ModelError| {
            ProvenanceError::Unwritable(error.to_string())
        })?;
    let analyzer = &manifest.analyzer;
    let (name, parameters) = match model.formula {
        Formula::Bm25(it) => ("bm25", json!({"k1": it.k1, "b": it.b})),
        Formula::Qld(it) => ("dir", json!({"mu": it.mu})),
        Formula::Qljm(it) => ("qljm", json!({"lambda": it.lambda})),
        Formula::Tfidf(it) => ("tfidf", json!({"norm byte": it.norm_byte})),
    };
    let stage = |name: &str, method: &str, parameters: Value| {
        let mut stage = json!({"name": name, "method": method});
        if let (Some(stage), Value::Object(parameters)) = (stage.as_object_mut(), parameters) {
            stage.extend(parameters);
        }
        stage
    };
    let printed = &recipe.model;
    let mut retrieval = vec![stage(
        name,
        printed.split('+').next().unwrap_or_default(),
        parameters,
    )];
    if let Some(feedback) = model.feedback {
        let parameters = json!({
            "terms": feedback.terms,
            "docs": feedback.docs,
            "weight of the query": feedback.weight,
            "reranks": name,
        });
        retrieval.push(stage("rm3", &feedback.to_string(), parameters));
    }
    Ok(json!({
        "automatic": true,
        "score ties": "reverse alphabetical order",
        "indexing": known([
            ("tokenizer", Some(analyzer.tokenizer.clone().into())),
            ("stemmer", analyzer.stemmer.clone().map(Value::from)),
            ("stopwords", analyzer.stop_list.clone().map(Value::from)),
            ("analyzer", Some(json!(analyzer.name))),
            ("segmenter", Some(manifest.segmenter.clone().into())),
        ]),
        "block filter": recipe.sieve.filter,
        "block weights": recipe.sieve.weights,
        "statistics": recipe.stats,
        "retrieval": retrieval,
    }))
}

fn data(recipe: &Recipe, manifest: &Manifest) -> Value {
    json!({
        "test collection": {
            "name": recipe.indexes.join(", "),
            "topics": recipe.topics.path,
            "pages": manifest.counts.pages,
            "blocks": manifest.counts.blocks,
            "index sha256": recipe.index_sha256,
            "topics sha256": recipe.topics.sha256,
        },
    })
}
