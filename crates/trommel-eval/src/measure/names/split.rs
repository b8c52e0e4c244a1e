//! Several names in one text.

/// Cuts a text at the commas that stand in no brackets. Numbers, and grades with gains, belong to the name before them, since there they are
/// parameters in trec_eval's style: `P.5,10,map` are two names.
pub(super) fn split(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    let commas = text.char_indices().filter(|&(_, c)| {
        match c {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    for (comma, _) in commas {
        let (name, rest) = (text.get(start..comma), text.get(comma + 1..));
        let next = rest
            .and_then(|rest| rest.split(',').next())
            .unwrap_or_default();
        let name = name.unwrap_or_default();
        if !name.contains(['(', '@']) && is_parameter(next) {
            continue;
        }
        names.push(name.trim());
        start = comma + 1;
    }
    names.push(text.get(start..).unwrap_or_default().trim());
    names
}

fn is_parameter(word: &str) -> bool {
    let word = word.trim();
    let is_number = |word: &str| {
        word.starts_with([
            '-', '+', '.', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9',
        ]) && word.parse::<f64>().is_ok()
    };
    match word.split_once('=') {
        Some((grade, gain)) => is_number(grade) && is_number(gain),
        None => is_number(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(split(text), expected);
    }

    #[test]
    fn commas_between_names() {
        check("AP", &["AP"]);
        check("P@10,nDCG@10, AP", &["P@10", "nDCG@10", "AP"]);
        check(
            "P(rel=2,judged_only=True)@5,RR",
            &["P(rel=2,judged_only=True)@5", "RR"],
        );
        check(
            "nDCG(gains={1:3,2:9})@10,map",
            &["nDCG(gains={1:3,2:9})@10", "map"],
        );
        check("P.5,10,map,11pt_avg", &["P.5,10", "map", "11pt_avg"]);
        check(
            "11pt_avg..25,.5,.75,ndcg.1=3,2=9,4=4.5",
            &["11pt_avg..25,.5,.75", "ndcg.1=3,2=9,4=4.5"],
        );
        check("utility.2,-1,0,0,P_5", &["utility.2,-1,0,0", "P_5"]);
        check("IPrec@0.1,0.2", &["IPrec@0.1", "0.2"]);
        check(
            "utility_2,-1,0,0,ndcg_1=3,2=4.5",
            &["utility_2,-1,0,0", "ndcg_1=3,2=4.5"],
        );
        check("", &[""]);
        check("AP,", &["AP", ""]);
        check("P(rel=1", &["P(rel=1"]);
        check("P)rel=1,AP", &["P)rel=1", "AP"]);
    }
}
