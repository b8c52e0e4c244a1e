//! The Open Graph protocol (ogp.me), and Twitter's cards.

use super::gathered::Gathered;
use super::row::Candidates;

pub(super) fn read(gathered: &Gathered) -> Candidates {
    Candidates {
        titles: gathered.metas(&["og:title", "twitter:title"]).collect(),
        authors: gathered
            .metas(&[
                "article:author",
                "og:article:author",
                "book:author",
                "twitter:creator",
            ])
            .collect(),
        dates: gathered
            .metas(&[
                "article:published_time",
                "og:article:published_time",
                "og:published_time",
                "og:pubdate",
                "book:release_date",
            ])
            .collect(),
        modified: gathered
            .metas(&["article:modified_time", "og:updated_time"])
            .collect(),
        descriptions: gathered
            .metas(&["og:description", "twitter:description"])
            .collect(),
        sites: gathered.metas(&["og:site_name"]).collect(),
    }
}
