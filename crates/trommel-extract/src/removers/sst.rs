//! Site style trees (Yi, Liu and Li, *Eliminating Noisy Information in Web Pages for Data Mining*, KDD 2003): the trees of a site's pages, one laid upon the
//! other; what looks alike and says the same on all pages is noise.
//!
//! An element node stands for the elements of several pages at the same place; it has a style node for each sequence of children that it has on some of them, with the number of
//! those pages. With m pages and l style nodes of shares p₁ … p_l:
//!
//! - NodeImp(E) = −Σ pᵢ log_m pᵢ, and 1 if m = 1.
//! - The importance of a node without children is 1 − Σ H(aᵢ) / l over the l different words aᵢ in it, H(aᵢ) = −Σ pᵢⱼ log_m pᵢⱼ being the entropy of a word
//!   over the pages (pᵢⱼ is the share of its occurrences that page j has); 1 if m = 1.
//! - CompImp(E) = (1 − γˡ) NodeImp(E) + γˡ Σ pᵢ CompImp(Sᵢ), and that of a style node is the mean of its element nodes'. γ = 0.9.
//!
//! An element node is noise if it and all below it have less than a threshold. A page is laid upon the tree of its site: what falls on noise is boilerplate. Where its
//! children make no sequence that is known, all of it is content.
//!
//! The paper's text was not to be had whole; the formulas are as they are commonly cited, and the worked example of NodeImp (0.292) is in the tests. Deviations: of the attributes
//! that the paper compares (those of presentation) a parsed page knows `class` alone; text nodes are element nodes of a name of their own, their words the features (the paper has
//! images and links as well); a node without words has the importance 0 if m > 1; the threshold is one for all sites, where the paper's is chosen for each.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use trommel_page::{ElementId, Event, LeafId, Page, Segmentation};
use trommel_text::Fnv1a;

use super::line_share::Shares;
use crate::site::{SiteBy, site};
use crate::{
    Arguments, ExtractorError, ExtractorRow, Label, Learner, LearnerRow, Make, ModelKind,
    Parameter, Subject, Takes,
};

const MODEL: ModelKind = ModelKind {
    name: "sst",
    version: 1,
};

pub(super) const ROW: ExtractorRow = ExtractorRow {
    name: "sst",
    summary: "all but what looks alike and says the same on the site's pages (site style trees)",
    source: "Yi, Liu and Li 2003",
    segmenter: Some("leaf"),
    takes: Takes::Model,
    make: Make::Labels(|arguments| {
        let model: Model = MODEL.read(&arguments.path)?;
        if !model.is_whole() {
            return Err(MODEL.refused(&arguments.path, "a damaged model (a style tree)"));
        }
        let sites: HashMap<String, Known> = model
            .sites
            .into_iter()
            .map(|(name, nodes)| (name, Known::of(nodes)))
            .collect();
        let by = model.site;
        Ok(Box::new(move |subject, segmentation| {
            let own = site(subject.url, by).unwrap_or_default();
            label(subject.page, segmentation, sites.get(&own))
        }))
    }),
};

pub(super) const LEARNER: LearnerRow = LearnerRow {
    name: "sst",
    summary: "for each site how its pages are built and what they say where (KDD 2003)",
    takes: Takes::Parameters(&[
        Parameter {
            name: "site",
            default: "domain",
            summary: "what a site is: domain (by the public suffix list) or host",
        },
        Parameter {
            name: "sample",
            default: "500",
            summary: "pages of a site to learn from, the first ones",
        },
        Parameter {
            name: "threshold",
            default: "0.2",
            summary: "importance below which a node is noise, 0 to 1",
        },
        Parameter {
            name: "gamma",
            default: "0.9",
            summary: "how fast what is below counts less with more styles, 0 to 1",
        },
    ]),
    make: |arguments: &Arguments, _| {
        let sample: u32 = arguments.get("sample")?;
        if sample == 0 {
            return Err(ExtractorError::Value {
                parameter: "sample",
                value: sample.to_string(),
                why: "take 1 or more".to_owned(),
            });
        }
        Ok(Box::new(Learning {
            site: arguments.get("site")?,
            sample,
            threshold: arguments.share("threshold")?,
            gamma: arguments.share("gamma")?,
            sites: BTreeMap::new(),
        }))
    },
};

/// What the model file holds: for each site its element nodes, parents before what is below them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Model {
    site: SiteBy,
    sites: BTreeMap<String, Vec<Simple>>,
}

/// An element node: what it is, whether it is noise, and the element nodes of each style.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Simple(u64, bool, Vec<Vec<u32>>);

