//! The strict parser of the format described in [`source`](super::source).

use std::collections::BTreeMap;

use super::source::{Article, Blog, Comment, Day, Place, SourceError, Template};

/// Reads one blog. `file` is the name that errors show.
///
/// # Errors
/// The first departure from the format, with its line.
pub fn parse(file: &str, text: &str) -> Result<Blog, SourceError> {
    let lines: Vec<Line<'_>> = (1..)
        .zip(text.lines())
        .map(|(n, s)| Line {
            n,
            text: s.trim_end(),
        })
        .collect();
    let reader = Reader { file };
    let starts: Vec<usize> = (0..lines.len())
        .filter(|&i| lines[i].text.starts_with("==="))
        .collect();
    let first = starts.first().copied().unwrap_or(lines.len());
    let Some(header) = lines.get(..first).filter(|_| !starts.is_empty()) else {
        return Err(SourceError::Empty {
            at: reader.at(1),
            what: "blog",
        });
    };
    let mut articles = Vec::with_capacity(starts.len());
    for (i, &start) in starts.iter().enumerate() {
        let end = starts.get(i + 1).copied().unwrap_or(lines.len());
        let article = reader.article(&lines[start..end], i + 1)?;
        if articles
            .last()
            .is_some_and(|before: &Article| before.date > article.date)
        {
            return Err(SourceError::OutOfOrder {
                at: reader.at(lines[start].n),
            });
        }
        articles.push(article);
    }
    reader.blog(header, articles)
}

#[derive(Clone, Copy)]
struct Line<'a> {
    n: usize,
    text: &'a str,
}

/// The `key: value` lines of one head, each to be taken once.
struct Keys<'a> {
    begin: usize,
    values: BTreeMap<&'a str, Line<'a>>,
}

struct Reader<'a> {
    file: &'a str,
}

