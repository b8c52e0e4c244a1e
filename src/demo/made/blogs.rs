//! Six blogs that know each other, one of each layout: the unit in which a collection is made. What they hold depends on the seed and their
//! number alone.

use trommel_text::SplitMix64;

use super::language::Language;
use super::subject::{self, Subject};
use super::words::Words;
use crate::demo::source::{Article, Blog, Comment, Day, Template};

/// Articles of a blog, at least and at most.
const ARTICLES: (usize, usize) = (30, 50);
/// Subjects that a blog comes back to.
const FAVOURITES: usize = 6;
/// One sentence of so many has a word of the article's subject.
const MENTION: usize = 3;

const LAYOUTS: [Template; 6] = [
    Template::Table,
    Template::Divs,
    Template::Semantic,
    Template::Left,
    Template::Sloppy,
    Template::Paper,
];

/// A blog with what its articles are about.
#[derive(Debug)]
pub struct MadeBlog {
    /// The blog.
    pub blog: Blog,
    /// Its language.
    pub language: &'static Language,
    /// Of each article its subject, and that of one of its paragraphs, if it has another.
    pub subjects: Vec<(Subject, Option<Subject>)>,
}

/// The blogs of a group.
pub fn group(seed: u64, group: u64, vocabularies: &[Words]) -> Vec<MadeBlog> {
    let letters = ["a", "b", "c", "d", "e", "f"];
    let blogs = letters.iter().zip(LAYOUTS).enumerate();
    blogs
        .map(|(number, (letter, template))| {
            let mut random = SplitMix64::new(seed);
            // One generator's number is the other's seed, so that neighbouring seeds have nothing in common.
            let mixed = random.bits() ^ (group << 3 | number as u64);
            let mut random = SplitMix64::new(SplitMix64::new(mixed).bits());
            let language = random.below(vocabularies.len());
            Maker {
                random,
                words: &vocabularies[language],
                language,
            }
            .blog(format!("s{seed}g{group}{letter}"), template)
        })
        .collect()
}

struct Maker<'a> {
    random: SplitMix64,
    words: &'a Words,
    language: usize,
}

impl Maker<'_> {
    fn between(&mut self, (least, most): (usize, usize)) -> usize {
        least + self.random.below(most - least + 1)
    }

    fn blog(&mut self, key: String, template: Template) -> MadeBlog {
        let favourites: Vec<Subject> = (0..FAVOURITES).map(|_| self.subject()).collect();
        let count = self.between(ARTICLES);
        let mut month = 2000 * 12 + self.random.below(12 * 8);
        let mut day = 0;
        let mut articles = Vec::with_capacity(count);
        let mut subjects = Vec::with_capacity(count);
        for number in 1..=count {
            // Every month has 28 days.
            day += 3 + self.random.below(12);
            month += day / 28;
            day %= 28;
            let date = Day {
                year: (month / 12) as u16,
                month: (month % 12 + 1) as u8,
                day: (day + 1) as u8,
            };
            let about = match self.random.below(2) {
                0 => favourites[self.random.below(favourites.len())],
                _ => self.subject(),
            };
            let aside = (self.random.below(4) == 0).then(|| self.subject());
            let aside = aside.filter(|aside| *aside != about);
            articles.push(self.article(number, date, about, aside));
            subjects.push((about, aside));
        }
        let popular = (0..5).map(|_| self.random.below(count)).collect();
        let blog = Blog {
            title: self.name(2),
            tagline: self.sentence((4, 8), &[]),
            host: format!("{key}.example"),
            key,
            template,
            menu: (0..6).map(|_| self.name(1)).collect(),
            about: self.sentence((18, 30), &[]),
            footer: self.sentence((8, 16), &[]),
            popular,
            articles,
        };
        MadeBlog {
            blog,
            language: self.words.language,
            subjects,
        }
    }

    fn subject(&mut self) -> Subject {
        subject::draw(&mut self.random, self.language)
    }

    fn article(
        &mut self,
        number: usize,
        date: Day,
        about: Subject,
        aside: Option<Subject>,
    ) -> Article {
        let own = about.words(self.words);
        let other = aside
            .map(|subject| subject.words(self.words))
            .unwrap_or_default();
        let count = self.between((3, 8));
        let aside_at = self.random.below(count);
        let paragraphs = (0..count)
            .map(|paragraph| match paragraph == aside_at && aside.is_some() {
                true => self.paragraph(&other),
                false => self.paragraph(&own),
            })
            .collect();
        let comments = (0..self.random.below(5))
            .map(|_| Comment {
                by: self.name(1).to_lowercase(),
                text: self.sentence((6, 24), &[]),
            })
            .collect();
        let mut tags = vec![about.tag()];
        tags.extend(aside.map(Subject::tag).filter(|tag| *tag != about.tag()));
        Article {
            number,
            title: self.title(&own),
            date,
            tags,
            paragraphs,
            comments,
        }
    }

    /// Words of the subject among others.
    fn title(&mut self, own: &[String]) -> String {
        let space = self.words.language.space;
        let mut title = String::new();
        for word in own {
            for _ in 0..self.random.below(3) {
                let rank = Words::draw(&mut self.random);
                self.words.push(rank, &mut title);
                title.push_str(space);
            }
            title.push_str(word);
            title.push_str(space);
        }
        capitalised(title.trim_end())
    }

    fn name(&mut self, count: usize) -> String {
        // Beyond the words that stand for nothing by themselves.
        let words: Vec<String> = (0..count)
            .map(|_| {
                let rank = 100 + Words::draw(&mut self.random);
                capitalised(&self.words.word(rank))
            })
            .collect();
        words.join(self.words.language.space)
    }

    fn paragraph(&mut self, subject: &[String]) -> String {
        let mut text = String::new();
        for sentence in 0..self.between((2, 6)) {
            if sentence > 0 {
                text.push_str(self.words.language.space);
            }
            let mention = self.random.below(MENTION) == 0;
            text.push_str(&self.sentence((6, 22), if mention { subject } else { &[] }));
        }
        text
    }

    /// So many words, among them one of the subject's, if it has any.
    fn sentence(&mut self, length: (usize, usize), subject: &[String]) -> String {
        let language = self.words.language;
        let count = self.between(length);
        let mention = self.random.below(count);
        let comma = self.random.below(2 * count);
        let mut text = String::with_capacity(count * 8);
        for word in 0..count {
            if word > 0 {
                text.push_str(language.space);
            }
            match subject {
                [_, ..] if word == mention => {
                    text.push_str(&subject[self.random.below(subject.len())])
                }
                _ => self.words.push(Words::draw(&mut self.random), &mut text),
            }
            if word == comma && word + 1 < count {
                text.push_str(language.comma);
            }
        }
        let mut text = capitalised(&text);
        text.push_str(language.stop);
        text
    }
}

/// With a capital first letter, where the script has any.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}
