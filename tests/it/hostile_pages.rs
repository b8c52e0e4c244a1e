//! Generators of hostile pages: markup made to cost a parser time or memory. Shared by the test and the benchmark.

use trommel::page::ParseLimit::{self, Attributes, Bytes, Depth, Nodes, Work};

/// A page that is made to be expensive.
pub struct Hostile {
    /// What is in it.
    pub name: &'static str,
    /// The limit that it runs into.
    pub limit: Option<ParseLimit>,
    /// Makes the page.
    pub make: Box<dyn Fn() -> Vec<u8>>,
}

/// All of them. What their names and the comments call a million is `million`.
pub fn all(million: usize) -> Vec<Hostile> {
    let mb_30 = 30 * million;
    let mut pages = Vec::new();
    macro_rules! page {
        ($name:expr, $limit:expr, $make:expr) => {
            pages.push(Hostile {
                name: $name,
                limit: $limit,
                make: Box::new(move || $make.into()),
            })
        };
    }
    // A million elements, each in the one before so far as the standard lets it.
    page!("nested div", Some(Depth), "<div>".repeat(million) + "text");
    page!("nested b", Some(Depth), "<b>".repeat(million) + "text");
    page!(
        "nested font",
        Some(Depth),
        numbered("<font size=#>", million) + "text"
    );
    page!("nested a", None, "<a>".repeat(million) + "text");
    page!("nested nobr", None, "<nobr>".repeat(million) + "text");
    page!("nested p", None, "<p>".repeat(million) + "text");
    page!(
        "nested p in buttons",
        None,
        "<p><button>".repeat(million / 2) + "text"
    );
    page!("nested svg", Some(Depth), "<svg>".repeat(million) + "text");
    page!(
        "nested g",
        Some(Depth),
        "<svg>".to_owned() + &"<g>".repeat(million) + "text"
    );
    page!(
        "nested foreignObject",
        Some(Depth),
        "<svg><foreignObject>".repeat(million / 2) + "text"
    );
    page!(
        "nested math",
        Some(Depth),
        "<math>".repeat(million) + "text"
    );
    page!("nested select", None, "<select>".repeat(million) + "text");
    page!(
        "nested option",
        None,
        "<select>".to_owned() + &"<option>".repeat(million) + "text"
    );
    page!("nested button", None, "<button>".repeat(million) + "text");
    page!("nested table", None, "<table>".repeat(million) + "text");
    page!(
        "nested cells",
        Some(Depth),
        "<table><tr><td>".repeat(million / 3) + "text"
    );
    page!(
        "nested cells with text",
        Some(Depth),
        "<table>a<tr>b<td>".repeat(million / 3) + "text"
    );
    page!(
        "nested template",
        Some(Depth),
        "<template>".repeat(million) + "text"
    );
    page!(
        "nested template and div",
        Some(Depth),
        "<template><div><p>".repeat(million / 3) + "text"
    );
    page!(
        "nested object",
        Some(Depth),
        "<object>".repeat(million) + "text"
    );
    page!(
        "nested lists",
        Some(Depth),
        "<ul><li>".repeat(million / 2) + "text"
    );
    page!(
        "nested span in a",
        None,
        "<a><span>".repeat(million / 2) + "text"
    );
    page!(
        "nested names",
        Some(Depth),
        numbered("<x#>", million) + "text"
    );
    page!(
        "nested noscript",
        None,
        "<noscript>".repeat(million) + "text"
    );
    page!(
        "nested ruby",
        Some(Depth),
        "<ruby><rt>".repeat(million / 2) + "text"
    );
    page!(
        "nested div, and ends",
        Some(Depth),
        "<div>".repeat(million) + "text" + &"</div>".repeat(million)
    );
    // Many elements that are not nested.
    page!(
        "p and a letter, 24 MB",
        Some(Nodes),
        "<p>a".repeat(6 * million)
    );
    page!(
        "li and a letter, 30 MB",
        Some(Nodes),
        "<li>a".repeat(6 * million)
    );
    page!(
        "td and a letter, 30 MB",
        Some(Nodes),
        "<table>".to_owned() + &"<td>a".repeat(6 * million)
    );
    page!(
        "a and a letter, 30 MB",
        Some(Nodes),
        "<a>a</a>".repeat(30 * million / 8)
    );
    page!("br, 30 MB", Some(Nodes), "<br>".repeat(mb_30 / 4));
    page!(
        "br and a letter, 30 MB",
        Some(Nodes),
        "<br>a".repeat(mb_30 / 5)
    );
    page!(
        "names, 30 MB",
        Some(Bytes),
        numbered("<x#>a</x#>", 2 * million)
    );
    page!("ends of p, 30 MB", None, "</p>".repeat(mb_30 / 4));
    page!("ends of nothing, 30 MB", None, "</x>".repeat(mb_30 / 4));
    page!("ends of b, 30 MB", None, "</b>".repeat(mb_30 / 4));
    page!("comments, 30 MB", None, "<!---->".repeat(mb_30 / 7));
    page!(
        "comments and a letter, 30 MB",
        Some(Nodes),
        "<!---->a".repeat(mb_30 / 8)
    );
    page!(
        "empty anchors",
        Some(Nodes),
        "<a></a><br>".repeat(mb_30 / 11) + "text"
    );
    page!("classes", None, numbered("<p id=# class='a b'>a", million));
    page!(
        "long classes",
        None,
        ("<p class='".to_owned() + &"a ".repeat(500) + "'>a").repeat(million / 34)
    );
    // Text.
    page!("100 MB of words", Some(Bytes), "word ".repeat(20 * million));
    page!("100 MB in a word", Some(Bytes), "w".repeat(100 * million));
    page!(
        "100 MB of white space",
        Some(Bytes),
        " ".repeat(100 * million) + "text"
    );
    page!(
        "100 MB of line breaks",
        Some(Bytes),
        "\r\n".repeat(50 * million) + "text"
    );
    page!(
        "30 MB of windows-1252",
        None,
        b"caf\xe9 ".repeat(6 * million)
    );
    page!(
        "30 MB of bytes that are no text",
        None,
        [0xff, 0x80, 0xc3].repeat(10 * million)
    );
    page!(
        "30 MB of UTF-16",
        None,
        [&[0xff, 0xfe][..], &b"w\0".repeat(15 * million)].concat()
    );
    page!("one-letter words, 30 MB", None, "a ".repeat(15 * million));
    page!(
        "separators",
        Some(Nodes),
        "\u{2063}<br>".repeat(4 * million)
    );
    // Attributes.
    page!(
        "10 million attributes of one name",
        Some(Attributes),
        "<p".to_owned() + &" a".repeat(10 * million) + ">text"
    );
    page!(
        "attributes of one element",
        Some(Attributes),
        "<p".to_owned() + &numbered(" a#", 3 * million) + ">text"
    );
    page!(
        "10 million attributes, ten an element",
        Some(Bytes),
        ("<p".to_owned() + &numbered(" #=", 10) + ">a").repeat(million)
    );
    page!(
        "1000 attributes an element",
        None,
        format!("<p{}>x", numbered(" a#", 1000)).repeat(million / 200)
    );
    page!(
        "1000 attributes in 400 b",
        Some(Work),
        many_attributes() + &"<b></b>".repeat(million)
    );
    page!(
        "1000 attributes in 400 b, made again",
        None,
        many_attributes() + &"<p>x".repeat(million)
    );
    page!(
        "slashes",
        None,
        "<p".to_owned() + &"/".repeat(mb_30) + ">text"
    );
    page!(
        "equals signs",
        None,
        "<p ".to_owned() + &"=".repeat(mb_30) + ">text"
    );
    page!(
        "attributes of an end tag",
        Some(Attributes),
        "text</p".to_owned() + &" a".repeat(10 * million) + ">"
    );
    // NULs.
    page!("NULs", None, vec![0; mb_30]);
    page!("NULs in words", None, b"a\0b".repeat(10 * million));
    page!(
        "NULs in words in svg",
        None,
        [&b"<svg>"[..], &b"a\0b".repeat(10 * million)].concat()
    );
    page!(
        "NULs in words in a table",
        None,
        [&b"<table>"[..], &b"a\0 b ".repeat(6 * million)].concat()
    );
    page!(
        "NULs in a script",
        None,
        [&b"<script>"[..], &vec![0; mb_30]].concat()
    );
    page!(
        "NULs in a title",
        None,
        [&b"<title>"[..], &vec![0; mb_30], b"</title>"].concat()
    );
    page!("NULs in names", Some(Depth), b"<a\0b>".repeat(mb_30 / 5));
    page!(
        "NULs in a name",
        None,
        [&b"<a"[..], &vec![0; mb_30], b">text"].concat()
    );
    page!(
        "NULs in an attribute",
        None,
        [&b"<p id='"[..], &vec![0; mb_30], b"'>text"].concat()
    );
    // What never ends.
    page!(
        "unclosed comment",
        None,
        "text<!--".to_owned() + &"<p>a".repeat(mb_30 / 4)
    );
    page!(
        "unclosed comment of dashes",
        None,
        "text<!--".to_owned() + &"-".repeat(mb_30)
    );
    page!(
        "unclosed comment of comments",
        None,
        "text".to_owned() + &"<!--".repeat(mb_30 / 4)
    );
    page!(
        "unclosed script",
        Some(Nodes),
        "text<script>".to_owned() + &"<p>a".repeat(mb_30 / 4)
    );
    page!(
        "unclosed script of lines",
        None,
        "text<script>".to_owned() + &" <1\n".repeat(mb_30 / 4)
    );
    page!(
        "unclosed script of less-than signs",
        None,
        "text<script>".to_owned() + &"<".repeat(mb_30)
    );
    page!(
        "unclosed script of spaces",
        None,
        "text<script>".to_owned() + &" ".repeat(mb_30) + "<"
    );
    page!(
        "unclosed script of comments",
        None,
        "text<script>".to_owned() + &"<!--".repeat(mb_30 / 4)
    );
    page!(
        "unclosed script of scripts",
        None,
        "text".to_owned() + &"<script>".repeat(mb_30 / 8)
    );
    page!(
        "unclosed script of escaped scripts",
        None,
        "text".to_owned() + &"<script><!--<script></script>".repeat(mb_30 / 29)
    );
    page!(
        "unclosed script of ends",
        None,
        "text<script>".to_owned() + &"</scrip".repeat(mb_30 / 7)
    );
    page!(
        "unclosed style",
        Some(Nodes),
        "text<style>".to_owned() + &"<p>a".repeat(mb_30 / 4)
    );
    page!(
        "unclosed title",
        Some(Nodes),
        "text<title>".to_owned() + &"<p>a".repeat(mb_30 / 4)
    );
    page!("unclosed titles", None, "<title>x\n".repeat(mb_30 / 9));
    page!(
        "unclosed textareas",
        None,
        "<textarea>x\n".repeat(mb_30 / 12)
    );
    page!(
        "unclosed raw texts in turn",
        None,
        "<title>a<style>b<script>c<textarea>d<xmp>e<iframe>f".repeat(mb_30 / 50)
    );
    page!(
        "unclosed plaintext",
        None,
        "<plaintext>".to_owned() + &"<p>a".repeat(mb_30 / 4)
    );
    page!(
        "unclosed attribute",
        None,
        "text<p id='".to_owned() + &"<p>a".repeat(mb_30 / 4)
    );
    page!(
        "unclosed quotes in turn",
        None,
        "<p a='<p a=\">".repeat(mb_30 / 13)
    );
    page!(
        "unclosed tag",
        None,
        "text<p ".to_owned() + &"a ".repeat(mb_30 / 2)
    );
    page!("unclosed tags", None, "<p ".repeat(mb_30 / 3));
    page!(
        "unclosed name",
        None,
        "text<".to_owned() + &"p".repeat(mb_30)
    );
    page!(
        "long name",
        None,
        "text<".to_owned() + &"p".repeat(mb_30) + ">text"
    );
    page!(
        "unclosed CDATA",
        None,
        "<svg><![CDATA[".to_owned() + &"]]a".repeat(mb_30 / 3)
    );
    page!(
        "unclosed DOCTYPE",
        None,
        "<!DOCTYPE html PUBLIC '".to_owned() + &"a".repeat(mb_30)
    );
    page!("less-than signs", None, "<".repeat(mb_30));
    page!("starts of declarations", None, "<!".repeat(mb_30 / 2));
    page!("starts of end tags", None, "</".repeat(mb_30 / 2));
    // References.
    page!("ampersands", None, "&".repeat(mb_30));
    page!("references", None, "&amp;".repeat(mb_30 / 5));
    page!(
        "references in turn with letters",
        None,
        "a&lt".repeat(mb_30 / 4)
    );
    page!(
        "references that are none",
        None,
        "&nosuchreferenceatall".repeat(mb_30 / 21)
    );
    page!(
        "longest references",
        None,
        "&CounterClockwiseContourIntegral;".repeat(mb_30 / 33)
    );
    page!(
        "a number of 30 MB",
        None,
        "&#".to_owned() + &"1".repeat(mb_30)
    );
    page!("a name of 30 MB", None, "&".to_owned() + &"a".repeat(mb_30));
    page!(
        "references in attributes",
        Some(Nodes),
        "<p id='&amp;&lt;'>a".repeat(mb_30 / 19)
    );
    page!(
        "references that grow",
        None,
        "&nGt;&nLt;".repeat(mb_30 / 10)
    );
    // Misnesting.
    for (name, limit, part) in MISNESTED {
        page!(name, Some(*limit), part.repeat(mb_30 / part.len()));
    }
    page!(
        "500 b made again",
        Some(Nodes),
        "<p>".to_owned() + &numbered("<b id=#>", 500) + &"<p>x".repeat(million)
    );
    page!(
        "ever more b made again",
        Some(Nodes),
        numbered("<p><b id=#></p>", million) + "x"
    );
    page!(
        "500 b compared",
        Some(Work),
        numbered("<b id=#>", 500) + &"<b></b>".repeat(4 * million)
    );
    page!(
        "searches for a p",
        Some(Nodes),
        "<span>".repeat(500) + &"<p>".repeat(7 * million)
    );
    page!(
        "searches for an end",
        Some(Work),
        "<span>".repeat(500) + &"</x>".repeat(7 * million)
    );
    page!(
        "searches for a heading",
        Some(Work),
        "<span>".repeat(500) + &"</h1>".repeat(6 * million)
    );
    page!(
        "searches for an item",
        Some(Nodes),
        "<span>".repeat(500) + &"<li>".repeat(7 * million)
    );
    page!(
        "a subtree moved again and again",
        None,
        format!("<b><div>{}", "<p>x</p>".repeat(million / 2)) + &"</b><b>".repeat(million)
    );
    page!(
        "table text",
        Some(Nodes),
        "<table>".to_owned() + &"a<!---->".repeat(mb_30 / 8)
    );
    page!(
        "tables with text",
        Some(Nodes),
        "<table>x".repeat(mb_30 / 8)
    );
    page!(
        "tables in a cell",
        None,
        "<table><td>".to_owned() + &"<table></table>".repeat(2 * million)
    );
    page!(
        "templates in templates' ends",
        None,
        "<template>".repeat(500) + &"</template><template>".repeat(million)
    );
    pages
}

