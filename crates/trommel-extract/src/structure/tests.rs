//! Pages become Markdown, Markdown becomes pages again by pulldown-cmark, and every word stands where it stood.

use std::collections::HashMap;

use pulldown_cmark::{Options, Parser};
use trommel_page::html::{Charset, Limits, parse_text, parse_with_source};
use trommel_page::{ElementId, Page, Tag};

use super::{Structure, StructureOptions, html, markdown};

fn structure(markup: &str, options: &StructureOptions) -> Structure {
    let (page, source) =
        parse_with_source(markup.as_bytes(), Charset::Auto, None, &Limits::default());
    let kept = vec![true; page.leaves.len()];
    Structure::new(&page, &source, &kept, "https://a.example/b/", options)
}

/// Dollar signs are mathematics where there is some, and else nothing but dollars.
fn rendered(markdown: &str, has_math: bool) -> String {
    let mut options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    options.set(Options::ENABLE_MATH, has_math);
    let mut out = String::new();
    pulldown_cmark::html::push_html(&mut out, Parser::new_ext(markdown, options));
    out
}

/// Where a word stands, as far as Markdown can say it.
fn place(page: &Page, leaf: usize, cells: &HashMap<ElementId, (usize, usize)>) -> String {
    let mut around = Vec::new();
    for id in page.ancestors(page.leaves[leaf].parent) {
        let tag = page.tag(id);
        let shown = match tag {
            Tag::H1
            | Tag::H2
            | Tag::H3
            | Tag::H4
            | Tag::H5
            | Tag::H6
            | Tag::Ul
            | Tag::Ol
            | Tag::Blockquote
            | Tag::Pre
            | Tag::Sub
            | Tag::Sup
            | Tag::Code => tag.name().to_owned(),
            Tag::Strong | Tag::B => "strong".to_owned(),
            Tag::Em | Tag::I => "em".to_owned(),
            Tag::Del | Tag::S => "del".to_owned(),
            Tag::Th | Tag::Td => format!("{:?}", cells.get(&id)),
            _ => continue,
        };
        if !around.contains(&shown) || matches!(shown.as_str(), "ul" | "ol" | "blockquote") {
            around.push(shown);
        }
    }
    // Headings are strong by themselves; code in a block is code.
    if around.iter().any(|it| it.starts_with('h')) {
        around.retain(|it| it != "strong");
    }
    if around.iter().any(|it| it == "pre") {
        around.retain(|it| it != "code");
    }
    around.sort();
    around.join(" ")
}

/// All words, each with where it stands; of cells row and column, of rows those with text.
fn words(markup: &str) -> Vec<(String, String)> {
    let page = parse_text(markup, &Limits::default());
    let mut filled = vec![false; page.elements.len()];
    for leaf in &page.leaves {
        page.ancestors(leaf.parent)
            .for_each(|id| filled[id as usize] = true);
    }
    let mut cells = HashMap::new();
    let (mut row, mut column) = (0, 0);
    for id in 0..page.elements.len() as ElementId {
        match page.tag(id) {
            Tag::Table => row = 0,
            Tag::Tr => {
                row += usize::from(filled[id as usize]);
                column = 0;
            }
            Tag::Td | Tag::Th => {
                cells.insert(id, (row, column));
                column += 1;
            }
            _ => {}
        }
    }
    let mut words = Vec::new();
    for leaf in 0..page.leaves.len() {
        let place = place(&page, leaf, &cells);
        for word in page.leaf_text(leaf as u32).split_whitespace() {
            words.push((word.to_owned(), place.clone()));
        }
    }
    words
}

/// Markdown of the page, read by another program, has the page's words where they stood; so has the HTML of it.
#[track_caller]
fn round(markup: &str) {
    let structure = structure(markup, &StructureOptions::default());
    let made = markdown(&structure);
    let shown = rendered(&made, structure.has_math);
    assert_eq!(words(&shown), words(markup), "{made}\n{shown}");
    let made = html(&structure);
    assert_eq!(words(&made), words(markup), "{made}");
}

