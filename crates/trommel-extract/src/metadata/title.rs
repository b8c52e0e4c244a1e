//! The `title` element, without the site's name.

use super::gathered::Gathered;
use super::row::Candidates;

/// What stands between a page's title and its site's.
const BETWEEN: [&str; 9] = [
    " | ",
    " - ",
    " \u{2013} ",
    " \u{2014} ",
    " \u{b7} ",
    " :: ",
    " \u{ab} ",
    " \u{bb} ",
    " \u{2022} ",
];

pub(super) fn read(gathered: &Gathered) -> Candidates {
    let title = gathered.page.title.trim();
    Candidates {
        titles: (!title.is_empty())
            .then(|| without_site(title).to_owned())
            .into_iter()
            .collect(),
        ..Candidates::default()
    }
}

/// A title without what stands behind its last separator, if that is the shorter part.
fn without_site(title: &str) -> &str {
    let places = BETWEEN
        .iter()
        .filter_map(|between| Some((title.rfind(between)?, between.len())));
    let Some((at, length)) = places.max() else {
        return title;
    };
    let (page, site) = (&title[..at], &title[at + length..]);
    let words = |text: &str| text.split_whitespace().count();
    match words(page) >= words(site) {
        true => page,
        false => title,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_are_left_out() {
        for (title, expected) in [
            ("Rain barrels | The Garden", "Rain barrels"),
            ("Rain - how it falls - The Garden", "Rain - how it falls"),
            (
                "Home | A garden for all of us",
                "Home | A garden for all of us",
            ),
            ("Rain", "Rain"),
        ] {
            assert_eq!(without_site(title), expected);
        }
    }
}
