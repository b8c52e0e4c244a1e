//! `meta` elements: Highwire Press (`citation_…`), Dublin Core (`dc.…`, `dcterms.…`), PRISM, Parsely, Sailthru, and names of their own.

use super::gathered::Gathered;
use super::row::Candidates;

pub(super) fn read(gathered: &Gathered) -> Candidates {
    let authors: Vec<String> = gathered.metas(&["citation_author"]).collect();
    let mut one_text = Vec::new();
    if !authors.is_empty() {
        one_text.push(authors.join(", "));
    }
    one_text.extend(gathered.metas(&[
        "author",
        "dc.creator",
        "dcterms.creator",
        "dc.contributor",
        "parsely-author",
        "sailthru.author",
        "byl",
        "article.author",
        "shareaholic:article_author_name",
        "cxenseparse:author",
    ]));
    Candidates {
        titles: gathered
            .metas(&[
                "citation_title",
                "dc.title",
                "dcterms.title",
                "parsely-title",
                "sailthru.title",
                "title",
            ])
            .collect(),
        authors: one_text,
        dates: gathered
            .metas(&[
                "citation_publication_date",
                "citation_date",
                "citation_online_date",
                "dc.date.issued",
                "dcterms.issued",
                "dc.date.created",
                "dcterms.created",
                "dc.date",
                "dcterms.date",
                "prism.publicationdate",
                "parsely-pub-date",
                "sailthru.date",
                "pubdate",
                "publishdate",
                "publish-date",
                "publish_date",
                "publication_date",
                "date.published",
                "datepublished",
                "published_time",
                "cxenseparse:recs:publishtime",
                "shareaholic:article_published_time",
                "date",
            ])
            .collect(),
        modified: gathered
            .metas(&[
                "datemodified",
                "dcterms.modified",
                "dc.date.modified",
                "last-modified",
                "revised",
                "lastmod",
            ])
            .collect(),
        descriptions: gathered
            .metas(&["description", "dc.description", "dcterms.description"])
            .collect(),
        sites: gathered
            .metas(&["application-name", "citation_journal_title", "dc.publisher"])
            .collect(),
    }
}
