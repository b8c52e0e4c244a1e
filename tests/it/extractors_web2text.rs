//! The extractor `web2text`: training, the model, what it says of pages.

use std::fs;
use std::path::Path;

use tempfile::TempDir;
use trommel::classifier::network::{Layer, Network};
use trommel::classifier::standardize::Scales;
use trommel::extractor::{
    self, ExtractorError, Label, Potentials, Subject, TrainingPages, Web2TextModel,
};
use trommel::gold;
use trommel::gold::{LabelledPage, labelled_pages};
use trommel::gold::{Pair, pairs};
use trommel::html::{self, Charset, Limits, segment};
use trommel::page::Page;
use trommel::training::web2text::{Division, Sequence, distinct};
use trommel::training::web2text::{Web2TextOptions, train_web2text};
use trommel::training::web2text::{leaf, of_model};

use crate::support::shared;

fn parsed(html: &str) -> Page {
    html::parse_text(html, &Limits::default())
}

/// One layer: the weight of one feature for the last class, none for the others.
fn one_weight(pairs: bool, feature: &str, weight: f32, bias: f32) -> Potentials {
    let features = (Potentials::set(pairs).unwrap().features)();
    let names: Vec<String> = features.into_iter().map(|of| of.name).collect();
    let outputs = if pairs { 4 } else { 2 };
    let place = names.iter().position(|name| name == feature).unwrap();
    let mut layer = Layer {
        kernel: 1,
        inputs: names.len(),
        outputs,
        weights: vec![0.0; names.len() * outputs],
        biases: vec![0.0; outputs],
    };
    layer.weights[place * outputs + outputs - 1] = weight;
    layer.biases[outputs - 1] = bias;
    Potentials {
        scales: Scales {
            means: vec![0.0; names.len()],
            deviations: vec![1.0; names.len()],
        },
        features: names,
        network: Network {
            layers: vec![layer],
        },
    }
}

/// Text nodes of more than e² words are content, and pairs of content are probable.
fn small() -> Web2TextModel {
    Web2TextModel {
        unary: one_weight(false, "b5_log_num_words", 2.0, -4.0),
        pairwise: one_weight(true, "e2_tree_distance_3", 0.0, 3.0),
    }
}

fn written(folder: &Path, model: &str) -> String {
    let path = folder.join("model");
    fs::write(&path, model).unwrap();
    format!("web2text:model={}", path.display())
}

const PAGE: &str = "<body><p>one two three four five six seven eight nine<p>one two three four five six\
                    <p>one two three four five six seven eight nine ten<p>one two";

#[test]
fn verdicts_by_hand() {
    use Label::{Boilerplate as B, Content as C};
    let folder = TempDir::new().unwrap();
    let model = small().write("by hand", &TrainingPages::default()).unwrap();
    assert_eq!(extractor::learnt(&model), "by hand");
    let spec = written(folder.path(), &model);
    let page = parsed(PAGE);
    let labels = |parameters: &str| {
        let extractor = extractor::parse(&format!("{spec}{parameters}")).unwrap();
        let subject = Subject::new(&page, "", "");
        extractor.labels(&subject, segment::by_name("leaf").unwrap())
    };
    // Logits of content: 2 ln 9 − 4 = .39, 2 ln 6 − 4 = −.42, 2 ln 10 − 4 = .61, 2 ln 2 − 4 = −2.6. A pair of content gains 3 λ; other
    // pairs are alike.
    assert_eq!(labels(",lambda=0"), [C, B, C, B]);
    assert_eq!(labels(",lambda=0.05"), [C, B, C, B]);
    assert_eq!(labels(""), [C, C, C, B]);
    assert_eq!(labels(",lambda=1"), [C, C, C, C]);
    // Blocks of another segmenter have the label of most of their words.
    let extractor = extractor::parse(&spec).unwrap();
    assert_eq!(extractor.name, "web2text");
    let subject = Subject::new(&page, "", "");
    for segmenter in segment::all() {
        let blocks = subject.blocks(segmenter).blocks.len();
        assert_eq!(extractor.labels(&subject, segmenter).len(), blocks);
    }
    assert_eq!(
        extractor::parse(&format!("{spec},lambda=0.5"))
            .unwrap()
            .name,
        "web2text:lambda=0.5"
    );
}

