//! How many words the longest block has in which a page has a term, in sixteen classes: postings by page say it for each page, in four bits. A
//! filter that asks for so many words at least leaves a term nothing in a page of a lower class, and nobody need look.

use trommel_page::filter::Filter;

/// The least number of words in each class; fine where thresholds are tried most (WSDM 2010, Figure 7, has its best at 11).
const FROM: [u32; 16] = [0, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 15, 20, 30, 50];

/// The class of a block of so many words.
pub(crate) fn class_of(words: u32) -> u8 {
    (FROM.partition_point(|from| *from <= words) - 1) as u8
}

/// The lowest class that has a block which passes a filter, as far as the filter tells.
pub(crate) fn least_class(filter: &Filter) -> u8 {
    let asks_for = |from: &u32| {
        let bound = format!("words >= {from}").parse::<Filter>();
        bound.is_ok_and(|bound| filter.is_within(&bound))
    };
    let classes = FROM.iter().skip(1).take_while(|from| asks_for(from));
    classes.count() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_filters() {
        let classes = [0, 1, 2, 8, 11, 14, 49, 50, 9999].map(class_of);
        assert_eq!(classes, [0, 0, 1, 6, 9, 11, 14, 15, 15]);
        for (filter, class) in [
            ("unfiltered", 0),
            ("words >= 1", 0),
            ("words >= 11", 9),
            ("words > 10", 8),
            ("words >= 7 and link-density <= 0.3", 5),
            ("words >= 7 and words >= 60", 15),
            ("words >= 7 or link-density <= 0.3", 0),
            ("not words >= 11", 0),
            ("words <= 11", 0),
        ] {
            assert_eq!(least_class(&filter.parse().unwrap()), class, "{filter}");
        }
    }
}
