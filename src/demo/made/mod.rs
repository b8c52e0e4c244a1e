//! Collections of any size, made of the demo's layouts and of words by Zipf's law: for trying out how long things take and how large they get.
//!
//! Everything follows from the seed: the same options give the same bytes, on any machine and with any number of threads, and of two sizes
//! the smaller one's pages are the beginning of the larger one's. Each article has a subject; topics ask for some of the subjects. A page is
//! relevant (grade 2) if its article is about one, partly (1) if a paragraph of it is, and judged not relevant (0) if only its menus,
//! teasers and lists have a headline of such an article. All other pages are not judged; they have the words of a topic by chance, if at all.

mod blogs;
mod encode;
pub mod language;
mod subject;
mod topics;
mod words;

use std::collections::HashMap;

use trommel_text::SplitMix64;

use language::Language;
use subject::Subject;
use words::Words;

use super::source::SourceError;
use super::template;
use super::view::{self, Main, Teaser, View};

pub use encode::Damage;
pub use topics::{TOPICS_HEAD, Topics};

/// What a collection is to be like.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct MadeOptions {
    /// Another seed makes another collection.
    pub seed: u64,
    /// Each blog is in one of these, each as likely as another.
    pub languages: Vec<&'static Language>,
    /// Millionths of the blogs whose pages are in an encoding of before UTF-8.
    pub legacy: u32,
    /// Millionths of the pages that are damaged, in each of the ways of [`Damage`] by turns.
    pub damage: u32,
    /// Topics at most; those of which no page is relevant are left out.
    pub topics: usize,
}

impl Default for MadeOptions {
    fn default() -> Self {
        MadeOptions {
            seed: 0,
            languages: language::all().iter().take(1).collect(),
            legacy: 0,
            damage: 0,
            topics: 50,
        }
    }
}

/// A page of a made collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadePage {
    /// `demo-sSEED-gGROUP…-NNNN` and the like; unique in the collection.
    pub docid: String,
    /// Address under the reserved domain `.example`.
    pub url: String,
    /// As `2007-03-18`.
    pub date: String,
    /// The page as it is stored, in whatever encoding.
    pub bytes: Vec<u8>,
    /// What is wrong with it.
    pub damage: Option<Damage>,
    /// Numbers of topics with its grade for them, in the order of topics.
    pub grades: Vec<(usize, u8)>,
}

/// What pages are made from; cheap to share among threads.
#[derive(Debug)]
pub struct Maker {
    options: MadeOptions,
    vocabularies: Vec<Words>,
    topics: Vec<Subject>,
    numbers: HashMap<Subject, usize>,
}

impl Maker {
    /// Prepares the words of the languages. Without languages there is English.
    ///
    /// # Errors
    /// As [`super::blogs`].
    pub fn new(mut options: MadeOptions) -> Result<Maker, SourceError> {
        if options.languages.is_empty() {
            options.languages = MadeOptions::default().languages;
        }
        let blogs = super::blogs()?;
        let vocabularies: Vec<Words> = options
            .languages
            .iter()
            .map(|language| Words::new(language, &blogs))
            .collect();
        let topics = subject::topics(options.topics, vocabularies.len());
        let numbers = topics
            .iter()
            .enumerate()
            .map(|(number, subject)| (*subject, number))
            .collect();
        Ok(Maker {
            options,
            vocabularies,
            topics,
            numbers,
        })
    }

    /// The pages of a group of six blogs, some hundreds of them. Groups are independent, and the collection is all of them in a row.
    pub fn group(&self, group: u64) -> Vec<MadePage> {
        let made = blogs::group(self.options.seed, group, &self.vocabularies);
        let blogs: Vec<_> = made.iter().map(|made| made.blog.clone()).collect();
        let mut random = SplitMix64::new(self.options.seed ^ group.rotate_left(32) ^ 0x7061_6765);
        let mut pages = Vec::new();
        let views: Vec<Vec<View>> = blogs.iter().map(|blog| view::pages(blog, &blogs)).collect();
        let abouts: HashMap<&str, (Subject, Option<Subject>)> = made
            .iter()
            .zip(&views)
            .flat_map(|(made, views)| {
                views.iter().filter_map(|view| match view.main {
                    Main::Article(article) => {
                        Some((view.url.as_str(), *made.subjects.get(article.number - 1)?))
                    }
                    Main::List(_) => None,
                })
            })
            .collect();
        for (made, views) in made.iter().zip(&views) {
            let charset = self.charset(&mut random, made.language);
            for view in views {
                let damage = (random.below(1_000_000) < self.options.damage as usize)
                    .then(|| Damage::draw(&mut random));
                let html = template::render(view);
                let bytes = encode::encode(html, made.language.code, charset, damage, &mut random);
                pages.push(MadePage {
                    docid: view.docid.clone(),
                    url: view.url.clone(),
                    date: view.date.to_string(),
                    bytes,
                    damage,
                    grades: self.grades(view, &abouts),
                });
            }
        }
        pages
    }

    /// The encoding of a blog; none for UTF-8.
    fn charset(
        &self,
        random: &mut SplitMix64,
        language: &'static Language,
    ) -> Option<&'static str> {
        let legacy = random.below(1_000_000) < self.options.legacy as usize;
        let charset = language.charsets[random.below(language.charsets.len())];
        legacy.then_some(charset)
    }

    fn grades(
        &self,
        view: &View,
        abouts: &HashMap<&str, (Subject, Option<Subject>)>,
    ) -> Vec<(usize, u8)> {
        let mut grades: Vec<(usize, u8)> = Vec::new();
        let mut add = |subject: Option<Subject>, grade: u8| {
            if let Some(&topic) = subject.and_then(|subject| self.numbers.get(&subject)) {
                grades.push((topic, grade));
            }
        };
        let none: &[Teaser] = &[];
        let listed = match &view.main {
            Main::Article(_) => none,
            Main::List(posts) => posts,
        };
        if let (Main::Article(_), Some((about, aside))) =
            (&view.main, abouts.get(view.url.as_str()))
        {
            add(Some(*about), 2);
            add(*aside, 1);
        }
        let around = [
            listed,
            &view.related,
            &view.recent,
            &view.popular,
            &view.adjacent,
        ];
        let quoted = view
            .neighbours
            .iter()
            .flat_map(|neighbour| &neighbour.posts);
        for teaser in around.into_iter().flatten().chain(quoted) {
            add(abouts.get(teaser.url.as_str()).map(|(about, _)| *about), 0);
        }
        // Of several the highest.
        grades.sort_by_key(|(topic, grade)| (*topic, std::cmp::Reverse(*grade)));
        grades.dedup_by_key(|(topic, _)| *topic);
        grades
    }

    /// For gathering the judgments of pages that were made.
    pub fn topics(&self) -> Topics {
        let queries = self.topics.iter().map(|subject| {
            let words = &self.vocabularies[subject.language];
            (words.language.code, subject.words(words))
        });
        Topics::new(queries.collect())
    }
}
