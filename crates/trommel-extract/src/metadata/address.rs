//! The page's address, in which a day may stand: `/2025/12/19/`.

use trommel_page::attribute::Date;

use super::gathered::Gathered;
use super::row::Candidates;

pub(super) fn read(gathered: &Gathered) -> Candidates {
    Candidates {
        dates: day_of(gathered.url)
            .map(|day| day.to_string())
            .into_iter()
            .collect(),
        ..Candidates::default()
    }
}

/// The day in a path: year, month and day between slashes, or between dashes.
fn day_of(url: &str) -> Option<Date> {
    let path = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let parts: Vec<&str> = path.split(['/', '-', '_']).collect();
    parts.windows(3).find_map(|parts| {
        let number = |text: &str, digits: std::ops::RangeInclusive<usize>| {
            let plain = digits.contains(&text.len()) && text.bytes().all(|it| it.is_ascii_digit());
            plain.then(|| text.parse::<u16>().ok()).flatten()
        };
        let year = number(parts[0], 4..=4).filter(|year| (1990..=2100).contains(year))?;
        let (month, day) = (number(parts[1], 1..=2)?, number(parts[2], 1..=2)?);
        Date::new(year, month as u8, day as u8)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_in_addresses() {
        for (url, expected) in [
            ("https://a.example/2025/09/04/top-trends/", "2025-09-04"),
            ("https://a.example/news/2025-9-4-rain", "2025-09-04"),
            ("https://a.example/2025/rain", ""),
            ("https://a.example/2025/13/04/", ""),
            ("https://a.example/1234/05/06/", ""),
        ] {
            let found = day_of(url).map(|day| day.to_string());
            assert_eq!(found.unwrap_or_default(), expected, "{url}");
        }
    }
}
