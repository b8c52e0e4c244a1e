//! What stands on each page of a blog, before any markup: the article or the list of headlines,
//! and around it the menus, teasers and lists that quote the headlines of other posts.

use std::collections::{BTreeMap, BTreeSet};

use super::source::{Article, Blog, Day};

/// Words of the other article that a teaser quotes. Below twelve, so that a teaser stays as
/// short as those of real blogs.
const EXCERPT_WORDS: usize = 9;
/// Posts in each of the lists "related", "recent" and "popular".
const LIST_LENGTH: usize = 5;
/// Posts that the blogroll quotes from each of the other blogs.
const NEIGHBOUR_POSTS: usize = 2;
/// Posts on a blog's front page.
const INDEX_LENGTH: usize = 8;
/// Posts that a tag needs to have a page in the collection. The tag cloud shows all tags; as in
/// any crawl, some of its links lead to pages that were not fetched.
const TAG_PAGE_POSTS: usize = 2;

/// All that a template needs for one page. Texts are plain, to be escaped by the template.
#[derive(Debug, Clone)]
pub struct View<'a> {
    /// Docid of the page.
    pub docid: String,
    /// Address of the page.
    pub url: String,
    /// Day of the article, or of the newest one in the list.
    pub date: Day,
    /// The blog it belongs to.
    pub blog: &'a Blog,
    /// Text of the `<title>` and heading.
    pub title: String,
    /// What the page is there for.
    pub main: Main<'a>,
    /// Posts of the same blog that share tags with the article; none on lists.
    pub related: Vec<Teaser>,
    /// The newest posts of the blog.
    pub recent: Vec<Teaser>,
    /// The posts that the blog calls popular.
    pub popular: Vec<Teaser>,
    /// Posts before and after the article.
    pub adjacent: Vec<Teaser>,
    /// The tag cloud, by name.
    pub tags: Vec<Counted>,
    /// The archive, newest month first.
    pub months: Vec<Counted>,
    /// The blogroll: what other blogs wrote at about that time.
    pub neighbours: Vec<Neighbour>,
}

/// The main column.
#[derive(Debug, Clone)]
pub enum Main<'a> {
    /// One article in full.
    Article(&'a Article),
    /// Headlines with teasers.
    List(Vec<Teaser>),
}

/// A headline that links to a post, with the post's first words.
#[derive(Debug, Clone)]
pub struct Teaser {
    /// Headline.
    pub title: String,
    /// Address of the post.
    pub url: String,
    /// Day of the post.
    pub date: Day,
    /// First words of the post, with an ellipsis.
    pub excerpt: String,
}

/// A link with the number of posts behind it.
#[derive(Debug, Clone)]
pub struct Counted {
    /// Text of the link.
    pub name: String,
    /// Where it leads.
    pub url: String,
    /// Posts there.
    pub count: usize,
}

/// Another blog in the blogroll.
#[derive(Debug, Clone)]
pub struct Neighbour {
    /// Its name.
    pub title: String,
    /// Its front page.
    pub url: String,
    /// Posts of it.
    pub posts: Vec<Teaser>,
}

/// All pages of a blog: its articles, front page, months and tags, in this order. `all` is every
/// blog of the collection, for the blogroll.
pub fn pages<'a>(blog: &'a Blog, all: &'a [Blog]) -> Vec<View<'a>> {
    let articles = (0..blog.articles.len()).map(|number| article_page(blog, all, number));
    let latest = blog.articles.iter().rev().take(INDEX_LENGTH).collect();
    let front = List {
        name: "index".to_owned(),
        url: home_url(blog),
        title: "Latest posts".to_owned(),
        posts: latest,
    };
    let lists = [front]
        .into_iter()
        .chain(archives(blog))
        .chain(tag_lists(blog));
    articles
        .chain(lists.filter_map(|list| list_page(blog, all, list)))
        .collect()
}

/// What stands around the content of each page.
fn around<'a>(blog: &'a Blog, all: &'a [Blog], name: &str, date: Day, main: Main<'a>) -> View<'a> {
    let popular = blog.popular.iter();
    let popular = popular.filter_map(|&number| blog.articles.get(number));
    View {
        docid: format!("demo-{}-{name}", blog.key),
        url: String::new(),
        date,
        blog,
        title: String::new(),
        main,
        related: Vec::new(),
        recent: newest(blog, LIST_LENGTH),
        popular: popular
            .take(LIST_LENGTH)
            .map(|article| teaser(blog, article))
            .collect(),
        adjacent: Vec::new(),
        tags: tags(blog),
        months: months(blog),
        neighbours: neighbours(blog, all, date),
    }
}

fn article_page<'a>(blog: &'a Blog, all: &'a [Blog], number: usize) -> View<'a> {
    let article = &blog.articles[number];
    let name = format!("{:04}", article.number);
    let before = number
        .checked_sub(1)
        .and_then(|before| blog.articles.get(before));
    let after = blog.articles.get(number + 1);
    let adjacent = before.into_iter().chain(after);
    View {
        url: article_url(blog, article),
        title: article.title.clone(),
        related: related(blog, article),
        adjacent: adjacent.map(|article| teaser(blog, article)).collect(),
        ..around(blog, all, &name, article.date, Main::Article(article))
    }
}

/// A list of posts that has a page.
struct List<'a> {
    name: String,
    url: String,
    title: String,
    posts: Vec<&'a Article>,
}

