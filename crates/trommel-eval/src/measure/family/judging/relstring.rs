//! The grades of the first documents as a string (trec_eval `relstring`).

use crate::measure::parameters::Parameters;
use crate::measure::ranking::Ranking;

/// The grades of the first documents, a character each: the grade from 0 to 9, `>` above, `-` for documents that are not in the
/// judgments, `.` for those with a grade below 0. trec_eval 10, `m_relstring.c`.
pub(in crate::measure) fn text(ranking: &Ranking, parameters: &Parameters) -> String {
    let length = parameters.whole("length").unwrap_or(0);
    let top = ranking.top(usize::try_from(length).unwrap_or(usize::MAX));
    let one = |grade: &Option<i32>| match *grade {
        None => '-',
        Some(grade) if grade < 0 => '.',
        Some(grade) => u8::try_from(grade)
            .ok()
            .filter(|grade| *grade <= 9)
            .map_or('>', |grade| char::from(b'0' + grade)),
    };
    top.iter().map(one).collect()
}
