//! Elements that say by their class, or as `rel=author`, who wrote a page and when.

use trommel_page::{ElementId, Tag};

use super::date::{day, day_in};
use super::gathered::Gathered;
use super::row::Candidates;

/// Parts of classes of elements that hold an author, the most telling first.
const AUTHORS: [&str; 12] = [
    "author-name",
    "author_name",
    "authorname",
    "byline-name",
    "byline__name",
    "post-author",
    "entry-author",
    "article-author",
    "byline",
    "author",
    "username",
    "posted-by",
];
/// Parts of classes of elements that hold a day.
const DATES: [&str; 12] = [
    "published",
    "pubdate",
    "pub-date",
    "publish-date",
    "post-date",
    "entry-date",
    "article-date",
    "posted-on",
    "post-meta",
    "entry-meta",
    "byline",
    "date",
];
/// Parts of classes of what belongs to something else on the page.
const OTHER: [&str; 10] = [
    "comment",
    "related",
    "sidebar",
    "widget",
    "footer",
    "recommend",
    "popular",
    "recent",
    "bio",
    "avatar",
];

pub(super) fn read(gathered: &Gathered) -> Candidates {
    let mut found = Candidates::default();
    let mut authors: Vec<(usize, String)> = Vec::new();
    let mut dates: Vec<(usize, String)> = Vec::new();
    for id in gathered.elements() {
        let class = gathered.page.class(id).to_ascii_lowercase();
        let is_link = *gathered.page.tag(id) == Tag::A;
        let rel = gathered.source.attribute(id, "rel").filter(|_| is_link);
        let is_rel = rel.is_some_and(|rel| rel.split_ascii_whitespace().any(|it| it == "author"));
        if !is_rel && class.is_empty() {
            continue;
        }
        let place = |of: &[&str]| of.iter().position(|part| class.contains(part));
        if is_other(gathered, id) {
            continue;
        }
        let author = match is_rel {
            true => Some(0),
            false => place(&AUTHORS).map(|place| place + 1),
        };
        if let Some(place) = author
            && let Some(text) = gathered.short_text(id)
        {
            authors.push((place, text));
        }
        if let Some(place) = place(&DATES)
            && let Some(text) = gathered.short_text(id)
            && let Some(day) = day(&text).or_else(|| day_in(&text))
        {
            dates.push((place, day.to_string()));
        }
    }
    authors.sort_by_key(|(place, _)| *place);
    dates.sort_by_key(|(place, _)| *place);
    found.authors = authors.into_iter().map(|(_, text)| text).collect();
    found.dates = dates.into_iter().map(|(_, text)| text).collect();
    found
}

fn is_other(gathered: &Gathered, id: ElementId) -> bool {
    let mut around = gathered.page.ancestors(id).take(6);
    around.any(|id| {
        let class = gathered.page.class(id).to_ascii_lowercase();
        matches!(gathered.page.tag(id), Tag::Aside | Tag::Footer | Tag::Nav)
            || OTHER.iter().any(|part| class.contains(part))
    })
}