impl Model {
    fn is_whole(&self) -> bool {
        self.sites.values().all(|nodes| {
            let below = |(at, node): (usize, &Simple)| {
                let mut all = node.2.iter().flatten();
                all.all(|it| *it as usize > at && (*it as usize) < nodes.len())
            };
            !nodes.is_empty() && nodes.iter().enumerate().all(below)
        })
    }
}

/// A site's tree, ready to be looked up.
struct Known {
    noise: Vec<bool>,
    /// For each element node its styles by what their children are.
    styles: Vec<HashMap<Vec<u64>, Vec<u32>>>,
}

impl Known {
    fn of(nodes: Vec<Simple>) -> Known {
        let keys: Vec<u64> = nodes.iter().map(|node| node.0).collect();
        Known {
            noise: nodes.iter().map(|node| node.1).collect(),
            styles: nodes
                .into_iter()
                .map(|node| {
                    let styles = node.2.into_iter();
                    let key =
                        |style: &Vec<u32>| style.iter().map(|it| keys[*it as usize]).collect();
                    styles.map(|style| (key(&style), style)).collect()
                })
                .collect(),
        }
    }
}

/// A page that no tree is known of is content.
fn label(page: &Page, segmentation: &Segmentation, known: Option<&Known>) -> Vec<Label> {
    let children = Children::of(page);
    let mut is_noise = vec![false; page.leaves.len()];
    let mut open: Vec<(Child, u32)> = Vec::new();
    if let Some(known) = known
        && !page.elements.is_empty()
    {
        open.push((Child::Element(0), 0));
        while let Some((child, node)) = open.pop() {
            if known.noise[node as usize] {
                children.leaves_below(child, &mut |leaf| is_noise[leaf as usize] = true);
                continue;
            }
            let Child::Element(element) = child else {
                continue;
            };
            let own = &children.of[element as usize];
            let style = known.styles[node as usize].get(&keys(page, own));
            for (child, node) in own.iter().zip(style.into_iter().flatten()) {
                open.push((*child, *node));
            }
        }
    }
    let mut shares = Shares::new(segmentation);
    for (leaf, noise) in is_noise.into_iter().enumerate() {
        let weight = page.leaf_text(leaf as LeafId).chars().count() as u64;
        shares.add(leaf as LeafId, weight, !noise);
    }
    shares.labels()
}

/// An element or text node in an element.
#[derive(Debug, Clone, Copy)]
enum Child {
    Element(ElementId),
    Leaf(LeafId),
}

/// For each element what is in it.
struct Children {
    of: Vec<Vec<Child>>,
}

impl Children {
    fn of(page: &Page) -> Children {
        let mut of = vec![Vec::new(); page.elements.len()];
        for event in &page.events {
            match *event {
                Event::Start(id) => {
                    if let Some(parent) = page.elements[id as usize].parent {
                        of[parent as usize].push(Child::Element(id));
                    }
                }
                Event::Leaf(leaf) => {
                    let parent = page.leaves[leaf as usize].parent;
                    of[parent as usize].push(Child::Leaf(leaf));
                }
                _ => {}
            }
        }
        Children { of }
    }

    fn leaves_below(&self, child: Child, each: &mut dyn FnMut(LeafId)) {
        let mut open = vec![child];
        while let Some(child) = open.pop() {
            match child {
                Child::Leaf(leaf) => each(leaf),
                Child::Element(id) => open.extend(&self.of[id as usize]),
            }
        }
    }
}

/// What the children of an element are: tag and class, or text.
fn keys(page: &Page, children: &[Child]) -> Vec<u64> {
    children.iter().map(|child| key(page, *child)).collect()
}

fn key(page: &Page, child: Child) -> u64 {
    match child {
        Child::Leaf(_) => Fnv1a::new().push(b"#text").finish(),
        Child::Element(id) => {
            let tag = Fnv1a::new().push(page.tag(id).name().as_bytes());
            tag.push(b"\n").push(page.class(id).as_bytes()).finish()
        }
    }
}

struct Learning {
    site: SiteBy,
    sample: u32,
    threshold: f64,
    gamma: f64,
    sites: BTreeMap<String, SiteTree>,
}

/// An element node of several pages.
#[derive(Debug, Default)]
struct Node {
    key: u64,
    pages: u32,
    /// The element nodes of each style, and its pages.
    styles: Vec<(Vec<u32>, u32)>,
    by_keys: HashMap<Vec<u64>, usize>,
    /// Of a node without children: for each word how often each page has it, of those that have it.
    words: HashMap<u64, Vec<(u32, u32)>>,
}

#[derive(Debug, Default)]
struct SiteTree {
    pages: u32,
    nodes: Vec<Node>,
}

