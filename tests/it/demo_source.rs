//! The parser of the demo's blog sources: what it reads and what it refuses, with the line.

#![allow(clippy::unwrap_used)]

use trommel::demo::parse::parse;

const HEADER: &str = "blog: b\ntitle: B\ntagline: t\nhost: b.example\ntemplate: table\n\
                      menu: Home | Links\nabout: a\nfooter: f\npopular: 1\n";
const ARTICLE: &str = "\n=== 0001\ntitle: One\ndate: 2007-01-02\ntags: x, y-2\n\nText.\n";

/// Parses `text` and compares the error, as it is shown.
fn check(text: &str, expected: &str) {
    let shown = parse("b.txt", text).map_or_else(|e| e.to_string(), |_| "fine".to_owned());
    assert!(
        shown.starts_with(expected),
        "expected {expected}\n   found {shown}\n{text}"
    );
}

/// As [`check`], for a good source in which `from` is replaced by `to`.
fn check_changed(from: &str, to: &str, expected: &str) {
    let good = format!("{HEADER}{ARTICLE}");
    assert!(good.contains(from), "nothing to replace: {from}");
    check(&good.replace(from, to), expected);
}

#[test]
fn reads_paragraphs_and_comments() {
    let text = format!(
        "# a note\n{HEADER}{ARTICLE}\nSecond,\non two lines.\n\n--- ann\nYes.\n\nNo.\n--- ben\nOh.\n"
    );
    let blog = parse("b.txt", &text).unwrap();
    assert_eq!(blog.menu, ["Home", "Links"]);
    assert_eq!(blog.popular, [0]);
    let article = &blog.articles[0];
    assert_eq!(article.date.to_string(), "2007-01-02");
    assert_eq!(article.date.month_name(), "January 2007");
    assert_eq!(article.tags, ["x", "y-2"]);
    assert_eq!(article.paragraphs, ["Text.", "Second, on two lines."]);
    let comments: Vec<(&str, &str)> = article
        .comments
        .iter()
        .map(|c| (c.by.as_str(), c.text.as_str()))
        .collect();
    assert_eq!(comments, [("ann", "Yes. No."), ("ben", "Oh.")]);
}

#[test]
fn reads_windows_line_ends() {
    let text = format!("{HEADER}{ARTICLE}").replace('\n', "\r\n");
    assert_eq!(
        parse("b.txt", &text).unwrap().articles[0].paragraphs,
        ["Text."]
    );
}

#[test]
fn refuses_bad_headers() {
    check("", "b.txt:1: this blog has no text");
    check(HEADER, "b.txt:1: this blog has no text");
    check_changed(
        "blog: b",
        "blog: B b",
        "b.txt:1: `B b` is no valid blog name",
    );
    check_changed("title: B\n", "", "b.txt:1: no `title:` line");
    check_changed(
        "title: B\n",
        "title: B\ntitle: C\n",
        "b.txt:3: a second `title:` line",
    );
    check_changed(
        "footer: f\n",
        "footer: f\nfooting: g\n",
        "b.txt:9: unknown key `footing`",
    );
    check_changed(
        "footer: f\n",
        "footer\n",
        "b.txt:8: `footer` is no `key: value` line",
    );
    check_changed(
        "template: table",
        "template: grid",
        "b.txt:5: `grid` is no valid template",
    );
    check_changed(
        "popular: 1",
        "popular: 2",
        "b.txt:9: `2` is no valid list of articles",
    );
    check_changed(
        "popular: 1",
        "popular: 0",
        "b.txt:9: `0` is no valid list of articles",
    );
}

#[test]
fn refuses_bad_articles() {
    check_changed(
        "=== 0001",
        "=== 0002",
        "b.txt:11: `=== 0002` is no valid article number",
    );
    check_changed(
        "=== 0001",
        "=== 1",
        "b.txt:11: `=== 1` is no valid article number",
    );
    check_changed("date: 2007-01-02\n", "", "b.txt:11: no `date:` line");
    for date in [
        "2007-13-02",
        "2007-00-02",
        "2007-01-32",
        "2007-1-2",
        "2007-01-+2",
        "07-01-02",
    ] {
        let expected = format!("b.txt:13: `{date}` is no valid date");
        check_changed("2007-01-02", date, &expected);
    }
    check_changed(
        "tags: x, y-2",
        "tags: x, Y",
        "b.txt:14: `x, Y` is no valid list of tags",
    );
    check_changed(
        "tags: x, y-2",
        "tags: x,,y",
        "b.txt:14: `x,,y` is no valid list of tags",
    );
    check_changed("\nText.", "", "b.txt:11: this article has no text");
    check_changed(
        "\nText.",
        "\n--- ann\nYes.",
        "b.txt:11: this article has no text",
    );
    check_changed(
        "Text.",
        "Text.\n---\nYes.",
        "b.txt:17: `---` is no valid comment",
    );
    check_changed(
        "Text.",
        "Text.\n--- ann\n",
        "b.txt:17: this comment has no text",
    );
}

#[test]
fn refuses_articles_out_of_order() {
    let second = ARTICLE
        .replace("0001", "0002")
        .replace("2007-01-02", "2007-01-01");
    check(
        &format!("{HEADER}{ARTICLE}{second}"),
        "b.txt:18: this article is older",
    );
}
