//! Days, and the spans of them that `2006`, `2006-02` and `2006-02-14` stand for.

use std::fmt;
use std::str::FromStr;

/// A day of the Gregorian calendar, ISO 8601: years 0000 to 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

/// Why a text is no day, or no span of days.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no date: write 2006, 2006-02 or 2006-02-14")]
pub struct DateError(pub String);

const DAYS: [u8; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

impl Date {
    /// A day, if there is one of these numbers.
    pub fn new(year: u16, month: u8, day: u8) -> Option<Date> {
        let known = year <= 9999 && (1..=12).contains(&month);
        (known && (1..=last_day(year, month)).contains(&day)).then_some(Date { year, month, day })
    }

    /// The day that a time begins with, as collections write it: `2006-02-14T…`, `2006-02-14 …`, `20060214…`.
    pub fn of_time(time: &str) -> Option<Date> {
        let digits = |text: Option<&str>| -> Option<u16> {
            let text = text?;
            let plain = text.bytes().all(|byte| byte.is_ascii_digit());
            plain.then(|| text.parse().ok()).flatten()
        };
        let time = time.trim_start();
        let dashed = time.get(4..5) == Some("-") && time.get(7..8) == Some("-");
        let (month, day) = if dashed { (5..7, 8..10) } else { (4..6, 6..8) };
        let year = digits(time.get(..4))?;
        let month = u8::try_from(digits(time.get(month))?).ok()?;
        Date::new(year, month, u8::try_from(digits(time.get(day))?).ok()?)
    }

    /// Days since 1970-01-01 (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`).
    pub fn days(self) -> i64 {
        let (month, day) = (i64::from(self.month), i64::from(self.day));
        let year = i64::from(self.year) - i64::from(month <= 2);
        let era = year.div_euclid(400);
        let of_era = year.rem_euclid(400);
        let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
    }

    /// The day that is so many days after 1970-01-01, if its year has four digits (`civil_from_days`, as above).
    pub fn from_days(days: i64) -> Option<Date> {
        let days = days.checked_add(719_468)?;
        let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted = (5 * of_year + 2) / 153;
        let day = of_year - (153 * shifted + 2) / 5 + 1;
        let month = if shifted < 10 {
            shifted + 3
        } else {
            shifted - 9
        };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        Date::new(
            u16::try_from(year).ok()?,
            u8::try_from(month).ok()?,
            u8::try_from(day).ok()?,
        )
    }

    /// The year.
    pub fn year(self) -> u16 {
        self.year
    }
}

fn last_day(year: u16, month: u8) -> u8 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if leap => 29,
        month => DAYS[usize::from(month) - 1],
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// The days of a year, of a month, or one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Span {
    /// The first day.
    pub first: Date,
    /// The last day.
    pub last: Date,
}

impl FromStr for Span {
    type Err = DateError;

    fn from_str(text: &str) -> Result<Span, DateError> {
        let wrong = || DateError(text.to_owned());
        let mut parts = text.split('-');
        let mut part = |width: usize| -> Result<Option<u16>, DateError> {
            let Some(part) = parts.next() else {
                return Ok(None);
            };
            let plain = part.len() == width && part.bytes().all(|byte| byte.is_ascii_digit());
            match plain {
                true => part.parse().map(Some).map_err(|_| wrong()),
                false => Err(wrong()),
            }
        };
        let (year, month, day) = (part(4)?.ok_or_else(wrong)?, part(2)?, part(2)?);
        if parts.next().is_some() {
            return Err(wrong());
        }
        let date = |month: u16, day: u16| {
            let (month, day) = (u8::try_from(month).ok(), u8::try_from(day).ok());
            let date = month
                .zip(day)
                .and_then(|(month, day)| Date::new(year, month, day));
            date.ok_or_else(wrong)
        };
        let (first, last) = match (month, day) {
            (None, _) => (date(1, 1)?, date(12, 31)?),
            (Some(month), Some(day)) => (date(month, day)?, date(month, day)?),
            (Some(month), None) => {
                let first = date(month, 1)?;
                (first, date(month, u16::from(last_day(year, first.month)))?)
            }
        };
        Ok(Span { first, last })
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Span { first, last } = self;
        if first == last {
            return first.fmt(f);
        }
        match first.month == last.month {
            true => write!(f, "{:04}-{:02}", first.year, first.month),
            false => write!(f, "{:04}", first.year),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans() {
        for (text, first, last) in [
            ("2006", "2006-01-01", "2006-12-31"),
            ("2006-02", "2006-02-01", "2006-02-28"),
            ("2008-02", "2008-02-01", "2008-02-29"),
            ("1900-02", "1900-02-01", "1900-02-28"),
            ("2000-02", "2000-02-01", "2000-02-29"),
            ("2006-02-14", "2006-02-14", "2006-02-14"),
        ] {
            let span: Span = text.parse().unwrap();
            assert_eq!(span.first.to_string(), first);
            assert_eq!(span.last.to_string(), last);
            assert_eq!(span.to_string(), text);
        }
        for text in [
            "",
            "06",
            "2006-2",
            "2006-13",
            "2006-02-29",
            "2006-00",
            "2006-01-01-01",
            "x",
        ] {
            assert!(text.parse::<Span>().is_err(), "{text}");
        }
    }

    #[test]
    fn days_of_times() {
        for (time, day) in [
            ("2006-02-14T10:00:00Z", Some("2006-02-14")),
            ("2006-02-14 10:00", Some("2006-02-14")),
            ("20060214100000", Some("2006-02-14")),
            ("2009-03-65T00:00:00Z", None),
            ("Tue, 14 Feb 2006", None),
            ("", None),
            ("200", None),
            ("2006-é2-14", None),
        ] {
            let found = Date::of_time(time).map(|date| date.to_string());
            assert_eq!(found.as_deref(), day, "{time}");
        }
    }

    #[test]
    fn days_are_counted() {
        let first = Date::new(0, 1, 1).unwrap().days();
        let last = Date::new(9999, 12, 31).unwrap().days();
        let mut before: Option<Date> = None;
        for days in first..=last {
            let date = Date::from_days(days).unwrap();
            assert_eq!(date.days(), days);
            assert!(before < Some(date));
            before = Some(date);
        }
        assert_eq!(Date::new(1970, 1, 1).unwrap().days(), 0);
        assert_eq!(Date::new(2000, 3, 1).unwrap().days(), 11_017);
        assert_eq!(Date::from_days(last + 1), None);
        assert_eq!(Date::from_days(i64::MAX), None);
    }
}