/// The page of a list, the newest post first; none of an empty list.
fn list_page<'a>(blog: &'a Blog, all: &'a [Blog], list: List<'a>) -> Option<View<'a>> {
    let mut posts = list.posts;
    posts.sort_by_key(|article| std::cmp::Reverse(article.number));
    let date = posts.first()?.date;
    let teasers = posts.iter().map(|article| teaser(blog, article)).collect();
    Some(View {
        url: list.url,
        title: list.title,
        ..around(blog, all, &list.name, date, Main::List(teasers))
    })
}

/// A list for each month.
fn archives(blog: &Blog) -> impl Iterator<Item = List<'_>> {
    let dates = blog.articles.iter().map(|article| article.date);
    let months: BTreeSet<(String, String)> = dates
        .map(|date| (date.month_key(), date.month_name()))
        .collect();
    months.into_iter().map(|(key, name)| {
        let posts = blog.articles.iter();
        List {
            url: format!("{}archive/{key}.html", home_url(blog)),
            title: format!("Archive: {name}"),
            posts: posts
                .filter(|article| article.date.month_key() == key)
                .collect(),
            name: format!("archive-{key}"),
        }
    })
}

/// A list for each tag that enough posts have.
fn tag_lists(blog: &Blog) -> Vec<List<'_>> {
    let counts = tag_counts(blog);
    let tags = counts.iter().filter(|(_, count)| **count >= TAG_PAGE_POSTS);
    let list = |tag: &str| {
        let posts = blog.articles.iter();
        List {
            name: format!("tag-{tag}"),
            url: tag_url(blog, tag),
            title: format!("Posts tagged {tag}"),
            posts: posts
                .filter(|article| article.tags.iter().any(|of| of == tag))
                .collect(),
        }
    };
    tags.map(|(tag, _)| list(tag)).collect()
}

fn home_url(blog: &Blog) -> String {
    format!("http://{}/", blog.host)
}

fn tag_url(blog: &Blog, tag: &str) -> String {
    format!("{}tag/{tag}.html", home_url(blog))
}

fn article_url(blog: &Blog, article: &Article) -> String {
    let letters = article.title.to_lowercase();
    let words: Vec<&str> = letters
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|w| !w.is_empty())
        .collect();
    // A headline in other letters than Latin ones names nothing.
    let name = match words.is_empty() {
        true => format!("{:04}", article.number),
        false => words.join("-"),
    };
    let Day { year, month, .. } = article.date;
    format!("{}{year:04}/{month:02}/{name}.html", home_url(blog))
}

fn teaser(blog: &Blog, article: &Article) -> Teaser {
    let text = article.paragraphs.first().map_or("", String::as_str);
    let words: Vec<&str> = text.split_whitespace().take(EXCERPT_WORDS).collect();
    Teaser {
        title: article.title.clone(),
        url: article_url(blog, article),
        date: article.date,
        excerpt: format!("{}…", words.join(" ")),
    }
}

fn newest(blog: &Blog, count: usize) -> Vec<Teaser> {
    blog.articles
        .iter()
        .rev()
        .take(count)
        .map(|a| teaser(blog, a))
        .collect()
}

/// Other posts by number of shared tags; among equals the nearer in time, then the older.
fn related(blog: &Blog, article: &Article) -> Vec<Teaser> {
    let mut others: Vec<&Article> = blog
        .articles
        .iter()
        .filter(|a| a.number != article.number)
        .collect();
    others.sort_by_key(|a| {
        let shared = a.tags.iter().filter(|t| article.tags.contains(t)).count();
        (
            std::cmp::Reverse(shared),
            a.date.distance(article.date),
            a.number,
        )
    });
    others
        .into_iter()
        .take(LIST_LENGTH)
        .map(|a| teaser(blog, a))
        .collect()
}

fn neighbours(blog: &Blog, all: &[Blog], date: Day) -> Vec<Neighbour> {
    let posts = |other: &Blog| {
        let mut posts: Vec<&Article> = other.articles.iter().collect();
        posts.sort_by_key(|a| (a.date.distance(date), a.number));
        posts
            .into_iter()
            .take(NEIGHBOUR_POSTS)
            .map(|a| teaser(other, a))
            .collect()
    };
    all.iter()
        .filter(|other| other.key != blog.key)
        .map(|other| Neighbour {
            title: other.title.clone(),
            url: home_url(other),
            posts: posts(other),
        })
        .collect()
}

fn tag_counts(blog: &Blog) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for tag in blog.articles.iter().flat_map(|a| &a.tags) {
        *counts.entry(tag.as_str()).or_default() += 1;
    }
    counts
}

fn tags(blog: &Blog) -> Vec<Counted> {
    let counted = |(tag, count): (&str, usize)| Counted {
        name: tag.to_owned(),
        url: tag_url(blog, tag),
        count,
    };
    tag_counts(blog).into_iter().map(counted).collect()
}

fn months(blog: &Blog) -> Vec<Counted> {
    let mut counts: BTreeMap<String, Counted> = BTreeMap::new();
    for article in &blog.articles {
        let key = article.date.month_key();
        let url = format!("{}archive/{key}.html", home_url(blog));
        let name = article.date.month_name();
        counts
            .entry(key)
            .or_insert(Counted {
                name,
                url,
                count: 0,
            })
            .count += 1;
    }
    counts.into_values().rev().collect()
}