impl SiteTree {
    fn add(&mut self, page: &Page) {
        if page.elements.is_empty() {
            return;
        }
        let children = Children::of(page);
        if self.nodes.is_empty() {
            self.nodes.push(Node {
                key: key(page, Child::Element(0)),
                ..Node::default()
            });
        }
        let number = self.pages;
        self.pages += 1;
        let mut open = vec![(Child::Element(0), 0)];
        while let Some((child, at)) = open.pop() {
            self.nodes[at].pages += 1;
            let element = match child {
                Child::Element(element) => element,
                Child::Leaf(leaf) => {
                    self.words(at, number, page.leaf_text(leaf));
                    continue;
                }
            };
            let own = &children.of[element as usize];
            let keys = keys(page, own);
            let known = self.nodes[at].by_keys.get(&keys).copied();
            let style = known.unwrap_or_else(|| {
                let first = self.nodes.len() as u32;
                self.nodes.extend(keys.iter().map(|key| Node {
                    key: *key,
                    ..Node::default()
                }));
                let node = &mut self.nodes[at];
                node.styles
                    .push(((first..first + keys.len() as u32).collect(), 0));
                node.by_keys.insert(keys, node.styles.len() - 1);
                node.styles.len() - 1
            });
            let (nodes, pages) = &mut self.nodes[at].styles[style];
            *pages += 1;
            open.extend(own.iter().copied().zip(nodes.iter().map(|it| *it as usize)));
        }
    }

    fn words(&mut self, at: usize, page: u32, text: &str) {
        for word in text.split_whitespace() {
            let word = Fnv1a::new().push(word.to_lowercase().as_bytes()).finish();
            let counts = self.nodes[at].words.entry(word).or_default();
            match counts.last_mut() {
                Some((last, count)) if *last == page => *count += 1,
                _ => counts.push((page, 1)),
            }
        }
    }

    /// For each element node its composite importance.
    fn importances(&self, gamma: f64) -> Vec<f64> {
        let mut all = vec![0.0; self.nodes.len()];
        // What is below has greater numbers.
        for (at, node) in self.nodes.iter().enumerate().rev() {
            all[at] = node.importance(gamma, &all);
        }
        all
    }

    fn simple(&self, threshold: f64, gamma: f64) -> Vec<Simple> {
        let importances = self.importances(gamma);
        let mut noise = vec![false; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate().rev() {
            let mut below = node.styles.iter().flat_map(|(nodes, _)| nodes);
            noise[at] = importances[at] < threshold && below.all(|it| noise[*it as usize]);
        }
        let nodes = self.nodes.iter().zip(&noise);
        nodes
            .map(|(node, noise)| {
                let styles = node.styles.iter().map(|(nodes, _)| nodes.clone());
                Simple(node.key, *noise, styles.collect())
            })
            .collect()
    }
}

impl Node {
    /// Given the importances of what is below.
    fn importance(&self, gamma: f64, below: &[f64]) -> f64 {
        if self.pages <= 1 {
            return 1.0;
        }
        let has_children = self.styles.iter().any(|(nodes, _)| !nodes.is_empty());
        if !has_children {
            return self.of_words();
        }
        let shares = self.styles.iter().map(|(_, pages)| f64::from(*pages));
        let own = entropy(shares, self.pages);
        let factor = gamma.powi(self.styles.len() as i32);
        let of_styles = self.styles.iter().map(|(nodes, pages)| {
            let sum: f64 = nodes.iter().map(|it| below[*it as usize]).sum();
            f64::from(*pages) / f64::from(self.pages) * sum / nodes.len().max(1) as f64
        });
        (1.0 - factor) * own + factor * of_styles.sum::<f64>()
    }

    fn of_words(&self) -> f64 {
        if self.words.is_empty() {
            return 0.0;
        }
        // In an order that does not depend on the table.
        let mut entropies: Vec<f64> = self
            .words
            .values()
            .map(|counts| {
                entropy(
                    counts.iter().map(|(_, count)| f64::from(*count)),
                    self.pages,
                )
            })
            .collect();
        entropies.sort_by(f64::total_cmp);
        1.0 - entropies.iter().sum::<f64>() / entropies.len() as f64
    }
}

/// −Σ p log_m p of shares p that counts have of their sum.
fn entropy(counts: impl Iterator<Item = f64> + Clone, m: u32) -> f64 {
    let sum: f64 = counts.clone().sum();
    let terms = counts
        .map(|count| count / sum)
        .map(|share| share * share.ln());
    -terms.sum::<f64>() / f64::from(m).ln()
}

impl Learner for Learning {
    fn add(&mut self, subject: &Subject) {
        let name = site(subject.url, self.site).unwrap_or_default();
        let tree = self.sites.entry(name).or_default();
        if tree.pages < self.sample {
            tree.add(subject.page);
        }
    }