#[track_caller]
fn check(markup: &str, expected: &str) {
    let options = StructureOptions::default()
        .with_links(true)
        .with_images(true);
    assert_eq!(markdown(&structure(markup, &options)), expected, "{markup}");
    let text = StructureOptions::default();
    let text = markdown(&structure(markup, &text));
    let others: Vec<String> = words(&rendered(&text, false))
        .into_iter()
        .map(|(word, _)| word)
        .collect();
    assert!(!others.is_empty(), "{text}");
}

#[test]
fn headings_and_paragraphs() {
    round(
        "<h1>One <b>bold</b></h1><p>a<h2>Two <i>x</i></h2><div>b</div>c<br>d<br><br>e<h6>Six #</h6>",
    );
    check("<h3>C<br>D</h3><p>a<br>b", "### C D\n\na\\\nb\n");
}

/// The end of a text is no rule, whatever it looks like.
#[test]
fn dashes_at_the_end_are_text() {
    for text in ["---", "a ---", "----", "---<hr>"] {
        round(&format!("<p>b</p><h2>{text}</h2>"));
        round(&format!("<p>b<p>{text}"));
    }
}

#[test]
fn rules_part_what_is_written() {
    check(
        "<hr><p>a<hr><hr><ul><li>b<hr>c<li><hr>d</ul><hr>",
        "a\n\n---\n\n- b\n\n  ---\n\n  c\n\n- d\n",
    );
    round("<p>a<hr><p>b<h2>c</h2>");
    check("<h2>c <a href=#c>\u{b6}</a></h2>", "## c\n");
}

#[test]
fn marks() {
    round(
        "<p>a <b>b c</b>, <i> d </i>e <b><i>f</i></b> <i><b>g</b> h</i> <b>i</b><i>j</i> k<sub>l</sub><sup>m</sup> <s>n</s>",
    );
    round("<p><b>a<p>b</b> c");
    round("<p>un<b>believ</b>able <em>x</em>-<em>y</em>");
    round("<p><code>a `b` c</code> <code>x|y</code> <b><code>z</code></b>");
}

#[test]
fn what_looks_like_markdown() {
    for text in [
        "# a",
        "- a",
        "+ a",
        "* a",
        "> a",
        "1. a",
        "1) a",
        "---",
        "===",
        "***",
        "```",
        "~~~ a",
        "| a | b |",
        "a * b * c",
        "*a*",
        "__a__",
        "a_b_c",
        "_a_",
        "`a`",
        "[a](b)",
        "![a](b)",
        "[a]: b",
        "<b>",
        "<!-- a -->",
        "&amp;",
        "&lt;",
        "a\\*b",
        "~~a~~",
        "$a$ $b$",
        "\\",
        "\\(",
        "http://a.example/_b_c_",
        ": a",
        "    a",
        "!",
        "a!",
        "&#35; a",
        "***a",
        "a ** b",
        "<",
        "a <b",
        "1986. A great year",
        "#hashtag",
        "[ ] a",
        "[x] a",
        "a~b~c",
        "^a^",
        "==a==",
        "\t- a",
    ] {
        let escaped = trommel_text::escape_markup(text);
        round(&format!(
            "<p>{escaped}</p><p>b<br>{escaped}</p><ul><li>{escaped}</ul><h2>{escaped}</h2>"
        ));
        round(&format!(
            "<table><tr><th>{escaped}<th>h<tr><td>{escaped}<td><b>{escaped}</b></table>"
        ));
    }
}

