//! Grade maps: judged grades replaced before evaluation.

use std::str::FromStr;

/// One rule of a grade map: every grade in `from..=to` becomes `grade`.
///
/// Written `FROM..TO=G`, both ends inclusive, all three whole numbers that may be negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GradeRule {
    /// Lowest grade that the rule takes.
    pub from: i32,
    /// Highest grade that the rule takes, at least `from`.
    pub to: i32,
    /// What such a grade becomes.
    pub grade: i32,
}

/// A rule that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected FROM..TO=G with whole numbers and FROM not above TO, such as 1..4=1; found {text:?}"
)]
pub struct GradeRuleError {
    /// The text in question.
    pub text: String,
}

impl FromStr for GradeRule {
    type Err = GradeRuleError;

    fn from_str(text: &str) -> Result<Self, GradeRuleError> {
        let rule = || {
            let (range, grade) = text.split_once('=')?;
            let (from, to) = range.split_once("..")?;
            let number = |word: &str| word.trim().parse::<i32>().ok();
            let (from, to, grade) = (number(from)?, number(to)?, number(grade)?);
            (from <= to).then_some(GradeRule { from, to, grade })
        };
        rule().ok_or_else(|| GradeRuleError {
            text: text.to_owned(),
        })
    }
}

/// Rules in order. The first rule that takes a grade decides; a grade that none takes stays.
///
/// Each grade is mapped once: the result of one rule is not handed to the next. Needed, for example,
/// by the TREC blog track, whose grades 1 to 4 are all relevant and whose 2 to 4 are opinion polarity:
/// `1..4=1`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GradeMap {
    /// The rules.
    pub rules: Vec<GradeRule>,
}

impl GradeMap {
    /// Reads a map from the texts of its rules.
    ///
    /// # Errors
    /// The first text that is no rule.
    pub fn parse<'a>(rules: impl IntoIterator<Item = &'a str>) -> Result<Self, GradeRuleError> {
        let rules = rules
            .into_iter()
            .map(str::parse)
            .collect::<Result<_, _>>()?;
        Ok(GradeMap { rules })
    }

    /// Returns the grade that `grade` becomes.
    pub fn apply(&self, grade: i32) -> i32 {
        self.rules
            .iter()
            .find(|rule| (rule.from..=rule.to).contains(&grade))
            .map_or(grade, |rule| rule.grade)
    }
}

/// A grade: a whole number, in NTCIR's judgments behind an `L`.
pub(super) fn grade_of(word: &str) -> Option<i32> {
    let digits = word
        .strip_prefix('L')
        .filter(|digits| digits.starts_with(|c: char| c.is_ascii_digit()));
    digits.unwrap_or(word).parse().ok()
}
