//! Days as pages write them.

use trommel_page::attribute::Date;

/// Months as English, and some other languages of Europe, begin their names; the number of the first is 1. What begins alike stands apart.
const MONTHS: [&[&str]; 12] = [
    &["jan", "ene", "gen", "janv"],
    &["feb", "fév", "fev"],
    &["mar", "mär", "mrz"],
    &["apr", "abr", "avr"],
    &["may", "mai", "mag", "maj"],
    &["jun", "juin", "giu"],
    &["jul", "juil", "lug"],
    &["aug", "ago", "aoû", "aou"],
    &["sep", "set"],
    &["oct", "okt", "ott", "out"],
    &["nov"],
    &["dec", "dez", "dic", "déc"],
];

/// The day that a text says, if it begins with one: ISO 8601 (`2025-12-19T…`), `2025/12/19`, `December 19, 2025`, `19 December 2025`, `Fri, 19 Dec
/// 2025`, `19.12.2025`, `12/19/2025`. Of numbers with slashes the month comes first, as in the United States, if it can be one. Years
/// from 1900 to 2100.
pub fn day(text: &str) -> Option<Date> {
    parts_of(text).first_day(true)
}

/// The first day that stands in a text, written with its month's name or as ISO 8601.
pub fn day_in(text: &str) -> Option<Date> {
    let mut parts = parts_of(text);
    while !parts.0.is_empty() {
        if let Some(day) = parts.first_day(false) {
            return Some(day);
        }
        parts.0.remove(0);
    }
    None
}

/// A part of a text that says a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// A number, how many digits it has, and what stands right behind it.
    Number(u32, usize, char),
    /// A month by its name.
    Month(u8),
    /// Another word.
    Word,
}

struct Parts(Vec<Part>);

/// Parts of a text that are looked at.
const MOST_PARTS: usize = 64;

fn parts_of(text: &str) -> Parts {
    let mut parts = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        if parts.len() == MOST_PARTS {
            break;
        }
        let kind = |c: char| (c.is_ascii_digit(), c.is_alphabetic());
        let end = rest.find(|c| kind(c) != kind(first)).unwrap_or(rest.len());
        let (token, behind) = rest.split_at(end);
        let next = behind.chars().next().unwrap_or(' ');
        if first.is_ascii_digit() {
            parts.push(Part::Number(
                token.parse().unwrap_or(u32::MAX),
                token.len(),
                next,
            ));
        } else if first.is_alphabetic() {
            let lower = token.to_lowercase();
            let is_ordinal = matches!(lower.as_str(), "st" | "nd" | "rd" | "th")
                && matches!(parts.last(), Some(Part::Number(..)));
            let month = MONTHS
                .iter()
                .position(|names| names.iter().any(|name| lower.starts_with(name)));
            let month = month.filter(|_| lower.chars().count() <= 10);
            match month {
                _ if is_ordinal => {}
                // Year, month and day of Chinese and Japanese.
                _ if matches!(token, "\u{5e74}" | "\u{6708}" | "\u{65e5}") => {}
                // Of a time: `2025-12-19T10:00`.
                _ if lower == "t" => parts.push(Part::Word),
                Some(month) => parts.push(Part::Month(month as u8 + 1)),
                None => parts.push(Part::Word),
            }
        }
        rest = behind;
    }
    Parts(parts)
}

impl Parts {
    /// The day that the parts begin with; with `loose` also days of numbers with points or slashes, and behind a weekday.
    fn first_day(&self, loose: bool) -> Option<Date> {
        let date = |year: u32, month: u32, day: u32| {
            let year = u16::try_from(year)
                .ok()
                .filter(|year| (1900..=2100).contains(year))?;
            Date::new(year, u8::try_from(month).ok()?, u8::try_from(day).ok()?)
        };
        match *self.0.as_slice() {
            [Part::Number(year, 4, '-' | '/' | '.' | '\u{5e74}'), Part::Number(month, 1..=2, _), Part::Number(day, 1..=2, _), ..] => date(year, month, day),
            [Part::Number(all, 8, _), ..] if loose => date(all / 10_000, all / 100 % 100, all % 100),
            [Part::Month(month), Part::Number(day, 1..=2, _), Part::Number(year, 4, _), ..] => date(year, u32::from(month), day),
            [Part::Number(day, 1..=2, _), Part::Month(month), Part::Number(year, 4, _), ..]
            // As in Spanish: 19 de diciembre de 2025.
            | [Part::Number(day, 1..=2, _), Part::Word, Part::Month(month), Part::Word, Part::Number(year, 4, _), ..] => {
                date(year, u32::from(month), day)
            }
            [Part::Number(day, 1..=2, '.'), Part::Number(month, 1..=2, '.'), Part::Number(year, 4, _), ..] if loose => date(year, month, day),
            [Part::Number(one, 1..=2, '/' | '-'), Part::Number(other, 1..=2, '/' | '-'), Part::Number(year, 4, _), ..] if loose => {
                date(year, one, other).or_else(|| date(year, other, one))
            }
            // A weekday, or `Published`.
            [Part::Word, ..] | [Part::Month(_), Part::Word, ..] if loose => {
                let behind = self.0.get(1..)?;
                Parts(behind.to_vec()).first_of_few()
            }
            _ => None,
        }
    }

    /// The day behind a word or two.
    fn first_of_few(&self) -> Option<Date> {
        let few = (0..self.0.len().min(3)).map(|at| Parts(self.0[at..].to_vec()));
        let mut few = few.take_while(|parts| !parts.0.is_empty());
        few.find_map(|parts| match parts.0.first() {
            Some(Part::Word) => None,
            _ => parts.first_day(true),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let found = day(text).map(|day| day.to_string());
        assert_eq!(found.unwrap_or_default(), expected, "{text}");
    }

    #[test]
    fn days_of_many_forms() {
        for text in [
            "2025-12-09T10:00:00+00:00",
            "2025-12-09",
            "20251209",
            "2025/12/09",
            "December 9, 2025",
            "Dec. 9th 2025",
            "9 December 2025",
            "Tue, 09 Dec 2025 10:00:00 GMT",
            "Published on December 9, 2025",
            "9. Dezember 2025",
            "9 de diciembre de 2025",
            "09.12.2025",
            "12/09/2025",
            "2025\u{5e74}12\u{6708}9\u{65e5}",
        ] {
            check(text, "2025-12-09");
        }
        check("25/12/2025", "2025-12-25");
        for text in [
            "",
            "yesterday",
            "2025",
            "12 of 2025",
            "99/99/2025",
            "December",
            "1 2 3",
            "4999-01-01",
            "555-1234",
        ] {
            check(text, "");
        }
        assert_eq!(
            day_in("By Ann, updated 5 May 2024, 3 comments")
                .unwrap()
                .to_string(),
            "2024-05-05"
        );
        assert_eq!(day_in("call 12/09/2025"), None);
    }
}
