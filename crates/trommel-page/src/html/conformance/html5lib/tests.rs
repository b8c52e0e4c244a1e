//! html5lib's tests of tokenizer, tree construction and encodings.
//!
//! Our tokenizer hands places in the markup to the tree builder and makes no tokens. So the expected tokens are given to html5ever's tree
//! builder, and its tree must be the one that we make of the input; besides, the tags that were read are compared, with all their
//! attributes, and whether a DOCTYPE puts the page into quirks mode.
//!
//! Trees are compared as among the soups: without comments (but for what they part), DOCTYPEs, and attributes other than `id` and
//! `class`, none of which a page has.

use std::path::{Path, PathBuf};

use html5ever::interface::{Attribute, QualName};
use html5ever::tokenizer::{Doctype, Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{LocalName, ns};
use serde_json::Value;

use super::super::charset::standard_meta;
use super::super::markup::{attributes, raw_text, references};
use super::super::normalize_line_breaks;
use super::{Dom, WithoutErrors, compare, dump, indent, ours, parsed, show_element, shown};

/// Tests that do not apply: file, what is tested, and why.
const NOT_APPLICABLE: &[(&str, &str, &str)] = &[
    ("xmlViolation.test", "Non-XML character", INFOSET),
    ("xmlViolation.test", "Non-XML space", INFOSET),
    (
        "webkit02.dat",
        "<select><button><selectedcontent></button><option>X",
        SELECTED,
    ),
    (
        "webkit02.dat",
        "<select><button><selectedcontent></button><option>X<option>Y",
        SELECTED,
    ),
    (
        "webkit02.dat",
        "<select><button><selectedcontent></button><option>X<option selected>Y",
        SELECTED,
    ),
    (
        "webkit02.dat",
        "<select><button><selectedcontent></button><option>x<i>i<b>ib</i>b",
        SELECTED,
    ),
];

/// Why tests of a kind do not apply.
const FRAGMENT: &str = "fragment: a page is parsed whole, never into an element of another one";
const SCRIPTING: &str = "scripting: pages are read without";
const SURROGATES: &str = "surrogates: they are in no UTF-8";
const SELECTED: &str =
    "selectedcontent shows again what the chosen option says; a page's text has it once";
const INFOSET: &str = "infoset: trees are HTML's, not coerced to what XML allows";
const SWITCHES: &str =
    "the tree builder, without which ours has no tokens, makes raw text of what follows";

/// What became of the tests of one kind.
#[derive(Default)]
struct Tally {
    passed: usize,
    not_applicable: Vec<(String, &'static str)>,
    failed: Vec<String>,
}

impl Tally {
    fn add(&mut self, file: &str, name: &str, result: Result<(), String>) {
        let listed = NOT_APPLICABLE
            .iter()
            .find(|(in_file, test, _)| *in_file == file && *test == name);
        match (result, listed) {
            (Ok(()), None) => self.passed += 1,
            (Err(_), Some((_, _, reason))) => self.skip(file, name, reason),
            (Ok(()), Some(_)) => self.failed.push(format!(
                "{file}: {name:?} applies after all: take it off the list"
            )),
            (Err(problem), None) => self.failed.push(format!("{file}: {name:?}: {problem}")),
        }
    }

    fn skip(&mut self, file: &str, name: &str, reason: &'static str) {
        self.not_applicable
            .push((format!("{file}: {name:?}"), reason));
    }

    /// Says what became of the tests, and expects so many to have passed.
    #[track_caller]
    fn finish(self, of: &str, passed: usize) {
        let mut reasons: Vec<&str> = self.not_applicable.iter().map(|it| it.1).collect();
        reasons.sort_unstable();
        reasons.dedup();
        eprintln!(
            "{of}: {} passed, {} not applicable, {} failed",
            self.passed,
            self.not_applicable.len(),
            self.failed.len()
        );
        for reason in reasons {
            let of_reason = self.not_applicable.iter().filter(|it| it.1 == reason);
            eprintln!("  not applicable ({reason}): {}", of_reason.clone().count());
            for (name, _) in of_reason.filter(|_| std::env::var_os("TROMMEL_NAMES").is_some()) {
                eprintln!("    {name}");
            }
        }
        assert!(self.failed.is_empty(), "{}", self.failed.join("\n"));
        assert_eq!(self.passed, passed, "{of}: tests that passed");
    }
}

/// The files of a folder with this ending, by name; none where the folder is missing, which is said.
fn files(folder: &str, ending: &str) -> Option<Vec<(String, PathBuf)>> {
    let shared = std::env::var_os("TROMMEL_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let folder = shared.join("reference/html5lib-tests").join(folder);
    let Ok(entries) = folder.read_dir() else {
        eprintln!("skipped: no {} (set TROMMEL_SHARED)", folder.display());
        return None;
    };
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut paths: Vec<(String, PathBuf)> = paths
        .filter(|path| path.extension().is_some_and(|it| it == ending))
        .map(|path| {
            (
                path.file_name().unwrap().to_string_lossy().into_owned(),
                path,
            )
        })
        .collect();
    paths.sort();
    Some(paths)
}

// Tree construction.

/// A test of a tree.
#[derive(Default)]
struct TreeTest {
    data: String,
    fragment: bool,
    script_on: bool,
    document: Vec<String>,
}

/// The tests of a file. A line of a text may be empty, so that `#data` alone begins a test.
fn tree_tests(text: &str) -> Vec<TreeTest> {
    let mut tests: Vec<TreeTest> = Vec::new();
    let mut section = "";
    for line in text.split('\n') {
        match line {
            "#data" => {
                tests.push(TreeTest::default());
                section = "data";
            }
            "#errors" | "#new-errors" | "#document-fragment" | "#script-off" | "#script-on"
            | "#document" => {
                section = &line[1..];
                let test = tests.last_mut().unwrap();
                test.fragment |= section == "document-fragment";
                test.script_on |= section == "script-on";
            }
            line => {
                let Some(test) = tests.last_mut() else {
                    continue;
                };
                match section {
                    "data" => {
                        test.data.push_str(line);
                        test.data.push('\n');
                    }
                    "document" => test.document.push(line.to_owned()),
                    _ => {}
                }
            }
        }
    }
    for test in &mut tests {
        test.data.pop();
        while test.document.last().is_some_and(String::is_empty) {
            test.document.pop();
        }
    }
    tests
}

/// Is a line of an expected tree an element, and no comment, DOCTYPE, text or attribute (of which one is named `<`)?
fn is_element(line: &str) -> bool {
    line.starts_with('<')
        && line.ends_with('>')
        && !line.starts_with("<!")
        && !line.starts_with("<?")
}

/// The expected tree as ours is shown.
fn expected_tree(lines: &[String]) -> String {
    // Texts may have several lines.
    let mut nodes: Vec<String> = Vec::new();
    for line in lines {
        match line.strip_prefix("| ") {
            Some(node) => nodes.push(node.to_owned()),
            None => {
                let last = nodes.last_mut().unwrap();
                last.push('\n');
                last.push_str(line);
            }
        }
    }
    let mut out = String::new();
    let mut at = 0;
    while at < nodes.len() {
        let text = nodes[at].trim_start_matches(' ');
        let depth = (nodes[at].len() - text.len()) / 2 + 1;
        at += 1;
        if let Some(text) = text.strip_prefix('"').and_then(|it| it.strip_suffix('"')) {
            indent(&mut out, depth);
            out.push_str(&format!("{text:?}"));
        } else if is_element(text) {
            let name = &text[1..text.len() - 1];
            let (space, name) = match name.split_once(' ') {
                Some(("svg", name)) => ("svg ", name),
                Some(("math", name)) => ("math ", name),
                _ => ("", name),
            };
            // Attributes stand below their element.
            let (mut id, mut class) = ("", "");
            while let Some(next) = nodes.get(at) {
                let attribute = next.trim_start_matches(' ');
                let is_below = (next.len() - attribute.len()) / 2 == depth;
                let is_node = is_element(attribute) || attribute.starts_with(['"', '<']);
                let Some((name, value)) = attribute.split_once("=\"").filter(|_| is_below) else {
                    break;
                };
                if is_node && !attribute.starts_with("<=") {
                    break;
                }
                let value = value.strip_suffix('"').unwrap();
                match name {
                    "id" => id = value,
                    "class" => class = value,
                    _ => {}
                }
                at += 1;
            }
            indent(&mut out, depth);
            show_element(&mut out, space, name, id, class);
        }
    }
    out
}

#[test]
fn tree_construction() {
    let Some(files) = files("tree-construction", "dat") else {
        return;
    };
    let mut tally = Tally::default();
    for (file, path) in files {
        let text = std::fs::read_to_string(path).unwrap();
        for test in tree_tests(&text) {
            if test.fragment {
                tally.skip(&file, &test.data, FRAGMENT);
            } else if test.script_on {
                tally.skip(&file, &test.data, SCRIPTING);
            } else {
                let difference = compare(&ours(&test.data), &expected_tree(&test.document));
                tally.add(&file, &test.data, difference.map_or(Ok(()), Err));
            }
        }
    }
    tally.finish("tree construction", 1588);
}

// Tokens.

/// What was read of a tag: whether it is an end tag, its name, its attributes by name, whether it closes itself.
type ReadTag = (bool, String, Vec<(String, String)>, bool);

fn unescaped(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("\\u") {
        out.push_str(&rest[..at]);
        let code = u32::from_str_radix(&rest[at + 2..at + 6], 16).unwrap();
        out.push(char::from_u32(code)?);
        rest = &rest[at + 6..];
    }
    out.push_str(rest);
    Some(out)
}

/// Undoes the second escaping of a test's strings; none where a surrogate stands alone.
fn unescaped_value(value: &Value) -> Option<Value> {
    Some(match value {
        Value::String(text) => Value::String(unescaped(text)?),
        Value::Array(values) => {
            Value::Array(values.iter().map(unescaped_value).collect::<Option<_>>()?)
        }
        Value::Object(pairs) => Value::Object(
            pairs
                .iter()
                .map(|(key, value)| Some((unescaped(key)?, unescaped_value(value)?)))
                .collect::<Option<_>>()?,
        ),
        other => other.clone(),
    })
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// The tree that html5ever's builder makes of tokens, and whether it is in quirks mode.
fn tree_of_tokens(tokens: &[Value]) -> (String, bool) {
    let options = TreeBuilderOpts {
        scripting_enabled: false,
        ..TreeBuilderOpts::default()
    };
    let sink = WithoutErrors(TreeBuilder::new(Dom::default(), options));
    let feed = |token: Token| {
        let _: TokenSinkResult<usize> = sink.process_token(token, 1);
    };
    for token in tokens {
        let optional = |at: usize| token[at].as_str().map(Into::into);
        match text(&token[0]) {
            "DOCTYPE" => feed(Token::DoctypeToken(Doctype {
                name: optional(1),
                public_id: optional(2),
                system_id: optional(3),
                force_quirks: token[4] == false,
            })),
            kind @ ("StartTag" | "EndTag") => {
                let given = token[2].as_object().into_iter().flatten();
                let attrs = given.map(|(name, value)| Attribute {
                    name: QualName::new(None, ns!(), LocalName::from(name.as_str())),
                    value: text(value).into(),
                });
                feed(Token::TagToken(Tag {
                    kind: match kind {
                        "StartTag" => TagKind::StartTag,
                        _ => TagKind::EndTag,
                    },
                    name: LocalName::from(text(&token[1])),
                    self_closing: token[3] == true,
                    attrs: attrs.collect(),
                    had_duplicate_attributes: false,
                }));
            }
            "Comment" => feed(Token::CommentToken(text(&token[1]).into())),
            "Character" => {
                for (number, part) in text(&token[1]).split('\0').enumerate() {
                    if number > 0 {
                        feed(Token::NullCharacterToken);
                    }
                    if !part.is_empty() {
                        feed(Token::CharacterTokens(part.into()));
                    }
                }
            }
            other => panic!("{other}"),
        }
    }
    feed(Token::EOFToken);
    sink.end();
    let dom = sink.0.sink;
    let quirks = dom.1.get();
    (dump(&dom.0.into_inner()), quirks)
}

fn tags_of_tokens(tokens: &[Value]) -> Vec<ReadTag> {
    let tags = tokens.iter().filter(|it| text(&it[0]).ends_with("Tag"));
    let tag = |token: &Value| {
        let is_end = token[0] == "EndTag";
        let given = token[2].as_object().into_iter().flatten();
        let mut given: Vec<(String, String)> = given
            .map(|(name, value)| (name.clone(), text(value).to_owned()))
            .collect();
        given.sort();
        (is_end, text(&token[1]).to_owned(), given, token[3] == true)
    };
    tags.map(tag).collect()
}

/// What our parts of a tokenizer read of a tag. End tags have neither attributes nor do they close themselves, as tokens go.
fn read_tag(tag: &str) -> ReadTag {
    let is_end = tag.starts_with("</");
    let start = if is_end { 2 } else { 1 };
    let end = attributes::end_of_tag_name(tag.as_bytes(), start);
    let name_of = |name: &str| name.to_ascii_lowercase().replace('\0', "\u{fffd}");
    let name = name_of(&tag[start..end]);
    let mut given: Vec<(String, String)> = Vec::new();
    let mut at = end;
    let closes_itself = loop {
        let (part, next) = attributes::part(tag.as_bytes(), at);
        match part {
            attributes::Part::Attribute { name, value } => {
                let name = name_of(&tag[name]);
                let mut resolved = String::new();
                let place = references::Place::Attribute;
                references::resolve(&tag[value], place, "\u{fffd}", &mut resolved);
                if given.iter().all(|it| it.0 != name) {
                    given.push((name, resolved));
                }
            }
            attributes::Part::End { self_closing, .. } => {
                break self_closing;
            }
            attributes::Part::Unfinished => panic!("{tag:?}"),
        }
        at = next;
    };
    given.sort();
    match is_end {
        true => (true, name, Vec::new(), false),
        false => (false, name, given, closes_itself),
    }
}

/// Elements after whose start tag the tree builder tells the tokenizer to read text.
const RAW: &[&str] = &[
    "title",
    "textarea",
    "style",
    "xmp",
    "iframe",
    "noembed",
    "noframes",
    "script",
    "plaintext",
];

/// Checks markup against the tokens that it should give, `before` being markup and tokens that come first.
fn check_tokens(before: (&str, &[Value]), input: &str, expected: &[Value]) -> Result<(), String> {
    let markup = format!("{}{input}", before.0);
    let tokens: Vec<Value> = before.1.iter().chain(expected).cloned().collect();
    let markup = normalize_line_breaks(&markup);
    let tree = parsed(&markup);
    let read: Vec<ReadTag> = tree
        .tags
        .iter()
        .map(|at| read_tag(&markup[at.clone()]))
        .collect();
    let tags = tags_of_tokens(&tokens);
    if read != tags {
        return Err(format!("read {read:?} instead of {tags:?}"));
    }
    let (theirs, quirks) = tree_of_tokens(&tokens);
    if tree.quirks != quirks {
        return Err(format!("quirks mode: {}", tree.quirks));
    }
    compare(&shown(&tree, &markup), &theirs).map_or(Ok(()), Err)
}

/// Runs a test of tokens in one of the tokenizer's states.
fn run(state: &str, last_start_tag: &str, input: &str, output: &[Value]) -> Result<(), String> {
    let input = &*normalize_line_breaks(input);
    let raw = |end: Option<usize>, place: Option<references::Place>| {
        let end = end.unwrap_or(input.len());
        let mut found = String::new();
        match place {
            Some(place) => references::resolve(&input[..end], place, "\u{fffd}", &mut found),
            None => found = input[..end].replace('\0', "\u{fffd}"),
        }
        let (expected, rest) = match output.first() {
            Some(token) if token[0] == "Character" => (text(&token[1]), &output[1..]),
            _ => ("", output),
        };
        if found != expected {
            return Err(format!("text {found:?} instead of {expected:?}"));
        }
        check_tokens(("", &[]), &input[end..], rest)
    };
    let end = |name: &str| match name {
        "" => None,
        name => raw_text::end(input.as_bytes(), 0, name),
    };
    match state {
        "Data state" => check_tokens(("", &[]), input, output),
        "PLAINTEXT state" => raw(None, None),
        "RCDATA state" => raw(end(last_start_tag), Some(references::Place::Text)),
        "RAWTEXT state" => raw(end(last_start_tag), None),
        // Where scripts are escaped, ours looks for the end of `script`, whatever was opened.
        "Script data state" => raw(end(last_start_tag), None),
        "CDATA section state" => {
            let svg = serde_json::json!(["StartTag", "svg", {}]);
            check_tokens(("<svg><![CDATA[", &[svg]), input, output)
        }
        other => Err(format!("no such state: {other}")),
    }
}

#[test]
fn tokenizer() {
    let Some(files) = files("tokenizer", "test") else {
        return;
    };
    let mut tally = Tally::default();
    for (file, path) in files {
        let all: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap_or_default();
        // Tests whose strings have surrogates that stand alone are escaped twice, so that all files can be read.
        let tests = all["tests"]
            .as_array()
            .or(all["xmlViolationTests"].as_array());
        for test in tests.unwrap_or_else(|| panic!("{file} has no tests")) {
            let name = text(&test["description"]).to_owned();
            let is_escaped = test["doubleEscaped"] == true;
            let read = |value: &Value| match is_escaped {
                true => unescaped_value(value),
                false => Some(value.clone()),
            };
            let states = match test["initialStates"].as_array() {
                Some(states) => states.iter().map(text).collect(),
                None => vec!["Data state"],
            };
            for state in states {
                let name = match state {
                    "Data state" => name.clone(),
                    state => format!("{name} ({state})"),
                };
                let (Some(input), Some(output)) = (read(&test["input"]), read(&test["output"]))
                else {
                    tally.skip(&file, &name, SURROGATES);
                    continue;
                };
                let output = output.as_array().unwrap();
                let is_raw =
                    |token: &Value| token[0] == "StartTag" && RAW.contains(&text(&token[1]));
                if output.iter().any(is_raw) {
                    tally.skip(&file, &name, SWITCHES);
                    continue;
                }
                let last = test["lastStartTag"].as_str().unwrap_or("");
                tally.add(&file, &name, run(state, last, text(&input), output));
            }
        }
    }
    tally.finish("tokenizer", 7029);
}

// Encodings.

#[test]
fn encodings() {
    let Some(files) = files("encoding", "dat") else {
        return;
    };
    let mut tally = Tally::default();
    for (file, path) in files {
        let bytes = std::fs::read(path).unwrap();
        let mut rest = &bytes[..];
        while let Some(start) = memchr::memmem::find(rest, b"#data\n") {
            rest = &rest[start + b"#data\n".len()..];
            let end = memchr::memmem::find(rest, b"\n#encoding\n").unwrap();
            let data = &rest[..end];
            rest = &rest[end + b"\n#encoding\n".len()..];
            let line = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
            let wanted = encoding_rs::Encoding::for_label(&rest[..line]).unwrap();
            // What a browser takes for a page that declares nothing.
            let marked = encoding_rs::Encoding::for_bom(data).map(|(encoding, _)| encoding);
            let found = marked.or_else(|| standard_meta(data));
            let found = found.unwrap_or(encoding_rs::WINDOWS_1252);
            let result = match found == wanted {
                true => Ok(()),
                false => Err(format!("{} instead of {}", found.name(), wanted.name())),
            };
            let name = String::from_utf8_lossy(data);
            let name = name.get(..60).unwrap_or(&name);
            tally.add(&file, name, result);
        }
    }
    tally.finish("encodings", 82);
}