/// Pages without text, and of one text node.
#[test]
fn small_pages() {
    let extractor = extractor::parse("web2text").unwrap();
    for (html, blocks) in [
        ("", 0),
        ("<p> <br>", 0),
        ("word", 1),
        ("|", 1),
        ("<b>a</b>b", 2),
    ] {
        let page = parsed(html);
        let subject = Subject::new(&page, "", "");
        let labels = extractor.labels(&subject, segment::by_name("leaf").unwrap());
        assert_eq!(labels.len(), blocks, "{html}");
    }
}

/// The model that is built in tells an article from the menus around it.
#[test]
fn an_article_between_menus() {
    let sentence = "The council decided on Monday that the old bridge will be closed for repair until the end of the year. ";
    let article = format!(
        "<h1>Bridge will be closed</h1>{}",
        format!("<p>{}</p>", sentence.repeat(3)).repeat(6)
    );
    let link = |n: usize| format!("<li><a href=/{n}>Section {n}</a></li>");
    let menu: String = (0..20).map(link).collect();
    let page = parsed(&format!(
        "<title>Bridge</title><body><ul>{menu}</ul><div>{article}</div><ul>{menu}</ul><p>Copyright \u{a9} 2007 All rights reserved"
    ));
    let subject = Subject::new(&page, "", "");
    let extractor = extractor::parse("web2text").unwrap();
    let texts: Vec<&str> = extractor
        .content(&subject)
        .map(|block| block.text.as_str())
        .collect();
    let paragraphs = texts.iter().filter(|text| text.contains("council")).count();
    assert_eq!(paragraphs, 6);
    assert!(
        texts.iter().filter(|text| text.contains("Section")).count() < 5,
        "{texts:?}"
    );
}

/// What is no model is refused when it is read, with the command that makes one.
#[test]
fn models_that_are_none() {
    let folder = TempDir::new().unwrap();
    let changed = |change: fn(&mut Web2TextModel)| {
        let mut model = small();
        change(&mut model);
        model.write("", &TrainingPages::default()).unwrap()
    };
    let text = small().write("", &TrainingPages::default()).unwrap();
    for (model, why) in [
        (String::new(), "no model of"),
        (text[..text.len() / 2].to_owned(), "no model of"),
        (
            text.replace("\"model\":\"web2text\"", "\"model\":\"tree\""),
            "a model of tree, not web2text",
        ),
        (
            text.replace("\"version\":1", "\"version\":2"),
            "a model of version 2",
        ),
        (
            text.replace("\"unary\"", "\"binary\""),
            "a damaged model (missing field `unary`",
        ),
        (
            text.replace("\"weights\":[0", "\"weights\":[0.5"),
            "a damaged model (invalid type",
        ),
        (
            text.replace("\"weights\":[0", "\"weights\":[1e99"),
            "a damaged model",
        ),
        (
            text.replace("\"means\":[0.0", "\"means\":[1e999"),
            "a damaged model",
        ),
        (
            changed(|m| m.unary.features.swap(0, 1)),
            "features that this program does not have",
        ),
        (
            changed(|m| std::mem::swap(&mut m.unary, &mut m.pairwise)),
            "features that this program does not have",
        ),
        (
            changed(|m| m.unary.scales.means.clear()),
            "(means and deviations)",
        ),
        (
            changed(|m| m.pairwise.scales.deviations[3] = -1.0),
            "(means and deviations)",
        ),
        (
            changed(|m| m.pairwise.network.layers.clear()),
            "no whole network",
        ),
        (
            changed(|m| m.unary.network.layers[0].kernel = 2),
            "no whole network",
        ),
        (
            changed(|m| m.unary.network.layers[0].inputs = usize::MAX),
            "no whole network",
        ),
        (
            changed(|m| m.unary.network.layers[0].weights.truncate(9)),
            "no whole network",
        ),
        (
            changed(|m| m.unary.network.layers[0].biases.push(0.0)),
            "no whole network",
        ),
        // Two classes for pairs.
        (
            changed(|m| {
                let layer = &mut m.pairwise.network.layers[0];
                layer.outputs = 2;
                layer.biases.truncate(2);
                layer.weights.truncate(50);
            }),
            "no whole network",
        ),
    ] {
        let error = extractor::parse(&written(folder.path(), &model)).unwrap_err();
        assert!(matches!(
            error,
            ExtractorError::BadModel { of: "web2text", .. }
        ));
        assert!(error.to_string().contains(why), "{why}: {error}");
    }
    for (spec, why) in [
        (
            "web2text:model=/no/such/file",
            "/no/such/file: No such file",
        ),
        ("web2text:lambda=-1", "less than 0"),
        ("web2text:lambda=x", "lambda=x"),
        ("web2text:smell=1", "there are: lambda, model"),
    ] {
        let error = extractor::parse(spec).unwrap_err().to_string();
        assert!(error.contains(why), "{spec}: {error}");
    }
}

