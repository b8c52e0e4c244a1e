//! The site that a page of a corpus comes from, by what there is to tell it.

use std::collections::BTreeMap;

use trommel_extract::{SiteBy, site};

use super::corpus::Corpus;

/// Registrable domains that pages of all sites link to.
const EVERYWHERE: [&str; 18] = [
    "addthis.com",
    "creativecommons.org",
    "del.icio.us",
    "delicious.com",
    "digg.com",
    "facebook.com",
    "feedburner.com",
    "gmpg.org",
    "google.com",
    "linkedin.com",
    "ogp.me",
    "purl.org",
    "reddit.com",
    "stumbleupon.com",
    "twitter.com",
    "w3.org",
    "wordpress.org",
    "youtube.com",
];

/// The registrable domain of a page: by its name where the corpus names pages so, by its address where that is known, by what the page says of itself (`link rel=canonical`, `og:url`, `base`, `link rel=pingback`),
/// by the site that it links to most. A page that tells nothing is a site of its own.
pub fn site_of(corpus: &Corpus, name: &str, url: Option<&str>, html: &[u8]) -> String {
    if corpus.site_by_name
        && let Some((site, _)) = name.split_once('_')
    {
        let url = format!("//{site}");
        return self::site(&url, SiteBy::Domain).unwrap_or_else(|| site.to_owned());
    }
    let told = url.and_then(|url| self::site(url, SiteBy::Domain));
    told.or_else(|| of_page(&String::from_utf8_lossy(html)))
        .unwrap_or_else(|| format!("?{}/{name}", corpus.name))
}

/// The site by the page's own markup.
fn of_page(html: &str) -> Option<String> {
    let mut stated: [Option<String>; 4] = [const { None }; 4];
    let mut links: BTreeMap<String, u32> = BTreeMap::new();
    for tag in html.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap_or(tag);
        let name = tag.split(|c: char| !c.is_ascii_alphanumeric()).next();
        let name = name.unwrap_or("").to_ascii_lowercase();
        let place = match name.as_str() {
            "link" if attribute(tag, "rel").is_some_and(|rel| rel == "canonical") => 0,
            "meta" if attribute(tag, "property").is_some_and(|of| of == "og:url") => 1,
            "base" => 2,
            "link" if attribute(tag, "rel").is_some_and(|rel| rel == "pingback") => 3,
            "a" => 4,
            _ => continue,
        };
        let address = attribute(tag, if place == 1 { "content" } else { "href" });
        let Some(site) = address.and_then(|address| site(&address, SiteBy::Domain)) else {
            continue;
        };
        match stated.get_mut(place) {
            Some(stated) => *stated = stated.take().or(Some(site)),
            None if EVERYWHERE.contains(&site.as_str()) => {}
            None => *links.entry(site).or_default() += 1,
        }
    }
    let most = links.into_iter().rev().max_by_key(|(_, times)| *times);
    let stated = stated.into_iter().flatten().next();
    stated.or_else(|| most.map(|(site, _)| site))
}

/// The value of an attribute in the text of a tag; good enough for pages that mean well.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let lower = tag.to_ascii_lowercase();
    let at = lower
        .match_indices(name)
        .find(|(at, _)| {
            let before = lower[..*at].chars().next_back();
            let behind = lower[at + name.len()..].trim_start();
            before.is_some_and(|c| c.is_ascii_whitespace() || matches!(c, '"' | '\''))
                && behind.starts_with('=')
        })?
        .0;
    let behind = tag[at + name.len()..].trim_start();
    let value = behind.strip_prefix('=')?.trim_start();
    let value = match value.chars().next()? {
        quote @ ('"' | '\'') => value[1..].split(quote).next()?,
        _ => value.split_ascii_whitespace().next()?,
    };
    Some(value.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(html: &str, expected: Option<&str>) {
        assert_eq!(of_page(html).as_deref(), expected, "{html}");
    }

    #[test]
    fn sites_of_pages() {
        check("", None);
        check("<a href='/local'>", None);
        check(
            "<A HREF=http://www.one.com/x><a href=\"http://two.org\">",
            Some("one.com"),
        );
        check(
            "<a href=http://one.com><a href=//b.two.org><a href=//two.org>",
            Some("two.org"),
        );
        check(
            "<a href=http://twitter.com><a href=http://twitter.com><a href=//two.org>",
            Some("two.org"),
        );
        check(
            "<base href='http://base.net/'><LINK href=\"http://www.own.co.uk/p\" REL=canonical><a href=//two.org>",
            Some("own.co.uk"),
        );
        check(
            "<meta content='http://blog.example.org/' property=\"og:url\">",
            Some("example.org"),
        );
        check(
            "<link data-href='http://no.org' rel=stylesheet href='http://css.org'>",
            None,
        );
    }
}