#[test]
fn lists() {
    round("<ul><li>a<li>b<ul><li>c<ol><li>d<li>e</ol></ul><li>f</ul>");
    round("<ol start=7><li>a<li><p>b<p>c<li>d</ol><ol><li>e</ol><ul><li>f</ul><ul><li>g</ul>");
    round(
        "<ul><li><p>a</p><ol start=3><li>b</ol><li><pre>x\n  y</pre>z<li><blockquote>q<p>r</blockquote></ul>",
    );
    round("<ul><li><h3>a</h3>b<li><b>c</b></ul><p>d");
    check("<ul><li>a<li>b</ul>", "- a\n- b\n");
    check("<ol start=9><li>a<li>b</ol>", "9. a\n10. b\n");
    check("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b\n");
    check(
        "<dl><dt>a<dd>b<dd>c<dt>d<dd>e</dl>",
        "**a**\n\n- b\n\n- c\n\n**d**\n\n- e\n",
    );
}

#[test]
fn quotations() {
    round(
        "<blockquote>a<blockquote><p>b<p>c</blockquote>d<ul><li>e</ul></blockquote><blockquote>f</blockquote>",
    );
}

#[test]
fn code_blocks() {
    round(
        "<pre>a\n\n  b ``` c\n# d</pre><pre><code class=language-rust>fn main() {}\n</code></pre><ul><li><pre>x\n\ny</pre></ul>",
    );
    check(
        "<pre><code class='language-rust'>fn a() {}\n</code></pre>",
        "```rust\nfn a() {}\n```\n",
    );
    check(
        "<div class='highlight-python'><pre><span>a</span>\n    <i>b</i>\n\n<b>c</b></pre></div>",
        "```python\na\n    b\n\nc\n```\n",
    );
    // White space in an element of its own, as highlighters have it.
    check(
        "<pre><span>a</span><span> </span><b>b</b>\n<i><span>  </span></i>c</pre>",
        "```\na b\n  c\n```\n",
    );
    check("<pre>a ```` b</pre>", "`````\na ```` b\n`````\n");
    check(
        "<pre><div>a</div><div>b</div>c<br>d</pre>",
        "```\na\nb\nc\nd\n```\n",
    );
}

#[test]
fn tables() {
    round("<table><tr><th>a<th>b<tr><td>c|d<td><b>e</b><code>f|g</code><tr><td><td>h</table>");
    round("<table><thead><tr><td>a<td>b<tbody><tr><td>c<td>d</table>");
    round("<table><tr><td>a<td>b<tr><td>c<td>d<br>e</table>");
    round("<table><tr><td>a<td>b<tr><td><p>c<p>d<td>e</table>");
    // Cells over several columns, lists and code in cells: Markdown's tables cannot, its HTML can.
    round("<table><tr><th colspan=2>a<tr><td>b<td rowspan=2>c<tr><td>d</table><p>e");
    round("<table><tr><td>a<td><ul><li>b<li>c</ul><tr><td><pre>d\n\ne</pre><td>f</table>");
    round(
        "<blockquote><table><tr><td>a<td>b<tr><td>c<td>d</table></blockquote><ul><li><table><tr><th>x<th>y<tr><td>c<td>d</table></ul>",
    );
    check(
        "<table><caption>t</caption><tr><th>a<th>b<tr><td>1<td></table>",
        "t\n\n| a | b |\n| --- | --- |\n| 1 | |\n",
    );
    check(
        "<table><tr><td>a<td>b<tr><td>c<td>d</table>",
        "| | |\n| --- | --- |\n| a | b |\n| c | d |\n",
    );
    // There for its looks.
    check(
        "<table><tr><td><table><tr><td>a</table><td><p>b</table>",
        "a\n\nb\n",
    );
    check(
        "<table role=presentation><tr><td>a<td>b</table>",
        "a\n\nb\n",
    );
    check("<table><tr><td>a<tr><td>b</table>", "a\n\nb\n");
}