#[test]
fn models_round_trip() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("model");
    let model = small();
    fs::write(&path, model.write("", &TrainingPages::default()).unwrap()).unwrap();
    assert_eq!(Web2TextModel::read(&path).unwrap(), model);
    // The one that is built in is what its file says, and its manifest is of it.
    let shipped =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/trommel-extract/src/removers/models");
    let text = fs::read(shipped.join("web2text.json")).unwrap();
    let manifest = fs::read_to_string(shipped.join("web2text.json.manifest.json")).unwrap();
    let sha256 = trommel::collection::sha256_of(&text[..]).unwrap();
    assert!(
        manifest.contains(&format!("\"model_sha256\": \"{sha256}\"")),
        "{sha256}"
    );
    let read = Web2TextModel::read(&shipped.join("web2text.json")).unwrap();
    let learnt = extractor::learnt(std::str::from_utf8(&text).unwrap());
    let extractor = extractor::parse("web2text").unwrap();
    let pages = extractor.arguments.trained_on.pages().unwrap();
    let again = read.write(&learnt, pages).unwrap();
    assert!(again.into_bytes() == text.trim_ascii_end());
}

/// Pages of an article between lists of links, of different sizes.
fn made(folder: &Path, pages: usize) -> Vec<LabelledPage> {
    for name in ["html", "gold"] {
        fs::create_dir(folder.join(name)).unwrap();
    }
    for page in 0..pages {
        let mut gold = String::new();
        let mut html = String::from("<body>");
        for n in 0..4 + page % 3 {
            html.push_str(&format!("<li><a href=/>menu{page}n{n}</a>"));
        }
        for n in 0..3 + page % 4 {
            let text: String = (0..8 + (page + n) % 5)
                .map(|w| format!("word{page}n{n}w{w} "))
                .collect();
            html.push_str(&format!("<p>{text}</p> | "));
            gold.push_str(&text);
        }
        html.push_str("<a href=/>end of page</a>");
        fs::write(folder.join(format!("html/{page}.html")), html).unwrap();
        fs::write(folder.join(format!("gold/{page}.txt")), gold).unwrap();
    }
    let pairs = pairs(Some(&folder.join("gold")), &folder.join("html")).unwrap();
    let format = gold::by_name("text").unwrap();
    labelled_pages(&pairs, format, leaf().unwrap(), Charset::Auto, &|| {}).unwrap()
}

fn options() -> Web2TextOptions {
    with(|options| {
        options.iterations = 250;
        options.batch = 8;
        options.every = 50;
    })
}

fn with(change: impl FnOnce(&mut Web2TextOptions)) -> Web2TextOptions {
    let mut options = Web2TextOptions::default();
    change(&mut options);
    options
}

/// Training learns what is simple, and the same weights whatever the number of threads.
#[test]
fn training() {
    let folder = TempDir::new().unwrap();
    let pages = made(folder.path(), 12);
    // The bars between the paragraphs have no label.
    assert!(pages[0].labels.contains(&None));
    let sequences = Sequence::of_all(&pages);
    let division = Division::of(pages.len(), 2, 3, 1);
    let of = |part: &[usize]| {
        part.iter()
            .map(|page| &sequences[*page])
            .collect::<Vec<_>>()
    };
    let train = |threads: usize, options: &Web2TextOptions| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            train_web2text(
                &of(&division.training),
                &of(&division.validation),
                options,
                &|_| {},
            )
        })
    };
    let one = train(1, &options()).unwrap();
    let two = train(2, &options()).unwrap();
    // Not assert_eq, which would print all weights.
    assert!(one.model == two.model);
    let mut other = options();
    other.seed = 1;
    other.iterations = 10;
    assert!(train(1, &other).unwrap().model != one.model);
    for lambda in [0.0, 0.1] {
        let rates = of_model(&one.model, &sequences, &division.held_out, lambda).rates();
        assert_eq!((rates.precision, rates.recall), (1.0, 1.0), "λ = {lambda}");
    }
    // From the file as from memory.
    let spec = written(
        folder.path(),
        &one.model.write("", &TrainingPages::default()).unwrap(),
    );
    let extractor = extractor::parse(&spec).unwrap();
    for page in &pages {
        let subject = Subject::new(&page.page, "", "");
        let labels = extractor.labels(&subject, leaf().unwrap()).into_iter();
        let labels: Vec<bool> = labels.map(|label| label == Label::Content).collect();
        let of = |pairs| Potentials::measure(pairs, &page.page, &page.segmentation);
        assert_eq!(labels, one.model.decide(of(false), of(true), 0.1));
    }
    for wrong in [
        with(|options| options.iterations = 0),
        with(|options| options.excerpt = 1),
        with(|options| options.dropout = 1.0),
        with(|options| options.decay = f64::NAN),
    ] {
        assert!(train(1, &wrong).is_err(), "{wrong:?}");
    }
    assert!(train_web2text(&[], &[], &options(), &|_| {}).is_err());
}