    fn finish(self: Box<Self>) -> Result<String, ExtractorError> {
        let mut sites = BTreeMap::new();
        let (mut pages, mut nodes) = (0u64, 0);
        for (name, tree) in &self.sites {
            // A page says nothing of what recurs.
            if tree.pages > 1 {
                pages += u64::from(tree.pages);
                nodes += tree.nodes.len();
                sites.insert(name.clone(), tree.simple(self.threshold, self.gamma));
            }
        }
        let learnt = format!(
            "{nodes} element nodes of {} sites, from {pages} pages",
            sites.len()
        );
        MODEL.write(
            &learnt,
            &Model {
                site: self.site,
                sites,
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use trommel_page::html::{Limits, parse_text, segment};

    use super::*;

    /// The paper's example (§4.1, as it is cited): styles of 35, 25, 25 and 15 of 100 pages have the importance 0.292, and one style has 0.
    #[test]
    fn node_importance_of_the_papers_example() {
        let counts = [35.0, 25.0, 25.0, 15.0];
        assert!((entropy(counts.into_iter(), 100) - 0.292).abs() < 0.0005);
        assert!(entropy([100.0].into_iter(), 100).abs() < 1e-12);
    }

    fn page(markup: &str) -> Page {
        parse_text(markup, &Limits::default())
    }

    /// Worked out by hand: four pages with the same menu, three with one paragraph and one with two.
    #[test]
    fn importances_by_hand() {
        let mut tree = SiteTree::default();
        for text in ["one", "two", "three", "four</p><p>five"] {
            tree.add(&page(&format!(
                "<html><head></head><body><b>menu</b><p>{text}</p></body></html>"
            )));
        }
        let all = tree.importances(0.9);
        let of = |tag: &str| -> Vec<f64> {
            let key = Fnv1a::new().push(tag.as_bytes()).push(b"\n").finish();
            let nodes = tree
                .nodes
                .iter()
                .zip(&all)
                .filter(|(node, _)| node.key == key);
            nodes.map(|(_, importance)| *importance).collect()
        };
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        // The menu of the style of three pages: its word has an entropy of 1, so the text has 0, and so has `b`; that of the style of one page has 1.
        let bold = of("b");
        near(bold[0], 0.0);
        near(bold[1], 1.0);
        // Three words on a page each: entropies of 0, so that the text has 1; `p` has one style: (1 - .9) 0 + .9 * 1.
        let paragraphs = of("p");
        near(paragraphs[0], 0.9);
        near(paragraphs[1], 1.0);
        // The body has two styles of 3/4 and 1/4: .81 of their means, .45 and 1, and .19 of its own importance.
        let own = -(0.75f64 * 0.75f64.ln() + 0.25 * 0.25f64.ln()) / 4f64.ln();
        near(of("body")[0], 0.19 * own + 0.81 * (0.75 * 0.45 + 0.25));
        // The head is there and empty.
        near(of("head")[0], 0.0);
        assert_eq!(all.len(), tree.nodes.len());
    }

    #[test]
    fn what_recurs_is_noise() {
        let made = |number: usize| {
            let text: String = (0..9).map(|word| format!("word{number}x{word} ")).collect();
            page(&format!(
                "<div class=menu><a>Home</a><a>News</a></div><div class=text><p>{text}</p></div><div class=foot>Copyright</div>"
            ))
        };
        let mut learner = crate::learner("sst").unwrap();
        let pages: Vec<Page> = (0..6).map(made).collect();
        for page in &pages {
            learner.add(&Subject::new(page, "", "http://example.org/"));
        }
        let model = learner.finish().unwrap();
        let model: Model = MODEL.parse(&model, "model".as_ref()).unwrap();
        assert!(model.is_whole());
        let known = Known::of(model.sites["example.org"].clone());
        let kept = |page: &Page, known: Option<&Known>| -> Vec<String> {
            let segmentation = (segment::by_name("leaf").unwrap().segment)(page);
            let labels = label(page, &segmentation, known);
            let blocks = segmentation.blocks.into_iter().zip(labels);
            let kept = blocks.filter(|(_, label)| *label == Label::Content);
            kept.map(|(block, _)| block.text).collect()
        };
        let other = made(77);
        let found = kept(&other, Some(&known));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("word77x0"));
        // A page that is built otherwise is kept, and so is one of another site.
        assert_eq!(kept(&page("<p>a</p><p>b</p>"), Some(&known)), ["a", "b"]);
        assert_eq!(kept(&other, None).len(), 4);
        for wrong in ["sst:sample=0", "sst:gamma=2", "sst:threshold=x"] {
            assert!(crate::learner(wrong).is_err(), "{wrong}");
        }
    }
}