impl Reader<'_> {
    fn at(&self, line: usize) -> Place {
        Place {
            file: self.file.to_owned(),
            line,
        }
    }

    fn bad(&self, line: Line<'_>, what: &'static str, expected: &'static str) -> SourceError {
        SourceError::BadValue {
            at: self.at(line.n),
            what,
            found: line.text.to_owned(),
            expected,
        }
    }

    fn blog(&self, header: &[Line<'_>], articles: Vec<Article>) -> Result<Blog, SourceError> {
        let lines: Vec<Line<'_>> = header
            .iter()
            .filter(|l| !l.text.is_empty() && !l.text.starts_with('#'))
            .copied()
            .collect();
        let mut keys = self.keys(1, &lines)?;
        let key = self.take(&mut keys, "blog")?;
        if !key
            .text
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        {
            return Err(self.bad(key, "blog name", "a-z and 0-9 only"));
        }
        let popular = self.take(&mut keys, "popular")?;
        let blog = Blog {
            key: key.text.to_owned(),
            title: self.take(&mut keys, "title")?.text.to_owned(),
            tagline: self.take(&mut keys, "tagline")?.text.to_owned(),
            host: self.take(&mut keys, "host")?.text.to_owned(),
            template: self.template(self.take(&mut keys, "template")?)?,
            menu: split(self.take(&mut keys, "menu")?.text, '|'),
            about: self.take(&mut keys, "about")?.text.to_owned(),
            footer: self.take(&mut keys, "footer")?.text.to_owned(),
            popular: self.popular(popular, articles.len())?,
            articles,
        };
        self.finish(keys)?;
        Ok(blog)
    }

    fn article(&self, lines: &[Line<'_>], expected: usize) -> Result<Article, SourceError> {
        let (first, rest) = lines
            .split_first()
            .unwrap_or((&Line { n: 1, text: "" }, &[]));
        if first.text != format!("=== {expected:04}") {
            let form = "`===` and the next number from 0001 on, in four digits";
            return Err(self.bad(*first, "article number", form));
        }
        let head = rest.iter().take_while(|l| !l.text.is_empty()).count();
        let (head, body) = rest.split_at(head);
        let mut keys = self.keys(first.n, head)?;
        let title = self.take(&mut keys, "title")?;
        let date = self.day(self.take(&mut keys, "date")?)?;
        let tags = self.tags(self.take(&mut keys, "tags")?)?;
        self.finish(keys)?;
        let is_comment = |l: &Line<'_>| l.text.starts_with("---");
        let comments: Vec<usize> = (0..body.len()).filter(|&i| is_comment(&body[i])).collect();
        let text_end = comments.first().copied().unwrap_or(body.len());
        let paragraphs = paragraphs(&body[..text_end]);
        if paragraphs.is_empty() {
            return Err(SourceError::Empty {
                at: self.at(first.n),
                what: "article",
            });
        }
        let ends = comments.iter().skip(1).copied().chain([body.len()]);
        let comments = comments
            .iter()
            .zip(ends)
            .map(|(&start, end)| self.comment(&body[start..end]))
            .collect::<Result<_, _>>()?;
        Ok(Article {
            number: expected,
            title: title.text.to_owned(),
            date,
            tags,
            paragraphs,
            comments,
        })
    }

    fn comment(&self, lines: &[Line<'_>]) -> Result<Comment, SourceError> {
        let (first, rest) = lines
            .split_first()
            .unwrap_or((&Line { n: 1, text: "" }, &[]));
        let by = first
            .text
            .strip_prefix("--- ")
            .map(str::trim)
            .filter(|by| !by.is_empty());
        let Some(by) = by else {
            return Err(self.bad(*first, "comment", "`--- ` and the reader's handle"));
        };
        let text = paragraphs(rest).join(" ");
        if text.is_empty() {
            return Err(SourceError::Empty {
                at: self.at(first.n),
                what: "comment",
            });
        }
        Ok(Comment {
            by: by.to_owned(),
            text,
        })
    }

    fn keys<'a>(&self, begin: usize, lines: &[Line<'a>]) -> Result<Keys<'a>, SourceError> {
        let mut values = BTreeMap::new();
        for line in lines {
            let Some((key, text)) = line.text.split_once(": ") else {
                let found = line.text.to_owned();
                return Err(SourceError::NotAKey {
                    at: self.at(line.n),
                    found,
                });
            };
            if values
                .insert(
                    key,
                    Line {
                        n: line.n,
                        text: text.trim(),
                    },
                )
                .is_some()
            {
                return Err(SourceError::RepeatedKey {
                    at: self.at(line.n),
                    key: key.to_owned(),
                });
            }
        }
        Ok(Keys { begin, values })
    }

    fn take<'a>(&self, keys: &mut Keys<'a>, key: &'static str) -> Result<Line<'a>, SourceError> {
        let missing = || SourceError::MissingKey {
            at: self.at(keys.begin),
            key,
        };
        keys.values.remove(key).ok_or_else(missing)
    }

    fn finish(&self, keys: Keys<'_>) -> Result<(), SourceError> {
        match keys.values.first_key_value() {
            None => Ok(()),
            Some((key, line)) => Err(SourceError::UnknownKey {
                at: self.at(line.n),
                key: (*key).to_owned(),
            }),
        }
    }

    fn template(&self, line: Line<'_>) -> Result<Template, SourceError> {
        Ok(match line.text {
            "table" => Template::Table,
            "divs" => Template::Divs,
            "semantic" => Template::Semantic,
            "left" => Template::Left,
            "sloppy" => Template::Sloppy,
            "paper" => Template::Paper,
            _ => {
                let names = "table, divs, semantic, left, sloppy or paper";
                return Err(self.bad(line, "template", names));
            }
        })
    }

    fn popular(&self, line: Line<'_>, articles: usize) -> Result<Vec<usize>, SourceError> {
        let index = |word: &str| {
            let number: usize = word.parse().ok()?;
            (1..=articles).contains(&number).then(|| number - 1)
        };
        let indexes: Option<Vec<usize>> = line.text.split_whitespace().map(index).collect();
        indexes.ok_or_else(|| self.bad(line, "list of articles", "numbers of existing articles"))
    }

    fn day(&self, line: Line<'_>) -> Result<Day, SourceError> {
        let form = || self.bad(line, "date", "a day as 2007-03-18");
        let parts: Vec<&str> = line.text.split('-').collect();
        let &[year, month, day] = parts.as_slice() else {
            return Err(form());
        };
        let number = |s: &str, digits: usize| -> Option<u16> {
            let plain = s.len() == digits && s.bytes().all(|b| b.is_ascii_digit());
            plain.then(|| s.parse().ok()).flatten()
        };
        let small = |s: &str, max: u16| -> Option<u8> {
            number(s, 2)
                .filter(|n| (1..=max).contains(n))
                .and_then(|n| u8::try_from(n).ok())
        };
        match (number(year, 4), small(month, 12), small(day, 31)) {
            (Some(year), Some(month), Some(day)) => Ok(Day { year, month, day }),
            _ => Err(form()),
        }
    }

    fn tags(&self, line: Line<'_>) -> Result<Vec<String>, SourceError> {
        let tags = split(line.text, ',');
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        let fine = tags.iter().all(|t| !t.is_empty() && t.bytes().all(plain));
        fine.then_some(tags)
            .ok_or_else(|| self.bad(line, "list of tags", "words of a-z, 0-9 and -, with commas"))
    }
}

fn split(text: &str, at: char) -> Vec<String> {
    text.split(at).map(|part| part.trim().to_owned()).collect()
}

/// Joins the lines between blank lines by one space each.
fn paragraphs(lines: &[Line<'_>]) -> Vec<String> {
    lines
        .split(|l| l.text.is_empty())
        .filter(|group| !group.is_empty())
        .map(|group| {
            group
                .iter()
                .map(|l| l.text.trim())
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect()
}