#[test]
fn divisions() {
    let division = Division::of(100, 8, 20, 3);
    assert_eq!(division, Division::of(100, 8, 20, 3));
    assert_ne!(division, Division::of(100, 8, 20, 4));
    let parts = [&division.training, &division.validation, &division.held_out];
    assert_eq!(parts.map(Vec::len), [72, 8, 20]);
    let mut all = parts.map(Clone::clone).concat();
    all.sort_unstable();
    assert_eq!(all, (0..100).collect::<Vec<_>>());
    let few = Division::of(5, 4, 3, 1);
    assert_eq!(
        [few.training.len(), few.validation.len(), few.held_out.len()],
        [0, 2, 3]
    );
}

#[test]
fn the_same_page_twice() {
    let folder = TempDir::new().unwrap();
    let pair = |name: &str, text: &str| {
        let page = folder.path().join(name);
        fs::write(&page, text).unwrap();
        Pair {
            name: name.to_owned(),
            page,
            gold: None,
        }
    };
    let pairs = vec![pair("a", "x"), pair("b", "y"), pair("c", "x")];
    let names: Vec<String> = distinct(pairs)
        .unwrap()
        .into_iter()
        .map(|pair| pair.name)
        .collect();
    assert_eq!(names, ["a", "b"]);
}

/// The built-in model on the pages that it was not trained on: the figures of its manifest.
#[test]
fn shipped_model_on_held_out_pages() {
    let Some(corpora) = shared("corpora") else {
        return;
    };
    let shipped =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/trommel-extract/src/removers/models");
    let model = Web2TextModel::read(&shipped.join("web2text.json")).unwrap();
    let manifest = fs::read_to_string(shipped.join("web2text.json.manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let held_out = &manifest["held_out"];
    let names: Vec<&str> = held_out["names"].as_str().unwrap().split(' ').collect();
    assert_eq!(names.len(), 148);
    let mut chosen = Vec::new();
    for name in &names {
        let (folder, name) = name.split_once('/').unwrap();
        let folder = corpora.join(folder);
        chosen.push(Pair {
            name: name.to_owned(),
            page: folder.join(format!("html/{name}.html")),
            gold: Some(folder.join(format!("gold/{name}.txt"))),
        });
    }
    let format = gold::by_name("cleaneval").unwrap();
    let charset = "utf-8".parse().unwrap();
    let pages = labelled_pages(&chosen, format, leaf().unwrap(), charset, &|| {}).unwrap();
    let sequences = Sequence::of_all(&pages);
    let all: Vec<usize> = (0..pages.len()).collect();
    let rates = of_model(&model, &sequences, &all, 0.1).rates();
    for (name, found) in [("accuracy", rates.accuracy), ("f1", rates.f1)] {
        let expected = held_out[name].as_f64().unwrap();
        assert!(
            (found - expected).abs() < 1e-9,
            "{name}: {found} {expected}"
        );
    }
    assert!(rates.accuracy >= 0.85 && rates.f1 >= 0.87, "{rates:?}");
    for part in ["training", "validation"] {
        let others = manifest[part]["names"].as_str().unwrap();
        assert!(
            others.split(' ').all(|other| !names.contains(&other)),
            "{part}"
        );
    }
}
