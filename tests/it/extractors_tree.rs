//! The extractor `tree`: training, the model, what it says of blocks.

use std::fs;
use std::path::Path;

use tempfile::TempDir;
use trommel::classifier::tree::{Node, Split, Tree};
use trommel::extractor::{self, ExtractorError, Label, Subject, TrainingPages, TreeModel};
use trommel::gold::pairs;
use trommel::gold::{LabelledPage, labelled_pages};
use trommel::html::{self, Charset, Limits, segment};
use trommel::training::instances::Problem;
use trommel::training::tree::{TreeOptions, train_tree};
use trommel::{feature, gold};

use crate::support::shared;

/// Algorithm 2's first split and the last: links, then words.
pub fn small() -> TreeModel {
    let leaf = |weights: [f64; 2]| Node {
        weights: weights.to_vec(),
        split: None,
    };
    let node = |feature, threshold, below| Node {
        weights: vec![1.0, 1.0],
        split: Some(Split {
            feature,
            threshold,
            below,
            above: below + 1,
        }),
    };
    TreeModel {
        set: "wsdm".to_owned(),
        content: vec![false, true],
        tree: Tree {
            features: ["curr_link_density", "curr_num_words"]
                .map(str::to_owned)
                .to_vec(),
            classes: ["boilerplate", "content"].map(str::to_owned).to_vec(),
            nodes: vec![
                node(0, 0.333333, 1),
                node(1, 3.0, 3),
                leaf([5.0, 1.0]),
                leaf([7.0, 2.0]),
                leaf([1.0, 9.0]),
            ],
        },
    }
}

fn written(folder: &Path, model: &str) -> String {
    let path = folder.join("model");
    fs::write(&path, model).unwrap();
    format!("tree:{}", path.display())
}

#[test]
fn verdicts_by_hand() {
    let folder = TempDir::new().unwrap();
    let model = small().write("by hand", &TrainingPages::default()).unwrap();
    assert_eq!(extractor::learnt(&model), "by hand");
    let extractor = extractor::parse(&written(folder.path(), &model)).unwrap();
    assert_eq!(extractor.name, "tree");
    let page = html::parse_text(
        "<body><a>one two three four</a><p>One two three</p><p>one two three four <a>five</a></p>",
        &Limits::default(),
    );
    let subject = Subject::new(&page, "", "");
    let labels = extractor.labels(&subject, segment::by_name("atomic").unwrap());
    assert_eq!(
        labels,
        [Label::Boilerplate, Label::Boilerplate, Label::Content]
    );
}

/// What is no tree is refused when it is read, with the command that makes one.
#[test]
fn models_that_are_none() {
    let folder = TempDir::new().unwrap();
    let changed = |change: fn(&mut TreeModel)| {
        let mut model = small();
        change(&mut model);
        model.write("", &TrainingPages::default()).unwrap()
    };
    for (model, why) in [
        (String::new(), "no model of"),
        (
            small()
                .write("", &TrainingPages::default())
                .unwrap()
                .replace("\"model\":\"tree\"", "\"model\":\"onion\""),
            "a model of onion, not tree",
        ),
        (
            changed(|m| m.set = "web2text".to_owned()),
            "features that this program does not have",
        ),
        (
            changed(|m| m.tree.features[0] = "smell".to_owned()),
            "features that are not known",
        ),
        (
            changed(|m| m.tree.features[0] = "curr_frequency".to_owned()),
            "frequencies",
        ),
        (changed(|m| m.tree.nodes.truncate(4)), "no whole tree"),
        (changed(|m| m.tree.nodes.clear()), "no whole tree"),
        (changed(|m| m.content.clear()), "no whole tree"),
        // A walk that would not end.
        (
            changed(|m| {
                if let Some(split) = &mut m.tree.nodes[1].split {
                    split.below = 0;
                }
            }),
            "no whole tree",
        ),
    ] {
        let error = extractor::parse(&written(folder.path(), &model)).unwrap_err();
        assert!(matches!(error, ExtractorError::BadModel { of: "tree", .. }));
        assert!(error.to_string().contains(why), "{why}: {error}");
    }
}

fn options(features: &[&str]) -> TreeOptions {
    let mut options = TreeOptions::default();
    options.features = features.iter().map(|&name| name.to_owned()).collect();
    options.growth.min_leaf = 10.0;
    options.pruning_parts = 0;
    options.seed = 1;
    options
}

fn labelled(folder: &Path, format: &str) -> Vec<LabelledPage> {
    let pairs = pairs(Some(&folder.join("gold")), &folder.join("html")).unwrap();
    let segmenter = segment::by_name("atomic").unwrap();
    let format = gold::by_name(format).unwrap();
    labelled_pages(&pairs, format, segmenter, Charset::Auto, &|| {}).unwrap()
}

/// Paragraphs are content and lists of links are not: one threshold of the link density says so.
#[test]
fn training() {
    let folder = TempDir::new().unwrap();
    for name in ["html", "gold"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    for page in 0..4 {
        let text: String = (0..page + 3).map(|n| format!("word{page}x{n} ")).collect();
        let markup =
            format!("<body><a>menu{page} of links here</a><p>{text}</p><a>end{page} of page</a>");
        fs::write(folder.path().join(format!("html/{page}.html")), markup).unwrap();
        fs::write(folder.path().join(format!("gold/{page}.txt")), text).unwrap();
    }
    let pages = labelled(folder.path(), "text");
    let set = feature::by_name("wsdm").unwrap();
    let model = train_tree(&pages, set, &options(&["words"])).unwrap();
    assert_eq!(
        model.tree.rules(),
        "curr_link_density <= 0: CONTENT (18.0)\ncurr_link_density > 0: BOILERPLATE (28.0)\n"
    );
    let spec = written(
        folder.path(),
        &model.write("", &TrainingPages::default()).unwrap(),
    );
    let extractor = extractor::parse(&spec).unwrap();
    for page in &pages {
        let subject = Subject::new(&page.page, "", "");
        let labels = extractor.labels(&subject, segment::by_name("atomic").unwrap());
        assert_eq!(
            labels,
            [Label::Boilerplate, Label::Content, Label::Boilerplate]
        );
    }
    for (features, why) in [
        ("smell", "cannot look at 'smell'"),
        ("curr_frequency", "curr_frequency"),
    ] {
        let error = train_tree(&pages, set, &options(&[features])).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
    }
    assert!(train_tree(&[], set, &options(&["words"])).is_err());
}

/// The same gold standard and seed give the same model, and the four classes are those of the annotation.
#[test]
fn training_is_reproducible() {
    let Some(gn1) = shared("corpora/gn1") else {
        return;
    };
    let folder = TempDir::new().unwrap();
    for name in ["html", "gold"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    let mut files: Vec<_> = fs::read_dir(gn1.join("annotated"))
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    for file in &files[..20] {
        let name = file.file_name().unwrap();
        fs::copy(file, folder.path().join("gold").join(name)).unwrap();
        fs::copy(file, folder.path().join("html").join(name)).unwrap();
    }
    let pages = labelled(folder.path(), "gn1");
    let set = feature::by_name("wsdm").unwrap();
    let mut options = options(&["context"]);
    options.problem = Problem::FourClasses;
    options.pruning_parts = 3;
    let model = train_tree(&pages, set, &options).unwrap();
    assert_eq!(model, train_tree(&pages, set, &options).unwrap());
    assert_eq!(
        model.tree.classes,
        ["boilerplate", "full text", "headline", "supplemental"]
    );
    assert_eq!(model.content, [false, true, true, true]);
    assert!(model.tree.num_leaves() > 2);
}