#[test]
fn links_and_images() {
    check(
        "<p><a href='x?a=1&amp;b=(2)'>a [b]</a> <a href=javascript:x>c</a> wow!<a href=/d>e</a>",
        "[a \\[b\\]](https://a.example/b/x?a=1&b=%282%29) c wow\\![e](https://a.example/d)\n",
    );
    check(
        "<p>a <img src=i.png alt='x ] y'> b",
        "a ![x \\] y](https://a.example/b/i.png) b\n",
    );
    check(
        "<a href=/x><h2>a</h2><p>b</a>",
        "## [a](https://a.example/x)\n\n[b](https://a.example/x)\n",
    );
    let text = markdown(&structure(
        "<p><a href=/x>a</a> <img src=i.png alt=x> b",
        &StructureOptions::default(),
    ));
    assert_eq!(text, "a b\n");
}

#[test]
fn mathematics() {
    let annotated = "<math display=block><mi>x</mi><annotation encoding='application/x-tex'>x_1 = \\frac{1}{2}</annotation></math>";
    check(
        &format!("<p>a {annotated} b"),
        "a $$x_1 = \\frac{1}{2}$$ b\n",
    );
    check(
        "<p>so <math alttext='{\\displaystyle a^{2}}'><mi>a</mi></math>, $5",
        "so $a^{2}$, \\$5\n",
    );
    check(
        "<p>so \\(a_1^*\\) and $5 or $6",
        "so $a_1^*$ and \\$5 or \\$6\n",
    );
    check("<p>price $5 or $6", "price $5 or $6\n");
    check(
        "<p>a <span class=MathJax>x1</span><script type='math/tex'>x_1</script> b",
        "a $x_1$ b\n",
    );
    let katex = "<span class=katex><span class=katex-mathml><math><mi>x</mi><annotation encoding='application/x-tex'>x^2</annotation></math></span>\
        <span class=katex-html aria-hidden=true>x2</span></span>";
    check(&format!("<p>a {katex}."), "a $x^2$.\n");
}

#[test]
fn html_has_no_scripts() {
    let markup = "<p onclick=x style=y class=z id=w>a<script>alert(1)</script><a href=' JaVaScRiPt:x' onmouseover=x>b</a>\
        <a href='https://a.example/\"onload=x'>c</a><img src=data:x onerror=x><iframe srcdoc=x></iframe><svg onload=x><text>d</text></svg>";
    let options = StructureOptions::default()
        .with_links(true)
        .with_images(true);
    let made = html(&structure(markup, &options));
    let (page, source) =
        parse_with_source(made.as_bytes(), Charset::Auto, None, &Limits::default());
    for id in 0..page.elements.len() as u32 {
        let tag = page.tag(id).name();
        assert!(
            ["html", "head", "body", "p", "a", "img"].contains(&tag),
            "{tag}: {made}"
        );
        for (name, value) in source.attributes(id) {
            assert!(matches!(name, "href" | "src" | "alt"), "{name}: {made}");
            assert!(
                name == "alt" || value.starts_with("https://a.example/"),
                "{value}"
            );
        }
    }
    assert_eq!(
        words(&made)
            .into_iter()
            .map(|(word, _)| word)
            .collect::<Vec<_>>()
            .concat(),
        "abcd"
    );
}

/// Deep and wide pages end, and take no time to speak of.
#[test]
fn hostile_pages_end() {
    for markup in [
        "<b>".repeat(50_000) + "a",
        "<b>a</b>".repeat(50_000),
        "<blockquote>".repeat(5_000) + "a",
        "<ul><li>a".repeat(5_000),
        "<table><tr><td>a".repeat(2_000),
        "<a href=x>a</a><i>*".repeat(20_000),
        format!("<table>{}</table>", "<tr><td>a<td>b".repeat(20_000)),
        format!("<pre>{}</pre>", "`".repeat(100_000)),
        "<br>".repeat(50_000) + "a",
        "\\(".repeat(50_000),
    ] {
        let structure = structure(&markup, &StructureOptions::default());
        assert!(!html(&structure).is_empty());
        assert!(!markdown(&structure).is_empty());
    }
}
