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
    let around = |docid: String, url: String, date: Day, title: String, main: Main<'a>| View {
        docid,
        url,
        date,
        blog,
        title,
        main,
        related: Vec::new(),
        recent: newest(blog, LIST_LENGTH),
        popular: blog
            .popular
            .iter()
            .filter_map(|&i| blog.articles.get(i))
            .take(LIST_LENGTH)
            .map(|a| teaser(blog, a))
            .collect(),
        adjacent: Vec::new(),
        tags: tags(blog),
        months: months(blog),
        neighbours: neighbours(blog, all, date),
    };
    let mut pages = Vec::new();
    for (i, article) in blog.articles.iter().enumerate() {
        let docid = format!("demo-{}-{:04}", blog.key, article.number);
        let main = Main::Article(article);
        let title = article.title.clone();
        let mut view = around(docid, article_url(blog, article), article.date, title, main);
        view.related = related(blog, article);
        let before = i.checked_sub(1).and_then(|b| blog.articles.get(b));
        let after = blog.articles.get(i + 1);
        view.adjacent = before
            .into_iter()
            .chain(after)
            .map(|a| teaser(blog, a))
            .collect();
        pages.push(view);
    }
    let mut list = |name: String, url: String, title: String, mut posts: Vec<&'a Article>| {
        posts.sort_by_key(|a| std::cmp::Reverse(a.number));
        let Some(newest) = posts.first() else { return };
        let date = newest.date;
        let main = Main::List(posts.iter().map(|a| teaser(blog, a)).collect());
        pages.push(around(
            format!("demo-{}-{name}", blog.key),
            url,
            date,
            title,
            main,
        ));
    };
    let latest = blog.articles.iter().rev().take(INDEX_LENGTH).collect();
    list(
        "index".to_owned(),
        home_url(blog),
        "Latest posts".to_owned(),
        latest,
    );
    let keys: BTreeSet<(String, String)> = blog
        .articles
        .iter()
        .map(|a| (a.date.month_key(), a.date.month_name()))
        .collect();
    for (key, name) in keys {
        let posts = blog
            .articles
            .iter()
            .filter(|a| a.date.month_key() == key)
            .collect();
        let url = format!("{}archive/{key}.html", home_url(blog));
        list(
            format!("archive-{key}"),
            url,
            format!("Archive: {name}"),
            posts,
        );
    }
    for (tag, _) in tag_counts(blog)
        .iter()
        .filter(|(_, count)| **count >= TAG_PAGE_POSTS)
    {
        let posts = blog
            .articles
            .iter()
            .filter(|a| a.tags.iter().any(|t| t == tag))
            .collect();
        list(
            format!("tag-{tag}"),
            tag_url(blog, tag),
            format!("Posts tagged {tag}"),
            posts,
        );
    }
    pages
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
    let Day { year, month, .. } = article.date;
    format!(
        "{}{year:04}/{month:02}/{}.html",
        home_url(blog),
        words.join("-")
    )
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