/// Formatting elements that end where they should not, which the adoption agency mends.
const MISNESTED: &[(&str, ParseLimit, &str)] = &[
    ("adopted deeper", Nodes, "<b><i><div></b>"),
    ("adopted by two", Nodes, "<b><i><u><s><div></b></i>"),
    ("adopted around divs", Depth, "<a><div>"),
    ("adopted around paragraphs", Nodes, "<a><b><p>"),
    ("adopted around spans", Nodes, "<a><b><span><p>"),
    ("adopted and fostered", Nodes, "<table><b><i><p>x</b>"),
    (
        "adopted across tables",
        Nodes,
        "<b><table><tr></b><td><i></table></i>",
    ),
    (
        "adopted with objects",
        Depth,
        "<b id=#><object></b><i></object>",
    ),
    ("adopted in forms", Depth, "<form><div></form><b>"),
    ("adopted with text", Nodes, "<b>a<div>b</b>c"),
    (
        "adopted eight times",
        Depth,
        "<a><p><p><div><div><div><div><div><div><div><div><div></a>",
    ),
    ("adopted in ends", Nodes, "<b><div></b></div></i>"),
];

fn many_attributes() -> String {
    let attributes = numbered(" a#", 1000);
    (0..400)
        .map(|i| format!("<b id={i}{attributes}>"))
        .collect()
}

/// `part` for each number, which stands in the place of `#`.
fn numbered(part: &str, n: usize) -> String {
    (0..n).map(|i| part.replace('#', &i.to_string())).collect()
}
