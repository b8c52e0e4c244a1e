//! What to say of a name that is none: the nearest that there is, and all.

/// Longer names are no slips of a name.
const MOST_CHARACTERS: usize = 64;

/// The text that stands behind an unknown name in an error: `did you mean 'bm25'? There are: bm25, qld`, or only what there is, where none
/// of the names is near.
pub fn choice(name: &str, known: &[&str]) -> String {
    let all = known.join(", ");
    match nearest(name, known) {
        Some(nearest) => format!("did you mean '{nearest}'? There are: {all}"),
        None => format!("there are: {all}"),
    }
}

/// The known name that the fewest slips part from this one, the first of several; none if it is another word. A slip is a character
/// too many, missing, or wrong, or two that changed places; case, and `_` for `-`, are none. A third of the characters may be slips.
/// Where there is no such name, the first one that begins like this one.
pub fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let name = folded(name);
    if name.len() > MOST_CHARACTERS || name.is_empty() {
        return None;
    }
    let most = (name.len() / 3).max(1);
    let slips = known
        .iter()
        .map(|known| (slips(&name, &folded(known)), *known));
    let near = slips
        .filter(|(slips, known)| *slips <= most && *slips < known.chars().count())
        .min_by_key(|(slips, _)| *slips);
    let begins = || {
        let mut known = known.iter();
        known.find(|known| name.len() > 2 && folded(known).starts_with(&name))
    };
    near.map(|(_, known)| known).or_else(|| begins().copied())
}

fn folded(name: &str) -> Vec<char> {
    let plain = name.chars().map(|c| if c == '_' { '-' } else { c });
    plain.flat_map(char::to_lowercase).collect()
}

/// Damerau's distance, each pair changing places once at most (optimal string alignment).
fn slips(a: &[char], b: &[char]) -> usize {
    // The rows of the table for the last two characters of `a` and for the current one.
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let replaced = last[j] + usize::from(a[i] != b[j]);
            let mut least = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name() {
        let known = [
            "keep-everything",
            "boilerpipe-article",
            "justext",
            "bte",
            "bm25",
            "nDCG@10",
            "P@10",
        ];
        for (name, expected) in [
            ("justex", Some("justext")),
            ("jsutext", Some("justext")),
            ("JUSTEXT", Some("justext")),
            ("keep_everything", Some("keep-everything")),
            ("boilerpipe-artikle", Some("boilerpipe-article")),
            ("boilerpipe", Some("boilerpipe-article")),
            ("bm52", Some("bm25")),
            ("BM25", Some("bm25")),
            ("ndgc@10", Some("nDCG@10")),
            ("bta", Some("bte")),
            ("nosuch", None),
            ("b", None),
            ("", None),
            ("é", None),
        ] {
            assert_eq!(nearest(name, &known), expected, "{name}");
        }
        assert_eq!(nearest(&"justext".repeat(1000), &known), None);
        assert_eq!(choice("x", &["ab", "cd"]), "there are: ab, cd");
        assert_eq!(
            choice("ac", &["ab", "cd"]),
            "did you mean 'ab'? There are: ab, cd"
        );
    }

    #[test]
    fn the_number_of_slips() {
        let slips = |a: &str, b: &str| slips(&folded(a), &folded(b));
        for (a, b, expected) in [
            ("", "", 0),
            ("abc", "", 3),
            ("", "abc", 3),
            ("abc", "abc", 0),
            ("abc", "acb", 1),
            ("kitten", "sitting", 3),
            ("ca", "abc", 3),
        ] {
            assert_eq!(slips(a, b), expected, "{a} {b}");
        }
    }
}
